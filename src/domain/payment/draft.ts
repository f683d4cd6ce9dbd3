// A payment contract as it opens, and the payer's choice of how to pay. Pure.
import { isForMode, mendOf, refuseOtherMode } from '../channel/modes.ts'
import { bringingIn, type ChannelBook, type ChannelFacts, inbound, versionIn } from '../channel/channel.ts'
import type { PaymentMethod } from '../channel/collection.ts'
import { activity } from '../contract/decision.ts'
import { attemptReference } from '../contract/ids.ts'
import { isLiveAttempt, type Payment, type PaymentAttempt } from './payment.ts'
import type { ChoosePayment, CreatePayment } from './commands.ts'
import { jobDue, mustClose, type PaymentDecision, type PaymentFacts, paymentMoved, unchanged } from './decision.ts'
import { isValid, previewDifference, previewOf, problemsOf } from '../contract/preview.ts'
import { type Quote, quoteFrom } from '../money/quotes.ts'
import { invalid, isRefusal, type Refusal, refuse, refuseAll } from '../contract/refusals.ts'
import type { Message, Terms } from '../transfer/transfer.ts'
import type { Wallet } from '../wallet/wallet.ts'

/** 30 minutes (docs/design/domain.md). */
const EXPIRES_IN_SECONDS_DEFAULT = 1800
const PAYMENT_ATTEMPTS_MAX = 20

/** A new payment contract: issued at once, for only amount and currency are required. */
export function decideCreatePayment(
  command: CreatePayment,
  lane: number,
  accountId: string,
  facts: PaymentFacts,
): PaymentDecision | Refusal {
  const { nowMs } = facts
  const { terms, livemode } = command
  const channel = terms.channelId === null ? null : collecting(terms.channelId, livemode, facts.channels)
  if (isRefusal(channel)) return channel
  const wallet = walletFor(command, facts)
  if (isRefusal(wallet)) return wallet
  const priced = channel && inbound(channel)
  const preview = previewOf(terms, priced)
  if (priced && !isValid(preview)) {
    const [first, ...others] = problemsOf(preview)
    if (first) return refuseAll([first, ...others])
  }
  const unpriced = { ...preview, messages: [] }
  const shown = priced ? preview : unpriced
  const difference = command.preview && previewDifference(command.preview, shown, terms.currency, priced)
  const payment: Payment = {
    ...EMPTY,
    id: command.id,
    lane,
    accountId,
    livemode,
    terms,
    channelFixed: terms.channelId !== null,
    channelVersion: channel?.version ?? null,
    feeMinor: preview.feeMinor,
    debitMinor: preview.debitMinor,
    walletId: wallet.id,
    returnUrl: command.returnUrl,
    warnings: difference ? [...command.warnings, mismatch(difference)] : command.warnings,
    createdAt: nowMs,
    updatedAt: nowMs,
    expiresAt: nowMs + (command.expiresInSeconds ?? facts.expiresInSeconds ?? EXPIRES_IN_SECONDS_DEFAULT) * 1000,
    issuedAt: nowMs,
  }
  const lines = [activity('created', nowMs, 'account'), activity('issued', nowMs, 'account')]
  const created = paymentMoved(payment, nowMs, {}, lines, 'contract.issued')
  if (!command.method) return created
  const { id, method, leaseMs } = command
  const chosen = decideChoose(created.after, { verb: 'choose', id, method, actor: 'account', leaseMs }, facts)
  return isRefusal(chosen) ? chosen : { ...created, next: chosen }
}

/** What comes in must have a place, frozen with the contract: without one it could not even be booked as suspense. */
function walletFor({ walletId, terms: { currency } }: CreatePayment, facts: PaymentFacts): Wallet | Refusal {
  const wallet = facts.wallet(walletId, currency)
  if (wallet?.currency === currency && wallet.status === 'open') return wallet
  if (walletId === null)
    return refuseAll([invalid('currency', `The account has no wallet in ${currency}. See GET /wallets.`)])
  const fault = wallet?.status === 'closed' ? 'is closed' : `is no ${currency} wallet of this account`
  return refuseAll([invalid('wallet', `wallet ${fault}. Give the id of an open one: GET /wallets.`)])
}

const mismatch = (message: string): Message => ({ code: 'preview_mismatch', type: 'warning', message })

