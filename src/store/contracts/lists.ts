// Pages of what an account owns, newest first by id, which is time-ordered.
import { firstIdAt } from '../../domain/contract/ids.ts'
import { type Statement, textArray } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'

export type ContractFilter = {
  /** Null for both. */
  readonly kind: 'transfer' | 'payment' | null
  /** Of any of these; what is over is expired. */
  readonly statuses: readonly string[] | null
  readonly channelId: string | null
  readonly currency: string | null
  readonly referenceId: string | null
  /** In minor units of `currency`, both included. */
  readonly amountFromMinor: bigint | null
  readonly amountToMinor: bigint | null
  /** The recipient, or whom it is issued to. */
  readonly profileId: string | null
  readonly createdFromMs: number | null
  readonly createdToMs: number | null
  /** Only what has not changed since the account's history stood there. */
  readonly upTo: number | null
  /** The id that the page before ended with. */
  readonly after: string | null
  readonly limit: number
}

// As domain/contract/expiry.ts reads it: what is over is expired before it is swept, but not a payment contract whose
// rail may still report that it was paid.
const STATUS = `case when c.status in ('draft', 'issued') and c.expires_at <= now()
                          and (c.kind = 'transfer' or (h.document -> 'cancellation' is null and not exists (
                                select 1 from json_array_elements(h.document -> 'attempts') t
                                 where t ->> 'status' in ('starting', 'pending', 'processing', 'unknown'))))
                     then 'expired' else c.status end`

type Bounded = ContractFilter & { readonly idFrom: string | null; readonly idTo: string | null }
type Filters = readonly (readonly [keyof Bounded, (place: string) => string])[]

/** What says by itself which rows of an index are looked at, and what is looked at in them. */
const BOUNDS: Filters = [
  ['referenceId', (place) => `b.reference_id = ${place}`],
  ['after', (place) => `b.id < ${place}`],
  ['idFrom', (place) => `b.id >= ${place}`],
  ['idTo', (place) => `b.id <= ${place}`],
]
const FILTERS: Filters = [
  ['kind', (place) => `c.kind = ${place}`],
  ['upTo', (place) => `c.position <= ${place}`],
  ['statuses', (place) => `${STATUS} = any(${place}::text[])`],
  ['channelId', (place) => `c.channel_id = ${place}`],
  ['currency', (place) => `c.currency = ${place}`],
  ['amountFromMinor', (place) => `c.amount_minor >= ${place}`],
  ['amountToMinor', (place) => `c.amount_minor <= ${place}`],
  [
    'profileId',
    (place) =>
      `${place} in (h.document -> 'recipient_profile' ->> 'profile', h.document -> 'issued_to_profile' ->> 'profile')`,
  ],
  ['createdFromMs', (place) => `(h.document ->> 'created_at')::float8 >= ${place}`],
  ['createdToMs', (place) => `(h.document ->> 'created_at')::float8 <= ${place}`],
]

/** So many contracts are looked at for a page, however few of them fit: the next page goes on behind them. */
export const LOOKED_AT_MAX = 2000

/** How far an id's own time may be from when its contract was made: it is given by another clock. */
const CLOCKS_APART_MS = 3_600_000

// Ids begin with the time, so that a period is a range of them.
const withIds = (filter: ContractFilter): Bounded => ({
  ...filter,
  idFrom: filter.createdFromMs === null ? null : firstIdAt(filter.createdFromMs - CLOCKS_APART_MS),
  idTo: filter.createdToMs === null ? null : firstIdAt(filter.createdToMs + CLOCKS_APART_MS),
})

/**
 * A filter that is not used is not in the text, so that the planner can take the index that fits the others. Which are, stands in the
 * name by their places: PostgreSQL tells names apart by 63 characters.
 */
function conditionsOf(filters: Filters, filter: Bounded, values: unknown[]) {
  const used = filters.filter(([member]) => filter[member] !== null)
  const valueOf = (member: keyof Bounded) =>
    member === 'statuses' && filter.statuses ? textArray(filter.statuses) : filter[member]
  return {
    name: used.map((each) => filters.indexOf(each).toString(36)).join(''),
    text: used.map(([member, condition]) => ` and ${condition(`$${values.push(valueOf(member))}`)}`).join(''),
  }
}

/** One row more than the limit, to tell whether there is a next page; of those that are looked at. */
export function listContracts({ lane, accountId }: AccountKey, wanted: ContractFilter): Statement {
  const filter = withIds(wanted)
  const values: unknown[] = [lane, accountId, filter.limit + 1]
  const bounds = conditionsOf(BOUNDS, filter, values)
  const filters = conditionsOf(FILTERS, filter, values)
  return {
    name: `list_contracts_by_${bounds.name}_and_${filters.name}`,
    text: `select c.lane, c.account_id, c.id, c.position, c.expires_at <= now() as over, h.document
             from (select * from contracts b
                    where b.lane = $1 and b.account_id = $2${bounds.text}
                    order by b.id desc
                    limit ${LOOKED_AT_MAX}) c
            -- By its key, whatever the planner estimates.
            cross join lateral (
                    select v.document from contract_versions v
                     where v.lane = $1 and v.account_id = $2 and v.position = c.position limit 1) h
            where true${filters.text}
            order by c.id desc
            limit $3`,
    values,
  }
}

/** The last contract that such a page looks at; none where it comes to the end. */
export function lastLookedAt({ lane, accountId }: AccountKey, wanted: ContractFilter): Statement {
  const values: unknown[] = [lane, accountId]
  const bounds = conditionsOf(BOUNDS, withIds(wanted), values)
  return {
    name: `last_looked_at_by_${bounds.name}`,
    text: `select b.id from contracts b
            where b.lane = $1 and b.account_id = $2${bounds.text}
            order by b.id desc
           offset ${LOOKED_AT_MAX - 1} limit 1`,
    values,
  }
}
