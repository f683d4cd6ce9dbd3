// One delivery: each try with what was sent and answered, and what comes next; sent again from here.
import { Button, SimpleGrid, Text } from '@mantine/core'
import { useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import type { Delivery, DeliveryAttempt } from '../../../../sdk/src/index.ts'
import { gateway, useRead } from '../../gateway.ts'
import { useCan } from '../../session/session.ts'
import { Badge, CopyButton, Facts, Id, Status, Time, type Tone } from '../../ui/atoms.tsx'
import { Loaded, Note } from '../../ui/feedback.tsx'
import { Page, Section, Timeline } from '../../ui/Page.tsx'
import { useWords } from '../../words/language.ts'
import { TITLES } from '../titles.ts'
import { REFRESH_MS } from './Endpoints.tsx'
import { ReplayOne } from './Replays.tsx'
import { WEBHOOKS } from './words.ts'

type Found = { readonly delivery: Delivery | null; readonly attempts: readonly DeliveryAttempt[] }

export function OneDelivery() {
  const w = useWords(WEBHOOKS)
  const { title } = useWords(TITLES.webhooks)
  const { id = '', delivery = '' } = useParams()
  const [params] = useSearchParams()
  const event = params.get('event') ?? ''
  const can = useCan()
  const [isReplaying, setReplaying] = useState(false)
  const read = useRead<Found>(
    ['webhookEndpoints', 'delivery', id, delivery, event],
    async (signal) => {
      const ofEvent = await gateway.webhookEndpoints.deliveries(id, { event, limit: 100 }, { signal }).all(500)
      const attempts = await gateway.webhookEndpoints.attempts(id, delivery, { signal }).all(100)
      return { delivery: ofEvent.find((each) => each.id === delivery) ?? null, attempts }
    },
    { refetchInterval: REFRESH_MS },
  )
  const found = read.data?.delivery
  return (
    <Page
      title={found ? found.type : w.delivery}
      parent={[title, `/developers/webhooks/${id}`]}
      beside={found && <Status of={found.status} />}
      actions={
        can('webhooks:manage') && event !== '' ? (
          <Button variant="default" onClick={() => setReplaying(true)}>
            {w.replay}
          </Button>
        ) : undefined
      }
    >
      <Loaded of={read}>{(data) => <Shown {...data} />}</Loaded>
      {isReplaying && <ReplayOne of={{ id }} event={event} onClose={() => setReplaying(false)} />}
    </Page>
  )
}

function Shown({ delivery, attempts }: Found) {
  const w = useWords(WEBHOOKS)
  if (delivery === null) return <Note tone="warn" title={w.gone} />
  const {
    id,
    event_id: event,
    contract_id: contract,
    tries,
    replay,
    created_at: made,
    next_attempt_at: next,
  } = delivery
  const waits = next === null ? [] : [{ key: 'next', title: w.waits, at: <Time at={next} /> }]
  const tried = attempts.toReversed().map((attempt) => ({
    key: String(attempt.number),
    title: <Title of={attempt} />,
    at: <Time at={attempt.at} />,
    children: <Attempt of={attempt} />,
  }))
  const queued = [{ key: 'queued', title: w.queued, at: <Time at={made} /> }]
  return (
    <>
      <Section>
        <Facts
          of={[
            ['ID', <Id key="id" id={id} isWhole />],
            [w.event, <Id key="event" id={event} to={`/developers/events?id=${event}`} />],
            contract === null ? null : [w.object, <Id key="contract" id={contract} />],
            [w.tries, tries],
            replay === 0 ? null : [w.replay, w.replayNo(replay)],
          ]}
        />
      </Section>
      <Section title={w.timeline}>
        <Timeline items={[...waits, ...tried, ...queued]} />
      </Section>
    </>
  )
}

const TONES: Readonly<Record<DeliveryAttempt['outcome'], Tone>> = {
  delivered: 'good',
  refused: 'bad',
  no_answer: 'bad',
  not_sent: 'warn',
}

function Title({ of }: { readonly of: DeliveryAttempt }) {
  const w = useWords(WEBHOOKS)
  const { number, outcome, status_code: status, duration_ms: ms } = of
  return (
    <span style={{ display: 'inline-flex', gap: 8, alignItems: 'center', flexWrap: 'wrap' }}>
      {w.attempt(number)}{' '}
      <Badge tone={TONES[outcome]}>{status === null ? w[outcome] : `${status} ${w[outcome]}`}</Badge>
      <Text span size="sm" c="dimmed">
        {w.milliseconds(Math.round(ms))}
      </Text>
    </span>
  )
}

function Attempt({ of }: { readonly of: DeliveryAttempt }) {
  const w = useWords(WEBHOOKS)
  const { fault, request, response } = of
  const head = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
  const sent = [`${request.method} ${request.url}`, ...head, '', request.body].join('\n')
  return (
    <>
      {fault !== null && (
        <Text size="sm" mb={6}>
          {fault}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} mt={6}>
        <Bytes label={w.request} text={sent} />
        {response.body === null ? (
          <Text size="sm" c="dimmed">
            {w.noResponse}
          </Text>
        ) : (
          <Bytes label={w.response} text={response.body} />
        )}
      </SimpleGrid>
    </>
  )
}

function Bytes({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div style={{ minWidth: 0 }}>
      <Text size="xs" fw={600} c="dimmed">
        {label} <CopyButton text={text} />
      </Text>
      <pre className="json" tabIndex={0} aria-label={label} style={{ maxHeight: 280 }}>
        {text}
      </pre>
    </div>
  )
}
