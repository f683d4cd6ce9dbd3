// Who sees what of a contract. The API key of its account sees all of it; whoever holds a token sees what a customer may: how
// far the money is, not what it costs the account, what its history is made of, nor what opens something. The list is in
// docs/payments.md, and grows there first.
import type { FastifyRequest } from 'fastify'
import type { Contract } from '../domain/contract/contract.ts'
import type { Activity } from '../domain/transfer/transfer.ts'
import { presentContract } from '../wire/present.ts'
import { presentPayment } from '../wire/payment.ts'
import { type Presenter, presentTransfer } from '../wire/transfer.ts'

/** `reader`: a bearer token of the account. `payer`: the token of one payment contract. */
type Viewer = 'owner' | 'reader' | 'payer'

function viewerOf({ payerOf, caller }: FastifyRequest): Viewer {
  if (payerOf !== null) return 'payer'
  return caller?.by === 'token' ? 'reader' : 'owner'
}

/** The contract as whoever asks may see it. `profileId` is its account's. */
export function presentFor(request: FastifyRequest, presenter: Presenter, contract: Contract, profileId: string) {
  const viewer = viewerOf(request)
  if (viewer === 'owner') return presentContract(presenter, contract, profileId)
  return contract.kind === 'payment'
    ? paymentSeen(presentPayment(presenter, contract, profileId), viewer)
    : transferSeen(presentTransfer(presenter, contract, profileId))
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

type Whole = ReturnType<typeof presentTransfer> | ReturnType<typeof presentPayment>
type Line = Whole['activities'][number]

function sharedSeen({ channel, preview, payment, activities, cancellation }: Whole) {
  const told = activities.filter(({ type }) => TOLD.has(type)).map(withoutDetails)
  return {
    channel: channel && { ...channel, fees: null },
    preview: { ...preview, fees: null, receive_amount: null },
    payment: payment && { ...payment, details: withoutDetails(payment.details) },
    activities: told,
    activities_total: told.length,
    metadata: {},
    cancellation: cancellation && { ...cancellation, reason: null },
  }
}

function withoutDetails<T extends Omit<Line, 'parent'>>(line: T) {
  return { ...line, proxy: null, resource: { ...line.resource, data: {} } }
}

function transferSeen(whole: ReturnType<typeof presentTransfer>) {
  const transfer = { ...whole.transfer, reference: null, submitted_at: null, failure: null }
  return { ...whole, ...sharedSeen(whole), transfer }
}

function paymentSeen(whole: ReturnType<typeof presentPayment>, viewer: 'reader' | 'payer') {
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
