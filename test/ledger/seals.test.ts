// Seals find whatever is done to a sealed past, and say where; and nothing in books that nobody touched. Damage is done by the owner
// of the database in a transaction that is rolled back, and the proof looks at it from inside.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SealDeps, sealStretch } from '../../src/app/seals/sealing.ts'
import { verifyBooks } from '../../src/app/operator/verify.ts'
import { verifySeals } from '../../src/app/seals/verify-seals.ts'
import { accountsUnsealed } from '../../src/store/seals/seals.ts'
import { openHistorySealer } from '../../src/workers/sweeps/seal-history.ts'
import { openSerialSession, type SerialSession } from '../../src/engine/serial-session.ts'
import { openAuditSession, openKeyedSession } from '../../src/main/database/database.ts'
import { readSealingKeys, sealSigner } from '../../src/main/database/sealing-keys.ts'
import type { Signer } from '../../src/platform/signing.ts'
import { type Caller, openWorld, type World } from '../world.ts'
import { insideOf } from '../rig/sealed.ts'
import { SEAL_DAMAGE } from './seal-damage.ts'

let world: World
let signer: Signer
const sessions: SerialSession[] = []
const ids: Record<string, string> = {}

beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  signer = sealSigner(readSealingKeys(world.config.sealingKeys, world.config.dataDir))
  await sealAll(world.caller)
  const { id } = await world.caller.draft({ metadata: { a: 'a' } })
  await sealAll(world.caller)
  await world.caller.issue(id)
  await world.caller.pay(id)
  await sealAll(world.caller)
  await world.caller.ask('PATCH', '/accounts/me', { body: { name: 'Another name' } })
  await world.caller.cancel(id)
  await sealAll(world.caller)
  await world.other.paid()
  await sealAll(world.other)
  await nameThem(id)
})
afterAll(async () => {
  await Promise.all(sessions.map((session) => session.close()))
  await world.stop()
})

async function nameThem(transfer: string): Promise<void> {
  const { accountId } = world.caller.account
  const [found] = await world.sql<Record<string, string>>(
    `select (select id from wallets where account_id = $1 and currency = 'PHP') as wallet,
            (select position from contract_versions where contract_id = $2 and version = 2) as position,
            (select id from account_events where account_id = $1 order by position limit 1) as event,
            (select max(number) from seals where account_id = $1) as last`,
    [accountId, transfer],
  )
  Object.assign(ids, { ...found, transfer, account: accountId })
}

const withIds = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => ids[name] ?? whole)

function sealing(with_: Signer = signer): SealDeps {
  const session = openSerialSession(openKeyedSession(world.database), 10)
  sessions.push(session)
  return { session, signer: with_, baseUrl: () => 'http://gateway.test', nowMs: Date.now }
}

async function sealAll({ account }: Caller, deps = sealing()): Promise<void> {
  while ((await sealStretch(deps, account)) > 0);
}

const provedInside = (keys: Pick<Signer, 'known'> = signer) =>
  verifySeals(insideOf(world), world.caller.account.lane, keys)

test('books that nobody touched hold, and every position and ledger row of them is sealed', async () => {
  const auditor = openAuditSession(world.operators)
  const { findings, seals } = await verifyBooks(auditor, () => undefined, signer)
  await auditor.close()
  expect(findings).toEqual([])
  const [rows] = await world.sql<Record<string, string>>(
    `select (select count(*) from seals)::int as seals,
            (select sum(length(leaves)) / 32 from seals)::int as sealed, (select count(*) from account_history)::int as steps,
            (select sum(length(entries)) / 32 from seals)::int as booked, (select count(*) from ledger)::int as entries`,
  )
  expect(seals).toBe(rows?.['seals'])
  expect(rows?.['sealed']).toBe(rows?.['steps'])
  expect(rows?.['booked']).toBe(rows?.['entries'])
})

test.each(SEAL_DAMAGE)('%s: %s', async (row, words, sql) => {
  await world.sql('begin')
  try {
    await world.sql(withIds(sql))
    const { findings } = await provedInside()
    // The other account of the lane is whole.
    expect(findings, JSON.stringify(findings)).toHaveLength(1)
    expect(findings[0]).toMatchObject({ accountId: ids['account'], row: expect.stringContaining(withIds(row)) })
    expect(findings[0]?.problem).toMatch(words)
  } finally {
    await world.sql('rollback')
  }
})

