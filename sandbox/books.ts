// The provider's own books: what it was asked, what it did, how often. Every change is a journal line, applied the same
// way when it happens and when it is replayed. It must not know about HTTP.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type Journal, openJournal } from './journal.ts'
import { type Later, minorOf, type Scenario } from './scenarios.ts'

type Status = 'completed' | 'accepted' | 'refused' | 'returned' | 'recalled'

export type Order = {
  readonly reference: string
  readonly amount: string
  readonly currency: string
  readonly channel: string | null
  readonly recipient: Readonly<Record<string, string | null>>
}

export type Transfer = {
  readonly id: string
  readonly reference: string
  readonly amount: string
  readonly currency: string
  readonly channel: string | null
  /** Digest of the recipient: enough to tell the same order from another one under the same reference. */
  readonly recipientHash: string
  readonly createdAtMs: number
  readonly status: Status
  readonly code: string | null
  readonly message: string | null
  /** How often the money moved. More than 1 would be a double payment. */
  readonly executions: number
  readonly later: Later | null
}

/** What happened to a transfer by itself, after it was answered. Numbers only grow, without gaps. */
export type Happening = {
  readonly number: number
  readonly reference: string
  readonly id: string
  readonly status: 'completed' | 'returned'
  readonly code: string | null
  readonly message: string | null
  readonly atMs: number
}

type Move = { readonly reference: string; readonly atMs: number } & Pick<Transfer, 'status' | 'code' | 'message'>
type Line =
  | { readonly transfer: Transfer }
  | { readonly move: Move }
  | { readonly faultOf: string }
  | { readonly clockShiftMs: number }

export type Books = {
  find(reference: string): Transfer | undefined
  /** Executes a new order. The caller has made sure that its reference is unknown. */
  execute(order: Order, scenario: Scenario): Transfer
  recall(reference: string): 'recalled' | 'too_late' | 'not_found'
  /** True the first time it is asked about a reference, and never again. */
  takeFault(reference: string): boolean
  /** Moves the provider's clock, and with it everything that was waiting. Returns its new time. */
  advanceClock(byMs: number): number
  happenings(after: number, countMax: number): readonly Happening[]
  all(): Iterable<Transfer>
  totals(): Record<string, Totals>
  /** Resolves when all that was done so far is on the disk; nothing may be answered before. */
  durable(): Promise<void>
  close(): Promise<void>
}

/** In minor units, as decimal strings. */
type Totals = { executions: number; executed_minor: string; returned_minor: string }

type State = {
  readonly transfers: Map<string, Transfer>
  readonly faults: Set<string>
  readonly happenings: Happening[]
  /** By delay: within one delay the references wait in the order they came, so the first is always due first. */
  readonly waiting: Map<number, Set<string>>
  clockShiftMs: number
}

/** Opens the books in a folder, or starts them. Throws when the journal is damaged anywhere but at its torn end. */
export async function openBooks(folder: string): Promise<Books> {
  const state: State = {
    transfers: new Map(),
    faults: new Set(),
    happenings: [],
    waiting: new Map(),
    clockShiftMs: 0,
  }
  const journal = await openJournal(join(folder, 'sandbox.jsonl'), (line) => apply(state, line as Line))
  return booksOver(state, journal)
}

function booksOver(state: State, journal: Journal): Books {
  const nowMs = () => Date.now() + state.clockShiftMs
  function record(line: Line): void {
    apply(state, line)
    journal.append(line)
  }
  /** Nothing runs by itself: what fell due is done before anyone looks, as of the moment it was due. */
  function upToDate(): State {
    for (let move = nextDue(state, nowMs()); move; move = nextDue(state, nowMs())) record({ move })
    return state
  }
  return {
    find: (reference) => upToDate().transfers.get(reference),
    execute(order, scenario) {
      const transfer = executed(order, scenario, upToDate().transfers.size + 1, nowMs())
      record({ transfer })
      return transfer
    },
    recall(reference) {
      const transfer = upToDate().transfers.get(reference)
      if (!transfer) return 'not_found'
      if (transfer.status === 'recalled') return 'recalled'
      if (transfer.status !== 'accepted') return 'too_late'
      const message = 'Recalled before it completed.'
      record({ move: { reference, status: 'recalled', code: 'recalled', message, atMs: nowMs() } })
      return 'recalled'
    },
    takeFault(reference) {
      if (state.faults.has(reference)) return false
      record({ faultOf: reference })
      return true
    },
    advanceClock(byMs) {
      record({ clockShiftMs: state.clockShiftMs + byMs })
      upToDate()
      return nowMs()
    },
    happenings: (after, countMax) => upToDate().happenings.slice(after, after + countMax),
    all: () => upToDate().transfers.values(),
    totals: () => totalsOf(upToDate().transfers.values()),
    durable: journal.durable,
    close: journal.close,
  }
}

