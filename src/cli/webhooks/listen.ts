// gateway listen: events as they happen, delivered to a receiver on this machine, without an endpoint and without a way in
// from outside. What the receiver gets is a delivery like the gateway's own.
import type { Command } from 'commander'
import { commandWithJson, type WithJson } from '../arguments.ts'
import { type Place, type PlaceOptions, placeOf, withPlace } from '../client.ts'
import { type StreamedEvent, streamEvents } from './event-stream.ts'
import { clockText, type EventBody } from './events.ts'
import { untilInterrupted } from '../interruption.ts'
import { type Credentials, nowSeconds, openSender, type Sender, stableCredentials } from './local-delivery.ts'
import { note, paint, print, printJson, printPairs } from '../output.ts'
import { eventFilter, httpUrl } from './webhook-arguments.ts'

type ListenOptions = WithJson &
  PlaceOptions & { readonly forwardTo?: string; readonly events?: readonly string[]; readonly print?: true }

export function listenCommand(): Command {
  const command = commandWithJson('listen', 'deliver events to a receiver on this machine, until Ctrl-C', [
    'gateway listen --forward-to http://127.0.0.1:8080/webhooks',
    'gateway listen --events paid,completed --print',
  ])
  return withPlace(command)
    .option('--forward-to <url>', 'the receiver (default: only show the events)', httpUrl)
    .option('--events <types>', 'only these, such as paid,completed (default: all)', eventFilter)
    .option('--print', 'show the body of each event, too')
    .action(listen)
}

/** What became of an event here; null where it was only shown. */
type Forwarded = {
  readonly outcome: string
  readonly status_code: number | null
  readonly duration_ms: number
  readonly fault: string | null
} | null

async function listen(options: ListenOptions): Promise<void> {
  const place = placeOf(options)
  const { forwardTo, events } = options
  const credentials = stableCredentials(place.apiKey)
  const sender = forwardTo === undefined ? null : openSender(forwardTo, credentials)
  const types = events === undefined || events.includes('*') ? null : events
  let isFirst = true
  const opened = () => {
    if (isFirst) tellStart(options, place, credentials)
    else note('The stream is open again; nothing was missed.')
    isFirst = false
  }
  const lost = (waitMs: number) => note(`The stream ended; it is opened again in ${Math.round(waitMs / 1000)} s.`)
  const counts = { events: 0, taken: 0 }
  for await (const event of streamEvents({ place, types, after: null, stop: untilInterrupted(), opened, lost })) {
    // One after another, in their order: a receiver that stops at a breakpoint is waited for.
    const forwarded = sender && (await forward(sender, event))
    counts.events += 1
    counts.taken += forwarded?.outcome === 'delivered' ? 1 : 0
    tellEvent(options, event, forwarded)
  }
  await sender?.close()
  const taken = sender ? `, ${counts.taken} of them taken` : ''
  if (!options.json) print(`\n${counts.events} ${counts.events === 1 ? 'event' : 'events'}${taken}.`)
}

async function forward(sender: Sender, { id, body: text }: StreamedEvent): Promise<Forwarded> {
  const body = Buffer.from(text)
  const { outcome, statusCode, durationMs, fault } = await sender.post(sender.headersOf(id, body, nowSeconds()), body)
  return { outcome, status_code: statusCode, duration_ms: durationMs, fault }
}

function tellStart({ json, forwardTo, events }: ListenOptions, place: Place, credentials: Credentials): void {
  const { secret, bearerToken } = credentials
  const forwarded = forwardTo === undefined ? {} : { forward_to: forwardTo, secret, bearer_token: bearerToken }
  if (json) return printJson({ listening: { gateway: place.baseUrl, events: events ?? ['*'], ...forwarded } })
  printPairs([
    ['events of', `${place.baseUrl}  (${events?.join(', ') ?? 'all'})`],
    ...(forwardTo === undefined
      ? []
      : ([
          ['forwarded to', forwardTo],
          ['secret', `${paint('bold', secret)}  the same at each start with this key`],
          ['bearer token', bearerToken],
        ] as const)),
  ])
  print(`\nReady. Make something happen: gateway trigger paid. Ctrl-C to stop.\n`)
  const columns = ['TIME    ', 'TYPE'.padEnd(TYPE_CELLS), 'CONTRACT'.padEnd(CONTRACT_CELLS)]
  if (forwardTo !== undefined) columns.push('ANSWER', '   MS')
  print(paint('bold', columns.join('  ')))
}

const TYPE_CELLS = 24
const CONTRACT_CELLS = 36

function tellEvent(options: ListenOptions, { id, type, body }: StreamedEvent, forwarded: Forwarded): void {
  const event = JSON.parse(body) as EventBody
  const contract = event.data.object.id
  if (options.json)
    return printJson({ event_id: id, type, contract_id: contract, ...forwarded, ...(options.print ? { event } : {}) })
  const cells = [paint('dim', clockText()), type.padEnd(TYPE_CELLS), contract]
  if (forwarded) cells.push(...answerCells(forwarded))
  print(cells.join('  '))
  if (options.print) print(paint('dim', JSON.stringify(event, null, 2)))
}

function answerCells({ outcome, status_code: status, duration_ms: tookMs, fault }: NonNullable<Forwarded>): string[] {
  const answer = (status === null ? '-' : String(status)).padEnd(6)
  const cells = [paint(outcome === 'delivered' ? 'green' : 'red', answer), String(tookMs).padStart(5)]
  // The number of a refusal says enough; why nobody answered does not show otherwise.
  if (fault !== null && status === null) cells.push(`${fault} Is the receiver running?`)
  return cells
}
