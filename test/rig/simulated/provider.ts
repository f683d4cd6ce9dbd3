// The provider of the simulation, and the messages to it: what is under way, what it did, and what it says about that. It keeps
// what its rails promise (channels.ts), and no more.
import type {
  Claimed,
  Collects,
  Connector,
  PaymentUnder,
  Recalls,
  RefundsPayments,
} from '../../../src/connectors/connector.ts'
import type { Collection, CollectOrder } from '../../../src/domain/channel/collection.ts'
import type { Absence, Outcome, SendOrder } from '../../../src/domain/channel/outcome.ts'
import { COLLECTS, LEASE_MS, RAILS } from './channels.ts'

export type Order = {
  readonly reference: string
  readonly channelId: string
  readonly amountMinor: bigint
  state: 'accepted' | 'delivered' | 'failed' | 'returned'
  /** How often its money left. */
  executions: number
  readonly takenAt: number
}

export type Received = { readonly objectId: string; readonly amountMinor: bigint }

/** An attempt at a payment: the payer may pay while it is open. */
export type Desk = {
  readonly order: CollectOrder
  isOpen: boolean
  readonly received: Received[]
}

export type ProviderEvent = {
  readonly id: string
  readonly type: string
  readonly object: Readonly<Record<string, unknown>>
}

/** A message to a rail, and whoever waits for its answer. */
type Message<Ask, Answer> = Ask & {
  readonly channelId: string
  readonly reference: string
  readonly sentAt: number
  readonly answer: (answer: Answer) => void
  /** It has reached the rail. */
  hasArrived: boolean
  /** Its caller waits no more, and took silence for the answer; it may still arrive. */
  isGivenUp: boolean
}

export type Call =
  | Message<{ readonly kind: 'send'; readonly order: SendOrder }, Outcome>
  | Message<{ readonly kind: 'check' }, Outcome | Absence>
  | Message<{ readonly kind: 'recall' }, 'recalled' | 'refused' | 'unknown'>
  | Message<{ readonly kind: 'collect'; readonly order: CollectOrder }, Collection>
  | Message<{ readonly kind: 'look' }, Collection | Absence>
  | Message<{ readonly kind: 'void' }, 'voided' | 'refused' | 'unknown'>
  | Message<{ readonly kind: 'whose'; readonly id: string }, PaymentUnder>

export type Provider = {
  readonly orders: Map<string, Order>
  readonly desks: Map<string, Desk>
  readonly events: ProviderEvent[]
  /** What is under way. */
  readonly calls: Call[]
  paidCount: number
  eventCount: number
}

export const newProvider = (): Provider => ({
  orders: new Map(),
  desks: new Map(),
  events: [],
  calls: [],
  paidCount: 0,
  eventCount: 0,
})

/** What a rail does with a message. `silence`: it arrives, and no answer comes back. `lost`: it never arrives. */
export const WORDS = [
  'at once',
  'later',
  'refused',
  'silence',
  'silence, later',
  'lost',
  'not sent',
  'wrongly absent',
] as const
export type Word = (typeof WORDS)[number]

const SILENCE = { kind: 'unknown', reason: 'no answer' } as const
const REFUSAL = { kind: 'failed', code: 'account_closed', message: 'The account is closed.' } as const
const RECALLED = { kind: 'failed', code: 'recalled', message: 'It was recalled.' } as const
const BOUNCED = { kind: 'returned', code: 'bounced', message: 'It came back.' } as const

/** For so long a message may be under way: as long as the rail says that absence proves nothing. */
const arrivesWithinMs = (channelId: string) => {
  const rail = RAILS[channelId]
  return rail?.inquiry ? rail.notFoundFinalAfterMs : PATIENCE_MS
}

/** Lets a rail do something with a message and answer it. An answer to whoever has died goes nowhere. */
export function answerCall(provider: Provider, call: Call, word: Word, nowMs: number): void {
  provider.calls.splice(provider.calls.indexOf(call), 1)
  const isTooLate = nowMs - call.sentAt >= arrivesWithinMs(call.channelId)
  const isLost = word === 'lost' || isTooLate
  const isSilent = word === 'silence' || word === 'silence, later' || isLost || call.hasArrived
  switch (call.kind) {
    case 'send': {
      if (word === 'not sent' && !call.hasArrived)
        return call.answer({ kind: 'not_sent', reason: 'connection refused' })
      if (!isLost && !call.hasArrived) take(provider, call.order, word, nowMs)
      return call.answer(isSilent || word === 'wrongly absent' ? SILENCE : stateOf(provider, call.reference))
    }
    case 'check':
      return call.answer(isSilent ? SILENCE : checked(provider, call, word, nowMs))
    case 'recall':
      return call.answer(isLost ? 'unknown' : recalled(provider, call.reference, word))
    case 'collect': {
      if (word === 'not sent' && !call.hasArrived)
        return call.answer({ kind: 'not_sent', reason: 'connection refused' })
      if (!isLost && !call.hasArrived) openDesk(provider, call.order, word)
      return call.answer(isSilent ? SILENCE : lookAt(provider, call.reference))
    }
    case 'look':
      return call.answer(isSilent ? SILENCE : (deskState(provider, call.reference) ?? { kind: 'not_found' }))
    case 'whose':
      return call.answer(isSilent ? SILENCE : paymentUnder(provider, call))
    case 'void':
      return call.answer(isLost ? 'unknown' : closeDesk(provider, call.reference, word))
  }
}

