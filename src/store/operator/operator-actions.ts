// What operators did by hand: appended, and never changed. And the account's settings, which they change.
import { type Row, type Statement, textArray } from '../../platform/db.ts'
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
  /** What it was done to: a contract, a channel, an account, or a provider's event. */
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

/** What becomes of an account's transfers that fail for good, and of money that is unallocated. */
export type AccountSettings = {
  readonly refundsAtOnce: boolean
  readonly retries: number
  readonly fallbackChannels: readonly string[]
  /** Money in suspense goes back by itself. */
  readonly returnsAtOnce: boolean
  /** The origins whose pages may call with a token of the account. */
  readonly corsOrigins: readonly string[]
  /** Where payers may be sent to; none for anywhere. */
  readonly sites: readonly string[]
}

export function accountSettings({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'account_settings',
    text: `select a.refunds_at_once, a.retries, a.fallback_channels, a.returns_at_once, a.livemode, a.sites,
                  array(select o.origin from account_origins o
                         where o.lane = a.lane and o.account_id = a.account_id order by o.origin) as cors_origins
             from accounts a where a.lane = $1 and a.account_id = $2 for no key update`,
    values: [lane, accountId],
  }
}

export function accountSettingsFrom(row: Row): AccountSettings {
  return {
    refundsAtOnce: row['refunds_at_once'] as boolean,
    retries: row['retries'] as number,
    fallbackChannels: row['fallback_channels'] as string[],
    returnsAtOnce: row['returns_at_once'] as boolean,
    corsOrigins: row['cors_origins'] as string[],
    sites: (row['sites'] as string[] | null) ?? [],
  }
}

export function changeAccountSettings({ lane, accountId }: AccountKey, settings: AccountSettings): Statement {
  const { refundsAtOnce, retries, fallbackChannels, returnsAtOnce, sites } = settings
  return {
    name: 'change_account_settings',
    text: `update accounts a set refunds_at_once = $3, retries = $4, fallback_channels = $5, returns_at_once = $6,
                                 sites = $7
            where a.lane = $1 and a.account_id = $2`,
    values: [
      lane,
      accountId,
      refundsAtOnce,
      retries,
      textArray(fallbackChannels),
      returnsAtOnce,
      sites.length === 0 ? null : textArray(sites),
    ],
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
