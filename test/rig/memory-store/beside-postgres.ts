// The store in memory beside PostgreSQL: the stories of the simulation are written to both, batch by batch, and everything that a
// batch answers, loads and leaves behind has to be the same.
import { inspect } from 'node:util'
import type pg from 'pg'
import { expect } from 'vitest'
import { createAccount, createApiKey } from '../../../src/app/accounts/accounts.ts'
import { HELD } from '../../../src/engine/batch.ts'
import type { BatchState } from '../../../src/engine/batch-state.ts'
import { executeBatch } from '../../../src/engine/execute.ts'
import { loadBatch } from '../../../src/engine/load.ts'
import { needsOf } from '../../../src/engine/needs.ts'
import { insertWallet } from '../../../src/ledger/wallets.ts'
import type { Session } from '../../../src/platform/db.ts'
import { type GroupOf, scopeWithin } from '../../../src/platform/scope.ts'
import { CLOCK } from '../../../src/store/contracts/expiry.ts'
import type { Dice } from '../dice.ts'
import { BOOK } from '../simulated/channels.ts'
import type { Beside } from '../simulated/simulate.ts'
import { BEGAN_AT, ON_FAILURE, type Owner } from '../simulated/world.ts'
import { PLAIN_WALLET } from '../wallet-settings.ts'
import { loadState } from './load.ts'

const NONE = { availableMinor: 0n, heldMinor: 0n, inTransitMinor: 0n, pendingMinor: 0n, suspenseMinor: 0n, sequence: 0 }

/** New accounts in the database, as those of a story are; all of them in lanes of one group. */
export async function newOwners(session: Session, owner: pg.Client, dice: Dice, groupOf: GroupOf): Promise<Owner[]> {
  const hex = () => Array.from({ length: 17 }, () => dice.whole(0, 15).toString(16)).join('')
  const ids = { nowMs: () => BEGAN_AT, randomHex: hex }
  const owners: Owner[] = []
  for (const { refundsAtOnce, retries, fallbackChannels } of ON_FAILURE) {
    const create = () => createAccount(session, ids, { name: 'Test', livemode: false, currencies: ['PHP'] })
    let account = await create()
    const group = groupOf?.(owners[0]?.lane ?? account.lane)
    while (groupOf?.(account.lane) !== group) account = await create()
    const { lane, accountId } = account
    const first = account.wallets[0]?.id ?? ''
    const second = `${first.slice(0, -4)}${hex().slice(0, 4)}`
    const wallet = { ...PLAIN_WALLET, ...NONE, lane, accountId, id: second, currency: 'PHP', isDefault: false }
    await session.send([insertWallet(wallet, false)])
    const { keyId } = await createApiKey(session, account, {
      name: 'Test',
      livemode: false,
      scopes: [],
      expiresInSeconds: null,
    })
    await owner.query(
      'update accounts set refunds_at_once = $3, retries = $4, fallback_channels = $5 where lane = $1 and account_id = $2',
      [lane, accountId, refundsAtOnce, retries, fallbackChannels],
    )
    owners.push({ lane, accountId, keyId, walletIds: [first, second] })
  }
  return owners
}

/** Channels that the database knows: jobs name them. */
export async function knowChannels(owner: pg.Client): Promise<void> {
  for (const { id } of BOOK.all())
    await owner.query('insert into channel_modes (channel_id, livemode) values ($1, false) on conflict do nothing', [
      id,
    ])
}

/** A session whose clock says what the story's does. */
const atMoment = (session: Session, nowMs: number): Session => ({
  ...session,
  transaction: (load, decide) =>
    session.transaction(load, (loaded) =>
      decide(loaded.map((each, i) => (load[i] === CLOCK ? { ...each, rows: [{ now_ms: nowMs }] } : each))),
    ),
})

/** Writes each batch to the database too, and compares answers, and what the same requests load afterwards. */
export function besidePostgres(session: Session, groupOf: GroupOf): Beside {
  return async ({ tables }, { requests, answers, state: { nowMs } }) => {
    const done = requests.filter((_, i) => answers[i] !== HELD)
    if (done.length === 0) return
    const timed = atMoment(session, nowMs)
    const scope = scopeWithin(groupOf, done)
    const answered = await executeBatch(timed, BOOK, scope, done)
    expect(answered).toEqual(answers.filter((answer) => answer !== HELD))
    const { statements, read } = loadBatch(scope, done, 'accounts')
    const loaded = await timed.transaction<BatchState>(statements, (results) => ({
      statements: [],
      value: read(results),
    }))
    const inMemory = loadState(tables, done, nowMs, new Set())
    for (const [part, value] of Object.entries(inMemory)) expectSame(part, loaded[part as keyof BatchState], value)
    // What waits in suspense is taken in this order. What else was booked has none on a cluster, which joins in any order.
    if (process.env['TEST_ON_CITUS'] !== 'yes')
      expect([...loaded.receipts.keys()]).toEqual([...inMemory.receipts.keys()])
    const contracts = new Set(needsOf(done).suspense.map(({ id }) => id))
    const waiting = ({ receipts }: Pick<BatchState, 'receipts'>) =>
      [...receipts.values()].filter(({ contractId, suspenseMinor }) => contracts.has(contractId) && suspenseMinor > 0n)
    expect(waiting(loaded).map(({ eventId }) => eventId)).toEqual(waiting(inMemory).map(({ eventId }) => eventId))
  }
}

/** The texts of a difference are long to make: only where there is one. */
function expectSame(part: string, inPostgres: unknown, inMemory: unknown): void {
  try {
    expect(inPostgres).toEqual(inMemory)
  } catch (fault) {
    const both = `in PostgreSQL: ${shown(inPostgres)}\nin memory: ${shown(inMemory)}`
    throw new Error(`${part} differ\n${both}`, { cause: fault })
  }
}

const shown = (value: unknown): string => inspect(value, { depth: 6, breakLength: Number.POSITIVE_INFINITY })
