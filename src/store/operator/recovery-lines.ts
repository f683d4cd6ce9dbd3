// What a recovery read of the rails: one row for each channel, and one for each order that the books did not have as the provider
// has it. And where it looks: until when the books know, whose a contract may be, which attempts are open.
import type { ComparedChannel, LineKind, RecoveryLine } from '../../domain/recovery/compare.ts'
import { ms } from '../../platform/columns.ts'
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import { JOB_COLUMNS } from '../jobs/jobs.ts'

/** Of the comparison before, what was not ended by it. */
export function forgetOpenLines(epoch: number, channelId: string): Statement {
  return {
    name: 'forget_open_lines',
    text: `delete from recovery_lines l
            where l.epoch = $1 and l.channel_id = $2 and l.kind not in ('settled', 'adopted')`,
    values: [epoch, channelId],
  }
}

/** An order stands once: as it was ended first, or as it is open now. */
export function insertRecoveryLines(epoch: number, lines: readonly RecoveryLine[]): Statement {
  const rows = lines.map(({ contractId, amountMinor, channelId, at, ...rest }) => ({
    ...rest,
    channel_id: channelId,
    contract_id: contractId,
    amount_minor: amountMinor?.toString() ?? null,
    at_ms: at,
  }))
  return {
    name: 'insert_recovery_lines',
    text: `insert into recovery_lines (epoch, channel_id, reference, contract_id, kind, amount_minor, currency, words, at)
           select $1, l.channel_id, l.reference, l.contract_id, l.kind, l.amount_minor, l.currency, l.words,
                  to_timestamp(l.at_ms / 1000)
             from jsonb_to_recordset($2::jsonb) l (channel_id text, reference text, contract_id uuid, kind text,
                  amount_minor bigint, currency text, words text, at_ms float8)
           on conflict do nothing`,
    values: [epoch, JSON.stringify(rows)],
  }
}

export type AdoptedOrder = AccountKey & {
  readonly contractId: string
  readonly reference: string
  readonly epoch: number
  readonly channelId: string
  readonly amountMinor: bigint
  readonly currency: string
}

