// A transfer as its policies see it, and what it adds to what was paid lately. Pure: the write path and a rehearsal both build
// on it.
import { countedAs, type KeyLine } from '../account/key-line.ts'
import type { Transfer } from '../transfer/transfer.ts'
import type { Circumstances } from './condition.ts'
import {
  EMPTY_METER,
  firstPaid,
  type Meter,
  type MeterName,
  COUNTED_BY,
  type CountedBy,
  recipientSubjects,
  type Span,
  SPANS,
  type Spent,
  spentWithin,
} from './meters.ts'

/** Who pays, from which wallet, and when. */
export type Payer = {
  readonly keyId: string | null
  /** In whose place that key stands; null where none pays, or where nobody asks who does. */
  readonly keyLine: KeyLine | null
  readonly memberId: string | null
  readonly walletId: string | null
}

export type Moment = { readonly nowMs: number; readonly local: Circumstances['local'] }

/** The subjects under which a transfer is counted: of most one, none where it has none. */
function subjectsOf(by: CountedBy, { terms }: Pick<Transfer, 'terms'>, payer: Payer): readonly string[] {
  switch (by) {
    case 'account':
      return ['']
    case 'recipient':
      return recipientSubjects(terms.recipient).flat()
    case 'key':
      return present(payer.memberId ?? (payer.keyId === null ? null : countedAs(payer.keyId, payer.keyLine)))
    case 'wallet':
      return present(payer.walletId)
    case 'channel':
      return present(terms.channelId)
  }
}

const present = (subject: string | null): readonly string[] => (subject === null ? [] : [subject])

/** Every meter that a transfer may be counted in: a few dozen names. Which of them are kept, {@link Look} says. */
export function metersOf(transfer: Pick<Transfer, 'terms'>, payer: Payer): MeterName[] {
  const { currency } = transfer.terms
  const subjects = COUNTED_BY.flatMap((by) => subjectsOf(by, transfer, payer).map((subject) => ({ by, subject })))
  return subjects.flatMap(({ by, subject }): MeterName[] => {
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
  const metersBy = (by: CountedBy, span: Span, currency: string | null): Meter[] =>
    subjectsOf(by, transfer, payer).map((subject) => meterOf({ by, subject, currency, span }) ?? EMPTY_METER)
  const spentBy = (by: CountedBy, span: Span, currency: string | null): Spent =>
    mostOf(metersBy(by, span, currency).map((meter) => spentWithin(meter, span, nowMs)))
  const paidSince = (subject: string): number | null =>
    firstPaid(meterOf({ by: 'recipient', subject, currency: null, span: 'ever' }) ?? EMPTY_METER)
  return {
    amountMinor: terms.amountMinor,
    currency: terms.currency,
    channelId: terms.channelId,
    country: terms.recipient?.country ?? null,
    profileId: terms.recipientProfile?.profile ?? null,
    keyId: payer.keyId,
    keyLine: payer.keyLine,
    memberId: payer.memberId,
    get knownSince() {
      return (
        destinationSince ?? lastOf(recipientSubjects(terms.recipient).map((forms) => firstOf(forms.map(paidSince))))
      )
    },
    nowMs,
    local,
    spent: spentBy,
    get volumeMinor() {
      return spentBy('channel', '30_days', terms.currency).sumMinor
    },
  }
}

/** The most of any: no subject's limit is passed by another's. */
const mostOf = (all: readonly Spent[]): Spent =>
  all.reduce(
    (most, each) => ({
      sumMinor: each.sumMinor > most.sumMinor ? each.sumMinor : most.sumMinor,
      count: Math.max(each.count, most.count),
    }),
    { sumMinor: 0n, count: 0 },
  )

/** Since when one is known in any of its forms; null where in none. */
function firstOf(moments: readonly (number | null)[]): number | null {
  const known = moments.filter((moment) => moment !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** Since when all of them are known; null where one is not. */
function lastOf(moments: readonly (number | null)[]): number | null {
  const known = moments.filter((moment) => moment !== null)
  return moments.length === 0 || known.length < moments.length ? null : Math.max(...known)
}

/** Whether policies have a say in a transfer. What gives a payment's money back to whoever paid it is held up by none, and not counted. */
export const isRuled = ({ origin }: Pick<Transfer, 'origin'>): boolean => origin === null || origin.goes === 'elsewhere'

/** What a step of a transfer adds to its meters, and when that was paid; null for most. `before`: null for one that opens paid. */
export function spendingOf(before: Transfer | null, after: Transfer): (Spent & { readonly atMs: number }) | null {
  if (!isRuled(after) || after.paidAt === null) return null
  const { amountMinor } = after.terms
  if (before === null || before.paidAt === null) return { sumMinor: amountMinor, count: 1, atMs: after.paidAt }
  if (after.status === 'cancelled' && before.status !== 'cancelled')
    return { sumMinor: -amountMinor, count: -1, atMs: after.paidAt }
  return null
}

/** By whom and from which wallet a transfer was paid, as its history says; null before it is. */
function payerOf({ activities, walletId, paidAt }: Paying): string | null {
  if (paidAt === null || walletId === null) return null
  return activities.find(({ type }) => type === 'paid')?.proxy ?? null
}

const UUID_LENGTH = 36

export type Paying = Pick<Transfer, 'activities' | 'walletId' | 'paidAt'>

/** Who paid, as the contract's history names them: members by a UUID, keys by their ids. `lineOf`: in whose place a key stands. */
export function payerIn(transfer: Paying, lineOf: (keyId: string) => KeyLine | null): Payer {
  const proxy = payerOf(transfer)
  const isMember = proxy?.length === UUID_LENGTH
  const keyId = isMember ? null : proxy
  return {
    keyId,
    keyLine: keyId === null ? null : lineOf(keyId),
    memberId: isMember ? proxy : null,
    walletId: transfer.walletId,
  }
}