const EMPTY = {
  kind: 'payment',
  status: 'issued',
  version: 0,
  sequence: 0,
  paidAt: null,
  completedAt: null,
  settlesAt: null,
  paidAttempt: null,
  paidBy: null,
  receivedMinor: 0n,
  paidMinor: 0n,
  pendingMinor: 0n,
  refundedMinor: 0n,
  suspenseMinor: 0n,
  unallocatedCount: 0,
  returnsHeld: false,
  heldMinor: 0n,
  attempts: [],
  refunds: [],
  cancellation: null,
  activities: [],
} as const

/** Begins an attempt. The same choice again, while its attempt is open, changes nothing. */
export function decideChoose(payment: Payment, command: ChoosePayment, facts: PaymentFacts): PaymentDecision | Refusal {
  const { nowMs } = facts
  const { method } = command
  if (payment.cancellation?.status === 'pending')
    return refuse('contract_cancelled', 'id', 'The contract is being cancelled. Create a new one.')
  const last = payment.attempts.at(-1)
  // What is to be closed, such as an address whose price is over, is no answer to a payer who wants to pay now.
  const isOpen = last !== undefined && isLiveAttempt(last) && !mustClose(payment, last, nowMs)
  if (isOpen && isSameChoice(last, method)) return unchanged(payment)
  // Also an attempt that another one followed: its payer went on with it, and the money is on the way.
  if (payment.attempts.some((each) => each.status === 'processing'))
    return refuse('payment_processing', 'payment', 'A payment is being processed. Wait for it before another is tried.')
  if (payment.attempts.length >= PAYMENT_ATTEMPTS_MAX)
    return refuse('payment_attempts_exhausted', 'payment', 'There were too many attempts. Create a new contract.')
  const attempt = attemptFor(payment, method, facts)
  if (isRefusal(attempt)) return attempt
  const { channelId, channelVersion, feeMinor, debitMinor, number, kind, reference } = attempt
  const attempts = payment.attempts.map((each) => (isLiveAttempt(each) ? { ...each, superseded: true } : each))
  const changes: Partial<Payment> = {
    terms: { ...payment.terms, channelId },
    channelVersion,
    feeMinor,
    debitMinor,
    attempts: [...attempts, attempt],
  }
  const line = activity('attempt_started', nowMs, command.actor, { attempt: number, type: kind, reference })
  const job = jobDue(payment, facts.job, nowMs + command.leaseMs)
  const written = { job: { ...job, fence: job.fence + 1, tries: 0 } }
  return paymentMoved(payment, nowMs, changes, [line], null, written)
}

function attemptFor(payment: Payment, method: PaymentMethod, facts: PaymentFacts): PaymentAttempt | Refusal {
  const { nowMs, channels } = facts
  const channel = channelFor(payment, method, channels)
  if (isRefusal(channel)) return channel
  if (channels.isFrozen?.(channel.id))
    return refuse('channel_unavailable', 'payment', 'The channel takes no payments at the moment. Choose another one.')
  // What comes in from a wallet leaves another one.
  if (method.kind === 'wallet' && channels.paysNothing?.(channel.id))
    return refuse(
      'channel_unavailable',
      'payment',
      'Payouts are paused, and with them payments from wallets: nothing was done. Pay another way, or try again later.',
    )
  const priced = inbound(channel)
  const terms: Terms = { ...payment.terms, channelId: channel.id }
  const preview = previewOf(terms, priced)
  const [first, ...others] = problemsOf(preview)
  if (first) return refuseAll([first, ...others])
  const number = payment.attempts.length + 1
  return {
    number,
    kind: method.kind,
    channelId: channel.id,
    channelVersion: channel.version,
    reference: attemptReference(payment.id, number),
    status: 'starting',
    feeMinor: preview.feeMinor,
    debitMinor: preview.debitMinor,
    quote: quoteFor(channel, payment, nowMs),
    details: method.details,
    shown: {},
    providerId: null,
    nextAction: null,
    receivedUnits: 0n,
    failure: null,
    superseded: false,
    createdAt: nowMs,
  }
}

/** The price holds no longer than the contract. */
function quoteFor({ asset }: ChannelFacts, { terms, expiresAt }: Payment, nowMs: number): Quote | null {
  const quote = asset && quoteFrom(asset, terms.currency, nowMs)
  return quote && { ...quote, expiresAt: Math.min(quote.expiresAt, expiresAt) }
}