test('a past that was rewritten and sealed anew by another key is found', async () => {
  const { account } = world.caller
  const forger = sealSigner([randomBytes(32)])
  const before = await world.sql('select * from seals where account_id = $1', [account.accountId])
  await world.sql('delete from seals where account_id = $1', [account.accountId])
  await sealAll(world.caller, sealing(forger))
  const { findings } = await provedInside()
  expect(findings).toMatchObject([{ proof: 'seal.key known', accountId: account.accountId }])
  await world.sql('delete from seals where account_id = $1', [account.accountId])
  await world.sql('insert into seals select * from jsonb_populate_recordset(null::seals, $1::jsonb)', [
    JSON.stringify(before.map((row) => ({ ...row, ...hexed(row) }))),
  ])
  expect((await provedInside()).findings).toEqual([])
})

const hexed = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      Buffer.isBuffer(value) ? [[name, `\\x${value.toString('hex')}`]] : [],
    ),
  )

test('a key that was replaced still vouches for what it sealed', async () => {
  const [own] = readSealingKeys(world.config.sealingKeys, world.config.dataDir)
  const rolled = sealSigner([randomBytes(32), own ?? Buffer.alloc(0)])
  expect((await provedInside(rolled)).findings).toEqual([])
  await world.other.paid()
  await sealAll(world.other, sealing(rolled))
  expect((await provedInside(rolled)).findings).toEqual([])
  expect((await provedInside()).findings).toMatchObject([{ proof: 'seal.key known' }])
  await world.sql('select 1')
})

test('an account with more than a seal holds has one after the other, and does not wait for its next turn', async () => {
  const caller = await world.newCaller()
  await Promise.all(Array.from({ length: 520 }, () => caller.draft()))
  const deps = sealing()
  const sealer = openHistorySealer({
    session: deps.session,
    behind: accountsUnsealed,
    takePage: (key) => sealStretch(deps, key),
    ownLanes: () => [caller.account.lane],
    monotonicMs: () => performance.now(),
  })
  sealer.notify()
  await sealer.round()
  await world.sql(`update seal_progress set looked_at = now() + interval '1 hour'`)
  await sealer.round()
  const [left] = await world.sql<{ count: number }>(
    `select (a.position - p.position)::int as count from accounts a join seal_progress p using (lane, account_id) where account_id = $1`,
    [caller.account.accountId],
  )
  expect(left?.count).toBe(0)
})

test('two gateways that seal at once make one chain', async () => {
  const caller = await world.newCaller({ lane: world.caller.account.lane })
  const [one, two] = [sealing(), sealing()]
  for (let i = 0; i < 6; i++) {
    const writing = Promise.all([caller.draft(), caller.paid()])
    await Promise.all([sealStretch(one, caller.account), sealStretch(two, caller.account), writing])
  }
  await Promise.all([sealAll(caller, one), sealAll(caller, two)])
  const [counted] = await world.sql<{ sealed: number; steps: number; seals: number; last: number }>(
    `select sum(length(leaves))::int / 32 as sealed, count(*)::int as seals, max(number)::int as last,
            (select position::int from accounts where lane = $2 and account_id = $1) as steps
       from seals where lane = $2 and account_id = $1`,
    [caller.account.accountId, caller.account.lane],
  )
  expect(counted?.sealed).toBe(counted?.steps)
  expect(counted?.seals).toBe(counted?.last)
  const { findings } = await verifySeals(insideOf(world), caller.account.lane, { known: signer.known })
  expect(findings.filter(({ accountId }) => accountId === caller.account.accountId)).toEqual([])
})

test('the gateway’s own login adds seals, and changes none', async () => {
  await world.sql('set role gateway_app')
  try {
    for (const change of ['update seals set lane = lane', 'delete from seals', 'truncate seals'])
      await expect(world.sql(change), change).rejects.toMatchObject({ code: '42501' })
    for (const change of ['update seal_keys set id = id', 'delete from seal_keys'])
      await expect(world.sql(change), change).rejects.toMatchObject({ code: '42501' })
  } finally {
    await world.sql('reset role')
  }
})
