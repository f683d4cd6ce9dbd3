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

type Bounded = ContractFilter & { readonly idTo: string | null }
type Filters = readonly (readonly [keyof Bounded, (place: string) => string])[]

/** What says by itself which rows of an index are looked at, and what is looked at in them. */
const BOUNDS: Filters = [
  ['referenceId', (place) => `b.reference_id = ${place}`],
  ['after', (place) => `b.id < ${place}`],
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

// Ids begin with a time, and none with a later one than when its contract was made. Many begin with an earlier one: that of the command
// whose row opened it, of the run that was due, or of the money that goes back. So nothing bounds them from below.
const withIds = (filter: ContractFilter): Bounded => ({
  ...filter,
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

/**
 * One row more than the limit, to tell whether there is a next page; of those that are looked at. The last contract that is looked at is
 * a row in any case, whether or not it `fits`: the next page goes on behind it, by the same snapshot, for others may be made meanwhile.
 */
export function listContracts({ lane, accountId }: AccountKey, wanted: ContractFilter): Statement {
  const filter = withIds(wanted)
  const values: unknown[] = [lane, accountId, filter.limit + 1]
  const bounds = conditionsOf(BOUNDS, filter, values)
  const filters = conditionsOf(FILTERS, filter, values)
  return {
    name: `list_contracts_by_${bounds.name}_and_${filters.name}`,
    text: `select p.lane, p.account_id, p.id, p.position, p.over, p.document, p.fits, p.is_last
             from (select c.lane, c.account_id, c.id, c.position, c.expires_at <= now() as over, h.document,
                          true${filters.text} as fits, c.place = ${LOOKED_AT_MAX} as is_last
                     from (select b.*, row_number() over (order by b.id desc) as place from contracts b
                            where b.lane = $1 and b.account_id = $2${bounds.text}
                            order by b.id desc
                            limit ${LOOKED_AT_MAX}) c
                    -- By its key, whatever the planner estimates.
                    cross join lateral (
                            select v.document from contract_versions v
                             where v.lane = $1 and v.account_id = $2 and v.position = c.position limit 1) h) p
            where p.fits or p.is_last
            order by p.id desc
            limit $3`,
    values,
  }
}
