// What an amount or an account can choose: one table, read by every rail, by GET /scenarios and by its documentation.
// It must not know about HTTP, files or clocks.
import type { Later, Verdict } from './books/orders.ts'

/**
 * What the caller gets on the wire. "before" faults do not execute the order; the others do.
 * `slowMs` answers truly, so much later.
 */
export type Wire =
  | 'answer'
  | 'hang_before'
  | 'hang_after'
  | 'error_before'
  | 'error_after'
  | 'reset_after'
  | 'garbage'
  | { readonly slowMs: number }

export type Scenario = {
  /** An account or a name `sandbox-<name>` chooses it, whatever the amount. */
  readonly name: string
  /** The amount in minor units, modulo 100, that chooses it; null for what happens to every other amount. */
  readonly ending: number | null
  readonly verdict: Verdict
  readonly later: Later | null
  readonly wire: Wire
  readonly summary: string
}

export const ACCOUNT_CLOSED: Verdict = {
  status: 'refused',
  code: 'account_closed',
  message: 'The account of the recipient is closed.',
}

const DAY_MS = 86_400_000
const done: Verdict = { status: 'completed', code: null, message: null }
const taken: Verdict = { status: 'accepted', code: null, message: null }
const invalid: Verdict = { status: 'refused', code: 'invalid_account', message: 'There is no such account.' }
const completion = { status: 'completed', code: null, message: null } as const
const bounce: Later = {
  afterMs: 5_000,
  status: 'returned',
  code: 'account_closed_later',
  message: 'The bank of the recipient sent the money back.',
}

const completes = row('completes', null, done, 'answer', 'Completes at once.')

export const SCENARIOS: readonly Scenario[] = [
  completes,
  row('late', 11, taken, 'answer', 'Accepted; completes 3 s later.', { afterMs: 3_000, ...completion }),
  row('account-closed', 21, ACCOUNT_CLOSED, 'answer', 'Refused for good: account_closed.'),
  row('invalid-account', 22, invalid, 'answer', 'Refused for good: invalid_account.'),
  row('timeout-after', 31, done, 'hang_after', 'Completes, but never answers.'),
  row('timeout-before', 32, done, 'hang_before', 'Never answers and does nothing; sent again, it completes.'),
  row('error-after', 41, done, 'error_after', 'Completes, but answers 500.'),
  row('error-before', 42, done, 'error_before', 'Answers 500 and does nothing; sent again, it completes.'),
  row('reset-after', 43, done, 'reset_after', 'Completes, but the connection is reset instead of an answer.'),
  row('bounce', 51, done, 'answer', 'Completes; 5 s later it is returned with account_closed_later.', bounce),
  row('stuck', 52, taken, 'answer', 'Accepted until it is recalled; completes a day later.', {
    afterMs: DAY_MS,
    ...completion,
  }),
  row('refused-later', 53, taken, 'answer', 'Accepted; refused 3 s later: account_closed.', {
    ...ACCOUNT_CLOSED,
    afterMs: 3_000,
    status: 'refused',
  }),
]

const BY_ENDING = new Map(SCENARIOS.map((scenario) => [scenario.ending, scenario]))
const BY_NAME = new Map(SCENARIOS.map((scenario) => [`sandbox-${scenario.name}`, scenario]))

/** The scenario of an order. An account or a name wins over the amount; what none of them names completes at once. */
export function scenarioOf(amountMinor: bigint, names: readonly (string | null)[]): Scenario {
  const named = names.flatMap((name) => (name === null ? [] : (BY_NAME.get(name) ?? [])))[0]
  return named ?? BY_ENDING.get(Number(amountMinor % 100n)) ?? completes
}

/** Whether a fault on the wire comes instead of the deed. */
export function isBefore(wire: Wire): boolean {
  return wire === 'hang_before' || wire === 'error_before'
}

function row(
  name: string,
  ending: number | null,
  verdict: Verdict,
  wire: Wire,
  summary: string,
  later: Later | null = null,
): Scenario {
  return { name, ending, verdict, later, wire, summary }
}
