// An account whose row another session holds, on one PostgreSQL and on a cluster, where a worker has it: whoever needs it is told to
// come back, as soon as on the one, and others are served meanwhile.
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openKeyedSession } from '../../../src/main/database/database.ts'
import { openWorld, type World } from '../../world.ts'

/** Without an end of the wait for a lock it would be that of the statement, five seconds, or no answer at all in six. */
const WITHIN_MS = 4500

let world: World
let holder: pg.Client
beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  holder = new pg.Client(world.lanesOwner)
  await holder.connect()
})
afterEach(() => holder.query('rollback'))
afterAll(async () => {
  await holder.end()
  await world.stop()
})

const hold = async (table: string, { lane, accountId }: World['caller']['account']) => {
  await holder.query('begin')
  await holder.query(`select 1 from ${table} where lane = $1 and account_id = $2 for update`, [lane, accountId])
}

test.each(['accounts', 'wallets', 'contracts'])('who needs what is held of %s is told to come back', async (table) => {
  const [stuck, free] = [await world.newCaller(), await world.newCaller({ lane: world.caller.account.lane })]
  const [mine, theirs] = [await stuck.issued(), await free.issued()]
  await hold(table, stuck.account)
  const began = performance.now()
  const paying = stuck.ask('PUT', `/contracts/transfer/${mine.id}/pay`)
  expect((await free.ask('PUT', `/contracts/transfer/${theirs.id}/pay`)).status).toBe(200)
  const { status, error, headers } = await paying
  expect([status, error.code, headers['retry-after']]).toEqual([503, 'account_busy', '1'])
  expect(performance.now() - began).toBeLessThan(WITHIN_MS)
  expect((await stuck.get(mine.id)).status).toBe('issued')
  await holder.query('rollback')
  expect((await stuck.pay(mine.id)).status).toBe('paid')
})

test('a transaction waits for a lock as long as its session says, wherever the row is', async () => {
  const { account } = world.other
  await hold('accounts', account)
  const session = openKeyedSession(world.database)
  const lock = {
    name: 'lock',
    text: 'select 1 from accounts a where a.lane = $1 and a.account_id = $2 for update',
    values: [account.lane, account.accountId],
  }
  const began = performance.now()
  await expect(session.transaction([lock], () => ({ statements: [], value: null }))).rejects.toMatchObject({
    code: '55P03',
  })
  const waitedMs = performance.now() - began
  expect(waitedMs).toBeGreaterThan(1900)
  expect(waitedMs).toBeLessThan(WITHIN_MS)
  await session.close()
})

test('what others send on the connection is no part of the transaction that one has open', async () => {
  const session = openKeyedSession(world.database)
  const { account } = world.caller
  const values = [account.lane, account.accountId]
  const where = 'where a.lane = $1 and a.account_id = $2'
  const named = (name: string) => ({
    name: 'rename',
    text: `update accounts a set name = $3 ${where}`,
    values: [...values, name],
  })
  const undone = session.transaction([named('Undone')], () => ({ statements: [], value: null }))
  const kept = session.send([named('Kept')])
  await Promise.all([undone, kept])
  const [found] = await session.send([{ name: 'name', text: `select a.name from accounts a ${where}`, values }])
  expect(found?.rows).toEqual([{ name: 'Kept' }])
  await session.close()
})