/** Whether an order is the one that its reference already stands for. */
export function isSameOrder(transfer: Transfer, order: Order): boolean {
  const sameMoney = transfer.currency === order.currency && minorOfOrder(transfer) === minorOfOrder(order)
  return sameMoney && transfer.recipientHash === hashOf(order.recipient)
}

function executed(order: Order, scenario: Scenario, number: number, createdAtMs: number): Transfer {
  const { verdict } = scenario
  const { reference, amount, currency, channel } = order
  return {
    id: `sbx_${String(number).padStart(10, '0')}`,
    reference,
    amount,
    currency,
    channel,
    recipientHash: hashOf(order.recipient),
    createdAtMs,
    status: verdict.status,
    code: verdict.status === 'refused' ? verdict.code : null,
    message: verdict.status === 'refused' ? verdict.message : null,
    executions: verdict.status === 'completed' ? 1 : 0,
    later: scenario.later,
  }
}

function apply(state: State, line: Line): void {
  if ('transfer' in line) applyTransfer(state, line.transfer)
  else if ('move' in line) applyMove(state, line.move)
  else if ('faultOf' in line) state.faults.add(line.faultOf)
  else state.clockShiftMs = line.clockShiftMs
}

function applyTransfer(state: State, transfer: Transfer): void {
  state.transfers.set(transfer.reference, transfer)
  if (!transfer.later) return
  const queue = state.waiting.get(transfer.later.afterMs) ?? new Set()
  state.waiting.set(transfer.later.afterMs, queue.add(transfer.reference))
}

function applyMove(state: State, move: Move): void {
  const { reference, status, code, message, atMs } = move
  const before = state.transfers.get(reference)
  if (!before?.later) throw new Error(`the journal moves ${reference}, which was waiting for nothing`)
  state.waiting.get(before.later.afterMs)?.delete(reference)
  const executions = before.executions + (status === 'completed' ? 1 : 0)
  state.transfers.set(reference, { ...before, status, code, message, executions, later: null })
  if (status !== 'completed' && status !== 'returned') return
  const number = state.happenings.length + 1
  state.happenings.push({ number, reference, id: before.id, status, code, message, atMs })
}

/** The earliest of what is due by now, whatever its delay. */
function nextDue(state: State, nowMs: number): Move | null {
  let first: Move | null = null
  for (const [afterMs, queue] of state.waiting) {
    const [reference] = queue
    const transfer = reference === undefined ? undefined : state.transfers.get(reference)
    if (!transfer?.later) continue
    const atMs = transfer.createdAtMs + afterMs
    if (atMs > nowMs || (first && first.atMs <= atMs)) continue
    const why = transfer.later.status === 'returned' ? transfer.later : { code: null, message: null }
    first = { reference: transfer.reference, status: transfer.later.status, code: why.code, message: why.message, atMs }
  }
  return first
}

function totalsOf(transfers: Iterable<Transfer>): Record<string, Totals> {
  const totals: Record<string, Totals> = {}
  for (const transfer of transfers) {
    const minor = minorOfOrder(transfer)
    const before = totals[transfer.currency] ?? { executions: 0, executed_minor: '0', returned_minor: '0' }
    const moved = minor * BigInt(transfer.executions)
    totals[transfer.currency] = {
      executions: before.executions + transfer.executions,
      executed_minor: String(BigInt(before.executed_minor) + moved),
      returned_minor: String(BigInt(before.returned_minor) + (transfer.status === 'returned' ? minor : 0n)),
    }
  }
  return totals
}

/** An order gets here only with an amount that was read before. */
function minorOfOrder(order: Pick<Order, 'amount' | 'currency'>): bigint {
  const minor = minorOf(order.amount, order.currency)
  if (minor === null) throw new Error(`${order.amount} ${order.currency} is no amount`)
  return minor
}

function hashOf(recipient: Order['recipient']): string {
  const named = Object.entries(recipient).filter(([, value]) => value !== null)
  const text = JSON.stringify(named.sort(([a], [b]) => (a < b ? -1 : 1)))
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
