// Seals the histories of accounts, while others write as well: what is sealed late can be changed for as long without a trace. An
// idle account costs nothing, a busy one a seal in a few seconds, and no more than a tenth of a processor's time goes into all.
import { setTimeout as sleep } from 'node:timers/promises'
import { accountKeyFrom } from '../../store/resources/terms.ts'
import { type HistoryFollower, type HistoryFollowerOptions, restMs } from './follow-history.ts'

/** So long after the last write there may be accounts whose turn comes again. */
const SETTLED_MS = 4000
/** What other processes wrote is looked for so often. */
const LOOK_MS = 15_000
/** Few, so that a gateway that stops waits for few. */
const ACCOUNTS_AT_ONCE = 5

export function openHistorySealer({
  session,
  behind,
  takePage,
  ownLanes,
  monotonicMs,
}: HistoryFollowerOptions): HistoryFollower {
  let writtenAtMs = Number.NEGATIVE_INFINITY
  let lookedAtMs = Number.NEGATIVE_INFINITY
  return {
    notify: () => {
      writtenAtMs = monotonicMs()
    },
    round: async () => {
      const nowMs = monotonicMs()
      if (writtenAtMs + SETTLED_MS <= lookedAtMs && nowMs - lookedAtMs < LOOK_MS) return 0
      const [result] = await session.run((own) => own.send([behind(ownLanes(), ACCOUNTS_AT_ONCE)]))
      const accounts = (result?.rows ?? []).map(accountKeyFrom)
      for (const account of accounts) {
        const beganAtMs = monotonicMs()
        await takePage(account)
        await sleep(restMs(monotonicMs() - beganAtMs))
      }
      if (accounts.length === 0) lookedAtMs = nowMs
      return accounts.length
    },
  }
}
