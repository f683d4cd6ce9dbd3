// gateway listen: events as they happen, delivered to a receiver on this machine, without an endpoint and without a way in
// from outside. What the receiver gets is a delivery like the gateway's own.
import { type Place, placeOf } from '../place.ts'
import { command, flag, option, PLACE, type Values } from '../command.ts'
import { note, paint, print, printJson, printPairs } from '../output.ts'
import { stateText } from '../view.ts'
import { noteLost, type StreamedEvent, streamEvents, untilInterrupted } from './event-stream.ts'
import { clockText, type Event } from './events.ts'
import { type Credentials, nowSeconds, openSender, type Sender, stableCredentials } from './local-delivery.ts'
import { eventFilter, httpUrl } from './webhook-arguments.ts'
import type { TestData } from './webhook-view.ts'

const OPTIONS = {
  ...PLACE,
  forwardTo: option('<url>', 'the receiver (default: only show the events)', httpUrl),
  events: option('<types>', 'only these, such as paid,completed (default: all)', eventFilter),
  print: flag('show the body of each event, too'),
}
type Listening = Values<typeof OPTIONS> & { readonly json?: true }

export const listen = command('listen', 'deliver events to a receiver on this machine, until Ctrl-C', {
  examples: [
    'gateway listen --forward-to http://127.0.0.1:8080/webhooks',
    'gateway listen --events paid,completed --print',
  ],
  options: OPTIONS,
  run: follow,
})

/** The receiver's answer, as a test of an endpoint gives it; null where an event was only shown. */
type Forwarded = Pick<TestData['delivery_test'], 'outcome' | 'status_code' | 'duration_ms' | 'fault'> | null

async function follow(options: Listening): Promise<void> {
  const place = placeOf(options)
  const { forwardTo, events } = options
  const credentials = stableCredentials(place.apiKey)
  const sender = forwardTo === undefined ? null : openSender(forwardTo, credentials)
  const types = events === undefined || events.includes('*') ? null : events
  let isFirst = true
  const opened = () => {
    if (isFirst) printStart(options, place, credentials)
    else note('The stream is open again; nothing was missed.')
    isFirst = false
  }
  const stop = untilInterrupted()
  const counts = { events: 0, taken: 0 }
  for await (const event of streamEvents({ place, types, after: null, stop, opened, lost: noteLost })) {
    // One after another, in their order: a receiver that stops at a breakpoint is waited for.
    const forwarded = sender && (await forward(sender, event))
    counts.events += 1
    counts.taken += forwarded?.outcome === 'delivered' ? 1 : 0
    printEvent(options, event, forwarded)
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

function printStart({ json, forwardTo, events }: Listening, place: Place, credentials: Credentials): void {
  const { secret, bearerToken } = credentials
  const forwarded = forwardTo === undefined ? {} : { forward_to: forwardTo, secret, bearer_token: bearerToken }
  if (json) return printJson({ listening: { gateway: place.baseUrl, events: events ?? ['*'], ...forwarded } })
  printPairs([
    ['events of', `${place.baseUrl}  (${events?.join(', ') ?? 'all'})`],
    ['forwarded to', forwardTo],
    ['secret', forwardTo && `${paint('bold', secret)}  the same at each start with this key`],
    ['bearer token', forwardTo && bearerToken],
  ])
  print(`\nReady. Make something happen: gateway trigger paid. Ctrl-C to stop.\n`)
  const columns = ['TIME    ', 'TYPE'.padEnd(TYPE_CELLS), 'CONTRACT'.padEnd(CONTRACT_CELLS)]
  if (forwardTo !== undefined) columns.push('ANSWER', '   MS')
  print(paint('bold', columns.join('  ')))
}

const TYPE_CELLS = 24
const CONTRACT_CELLS = 36

function printEvent(options: Listening, { id, type, body }: StreamedEvent, forwarded: Forwarded): void {
  const event = JSON.parse(body) as Event
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
  const cells = [stateText(outcome, answer), String(tookMs).padStart(5)]
  // The number of a refusal says enough; why nobody answered does not show otherwise.
  if (fault !== null && status === null) cells.push(`${fault} Is the receiver running?`)
  return cells
}
