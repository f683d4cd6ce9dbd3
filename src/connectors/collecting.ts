// What connectors that bring money in share: a rail's report about an attempt or a refund, in the domain's terms, and
// nothing that is not certain. It must not know which rail it reads.
import type { Collection, CollectOrder, NextAction, ReceivedMoney } from '../domain/channel/collection.ts'
import type { Absence, Outcome, SendOrder } from '../domain/channel/outcome.ts'
import { amountText } from '../formats/iso20022/amounts.ts'
import type { OutboundReply } from '../platform/outbound.ts'
import type { Claimed, PaymentUnder } from './connector.ts'
import { type Fields, fieldsOf, type Response, textOf } from './rail.ts'

export type Doubt = Extract<Collection, { kind: 'unknown' }>
type Shown = Readonly<Record<string, string>>
type Unanswered = Exclude<OutboundReply, Response>

/** The outcome is not known, of an attempt or of a refund. */
export function doubt(reason: string): Doubt {
  return { kind: 'unknown', reason }
}

/** What an attempt is after a call without a reply. Only the outbound client can know that nothing was sent. */
export function unasked(reply: Unanswered): Collection {
  return reply.kind === 'not_sent' ? { kind: 'not_sent', reason: reply.reason } : doubt(reply.reason)
}

/** An inquiry that was not sent, or not answered, proves nothing. */
export function uninformed(reply: Unanswered): Doubt {
  return doubt(`no answer to the inquiry: ${reply.reason}`)
}

/** The rail waits for the payer, who must go to its page; `page` is used only where a browser can follow it. */
export function awaitingPayer(
  providerId: string | null,
  page: unknown,
  { expiresAt }: CollectOrder,
  shown: Shown = {},
): Collection {
  const url = webAddressOf(page)
  if (url === null) return doubt('the provider says no page for the payer')
  const nextAction: NextAction = { type: 'redirect', url, expiresAt }
  return { kind: 'open', status: 'pending', providerId, nextAction, shown }
}

export function processing(providerId: string | null, shown: Shown = {}): Collection {
  return { kind: 'open', status: 'processing', providerId, nextAction: null, shown }
}

/** Money that came in, as the rail reports it; it may be less or more than was requested. */
export function received(
  money: { readonly id: string | null; readonly amount: string | null; readonly currency: unknown },
  payer: ReceivedMoney['payer'] = null,
  shown: Shown = {},
): Extract<Collection, { kind: 'succeeded' }> | Doubt {
  const currency = textOf(money.currency) ?? ''
  const amountDecimal = money.amount === null ? null : amountText(money.amount, currency)
  if (!money.id || amountDecimal === null || !/[1-9]/.test(amountDecimal))
    return doubt('a success without a payment and its amount')
  return { kind: 'succeeded', money: { id: money.id, amountDecimal, currency, payer }, shown }
}

/** A refusal counts only by a code that is known to mean that nothing was paid, and nothing will be. */
export function refusedBy(
  definite: ReadonlySet<string>,
  error: Fields | null,
): Extract<Outcome, { kind: 'failed' }> | Doubt {
  const code = textOf(error?.['code']) ?? ''
  const message = textOf(error?.['message']) ?? ''
  return definite.has(code) ? { kind: 'failed', code, message } : doubt('a refusal without a known code')
}

/** Pesos are all that the e-wallets and codes of the Philippines take; a rail is not called for any other currency. */
export function pesosOnly({ currency }: CollectOrder): Collection | null {
  return currency === 'PHP' ? null : { kind: 'failed', code: 'wrong_currency', message: 'Only PHP is taken.' }
}

export type Only = { readonly kind: 'only'; readonly fields: Fields }

/** A list of all that came under a reference: none is an absence; with two it is not known which is ours. */
export function onlyOf(list: unknown): Only | Absence | Doubt {
  if (!Array.isArray(list)) return doubt('no answer to the inquiry')
  if (list.length === 0) return { kind: 'not_found' }
  const fields = list.length === 1 ? fieldsOf(list[0]) : null
  return fields ? { kind: 'only', fields } : doubt('the reference stands for several')
}

/** Whether a list of what came under a reference has the payment, by the names that the rail has for both. */
export function paymentIn(list: unknown, { id, reference }: Claimed, names: Claimed): PaymentUnder {
  if (!Array.isArray(list)) return doubt('no answer about the payment')
  const isThere = list.map(fieldsOf).some((each) => each?.[names.reference] === reference && each[names.id] === id)
  return { kind: isThere ? 'found' : 'not_found' }
}

/** Whether an attempt that was to be closed is: one that ended unpaid is, one that was paid or is being paid is not. */
export function closedBy(answer: Collection | Absence): 'voided' | 'refused' | 'unknown' {
  if (answer.kind === 'failed') return 'voided'
  return isPaidOrAgreed(answer) ? 'refused' : 'unknown'
}

export function isPaidOrAgreed(answer: Collection | Absence): boolean {
  return answer.kind === 'succeeded' || (answer.kind === 'open' && answer.status === 'processing')
}

/** The outcome of a payout on a rail without payouts: it can never be sent. */
export function noPayouts(rail: string): Outcome {
  return { kind: 'failed', code: 'no_payouts', message: `${rail} takes no payouts: it gives back what was paid on it.` }
}

/** An order that refunds a payment of this rail. */
export type RefundOrder = SendOrder & { readonly refundOf: string }

export function isRefund(order: SendOrder): order is RefundOrder {
  return order.refundOf !== null
}

const URL_CHARACTERS_MAX = 2_048

/** Where a payer's browser may be sent: no scripts, no files. */
function webAddressOf(value: unknown): string | null {
  const text = textOf(value)
  if (text === null || text.length > URL_CHARACTERS_MAX || !URL.canParse(text)) return null
  const { protocol, href, username } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' ? href : null
}
