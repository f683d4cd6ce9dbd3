// gateway events: the feed, one event, the stream, and sending events again. Each command is parse, call, print.
import type { Static } from 'typebox'
import type { EventReply, EventsReply } from '../../wire/events.ts'
import { endpointId } from '../arguments.ts'
import { CommandFailed } from '../failures.ts'
import { listCommand } from '../list.ts'
import { call, get } from '../client.ts'
import { type Place, placeOf } from '../place.ts'
import { apiCommand, argument, command, groupOf, option, PLACE, type Values } from '../command.ts'
import { note, paint, print, printJson } from '../output.ts'
import { fitsId, someId } from '../short-ids.ts'
import { moment } from '../times.ts'
import { printMany, printOne, type Shows } from '../view.ts'
import { noteLost, streamEvents, untilInterrupted } from './event-stream.ts'
import { eventIdText, eventTypes } from './webhook-arguments.ts'
import { type ReplayData, replayOf } from './webhook-replay.ts'
import type { EndpointsData } from './webhook-view.ts'

export type Event = EventsData['events'][number]
export type EventsData = Static<typeof EventsReply>['data']
export type EventData = Static<typeof EventReply>['data']

const EVENT = argument('<event>', 'the event', eventIdText)

const EVENTS: Shows<Event> = [
  ['time', 'created_at'],
  ['mode', 'livemode'],
  ['type', 'type'],
  ['about', ({ data }) => data.object.id],
  ['#', 'sequence'],
  ['event', 'id'],
]
const FIELDS: Shows<Event> = [
  ['event', 'id'],
  ['mode', 'livemode'],
  ['type', 'type'],
  ['time', ({ created_at: at }) => new Date(at * 1000).toISOString()],
  [
    'about',
    ({ kind, data: { object } }) => `${kind} ${object.id}${'status' in object ? ` (${String(object.status)})` : ''}`,
  ],
  ['sequence', 'sequence'],
]
const DELIVERIES: Shows<EventData['deliveries'][number]> = [
  ['endpoint', 'endpoint_id'],
  ['delivery', 'id'],
  ['status', 'status'],
  ['tries', 'tries'],
  ['next try', 'next_attempt_at'],
]

const FILTER = {
  type: option('<types>', 'only these, such as paid,completed', eventTypes),
  contract: option('<id>', 'only those of this contract, or of what has this id', someId),
  since: option('<time>', 'only those from then on: a day, a time, or how long ago, such as 24h', moment),
  until: option('<time>', 'only those until then, the day included', moment),
}

const list = listCommand<Event, [], typeof FILTER>('list', 'list events, oldest first, without gaps', {
  examples: ['gateway events list --limit 100', 'gateway events list --type completed --since 24h --all'],
  options: FILTER,
  notes: 'What is left out is left out here: all events from --after on are read.',
  member: 'events',
  columns: EVENTS,
  csv: ['id', 'created_at', 'type', 'kind', 'data.object.id', 'sequence', 'livemode', 'api_version'],
  call: () => get('/events'),
  wants: wantedEvents,
})

function wantedEvents({ type, contract, since, until }: Values<typeof FILTER>): ((event: Event) => boolean) | null {
  if (!type && !contract && !since && !until) return null
  const [from, to] = [Date.parse(since?.first() ?? '') / 1000, Date.parse(until?.last() ?? '') / 1000]
  return ({ type: named, created_at: at, data: { object } }) =>
    (!type || type.some((each) => each === named)) &&
    (!contract || fitsId(object.id, contract)) &&
    !(at < Math.floor(from)) &&
    !(at > to)
}

const one = apiCommand('get', 'show an event and what became of it at each endpoint', {
  examples: ['gateway events get evt_…', 'gateway events get evt_… --json'],
  arguments: [EVENT],
  call: (_, id) => get(`/events/${id}`),
  print: ({ event, deliveries }: EventData) => {
    printOne(event, FIELDS)
    print()
    printMany(deliveries, DELIVERIES)
  },
})

const tail = command('tail', 'follow events as they happen, until Ctrl-C', {
  examples: ['gateway events tail', 'gateway events tail --types paid,completed --json'],
  options: {
    ...PLACE,
    types: option('<types>', 'only these, such as paid,completed', eventTypes),
    after: option('<event>', 'begin after this event (default: with what happens next)', eventIdText),
  },
  run: async ({ types = null, after = null, json, ...place }) => {
    const events = streamEvents({
      place: placeOf(place),
      types,
      after,
      stop: untilInterrupted(),
      opened: () => note('Following events. Ctrl-C to stop.'),
      lost: noteLost,
    })
    for await (const { id, type, body } of events) {
      const contract = (JSON.parse(body) as Event).data.object.id
      print(json ? body : `${paint('dim', clockText())}  ${type.padEnd(24)}  ${contract}  ${paint('dim', id)}`)
    }
  },
})

/** The time of day, as a line of a log begins. */
export const clockText = () => new Date().toTimeString().slice(0, 8)

const resend = command('resend', 'deliver an event again, to one endpoint or to all that are enabled', {
  examples: ['gateway events resend evt_…', 'gateway events resend evt_… --endpoint 0198…'],
  arguments: [EVENT],
  options: { ...PLACE, endpoint: option('<id>', 'only there', endpointId) },
  run: async ({ endpoint, ...options }, id) => {
    const place = placeOf(options)
    const replays = []
    for (const target of endpoint === undefined ? await enabledEndpoints(place) : [endpoint]) {
      const { replay } = await call<ReplayData>(place, replayOf(target, { events: [id] }))
      replays.push({ endpoint_id: target, ...replay })
      if (!options.json) print(`${target}: on the way (replay ${replay.number})`)
    }
    if (options.json) printJson({ replays })
  },
})

async function enabledEndpoints(place: Place): Promise<string[]> {
  const { webhook_endpoints: all } = await call<EndpointsData>(place, get('/webhook-endpoints'))
  const enabled = all.filter(({ status }) => status === 'enabled').map(({ id }) => id)
  if (enabled.length > 0) return enabled
  throw new CommandFailed(
    all.length === 0
      ? 'There is no endpoint to send to. Make one: gateway webhooks create --url https://…'
      : 'No endpoint is enabled. Enable one: gateway webhooks resume <id>',
  )
}

export const events = groupOf('events', 'read, follow and resend what happened to contracts', [list, one, tail, resend])
