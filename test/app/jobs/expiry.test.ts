// The sweep of expired contracts against the database itself: what waits for its own job is left to that, what cannot be ended keeps
// nobody else waiting, and no mark ever passes a contract that nothing else ends.
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { openFreezes } from '../../../src/app/jobs/freezes.ts'
import { standingStill } from '../../../src/app/recoveries/recovery.ts'
import type { Execute } from '../../../src/engine/command-request.ts'
import { Busy } from '../../../src/engine/held-line.ts'
import { readConfig } from '../../../src/main/config/config.ts'
import { openLog } from '../../../src/platform/log.ts'
import { lookAtLanes, waitingWorkFrom } from '../../../src/store/jobs/look.ts'
import { openScheduler } from '../../../src/workers/scheduler.ts'
import { openExpiry } from '../../../src/workers/sweeps/expire.ts'
import { contractIn } from '../../http/payments/payments-stage.ts'
import { diceOf } from '../../rig/dice.ts'
import { type Caller, openWorld } from '../../world.ts'

// Nobody listens there: what is asked of GCash is not sent.
const rails = { ...readConfig({}).rails, gcash: { url: 'http://127.0.0.1:9', mode: 'test' } as const }
const world = await openWorld({ workers: 'resting', config: { rails } })
const { caller } = world
const { deps } = world.gateway
afterAll(async () => {
  // What is open still was made to seem older than it is: the books say the same as its history again.
  await world.sql(
    `update contracts c set expires_at = to_timestamp((h.document::jsonb ->> 'expires_at')::float8 / 1000)
       from contract_versions h
      where h.contract_id = c.id and h.position = c.position and c.id = any($1) and c.status = 'issued'`,
    [[...aged]],
  )
  await world.ledgerHolds()
  await world.stop()
})

/** A sweep as a process that has just started has it, and how many commands it made. */
function sweepOf(lanes: readonly number[], execute: Execute = deps.execute) {
  let commands = 0
  const counted: Execute = (request) => {
    commands += 1
    return execute(request)
  }
  const round = openExpiry({ execute: counted, reader: deps.reader, onClockBack: () => undefined })
  return { round: () => round(lanes), commands: () => commands }
}

const openFor = async (who: Caller, kind?: string) => {
  const method = kind === undefined ? {} : { payment: { type: kind, [kind]: {} } }
  const body = { amount: 100, currency: 'PHP', expires_in: 1, ...method }
  return contractIn(await who.ask('POST', '/contracts/payment', { body }))
}

/** Contracts that seem to have expired earlier than they did. */
const aged = new Set<string>()

/** Until the time of all of these has passed; then it seems to have passed long ago, so that a mark of now has passed them, too. */
async function longOver(ids: readonly string[]): Promise<void> {
  const open = async () =>
    (await world.sql('select id from contracts where id = any($1) and expires_at > now()', [ids])).length
  while ((await open()) > 0) await sleep(50)
  for (const id of ids) aged.add(id)
  await world.sql(`update contracts set expires_at = now() - interval '5 minutes' where id = any($1)`, [ids])
}

const ageMarks = () => world.sql(`update lanes set swept_until = now() - interval '11 minutes'`)
const statusOf = async (id: string) =>
  (await world.sql<{ status: string }>('select status from contracts where id = $1', [id]))[0]?.status

/** Contracts that the mark has passed, and that neither a sweep nor a job will ever end. */
const lost = () =>
  world.sql(
    `select c.id from contracts c join lanes l on l.lane = c.lane
      where c.status in ('draft', 'issued') and c.amount_minor > 0 and c.expires_at <= l.swept_until - interval '1 minute'
        and not exists (select from jobs j where j.lane = c.lane and j.account_id = c.account_id and j.contract_id = c.id and j.due_at is not null)`,
  )

async function isExpiryTold(lane: number): Promise<boolean> {
  const [found] = await deps.reader.send([lookAtLanes([lane], 'all')])
  return (found?.rows ?? []).map(waitingWorkFrom).some(({ dueInMs }) => dueInMs.has('expiry'))
}

function schedulerOf() {
  const freezes = openFreezes(deps.reader, () => 0)
  return openScheduler({ ...deps, ...deps.payments, freezes, inFlightPerChannel: 8, log: openLog('fatal') })
}

test('what meets a recovery that begins in that moment is swept after it', async () => {
  const { lane } = caller.account
  const { id } = await openFor(caller)
  await longOver([id])
  await ageMarks()
  const inRecovery = standingStill({ isOn: () => true, wasEver: () => true }, deps.execute)
  await expect(sweepOf([lane], inRecovery).round()).rejects.toThrow('nothing expires in a recovery')
  expect(await lost()).toEqual([])
  await sweepOf([lane]).round()
  expect(await statusOf(id)).toBe('expired')
})

