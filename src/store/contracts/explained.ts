// A contract together with the job that works on it, as they stand at one moment.
import type { Contract } from '../../domain/contract/contract.ts'
import type { Row, Statement } from '../../platform/db.ts'
import { type Job, JOB_COLUMNS, jobFrom } from '../jobs/jobs.ts'
import { readContractFrom } from './contracts.ts'
import type { ContractKey } from './documents.ts'

/** One statement, so that the two cannot be of different moments. */
export function contractWithJob({ lane, accountId, id }: ContractKey): Statement {
  return {
    name: 'contract_with_job',
    text: `select ${JOB_COLUMNS}, c.lane, c.account_id, c.id, c.position, c.expires_at <= now() as over, h.document
             from contracts c
             join contract_versions h on h.lane = $1 and h.account_id = c.account_id and h.position = c.position
             left join jobs j on j.lane = $1 and j.account_id = c.account_id and j.contract_id = c.id
            where c.lane = $1 and c.account_id = $2 and c.id = $3`,
    values: [lane, accountId, id],
  }
}

export function contractWithJobFrom(row: Row): { readonly contract: Contract; readonly job: Job | null } {
  return { contract: readContractFrom(row), job: row['kind'] === null ? null : jobFrom(row) }
}
