// Activities that a contract does not repeat any more: each stands, last, in the version that it made.
import type { Activity } from '../../domain/transfer/transfer.ts'
import type { Row, Statement } from '../../platform/db.ts'
import { type StoredActivity, activitiesOf, type ContractKey } from './documents.ts'

/** What was added by the versions from one to another, both included. */
export function listActivities({ lane, accountId, id }: ContractKey, from: number, to: number): Statement {
  return {
    name: 'list_activities',
    text: `select h.document -> 'activities' -> -1 as line, h.document -> 'by' as keys
             from contract_versions h
            where h.lane = $1 and h.account_id = $2 and h.contract_id = $3 and h.version > 0
              and h.version between $4 and $5
            order by h.version`,
    values: [lane, accountId, id, from, to],
  }
}

export function listedActivityFrom(row: Row): Activity {
  const [activity] = activitiesOf([row['line'] as StoredActivity], (row['keys'] as string[] | null) ?? [])
  if (!activity) throw new Error('a version without an activity')
  return activity
}
