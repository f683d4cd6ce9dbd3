// gateway logs: the account's latest requests, and those that are answered while one looks.
import { setTimeout as sleep } from 'node:timers/promises'
import { openSseParser } from '../../../sdk/src/sse.ts'
import { failureOf, gatewayAt, get } from '../client.ts'
import { command, groupOf, idOption, option, PLACE, type Values } from '../command.ts'
import { listCommand } from '../list.ts'
import { note, paint, print } from '../output.ts'
import { type Place, placeOf } from '../place.ts'
import { moment, timeText } from '../times.ts'
import { type Shows, stateText } from '../view.ts'
import { untilInterrupted } from '../webhooks/event-stream.ts'
import type { Request } from './story.ts'

const FILTERS = {
  status: option('<status>', 'only these: 409, or 4xx'),
  operation: option('<name>', 'only this operation, such as transfers.pay'),
  code: option('<code>', 'only refusals with this code'),
  contract: idOption('<id>', 'only what was done to this contract', 'transfer'),
}

const stateOf = ({ status }: Request) => stateText(status < 400 ? 'done' : 'refused', String(status))

const REQUESTS: Shows<Request> = [
  ['time', ({ at }) => timeText(at)],
  ['status', stateOf],
  ['operation', 'operation'],
  ['code', 'code'],
  ['ms', 'duration_ms'],
  ['contract', 'contract'],
  ['id', 'id'],
]

const LIST = { ...FILTERS, since: option('<moment>', 'begun from then on: a time, a date, or such as 15m', moment) }

const list = listCommand<Request, [], typeof LIST>('list', 'list the latest requests of the account, newest first', {
  examples: ['gateway logs list --status 4xx', 'gateway logs list --since 15m --all --csv'],
  options: LIST,
  notes: 'Each process of the gateway knows the last 500 that it answered itself, until it is restarted.',
  member: 'requests',
  columns: REQUESTS,
  csv: ['id', 'at', 'operation', 'method', 'route', 'status', 'code', 'duration_ms', 'contract', 'key', 'livemode'],
  call: ({ status, operation, code, contract, since }) =>
    get('/requests', { status, operation, code, contract, since: since?.first() }),
})

const tail = command('tail', 'follow the requests of the account as they are answered, until Ctrl-C', {
  examples: ['gateway logs tail', 'gateway logs tail --status 4xx --json'],
  options: { ...PLACE, ...FILTERS },
  run: async ({ status, operation, code, contract, json, ...place }) => {
    for await (const text of follow(placeOf(place), { status, operation, code, contract }))
      print(json ? text : lineOf(JSON.parse(text) as Request))
  },
})

function lineOf(request: Request): string {
  const { at, operation, code, duration_ms: ms, contract, id } = request
  const about = [code, contract].filter((each) => each !== null).join('  ')
  return `${paint('dim', timeText(at))}  ${stateOf(request)}  ${operation.padEnd(24)}  ${String(ms).padStart(8)} ms  ${about}  ${paint('dim', id)}`
}

const COMES_BACK_MS = 2000

/** The requests as the stream tells them. A stream that ends is opened again after the last one; one that was never open is not. */
async function* follow(place: Place, query: Partial<Values<typeof FILTERS>>): AsyncGenerator<string> {
  const stop = untilInterrupted()
  let parser = openSseParser()
  let wasOpen = false
  while (!stop.aborted) {
    try {
      const last = parser.lastId()
      const headers: Record<string, string> = last === '' ? {} : { 'last-event-id': last }
      const reply = await gatewayAt(place).open({ ...get('/requests/stream', query), headers, signal: stop })
      note(wasOpen ? 'The stream is open again.' : 'Following requests. Ctrl-C to stop.')
      wasOpen = true
      const words = new TextDecoder()
      for await (const bytes of reply.body ?? [])
        for (const { data } of parser.take(words.decode(bytes as Uint8Array, { stream: true }))) yield data
    } catch (fault) {
      if (stop.aborted) return
      if (!wasOpen) throw failureOf('GET /requests/stream', place, fault)
    }
    parser = openSseParser(parser.lastId())
    await sleep(COMES_BACK_MS, undefined, { signal: stop }).catch(() => undefined)
  }
}

export const logs = groupOf('logs', 'see which requests the account sent, and what became of them', [list, tail])
