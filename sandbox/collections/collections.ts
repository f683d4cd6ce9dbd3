// A collection in the provider's books: money requested from a payer, and what may become of it. Pure. It must not
// know how a rail writes it, nor who is notified.
import { decimalOf, knownMinor } from '../text/amounts.ts'
import { collectScenarioOf } from './collect-scenarios.ts'

export const COLLECT_RAILS = ['gcash', 'maya', 'card', 'qrph'] as const
export type CollectRail = (typeof COLLECT_RAILS)[number]

export type CollectStatus = 'pending' | 'processing' | 'succeeded' | 'failed' | 'voided' | 'expired'
export type Failure = { readonly code: string; readonly message: string }
export type ReturnTo = { readonly success: string; readonly failure: string; readonly cancel: string }
export type CardShown = {
  readonly brand: string
  readonly last4: string
  readonly exp_month: number
  readonly exp_year: number
}
/** An account at a bank of InstaPay, where the money can be sent back to. */
export type Payer = { readonly name: string; readonly wallet: string; readonly tag: string }

/** What was requested. The same under one reference, but at QR Ph, where every scan is a payment of its own. */
export type CollectionRequest = {
  readonly rail: CollectRail
  readonly reference: string
  /** What was requested of the payer, in major units with all decimals. */
  readonly amount: string
  readonly currency: string
  readonly description: string | null
  /** The caller's own names, by which the receiver of its events is found. */
  readonly accountId: string | null
  readonly contractId: string | null
  readonly returnTo: ReturnTo | null
  readonly expiresAtMs: number | null
  readonly card: CardShown | null
  readonly token: string | null
  readonly payer: Payer | null
  /** What the payer pays, whatever is requested; null for just that. */
  readonly offered: string | null
  /** Of all that must be the same under one reference. */
  readonly digest: string
}

type Next = { readonly atMs: number; readonly status: 'succeeded' | 'failed' | 'expired' }

export type Collection = CollectionRequest & {
  /** Counts the collections of all rails, from 1. */
  readonly number: number
  /** Of the payment: the same for the same money, in answers and in events. */
  readonly id: string
  readonly createdAtMs: number
  readonly status: CollectStatus
  readonly failure: Failure | null
  /** What came in, in major units; null while nothing did. */
  readonly paid: string | null
  /** When it came in; absent while nothing did, and in journals of earlier versions. */
  readonly paidAtMs?: number
  /** What happens next by itself. */
  readonly next: Next | null
  readonly eventCount: number
}

/** Something that is sent to receivers. The same event has the same id and content however often it is sent. */
export type PaymentEvent = {
  readonly id: string
  readonly collection: number
  readonly status: 'processing' | 'succeeded' | 'failed'
  readonly amount: string
  readonly failure: Failure | null
  readonly atMs: number
  readonly times: number
}

/** A change of a collection that was in the books before, whole: it takes the place of these members. */
export type Change = Pick<Collection, 'number' | 'status' | 'failure' | 'paid' | 'next'> & {
  /** The card, where the payer gave it on the provider's own page. */
  readonly card?: CardShown
  readonly paidAtMs?: number
  readonly events: readonly PaymentEvent[]
}

export type Act = 'pay' | 'decline' | 'cancel' | 'fail_authentication' | 'void' | 'time'

const LATER_MS = 3_000
const PAID_AFTER_VOID_MS = 2_000

const FAILURES = {
  decline: { code: 'payer_declined', message: 'The payer declined.' },
  cancel: { code: 'payer_cancelled', message: 'The payer went back.' },
  fail_authentication: { code: 'authentication_failed', message: 'The payer could not be authenticated.' },
} as const
const DECLINED: Failure = { code: 'payment_declined', message: 'The payment was declined.' }
const FAILED: Failure = { code: 'payment_failed', message: 'The payment could not be completed.' }
const EXPIRED: Failure = { code: 'expired', message: 'Nobody paid in time.' }

