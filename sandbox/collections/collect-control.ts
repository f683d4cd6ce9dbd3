// What a test or an operator may ask about money coming in, beside the rails: who is told, and the truth about collections
// whatever was answered.
import { knownMinor } from '../text/amounts.ts'
import type { CollectBooks, PaymentReceivers } from './collect-books.ts'
import type { Collection, CollectRail } from './collections.ts'
import { type Fields, objectIn, textIn } from '../text/fields.ts'
import { type Ask, json, noSuchRoute, problem, type Reply, textOf } from '../replies.ts'
import { COLLECT_SCENARIOS, REFUND_SCENARIOS } from './collect-scenarios.ts'

const TEXT_CHARACTERS_MAX = 256

/** Below /payment-receivers. */
export function routePaymentReceivers(receivers: PaymentReceivers, ask: Ask): Reply {
  const [, id, ...rest] = ask.path
  switch ([ask.method, id === undefined ? '' : '*', ...rest].join(' ').trimEnd()) {
    case 'GET': {
      const shown = [...receivers.receivers()].map((each) => ({
        id: each.id,
        url: each.url,
        account_id: each.accountId,
      }))
      return json({ receivers: shown })
    }
    case 'POST':
      return postReceiver(receivers, objectIn(textOf(ask.body)))
    case 'DELETE *':
      return receivers.endReceiver(id ?? '')
        ? json({ status: 'ended' })
        : problem(404, 'not_found', 'No receiver has this id.')
    default:
      return noSuchRoute()
  }
}

function postReceiver(receivers: PaymentReceivers, fields: Fields | null): Reply {
  if (!fields) return problem(400, 'invalid_request', 'The body is no JSON object.')
  const url = textIn(fields, 'url') ?? ''
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return problem(400, 'invalid_request', 'url is one of http or https.')
  const [apiKey, secret] = [textIn(fields, 'api_key') ?? '', textIn(fields, 'secret') ?? '']
  if (!/^[\x21-\x7e]+$/.test(apiKey) || apiKey.length > TEXT_CHARACTERS_MAX)
    return problem(400, 'invalid_request', `api_key is 1 to ${TEXT_CHARACTERS_MAX} printable characters.`)
  if (secret === '' || secret.length > TEXT_CHARACTERS_MAX)
    return problem(400, 'invalid_request', `secret is a text of 1 to ${TEXT_CHARACTERS_MAX} characters.`)
  return json({ id: receivers.addReceiver({ url, apiKey, secret, accountId: textIn(fields, 'account_id') }).id })
}

/** As GET /scenarios lists them. */
export function collectScenarios(): unknown[] {
  const shown = ({ name, ending, summary }: { name: string; ending: number | null; summary: string }) => ({
    name,
    amount_ends_in: ending,
    summary,
  })
  return [...COLLECT_SCENARIOS.map(shown), ...REFUND_SCENARIOS.map(shown)]
}

/** The truth about what a rail collected, of one reference when it is given. */
export function collectionsOf(books: CollectBooks, rail: CollectRail, reference: string | undefined): Reply {
  if (reference === undefined) {
    const all = books.ofRail(rail)
    const references = [...new Set(all.map((collection) => collection.reference))]
    return json({ collections: references.map((each) => present(books, rail, each)), totals: totalsOf(books, all) })
  }
  if (!books.find(rail, reference)) return problem(404, 'not_found', 'Nothing was asked for under this reference.')
  return json(present(books, rail, reference))
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
