// What the provider remembers of collections, and how each line of its journal changes it: the same way when the line is
// written and when it is replayed. It must not know about HTTP, nor read a clock.
import { changed, changeOf, type Change, type Collection, type CollectRail, type PaymentEvent } from './collections.ts'
import { type DueHeap, openDueHeap } from '../books/due.ts'
import type { CardToken } from './card-tokens.ts'
import type { Refund } from './refunds.ts'

export type PaymentReceiver = {
  readonly id: string
  readonly url: string
  readonly apiKey: string
  readonly secret: string
  /** Null for all events that no other receiver is for. */
  readonly accountId: string | null
}

/** An event that a receiver has not confirmed as often as it is sent. */
export type UndeliveredPayment = { readonly key: string; readonly receiverId: string; readonly event: PaymentEvent }

export type CollectLine =
  | { readonly opened: Collection; readonly change: Change | null }
  | { readonly change: Change }
  | { readonly refund: Refund }
  | { readonly refundDone: number }
  | { readonly token: CardToken }
  | { readonly receiver: PaymentReceiver }
  | { readonly receiverEnded: string }
  | { readonly delivered: string }

export type CollectState = {
  /** By number, from 1: the collection n is at n - 1. */
  readonly collections: Collection[]
  /** Rail and reference to numbers: one, but at QR Ph. */
  readonly byReference: Map<string, number[]>
  readonly byId: Map<string, number>
  readonly refunds: Refund[]
  readonly refundByReference: Map<string, number>
  readonly refundsByPayment: Map<string, number[]>
  readonly tokens: Map<string, CardToken>
  /** Which reference used a token up. */
  readonly tokenUses: Map<string, string>
  readonly receivers: Map<string, PaymentReceiver>
  readonly undelivered: Map<string, UndeliveredPayment>
  readonly due: DueHeap
  readonly refundsDue: DueHeap
}

export function newCollectState(): CollectState {
  return {
    collections: [],
    byReference: new Map(),
    byId: new Map(),
    refunds: [],
    refundByReference: new Map(),
    refundsByPayment: new Map(),
    tokens: new Map(),
    tokenUses: new Map(),
    receivers: new Map(),
    undelivered: new Map(),
    due: openDueHeap(),
    refundsDue: openDueHeap(),
  }
}

/** A reference stands for itself on its own rail only. */
export function collectKey(rail: CollectRail, reference: string): string {
  return `${rail} ${reference}`
}

export function applyCollect(state: CollectState, line: CollectLine): void {
  if ('opened' in line) applyOpened(state, line.opened, line.change)
  else if ('change' in line) applyChange(state, line.change)
  else if ('refund' in line) applyRefund(state, line.refund)
  else if ('refundDone' in line) {
    const refund = refundAt(state, line.refundDone)
    state.refunds[refund.number - 1] = { ...refund, status: 'succeeded', dueAtMs: null }
  } else if ('token' in line) state.tokens.set(line.token.id, line.token)
  else if ('receiver' in line) state.receivers.set(line.receiver.id, line.receiver)
  else if ('receiverEnded' in line) {
    state.receivers.delete(line.receiverEnded)
    for (const { key, receiverId } of state.undelivered.values())
      if (receiverId === line.receiverEnded) state.undelivered.delete(key)
  } else state.undelivered.delete(line.delivered)
}

function applyOpened(state: CollectState, collection: Collection, change: Change | null): void {
  const { rail, reference, number, id, token } = collection
  state.collections.push(collection)
  append(state.byReference, collectKey(rail, reference), number)
  state.byId.set(id, number)
  if (token !== null) state.tokenUses.set(token, reference)
  waitForNext(state, collection)
  if (change) applyChange(state, change)
}

function applyChange(state: CollectState, change: Change): void {
  const after = changed(collectionAt(state, change.number), change)
  state.collections[change.number - 1] = after
  waitForNext(state, after)
  for (const event of change.events)
    for (const { id: receiverId } of receiversOf(state, after.accountId)) {
      const key = `${receiverId} ${event.id}`
      state.undelivered.set(key, { key, receiverId, event })
    }
}

/** Those of the account; where it has none, those that are for all accounts. */
function receiversOf(state: CollectState, accountId: string | null): PaymentReceiver[] {
  const all = [...state.receivers.values()]
  const own = all.filter((receiver) => receiver.accountId !== null && receiver.accountId === accountId)
  return own.length > 0 ? own : all.filter((receiver) => receiver.accountId === null)
}

function applyRefund(state: CollectState, refund: Refund): void {
  state.refunds.push(refund)
  state.refundByReference.set(collectKey(refund.rail, refund.reference), refund.number)
  append(state.refundsByPayment, refund.payment, refund.number)
  if (refund.dueAtMs !== null) state.refundsDue.push({ atMs: refund.dueAtMs, number: refund.number })
}

function append(lists: Map<string, number[]>, key: string, number: number): void {
  const list = lists.get(key)
  if (list) list.push(number)
  else lists.set(key, [number])
}

function waitForNext(state: CollectState, { next, number }: Collection): void {
  if (next) state.due.push({ atMs: next.atMs, number })
}

/** What is due by now, earliest first. What is not waited for any more is dropped. */
export function nextCollectLine(state: CollectState, nowMs: number): CollectLine | null {
  for (let due = state.due.peek(); due && due.atMs <= nowMs; due = state.due.peek()) {
    state.due.pop()
    const collection = collectionAt(state, due.number)
    const change = collection.next?.atMs === due.atMs ? changeOf(collection, 'time', due.atMs) : null
    if (change) return { change }
  }
  const refund = state.refundsDue.peek()
  if (!refund || refund.atMs > nowMs) return null
  state.refundsDue.pop()
  return { refundDone: refund.number }
}

export function collectionAt(state: CollectState, number: number): Collection {
  const collection = state.collections[number - 1]
  if (!collection) throw new Error(`there is no collection ${number}`)
  return collection
}

export function refundAt(state: CollectState, number: number): Refund {
  const refund = state.refunds[number - 1]
  if (!refund) throw new Error(`there is no refund ${number}`)
  return refund
}
