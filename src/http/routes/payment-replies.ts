// A payment contract as the answer to what was asked of it.
import type { FastifyReply } from 'fastify'
import { declineOf, type Paid } from '../../app/payments/payments.ts'
import type { Payment } from '../../domain/payment/payment.ts'
import { PaymentReply } from '../../wire/payment.ts'
import { type Context, contractOrRefuse } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { type ReplyOf, succeed } from '../replies.ts'
import { tagged } from '../request/versions.ts'
import { paymentFor } from '../views.ts'

export type PaymentSent = ReplyOf<typeof PaymentReply>

/** A payment's answer; one that its rail declined at once is refused, though the attempt is kept. */
export async function answerPayment(
  context: Context,
  reply: PaymentSent,
  paid: Paid,
  words: string,
): Promise<FastifyReply> {
  const done = contractOrRefuse(reply, paid)
  if (done?.contract.kind !== 'payment') return reply
  const declined = declineOf(done.contract)
  return declined ? sendRefusal(reply, declined) : presentPayment(context, reply, done.contract, words)
}

export async function presentPayment(
  { deps, presenter }: Context,
  reply: PaymentSent,
  payment: Payment,
  words: string,
): Promise<FastifyReply> {
  const { profileId } = await deps.merchantOf(payment)
  const contract = paymentFor(reply.request, presenter, payment, profileId)
  tagged(reply, payment)
  return succeed(reply, 200, words, { contract })
}
