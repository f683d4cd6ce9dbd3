// A transaction that holds an account, beside the write path: nothing else of the account is written meanwhile. An account that
// a batch holds at the moment is tried again a little later; one that batches hold one after the other is waited for in the
// database's queue, for moments at a time, since others use the same connection.
import { setTimeout as sleep } from 'node:timers/promises'
import { Busy } from '../../engine/held-line.ts'
import type { SerialSession } from '../../engine/serial-session.ts'
import { isLockTimeout, type Result, type Statement, type Stored } from '../../platform/db.ts'
import {
  accountHeadFrom,
  type AccountHead,
  type AccountKey,
  awaitAccount,
  lockAccounts,
  lockOf,
} from '../../store/accounts/accounts.ts'

const TRY_AGAIN_MS = 5
/** Most often a try or two is enough. */
const TRIES_WITHOUT_WAITING = 4
const HELD_MAX_MS = 2000
const NOT_FOR_LONG: Statement = { name: 'wait_not_for_long', text: "set local lock_timeout = '100ms'", values: [] }

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
  const decided = (heads: Result | undefined, loaded: readonly Result[]): Stored<T | typeof HELD> => {
    const row = heads?.rows[0]
    const held = row ? lockOf(row) : 'no account'
    if (!row || held === 'no account') throw new Error(`account ${accountId} is not there`)
    return held === 'ours' ? decide(accountHeadFrom(row), loaded) : { statements: [], value: HELD }
  }
  const untilMs = performance.now() + HELD_MAX_MS
  for (let tried = 0; performance.now() < untilMs; tried++) {
    const waiting = tried < TRIES_WITHOUT_WAITING ? [] : [NOT_FOR_LONG, awaitAccount({ lane, accountId })]
    const answer = await serialSession.run((session) =>
      session
        .transaction<T | typeof HELD>([...waiting, lock, ...load], (results) => {
          const [heads, ...loaded] = results.slice(waiting.length)
          return decided(heads, loaded)
        })
        .catch((fault: unknown): typeof HELD => {
          if (waiting.length > 0 && isLockTimeout(fault)) return HELD
          throw fault
        }),
    )
    if (answer !== HELD) return answer
    await sleep(TRY_AGAIN_MS)
  }
  throw new Busy(accountId)
}
