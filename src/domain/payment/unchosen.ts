// Provider events about a contract whose payer chose nothing here: paid or declined at the provider's own page, it has
// the price of the channel that it came by, and a failure is an attempt like any other. Pure.
import type { ChannelFacts } from '../channel/channel.ts'
import { inbound } from '../channel/channel.ts'
import { chargeOf } from '../money/fees.ts'
import { attemptReference } from '../contract/ids.ts'
import type { PaymentReport } from './commands.ts'
import type { PaymentFacts } from './decision.ts'
import type { Payment, PaymentAttempt } from './payment.ts'

/** More failures than this are not recorded: the payer must have room to try here. */
const FAILURES_MAX = 10

export type Price = { readonly feeMinor: bigint; readonly debitMinor: bigint }

/**
 * The price of an amount that came without an attempt of ours: by its channel. A fee that the payer bears is part of
 * what came, or is taken out of it where exactly the contract's amount came, which is all that this payer was charged.
 */
export function priceUnchosen(
  { terms, channelFixed, feeMinor, debitMinor }: Payment,
  channelId: string,
  amountMinor: bigint,
  { channels }: Pick<PaymentFacts, 'channels'>,
): Price {
  // It was priced when it was made.
  if (channelFixed && terms.channelId === channelId) return { feeMinor, debitMinor }
  const channel = channels.current(channelId)
  const priced = channel && inbound(channel)
  const fees = priced?.terms.get(terms.currency)?.fees
  if (!priced || !fees) return { feeMinor: 0n, debitMinor: terms.amountMinor }
  const onTop = chargeOf(fees, terms.amountMinor, 'payer')
  if (priced.covered && amountMinor !== terms.amountMinor) return onTop
  const takenOut = chargeOf(fees, terms.amountMinor, 'recipient')
  // So small an amount that its fee would take all of it has none.
  return takenOut.receiveMinor > 0n ? takenOut : { feeMinor: 0n, debitMinor: terms.amountMinor }
}

/** Whether the payer, or the account for it, ever chose a way to pay here. */
export function hasChosen(payment: Payment): boolean {
  return firstChosen(payment) !== null
}

/** The number of the first attempt that was chosen: those before it are failures that a provider reported. */
function firstChosen({ activities }: Payment): number | null {
  const started = activities.find(({ type }) => type === 'attempt_started')?.data?.['attempt']
  return typeof started === 'number' ? started : null
}

/** Whether an attempt was chosen here; else it is a failure that a provider reported. */
export function isChosen(payment: Payment, { number }: PaymentAttempt): boolean {
  const first = firstChosen(payment)
  return first !== null && number >= first
}

/** The attempt that a report is about: the one that it names, or the earlier reported failure of the same payment. */
export function attemptOfReport(payment: Payment, { attempt, objectId }: PaymentReport): PaymentAttempt | null {
  const named = attempt === null ? undefined : payment.attempts[attempt - 1]
  if (named && isChosen(payment, named)) return named
  return payment.attempts.find((each) => each.providerId === objectId && !isChosen(payment, each)) ?? null
}

/**
 * The failed attempt that an event makes of itself; null where the payer chose something here, whose failure it may be, or
 * where the event names no channel that brings money in.
 */
export function failedUnchosen(
  payment: Payment,
  report: PaymentReport,
  { channels, nowMs }: PaymentFacts,
): PaymentAttempt | null {
  const channelId = report.channelId ?? payment.terms.channelId
  const channel = channelId === null ? undefined : channels.current(channelId)
  if (payment.status !== 'issued' || report.attempt !== null || !channel?.collect || hasChosen(payment)) return null
  const isKnown = payment.attempts.some(({ providerId }) => providerId === report.objectId)
  if (isKnown || payment.attempts.length >= FAILURES_MAX) return null
  return attemptOf(payment, channel, report, channel.collect.kind, { channels, nowMs })
}

function attemptOf(
  payment: Payment,
  channel: ChannelFacts,
  { objectId }: PaymentReport,
  kind: PaymentAttempt['kind'],
  { channels, nowMs }: Pick<PaymentFacts, 'channels' | 'nowMs'>,
): PaymentAttempt {
  const number = payment.attempts.length + 1
  const { feeMinor, debitMinor } = priceUnchosen(payment, channel.id, payment.terms.amountMinor, { channels })
  return {
    number,
    kind,
    channelId: channel.id,
    channelVersion: channel.version,
    reference: attemptReference(payment.id, number),
    // Until the failure is recorded on it.
    status: 'processing',
    feeMinor,
    debitMinor,
    quote: null,
    details: {},
    shown: {},
    providerId: objectId,
    nextAction: null,
    receivedUnits: 0n,
    failure: null,
    superseded: false,
    createdAt: nowMs,
  }
}
