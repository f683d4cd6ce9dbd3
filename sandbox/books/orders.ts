// An order in the provider's books, and what may become of it: pure. It must not know how the rails write it.
import { createHash } from 'node:crypto'
import { knownMinor } from '../text/amounts.ts'

export const RAILS = ['sandbox', 'instapay', 'pesonet', 'gcash', 'maya'] as const
export type Rail = (typeof RAILS)[number]

/** The state of an order in the books. `returned` was executed before, and came back. */
export type Status = 'completed' | 'accepted' | 'refused' | 'returned' | 'recalled'

/** What can happen to an order by itself, after it was answered. */
export type LaterStatus = Exclude<Status, 'recalled'>

export type Order = {
  readonly rail: Rail
  readonly reference: string
  readonly amount: string
  readonly currency: string
  readonly account: string | null
  readonly bank: string | null
  readonly name: string | null
  /** What it came in: the message or file of a bank rail, the channel named to the generic rail. */
  readonly envelope: string | null
  /** Of all that must be the same under one reference besides the money. */
  readonly digest: string
}

type Why = { readonly code: string | null; readonly message: string | null }

/** How an order ends in the books as soon as it is executed. */
export type Verdict = Why & { readonly status: 'completed' | 'accepted' | 'refused' }
export type Later = Why & { readonly afterMs: number; readonly status: LaterStatus }
export type Plan = { readonly verdict: Verdict; readonly later: readonly Later[] }

export type Step = Why & { readonly atMs: number; readonly status: LaterStatus }
export type Moment = { readonly status: Status; readonly code: string | null; readonly atMs: number }

export type Entry = Order &
  Why & {
    /** Counts the orders of all rails, from 1. */
    readonly number: number
    readonly id: string
    readonly createdAtMs: number
    readonly status: Status
    /** How often the money moved. */
    readonly executions: number
    readonly returns: number
    readonly later: readonly Step[]
    readonly history: readonly Moment[]
    /** The order that had this reference before the provider forgot it. */
    readonly earlier: number | null
  }

/** A change of an entry that was in the books before. */
export type Move = Why & { readonly number: number; readonly status: Status; readonly atMs: number }

/** What happened to an order by itself. Numbers count per rail, without gaps. */
export type RailEvent = Step & { readonly number: number; readonly rail: Rail; readonly entry: number }

/** A reference stands for itself on its own rail only. */
export function keyOf(order: { readonly rail: Rail; readonly reference: string }): string {
  return `${order.rail} ${order.reference}`
}

export function digestOf(content: Readonly<Record<string, string | null>>): string {
  const named = Object.entries(content).filter(([, value]) => value !== null)
  const text = JSON.stringify(named.sort(([a], [b]) => (a < b ? -1 : 1)))
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

/** Whether an order is the one that its reference already stands for. */
export function isSameOrder(entry: Entry, order: Order): boolean {
  return entry.currency === order.currency && knownMinor(entry) === knownMinor(order) && entry.digest === order.digest
}

export function entered(order: Order, plan: Plan, number: number, earlier: Entry | undefined, atMs: number): Entry {
  const { status, code, message } = plan.verdict
  return {
    ...order,
    number,
    id: `sbx_${String(number).padStart(10, '0')}`,
    createdAtMs: atMs,
    status,
    code,
    message,
    executions: status === 'completed' ? 1 : 0,
    returns: 0,
    later: plan.later.map(({ afterMs, ...step }) => ({ ...step, atMs: atMs + afterMs })),
    history: [{ status, code, atMs }],
    earlier: earlier?.number ?? null,
  }
}

/** The entry after a move. Money that is out already does not move out again, nor back when it is not out. */
export function moved(entry: Entry, { status, code, message, atMs }: Move): Entry {
  const isOut = entry.executions > entry.returns
  return {
    ...entry,
    status,
    code,
    message,
    executions: entry.executions + (status === 'completed' && !isOut ? 1 : 0),
    returns: entry.returns + (status === 'returned' && isOut ? 1 : 0),
    later: status === 'recalled' ? [] : entry.later.slice(1),
    history: [...entry.history, { status, code, atMs }],
  }
}

/** Each time the money of an order went out or came back, in order. */
export function movements(entry: Entry): { readonly moment: Moment; readonly isBack: boolean }[] {
  const found: { moment: Moment; isBack: boolean }[] = []
  let isOut = false
  for (const moment of entry.history) {
    if (moment.status !== (isOut ? 'returned' : 'completed')) continue
    found.push({ moment, isBack: isOut })
    isOut = !isOut
  }
  return found
}