/** A message reaches its rail, which does what it is asked; the answer is still under way. */
export function arrive(provider: Provider, call: Call, word: Word, nowMs: number): void {
  if (call.hasArrived || nowMs - call.sentAt >= arrivesWithinMs(call.channelId)) return
  call.hasArrived = true
  if (call.kind === 'send') take(provider, call.order, word, nowMs)
  if (call.kind === 'collect') openDesk(provider, call.order, word)
}

/** Whoever waits too long takes silence for the answer. What can no longer arrive is gone. */
export function giveUpLate(provider: Provider, nowMs: number): void {
  for (const call of provider.calls.slice()) {
    if (!call.isGivenUp && nowMs - call.sentAt >= PATIENCE_MS) {
      call.isGivenUp = true
      if (call.kind === 'recall' || call.kind === 'void') call.answer('unknown')
      else call.answer(SILENCE)
    }
    const isOver = call.hasArrived || nowMs - call.sentAt >= arrivesWithinMs(call.channelId)
    if (call.isGivenUp && isOver) provider.calls.splice(provider.calls.indexOf(call), 1)
  }
}

/** The same reference is the same order, for as long as the rail knows it. */
function take(provider: Provider, { reference, channelId, amountMinor }: SendOrder, word: Word, nowMs: number): void {
  const known = provider.orders.get(reference)
  const lifetimeMs = RAILS[channelId]?.dedupeLifetimeMs ?? null
  if (known && (lifetimeMs === null || nowMs - known.takenAt < lifetimeMs)) return
  if (known) {
    known.executions += known.state === 'failed' ? 0 : 1
    return
  }
  const state = word === 'refused' ? 'failed' : word === 'later' || word === 'silence, later' ? 'accepted' : 'delivered'
  const executions = state === 'delivered' ? 1 : 0
  provider.orders.set(reference, { reference, channelId, amountMinor, state, executions, takenAt: nowMs })
}

function stateOf({ orders }: Provider, reference: string): Outcome {
  const state = orders.get(reference)?.state
  if (state === 'delivered') return { kind: 'delivered', providerId: null }
  if (state === 'accepted') return { kind: 'accepted', providerId: null }
  if (state === 'returned') return BOUNCED
  return state === 'failed' ? REFUSAL : SILENCE
}

/** Absence is said of what is not there, and for a while, wrongly, of what is. */
function checked(provider: Provider, { channelId, reference }: Call, word: Word, nowMs: number): Outcome | Absence {
  const order = provider.orders.get(reference)
  const isFresh = order !== undefined && nowMs - order.takenAt < (RAILS[channelId]?.notFoundFinalAfterMs ?? 0)
  return !order || (isFresh && word === 'wrongly absent') ? { kind: 'not_found' } : stateOf(provider, reference)
}

function recalled({ orders }: Provider, reference: string, word: Word): 'recalled' | 'refused' | 'unknown' {
  const order = orders.get(reference)
  if (order?.state !== 'accepted' || word === 'refused') return 'refused'
  order.state = 'failed'
  return word === 'silence' ? 'unknown' : 'recalled'
}

function openDesk({ desks }: Provider, order: CollectOrder, word: Word): void {
  if (!desks.has(order.reference)) desks.set(order.reference, { order, isOpen: word !== 'refused', received: [] })
}

const sumOf = ({ received }: Desk) => received.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)

const lookAt = (provider: Provider, reference: string): Collection => deskState(provider, reference) ?? SILENCE

function deskState({ desks }: Provider, reference: string): Collection | null {
  const desk = desks.get(reference)
  if (!desk) return null
  const last = desk.received.at(-1)
  if (last && sumOf(desk) >= desk.order.amountMinor) return { kind: 'succeeded', money: moneyOf(last), shown: {} }
  if (!desk.isOpen) return { kind: 'failed', code: 'declined', message: 'The payer did not pay.' }
  return { kind: 'open', status: 'pending', providerId: `desk_${reference}`, nextAction: null, shown: {} }
}

function paymentUnder({ desks }: Provider, { reference, id }: Claimed): PaymentUnder {
  const isThere = desks.get(reference)?.received.some(({ objectId }) => objectId === id)
  return { kind: isThere ? 'found' : 'not_found' }
}

