// What every rail that collects does alike: open a payment once under its reference, show, list, void and refund
// it. What a rail does in its own way is its CollectForm.
import type { CollectBooks } from '../collections/collect-books.ts'
import { collectScenarioOf } from '../collections/collect-scenarios.ts'
import type { Collection, CollectionRequest, CollectRail, Failure } from '../collections/collections.ts'
import { isSameRefund, type Refund, type RefundRequest } from '../collections/refunds.ts'
import { settlementOf } from '../collections/settlements.ts'
import { collectionsOf } from '../collections/truth.ts'
import { digestOf } from '../books/orders.ts'
import { type HttpRequest, listed, playedOn, type Reply } from '../replies.ts'
import type { Call, Handler, Routes } from '../routing.ts'
import { knownMinor } from '../text/amounts.ts'
import { type Fields, fieldsIn } from '../text/fields.ts'
import { returnToIn, shortText, timeIn } from './request-fields.ts'

export type Kind = 'payment' | 'refund'

/** What happens to a new payment at once. `refusal` is the payer's bank's refusal of `pay`. */
export type Start = { readonly act: 'pay' | null; readonly refusal: Failure | null }

export type CollectForm = {
  readonly rail: CollectRail
  /** Of its payments. */
  readonly idPrefix: string
  /** The rail's own code for one of the books that says why nothing was paid, or refunded. */
  readonly failureCode: (code: string) => string
  /** Throws Malformed. */
  readonly paymentOf: (request: HttpRequest, books: CollectBooks) => CollectionRequest
  /** How a new payment begins, or why there will be none. */
  readonly start: (asked: CollectionRequest, books: CollectBooks) => Start | Failure
  readonly notOpened: (asked: CollectionRequest, failure: Failure) => Reply
  /** The payment that a path names. */
  readonly find: (books: CollectBooks, id: string) => Collection | undefined
  readonly present: (collection: Collection, request: HttpRequest) => Reply
  /** `id` is what the path names, if anything. Throws Malformed. */
  readonly refundOf: (request: HttpRequest, books: CollectBooks, id: string) => RefundRequest
  readonly presentRefund: (refund: Refund) => Reply
  /** The answer where the reference stands for another payment or refund already. */
  readonly mismatch: (kind: Kind, reference: string) => Reply
  readonly notFound: (kind: Kind) => Reply
}

/** The truth about what a rail collected, without credentials. */
export function truthRoutes(rail: CollectRail): Routes {
  return {
    [`GET /${rail}/collections`]: ({ books }) => collectionsOf(books.collections, rail, null),
    [`GET /${rail}/collections/*`]: ({ books, id }) => collectionsOf(books.collections, rail, id),
  }
}

/** What came in and went back on a day, for the merchant. */
export const settlementsOf =
  (rail: CollectRail): Handler =>
  ({ books, id }) =>
    settlementOf(books.collections, rail, id)

export function collectHandlers(form: CollectForm) {
  const { rail, present, presentRefund } = form
  const referenceIn = (request: HttpRequest, parameter: string) => request.url.searchParams.get(parameter) ?? ''
  return {
    truth: truthRoutes(rail),
    settlements: settlementsOf(rail),
    open({ books: { collections }, request }: Call): Reply {
      const asked = form.paymentOf(request, collections)
      const known = collections.find(rail, asked.reference)
      if (known && known.digest !== asked.digest) return form.mismatch('payment', asked.reference)
      if (known) return present(known, request)
      const start = form.start(asked, collections)
      if ('code' in start) return form.notOpened(asked, start)
      const opened = collections.open(asked, form.idPrefix, start.act, start.refusal)
      return playedOn(present(opened, request), collectScenarioOf(knownMinor(asked)).wire)
    },
    show({ books, request, id }: Call): Reply {
      const found = form.find(books.collections, id)
      return found ? present(found, request) : form.notFound('payment')
    },
    void({ books: { collections }, request, id }: Call): Reply {
      const found = form.find(collections, id)
      return found ? present(collections.act(found, 'void'), request) : form.notFound('payment')
    },
    /** By the reference in that parameter of the query. */
    list: (parameter: string): Handler => {
      return ({ books, request }) => {
        const found = books.collections.find(rail, referenceIn(request, parameter))
        return listed(found ? present(found, request) : null)
      }
    },
    refund({ books: { collections }, request, id }: Call): Reply {
      const asked = form.refundOf(request, collections, id)
      const known = collections.findRefund(rail, asked.reference)
      if (known && !isSameRefund(known, asked)) return form.mismatch('refund', asked.reference)
      if (known) return presentRefund(known)
      return playedOn(presentRefund(collections.refund(asked)), collectScenarioOf(knownMinor(asked)).wire)
    },
    showRefund({ books, id }: Call): Reply {
      const found = books.collections.findRefund(rail, id)
      return found ? presentRefund(found) : form.notFound('refund')
    },
    /** By the reference in that parameter of the query. */
    listRefunds: (parameter: string): Handler => {
      return ({ books, request }) => {
        const found = books.collections.findRefund(rail, referenceIn(request, parameter))
        return listed(found ? presentRefund(found) : null)
      }
    },
  }
}

type Asked = Pick<CollectionRequest, 'reference' | 'amount' | 'currency' | 'description'> &
  Partial<Pick<CollectionRequest, 'card' | 'token'>>

/** What a caller requests, with the digest of all that must be the same when it is requested again. */
export function collectionRequest(
  rail: CollectRail,
  asked: Asked,
  fields: Fields,
  names: { readonly returnTo: string; readonly expiresAt: string },
): CollectionRequest {
  const returnTo = returnToIn(fields, names.returnTo)
  const expiresAtMs = timeIn(fields, names.expiresAt)
  const metadata = fieldsIn(fields, 'metadata') ?? {}
  const accountId = shortText(metadata, 'account_id')
  const contractId = shortText(metadata, 'contract_id')
  const { amount, currency, description, token = null, card = null } = asked
  const content = { amount, currency, description, token, accountId, contractId, expires: String(expiresAtMs) }
  const digest = digestOf({ ...content, ...returnTo })
  return {
    ...asked,
    rail,
    accountId,
    contractId,
    returnTo,
    expiresAtMs,
    card,
    token,
    payer: null,
    offered: null,
    digest,
  }
}

/** A payment in pesos waits for its payer; there is none in another currency. */
export function startInPesos({ currency }: CollectionRequest): Start | Failure {
  return currency === 'PHP' ? { act: null, refusal: null } : { code: 'wrong_currency', message: 'Only PHP is taken.' }
}

/** Where the payer's own browser finds the provider: by the address that its caller used. */
export function payerPage(request: HttpRequest, { rail, id }: Collection): string {
  return `http://${request.headers.host ?? '127.0.0.1'}/payer/${rail}/${id}`
}
