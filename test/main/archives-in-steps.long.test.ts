// Histories that nobody wrote down (ARCHIVE_SEED=… repeats one), archived in random steps up to random moments, in files of random length, each run killed at a
// random point or not: what is there is always proved, and in the end it is what one run writes, which is what the database has.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAccount } from '../../src/main/archives/manifest.ts'
import { verifyArchives } from '../../src/main/archives/verify.ts'
import { type Archiving, writeArchives } from '../../src/main/archives/write.ts'
import { openPlannedSession } from '../../src/main/database/database.ts'
import { readSealingKeys, sealSigner } from '../../src/main/database/sealing-keys.ts'
import type { Session } from '../../src/platform/db.ts'
import type { Signer } from '../../src/platform/signing.ts'
import { type Dice, diceOf, newSeed } from '../rig/dice.ts'
import { sealed } from '../rig/sealed.ts'
import { type Caller, openWorld, type World } from '../world.ts'

const HISTORY_SEED = Number(process.env['ARCHIVE_SEED'] ?? newSeed())
const RUN_SEEDS = Array.from({ length: 12 }, (_, i) => HISTORY_SEED + i + 1)
const STEPS = 60
const ALL = '9999-01-01T00:00:00.000Z'

let world: World
let signer: Signer
let session: Session
let directory: string
let callers: readonly Caller[]
/** When the seals were made, the moments that an archive can end between. */
let moments: string[]

beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  signer = sealSigner(readSealingKeys(world.config.sealingKeys, world.config.dataDir))
  session = openPlannedSession(world.operators)
  directory = mkdtempSync(join(tmpdir(), 'gateway-archive-steps-'))
  callers = [world.caller, world.other, await world.newCaller({ lane: world.caller.account.lane })]
  await happen(diceOf(HISTORY_SEED))
  const rows = await world.sql<{ at: string }>(`select distinct text::json ->> 'sealed_at' as at from seals order by 1`)
  moments = rows.map(({ at }) => at)
  await archived(join(directory, 'at once'), session)
}, 120_000)
afterAll(async () => {
  await session.close()
  rmSync(directory, { recursive: true, force: true })
  await world.stop()
})

/** Anybody does anything, and now and then somebody's history is sealed. */
async function happen(dice: Dice): Promise<void> {
  const open = new Map<Caller, string[]>(callers.map((caller) => [caller, []]))
  for (let step = 0; step < STEPS; step++) {
    const caller = dice.pick(callers)
    const mine = open.get(caller) ?? []
    const act = dice.whole(0, 5)
    if (act === 0) mine.push((await caller.draft({ metadata: { roll: String(dice.roll()) } })).id)
    else if (act === 1) await caller.paid()
    else if (act === 2) await caller.ask('PATCH', '/accounts/me', { body: { name: `Name ${dice.roll()}` } })
    else if (act === 3 && mine.length > 0) await caller.cancel(mine.pop() ?? '')
    else await sealed(world, caller)
  }
  for (const caller of callers) await sealed(world, caller)
}

const archived = (into: string, by: Session, more: Partial<Archiving> = {}) =>
  writeArchives(by, {
    into,
    before: ALL,
    accountId: null,
    keys: signer,
    onAccount: () => undefined,
    seePlaces: nothing,
    ...more,
  })

const nothing = async () => undefined

/** What one account's files hold, one after another. */
function textOf(into: string, { account: { accountId } }: Caller): string {
  const files = existsSync(join(into, accountId)) ? (readAccount(into, accountId)?.files ?? []) : []
  return files.map(({ name }) => gunzipSync(readFileSync(join(into, accountId, name))).toString()).join('')
}

/** Keeps what is on the disk when the session is asked for the n-th time: what a kill at that moment leaves. */
function killedAt(count: number, into: string, left: string): Session {
  let asked = 0
  return {
    ...session,
    send: (statements) => {
      asked += 1
      if (asked === count) cpSync(into, left, { recursive: true })
      return session.send(statements)
    },
  }
}

async function proveWhole(into: string): Promise<void> {
  if (!callers.some(({ account }) => existsSync(join(into, account.accountId)))) return
  const proved = await verifyArchives(into, signer, () => undefined)
  expect(proved.flatMap(({ fault }) => (fault ? [fault] : []))).toEqual([])
  for (const caller of callers)
    expect(textOf(join(directory, 'at once'), caller).startsWith(textOf(into, caller))).toBe(true)
}

test.each(RUN_SEEDS)(`seed %i, of histories with seed ${HISTORY_SEED}`, async (seed) => {
  const dice = diceOf(seed)
  let into = join(directory, `${seed}`)
  for (let run = 0; run < 5; run++) {
    const more = { before: dice.pick(moments), fileChars: dice.pick([1, 3000, 20_000]) }
    if (dice.chance(0.6)) {
      const left = join(directory, `${seed}-${run}`)
      await archived(into, killedAt(dice.whole(1, 30), into, left), more)
      if (existsSync(left)) into = left
    } else await archived(into, session, more)
    await proveWhole(into)
  }
  await archived(into, session)
  await proveWhole(into)
  for (const caller of callers) expect(textOf(into, caller)).toBe(textOf(join(directory, 'at once'), caller))
})

test('everything that the database has can be read back from the files', async () => {
  const into = join(directory, 'at once')
  for (const caller of callers) {
    const { accountId } = caller.account
    const lines = textOf(into, caller)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<'step' | 'entry', Record<string, unknown> | undefined>)
    const steps = lines.flatMap(({ step }) => (step ? [[step['position'], step['object'], step['document']]] : []))
    const rows = lines.flatMap(({ entry }) =>
      entry ? [[entry['wallet_id'], entry['sequence'], entry['amount_minor']]] : [],
    )
    const history = await world.sql<Record<string, unknown>>(
      `select position::int, contract_id, document::text from account_history where account_id = $1 order by position`,
      [accountId],
    )
    const ledger = await world.sql<Record<string, unknown>>(
      `select wallet_id, sequence::int, amount_minor::text from ledger where account_id = $1 order by wallet_id, sequence`,
      [accountId],
    )
    const place = (row: readonly unknown[]) => row.join(' ')
    expect(steps.map(place)).toEqual(history.map((row) => place(Object.values(row))))
    expect(rows.map(place).toSorted()).toEqual(ledger.map((row) => place(Object.values(row))).toSorted())
    expect(readdirSync(join(into, accountId)).toSorted()).toHaveLength(2)
  }
})
