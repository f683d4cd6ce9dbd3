// The provider's own books: the orders it took, what it did, how often, and the scenarios it plays. Every change is a
// journal line first. It must not know about HTTP, nor how a rail writes its messages.
import { join } from 'node:path'
import { knownMinor } from '../text/amounts.ts'
import {
  collectBooks,
  type CollectBooks,
  paymentReceivers,
  type PaymentReceivers,
} from '../collections/collect-books.ts'
import { type CollectLine, nextCollectLine } from '../collections/collect-state.ts'
import type { Fields } from '../text/fields.ts'
import { lineOf } from './earlier-journals.ts'
import { type Journal, openJournal } from './journal.ts'
import { type Entry, entered, keyOf, type Order, type Plan, type Rail } from './orders.ts'
import { type Script, scriptOf } from '../scripts.ts'
import {
  apply,
  type Line,
  newState,
  nextDue,
  type PaymentFile,
  type Receiver,
  type ScriptState,
  type State,
} from './state.ts'

export type Books = ReturnType<typeof orderBooks> &
  ReturnType<typeof control> & {
    readonly collections: CollectBooks
    readonly paymentReceivers: PaymentReceivers
    /** Resolves when all that was done so far is on the disk; nothing may be answered before. */
    durable(): Promise<void>
    /** Resolves with the reason once they cannot be written any more. */
    readonly failed: Promise<Error>
    close(): Promise<void>
  }

/** In minor units, as decimal strings. */
type Totals = { executions: number; executed_minor: string; returned_minor: string }

type Desk = { readonly state: State; nowMs(): number; record(line: Line): void; upToDate(): State }

/** Opens the books in a folder, or starts them. Throws when the journal is damaged anywhere but at its torn end. */
export async function openBooks(folder: string): Promise<Books> {
  const state = newState()
  const journal = await openJournal(join(folder, 'sandbox.jsonl'), (line) => apply(state, lineOf(state, line)))
  const desk = deskOver(state, journal)
  const { nowMs, record, upToDate } = desk
  const collecting = {
    nowMs,
    upToDate: () => upToDate().collects,
    record: (collect: CollectLine) => record({ collect }),
  }
  return {
    ...orderBooks(desk),
    ...control(desk),
    collections: collectBooks(collecting),
    paymentReceivers: paymentReceivers(collecting),
    durable: journal.durable,
    failed: journal.failed,
    close: journal.close,
  }
}

function deskOver(state: State, journal: Journal): Desk {
  const nowMs = () => Date.now() + state.clockShiftMs
  function record(line: Line): void {
    apply(state, line)
    journal.append(line)
  }
  return {
    state,
    nowMs,
    record,
    /** Nothing runs by itself: what fell due is done before any read, as of the moment it was due. */
    upToDate() {
      for (let move = nextDue(state, nowMs()); move; move = nextDue(state, nowMs())) record({ move })
      for (let collect = nextCollectLine(state.collects, nowMs()); collect; ) {
        record({ collect })
        collect = nextCollectLine(state.collects, nowMs())
      }
      return state
    },
  }
}

/** A rail has its references to itself. What a scenario makes the provider forget is not found. */
function orderBooks({ state, nowMs, record, upToDate }: Desk) {
  const newest = (key: string) => state.entries[(state.newest.get(key) ?? 0) - 1]
  const isForgotten = (rail: Rail, atMs: number) => atMs <= forgottenBeforeMs(state, rail, nowMs())
  const make = (order: Order, plan: Plan, number: number) => entered(order, plan, number, newest(keyOf(order)), nowMs())
  const entriesOf = (rail: Rail) => upToDate().entries.filter((entry) => entry.rail === rail)
  function find(rail: Rail, reference: string): Entry | undefined {
    upToDate()
    const entry = newest(keyOf({ rail, reference }))
    return entry && !isForgotten(rail, entry.createdAtMs) ? entry : undefined
  }
  return {
    nowMs,
    find,
    /** The newest entry of a reference that was entered once, forgotten or not. */
    newest: (rail: Rail, reference: string) => newest(keyOf({ rail, reference })),
    /** Executes a new order. The caller has made sure that its reference is unknown. */
    execute(order: Order, plan: Plan): Entry {
      const entry = make(order, plan, upToDate().entries.length + 1)
      record({ entry })
      return entry
    },
    /** Enters a file and all its new orders as one. */
    executeFile(file: Omit<PaymentFile, 'createdAtMs'>, orders: readonly { order: Order; plan: Plan }[]): PaymentFile {
      const first = upToDate().entries.length + 1
      const entries = orders.map(({ order, plan }, index) => make(order, plan, first + index))
      const made = { ...file, createdAtMs: nowMs() }
      record({ file: made, entries })
      return made
    },
    findFile(rail: Rail, id: string): PaymentFile | undefined {
      const file = upToDate().files.get(id)
      return file && !isForgotten(rail, file.createdAtMs) ? file : undefined
    },
    recall(rail: Rail, reference: string): 'recalled' | 'too_late' | 'not_found' {
      const entry = find(rail, reference)
      if (!entry) return 'not_found'
      if (entry.status === 'recalled') return 'recalled'
      if (entry.status !== 'accepted') return 'too_late'
      const message = 'Recalled before it completed.'
      record({ move: { number: entry.number, status: 'recalled', code: 'recalled', message, atMs: nowMs() } })
      return 'recalled'
    },
    /** True at the first call for an order, and never again. */
    takeFault(order: Order): boolean {
      const key = keyOf(order)
      if (state.faults.has(key)) return false
      record({ faultOf: key })
      return true
    },
    railEvents: (rail: Rail, after: number, countMax: number) =>
      upToDate().railEvents[rail].slice(after, after + countMax),
    /** The entry with that number, as it stands. */
    entry: (number: number) => entryAt(state, number),
    /** Every entry of a rail, forgotten ones too. */
    entriesOf,
    /** How often the money of a reference moved, over all that was ever entered under it. More than 1 is a double payment. */
    executionsOf: (entry: Entry) => executionsOf(state, entry),
    totals: (rail: Rail) => totalsOf(entriesOf(rail)),
  }
}

