// The attempts at a contract, with what was sent to the channel and what came back where it was no plain success.
import { Stack, Text } from '@mantine/core'
import type { MadePaymentAttempt, MadeTransferAttempt } from '../../../sdk/src/index.ts'
import { countText } from '../ui/amounts.ts'
import { Badge, Facts, Id, Status, Time } from '../ui/atoms.tsx'
import { Section } from '../ui/Page.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { PAGE } from './page-words.ts'

type Attempt = MadeTransferAttempt | MadePaymentAttempt
type Call = Attempt['calls'][number]

export function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const w = useWords(PAGE)
  return (
    <Section title={w.attempts}>
      {attempts.length === 0 ? (
        <Text c="dimmed">{w.noAttempts}</Text>
      ) : (
        <Stack gap="lg">
          {attempts.toReversed().map((attempt) => (
            <OneAttempt key={attempt.number} attempt={attempt} />
          ))}
        </Stack>
      )}
    </Section>
  )
}

function OneAttempt({ attempt }: { readonly attempt: Attempt }) {
  const w = useWords(PAGE)
  const language = useLanguage()
  const { number, channel, reference, status, created_at: createdAt, failure, calls } = attempt
  const payout = 'tries' in attempt ? attempt : null
  return (
    <div>
      <div style={{ display: 'flex', gap: 8, alignItems: 'center', marginBottom: 8 }}>
        <strong>{w.attempt(countText(number, language))}</strong>
        <Status of={status} />
        <span style={{ color: 'var(--mantine-color-dimmed)', fontSize: 13 }}>
          <Time at={createdAt} />
        </span>
      </div>
      <Facts
        of={[
          [w.channel, channel],
          [w.knownAs, <Id key="reference" id={reference} />],
          failure ? [w.failure, `${failure.message} (${failure.code})`] : null,
          payout?.tries ? [w.tries, countText(payout.tries, language)] : null,
          payout?.next_at ? [w.nextAt, <Time key="next" at={payout.next_at} />] : null,
        ]}
      />
      {calls.length > 0 && (
        <details style={{ marginTop: 8 }}>
          <summary style={{ cursor: 'pointer' }}>{w.calls(countText(calls.length, language))}</summary>
          <Stack gap="sm" mt="sm">
            {calls.toReversed().map((call) => (
              <OneCall key={call.at} call={call} />
            ))}
          </Stack>
        </details>
      )}
    </div>
  )
}

function OneCall({ call: { outcome, exchanges } }: { readonly call: Call }) {
  const w = useWords(PAGE)
  return (
    <>
      {exchanges.map((exchange) => (
        <div key={exchange.at} className="card" style={{ padding: '10px 14px' }}>
          <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8, alignItems: 'center', marginBottom: 6 }}>
            <span className="id" style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
              {exchange.method} {exchange.path}
            </span>
            <Badge tone={exchange.status_code === null ? 'warn' : 'plain'}>
              {exchange.status_code ?? exchange.fault}
            </Badge>
            <Status of={outcome} />
            <span style={{ color: 'var(--mantine-color-dimmed)', fontSize: 13 }}>
              {exchange.duration_ms} ms · <Time at={exchange.at} />
            </span>
          </div>
          <Body title={w.sent} text={exchange.request_body} />
          <Body title={w.came} text={exchange.response_body} none={w.nothingCame} />
        </div>
      ))}
    </>
  )
}

type BodyProps = { readonly title: string; readonly text: string | null; readonly none?: string }

function Body({ title, text, none }: BodyProps) {
  if (text === null)
    return none ? (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    ) : null
  return (
    <>
      <Text size="sm" c="dimmed" mt={4}>
        {title}
      </Text>
      <pre className="json" tabIndex={0} aria-label={title}>
        {indented(text)}
      </pre>
    </>
  )
}

/** JSON as people read it; anything else as it came. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
