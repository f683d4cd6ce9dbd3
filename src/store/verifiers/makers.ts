// Who made the contract that a verification is about: the members and keys that any of its versions names.
import type { Row, Statement } from '../../platform/db.ts'
import type { OwnedKey } from '../columns.ts'

/** Of every version, for older activities are left out of newer ones; nothing where it is about no contract. */
export function findContractMakers({ lane, accountId, id }: OwnedKey): Statement {
  return {
    name: 'find_contract_makers',
    text: `select h.document -> 'by' as makers
             from verifications v
             join contract_versions h on h.lane = v.lane and h.account_id = v.account_id and h.contract_id = v.contract_id
                                     and h.version > 0
            where v.lane = $1 and v.account_id = $2 and v.id = $3`,
    values: [lane, accountId, id],
  }
}

export function makersFrom(row: Row): string[] {
  const makers = row['makers']
  return Array.isArray(makers) ? makers.filter((each) => typeof each === 'string') : []
}
