// What an account says of itself and wants done. The columns are the account's own; origins have a table, since every request of
// a page looks for them.
import type { OwnAccount } from '../../domain/account/settings.ts'
import { ms } from '../../platform/columns.ts'
import { type Row, type Statement, textArray } from '../../platform/db.ts'
import type { AccountKey } from './accounts.ts'
import { BRAND_COLUMNS, brandFrom, WITH_BRAND } from './brands.ts'

export function findOwnAccount({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'find_own_account',
    text: `select a.account_id, a.profile_id, a.livemode, a.operates, a.name, a.time_zone, a.default_currency, a.refunds_at_once, a.retries,
                  a.fallback_channels, a.returns_at_once, a.transfer_expiry_seconds, a.payment_expiry_seconds, a.sites,
                  ${ms('a.created_at')} as created_at,
                  array(select o.origin from account_origins o
                         where o.lane = $1 and o.account_id = a.account_id order by o.origin) as cors_origins,
                  ${BRAND_COLUMNS}
             from accounts a ${WITH_BRAND}
            where a.lane = $1 and a.account_id = $2`,
    values: [lane, accountId],
  }
}

/** Operators alone may write it: the gateway's own login lacks the grant. */
export function saveOperates({ lane, accountId }: AccountKey, operates: boolean): Statement {
  return {
    name: 'save_operates',
    text: `update accounts a set operates = $3 where a.lane = $1 and a.account_id = $2`,
    values: [lane, accountId, operates],
  }
}

export function ownAccountFrom(row: Row): OwnAccount {
  return {
    id: row['account_id'] as string,
    profileId: row['profile_id'] as string,
    livemode: row['livemode'] as boolean,
    operates: row['operates'] as boolean,
    name: row['name'] as string,
    timeZone: row['time_zone'] as string,
    defaultCurrency: row['default_currency'] as string | null,
    brand: brandFrom(row),
    refundsAtOnce: row['refunds_at_once'] as boolean,
    retries: row['retries'] as number,
    fallbackChannels: row['fallback_channels'] as string[],
    returnsAtOnce: row['returns_at_once'] as boolean,
    transferExpirySeconds: row['transfer_expiry_seconds'] as number | null,
    paymentExpirySeconds: row['payment_expiry_seconds'] as number | null,
    corsOrigins: row['cors_origins'] as string[],
    sites: (row['sites'] as string[] | null) ?? [],
    createdAt: row['created_at'] as number,
  }
}

export function saveOwnAccount({ lane, accountId }: AccountKey, account: OwnAccount): Statement {
  const { sites } = account
  return {
    name: 'save_own_account',
    text: `update accounts a
              set name = $3, time_zone = $4, default_currency = $5, refunds_at_once = $6, retries = $7, fallback_channels = $8,
                  returns_at_once = $9, transfer_expiry_seconds = $10, payment_expiry_seconds = $11, sites = $12
            where a.lane = $1 and a.account_id = $2`,
    values: [
      lane,
      accountId,
      account.name,
      account.timeZone,
      account.defaultCurrency,
      account.refundsAtOnce,
      account.retries,
      textArray(account.fallbackChannels),
      account.returnsAtOnce,
      account.transferExpirySeconds,
      account.paymentExpirySeconds,
      sites.length === 0 ? null : textArray(sites),
    ],
  }
}
