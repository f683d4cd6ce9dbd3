// Who sees what of a contract. The API key of its account sees all of it; whoever holds a token sees what a customer may: how
// far the money is, not what it costs the account, what its history is made of, nor what opens something. The list is in
// docs/payments.md, and grows there first.
import type { FastifyRequest } from 'fastify'
import type { Payment } from '../domain/payment/payment.ts'
import type { Activity, Transfer } from '../domain/transfer/transfer.ts'
import type { Activity as Line } from '../wire/activities.ts'
import type { OwnersShared, SharedContract } from '../wire/contract.ts'
import { type OwnersPayment, type PaymentContract, presentPayment } from '../wire/payment.ts'
import type { Wire } from '../wire/shapes.ts'
import { type OwnersTransfer, type Presenter, presentTransfer, type TransferContract } from '../wire/transfer.ts'

/** `reader`: a bearer token of the account. `payer`: the token of one payment contract. */
type Viewer = 'owner' | 'reader' | 'payer'

function viewerOf({ payerOf, caller }: FastifyRequest): Viewer {
  if (payerOf !== null) return 'payer'
  return caller?.by === 'token' ? 'reader' : 'owner'
}

/** The contract as whoever asks may see it. `profileId` is its account's. */
export function transferFor(
  request: FastifyRequest,
  presenter: Presenter,
  contract: Transfer,
  profileId: string,
): Wire<typeof TransferContract> {
  const whole = presentTransfer(presenter, contract, profileId)
  return viewerOf(request) === 'owner' ? whole : transferSeen(whole)
}

export function paymentFor(
  request: FastifyRequest,
  presenter: Presenter,
  payment: Payment,
  profileId: string,
): Wire<typeof PaymentContract> {
  const whole = presentPayment(presenter, payment, profileId)
  const viewer = viewerOf(request)
  return viewer === 'owner' ? whole : paymentSeen(whole, viewer)
}

/** What happens to a contract; how it came about is the account's business. */
const TOLD: ReadonlySet<string> = new Set<Activity['type']>([
  'created',
  'issued',
  'paid',
  'completed',
  'returned',
  'refunded',
  'cancelled',
  'expired',
  'payment_refunded',
  'payment_returned',
])

function sharedSeen({ channel, preview, payment, activities, cancellation }: OwnersShared) {
  const told = activities.filter(({ type }) => TOLD.has(type)).map(withoutDetails)
  return {
    channel: channel && { ...channel, fees: null },
    preview: { ...preview, fees: null, receive_amount: null },
    payment: payment && { ...payment, details: withoutDetails(payment.details) },
    activities: told,
    activities_total: told.length,
    metadata: {},
    wallet_id: null,
    recipient_profile: null,
    issued_to_profile: null,
    cancellation: cancellation && { ...cancellation, reason: null },
  } satisfies Partial<Wire<typeof SharedContract>>
}

function withoutDetails(line: Wire<typeof Line>): Wire<typeof Line> {
  return { ...line, proxy: null, resource: { ...line.resource, data: {} } }
}

function transferSeen(whole: OwnersTransfer): Wire<typeof TransferContract> {
  const transfer = { ...whole.transfer, reference: null, submitted_at: null, failure: null }
  return { ...whole, ...sharedSeen(whole), transfer, approval: null }
}

function paymentSeen(whole: OwnersPayment, viewer: 'reader' | 'payer'): Wire<typeof PaymentContract> {
  return {
    ...whole,
    ...sharedSeen(whole),
    attempts: whole.attempts.map((attempt) => ({
      ...attempt,
      reference: null,
      fee: null,
      provider_id: null,
      details: viewer === 'payer' ? attempt.details : {},
    })),
    // It opens the payment: a reader is not to pay.
    next_action: viewer === 'payer' ? whole.next_action : null,
    settles_at: null,
    payer_profile: null,
    refunds: whole.refunds.map((refund) => ({ ...refund, transfer_id: null })),
    checkout_url: null,
  }
}
