// What has had its time is forgotten some rows at a time: however much there is, creates and reads go on in between, and
// what still counts stays.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALL_LANES } from '../../src/domain/contract/ids.ts'
import { openPruneSession } from '../../src/main/database/database.ts'
import type { Session } from '../../src/platform/db.ts'
import { pruneRound } from '../../src/workers/sweeps/prune.ts'
import { openWorld, READY, type World } from '../world.ts'

const EXPIRED = 200_000
const AT_ONCE = 1000

let world: World
let session: Session
beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  session = openPruneSession(world.database)
})
afterAll(async () => {
  await session.close()
  await world.stop()
})

test('hundreds of thousands of expired keys go in small pieces, and creates are done between them', {
  timeout: 120_000,
}, async () => {
  const { caller } = world
  const { lane, accountId } = caller.account
  const kept = await caller.ask('POST', '/contracts/transfer', { headers: { 'idempotency-key': 'kept' }, body: READY })
  await world.sql(
    `insert into idempotency_keys (lane, account_id, key_hash, fingerprint, created_at)
     select $1, $2, gen_random_uuid(), gen_random_uuid(), now() - interval '8 days' from generate_series(1, $3)`,
    [lane, accountId, EXPIRED],
  )
  const deleted: number[] = []
  let created = 0
  // The same connection, and after each statement of it a create, which has to be done before it goes on.
  const watched: Session = {
    ...session,
    send: async (statements) => {
      const results = await session.send(statements)
      if (results[0]?.command !== 'DELETE') return results
      deleted.push(results[0].rowCount)
      if (deleted.length % 20 === 0) {
        await caller.draft()
        created += 1
      }
      return results
    },
  }
  while ((await pruneRound(watched, ALL_LANES)) > 0);
  expect(Math.max(...deleted)).toBe(AT_ONCE)
  expect(deleted.reduce((sum, count) => sum + count, 0)).toBe(EXPIRED)
  expect(created).toBe(EXPIRED / AT_ONCE / 20)
  const rows = await world.sql<{ left: string }>('select count(*) as left from idempotency_keys')
  expect(rows).toEqual([{ left: '1' }])
  const again = await caller.ask('POST', '/contracts/transfer', { headers: { 'idempotency-key': 'kept' }, body: READY })
  expect(again.headers['idempotent-replayed']).toBe('true')
  expect(again.data).toEqual(kept.data)
})

test('a pruning that is cut off goes on where it was: what was deleted stays deleted', async () => {
  const { lane, accountId } = world.caller.account
  await world.sql(
    `insert into idempotency_keys (lane, account_id, key_hash, fingerprint, created_at)
     select $1, $2, gen_random_uuid(), gen_random_uuid(), now() - interval '8 days' from generate_series(1, 5000)`,
    [lane, accountId],
  )
  let statements = 0
  const cut: Session = {
    ...session,
    send: (sent) => (++statements > 5 ? Promise.reject(new Error('cut off')) : session.send(sent)),
  }
  await expect(pruneRound(cut, ALL_LANES)).rejects.toThrow('cut off')
  const left = async () =>
    Number((await world.sql<{ n: string }>(`select count(*) as n from idempotency_keys where position is null`))[0]?.n)
  expect(await left()).toBe(2000)
  expect(await pruneRound(session, ALL_LANES)).toBe(0)
  expect(await left()).toBe(0)
})

test('tokens, deliveries and their attempts go in the same way, and what is young or still due stays', async () => {
  const { lane, accountId } = world.caller.account
  const { keyId } = world.caller
  await world.sql(
    `insert into access_tokens (lane, account_id, token_hash, key_id, expires_at)
     select $1, $2, sha256(i::text::bytea), $3, now() - make_interval(hours => i) from generate_series(0, 3) i`,
    [lane, accountId, keyId],
  )
  const endpoint = '01890000-0000-7000-8000-000000000001'
  await world.sql(
    `insert into deliveries (lane, account_id, endpoint_id, position, replay, status, tries, due_at, created_at, updated_at)
     select $1, $2, $3, i, 0, case when i = 1 then 'pending' else 'delivered' end, 1, case when i = 1 then now() end,
            now() - make_interval(days => 20 * i), now() - make_interval(days => 20 * i) from generate_series(0, 3) i`,
    [lane, accountId, endpoint],
  )
  await world.sql('update deliveries set due_at = now(), status = $1 where position = 3', ['pending'])
  await world.sql(
    `insert into delivery_attempts (lane, account_id, endpoint_id, position, replay, number, at, duration_ms, outcome)
     select $1, $2, $3, i, 0, 1, now() - make_interval(days => 20 * i), 1, 'delivered' from generate_series(0, 3) i`,
    [lane, accountId, endpoint],
  )
  await pruneRound(session, ALL_LANES)
  const places = async (table: string) =>
    (await world.sql<{ position: string }>(`select position from ${table} order by position`)).map(
      (row) => row.position,
    )
  expect(await places('deliveries')).toEqual(['0', '1', '3'])
  expect(await places('delivery_attempts')).toEqual(['0', '1'])
  const tokens = await world.sql(`select 1 from access_tokens where expires_at < now() - interval '1 hour'`)
  expect(tokens).toEqual([])
  expect((await world.sql('select 1 from access_tokens')).length).toBe(1)
})

test('counts of policies go once no window reaches back to them; what is paid meanwhile stays', async () => {
  const payer = await world.newCaller()
  const perRecipient = { field: 'sum', by: 'recipient', window: 'hour', op: 'above', value: 300, currency: 'PHP' }
  const then = { kind: 'deny', words: 'Enough.' }
  for (const when of [[perRecipient], [{ field: 'recipient.new', within_days: 3 }, perRecipient]])
    await payer.ask('POST', '/policies', { body: { name: 'By recipient', when, then } })
  await payer.paid({ amount: 100 })
  const { accountId } = payer.account
  const meters = async () =>
    world.sql<{ kept: boolean }>(
      'select rolled_by_at is null as kept from policy_meters where account_id = $1 order by kept',
      [accountId],
    )
  expect(await meters()).toEqual([{ kept: false }, { kept: true }])
  await pruneRound(session, ALL_LANES)
  expect(await meters()).toHaveLength(2)
  const rollBy = () =>
    world.sql(
      `update policy_meters set rolled_by_at = now() - interval '2 hours', steps = '[]'
        where account_id = $1 and rolled_by_at is not null`,
      [accountId],
    )
  for (let tried = 0; tried < 10; tried++) {
    await rollBy()
    const [paid] = await Promise.all([payer.paid({ amount: 200 }), pruneRound(session, ALL_LANES)])
    expect(paid.status).toBe('paid')
    const { id } = await payer.issued({ amount: 200 })
    expect((await payer.ask('PUT', `/contracts/transfer/${id}/pay`)).status).toBe(403)
  }
  await rollBy()
  await pruneRound(session, ALL_LANES)
  expect(await meters()).toEqual([{ kept: true }])
})