/** The change of a collection by an act; null where there is none. `refusal` is a card's bank's refusal of `pay`. */
export function changeOf(
  collection: Collection,
  act: Act,
  atMs: number,
  refusal: Failure | null = null,
): Change | null {
  if (act === 'time') return timely(collection, atMs)
  if (collection.status !== 'pending') return null
  switch (act) {
    case 'pay':
      return refusal ? failed(collection, refusal, atMs) : paid(collection, atMs)
    case 'void':
      return voided(collection, atMs)
    case 'decline':
    case 'cancel':
    case 'fail_authentication':
      return failed(collection, FAILURES[act], atMs)
  }
}

function timely(collection: Collection, atMs: number): Change | null {
  switch (collection.next?.status) {
    case 'succeeded':
      return succeeded(collection, atMs)
    case 'failed':
      return failed(collection, FAILED, atMs)
    case 'expired':
      return { ...failed(collection, EXPIRED, atMs), status: 'expired' }
    case undefined:
      return null
  }
}

function paid(collection: Collection, atMs: number): Change {
  switch (scenarioFor(collection).onPay) {
    case 'succeeds':
      return succeeded(collection, atMs)
    case 'succeeds_later':
      return processing(collection, { atMs: atMs + LATER_MS, status: 'succeeded' }, atMs)
    case 'fails_later':
      return processing(collection, { atMs: atMs + LATER_MS, status: 'failed' }, atMs)
    case 'declined':
      return failed(collection, DECLINED, atMs)
  }
}

function processing(collection: Collection, next: Next, atMs: number): Change {
  const events = [eventOf(collection, 1, { status: 'processing', atMs })]
  return { ...same(collection), status: 'processing', next, events }
}

function succeeded(collection: Collection, atMs: number): Change {
  const { successReports, failureReportedAfterSuccess } = scenarioFor(collection)
  const amount = collection.offered ?? arriving(collection)
  const events = [eventOf(collection, 1, { status: 'succeeded', atMs, amount, times: successReports })]
  // As if it were about an earlier try, and late.
  if (failureReportedAfterSuccess)
    events.push(eventOf(collection, 2, { status: 'failed', atMs: atMs - 1_000, failure: DECLINED }))
  return { ...same(collection), status: 'succeeded', failure: null, paid: amount, paidAtMs: atMs, next: null, events }
}

function failed(collection: Collection, failure: Failure, atMs: number): Change {
  const events = [eventOf(collection, 1, { status: 'failed', atMs, failure })]
  return { ...same(collection), status: 'failed', failure, paid: null, next: null, events }
}

/** Without an event: the caller that voids has the answer. */
function voided(collection: Collection, atMs: number): Change {
  const { paidAfterVoid } = scenarioFor(collection)
  const next: Next | null = paidAfterVoid ? { atMs: atMs + PAID_AFTER_VOID_MS, status: 'succeeded' } : null
  return { ...same(collection), status: 'voided', next, events: [] }
}

function same({ number, status, failure, paid, next }: Collection): Omit<Change, 'events'> {
  return { number, status, failure, paid, next }
}

function eventOf(
  collection: Collection,
  step: number,
  fields: Pick<PaymentEvent, 'status' | 'atMs'> & Partial<PaymentEvent>,
): PaymentEvent {
  const { id, number, amount, eventCount } = collection
  return { id: `evt_${id}_${eventCount + step}`, collection: number, amount, failure: null, times: 1, ...fields }
}

const scenarioFor = (collection: Collection) => collectScenarioOf(knownMinor(collection))

/** Less than a whole unit cannot be paid 1.00 short: that is paid in full. */
function arriving(collection: Collection): string {
  const asked = knownMinor(collection)
  const arrives = asked + scenarioFor(collection).excessMinor
  return decimalOf(arrives > 0n ? arrives : asked, collection.currency)
}

export function changed(collection: Collection, change: Change): Collection {
  const { events, ...after } = change
  return { ...collection, ...after, eventCount: collection.eventCount + events.length }
}
