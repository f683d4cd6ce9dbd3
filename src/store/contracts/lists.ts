// Pages of what an account owns, newest first by id, which is time-ordered.
import { type Statement, textArray } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'

export type ContractFilter = {
  readonly kind: 'transfer' | 'payment'
  /** Of any of these; what is over is expired. */
  readonly statuses: readonly string[] | null
  readonly channelId: string | null
  readonly currency: string | null
  readonly referenceId: string | null
  readonly createdFromMs: number | null
  readonly createdToMs: number | null
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

// A filter that is not used is not in the text, so that the planner can take the index that fits the others.
const FILTERS: readonly (readonly [keyof ContractFilter, (place: string) => string])[] = [
  ['statuses', (place) => `${STATUS} = any(${place}::text[])`],
  ['channelId', (place) => `c.channel_id = ${place}`],
  ['currency', (place) => `c.currency = ${place}`],
  ['referenceId', (place) => `c.reference_id = ${place}`],
  ['createdFromMs', (place) => `(h.document ->> 'created_at')::float8 >= ${place}`],
  ['createdToMs', (place) => `(h.document ->> 'created_at')::float8 <= ${place}`],
  ['after', (place) => `c.id < ${place}`],
]

/** One row more than the limit, to tell whether there is a next page. */
export function listContracts({ lane, accountId }: AccountKey, filter: ContractFilter): Statement {
  const values: unknown[] = [lane, accountId, filter.limit + 1, filter.kind]
  const used = FILTERS.filter(([member]) => filter[member] !== null)
  const valueOf = (member: keyof ContractFilter) =>
    member === 'statuses' && filter.statuses ? textArray(filter.statuses) : filter[member]
  const conditions = used.map(([member, condition]) => ` and ${condition(`$${values.push(valueOf(member))}`)}`)
  return {
    name: `list_contracts_${used.map(([member]) => member).join('_')}`,
    text: `select c.lane, c.account_id, c.id, c.position, c.expires_at <= now() as over, h.document
             from contracts c
             join contract_versions h on h.lane = c.lane and h.account_id = c.account_id and h.position = c.position
            where c.lane = $1 and c.account_id = $2 and c.kind = $4${conditions.join('')}
            order by c.id desc
            limit $3`,
    values,
  }
}
