// The messages of Maya, the same for disbursements, checkouts and refunds.
import { invariant } from '../../domain/invariant.ts'
import { amountText } from '../../formats/iso20022/amounts.ts'
import { digitsOf, parseExact } from '../exact-json.ts'
import { type Fields, fieldsOf, jsonText, type Response } from '../rail.ts'

type Money = { readonly amountDecimal: string; readonly currency: string }

/** Written by hand where the amount is: a number of JavaScript would not keep its digits. */
export function withTotal(said: object, { amountDecimal, currency }: Money): string {
  invariant(/^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(amountDecimal), `no number of JSON: ${amountDecimal}`)
  const total = `{"value":${amountDecimal},"currency":${JSON.stringify(currency)}}`
  return `${JSON.stringify(said).slice(0, -1)},"totalAmount":${total}}`
}

/** The members of an answer with the digits of its numbers; null for what is none. */
export function fieldsIn(reply: Response): Fields | null {
  const text = reply.status === 200 ? jsonText(reply) : null
  return text === null ? null : fieldsOf(parseExact(text))
}

/** Why an answer is not about our request; 100.5 and 100.50 are the same number, whichever the provider writes. */
export function strangeness(body: Fields | null, order: Money & { readonly reference: string }): string | null {
  if (!body) return 'no answer of the provider'
  if (body['requestReferenceNumber'] !== order.reference) return 'the answer is about another reference'
  const total = fieldsOf(body['totalAmount'])
  const digits = digitsOf(total?.['value'])
  const isOurs =
    total?.['currency'] === order.currency &&
    digits !== null &&
    amountText(digits, order.currency) === order.amountDecimal
  return isOurs ? null : 'the answer is about another amount'
}
