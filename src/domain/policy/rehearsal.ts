// What policies would have made of payments that were made: how many they would have met, for how much, and why. Pure.
import { invariant } from '../invariant.ts'
import { type FeeSchedule, feeOf } from '../money/fees.ts'
import type { Transfer } from '../transfer/transfer.ts'
import { pricing } from './fees.ts'
import type { Judgement } from './judge.ts'
import type { Spent } from './meters.ts'
import type { Outcome, Policy } from './policy.ts'

/** What a policy would have done to a payment. Approvals, verifications and a delay may come together. */
export const EFFECTS = ['denied', 'approvals', 'verification', 'delayed'] as const
export type Effect = (typeof EFFECTS)[number]

const EFFECT_OF: Readonly<Record<Exclude<Outcome['kind'], 'allow' | 'fees'>, Effect>> = {
  deny: 'denied',
  approvals: 'approvals',
  verification: 'verification',
  delay: 'delayed',
}

export type Reason = { readonly policy: Policy; readonly effect: Effect }

/** Which policies would have met it, and how; none where it would have gone as it went. What is denied is asked nothing more. */
export function reasonsOf({ denied, traces }: Judgement): Reason[] {
  return traces.flatMap(({ policy, applies }) => {
    if (!applies || policy.then.kind === 'allow' || policy.then.kind === 'fees') return []
    const isDenial = policy.then.kind === 'deny'
    if (denied ? policy.id !== denied.policyId : isDenial) return []
    return [{ policy, effect: EFFECT_OF[policy.then.kind] }]
  })
}

type Row = Readonly<Record<'paid' | Effect, Spent>>
/** `charged`: as they were. `wouldBe`: of those that would not have been denied, by the policies of fees or the channel's own price. */
type Fees = { readonly chargedMinor: bigint; readonly wouldBeMinor: bigint }
export type CurrencyTotals = Row & Fees & { readonly currency: string }
export type PolicyTotals = { readonly policy: Policy; readonly applied: number; readonly met: number }

/** What would have become of payments, added up one by one. */
export type Tally = {
  readonly add: (transfer: Transfer, judgement: Judgement) => void
  readonly currencies: () => readonly CurrencyTotals[]
  /** Of every policy in the order in which they are asked: to how many it applies, and of how many it decides something. */
  readonly policies: () => readonly PolicyTotals[]
}

const NONE: Spent = { sumMinor: 0n, count: 0 }
const EMPTY_ROW: Row & Fees = {
  chargedMinor: 0n,
  wouldBeMinor: 0n,
  paid: NONE,
  denied: NONE,
  approvals: NONE,
  verification: NONE,
  delayed: NONE,
}

/** What a payment would have cost: by the policy that prices it, or by the channel alone where none does. */
function feeUnder({ fees }: Judgement, transfer: Transfer, own: FeeSchedule | null): bigint {
  const { terms, feeMinor, feePrice } = transfer
  if (!own || (!fees && !feePrice)) return feeMinor
  return feeOf(pricing(own, fees, terms.amountMinor).fees, terms.amountMinor)
}

/** `policies` in the order in which they are asked; `ownFees`: of the channel in the version that priced a transfer. */
export function openTally(policies: readonly Policy[], ownFees: (transfer: Transfer) => FeeSchedule | null): Tally {
  const rows = new Map<string, Row & Fees>()
  const totals = new Map(policies.map((policy) => [policy.id, { policy, applied: 0, met: 0 }]))
  const note = (id: string, member: 'applied' | 'met') => {
    const known = totals.get(id)
    invariant(known !== undefined, 'a judgement names its policies')
    known[member] += 1
  }
  const add = (transfer: Transfer, judgement: Judgement) => {
    const { terms } = transfer
    const reasons = reasonsOf(judgement)
    const met = new Set<keyof Row>(['paid', ...reasons.map(({ effect }) => effect)])
    const row: { -readonly [member in keyof (Row & Fees)]: (Row & Fees)[member] } = {
      ...(rows.get(terms.currency) ?? EMPTY_ROW),
    }
    for (const each of met) {
      const { sumMinor, count } = row[each]
      row[each] = { sumMinor: sumMinor + terms.amountMinor, count: count + 1 }
    }
    row.chargedMinor += transfer.feeMinor
    if (!judgement.denied) row.wouldBeMinor += feeUnder(judgement, transfer, ownFees(transfer))
    rows.set(terms.currency, row)
    for (const { policyId, applies } of judgement.traces) if (applies) note(policyId, 'applied')
    for (const { policy } of reasons) note(policy.id, 'met')
    if (judgement.fees && !judgement.denied) note(judgement.fees.policyId, 'met')
  }
  return {
    add,
    currencies: () => [...rows].map(([currency, row]) => ({ currency, ...row })),
    policies: () => [...totals.values()],
  }
}

/** A payment that policies would have met. */
export type Met = { readonly transfer: Transfer; readonly reasons: readonly Reason[] }

/** What was found of the payments from one moment to another. */
export type Rehearsal = {
  readonly fromMs: number
  readonly toMs: number
  readonly timeZone: string
  /** Set where the history is longer than is looked at: the moment from which on it is. */
  readonly cutAt: number | null
  readonly currencies: readonly CurrencyTotals[]
  readonly policies: readonly PolicyTotals[]
  /** In the order in which they were paid. */
  readonly met: readonly Met[]
  readonly hasMore: boolean
}
