// Orders that a recovery found at a provider and adopted, as requests are compared with them that may ask for the same again.
import { forRows } from '../../platform/columns.ts'
import { KEY } from '../columns.ts'

/** The digest of the key in a contract's id, as `keyDigestIn` reads it (domain/contract/ids.ts). */
const digestOf = (id: string) => `(substr(${id}::text, 21, 3) || substr(${id}::text, 29, 8))`

/**
 * Of contracts those that were asked for under the key of an older one that was adopted, or were adopted themselves: then that is the
 * last of their rows. For as long as a key is remembered, counted from when the order was found.
 */
export const recallAdopted = forRows(
  'recall_adopted',
  KEY,
  (keys) => `select x.account_id, x.id, a.contract_id
     from ${keys}
     join adopted_orders a on a.lane = x.lane and a.account_id = x.account_id
      and ${digestOf('a.contract_id')} = ${digestOf('x.id')}
    where $lane(a) and a.contract_id <= x.id and a.found_at > now() - interval '7 days'
    order by a.contract_id desc`,
)

/** The adopted contracts that stand for these returns, which are known by the digest in their ids: `return_id` says for which. */
export const loadAdoptedReturns = forRows(
  'load_adopted_returns',
  KEY,
  (keys) => `select x.id as return_id, c.lane, c.account_id, c.id, c.position, h.document
     from ${keys}
     join adopted_orders a on a.lane = x.lane and a.account_id = x.account_id
      and ${digestOf('a.contract_id')} = ${digestOf('x.id')}
     join contracts c on c.lane = a.lane and c.account_id = a.account_id and c.id = a.contract_id
     join contract_versions h on h.lane = c.lane and h.account_id = c.account_id and h.position = c.position
    where $lane(a) and $lane(c) and $lane(h) and a.contract_id <= x.id`,
)
