// What policies say of a transfer: the decision in words, and of each policy which condition met what.
import { Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { NamedPolicy, PolicyTrace, PolicyVerdict, TriedFees } from '../../../../sdk/src/index.ts'
import { Badge, Facts, Money } from '../../ui/atoms.tsx'
import { Note } from '../../ui/feedback.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { useWords } from '../../words/language.ts'
import { FEES } from '../form/fee-words.ts'
import { TRIALS } from './trial-words.ts'

type VerdictProps = {
  readonly of: PolicyVerdict
  /** Of the transfer. */
  readonly currency: string
  /** Those that do not apply are shown, too, and not only when they are asked for. */
  readonly isWhole?: boolean
}

export function Verdict({ of, currency, isWhole = true }: VerdictProps) {
  const w = useWords(TRIALS)
  const applying = of.traces.filter(({ applies }) => applies)
  const others = of.traces.filter(({ applies }) => !applies)
  return (
    <Stack gap="md">
      <Decision of={of} />
      {of.fees && <Price of={of.fees} currency={currency} />}
      {applying.map((trace) => (
        <Trace key={keyOf(trace.policy)} of={trace} />
      ))}
      {isWhole && others.map((trace) => <Trace key={keyOf(trace.policy)} of={trace} />)}
      {!isWhole && others.length > 0 && (
        <details>
          <summary style={{ cursor: 'pointer' }}>{w.others(others.length)}</summary>
          <Stack gap="md" mt="md">
            {others.map((trace) => (
              <Trace key={keyOf(trace.policy)} of={trace} />
            ))}
          </Stack>
        </details>
      )}
      {of.notes.map((note) => (
        <Text key={note} size="sm" c="dimmed">
          {note}
        </Text>
      ))}
    </Stack>
  )
}

const keyOf = ({ id, name }: NamedPolicy) => id ?? name

function Decision({ of }: { readonly of: PolicyVerdict }) {
  const w = useWords(TRIALS)
  const { decision, denied_by: by, approvals, verifications, delay_seconds: delay } = of
  const tone = { allowed: 'good', denied: 'bad', needs: 'warn' } as const
  const title = { allowed: w.isAllowed, denied: w.isDenied, needs: w.needs }
  const lines = [
    ...approvals.map(({ policy, mandate, count, given, role }) =>
      w.needsApprovals(given, count, role, policy?.name ?? mandate?.name ?? ''),
    ),
    ...verifications.map(({ policy, words }) => w.needsVerification(policy.name, words)),
    ...(delay > 0 ? [w.leavesLater(delay)] : []),
  ]
  return (
    <Note tone={tone[decision]} title={title[decision]}>
      <div>{of.words}</div>
      {by?.id && (
        <Link to={`/policies/${by.id}`} style={{ color: 'inherit' }}>
          {by.name}
        </Link>
      )}
      {lines.length > 0 && (
        <ul style={{ margin: '6px 0 0', paddingLeft: 18 }}>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </Note>
  )
}

/** What it would cost, as the gateway has calculated it. */
function Price({ of, currency }: { readonly of: TriedFees; readonly currency: string }) {
  const w = useWords(FEES)
  const { policy, name, version, tier, total, channel_total: own, amount } = of
  return (
    <Facts
      of={[
        [w.fee, <Money key="fee" amount={total} currency={currency} />],
        [w.channelAsks, <Money key="own" amount={own} currency={currency} />],
        [w.debited, <Money key="amount" amount={amount} currency={currency} />],
        [
          w.pricedBy,
          <span key="by">
            {policy ? <Link to={`/policies/${policy}`}>{name}</Link> : name},{' '}
            {version === null ? w.tier(tier) : w.versionTier(version, tier)}
          </span>,
        ],
      ]}
    />
  )
}

function Trace({ of: { policy, sentence, applies, conditions } }: { readonly of: PolicyTrace }) {
  const w = useWords(TRIALS)
  return (
    <div className="trace">
      <Group gap="xs">
        {policy.id ? <Link to={`/policies/${policy.id}`}>{policy.name}</Link> : <strong>{policy.name}</strong>}
        <Badge tone={applies ? 'info' : 'plain'}>{applies ? w.applies : w.appliesNot}</Badge>
      </Group>
      <div>{sentence}</div>
      {conditions.length > 0 && (
        <ul className="trace-lines">
          {conditions.map(({ words, met, value }) => (
            <li key={words}>
              <span role="img" aria-label={met ? w.met : w.notMet} className={met ? 'met' : 'not-met'}>
                <Icon name={met ? 'check' : 'close'} size={15} />
              </span>
              <span>
                {words} <span className="trace-value">{w.found(value)}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
