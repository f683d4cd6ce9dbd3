// What happened to an account once more, and what policies would have said of it: each payment is judged and counted as it is
// when it is paid. A denied one is not counted; one that approvals or verifications are asked of counts as if it had got them at
// once, but where it refunds a payment elsewhere: that cannot wait for approvals, and is refused. Pure; the steps are taken one by one, so
// that a long history needs no more memory than its meters.
import type { KeyLine } from '../account/key-line.ts'
import type { Transfer } from '../transfer/transfer.ts'
import { isKept } from './look.ts'
import { circumstancesOf, type Moment, metersOf, type Payer, payerIn } from './circumstances.ts'
import { type Judgement, judge } from './judge.ts'
import { EMPTY_METER, type Meter, metered, type MeterName, meterText, type Spent } from './meters.ts'
import type { Policy } from './policy.ts'

/** A step of an account's history that moves its meters: a transfer was paid, or its money came back. */
export type PastStep = {
  readonly kind: 'paid' | 'given back'
  /** As the step left it. */
  readonly transfer: Transfer
  readonly atMs: number
}

/** A moment of the past in the account's time zone, since when a saved destination is as a transfer used it, in whose place a key stands. */
export type Past = {
  readonly localOf: (atMs: number) => Moment['local']
  readonly destinationSince: (transfer: Transfer) => number | null
  readonly lineOf: (keyId: string) => KeyLine | null
}

export type CountedMeter = { readonly name: MeterName; readonly meter: Meter }

export type Replay = {
  /** Takes the next step; what is said of it, or null where nothing is judged. */
  readonly take: (step: PastStep) => Judgement | null
  /** What is counted by now; of whom all came back, nothing. */
  readonly meters: () => readonly CountedMeter[]
}

/** Counts what the policies look at. `judgedFromMs`: what was paid before that is counted, and not judged. */
export function openReplay(
  policies: readonly Policy[],
  judgedFromMs: number,
  { localOf, destinationSince, lineOf }: Past,
  counted: readonly CountedMeter[] = [],
): Replay {
  const kept = isKept(policies)
  const meters = new Map(counted.map((each) => [meterText(each.name), each]))
  const refused = new Set<string>()
  // What a refund costs is the channel's word alone.
  const unpriced = policies.filter(({ then }) => then.kind !== 'fees')
  const meterOf = (name: MeterName) => meters.get(meterText(name))?.meter

  const count = (transfer: Transfer, payer: Payer, spent: Spent, paidAt: number, nowMs: number) => {
    for (const name of metersOf(transfer, payer).filter(kept)) {
      const meter = metered(meterOf(name) ?? EMPTY_METER, name.span, spent, paidAt, nowMs)
      meters.set(meterText(name), { name, meter })
    }
  }

  const take = ({ kind, transfer, atMs }: PastStep): Judgement | null => {
    const { id, terms, paidAt } = transfer
    const payer = payerIn(transfer, lineOf)
    if (kind === 'given back') {
      const wasCounted = paidAt !== null && !refused.delete(id)
      if (wasCounted) count(transfer, payer, { sumMinor: -terms.amountMinor, count: -1 }, paidAt, atMs)
      return null
    }
    const moment = { nowMs: atMs, local: localOf(atMs) }
    const judgement =
      atMs < judgedFromMs
        ? null
        : judge(
            transfer.origin === null ? policies : unpriced,
            circumstancesOf(transfer, payer, moment, destinationSince(transfer), meterOf),
          )
    if (judgement && isRefused(judgement, transfer)) refused.add(id)
    else count(transfer, payer, { sumMinor: terms.amountMinor, count: 1 }, atMs, atMs)
    return judgement
  }
  return { take, meters: () => [...meters.values()] }
}

const isRefused = ({ denied, approvals }: Judgement, { origin }: Transfer): boolean =>
  denied !== null || (origin !== null && approvals.length > 0)