function closeDesk({ desks }: Provider, reference: string, word: Word): 'voided' | 'refused' | 'unknown' {
  const desk = desks.get(reference)
  // What it never received, it will never receive: it is refused from now on.
  if (!desk) return 'unknown'
  if (sumOf(desk) >= desk.order.amountMinor) return 'refused'
  desk.isOpen = false
  return word === 'silence' ? 'unknown' : 'voided'
}

const decimalOf = (minor: bigint) => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`
const moneyOf = ({ objectId, amountMinor }: Received) => ({
  id: objectId,
  amountDecimal: decimalOf(amountMinor),
  currency: 'PHP',
  payer: null,
})

/** A payer pays: the rail has the money, and tells of it in an event. `isLate`: although it was closed. */
export function payAt(provider: Provider, desk: Desk, amountMinor: bigint, isLate: boolean): void {
  if ((!desk.isOpen && !isLate) || amountMinor <= 0n) return
  provider.paidCount += 1
  const objectId = `pi_${desk.order.reference}_${provider.paidCount}`
  desk.received.push({ objectId, amountMinor })
  if (desk.order.channelId === 'purse') desk.isOpen = false
  tell(provider, desk, 'succeeded', objectId, amountMinor)
}

/** A payer does something that moves no money. */
export function tellOf(provider: Provider, desk: Desk, says: 'processing' | 'failed'): void {
  if (desk.received.length > 0 || !desk.isOpen) return
  if (says === 'failed') desk.isOpen = false
  tell(provider, desk, says, `desk_${desk.order.reference}`, desk.order.amountMinor)
}

function tell(provider: Provider, { order }: Desk, says: string, objectId: string, amountMinor: bigint): void {
  provider.eventCount += 1
  const object = {
    id: objectId,
    contract_id: order.contractId,
    reference: order.reference,
    amount: Number(amountMinor) / 100,
    currency: 'PHP',
    channel: order.channelId,
    ...(says === 'failed' ? { failure: { code: 'declined', message: 'No.' } } : {}),
  }
  provider.events.push({ id: `evt_${provider.eventCount}`, type: `payment_intent.${says}`, object })
}

/** What became of accepted orders, and what comes back: `null` where nothing can happen to the order any more. */
export function moveOrder(order: Order, to: 'delivered' | 'failed' | 'returned'): boolean {
  if (order.state === 'accepted' && to !== 'returned') {
    order.state = to
    order.executions += to === 'delivered' ? 1 : 0
    return true
  }
  const bounces = order.channelId === 'bank' || order.channelId === 'quick'
  if (order.state !== 'delivered' || to !== 'returned' || !bounces) return false
  order.state = 'returned'
  return true
}

/** What the rail lists of an order. */
export function newsOf(order: Order): Outcome | null {
  if (order.state === 'accepted') return null
  if (order.state === 'failed') return RECALLED
  return order.state === 'returned' ? BOUNCED : { kind: 'delivered', providerId: null }
}

/** Connects a process to the rail of a channel. `post` puts a message on its way. */
export function connectorOf(
  channelId: string,
  post: (call: Call) => void,
  nowMs: () => number,
): Connector & Partial<Collects & Recalls & RefundsPayments> {
  const rail = RAILS[channelId]
  if (!rail) throw new Error(`no rail ${channelId}`)
  const collect = COLLECTS[channelId]
  const base = (reference: string) => ({ channelId, reference, sentAt: nowMs(), hasArrived: false, isGivenUp: false })
  const asked = <Answer>(make: (answer: (answer: Answer) => void) => Call) =>
    new Promise<Answer>((resolve) => post(make(resolve)))
  const sends: Connector = {
    describe: () => rail,
    send: (order) => asked((answer) => ({ kind: 'send', order, answer, ...base(order.reference) })),
    check: (reference) => asked((answer) => ({ kind: 'check', answer, ...base(reference) })),
  }
  const recalls: Partial<Recalls> = rail.recall
    ? { recall: (reference) => asked((answer) => ({ kind: 'recall', answer, ...base(reference) })) }
    : {}
  if (!collect) return { ...sends, ...recalls }
  const refunds: Partial<RefundsPayments> = collect.refunds
    ? {
        paymentUnder: ({ id, reference }) => asked((answer) => ({ kind: 'whose', id, answer, ...base(reference) })),
      }
    : {}
  return {
    ...sends,
    ...refunds,
    describeCollect: () => collect,
    collect: (order) => asked((answer) => ({ kind: 'collect', order, answer, ...base(order.reference) })),
    checkCollection: ({ reference }) => asked((answer) => ({ kind: 'look', answer, ...base(reference) })),
    voidCollection: ({ reference }) => asked((answer) => ({ kind: 'void', answer, ...base(reference) })),
  }
}

/** How long an answer may take at most: by then its caller has given up. */
const PATIENCE_MS = LEASE_MS / 2