const isSameChoice = (attempt: PaymentAttempt, { kind, details, channelId = attempt.channelId }: PaymentMethod) =>
  attempt.kind === kind &&
  attempt.channelId === channelId &&
  JSON.stringify(chosenIn(attempt.details)) === JSON.stringify(chosenIn(details))

/** What the payer chose. The transfer that a wallet pays by is none of it: two requests at once name one each, and one is made. */
const chosenIn = ({ transfer_id: _, ...chosen }: PaymentMethod['details']) => chosen

/** The channel that brings money in by the method: the fixed one, the one that the payer saw, or the first that takes the amount. */
function channelFor(payment: Payment, method: PaymentMethod, channels: ChannelBook): ChannelFacts | Refusal {
  const { terms, channelFixed, channelVersion, livemode } = payment
  const { details } = method
  if (channelFixed && terms.channelId !== null && channelVersion !== null) {
    const fixed = versionIn(channels, terms.channelId, channelVersion)
    const closed = whyNotIn(fixed, livemode, channels)
    if (closed) return closed
    if (fits(fixed, method)) return fixed
    if (details['hosted'] && fixed.collect?.kind === method.kind) return refuseAll([notHosted(fixed.name)])
    const kind = fixed.collect?.kind
    return refuseAll([invalid('payment.type', `The contract is paid through channel ${terms.channelId}: use ${kind}.`)])
  }
  const offered = bringingIn(channels).filter((each) => isForMode(each, livemode))
  const fit = offered.filter((each) => fits(each, method))
  const takesAmount = (each: ChannelFacts) => isValid(previewOf({ ...terms, channelId: each.id }, inbound(each)))
  const chosen = fit.find(takesAmount) ?? fit.find((each) => each.collect?.terms.has(terms.currency)) ?? fit[0]
  if (chosen) return chosen
  const other = bringingIn(channels).find((each) => fits(each, method))
  const crossing = other && refuseOtherMode(other, livemode, () => offered, 'payment.type')
  if (crossing) return crossing
  const tokenized = offered.find((each) => details['hosted'] && each.collect?.kind === method.kind)
  if (tokenized) return refuseAll([notHosted(tokenized.name)])
  const kinds = [...new Set(offered.map((each) => each.collect?.kind))].join(', ')
  const param = method.kind === 'crypto' && offered.some((each) => each.collect?.kind === 'crypto') ? 'asset' : 'type'
  const message =
    param === 'asset'
      ? `No channel takes this asset on this network. See collect in GET /channels.`
      : `No channel takes payments by ${method.kind} here. There are: ${kinds}.`
  return refuseAll([invalid(param === 'asset' ? 'payment.crypto.asset' : 'payment.type', message)])
}

const notHosted = (channel: string) =>
  invalid('payment.card.hosted', `${channel} has no page where payers type their card. Send a token: card.token.`)

/** Why money cannot come in by the channel that the contract is fixed to: as for money that goes out. */
function whyNotIn(channel: ChannelFacts, livemode: boolean, channels: ChannelBook): Refusal | null {
  const crossing = refuseOtherMode(channel, livemode, () => bringingIn(channels))
  if (crossing || channels.current(channel.id)) return crossing
  return refuse('payment_not_payable', 'channel', `Channel ${channel.id} is no longer offered. Create a new contract.`)
}

function fits(channel: ChannelFacts, { kind, details, channelId = channel.id }: PaymentMethod): boolean {
  if (channel.id !== channelId) return false
  if (channel.collect?.kind !== kind || (details['hosted'] && !channel.collect.hosted)) return false
  if (kind !== 'crypto') return true
  return (
    channel.asset?.asset.toLowerCase() === details['asset']?.toLowerCase() &&
    channel.asset?.network === details['network']
  )
}

function collecting(channelId: string, livemode: boolean, channels: ChannelBook): ChannelFacts | Refusal {
  const known = channels.current(channelId)
  if (known?.collect) return refuseOtherMode(known, livemode, () => bringingIn(channels)) ?? known
  const message = `channel ${JSON.stringify(channelId)} brings no money in. ${mendOf(livemode, bringingIn(channels))}`
  return refuseAll([invalid('channel', message)])
}
