// Who may not end the review of a verification: whoever asked for it, and whoever made the contract that it is about, by
// themselves or by an API key that they made.
import type { Row, Statement } from '../../platform/db.ts'
import type { OwnedKey } from '../columns.ts'

/**
 * The members behind it, each once, and the keys as they are. Of every version of the contract, for older activities are left
 * out of newer ones.
 */
export function findMakers({ lane, accountId, id }: OwnedKey): Statement {
  return {
    name: 'find_verification_makers',
    text: `with named as (
             select v.document ->> 'requestedBy' as maker
               from verifications v
              where v.lane = $1 and v.account_id = $2 and v.id = $3
              union
             select m.maker
               from verifications v
               join contract_versions h on h.lane = v.lane and h.account_id = v.account_id and h.contract_id = v.contract_id
                                       and h.version > 0
              cross join lateral (select json_array_elements_text(coalesce(h.document -> 'by', '[]'))
                                   union all
                                  select json_array_elements_text(coalesce(h.document -> 'folded_by', '[]'))) m (maker)
              where v.lane = $1 and v.account_id = $2 and v.id = $3)
           select n.maker from named n where n.maker is not null
            union
           select k.made_by_member::text
             from named n
             join api_keys k on k.lane = $1 and k.account_id = $2 and k.key_id = n.maker and k.made_by_member is not null`,
    values: [lane, accountId, id],
  }
}

export const makerFrom = (row: Row): string => row['maker'] as string
