// The truth about what a rail collected, whatever was answered.
import { json, problem, type Reply } from '../replies.ts'
import { knownMinor } from '../text/amounts.ts'
import type { CollectBooks } from './collect-books.ts'
import type { Collection, CollectRail } from './collections.ts'

/** Of one reference, which may be that of a refund; or of all when it is null. */
export function collectionsOf(books: CollectBooks, rail: CollectRail, reference: string | null): Reply {
  if (reference === null) {
    const all = books.ofRail(rail)
    const references = [...new Set(all.map((collection) => collection.reference))]
    return json({ collections: references.map((each) => present(books, rail, each)), totals: totalsOf(books, all) })
  }
  const found = books.find(rail, reference) ?? refundedBy(books, rail, reference)
  if (!found) return problem(404, 'not_found', 'Nothing was asked for under this reference.')
  return json(present(books, rail, found.reference))
}

function refundedBy(books: CollectBooks, rail: CollectRail, reference: string): Collection | undefined {
  const refund = books.findRefund(rail, reference)
  return refund && books.byId(rail, refund.payment)
}

/** `attempts` counts what was made under the reference: more than 1 is a double one, but at QR Ph. */
function present(books: CollectBooks, rail: CollectRail, reference: string): Record<string, unknown> {
  const all = books.ofReference(rail, reference)
  const newest = all.at(-1)
  return {
    rail,
    reference,
    amount: newest?.amount,
    currency: newest?.currency,
    status: newest?.status,
    account_id: newest?.accountId,
    contract_id: newest?.contractId,
    attempts: all.length,
    payments: all.filter(isPaid).map(({ id, paid, currency, payer }) => ({ id, amount: paid, currency, payer })),
    refunds: all.flatMap(({ id }) =>
      books.refundsOf(id).map((refund) => ({
        id: refund.id,
        payment: id,
        reference: refund.reference,
        amount: refund.amount,
        status: refund.status,
        code: refund.failure?.code ?? null,
      })),
    ),
    totals: totalsOf(books, all),
  }
}

type Totals = { payments: number; paid_minor: string; refunded_minor: string }

/** By currency, in minor units as decimal text. Refunds under way count. */
function totalsOf(books: CollectBooks, all: readonly Collection[]): Record<string, Totals> {
  const totals: Record<string, Totals> = {}
  for (const collection of all.filter(isPaid)) {
    const { currency, paid } = collection
    const before = totals[currency] ?? { payments: 0, paid_minor: '0', refunded_minor: '0' }
    totals[currency] = {
      payments: before.payments + 1,
      paid_minor: String(BigInt(before.paid_minor) + knownMinor({ amount: paid, currency })),
      refunded_minor: String(BigInt(before.refunded_minor) + books.refundedMinorOf(collection.id)),
    }
  }
  return totals
}

function isPaid(collection: Collection): collection is Collection & { paid: string } {
  return collection.status === 'succeeded' && collection.paid !== null
}
