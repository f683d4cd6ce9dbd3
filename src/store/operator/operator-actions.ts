// What operators did by hand: appended, and never changed. And what follows from a setting of an account.
import type { Statement } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'

export type OperatorAction = {
  readonly id: string
  readonly operator: string
  readonly action:
    | 'resolve as delivered'
    | 'resolve as failed'
    | 'acknowledge'
    | 'account settings'
    | 'account owner'
    | 'take event'
    | 'freeze'
    | 'close review'
    | 'pause payouts'
    | 'resume payouts'
    | 'declare recovery'
    | 'compare recovery'
    | 'propose resume'
    | 'resume'
    | 'move lanes'
  /** What it was done to: a contract, a channel, an account, a provider's event, an epoch, or lanes. */
  readonly target: string
  readonly evidence: string
  /** The second person; null where one was enough. */
  readonly approvedBy: string | null
}

export function insertOperatorAction(row: OperatorAction): Statement {
  return {
    name: 'insert_operator_action',
    text: `insert into operator_actions (id, operator, action, target, evidence, approved_by) values ($1, $2, $3, $4, $5, $6)`,
    values: [row.id, row.operator, row.action, row.target, row.evidence, row.approvedBy],
  }
}

/**
 * Makes the jobs of the account's contracts with money in suspense due now. What is due within a minute is left alone:
 * it may be leased.
 */
export function wakeReturns({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'wake_returns',
    text: `update jobs j set due_at = now()
            where j.lane = $1 and j.account_id = $2 and j.kind = 'collection' and (j.due_at is null or j.due_at > now() + interval '1 minute')
              and exists (select from payment_events e
                           where e.lane = j.lane and e.account_id = j.account_id and e.contract_id = j.contract_id
                             and e.suspense_minor > 0)`,
    values: [lane, accountId],
  }
}
