// What a rail settles for one day of Manila: each payment that came in on it and each refund that was taken, as the rails' reports
// have it in one form. It must not know who reads it.
import { problem, json, type Reply } from '../replies.ts'
import { endOfDay, startOfDay } from '../text/manila.ts'
import type { CollectBooks } from './collect-books.ts'
import type { Collection, CollectRail } from './collections.ts'
import type { Refund } from './refunds.ts'

type Line = {
  readonly kind: 'payment' | 'refund'
  readonly reference: string
  /** The provider's id of it. */
  readonly id: string
  readonly status: 'succeeded' | 'processing'
  /** Major units with all decimals. */
  readonly amount: string
  readonly currency: string
  readonly at: string
}

/** Throws nothing: a day that is none, or is ahead, is a problem. */
export function settlementOf(books: CollectBooks, rail: CollectRail, day: string): Reply {
  const startMs = startOfDay(day)
  if (startMs === null) return problem(400, 'invalid_request', 'A settlement is of a day such as 2026-01-31.')
  if (startMs > books.nowMs()) return problem(404, 'not_found', 'That day has not begun.')
  const isOfDay = (atMs: number) => atMs >= startMs && atMs < endOfDay(startMs)
  const all = books.ofRail(rail)
  const payments = all.flatMap((each) => (isOfDay(paidAt(each)) ? paymentLine(each) : []))
  const refunds = all
    .flatMap(({ id }) => books.refundsOf(id))
    .flatMap((each) => (isOfDay(each.createdAtMs) ? refundLine(each) : []))
  const lines = [...payments, ...refunds]
  return json({ day, count: lines.length, lines })
}

/** Of a payment that an earlier version noted, when it was opened. */
const paidAt = ({ paidAtMs, createdAtMs }: Collection) => paidAtMs ?? createdAtMs

function paymentLine(collection: Collection): Line[] {
  const { reference, id, status, paid: amount, currency } = collection
  if (status !== 'succeeded' || amount === null) return []
  return [{ kind: 'payment', reference, id, status, amount, currency, at: timeOf(paidAt(collection)) }]
}

function refundLine({ reference, id, status, amount, currency, createdAtMs }: Refund): Line[] {
  return status === 'failed'
    ? []
    : [{ kind: 'refund', reference, id, status, amount, currency, at: timeOf(createdAtMs) }]
}

const timeOf = (atMs: number) => new Date(atMs).toISOString()
