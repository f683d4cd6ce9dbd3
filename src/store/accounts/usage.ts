// What accounts used, by day in UTC: counted where it is written, by one statement a batch, and never by scanning. Deliveries are
// counted by the statement that writes their tries (store/webhooks/deliveries.ts).
import type { ContractUsage, DeliveryUsage, StoredUsage } from '../../domain/account/usage.ts'
import { insertRows, int8, time, word } from '../../platform/columns.ts'
import type { Row, Statement } from '../../platform/db.ts'
import { OWNER } from '../columns.ts'
import type { AccountKey } from './accounts.ts'

/** `atMs`: the moment of the batch, whose day it is. */
export type UsageRow = AccountKey & ContractUsage & { readonly atMs: number; readonly currency: string }

/** The day of a moment in UTC. */
const day = {
  ...time((row: UsageRow) => row.atMs),
  stored: (name: string) => `(to_timestamp(${name} / 1000) at time zone 'utc')::date`,
}

const COUNTED = {
  transfers_created: int8((row: UsageRow) => row.transfersCreated),
  transfers_completed: int8((row: UsageRow) => row.transfersCompleted),
  transfers_failed: int8((row: UsageRow) => row.transfersFailed),
  payments_created: int8((row: UsageRow) => row.paymentsCreated),
  payments_paid: int8((row: UsageRow) => row.paymentsPaid),
  out_minor: int8((row: UsageRow) => row.outMinor),
  in_minor: int8((row: UsageRow) => row.inMinor),
}

const added = Object.keys(COUNTED).map((name) => `${name} = usage_contracts.${name} + excluded.${name}`)

/** Adds to what is counted already. The accounts are held, so nobody else adds at the moment. */
export const countContracts = insertRows(
  'count_contracts',
  'usage_contracts',
  { ...OWNER, day, currency: word((row: UsageRow) => row.currency), ...COUNTED },
  `on conflict (lane, account_id, day, currency) do update set ${added.join(', ')}`,
)

/** The days of an account with what was used of each currency; days as YYYY-MM-DD, both included. */
export function contractUsage({ lane, accountId }: AccountKey, from: string, to: string): Statement {
  return {
    name: 'contract_usage',
    text: `select u.day::text as day, u.currency, u.transfers_created::float8, u.transfers_completed::float8,
                  u.transfers_failed::float8, u.payments_created::float8, u.payments_paid::float8,
                  u.out_minor::text as out_minor, u.in_minor::text as in_minor
             from usage_contracts u
            where u.lane = $1 and u.account_id = $2 and u.day between $3::date and $4::date
            order by u.day, u.currency`,
    values: [lane, accountId, from, to],
  }
}

export function usageFrom(row: Row): StoredUsage {
  return {
    day: row['day'] as string,
    currency: row['currency'] as string,
    transfersCreated: row['transfers_created'] as number,
    transfersCompleted: row['transfers_completed'] as number,
    transfersFailed: row['transfers_failed'] as number,
    paymentsCreated: row['payments_created'] as number,
    paymentsPaid: row['payments_paid'] as number,
    outMinor: BigInt(row['out_minor'] as string),
    inMinor: BigInt(row['in_minor'] as string),
  }
}

export function deliveryUsage({ lane, accountId }: AccountKey, from: string, to: string): Statement {
  return {
    name: 'delivery_usage',
    text: `select u.day::text as day, u.delivered::float8, u.failed::float8
             from usage_deliveries u
            where u.lane = $1 and u.account_id = $2 and u.day between $3::date and $4::date`,
    values: [lane, accountId, from, to],
  }
}

export function deliveryUsageFrom(row: Row): DeliveryUsage {
  return { day: row['day'] as string, delivered: row['delivered'] as number, failed: row['failed'] as number }
}
