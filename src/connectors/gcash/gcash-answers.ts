// The answers of GCash, the same for payouts, payments and refunds.
import { type Fields, fieldsOf, jsonFields, type Response } from '../rail.ts'

/** A 404 counts only with the provider's own error code. */
export function isAbsent(reply: Response): boolean {
  const result = fieldsOf(jsonFields(reply)?.['result'])
  return reply.status === 404 && result?.['status'] === 'F' && result['code'] === 'ORDER_NOT_EXIST'
}

type Money = { readonly reference: string; readonly amountMinor: bigint; readonly currency: string }

/** The answer and its result, where both are about our request; else why they are not. */
export function answerIn(reply: Response, order: Money): { readonly body: Fields; readonly result: Fields } | string {
  const body = reply.status === 200 ? jsonFields(reply) : null
  const result = fieldsOf(body?.['result'])
  if (!body || !result) return `answer ${reply.status}`
  if (body['requestId'] !== order.reference) return 'the answer is about another reference'
  const amount = fieldsOf(body['amount'])
  if (amount?.['value'] !== String(order.amountMinor) || amount['currency'] !== order.currency)
    return 'the answer is about another amount'
  return { body, result }
}
