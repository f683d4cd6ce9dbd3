// A transaction that holds an account, beside the write path: nothing else of the account is written meanwhile. It never
// waits inside, for others use the same connection: an account that a batch holds at the moment is tried again a little later.
import { setTimeout as sleep } from 'node:timers/promises'
import { Busy } from '../../engine/held-lines.ts'
import type { SerialSession } from '../../engine/serial-session.ts'
import type { Result, Statement, Stored } from '../../platform/db.ts'
import {
  accountHeadFrom,
  type AccountHead,
  type AccountKey,
  lockAccounts,
  lockOf,
} from '../../store/accounts/accounts.ts'

const TRY_AGAIN_MS = 5
const TRIES = 400

const HELD = Symbol('another session holds the account')

/**
 * Runs `decide` on the account as it stands, with the results of `load`, and stores what it returns; an empty list of statements
 * stores nothing. Throws {@link Busy} where another session holds the account for two seconds, and where there is no such
 * account.
 */
export async function whileHeld<T>(
  serialSession: Pick<SerialSession, 'run'>,
  { lane, accountId }: AccountKey,
  load: readonly Statement[],
  decide: (head: AccountHead, loaded: readonly Result[]) => Stored<T>,
): Promise<T> {
  const lock = lockAccounts({ kind: 'one lane', lane }, [{ lane, accountId }])
  for (let tried = 0; tried < TRIES; tried++) {
    const answer = await serialSession.run((session) =>
      session.transaction<T | typeof HELD>([lock, ...load], ([heads, ...loaded]) => {
        const row = heads?.rows[0]
        const held = row ? lockOf(row) : 'no account'
        if (!row || held === 'no account') throw new Error(`account ${accountId} is not there`)
        return held === 'ours' ? decide(accountHeadFrom(row), loaded) : { statements: [], value: HELD }
      }),
    )
    if (answer !== HELD) return answer
    await sleep(TRY_AGAIN_MS)
  }
  throw new Busy(accountId)
}
