// Who sees what of a contract. The API key of its account sees all of it; the holder of a token sees what a customer
// may: how far the money is, not what it costs the account, the details of its activities, nor what opens something.
// The list is in docs/payments.md, and grows there first.
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

/** The contract as the caller may see it. `profileId` is its account's. */
export function presentFor(request: FastifyRequest, presenter: Presenter, contract: Contract, profileId: string) {
  const viewer = viewerOf(request)
  return viewer === 'owner' ? whole : paymentSeen(whole, viewer)
}

/** What happens to a contract; how it came about is for the account alone. */
const SHOWN: ReadonlySet<string> = new Set<Activity['type']>([
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

type Whole = ReturnType<typeof presentTransfer> | ReturnType<typeof presentPayment>
type ShownActivity = Whole['activities'][number]

function sharedSeen({ channel, preview, payment, activities, cancellation }: Whole) {
  const shown = activities.filter(({ type }) => SHOWN.has(type)).map(withoutDetails)
  return {
    channel: channel && { ...channel, fees: null },
    preview: { ...preview, fees: null, receive_amount: null },
    payment: payment && { ...payment, details: withoutDetails(payment.details) },
    activities: shown,
    activities_total: shown.length,
    metadata: {},
    cancellation: cancellation && { ...cancellation, reason: null },
  } satisfies Partial<Wire<typeof SharedContract>>
}

function withoutDetails<T extends Omit<ShownActivity, 'parent'>>(activity: T) {
  return { ...activity, proxy: null, resource: { ...activity.resource, data: {} } }
}

function transferSeen(whole: OwnersTransfer): Wire<typeof TransferContract> {
  const transfer = { ...whole.transfer, reference: null, submitted_at: null, failure: null }
  return { ...whole, ...sharedSeen(whole), transfer }
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
    refunds: whole.refunds.map((refund) => ({ ...refund, transfer_id: null })),
    checkout_url: null,
  }
}