/** By which a request is known again that was lost with the answer to it. */
export function insertAdoptedOrder(order: AdoptedOrder): Statement {
  const { lane, accountId, contractId, reference, epoch, channelId, amountMinor, currency } = order
  return {
    name: 'insert_adopted_order',
    text: `insert into adopted_orders (lane, account_id, contract_id, reference, epoch, channel_id, amount_minor, currency)
           values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
    values: [lane, accountId, contractId, reference, epoch, channelId, amountMinor, currency],
  }
}

export function forgetChannel(epoch: number, channelId: string): Statement {
  return {
    name: 'forget_recovery_channel',
    text: `delete from recovery_channels c where c.epoch = $1 and c.channel_id = $2`,
    values: [epoch, channelId],
  }
}

export function insertRecoveryChannel(epoch: number, channel: ComparedChannel, by: string): Statement {
  const { channelId, state, readFrom, readUntil, matched, words } = channel
  return {
    name: 'insert_recovery_channel',
    text: `insert into recovery_channels (epoch, channel_id, state, read_from, read_until, matched, words, compared_by)
           values ($1, $2, $3, to_timestamp($4::float8 / 1000), to_timestamp($5::float8 / 1000), $6, $7, $8)`,
    values: [epoch, channelId, state, readFrom, readUntil, matched, words, by],
  }
}

export function listRecoveryChannels(epoch: number): Statement {
  return {
    name: 'list_recovery_channels',
    text: `select c.channel_id, c.state, ${ms('c.read_from')} as from_ms, ${ms('c.read_until')} as until_ms, c.matched, c.words
             from recovery_channels c where c.epoch = $1 order by c.channel_id`,
    values: [epoch],
  }
}

export const recoveryChannelFrom = (row: Row): ComparedChannel => ({
  channelId: row['channel_id'] as string,
  state: row['state'] as ComparedChannel['state'],
  readFrom: row['from_ms'] as number,
  readUntil: row['until_ms'] as number,
  matched: row['matched'] as number,
  words: row['words'] as string,
})

/** Those that an operator has to end first, by channel and reference. */
export function listRecoveryLines(epoch: number, limit: number): Statement {
  return {
    name: 'list_recovery_lines',
    text: `select l.channel_id, l.reference, l.contract_id, l.kind, l.amount_minor, l.currency, l.words, ${ms('l.at')} as at_ms
             from recovery_lines l where l.epoch = $1
            order by l.kind in ('settled', 'adopted', 'open'), l.channel_id, l.reference
            limit $2`,
    values: [epoch, limit],
  }
}

export const recoveryLineFrom = (row: Row): RecoveryLine => ({
  channelId: row['channel_id'] as string,
  reference: row['reference'] as string,
  contractId: row['contract_id'] as string | null,
  kind: row['kind'] as LineKind,
  amountMinor: row['amount_minor'] === null ? null : BigInt(row['amount_minor'] as string),
  currency: row['currency'] as string | null,
  words: row['words'] as string,
  at: row['at_ms'] as number,
})

/**
 * When a contract of each lane changed last in the books as they came back; no row of a lane without accounts. A lane is known to have been
 * at work when it was swept last.
 */
export function booksUntil(beganAtMs: number, lanes: readonly number[]): Statement {
  return {
    name: 'books_until',
    merge: {},
    text: `-- every lane: the newest change of any account.
           select a.lane, ${ms('greatest(max(h.at), max(a.created_at) filter (where a.created_at <= to_timestamp($1::float8 / 1000)), max(least(l.swept_until, to_timestamp($1::float8 / 1000))))')} as until_ms
             from accounts a
             join lanes l on l.lane = a.lane
             left join lateral (select v.at from contract_versions v
                                 where v.lane = a.lane and v.account_id = a.account_id and v.at <= to_timestamp($1::float8 / 1000)
                                 order by v.position desc limit 1) h on true
            where a.lane = any($2::int[])
            group by a.lane`,
    values: [beganAtMs, plainArray(lanes)],
  }
}

export const booksUntilFrom = (row: Row) => ({ lane: row['lane'] as number, untilMs: row['until_ms'] as number })

/** The accounts of a lane, of these modes. */
export function accountsOfLane(lane: number, livemodes: readonly boolean[]): Statement {
  return {
    name: 'accounts_of_lane',
    text: `select a.account_id, a.livemode from accounts a
            where a.lane = $1 and a.livemode = any($2::boolean[]) order by a.account_id`,
    values: [lane, plainArray(livemodes)],
  }
}

/** A channel's attempts that have not ended, in the order of their contracts. */
export function openAttempts(
  channelId: string,
  statuses: readonly string[],
  after: (AccountKey & { readonly contractId: string }) | null,
  limit: number,
): Statement {
  return {
    name: 'open_attempts',
    merge: {
      order: [
        ['lane', 'up'],
        ['account_id', 'up'],
        ['contract_id', 'up'],
      ],
      limit: 6,
    },
    text: `-- every lane: a channel has attempts of all accounts.
           select ${JOB_COLUMNS} from jobs j
            where j.kind = 'payout' and j.channel_id = $1 and j.status = any ($2::text[])
              and (j.lane, j.account_id, j.contract_id) > ($3::int, $4::uuid, $5::uuid)
            order by j.lane, j.account_id, j.contract_id limit $6`,
    values: [
      channelId,
      textArray(statuses),
      after?.lane ?? -1,
      after?.accountId ?? FIRST,
      after?.contractId ?? FIRST,
      limit,
    ],
  }
}

/**
 * Those of a lane of which the rail said since a moment that they were delivered, in the order of their contracts. They may have been
 * submitted first long before: what counts is when their contract was written last.
 */
export function deliveredAttempts(
  { lane, channelId, sinceMs }: { readonly lane: number; readonly channelId: string; readonly sinceMs: number },
  after: { readonly accountId: string; readonly contractId: string } | null,
  limit: number,
): Statement {
  return {
    name: 'delivered_attempts',
    text: `select ${JOB_COLUMNS} from jobs j
            where j.lane = $1 and j.kind = 'payout' and j.channel_id = $2 and j.status = 'delivered'
              and (j.account_id, j.contract_id) > ($3::uuid, $4::uuid)
              and exists (select from contracts c
                            join contract_versions v on v.lane = $1 and v.account_id = c.account_id and v.position = c.position
                           where c.lane = $1 and c.account_id = j.account_id and c.id = j.contract_id
                             and v.at >= to_timestamp($5::float8 / 1000))
            order by j.account_id, j.contract_id limit $6`,
    values: [lane, channelId, after?.accountId ?? FIRST, after?.contractId ?? FIRST, sinceMs, limit],
  }
}

const FIRST = '00000000-0000-0000-0000-000000000000'
