// What the sandbox provider can be made to do: one table, read by the server, by GET /scenarios and by its documentation.
// It must not know about HTTP, files or clocks.

/** How an order ends in the books as soon as it is executed. */
type Verdict =
  | { readonly status: 'completed' | 'accepted' }
  | { readonly status: 'refused'; readonly code: string; readonly message: string }

/** What happens to an order by itself, some time after it was executed. */
export type Later =
  | { readonly afterMs: number; readonly status: 'completed' }
  | { readonly afterMs: number; readonly status: 'returned'; readonly code: string; readonly message: string }

/** What the caller gets on the wire. "before" faults do not execute the order. All fire once for each reference. */
export type Wire = 'answer' | 'hang_after' | 'hang_before' | 'error_after' | 'error_before' | 'reset_after'

export type Scenario = {
  /** `recipient.wallet` = `sandbox-<name>` chooses it, whatever the amount. */
  readonly name: string
  /** The amount in minor units, modulo 100, that chooses it; null for what happens to every other amount. */
  readonly ending: number | null
  readonly verdict: Verdict
  readonly later: Later | null
  readonly wire: Wire
  readonly summary: string
}

const DAY_MS = 86_400_000
const done: Verdict = { status: 'completed' }
const taken: Verdict = { status: 'accepted' }
const closed: Verdict = {
  status: 'refused',
  code: 'account_closed',
  message: 'The account of the recipient is closed.',
}
const invalid: Verdict = { status: 'refused', code: 'invalid_account', message: 'There is no such account.' }
const bounce: Later = {
  afterMs: 5_000,
  status: 'returned',
  code: 'account_closed_later',
  message: 'The bank of the recipient sent the money back.',
}

const completes = row('completes', null, done, 'answer', 'Completes at once.')

export const SCENARIOS: readonly Scenario[] = [
  completes,
  row('late', 11, taken, 'answer', 'Accepted; completes 3 s later.', { afterMs: 3_000, status: 'completed' }),
  row('account-closed', 21, closed, 'answer', 'Refused for good: account_closed.'),
  row('invalid-account', 22, invalid, 'answer', 'Refused for good: invalid_account.'),
  row('timeout-after', 31, done, 'hang_after', 'Completes, but never answers.'),
  row('timeout-before', 32, done, 'hang_before', 'Never answers and does nothing; sent again, it completes.'),
  row('error-after', 41, done, 'error_after', 'Completes, but answers 500.'),
  row('error-before', 42, done, 'error_before', 'Answers 500 and does nothing; sent again, it completes.'),
  row('reset-after', 43, done, 'reset_after', 'Completes, but the connection is reset instead of an answer.'),
  row('bounce', 51, done, 'answer', 'Completes; 5 s later it is returned with account_closed_later.', bounce),
  row('stuck', 52, taken, 'answer', 'Accepted until it is recalled; completes a day later.', {
    afterMs: DAY_MS,
    status: 'completed',
  }),
]

const BY_ENDING = new Map(SCENARIOS.map((scenario) => [scenario.ending, scenario]))
const BY_WALLET = new Map(SCENARIOS.map((scenario) => [`sandbox-${scenario.name}`, scenario]))

/** The scenario of an order. The recipient's account wins over the amount; what neither names completes at once. */
export function scenarioOf(amountMinor: bigint, wallet: string | null): Scenario {
  const named = wallet === null ? undefined : BY_WALLET.get(wallet)
  return named ?? BY_ENDING.get(Number(amountMinor % 100n)) ?? completes
}

// ISO 4217, as far as money can be sent here; every other code has two decimals.
const OTHER_DIGITS = new Map<string, number>([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
])

/** "100.01" PHP -> 10001n, "1011" JPY -> 1011n. Null when it is no positive amount of that currency. */
export function minorOf(amount: string, currency: string): bigint | null {
  const digits = OTHER_DIGITS.get(currency) ?? 2
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d{1,3}))?$/.exec(amount) ?? []
  if (whole === undefined || fraction.length > digits) return null
  const minor = BigInt(whole + fraction.padEnd(digits, '0'))
  return minor > 0n ? minor : null
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
