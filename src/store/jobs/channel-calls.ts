// Calls to channels that ended in no definite success, with what was exchanged: the newest of each attempt, for thirty days.
import { CALLS_KEPT, type KeptCall, type KeptExchange, type ShownCall } from '../../domain/channel/exchange.ts'
import { insertRows, int, json, ms, replaced, time, uuid, word } from '../../platform/columns.ts'
import type { Row, Statement } from '../../platform/db.ts'
import { OWNER, type OwnedKey } from '../columns.ts'

export type ChannelCall = KeptCall & {
  readonly lane: number
  readonly accountId: string
  readonly contractId: string
  readonly at: number
}

/** The place of the call among those of its attempt that are kept: the newest takes the oldest's. */
export const slotOf = ({ fence }: Pick<KeptCall, 'fence'>): number => fence % CALLS_KEPT

const CALL = {
  fence: int((call: ChannelCall) => call.fence),
  at: time((call: ChannelCall) => call.at),
  outcome: word((call: ChannelCall) => call.outcome),
  exchanges: json((call: ChannelCall) => call.exchanges),
}

export const keepChannelCalls = insertRows(
  'keep_channel_calls',
  'channel_calls',
  {
    ...OWNER,
    contract_id: uuid((call: ChannelCall) => call.contractId),
    attempt: int((call: ChannelCall) => call.attempt),
    slot: int((call: ChannelCall) => slotOf(call)),
    ...CALL,
  },
  `on conflict (lane, account_id, contract_id, attempt, slot) do update set ${replaced(CALL)}`,
)

/** All that are kept of a contract, oldest first. */
export function listChannelCalls({ lane, accountId, id }: OwnedKey): Statement {
  return {
    name: 'list_channel_calls',
    text: `select l.attempt, l.fence, ${ms('l.at')} as at, l.outcome, l.exchanges
             from channel_calls l
            where l.lane = $1 and l.account_id = $2 and l.contract_id = $3
            order by l.at, l.fence`,
    values: [lane, accountId, id],
  }
}

export function shownCallFrom(row: Row): ShownCall {
  return {
    attempt: row['attempt'] as number,
    fence: row['fence'] as number,
    at: row['at'] as number,
    outcome: row['outcome'] as string,
    exchanges: row['exchanges'] as KeptExchange[],
  }
}
