// Documents that have left the database after their time, as statements that read versions meet them: db/migrations/0044 says what stands
// in their place. Who needs a contract as it was reads it as it stands, with the status of then.
import type { Contract } from '../../domain/contract/contract.ts'
import { ms } from '../../platform/columns.ts'
import type { Row, Statement } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'

/** Whether the document of a version `v` has left. */
export const isRemoved = (v: string): string => `${v}.document::text like '{"removed":%'`

/** The document of a version `v` where it is there, else that of its contract as it stands; all in the lane $1, each by its whole key. */
export const standingDocument = (v: string): string => `case when ${isRemoved(v)} then (
                    select n.document from contract_versions n
                     where n.lane = $1 and n.account_id = ${v}.account_id and n.position = (
                           select k.position from contracts k
                            where k.lane = $1 and k.account_id = ${v}.account_id and k.id = ${v}.contract_id))
                  else ${v}.document end`

/** The status of a version `v` whose document has left; null where it is there. */
export const removedStatus = (v: string): string => `case when ${isRemoved(v)} then ${v}.document ->> 'status' end`

/** Whether the document of a row that was read has left. */
export const hasLeft = (row: Row): boolean =>
  row['is_contract'] !== false && (row['document'] as { readonly removed?: string } | null)?.removed !== undefined

/** The contract as it stands, with the status that a version had whose document has left. */
export const withStatus = <T extends Contract>(contract: T, status: string | null): T =>
  status === null ? contract : ({ ...contract, status } as T)

/** Up to which step documents have left, the newest event up to there, and when the last contract ended whose did. */
export function removalOf({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'removal_of_documents',
    text: `select h.contract_id as id, h.sequence, (select max(p.epoch) from epoch_positions p
                    where p.lane = $1 and p.account_id = h.account_id and p.position < h.position) as epoch,
                  ${ms('r.removed_until')} as removed_until
             from document_removals r
             left join lateral (
                    select e.* from account_steps e
                     where e.lane = $1 and e.account_id = $2 and e.position <= r.removed_to and e.event is not null
                     order by e.position desc limit 1) h on true
            where r.lane = $1 and r.account_id = $2`,
    values: [lane, accountId],
  }
}
