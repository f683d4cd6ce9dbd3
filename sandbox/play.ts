// What happens to a request: the scripted scenario if there is one, else what the amount or the account chose. It must
// not know how a rail writes its messages.
import { knownMinor } from './text/amounts.ts'
import type { Books } from './books/books.ts'
import type { CollectRail } from './collections/collections.ts'
import { type Entry, keyOf, type Order, type Plan, type Rail, type RailEvent, type Verdict } from './books/orders.ts'
import { isBefore, scenarioOf, type Wire } from './scenarios.ts'
import { type CallbackPlay, isAbout, type Outage, playsAtSubmission, type Script } from './scripts.ts'
import type { ScriptState } from './books/state.ts'

/** What is to be done with an order that came in. Nothing is done yet, but what a scenario plays is used up. */
export type Considered = {
  readonly order: Order
  readonly known: Entry | undefined
  readonly plan: Plan
  /** Whether a script wrote the times of what happens later. */
  readonly isTimed: boolean
  readonly wire: Wire
}

/** `own` is the rail's refusal of an order, which no scenario overrides. */
export function consider(books: Books, order: Order, own: Verdict | null): Considered {
  const scripts = takenBy(books, order)
  const known = books.find(order.rail, order.reference)
  const scripted = scripts.find(({ wire }) => wire !== null)?.wire ?? null
  const magic = scenarioOf(knownMinor(order), [order.account, order.name])
  const outcome = scripts.find(({ verdict, later }) => verdict !== null || later !== null)
  const plan = own
    ? { verdict: own, later: [] }
    : outcome
      ? scriptedPlan(outcome)
      : { verdict: magic.verdict, later: magic.later ? [magic.later] : [] }
  const isTimed = outcome?.later !== undefined && outcome.later !== null
  return { order, known, plan, isTimed, wire: scripted ?? (known ? 'answer' : magicWire(books, order, magic.wire)) }
}

/** A fault of the table happens at the first request of an order only. */
function magicWire(books: Books, order: Order, wire: Wire): Wire {
  return isBefore(wire) && !books.takeFault(order) ? 'answer' : wire
}

function scriptedPlan({ verdict, later }: Script): Plan {
  if (verdict) return { verdict, later: later ?? [] }
  const isExecuted = later?.[0]?.status === 'returned'
  return { verdict: { status: isExecuted ? 'completed' : 'accepted', code: null, message: null }, later: later ?? [] }
}

/** The scripts that this submission is about, newest first. */
function takenBy(books: Books, order: Order): Script[] {
  const taken: Script[] = []
  for (const state of books.scripts()) {
    const { script } = state
    if (!playsAtSubmission(script) || isSpent(state) || !isAbout(script, order)) continue
    state.seen += 1
    if (script.every !== null && state.seen % script.every !== 0) continue
    books.played(state, order)
    taken.push(script)
  }
  return taken
}

const isSpent = ({ script, played }: ScriptState) => script.times !== null && played >= script.times

/** The newest script with that power about an order. One that plays at submissions has only the orders that it took. */
function scriptAbout(
  books: Books,
  order: Pick<Order, 'rail' | 'reference'> & Partial<Order>,
  hasPower: (script: Script) => boolean,
): Script | null {
  for (const state of books.scripts()) {
    if (!hasPower(state.script)) continue
    if (playsAtSubmission(state.script)) {
      if (state.took.has(keyOf(order))) return state.script
    } else if (!isSpent(state) && isAbout(state.script, order)) {
      books.played(state, null)
      return state.script
    }
  }
  return null
}

/** The scenario for an inquiry about an order or a file that came in at that time, if it ever did. */
export function inquiryPlay(
  books: Books,
  about: Pick<Order, 'rail' | 'reference'> & Partial<Order>,
  createdAtMs: number | undefined,
): { readonly fault: Wire | null; readonly isHidden: boolean; readonly isLie: boolean } {
  const inquiry = scriptAbout(books, about, (script) => script.inquiry !== null)?.inquiry ?? 'truth'
  const isYoung = (forMs: number) => createdAtMs !== undefined && books.nowMs() < createdAtMs + forMs
  return {
    fault: inquiry === 'error' ? 'error_before' : inquiry === 'hang' ? 'hang_before' : null,
    isHidden: typeof inquiry === 'object' ? isYoung(inquiry.notFoundForMs) : inquiry === 'not_found',
    isLie: inquiry === 'lies_failed',
  }
}

/** The outage of a rail that a request falls into now; each one that does is counted. */
export function outageOf(books: Books, rail: Rail | CollectRail): Outage | null {
  for (const state of books.scripts()) {
    const { outage, outageUntilMs, rail: of } = state.script
    if (outage === null || (of !== null && of !== rail)) continue
    if (outageUntilMs !== null && books.nowMs() >= outageUntilMs) continue
    books.played(state, null)
    return outage
  }
  return null
}

/** How callbacks about an event are sent; null for in the plain way. */
export function callbackPlay(books: Books, event: RailEvent): CallbackPlay | null {
  const entry = books.entry(event.entry)
  return scriptAbout(books, entry, ({ callbacks }) => callbacks !== null)?.callbacks ?? null
}
