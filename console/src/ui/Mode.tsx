// Whether money is real, where a screen shows that of both modes.
import { useWords } from '../words/language.ts'
import { Badge } from './atoms.tsx'
import { COMMON } from './words.ts'

export function Mode({ isLive }: { readonly isLive: boolean }) {
  const w = useWords(COMMON)
  return isLive ? <Badge tone="info">{w.live}</Badge> : <Badge tone="warn">{w.test}</Badge>
}
