// What people did by hand: appended, and never changed. And the account's settings, which they change.
import { type Row, type Statement, textArray } from '../platform/db.ts'
import type { AccountKey } from './accounts.ts'

export type OperatorAction = {
  readonly id: string
  readonly operator: string
  readonly action: 'resolve as delivered' | 'resolve as failed' | 'acknowledge' | 'account settings'
  /** What it was done to: a contract, a channel or an account. */
  readonly target: string
  readonly evidence: string
}

export function insertOperatorAction({ id, operator, action, target, evidence }: OperatorAction): Statement {
  return {
    name: 'insert_operator_action',
    text: `insert into operator_actions (id, operator, action, target, evidence) values ($1, $2, $3, $4, $5)`,
    values: [id, operator, action, target, evidence],
  }
}

/** What becomes of an account's transfers that fail for good. */
export type AccountSettings = {
  readonly refundsAtOnce: boolean
  readonly retries: number
  readonly fallbackChannels: readonly string[]
}

export function accountSettings({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'account_settings',
    text: `select a.refunds_at_once, a.retries, a.fallback_channels
             from accounts a where a.lane = $1 and a.account_id = $2 for no key update`,
    values: [lane, accountId],
  }
}

export function accountSettingsFrom(row: Row): AccountSettings {
  return {
    refundsAtOnce: row['refunds_at_once'] as boolean,
    retries: row['retries'] as number,
    fallbackChannels: row['fallback_channels'] as string[],
  }
}

export function changeAccountSettings({ lane, accountId }: AccountKey, settings: AccountSettings): Statement {
  return {
    name: 'change_account_settings',
    text: `update accounts a set refunds_at_once = $3, retries = $4, fallback_channels = $5
            where a.lane = $1 and a.account_id = $2`,
    values: [lane, accountId, settings.refundsAtOnce, settings.retries, textArray(settings.fallbackChannels)],
  }
}
