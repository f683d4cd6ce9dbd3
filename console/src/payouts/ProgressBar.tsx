// How far a command is, as a bar: what is done, what waits, what has failed. Its label says the same in words.
import { Progress } from '@mantine/core'
import type { CommandProgress } from '../../../sdk/src/index.ts'
import { countText } from '../ui/amounts.ts'
import { useLanguage, useWords } from '../words/language.ts'
import { PAYOUTS } from './words.ts'

export function ProgressBar({ of, size = 'sm' }: { readonly of: CommandProgress; readonly size?: 'sm' | 'lg' }) {
  const w = useWords(PAYOUTS)
  const language = useLanguage()
  const { done, failed, waiting, total } = of
  const text = (count: number) => countText(count, language)
  const share = (count: number) => (total === 0 ? 0 : (100 * count) / total)
  const label = w.bar(text(done), text(failed), text(total))
  return (
    <Progress.Root size={size} mt={4} role="img" aria-label={label}>
      <Progress.Section value={share(done)} color="teal" withAria={false} />
      <Progress.Section value={share(waiting)} color="yellow" withAria={false} />
      <Progress.Section value={share(failed)} color="red" withAria={false} />
    </Progress.Root>
  )
}
