// gateway logs: the account's latest requests, and those that are answered while one looks.
import { failureOf, gatewayAt, get } from '../client.ts'
import { command, groupOf, idOption, option, PLACE } from '../command.ts'
import { listCommand } from '../list.ts'
import { note, paint, print } from '../output.ts'
import { placeOf } from '../place.ts'
import { moment, timeText } from '../times.ts'
import { type Shows, stateText } from '../view.ts'
import { noteLost, untilInterrupted } from '../webhooks/event-stream.ts'
import type { Request } from './story.ts'

const FILTERS = {
  status: option('<status>', 'only these: 409, or 4xx'),
  operation: option('<name>', 'only this operation, such as transfers.pay'),
  code: option('<code>', 'only refusals with this code'),
  contract: idOption('<id>', 'only what was done to this contract', 'contract'),
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
    const at = placeOf(place)
    const told = gatewayAt(at).stream(
      '/requests/stream',
      { status, operation, code, contract },
      {
        signal: untilInterrupted(),
        onOpen: () => note('Following requests. Ctrl-C to stop.'),
        onLost: noteLost,
      },
    )
    try {
      for await (const { data } of told) print(json ? data : lineOf(JSON.parse(data) as Request))
    } catch (fault) {
      throw failureOf('GET /requests/stream', at, fault)
    }
  },
})

function lineOf(request: Request): string {
  const { at, operation, code, duration_ms: ms, contract, id } = request
  const about = [code, contract].filter((each) => each !== null).join('  ')
  return `${paint('dim', timeText(at))}  ${stateOf(request)}  ${operation.padEnd(24)}  ${String(ms).padStart(8)} ms  ${about}  ${paint('dim', id)}`
}

export const logs = groupOf('logs', 'see which requests the account sent, and what became of them', [list, tail])
