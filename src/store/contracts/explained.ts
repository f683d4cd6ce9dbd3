// A contract together with its newest attempt, as they stand at one moment.
import { invariant } from '../../domain/invariant.ts'
import type { Attempt, Transfer } from '../../domain/transfer/transfer.ts'
import type { Row, Statement } from '../../platform/db.ts'
import { JOB_COLUMNS, payoutFrom } from '../jobs/jobs.ts'
import { readContractFrom } from './contracts.ts'
import type { ContractKey } from './documents.ts'

/** One statement, so that the two cannot be of different moments. */
export function contractWithAttempt({ lane, accountId, id }: ContractKey): Statement {
  return {
    name: 'contract_with_attempt',
    text: `select ${JOB_COLUMNS}, c.lane, c.account_id, c.id, c.position, c.expires_at <= now() as over, h.document
             from contracts c
             join contract_versions h on h.lane = $1 and h.account_id = c.account_id and h.position = c.position
             left join jobs j on j.lane = $1 and j.account_id = c.account_id and j.contract_id = c.id
            where c.lane = $1 and c.account_id = $2 and c.id = $3 and c.kind = 'transfer'`,
    values: [lane, accountId, id],
  }
}

export function contractWithAttemptFrom(row: Row): { readonly contract: Transfer; readonly attempt: Attempt | null } {
  const contract = readContractFrom(row)
  invariant(contract.kind === 'transfer', 'only transfers are explained')
  return { contract, attempt: row['number'] === null ? null : payoutFrom(row) }
}