function control({ state, nowMs, record, upToDate }: Desk) {
  return {
    /** Does what fell due. */
    settle: () => void upToDate(),
    /** Moves the provider's clock, and with it everything that was waiting. Returns its new time. */
    advanceClock(byMs: number): number {
      record({ clockShiftMs: state.clockShiftMs + byMs })
      upToDate()
      return nowMs()
    },
    clockShiftMs: () => state.clockShiftMs,
    /** Newest first. */
    scripts: (): ScriptState[] => [...state.scripts.values()].reverse(),
    addScript(asked: Fields): Script {
      const line = { id: `scn_${state.scriptCount + 1}`, asked, createdAtMs: nowMs() }
      // Read before it is written: what cannot be read must not get into the journal.
      const script = scriptOf(line.id, asked, line.createdAtMs)
      record({ script: line })
      return script
    },
    endScript(id: string): boolean {
      if (!state.scripts.has(id)) return false
      record({ scriptEnded: id })
      return true
    },
    /** Notes that a script played, and for which order if it keeps it. */
    played: ({ script, seen }: ScriptState, took: Order | null) =>
      record({ played: { script: script.id, took: took && keyOf(took), seen } }),
    receivers: () => state.receivers.values(),
    addReceiver(receiver: Omit<Receiver, 'id'>): Receiver {
      const made = { ...receiver, id: `rcv_${state.receiverCount + 1}` }
      record({ receiver: made })
      return made
    },
    endReceiver(id: string): boolean {
      if (!state.receivers.has(id)) return false
      record({ receiverEnded: id })
      return true
    },
    undelivered: () => state.undelivered.values(),
    isUndelivered: (key: string) => state.undelivered.has(key),
    delivered: (key: string) => record({ delivered: key }),
  }
}

/** What was entered before this moment is forgotten; nothing is, without a scenario that says so. */
function forgottenBeforeMs(state: State, rail: Rail, nowMs: number): number {
  let lastMs = Number.NEGATIVE_INFINITY
  for (const { script } of state.scripts.values())
    if (script.forgetAfterMs !== null && (script.rail === null || script.rail === rail))
      lastMs = Math.max(lastMs, nowMs - script.forgetAfterMs)
  return lastMs
}

function entryAt(state: State, number: number): Entry {
  const entry = state.entries[number - 1]
  if (!entry) throw new Error(`there is no order ${number}`)
  return entry
}

function executionsOf(state: State, entry: Entry): number {
  let count = entry.executions
  for (let { earlier } = entry; earlier !== null; ) {
    const before = entryAt(state, earlier)
    count += before.executions
    earlier = before.earlier
  }
  return count
}

function totalsOf(entries: Iterable<Entry>): Record<string, Totals> {
  const totals: Record<string, Totals> = {}
  for (const entry of entries) {
    const minor = knownMinor(entry)
    const before = totals[entry.currency] ?? { executions: 0, executed_minor: '0', returned_minor: '0' }
    totals[entry.currency] = {
      executions: before.executions + entry.executions,
      executed_minor: String(BigInt(before.executed_minor) + minor * BigInt(entry.executions)),
      returned_minor: String(BigInt(before.returned_minor) + minor * BigInt(entry.returns)),
    }
  }
  return totals
}