test('a contract whose rail is away makes no command of the sweep, and no round after it', async () => {
  const { lane } = caller.account
  const { id } = await openFor(caller, 'gcash')
  await longOver([id])
  await ageMarks()
  const sweep = sweepOf([lane])
  expect([await sweep.round(), await sweep.round()]).toEqual([0, 0])
  expect(sweep.commands()).toBe(0)
  expect(await isExpiryTold(lane)).toBe(false)
  expect(await statusOf(id)).toBe('issued')
  expect(await lost()).toEqual([])
  // Without a job, which only a repair by hand makes, the sweep gives it one, once.
  await world.sql('update jobs set due_at = null where contract_id = $1', [id])
  await ageMarks()
  expect(await isExpiryTold(lane)).toBe(true)
  expect([await sweep.round(), await sweep.round()]).toEqual([0, 0])
  expect(sweep.commands()).toBe(1)
  expect(await lost()).toEqual([])
})

test('a contract whose attempt ends after the mark has passed it is ended by its job, whoever started since', async () => {
  const { lane } = caller.account
  const { id } = await openFor(caller, 'qr')
  await longOver([id])
  await ageMarks()
  await sweepOf([lane]).round()
  const [mark] = await world.sql<{ is_past: boolean }>(
    `select c.expires_at < l.swept_until - interval '1 minute' as is_past from contracts c join lanes l on l.lane = c.lane where c.id = $1`,
    [id],
  )
  expect(mark?.is_past).toBe(true)
  expect(await statusOf(id)).toBe('issued')
  const [restarted, scheduler] = [sweepOf([lane]), schedulerOf()]
  await restarted.round()
  await world.sql('update jobs set due_at = now() where contract_id = $1', [id])
  await scheduler.round([lane])
  await scheduler.settled()
  expect(await statusOf(id)).toBe('expired')
  expect(restarted.commands()).toBe(0)
})

test('a page full of contracts that cannot be ended keeps none behind it waiting, and none of them is left behind', async () => {
  const { lane } = caller.account
  const [held, free] = [await world.newCaller({ lane }), await world.newCaller({ lane })]
  const stuck: string[] = []
  while (stuck.length < 500) {
    const made = await Promise.all(Array.from({ length: 50 }, () => openFor(held)))
    stuck.push(...made.map(({ id }) => id))
  }
  const { id } = await openFor(free)
  await longOver([...stuck, id])
  await ageMarks()
  const sweep = sweepOf([lane])
  const holder = new pg.Client(world.lanesOwner)
  await holder.connect()
  await holder.query('begin')
  await holder.query('select 1 from accounts where lane = $1 and account_id = $2 for update', [
    lane,
    held.account.accountId,
  ])
  await expect(sweep.round()).rejects.toBeInstanceOf(Busy)
  expect(await statusOf(id)).toBe('issued')
  expect(await sweep.round()).toBe(0)
  expect(await statusOf(id)).toBe('expired')
  expect(sweep.commands()).toBe(501)
  expect(await lost()).toEqual([])
  await holder.query('rollback')
  await holder.end()
  const restarted = sweepOf([lane])
  expect(await restarted.round()).toBe(500)
  expect(await restarted.round()).toBe(0)
  expect(restarted.commands()).toBe(500)
  expect(await world.sql(`select id from contracts where id = any($1) and status <> 'expired'`, [stuck])).toEqual([])
}, 120_000)

test('whatever goes wrong, and however often it starts anew, no mark passes a contract that nobody ends', async () => {
  const seed = Number(process.env['SEED'] ?? randomInt(1 << 30))
  const dice = diceOf(seed)
  const { lane } = caller.account
  const callers = [caller, await world.newCaller({ lane }), await world.newCaller({ lane })]
  const made = await Promise.all(
    Array.from({ length: 60 }, () => openFor(dice.pick(callers), dice.pick([undefined, undefined, 'qr', 'maya']))),
  )
  const ids = made.map(({ id }) => id)
  await longOver(ids)
  const faulty: Execute = async (request) => {
    if (dice.chance(0.2)) throw new Error('not sent')
    const result = await deps.execute(request)
    if (dice.chance(0.2)) throw new Error('the answer is lost')
    return result
  }
  let sweep = sweepOf([lane], faulty)
  const scheduler = schedulerOf()
  const open = async () =>
    (await world.sql<{ id: string }>(`select id from contracts where id = any($1) and status = 'issued'`, [ids])).length
  let rounds = 0
  for (; (await open()) > 0 && rounds < 200; rounds++) {
    await ageMarks()
    if (dice.chance(0.2)) sweep = sweepOf([lane], faulty)
    if (dice.chance(0.3)) await scheduler.round([lane])
    await sweep.round().catch(() => undefined)
    if (dice.chance(0.3)) await world.sql('update jobs set due_at = now() where due_at is not null')
    await scheduler.settled()
    expect(await lost(), `seed ${seed}, round ${rounds}`).toEqual([])
  }
  expect(await open(), `seed ${seed}`).toBe(0)
}, 120_000)
