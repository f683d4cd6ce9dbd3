// A payment contract on the wire: the members of a transfer contract (spec 2.1), and what a payer and a merchant need beside.
import { LRUCache } from 'lru-cache'
import { type ChannelFacts, inbound } from '../domain/channel/channel.ts'
import type { NextAction } from '../domain/channel/collection.ts'
import { majorNumber } from '../domain/money/money.ts'
import {
  currentAttempt,
  type PaymentRefund,
  isLiveAttempt,
  type Payment,
  type PaymentAttempt,
} from '../domain/payment/payment.ts'
import type { Preview } from '../domain/contract/preview.ts'
import { assetDue } from '../domain/money/quotes.ts'
import { qrSvg } from '../formats/qr-image.ts'
import { presentActivities } from './activities.ts'
import { presentContractChannel, presentPreview } from './channels.ts'
import { type Presenter, presentCancellation, presentDeliverable } from './transfer.ts'
import { iso, isoOrNull } from './times.ts'

/** The payment contract as every reply and event shows it. `profileId` is its account's. */
export function presentPayment(presenter: Presenter, payment: Payment, profileId: string) {
  const { terms } = payment
  const major = (minor: bigint) => majorNumber(minor, terms.currency)
  const channel = channelOf(presenter, payment)
  const told = presentActivities(payment, profileId)
  const attempt = currentAttempt(payment)
  return {
    id: payment.id,
    kind: 'payment',
    livemode: payment.livemode,
    amount: major(terms.amountMinor),
    currency: terms.currency,
    status: payment.status,
    issued_by: profileId,
    issued_to: terms.issuedTo,
    issued_at: iso(payment.issuedAt),
    paid_by: paidBy(payment),
    paid_at: isoOrNull(payment.paidAt),
    expires_at: iso(payment.expiresAt),
    description: terms.description,
    deliverable: presentDeliverable(terms.deliverable),
    recipient: terms.recipient,
    channel: channel && presentContractChannel(presenter.baseUrl, channel, terms.currency),
    payment: told.payment,
    activities: told.activities,
    activities_total: told.activities_total,
    metadata: terms.metadata ?? {},
    preview: previewOfPayment(presenter, payment, channel),
    attempts: payment.attempts.map((each) => presentAttempt(each, terms.currency)),
    next_action: payment.status === 'issued' && attempt && isLiveAttempt(attempt) ? actionOf(attempt) : null,
    amount_received: major(payment.receivedMinor),
    amount_in_suspense: major(payment.suspenseMinor),
    amount_refunded: major(payment.refundedMinor),
    settles_at: payment.status === 'paid' ? isoOrNull(payment.settlesAt) : null,
    completed_at: isoOrNull(payment.completedAt),
    refunds: payment.refunds.map(presentGivenBack),
    return_url: payment.returnUrl,
    checkout_url: presenter.checkoutUrl(payment.id),
    cancellation: presentCancellation(payment),
    created_at: iso(payment.createdAt),
    updated_at: iso(payment.updatedAt),
    version: payment.version,
  }
}

/** The profile of the account whose wallet paid; of any other payer nobody knows one. */
function paidBy({ paidAttempt, attempts }: Payment): string | null {
  return paidAttempt === null ? null : (attempts[paidAttempt - 1]?.details['payer_profile'] ?? null)
}

function channelOf({ channels }: Presenter, { terms, channelVersion }: Payment): ChannelFacts | null {
  if (terms.channelId === null || channelVersion === null) return null
  const channel = channels.at(terms.channelId, channelVersion)
  return channel ? inbound(channel) : null
}

/** What the payer pays by the method that is chosen, in its asset too, and what arrives of it; before a choice, the amount alone. */
function previewOfPayment({ baseUrl }: Presenter, payment: Payment, channel: ChannelFacts | null) {
  const { feeMinor, debitMinor, terms, warnings, settlesAt, completedAt } = payment
  const preview: Preview = { feeMinor, debitMinor, receiveMinor: debitMinor - feeMinor, messages: [] }
  const notes = channel === null && payment.status === 'issued' ? [UNCHOSEN, ...warnings] : warnings
  const quote = currentAttempt(payment)?.quote ?? null
  const arrivesAt = completedAt ?? settlesAt
  const shown = presentPreview(baseUrl, preview, terms.currency, channel, { arrivesAt, notes, quote })
  if (!quote || !shown.asset) return shown
  const due = assetDue(debitMinor, terms.currency, quote)
  return { ...shown, asset: { ...shown.asset, amount: 'text' in due ? due.text : null } }
}

const UNCHOSEN = {
  code: 'method_not_chosen',
  type: 'info',
  message: 'The payer has not chosen how to pay; the fee is that of the method.',
} as const

/** Details that are the payer's own, or open something, stay here. */
const SHOWN_DETAILS = new Set(['mobile', 'asset', 'network', 'scheme', 'wallet_id'])

function presentAttempt(attempt: PaymentAttempt, currency: string) {
  const { number, kind, channelId, reference, status, providerId, failure, shown, details } = attempt
  const told = Object.entries(details).filter(([name]) => SHOWN_DETAILS.has(name))
  return {
    number,
    type: kind,
    channel: channelId,
    reference,
    status,
    amount: majorNumber(attempt.debitMinor, currency),
    fee: majorNumber(attempt.feeMinor, currency),
    provider_id: providerId,
    details: { ...Object.fromEntries(told), ...shown },
    failure,
    created_at: iso(attempt.createdAt),
  }
}

function presentGivenBack({ transferId, from, amountMinor, currency, status, at }: PaymentRefund) {
  const amount = majorNumber(amountMinor, currency)
  return { transfer_id: transferId, from, amount, currency, status, created_at: iso(at) }
}

/** What the payer does next, with the image of a code. */
function actionOf({ nextAction }: PaymentAttempt) {
  return nextAction && presentAction(nextAction)
}

function presentAction(action: NextAction) {
  switch (action.type) {
    case 'redirect':
      return { type: action.type, url: action.url, expires_at: isoOrNull(action.expiresAt) }
    case 'display_qr':
      return {
        type: action.type,
        data: action.data,
        svg: svgOf(action.data, 'QR code to pay'),
        expires_at: iso(action.expiresAt),
      }
    case 'display_address': {
      const { type, address, amount, asset, network, uri, confirmations, expiresAt } = action
      const svg = svgOf(uri, 'QR code of the address to pay to')
      return { type, address, amount, asset, network, uri, svg, confirmations, expires_at: iso(expiresAt) }
    }
  }
}

// A code is shown again with every look at its contract: the newest ones are kept.
const svgs = new LRUCache<string, string, string>({
  max: 500,
  memoMethod: (data, _, { context }) => qrSvg(data, context),
})

const svgOf = (data: string, title: string): string => svgs.memo(data, { context: title })
