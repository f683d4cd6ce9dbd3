// Seals the histories of accounts, while others write as well: what is sealed late can be changed for as long without a trace. An
// idle account costs nothing, a busy one a seal in a few seconds or, where it writes more than a seal holds, one seal after the other;
// no more than a tenth of a processor's time goes into all.
import { setTimeout as sleep } from 'node:timers/promises'
import { STEPS_AT_ONCE } from '../../app/seals/sealing.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { accountKeyFrom } from '../../store/resources/terms.ts'
import { type HistoryFollower, type HistoryFollowerOptions, restMs } from './follow-history.ts'

type HistorySealerOptions = Omit<HistoryFollowerOptions, 'takePage'> & {
  /** Seals the next stretch of an account; how many positions and ledger rows that were. */
  readonly takePage: (key: AccountKey) => Promise<number>
}

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
}: HistorySealerOptions): HistoryFollower {
  let writtenAtMs = Number.NEGATIVE_INFINITY
  let lookedAtMs = Number.NEGATIVE_INFINITY
  /** A seal did not hold all that they had: their next one does not wait for their turn. */
  let further: readonly AccountKey[] = []
  return {
    notify: () => {
      writtenAtMs = monotonicMs()
    },
    round: async () => {
      const nowMs = monotonicMs()
      if (writtenAtMs + SETTLED_MS <= lookedAtMs && nowMs - lookedAtMs < LOOK_MS) return 0
      const [result] = await session.run((own) => own.send([behind(ownLanes(), ACCOUNTS_AT_ONCE)]))
      const found = (result?.rows ?? []).map(accountKeyFrom)
      const accounts = [
        ...found,
        ...further.filter(({ accountId }) => !found.some((key) => key.accountId === accountId)),
      ]
      // A fault ends the round, and is not to begin the next one as well.
      further = []
      const filled: AccountKey[] = []
      for (const account of accounts) {
        const beganAtMs = monotonicMs()
        if ((await takePage(account)) >= STEPS_AT_ONCE) filled.push(account)
        await sleep(restMs(monotonicMs() - beganAtMs))
      }
      further = filled.slice(0, ACCOUNTS_AT_ONCE)
      if (accounts.length === 0) lookedAtMs = nowMs
      return accounts.length
    },
  }
}
