// Takes the history of accounts into what is kept behind it, such as the index of search and the figures, when nobody writes. While
// somebody does, a page now and then: what a reader needs of its own account's end it takes in itself.
import type { OwnLanes } from '../../app/jobs/own-lanes.ts'
import type { SearchSession } from '../../app/resources/indexing.ts'
import type { Statement } from '../../platform/db.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { accountKeyFrom } from '../../store/resources/terms.ts'
import { setTimeout as sleep } from 'node:timers/promises'

export type HistoryFollower = {
  /** Something was written just now. */
  readonly notify: () => void
  /** Takes in what there is time for; how many pages that was. */
  readonly round: () => Promise<number>
}

export type HistoryFollowerOptions = {
  readonly session: SearchSession
  /** Accounts with history that was not taken in, so many at most. */
  readonly behind: (lanes: readonly number[], limit: number) => Statement
  /** Takes in the next page of an account's. */
  readonly takePage: (key: AccountKey) => Promise<unknown>
  readonly ownLanes: OwnLanes
  readonly monotonicMs: () => number
}

/** Nobody has written for so long: nobody is in the way. */
const QUIET_MS = 1500
/** While somebody writes, a page in so long. */
const BUSY_PAUSE_MS = 5000
/** What other processes wrote is looked for so often. */
const LOOK_MS = 15_000
const ACCOUNTS_AT_ONCE = 50
/** So many times as long as a page took nothing is done after it: no more than a tenth of a processor's time goes into all. */
const RESTS = 9
/** What took longer than a ninth of this waited for locks or for the server, which took no processor's time. */
const REST_MAX_MS = 5000

/** How long nothing is taken in after what took so long, in milliseconds. Pure. */
export const restMs = (tookMs: number): number => Math.min(RESTS * tookMs, REST_MAX_MS)

export function openHistoryFollower(options: HistoryFollowerOptions): HistoryFollower {
  const { session, behind, takePage, ownLanes, monotonicMs } = options
  let writtenAtMs = Number.NEGATIVE_INFINITY
  let pageAtMs = Number.NEGATIVE_INFINITY
  let lookedAtMs = Number.NEGATIVE_INFINITY
  const isQuiet = () => monotonicMs() - writtenAtMs >= QUIET_MS

  const accountsBehind = async (): Promise<AccountKey[]> => {
    const [result] = await session.run((own) => own.send([behind(ownLanes(), ACCOUNTS_AT_ONCE)]))
    return (result?.rows ?? []).map(accountKeyFrom)
  }

  return {
    notify: () => {
      writtenAtMs = monotonicMs()
    },
    round: async () => {
      const nowMs = monotonicMs()
      if (writtenAtMs <= lookedAtMs && nowMs - lookedAtMs < LOOK_MS) return 0
      if (!isQuiet() && nowMs - pageAtMs < BUSY_PAUSE_MS) return 0
      const accounts = await accountsBehind()
      let pages = 0
      for (const account of accounts) {
        pageAtMs = monotonicMs()
        await takePage(account)
        pages += 1
        if (!isQuiet()) return 0
        // Whoever reads meanwhile is not to notice.
        await sleep(restMs(monotonicMs() - pageAtMs))
      }
      if (accounts.length === 0) lookedAtMs = nowMs
      return pages
    },
  }
}
