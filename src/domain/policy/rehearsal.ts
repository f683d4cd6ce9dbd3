// What policies would have made of payments that were made: how many they would have met, for how much, and why. Pure.
import { invariant } from '../invariant.ts'
import type { Transfer } from '../transfer/transfer.ts'
import type { Judgement } from './judge.ts'
import type { Spent } from './meters.ts'
import type { Outcome, Policy } from './policy.ts'

/** What a policy would have done to a payment. Approvals, verifications and a delay may come together. */
export const EFFECTS = ['denied', 'approvals', 'verification', 'delayed'] as const
export type Effect = (typeof EFFECTS)[number]

const EFFECT_OF: Readonly<Record<Exclude<Outcome['kind'], 'allow'>, Effect>> = {
  deny: 'denied',
  approvals: 'approvals',
  verification: 'verification',
  delay: 'delayed',
}

export type Reason = { readonly policy: Policy; readonly effect: Effect }

/** Which policies would have met it, and how; none where it would have gone as it went. What is denied is asked nothing more. */
export function reasonsOf({ denied, traces }: Judgement): Reason[] {
  return traces.flatMap(({ policy, applies }) => {
    if (!applies || policy.then.kind === 'allow') return []
    const isDenial = policy.then.kind === 'deny'
    if (denied ? policy.id !== denied.policyId : isDenial) return []
    return [{ policy, effect: EFFECT_OF[policy.then.kind] }]
  })
}

type Row = Readonly<Record<'paid' | Effect, Spent>>
export type CurrencyTotals = Row & { readonly currency: string }
export type PolicyTotals = { readonly policy: Policy; readonly applied: number; readonly met: number }

/** What would have become of payments, added up one by one. */
export type Tally = {
  readonly add: (transfer: Transfer, judgement: Judgement) => void
  readonly currencies: () => readonly CurrencyTotals[]
  /** Of every policy in the order in which they are asked: to how many it applies, and of how many it decides something. */
  readonly policies: () => readonly PolicyTotals[]
}

const NONE: Spent = { sumMinor: 0n, count: 0 }
const EMPTY_ROW: Row = { paid: NONE, denied: NONE, approvals: NONE, verification: NONE, delayed: NONE }

/** `policies` in the order in which they are asked. */
export function openTally(policies: readonly Policy[]): Tally {
  const rows = new Map<string, Row>()
  const totals = new Map(policies.map((policy) => [policy.id, { policy, applied: 0, met: 0 }]))
  const note = (id: string, member: 'applied' | 'met') => {
    const known = totals.get(id)
    invariant(known !== undefined, 'a judgement names its policies')
    known[member] += 1
  }
  const add = ({ terms }: Transfer, judgement: Judgement) => {
    const reasons = reasonsOf(judgement)
    const met = new Set<keyof Row>(['paid', ...reasons.map(({ effect }) => effect)])
    const row = { ...(rows.get(terms.currency) ?? EMPTY_ROW) }
    for (const each of met) {
      const { sumMinor, count } = row[each]
      row[each] = { sumMinor: sumMinor + terms.amountMinor, count: count + 1 }
    }
    rows.set(terms.currency, row)
    for (const { policyId, applies } of judgement.traces) if (applies) note(policyId, 'applied')
    for (const { policy } of reasons) note(policy.id, 'met')
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
