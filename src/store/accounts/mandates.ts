// Mandates as they are stored with their keys, and what has left by them.
import type { Mandate, MandateLimit, Payee, Spent } from '../../domain/mandate/mandate.ts'
import { insertRows, int8, word } from '../../platform/columns.ts'
import { OWNER, type OwnedKey } from '../columns.ts'

/** Of a row k of api_keys: what has left by its mandate, as JSON; null where it has none. */
export const spendingIn = (lane: string): string => `case when k.mandate is null then null else (
    select coalesce(json_agg(json_build_array(s.currency, s.spent_minor::text, s.count)), '[]')
      from mandate_spending s
     where ${lane} and s.account_id = k.account_id and s.key_id = k.mandate ->> 'key_id') end as spending`

type StoredLimit = {
  readonly currency: string
  readonly total_minor: string
  readonly per_transfer_minor: string | null
  /** Absent in mandates from before there was one. */
  readonly approval_above_minor?: string | null
}
type StoredMandate = {
  readonly key_id: string
  readonly limits: readonly StoredLimit[]
  readonly recipients: readonly Payee[] | null
  readonly profiles: readonly string[] | null
  readonly channels: readonly string[] | null
  readonly until: number | null
}

export function storedMandate(mandate: Mandate | null): string | null {
  if (mandate === null) return null
  const { keyId, limits, ...others } = mandate
  const stored: StoredMandate = { key_id: keyId, limits: limits.map(storedLimit), ...others }
  return JSON.stringify(stored)
}

const storedLimit = (limit: MandateLimit): StoredLimit => ({
  currency: limit.currency,
  total_minor: String(limit.totalMinor),
  per_transfer_minor: textOrNull(limit.perTransferMinor),
  approval_above_minor: textOrNull(limit.approvalAboveMinor),
})

const textOrNull = (minor: bigint | null): string | null => (minor === null ? null : String(minor))

export function mandateFrom(stored: unknown): Mandate | null {
  if (stored === null) return null
  const { key_id: keyId, limits, ...others } = stored as StoredMandate
  return { keyId, limits: limits.map(limitFrom), ...others }
}

const limitFrom = (stored: StoredLimit): MandateLimit => ({
  currency: stored.currency,
  totalMinor: BigInt(stored.total_minor),
  perTransferMinor: minorOrNull(stored.per_transfer_minor),
  approvalAboveMinor: minorOrNull(stored.approval_above_minor ?? null),
})

const minorOrNull = (text: string | null): bigint | null => (text === null ? null : BigInt(text))

type StoredSpent = readonly [currency: string, spentMinor: string, count: number]

export function spendingFrom(stored: unknown): readonly Spent[] {
  return ((stored ?? []) as readonly StoredSpent[]).map(([currency, spent, count]) => ({
    currency,
    spentMinor: BigInt(spent),
    count,
  }))
}

export type SpendingRow = Pick<OwnedKey, 'lane' | 'accountId'> & Spent & { readonly keyId: string }

/** Writes what has left in all. The accounts are held, so nobody else adds at the moment. */
export const saveSpending = insertRows(
  'save_spending',
  'mandate_spending',
  {
    ...OWNER,
    key_id: word((row: SpendingRow) => row.keyId),
    currency: word((row: SpendingRow) => row.currency),
    spent_minor: int8((row: SpendingRow) => row.spentMinor),
    count: int8((row: SpendingRow) => row.count),
  },
  'on conflict (lane, account_id, key_id, currency) do update set spent_minor = excluded.spent_minor, count = excluded.count',
)
