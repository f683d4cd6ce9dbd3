// GET /contracts/{kind}/{id}/explain: where a contract's money is, who must act and by when, and what a cancel would do now.
import { contractNotFound } from '../../engine/execute.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { frozenChannels } from '../../store/operator/channels.ts'
import { payoutPauses } from '../../store/operator/payout-pauses.ts'
import { isPaused } from '../../domain/channel/payout-pauses.ts'
import type { Payouts } from '../../domain/contract/explain-transfer.ts'
import type { Attempt } from '../../domain/transfer/transfer.ts'
import type { Row } from '../../platform/db.ts'
import { contractWithJob, contractWithJobFrom } from '../../store/contracts/explained.ts'
import { IdParams } from '../../wire/api.ts'
import { PaymentExplanationReply, presentPaymentExplanation } from '../../wire/contracts/payment-explanation.ts'
import { ExplanationReply, presentExplanation } from '../../wire/explanation.ts'
import { type Context, described, guard } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { succeed } from '../replies.ts'
import { READ, readableContract, TAGS } from './reading.ts'

export function contractExplainRoutes(context: Context): void {
  explainTransfer(context)
  explainPayment(context)
}

function explainTransfer(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'transfers.explain',
    'Explain where a transfer’s money is, who must act and by when, and what a cancel would do now',
    TAGS.transfer,
    { params: IdParams, reply: ExplanationReply },
    READ,
    { refusals: ['contract_not_found'] },
  )
  app.get('/contracts/transfer/:id/explain', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const key = readableContract(request)
    if (isRefusal(key)) return sendRefusal(reply, key)
    const [found, frozen, paused] = await deps.reader.send([contractWithJob(key), frozenChannels(), payoutPauses()])
    const { contract, job } = found?.rows[0] ? contractWithJobFrom(found.rows[0]) : NONE
    if (contract?.kind !== 'transfer') return sendRefusal(reply, contractNotFound(contract))
    const attempt = job?.kind === 'payout' ? job : null
    const explanation = presentExplanation(contract, attempt, payoutsOf(attempt, frozen?.rows, paused?.rows))
    return succeed(reply, 200, 'Transfer explained.', { explanation })
  })
}

/** How payouts of the attempt's channel stand. */
function payoutsOf(attempt: Attempt | null, frozen: readonly Row[] = [], paused: readonly Row[] = []): Payouts {
  if (attempt === null) return 'flowing'
  const channels = (rows: readonly Row[]) => new Set(rows.map((row) => row['channel_id'] as string))
  if (channels(frozen).has(attempt.channelId)) return 'frozen'
  return isPaused(channels(paused), attempt.channelId) ? 'paused' : 'flowing'
}

const NONE = { contract: null, job: null }

function explainPayment(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'payments.explain',
    'Explain where a payment’s money is, who must act and by when, and what a cancel would do now',
    TAGS.payment,
    { params: IdParams, reply: PaymentExplanationReply },
    READ,
    { refusals: ['contract_not_found'] },
  )
  app.get('/contracts/payment/:id/explain', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const key = readableContract(request)
    if (isRefusal(key)) return sendRefusal(reply, key)
    const [found] = await deps.reader.send([contractWithJob(key)])
    const { contract, job } = found?.rows[0] ? contractWithJobFrom(found.rows[0]) : NONE
    if (contract?.kind !== 'payment') return sendRefusal(reply, contractNotFound(contract))
    const explanation = presentPaymentExplanation(contract, job?.kind === 'collection' ? job : null)
    return succeed(reply, 200, 'Payment explained.', { explanation })
  })
}
