// The part of the books that is about money coming in: collections, refunds, cards, and the receivers of events. Every change is a
// journal line first. It must not know about HTTP, nor how a rail writes its messages.
import { randomBytes } from 'node:crypto'
import { knownMinor } from '../text/amounts.ts'
import { bankRefusal, type CardToken, shownOf, wellKnownToken } from './card-tokens.ts'
import {
  collectionAt,
  collectKey,
  type CollectLine,
  type CollectState,
  type PaymentReceiver,
  refundAt,
} from './collect-state.ts'
import {
  type Act,
  changeOf,
  type Collection,
  type CollectionRequest,
  COLLECT_RAILS,
  type CollectRail,
  type Failure,
} from './collections.ts'
import { decidedRefund, type Refund, type RefundRequest } from './refunds.ts'

export type CollectBooks = ReturnType<typeof collectBooks>
export type PaymentReceivers = ReturnType<typeof paymentReceivers>

export type CollectDesk = {
  /** As of now: what fell due is done. */
  upToDate(): CollectState
  nowMs(): number
  record(line: CollectLine): void
}

/** Never the same again, not even by a provider that lost its books. */
const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`

export function collectBooks(desk: CollectDesk) {
  const { upToDate, nowMs, record } = desk
  const ofReference = (rail: CollectRail, reference: string) =>
    (upToDate().byReference.get(collectKey(rail, reference)) ?? []).map((number) => collectionAt(upToDate(), number))
  return {
    nowMs,
    /** All of a reference, oldest first: one, but at QR Ph. */
    ofReference,
    find: (rail: CollectRail, reference: string) => ofReference(rail, reference).at(-1),
    ofRail: (rail: CollectRail) => upToDate().collections.filter((collection) => collection.rail === rail),
    byId(rail: CollectRail, id: string): Collection | undefined {
      const number = upToDate().byId.get(id)
      const found = number === undefined ? undefined : collectionAt(upToDate(), number)
      return found?.rail === rail ? found : undefined
    },
    /** Enters a new collection, and in the same line what became of it at once. */
    open(asked: CollectionRequest, idPrefix: string, act: Act | null, refusal: Failure | null): Collection {
      const number = upToDate().collections.length + 1
      const opened = newCollection(asked, newId(idPrefix), number, nowMs())
      record({ opened, change: act && changeOf(opened, act, nowMs(), refusal) })
      return collectionAt(upToDate(), number)
    },
    /** The collection after the act, which may have changed nothing. `given` is the card that the payer typed. */
    act(collection: Collection, act: Act, given: CardToken | null = null): Collection {
      const before = collectionAt(upToDate(), collection.number)
      const change = changeOf(before, act, nowMs(), given && bankRefusal(given.behaviour))
      if (change) record({ change: given ? { ...change, card: shownOf(given) } : change })
      return collectionAt(upToDate(), collection.number)
    },
    token: (id: string) => wellKnownToken(id) ?? upToDate().tokens.get(id),
    /** The reference that used a token up. */
    tokenUse: (id: string) => upToDate().tokenUses.get(id),
    addToken(token: Omit<CardToken, 'id'>): CardToken {
      const made = { ...token, id: newId('tok') }
      record({ token: made })
      return made
    },
    ...refundBooks(desk),
  }
}

function newCollection(asked: CollectionRequest, id: string, number: number, nowMs: number): Collection {
  const { expiresAtMs } = asked
  return {
    ...asked,
    number,
    id,
    createdAtMs: nowMs,
    status: 'pending',
    failure: null,
    paid: null,
    next: expiresAtMs === null ? null : { atMs: nowMs + leftMs(expiresAtMs), status: 'expired' },
    eventCount: 0,
  }
}

/** By the caller's clock, which does not move with ours. */
function leftMs(expiresAtMs: number): number {
  return Math.max(0, expiresAtMs - Date.now())
}

function refundBooks({ upToDate, nowMs, record }: CollectDesk) {
  const refundsOf = (payment: string) =>
    (upToDate().refundsByPayment.get(payment) ?? []).map((number) => refundAt(upToDate(), number))
  const refundedMinorOf = (payment: string) =>
    refundsOf(payment).reduce((sum, refund) => (refund.status === 'failed' ? sum : sum + knownMinor(refund)), 0n)
  return {
    refundsOf,
    /** What was refunded of a payment, or is about to be. */
    refundedMinorOf,
    findRefund(rail: CollectRail, reference: string): Refund | undefined {
      const number = upToDate().refundByReference.get(collectKey(rail, reference))
      return number === undefined ? undefined : refundAt(upToDate(), number)
    },
    /** Enters a new refund, done or refused. */
    refund(asked: RefundRequest): Refund {
      const state = upToDate()
      const number = state.byId.get(asked.payment)
      const collection = number === undefined ? undefined : collectionAt(state, number)
      const refund: Refund = {
        ...asked,
        ...decidedRefund(asked, collection, refundedMinorOf(asked.payment), nowMs()),
        number: state.refunds.length + 1,
        id: newId('re'),
        createdAtMs: nowMs(),
      }
      record({ refund })
      return refund
    },
  }
}

export function paymentReceivers({ upToDate, record }: CollectDesk) {
  return {
    settle: () => void upToDate(),
    receivers: () => upToDate().receivers.values(),
    receiver: (id: string) => upToDate().receivers.get(id),
    /** The same address for the same account is the same receiver, with its new key and secret. */
    addReceiver(receiver: Omit<PaymentReceiver, 'id'>): PaymentReceiver {
      const { url, accountId } = receiver
      const known = [...upToDate().receivers.values()].find((each) => each.url === url && each.accountId === accountId)
      const made = { ...receiver, id: known?.id ?? newId('pmr') }
      record({ receiver: made })
      return made
    },
    endReceiver(id: string): boolean {
      if (!upToDate().receivers.has(id)) return false
      record({ receiverEnded: id })
      return true
    },
    collection: (number: number) => collectionAt(upToDate(), number),
    undelivered: () => upToDate().undelivered.values(),
    isUndelivered: (key: string) => upToDate().undelivered.has(key),
    delivered: (key: string) => record({ delivered: key }),
  }
}

export const isCollectRail = (text: string): text is CollectRail => COLLECT_RAILS.some((rail) => rail === text)
