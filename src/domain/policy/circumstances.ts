// A transfer as its policies see it, and what it adds to what was paid lately. Pure: the write path and a rehearsal both build
// on it.
import type { Transfer } from '../transfer/transfer.ts'
import type { Circumstances } from './condition.ts'
import {
  EMPTY_METER,
  firstPaid,
  type Meter,
  type MeterName,
  COUNTED_BY,
  type CountedBy,
  recipientSubject,
  SPANS,
  type Spent,
  spentWithin,
} from './meters.ts'

/** Who pays, from which wallet, and when. */
export type Payer = {
  readonly keyId: string | null
  readonly memberId: string | null
  readonly walletId: string | null
}

export type Moment = { readonly nowMs: number; readonly local: Circumstances['local'] }

/** The subject under which a transfer is counted; null where it has none. */
function subjectOf(by: CountedBy, { terms }: Pick<Transfer, 'terms'>, payer: Payer): string | null {
  switch (by) {
    case 'account':
      return ''
    case 'recipient':
      return recipientSubject(terms.recipient)
    case 'key':
      return payer.memberId ?? payer.keyId
    case 'wallet':
      return payer.walletId
    case 'channel':
      return terms.channelId
  }
}

/** Every meter that a transfer may be counted in: a few dozen names. Which of them are kept, {@link Look} says. */
export function metersOf(transfer: Pick<Transfer, 'terms'>, payer: Payer): MeterName[] {
  const { currency } = transfer.terms
  return COUNTED_BY.flatMap((by) => {
    const subject = subjectOf(by, transfer, payer)
    if (subject === null) return []
    if (by === 'channel') return [{ by, subject, span: '30_days', currency }]
    const names: MeterName[] = SPANS.flatMap((span) => [
      { by, subject, span, currency },
      { by, subject, span, currency: null },
    ])
    return by === 'recipient' ? [...names, { by, subject, currency: null, span: 'ever' }] : names
  })
}

/** The circumstances in which a transfer is to be paid. `destinationSince`: of the saved destination; null where none was used. */
export function circumstancesOf(
  transfer: Pick<Transfer, 'terms'>,
  payer: Payer,
  { nowMs, local }: Moment,
  destinationSince: number | null,
  meterOf: (name: MeterName) => Meter | undefined,
): Circumstances {
  const { terms } = transfer
  const meterBy = (by: CountedBy, span: MeterName['span'], currency: string | null): Meter => {
    const subject = subjectOf(by, transfer, payer)
    return (subject === null ? undefined : meterOf({ by, subject, currency, span })) ?? EMPTY_METER
  }
  return {
    amountMinor: terms.amountMinor,
    currency: terms.currency,
    channelId: terms.channelId,
    country: terms.recipient?.country ?? null,
    profileId: terms.recipientProfile?.profile ?? null,
    keyId: payer.keyId,
    memberId: payer.memberId,
    get knownSince() {
      return destinationSince ?? firstPaid(meterBy('recipient', 'ever', null))
    },
    nowMs,
    local,
    spent: (by, span, currency): Spent => spentWithin(meterBy(by, span, currency), span, nowMs),
    get volumeMinor() {
      return spentWithin(meterBy('channel', '30_days', terms.currency), '30_days', nowMs).sumMinor
    },
  }
}

/** What a step of a transfer adds to its meters, and when that was paid; null for most. What refunds a payment is not counted. */
export function spendingOf(before: Transfer, after: Transfer): (Spent & { readonly atMs: number }) | null {
  if (after.origin !== null || after.paidAt === null) return null
  const { amountMinor } = after.terms
  if (before.paidAt === null) return { sumMinor: amountMinor, count: 1, atMs: after.paidAt }
  if (after.status === 'cancelled' && before.status !== 'cancelled')
    return { sumMinor: -amountMinor, count: -1, atMs: after.paidAt }
  return null
}

/** By whom and from which wallet a transfer was paid, as its history says; null before it is. */
export function payerOf({ activities, walletId, paidAt }: Transfer): string | null {
  if (paidAt === null || walletId === null) return null
  return activities.find(({ type }) => type === 'paid')?.proxy ?? null
}
