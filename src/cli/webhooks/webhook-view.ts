// Endpoints, deliveries and tries for people to read. Takes the replies as the API gives them.
import type { Static } from 'typebox'
import type { AttemptsReply, DeliveriesReply, TestReply } from '../../wire/webhook-delivery.ts'
import type { DeletedReply, EndpointReply, EndpointsReply } from '../../wire/webhook-endpoint.ts'
import { paint, print } from '../output.ts'
import { printOne, type Shows, stateText } from '../view.ts'

export type EndpointData = Static<typeof EndpointReply | typeof DeletedReply>['data']
export type EndpointsData = Static<typeof EndpointsReply>['data']
export type Delivery = Static<typeof DeliveriesReply>['data']['deliveries'][number]
export type TestData = Static<typeof TestReply>['data']
export type Endpoint = EndpointData['webhook_endpoint']

export const ENDPOINTS: Shows<Endpoint> = [
  ['endpoint', 'id'],
  ['mode', 'livemode'],
  ['status', 'status'],
  ['url', 'url'],
  ['events', ({ events }) => filterText(events)],
  ['behind', ({ delivery }) => delivery.behind],
  ['waiting', ({ delivery }) => delivery.waiting],
  ['dead or held', ({ delivery }) => delivery.dead + delivery.held],
]

/** How deliveries fare: of an endpoint that is deleted there are none. */
const unlessDeleted =
  (text: (delivery: Endpoint['delivery']) => string | null) =>
  ({ status, delivery }: Endpoint) =>
    status === 'deleted' ? null : text(delivery)

const ENDPOINT: Shows<Endpoint> = [
  ['endpoint', 'id'],
  ['mode', 'livemode'],
  ['url', 'url'],
  [
    'status',
    ({ status, disabled_because: because }) =>
      because === null ? stateText(status) : `${stateText(status)} (${BECAUSE[because]})`,
  ],
  ['events', ({ events }) => filterText(events)],
  ['not sent', ({ events_not_sent: types }) => (types.length === 0 ? 'none' : filterText(types))],
  ['description', 'description'],
  ['secret', ({ secret }) => secret && paint('bold', secret)],
  [
    'signs with',
    ({ secrets }) =>
      secrets.map(({ hint, created_at: since, expires_at: until }) =>
        until === null ? `${hint}, since ${since}` : `${hint}, since ${since}, until ${until}`,
      ),
  ],
  [
    'bearer token',
    ({ bearer_token: token, bearer_token_hint: hint }) => (token === null ? hint : paint('bold', token)),
  ],
  ['to be tried', unlessDeleted(({ behind, waiting }) => `${behind} for the first time, ${waiting} again`)],
  ['given up', unlessDeleted(({ dead, held }) => `${dead} dead, ${held} held`)],
  [
    'breaker',
    unlessDeleted(({ breaker, open_until: until }) =>
      breaker === 'open' ? paint('red', `open until ${until ?? 'it is tried'}: the receiver keeps failing`) : null,
    ),
  ],
  [
    'last success',
    unlessDeleted(
      ({ last_success_at: at, latency_ms: latency }) => at && (latency === null ? at : `${at}, ${latency} ms`),
    ),
  ],
  ['last failure', unlessDeleted(({ last_failure_at: at, failures }) => at && `${at}, ${failures} in a row`)],
]

const BECAUSE = {
  caller: 'it was switched off',
  gone: 'the receiver answered 410 Gone',
  failing: 'nothing was taken for 5 days',
} as const

const filterText = (events: readonly string[]) =>
  events.includes('*') ? 'all' : events.map((type) => type.replace('contract.', '')).join(',')

/** With a word about secrets where there are any: they are shown once. */
export function printEndpoint({ webhook_endpoint: endpoint }: EndpointData): void {
  printOne(endpoint, ENDPOINT)
  if (endpoint.secret !== null)
    print(
      `\nThe secret and the bearer token are shown this once. Give them to the receiver, and keep them nowhere else.`,
    )
}

export const DELIVERIES: Shows<Delivery> = [
  ['delivery', 'id'],
  ['mode', 'livemode'],
  ['status', 'status'],
  ['tries', 'tries'],
  ['type', 'type'],
  ['event', 'event_id'],
  ['next try', 'next_attempt_at'],
]

export function printAttempts({ attempts }: Static<typeof AttemptsReply>['data']): void {
  for (const { number, at, response, ...result } of attempts) {
    print(`${String(number).padStart(3)}  ${paint('dim', at)}  ${resultText(result)}`)
    if (response.body) print(paint('dim', `     ${inOneLine(response.body)}`))
  }
  if (attempts.length === 0) print('No try is on record: none was made yet, or it was more than 30 days ago.')
}

export function printTest({ delivery_test: { delivered, response_body: body, ...result } }: TestData): void {
  print(`${delivered ? 'Taken' : 'Not taken'}: ${resultText(result)}`)
  if (body) print(paint('dim', `  ${inOneLine(body)}`))
}

type Result = Pick<TestData['delivery_test'], 'outcome' | 'status_code' | 'duration_ms' | 'fault'>

function resultText({ outcome, status_code: status, duration_ms: tookMs, fault }: Result): string {
  const code = status === null ? '' : `  HTTP ${status}`
  return `${stateText(outcome)}${code}  ${tookMs} ms${fault === null ? '' : `  ${fault}`}`
}

// A receiver's words must not move the cursor of a terminal.
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const inOneLine = (text: string) => text.replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ').slice(0, 300)
