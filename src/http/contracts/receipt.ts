// GET /contracts/{kind}/{id}/receipt: what a contract is and how it came there, signed, to be checked without the gateway.
import type { Contract } from '../../domain/contract/contract.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { receiptOf } from '../../app/seals/receipts.ts'
import { IdParams } from '../../wire/api.ts'
import { presentReceipt, ReceiptReply } from '../../wire/contracts/receipt.ts'
import { type Context, described, guard } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { succeed } from '../replies.ts'
import { contractOf, READ, TAGS } from './reading.ts'

export function contractReceiptRoutes(context: Context): void {
  receipt(context, 'transfer')
  receipt(context, 'payment')
}

/** Within this time a step is sealed, where nothing is in the way. */
const SEALED_WITHIN_SECONDS = '3'

function receipt(context: Context, kind: Contract['kind']): void {
  const { app, deps } = context
  const schema = described(
    `${kind}s.receipt`,
    `Get a signed receipt of a ${kind}, to be checked by anybody without the gateway`,
    TAGS[kind],
    { params: IdParams, reply: ReceiptReply },
    READ,
    { refusals: ['contract_not_found', 'not_sealed_yet', 'history_not_as_sealed'] },
  )
  app.get(`/contracts/${kind}/:id/receipt`, { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const contract = await contractOf(context, request, kind)
    if (isRefusal(contract)) return sendRefusal(reply, contract)
    const made = await receiptOf(deps.reader, contract)
    if (!isRefusal(made)) return succeed(reply, 200, 'Receipt made.', { receipt: presentReceipt(contract.id, made) })
    if (made.code === 'not_sealed_yet') reply.header('Retry-After', SEALED_WITHIN_SECONDS)
    return sendRefusal(reply, made)
  })
}
