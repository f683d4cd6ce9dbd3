// gateway events: the feed, one event, the stream, and sending events again. Each command is parse, call, print.
import type { Command } from 'commander'
import { CommandFailed, commandWithJson, groupOf, wholeNumber, type WithJson } from '../arguments.ts'
import { call, type Place, type PlaceOptions, placeOf, withPlace } from '../client.ts'
import { streamEvents } from './event-stream.ts'
import { untilInterrupted } from '../interruption.ts'
import { modeText, modeWords, note, paint, print, printJson, printPairs, printTable } from '../output.ts'
import { endpointId, eventIdText, eventTypes } from './webhook-arguments.ts'
import { replay } from './webhook-replay.ts'
import type { EndpointBody } from './webhook-view.ts'

type Options = WithJson & PlaceOptions

export type EventBody = {
  readonly livemode: boolean
  readonly id: string
  readonly type: string
  readonly created_at: number
  readonly sequence: number
  readonly data: { readonly object: { readonly id: string; readonly status: string; readonly updated_at: string } }
}
type EventDelivery = {
  readonly id: string
  readonly endpoint_id: string
  readonly status: string
  readonly tries: number
  readonly next_attempt_at: string | null
}

export function eventsCommand(): Command {
  return groupOf('events', 'read, follow and resend what happened to contracts', [
    listCommand(),
    getCommand(),
    tailCommand(),
    resendCommand(),
  ])
}

function listCommand(): Command {
  const command = commandWithJson('list', 'list events, oldest first, without gaps', [
    'gateway events list --limit 100',
    'gateway events list --after evt_…',
  ])
  return withPlace(command)
    .option('--after <event>', 'go on after this event', eventIdText)
    .option('--limit <n>', 'at most so many, up to 100', wholeNumber)
    .action(async (options: Options & { readonly after?: string; readonly limit?: number }) => {
      const { after, limit } = options
      const page = await call<{ events: EventBody[]; next: string | null }>(placeOf(options), {
        method: 'GET',
        path: '/events',
        query: { after, limit },
      })
      if (options.json) return printJson(page)
      printTable(['TIME', 'MODE', 'TYPE', 'CONTRACT', '#', 'EVENT'], page.events.map(eventRow))
      if (page.next !== null) note(`More: gateway events list --after ${page.next}`)
    })
}

const eventRow = ({ id, livemode, type, created_at: at, sequence, data }: EventBody) => [
  new Date(at * 1000).toISOString().slice(0, 19).replace('T', ' '),
  modeText(livemode),
  type,
  data.object.id,
  sequence,
  id,
]

function getCommand(): Command {
  const command = commandWithJson('get', 'show an event and what became of it at each endpoint', [
    'gateway events get evt_…',
    'gateway events get evt_… --json',
  ])
  return withPlace(command)
    .argument('<event>', 'the event', eventIdText)
    .action(async (id: string, options: Options) => {
      const data = await call<{ event: EventBody; deliveries: EventDelivery[] }>(placeOf(options), {
        method: 'GET',
        path: `/events/${id}`,
      })
      if (options.json) return printJson(data)
      const { event, deliveries } = data
      printPairs([
        ['event', paint('bold', event.id)],
        ['mode', modeWords(event.livemode)],
        ['type', event.type],
        ['time', new Date(event.created_at * 1000).toISOString()],
        ['contract', `${event.data.object.id} (${event.data.object.status})`],
        ['sequence', String(event.sequence)],
      ])
      print()
      const rows = deliveries.map((each) => [
        each.endpoint_id,
        each.id,
        each.status,
        each.tries,
        each.next_attempt_at ?? '',
      ])
      printTable(['ENDPOINT', 'DELIVERY', 'STATUS', 'TRIES', 'NEXT TRY'], rows)
    })
}

type TailOptions = Options & { readonly types?: readonly string[]; readonly after?: string }

function tailCommand(): Command {
  const command = commandWithJson('tail', 'follow events as they happen, until Ctrl-C', [
    'gateway events tail',
    'gateway events tail --types paid,completed --json',
  ])
  return withPlace(command)
    .option('--types <types>', 'only these, such as paid,completed', eventTypes)
    .option('--after <event>', 'begin after this event (default: with what happens next)', eventIdText)
    .action(async (options: TailOptions) => {
      const events = streamEvents({
        place: placeOf(options),
        types: options.types ?? null,
        after: options.after ?? null,
        stop: untilInterrupted(),
        opened: () => note('Following events. Ctrl-C to stop.'),
        lost: (waitMs) => note(`The stream ended; it is opened again in ${Math.round(waitMs / 1000)} s.`),
      })
      for await (const { id, type, body } of events) {
        const event = JSON.parse(body) as EventBody
        if (options.json) print(body)
        else print(`${paint('dim', clockText())}  ${type.padEnd(24)}  ${event.data.object.id}  ${paint('dim', id)}`)
      }
    })
}

/** The time of day, as a line of a log begins. */
export const clockText = () => new Date().toTimeString().slice(0, 8)

function resendCommand(): Command {
  const command = commandWithJson('resend', 'deliver an event again, to one endpoint or to all that are enabled', [
    'gateway events resend evt_…',
    'gateway events resend evt_… --endpoint 0198…',
  ])
  return withPlace(command)
    .argument('<event>', 'the event', eventIdText)
    .option('--endpoint <id>', 'only there', endpointId)
    .action(async (id: string, options: Options & { readonly endpoint?: string }) => {
      const place = placeOf(options)
      const targets = options.endpoint === undefined ? await enabledEndpoints(place) : [options.endpoint]
      const replays: object[] = []
      for (const target of targets) {
        const { replay: made } = await replay(place, target, { events: [id] })
        replays.push({ endpoint_id: target, ...made })
        if (!options.json) print(`${target}: on the way (replay ${made.number})`)
      }
      if (options.json) printJson({ replays })
    })
}

async function enabledEndpoints(place: Place): Promise<string[]> {
  const what = { method: 'GET', path: '/webhook-endpoints' } as const
  const { webhook_endpoints: all } = await call<{ webhook_endpoints: EndpointBody[] }>(place, what)
  const enabled = all.filter(({ status }) => status === 'enabled').map(({ id }) => id)
  if (enabled.length > 0) return enabled
  throw new CommandFailed(
    all.length === 0
      ? 'There is no endpoint to send to. Make one: gateway webhooks create --url https://…'
      : 'No endpoint is enabled. Enable one: gateway webhooks resume <id>',
  )
}
