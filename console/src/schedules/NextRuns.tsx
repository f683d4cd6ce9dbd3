// The runs that come, as the gateway computes them, on the clocks of the rule's zone.
import { Text } from '@mantine/core'
import type { Schedule } from '../../../sdk/src/index.ts'
import { useWords } from '../words/language.ts'
import { SCHEDULES } from './words.ts'
import { ZonedTime } from './ZonedTime.tsx'

type Props = {
  readonly runs: Schedule['next_runs']
  readonly zone: string
  /** Until when holidays are known; null where none count. */
  readonly knownUntil: string | null
}

export function NextRuns({ runs, zone, knownUntil }: Props) {
  const w = useWords(SCHEDULES)
  if (runs.length === 0) return <Text c="dimmed">{w.noNext}</Text>
  return (
    <>
      <Text size="sm" c="dimmed">
        {w.nextRuns} ({zone})
      </Text>
      <ol aria-label={w.nextRuns} style={{ margin: '6px 0 0', paddingLeft: 22 }}>
        {runs.map(({ at }) => (
          <li key={at}>
            <ZonedTime at={at} zone={zone} />
          </li>
        ))}
      </ol>
      {knownUntil !== null && (
        <Text size="sm" c="dimmed" mt="xs">
          {w.holidays} {knownUntil}
        </Text>
      )}
    </>
  )
}
