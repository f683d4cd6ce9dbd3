// What an account's history says of what it paid, and of what came back: read by position, so that a page never looks at more rows
// than it says.
import { isRuled } from '../../domain/policy/circumstances.ts'
import type { PastStep } from '../../domain/policy/replay.ts'
import { ms } from '../../platform/columns.ts'
import type { Row, Statement } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import { contractFrom } from '../contracts/contracts.ts'
import { standingDocument } from '../contracts/removed.ts'

/** Where an account's history stands. */
export function historyEnd({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'policy_history_end',
    text: `select a.position, a.time_zone from accounts a where a.lane = $1 and a.account_id = $2`,
    values: [lane, accountId],
  }
}

/** When the first step of a contract happened at this position or after it; no row behind the last one. */
export function momentAt({ lane, accountId }: AccountKey, position: number): Statement {
  return {
    name: 'policy_history_moment',
    text: `select v.position, ${ms('v.at')} as at
             from contract_versions v
            where v.lane = $1 and v.account_id = $2 and v.position >= $3
            order by v.position
            limit 1`,
    values: [lane, accountId, position],
  }
}

/**
 * What was paid and what came back after a position, up to another one; to the end where it is null. Of a version whose document has
 * left, the contract as it stands: what was paid, by whom and to whom is the same.
 */
export function paidSteps({ lane, accountId }: AccountKey, after: number, upTo: number | null): Statement {
  return {
    name: 'policy_history_steps',
    text: `select v.contract_id as id, v.event, ${ms('v.at')} as at, ${standingDocument('v')} as document
             from contract_versions v
            where v.lane = $1 and v.account_id = $2 and v.position > $3 and v.position <= coalesce($4, 9223372036854775807)
              and v.event in ('contract.paid', 'contract.cancelled')
            order by v.position`,
    values: [lane, accountId, after, upTo],
  }
}

/**
 * The step of such a row: null where it is none of a transfer that its account paid, such as a draft that was cancelled, a
 * payment, or the refund of one to whoever paid it; or one that was paid after it, by a recovery that adopted it.
 */
export function pastStepFrom(key: AccountKey, row: Row): PastStep | null {
  const transfer = contractFrom({ ...key, id: row['id'] as string }, row['document'])
  const atMs = row['at'] as number
  if (transfer.kind !== 'transfer' || !isRuled(transfer) || transfer.paidAt === null) return null
  if (transfer.paidAt > atMs) return null
  return { kind: row['event'] === 'contract.paid' ? 'paid' : 'given back', transfer, atMs }
}
