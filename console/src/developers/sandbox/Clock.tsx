// The provider's clock, which can be moved forwards and never back.
import { Button, Group, NumberInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { SandboxClock } from '../../../../sdk/src/index.ts'
import { gateway, useWrite } from '../../gateway.ts'
import { Facts } from '../../ui/atoms.tsx'
import { timeText } from '../../ui/amounts.ts'
import { ErrorNote } from '../../ui/feedback.tsx'
import { Section } from '../../ui/Page.tsx'
import { useLanguage, useWords } from '../../words/language.ts'
import { SANDBOX } from './words.ts'

const STEP_MAX_SECONDS = 366 * 86_400

export function Clock({ of }: { readonly of: SandboxClock }) {
  const w = useWords(SANDBOX)
  const language = useLanguage()
  const [seconds, setSeconds] = useState<number>(60)
  const move = useWrite(
    (advance_seconds: number) => gateway.sandbox.moveClock({ advance_seconds }),
    ['sandbox', 'transfers', 'payments'],
  )
  const steps = [
    [w.minute, 60],
    [w.hour, 3600],
    [w.day, 86_400],
    [w.week, 7 * 86_400],
  ] as const
  const ahead = Math.round(of.offset_seconds)
  return (
    <Section title={w.clock}>
      <Stack gap="sm">
        <Facts
          of={[
            [
              w.now,
              <time key="now" dateTime={of.now}>
                {timeText(of.now, language, 'short')}
              </time>,
            ],
            [w.ahead, ahead === 0 ? w.inTime : w.aheadSeconds(ahead)],
          ]}
        />
        <Group gap="xs" align="flex-end">
          <NumberInput
            size="sm"
            w={200}
            label={w.advance}
            suffix=" s"
            min={1}
            max={STEP_MAX_SECONDS}
            allowDecimal={false}
            value={seconds}
            onChange={(count) => setSeconds(Number(count) || 0)}
          />
          <Button disabled={seconds < 1} loading={move.isPending} onClick={() => move.mutate(seconds)}>
            {w.move}
          </Button>
        </Group>
        <Group gap={6}>
          {steps.map(([title, length]) => (
            <Button key={length} size="compact-xs" variant="default" onClick={() => setSeconds(length)}>
              {title}
            </Button>
          ))}
        </Group>
        <Text size="xs" c="dimmed">
          {w.moveWhat}
        </Text>
        {move.error && <ErrorNote error={move.error} />}
      </Stack>
    </Section>
  )
}
