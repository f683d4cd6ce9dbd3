// Endpoints, deliveries and tries for people to read. Takes the replies as the API gives them.
import { modeText, modeWords, paint, print, printPairs, printTable } from '../output.ts'

export type EndpointBody = {
  readonly id: string
  readonly livemode: boolean
  readonly url: string
  readonly description: string | null
  readonly events: readonly string[]
  readonly api_version: string
  readonly in_flight_max: number
  readonly status: string
  readonly disabled_because: string | null
  readonly secret: string | null
  readonly secrets: readonly {
    readonly hint: string
    readonly created_at: string
    readonly expires_at: string | null
  }[]
  readonly bearer_token: string | null
  readonly bearer_token_hint: string | null
  readonly delivery: {
    readonly behind: number
    readonly waiting: number
    readonly held: number
    readonly dead: number
    readonly breaker: string
    readonly open_until: string | null
    readonly failures: number
    readonly last_success_at: string | null
    readonly last_failure_at: string | null
    readonly latency_ms: number | null
  }
}

export type DeliveryBody = {
  readonly id: string
  readonly livemode: boolean
  readonly event_id: string
  readonly type: string
  readonly contract_id: string
  readonly sequence: number
  readonly status: string
  readonly replay: number
  readonly tries: number
  readonly next_attempt_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

type Answer = {
  readonly outcome: string
  readonly status_code: number | null
  readonly duration_ms: number
  readonly fault: string | null
}

export type AttemptBody = Answer & {
  readonly number: number
  readonly at: string
  readonly response: { readonly body: string | null }
}

export type DeliveryTestBody = Answer & { readonly delivered: boolean; readonly response_body: string | null }

const COLOURS = {
  enabled: 'green',
  delivered: 'green',
  dead: 'red',
  refused: 'red',
  disabled: 'red',
  no_answer: 'red',
} as const

function stateText(state: string): string {
  return state in COLOURS ? paint(COLOURS[state as keyof typeof COLOURS], state) : paint('yellow', state)
}

export function printEndpoints(endpoints: readonly EndpointBody[]): void {
  const rows = endpoints.map(({ id, livemode, status, url, events, delivery }) => [
    id,
    modeText(livemode),
    status,
    url,
    filterText(events),
    delivery.behind,
    delivery.waiting,
    delivery.dead + delivery.held,
  ])
  printTable(['ENDPOINT', 'MODE', 'STATUS', 'URL', 'EVENTS', 'BEHIND', 'WAITING', 'DEAD OR HELD'], rows)
}

export function printEndpoint(endpoint: EndpointBody): void {
  const { status, disabled_because: because, description, delivery } = endpoint
  const pairs: [string, string][] = [
    ['endpoint', paint('bold', endpoint.id)],
    ['mode', modeWords(endpoint.livemode)],
    ['url', endpoint.url],
    ['status', because === null ? stateText(status) : `${stateText(status)} (${BECAUSE[because] ?? because})`],
    ['events', filterText(endpoint.events)],
  ]
  if (description !== null) pairs.push(['description', description])
  if (endpoint.secret !== null) pairs.push(['secret', paint('bold', endpoint.secret)])
  for (const { hint, created_at: since, expires_at: until } of endpoint.secrets)
    pairs.push(['signs with', `${hint}, since ${since}${until === null ? '' : `, until ${until}`}`])
  const bearer = endpoint.bearer_token === null ? endpoint.bearer_token_hint : paint('bold', endpoint.bearer_token)
  if (bearer !== null) pairs.push(['bearer token', bearer])
  if (status !== 'deleted') pairs.push(...deliveryPairs(delivery))
  printPairs(pairs)
}

const BECAUSE: Readonly<Record<string, string>> = {
  caller: 'it was switched off',
  gone: 'the receiver answered 410 Gone',
  failing: 'nothing was taken for 5 days',
}

const filterText = (events: readonly string[]) =>
  events.includes('*') ? 'all' : events.map((type) => type.replace('contract.', '')).join(',')

function deliveryPairs(delivery: EndpointBody['delivery']): [string, string][] {
  const { behind, waiting, dead, held, breaker, open_until: until, latency_ms: latency } = delivery
  const pairs: [string, string][] = [
    ['to be tried', `${behind} for the first time, ${waiting} again`],
    ['given up', `${dead} dead, ${held} held`],
  ]
  if (breaker === 'open')
    pairs.push(['breaker', paint('red', `open until ${until ?? 'it is tried'}: the receiver keeps failing`)])
  if (delivery.last_success_at !== null)
    pairs.push(['last success', `${delivery.last_success_at}${latency === null ? '' : `, ${latency} ms`}`])
  if (delivery.last_failure_at !== null)
    pairs.push(['last failure', `${delivery.last_failure_at}, ${delivery.failures} in a row`])
  return pairs
}

/** What is told once must be kept now. */
export function secretsNote(): void {
  print(`\nThe secret and the bearer token are shown this once. Give them to the receiver, and keep them nowhere else.`)
}

export function printDeliveries(deliveries: readonly DeliveryBody[]): void {
  const rows = deliveries.map((each) => [
    each.id,
    modeText(each.livemode),
    each.status,
    each.tries,
    each.type,
    each.event_id,
    (each.next_attempt_at ?? '').slice(0, 19).replace('T', ' '),
  ])
  printTable(['DELIVERY', 'MODE', 'STATUS', 'TRIES', 'TYPE', 'EVENT', 'NEXT TRY'], rows)
}

export function printAttempts(attempts: readonly AttemptBody[]): void {
  for (const { number, at, response, ...answer } of attempts) {
    print(`${String(number).padStart(3)}  ${paint('dim', at)}  ${answerText(answer)}`)
    if (response.body) print(paint('dim', `     ${inOneLine(response.body)}`))
  }
}

export function printTest({ delivered, response_body: body, ...answer }: DeliveryTestBody): void {
  print(`${delivered ? 'Taken' : 'Not taken'}: ${answerText(answer)}`)
  if (body) print(paint('dim', `  ${inOneLine(body)}`))
}

function answerText({ outcome, status_code: status, duration_ms: tookMs, fault }: Answer): string {
  const code = status === null ? '' : `  HTTP ${status}`
  return `${stateText(outcome)}${code}  ${tookMs} ms${fault === null ? '' : `  ${fault}`}`
}

// A receiver's words must not move the cursor of a terminal.
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const inOneLine = (text: string) => text.replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ').slice(0, 300)
