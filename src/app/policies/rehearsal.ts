// What an account's payments of the last days would have met under policies: those that are in force, others, or both. Reads only.
import { inOrder, type Policy } from '../../domain/policy/policy.ts'
import { type Met, openTally, reasonsOf, type Rehearsal } from '../../domain/policy/rehearsal.ts'
import { openReplay, type PastStep } from '../../domain/policy/replay.ts'
import type { Deps } from '../deps.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import { policyFrom } from '../../store/policies/policies.ts'
import { listActivePolicies } from '../../store/policies/written.ts'
import { learnDestinations, lookBackMs, openHistory, pastIn, stepsOf } from './history.ts'

const DAY_MS = 86_400_000

export type RehearsalAsked = {
  /** As if all of them had been in force. */
  readonly policies: readonly Policy[]
  readonly days: number
  /** Which payments that would have been met are shown: those after this one, so many. */
  readonly after: string | null
  readonly limit: number
}

export async function rehearse(
  { reader, nowMs, channels }: Pick<Deps, 'reader' | 'nowMs' | 'channels'>,
  key: AccountKey,
  { policies, days, after, limit }: RehearsalAsked,
): Promise<Rehearsal> {
  const toMs = nowMs()
  const wantedMs = toMs - days * DAY_MS
  const history = await openHistory(reader, key, wantedMs - lookBackMs(policies))
  const fromMs = Math.max(wantedMs, history.cutAt ?? wantedMs)
  const active = inOrder(policies).map((policy) => ({ ...policy, status: 'active' as const }))
  const since = new Map<string, ReadonlyMap<string, number>>()
  const replay = openReplay(active, fromMs, pastIn(history, since))
  const tally = openTally(active, ownFeesIn(channels))
  const shown = openShown(after, limit)
  const take = (step: PastStep) => {
    const judgement = replay.take(step)
    if (!judgement) return
    tally.add(step.transfer, judgement)
    shown.add({ transfer: step.transfer, reasons: reasonsOf(judgement) })
  }
  for await (const steps of stepsOf(reader, key, history)) {
    await learnDestinations(reader, key, steps, since)
    for (const step of steps) take(step)
  }
  const found = { currencies: tally.currencies(), policies: tally.policies(), ...shown.page() }
  return { fromMs, toMs, timeZone: history.timeZone, cutAt: history.cutAt, ...found }
}

/** What the channel itself asked in the version that priced a transfer; null where it is not known any more. */
const ownFeesIn =
  (channels: Deps['channels']) =>
  ({ terms: { channelId, currency }, channelVersion }: Transfer) =>
    channelId === null || channelVersion === null
      ? null
      : (channels.at(channelId, channelVersion)?.terms.get(currency)?.fees ?? null)

/** The policies of an account that are in force. */
export async function activePoliciesOf({ reader }: Pick<Deps, 'reader'>, key: AccountKey): Promise<Policy[]> {
  const [found] = await reader.send([listActivePolicies(key)])
  return (found?.rows ?? []).map(policyFrom)
}

/** A page of what was met, in the order in which it was paid; it keeps no more than that. */
function openShown(after: string | null, limit: number) {
  const page: Met[] = []
  let isReached = after === null
  let hasMore = false
  return {
    add: (met: Met) => {
      if (met.reasons.length > 0 && isReached) {
        if (page.length < limit) page.push(met)
        else hasMore = true
      }
      if (met.transfer.id === after) isReached = true
    },
    page: () => ({ met: page, hasMore }),
  }
}
