// gateway logs: what was asked with the account's credentials, and what became of it: the latest of it, or as it happens.
import { setTimeout as sleep } from 'node:timers/promises'
import { openSseParser, type SseParser } from '../../../sdk/src/sse.ts'
import type { RequestsReply } from '../../wire/requests.ts'
import type { Wire } from '../../wire/shapes.ts'
import { failureOf, gatewayAt, get } from '../client.ts'
import { command, groupOf, idOption, option, PLACE, type Values } from '../command.ts'
import { listCommand } from '../list.ts'
import { note, paint, print } from '../output.ts'
import { type Place, placeOf } from '../place.ts'
import { moment, timeText } from '../times.ts'
import type { Shows } from '../view.ts'
import { noteLost, untilInterrupted } from '../webhooks/event-stream.ts'

type Shown = Wire<typeof RequestsReply>['data']['requests'][number]

const REQUESTS: Shows<Shown> = [
  ['time', ({ at }) => timeText(at)],
  ['mode', 'livemode'],
  ['status', 'status'],
  ['operation', 'operation'],
  ['code', 'code'],
  ['ms', ({ duration_ms: ms }) => ms],
  ['contract', 'contract'],
  ['request', 'id'],
]

const FILTER = {
  status: option('<status>', 'only this HTTP status, or a class of them: 409, or 4xx'),
  operation: option('<name>', 'only this operation, such as transfers.pay'),
  code: option('<code>', 'only refusals of this code, such as insufficient_funds'),
  contract: idOption('<id>', 'only what was about this transfer contract', 'transfer'),
}
const queryOf = ({ status, operation, code, contract }: Values<typeof FILTER>) => ({
  status,
  operation,
  code,
  contract,
})

const LISTED = {
  ...FILTER,
  since: option('<time>', 'only from then on: a day, a time, or how long ago, such as 10m', moment),
}

const list = listCommand<Shown, [], typeof LISTED>('list', 'list the latest requests of the account, newest first', {
  examples: ['gateway logs list --status 4xx', 'gateway logs list --contract 0198… --since 1h --json'],
  options: LISTED,
  notes: 'The gateway keeps the last 500 of each account, in memory: all of it is gone after a restart.',
  member: 'requests',
  columns: REQUESTS,
  csv: ['at', 'id', 'operation', 'method', 'route', 'status', 'code', 'duration_ms', 'contract', 'key', 'livemode'],
  call: ({ since, ...filter }) => get('/requests', { ...queryOf(filter), since: since?.first() }),
})

const tail = command('tail', 'follow the requests of the account as they are answered, until Ctrl-C', {
  examples: ['gateway logs tail', 'gateway logs tail --status 4xx --json'],
  options: { ...FILTER, ...PLACE },
  run: async ({ json, ...options }) => {
    for await (const text of requestsOf(placeOf(options), queryOf(options), untilInterrupted())) {
      if (json) print(text)
      else print(lineOf(JSON.parse(text) as Shown))
    }
  },
})

const STATUS_COLOURS = ['bold', 'bold', 'green', 'cyan', 'yellow', 'red'] as const

function lineOf({ at, status, operation, code, duration_ms: ms, contract, id }: Shown): string {
  const colour = STATUS_COLOURS[Math.floor(status / 100)] ?? 'bold'
  const words = [
    paint('dim', timeText(at)),
    paint(colour, String(status)),
    operation.padEnd(24),
    `${ms} ms`.padStart(9),
    code,
    contract,
    paint('dim', id),
  ]
  return words.filter(Boolean).join('  ')
}

const RETRY_MS = 2000

/** Each request as JSON, over as many connections as it takes. What is refused ends it. */
async function* requestsOf(
  place: Place,
  query: Readonly<Record<string, string | undefined>>,
  stop: AbortSignal,
): AsyncGenerator<string> {
  for (let lastId = ''; !stop.aborted; ) {
    const parser = openSseParser(lastId)
    const body = await opened(place, query, lastId, stop)
    try {
      yield* messagesIn(body, parser)
    } catch (fault) {
      // A connection that breaks is opened again, from where it was.
      if (!(fault instanceof Error)) throw fault
    }
    if (stop.aborted) return
    lastId = parser.lastId()
    noteLost(RETRY_MS)
    await sleep(RETRY_MS, undefined, { signal: stop }).catch(() => undefined)
  }
}

async function opened(
  place: Place,
  query: Readonly<Record<string, string | undefined>>,
  lastId: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const headers = { accept: 'text/event-stream', ...(lastId === '' ? {} : { 'last-event-id': lastId }) }
  try {
    const reply = await gatewayAt(place).open({ method: 'GET', path: '/requests/stream', query, headers, signal })
    if (lastId === '') note('Following requests. Ctrl-C to stop.')
    return reply.body ?? nothing()
  } catch (fault) {
    if (signal.aborted) return nothing()
    throw failureOf('GET /requests/stream', place, fault)
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function* messagesIn(body: AsyncIterable<Uint8Array>, parser: SseParser): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of body)
    for (const { data } of parser.take(decoder.decode(chunk, { stream: true }))) yield data
}

export const logs = groupOf('logs', 'see what was asked with the keys of the account, and what became of it', [
  list,
  tail,
])
