// What the amount of a collection can choose: one table, read by every rail that collects, by GET /scenarios and by its
// documentation. It must not know about HTTP, files or clocks.
import type { Wire } from '../scenarios.ts'

/** What becomes of a payment once the payer has agreed to it. */
export type OnPay = 'succeeds' | 'succeeds_later' | 'fails_later' | 'declined'

export type CollectScenario = {
  readonly name: string
  /** The amount in minor units, modulo 100, that chooses it; null for what happens to every other amount. */
  readonly ending: number | null
  readonly onPay: OnPay
  /** How much more arrives than was requested. */
  readonly excessMinor: bigint
  /** How often the event of a success is sent. */
  readonly successReports: number
  readonly failureReportedAfterSuccess: boolean
  readonly paidAfterVoid: boolean
  /** What happens to the answer of the first request of a reference; the deed is done in any case. */
  readonly wire: Wire
  readonly summary: string
}

const PLAIN: CollectScenario = {
  name: 'payer-chooses',
  ending: null,
  onPay: 'succeeds',
  excessMinor: 0n,
  successReports: 1,
  failureReportedAfterSuccess: false,
  paidAfterVoid: false,
  wire: 'answer',
  summary: 'As the payer chooses.',
}

export const COLLECT_SCENARIOS: readonly CollectScenario[] = [
  PLAIN,
  row('late', 11, 'Processing when it is paid; succeeds 3 s later.', { onPay: 'succeeds_later' }),
  row('fails-late', 12, 'Processing when it is paid; fails 3 s later.', { onPay: 'fails_later' }),
  row('declined', 21, 'Declined when it is paid.', { onPay: 'declined' }),
  row('timeout-after', 31, 'Opened, but never answered.', { wire: 'hang_after' }),
  row('error-after', 41, 'Opened, but answered 500.', { wire: 'error_after' }),
  row('reset-after', 43, 'Opened, but the connection is reset instead of an answer.', { wire: 'reset_after' }),
  row('told-thrice', 61, 'The success is told three times.', { successReports: 3 }),
  row('disorder', 62, 'A failure is told after the success.', { failureReportedAfterSuccess: true }),
  row('partial', 63, 'The payer pays 1.00 less.', { excessMinor: -100n }),
  row('excess', 64, 'The payer pays 1.00 more.', { excessMinor: 100n }),
  row('paid-after-void', 65, 'Voided when that is asked, yet paid 2 s later.', { paidAfterVoid: true }),
]

const BY_ENDING = new Map(COLLECT_SCENARIOS.map((scenario) => [scenario.ending, scenario]))

export function collectScenarioOf(amountMinor: bigint): CollectScenario {
  return BY_ENDING.get(Number(amountMinor % 100n)) ?? PLAIN
}

/** What the amount of a refund chooses; every other one is done at once. */
export const REFUND_SCENARIOS = [
  { name: 'refund-late', ending: 11, summary: 'Taken; done 3 s later.' },
  { name: 'refund-refused', ending: 22, summary: 'Refused for good: payer_account_closed.' },
] as const

export type RefundPlay = 'done' | 'late' | 'refused'

export function refundPlayOf(amountMinor: bigint): RefundPlay {
  const ending = Number(amountMinor % 100n)
  if (ending === 11) return 'late'
  return ending === 22 ? 'refused' : 'done'
}

function row(name: string, ending: number, summary: string, change: Partial<CollectScenario>): CollectScenario {
  return { ...PLAIN, name, ending, summary, ...change }
}
