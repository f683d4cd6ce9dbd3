// How a verification stands, as a word and, where something was compared, how alike it was.
import { Badge, type Tone } from '../ui/atoms.tsx'
import { useWords } from '../words/language.ts'
import type { Verification } from '../../../sdk/src/index.ts'
import { VERIFICATIONS } from './words.ts'

const TONES: Readonly<Record<Verification['status'], Tone>> = {
  pending: 'info',
  pass: 'good',
  fail: 'bad',
  review: 'warn',
  unavailable: 'warn',
}

type ResultProps = { readonly of: Pick<Verification, 'status'> & Partial<Pick<Verification, 'match' | 'score'>> }

export function Result({ of: { status, match, score } }: ResultProps) {
  const w = useWords(VERIFICATIONS)
  return (
    <span>
      <Badge tone={TONES[status]}>{w[status]}</Badge>{' '}
      {(match || typeof score === 'number') && (
        <span style={{ fontSize: 12, color: 'var(--mantine-color-dimmed)' }}>
          {[match ? w[match] : null, typeof score === 'number' ? w.score(score) : null].filter(Boolean).join(', ')}
        </span>
      )}
    </span>
  )
}
