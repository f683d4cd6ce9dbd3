// The part of the books that is about money coming in: collections, refunds, cards, and who is told. Every change is a
// journal line first. It must not know about HTTP, nor how a rail writes its messages.
import { randomBytes } from 'node:crypto'
import { knownMinor } from '../text/amounts.ts'
import { type CardToken, wellKnownToken } from './card-tokens.ts'
import {
  collectionAt,
  collectKey,
  type CollectLine,
  type CollectState,
  type PaymentReceiver,
  refundAt,
  type UntoldPayment,
} from './collect-state.ts'
import {
  type Act,
  type Asked,
  changeOf,
  type Collection,
  COLLECT_RAILS,
  type CollectRail,
  type Failure,
} from './collections.ts'
import { decidedRefund, type Refund, type RefundAsked } from './refunds.ts'

export type CollectBooks = {
  nowMs(): number
  find(rail: CollectRail, reference: string): Collection | undefined
  /** All of a reference, oldest first: one, but at QR Ph. */
  ofReference(rail: CollectRail, reference: string): Collection[]
  ofRail(rail: CollectRail): Collection[]
  byId(rail: CollectRail, id: string): Collection | undefined
  /** Enters a new collection, and in the same line what became of it at once. */
  open(asked: Asked, act: Act | null, refusal: Failure | null): Collection
  /** The collection after the act, which may have made nothing of it. */
  act(collection: Collection, act: Act): Collection
  findRefund(rail: CollectRail, reference: string): Refund | undefined
  /** Enters a new refund, done or refused. */
  refund(asked: RefundAsked): Refund
  refundsOf(payment: string): Refund[]
  /** What was given back of a payment, or is about to be. */
  refundedMinorOf(payment: string): bigint
  token(id: string): CardToken | undefined
  /** The reference that used a token up. */
  tokenUse(id: string): string | undefined
  addToken(token: Omit<CardToken, 'id'>): CardToken
}

export type PaymentReceivers = {
  settle(): void
  receivers(): Iterable<PaymentReceiver>
  receiver(id: string): PaymentReceiver | undefined
  /** The same address for the same account is the same receiver, with its new key and secret. */
  addReceiver(receiver: Omit<PaymentReceiver, 'id'>): PaymentReceiver
  endReceiver(id: string): boolean
  collection(number: number): Collection
  untold(): Iterable<UntoldPayment>
  isUntold(key: string): boolean
  told(key: string): void
}

export type CollectDesk = {
  /** As of now: what fell due is done. */
  upToDate(): CollectState
  nowMs(): number
  record(line: CollectLine): void
}

const ID_PREFIXES: Readonly<Record<CollectRail, string>> = { gcash: 'gcp', maya: 'mpy', card: 'pi', qrph: 'qrp' }

/** Never the same again, not even by a provider that lost its books. */
const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`

export function collectBooks(desk: CollectDesk): CollectBooks {
  const { upToDate, nowMs, record } = desk
  const numbered = (numbers: readonly number[] | undefined) =>
    (numbers ?? []).map((number) => collectionAt(upToDate(), number))
  const ofReference = (rail: CollectRail, reference: string) =>
    numbered(upToDate().byReference.get(collectKey(rail, reference)))
  return {
    nowMs,
    ofReference,
    find: (rail, reference) => ofReference(rail, reference).at(-1),
    ofRail: (rail) => upToDate().collections.filter((collection) => collection.rail === rail),
    byId(rail, id) {
      const number = upToDate().byId.get(id)
      const found = number === undefined ? undefined : collectionAt(upToDate(), number)
      return found?.rail === rail ? found : undefined
    },
    open(asked, act, refusal) {
      const opened = newCollection(asked, upToDate().collections.length + 1, nowMs())
      record({ opened, change: act && changeOf(opened, act, nowMs(), refusal) })
      return collectionAt(upToDate(), opened.number)
    },
    act(collection, act) {
      const before = collectionAt(upToDate(), collection.number)
      const change = changeOf(before, act, nowMs())
      if (change) record({ change })
      return collectionAt(upToDate(), collection.number)
    },
    token: (id) => wellKnownToken(id) ?? upToDate().tokens.get(id),
    tokenUse: (id) => upToDate().tokenUses.get(id),
    addToken(token) {
      const made = { ...token, id: newId('tok') }
      record({ token: made })
      return made
    },
    ...refundBooks(desk),
  }
}

function newCollection(asked: Asked, number: number, nowMs: number): Collection {
  const { expiresAtMs } = asked
  return {
    ...asked,
    number,
    id: newId(ID_PREFIXES[asked.rail]),
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

type RefundBooks = Pick<CollectBooks, 'findRefund' | 'refund' | 'refundsOf' | 'refundedMinorOf'>

function refundBooks({ upToDate, nowMs, record }: CollectDesk): RefundBooks {
  const refundsOf = (payment: string) =>
    (upToDate().refundsByPayment.get(payment) ?? []).map((number) => refundAt(upToDate(), number))
  const refundedMinorOf = (payment: string) =>
    refundsOf(payment).reduce((sum, refund) => (refund.status === 'failed' ? sum : sum + knownMinor(refund)), 0n)
  return {
    refundsOf,
    refundedMinorOf,
    findRefund(rail, reference) {
      const number = upToDate().refundByReference.get(collectKey(rail, reference))
      return number === undefined ? undefined : refundAt(upToDate(), number)
    },
    refund(asked) {
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

export function paymentReceivers({ upToDate, record }: CollectDesk): PaymentReceivers {
  return {
    settle: () => void upToDate(),
    receivers: () => upToDate().receivers.values(),
    receiver: (id) => upToDate().receivers.get(id),
    addReceiver(receiver) {
      const { url, accountId } = receiver
      const known = [...upToDate().receivers.values()].find((each) => each.url === url && each.accountId === accountId)
      const made = { ...receiver, id: known?.id ?? newId('pmr') }
      record({ receiver: made })
      return made
    },
    endReceiver(id) {
      if (!upToDate().receivers.has(id)) return false
      record({ receiverEnded: id })
      return true
    },
    collection: (number) => collectionAt(upToDate(), number),
    untold: () => upToDate().untold.values(),
    isUntold: (key) => upToDate().untold.has(key),
    told: (key) => record({ told: key }),
  }
}

export const isCollectRail = (text: string): text is CollectRail => COLLECT_RAILS.some((rail) => rail === text)
