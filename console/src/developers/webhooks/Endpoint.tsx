// One webhook endpoint: how it is doing, what it gets, its secrets, and what was delivered to it.
import { Group } from '@mantine/core'
import { useParams } from 'react-router'
import type { WebhookEndpoint } from '../../../../sdk/src/index.ts'
import { gateway, useRead } from '../../gateway.ts'
import { useCan } from '../../session/session.ts'
import { Badge, CopyButton, Facts, Id, Time } from '../../ui/atoms.tsx'
import { Loaded, Note } from '../../ui/feedback.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { useWords } from '../../words/language.ts'
import { TITLES } from '../titles.ts'
import { Deliveries } from './Deliveries.tsx'
import { EndpointActions } from './EndpointActions.tsx'
import { REFRESH_MS } from './Endpoints.tsx'
import { EndpointStatus, Health, useDisabledWords } from './health.tsx'
import { EVERY } from './TypeChoice.tsx'
import { WEBHOOKS } from './words.ts'

export function Endpoint() {
  const { title } = useWords(TITLES.webhooks)
  const { id = '' } = useParams()
  const can = useCan()
  const endpoint = useRead<WebhookEndpoint>(
    ['webhookEndpoints', 'get', id],
    (signal) => gateway.webhookEndpoints.get(id, { signal }),
    { refetchInterval: REFRESH_MS },
  )
  const { data } = endpoint
  return (
    <Page
      title={data ? (data.description ?? new URL(data.url).host) : title}
      parent={[title, '/developers/webhooks']}
      beside={data && <EndpointStatus of={data} />}
      actions={data && can('webhooks:manage') ? <EndpointActions of={data} /> : undefined}
    >
      <Loaded of={endpoint}>
        {(each) => (
          <>
            <Why of={each} />
            <Standing of={each} />
            <Deliveries endpoint={each} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Why({ of }: { readonly of: WebhookEndpoint }) {
  const w = useWords(WEBHOOKS)
  const words = useDisabledWords()
  const { open_until: until } = of.delivery
  if (of.status === 'disabled' && of.disabled_because) return <Note tone="bad" title={words[of.disabled_because]} />
  if (of.status === 'paused') return <Note tone="warn" title={w.pauseWhat} />
  if (until === null) return null
  return (
    <Note tone="warn">
      {w.restingUntil} <Time at={until} />
    </Note>
  )
}

function Standing({ of }: { readonly of: WebhookEndpoint }) {
  const w = useWords(WEBHOOKS)
  const { url, id, events, events_not_sent: left, in_flight_max: atOnce, secrets, bearer_token_hint: bearer } = of
  const { waiting, held, latency_ms: latency, last_success_at: success, last_failure_at: failure } = of.delivery
  return (
    <Section>
      <Facts
        of={[
          [
            w.url,
            <span key="url">
              {url} <CopyButton text={url} />
            </span>,
          ],
          ['ID', <Id key="id" id={id} />],
          [w.health, <Health key="health" of={of} />],
          [w.lastSuccess, <Time key="success" at={success} />],
          failure === null ? null : [w.lastFailure, <Time key="failure" at={failure} />],
          latency === null ? null : [w.latency, w.milliseconds(Math.round(latency))],
          waiting === 0 ? null : [w.waiting, waiting],
          held === 0 ? null : [w.held, held],
          [w.inFlight, atOnce],
          [w.events, events.includes(EVERY) ? w.allEvents : <Types key="events" of={events} />],
          left.length === 0 ? null : [w.notSent, <Types key="left" of={left} />],
          [w.secrets, <Secrets key="secrets" of={secrets} />],
          bearer === null ? null : [w.bearerIs, <code key="bearer">{bearer}</code>],
        ]}
      />
    </Section>
  )
}

function Types({ of }: { readonly of: readonly string[] }) {
  return (
    <Group gap={4}>
      {of.map((type) => (
        <Badge key={type}>{type}</Badge>
      ))}
    </Group>
  )
}

function Secrets({ of }: { readonly of: WebhookEndpoint['secrets'] }) {
  const w = useWords(WEBHOOKS)
  return (
    <>
      {of.map(({ hint, expires_at: until }) => (
        <div key={hint}>
          <code>{hint}</code> {until === null ? w.secretNewest : w.secretUntil} {until !== null && <Time at={until} />}
        </div>
      ))}
    </>
  )
}
