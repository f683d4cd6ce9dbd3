// After a restore that has undone the run of a schedule: it is due once more, and its order was found at the provider. The rent is not
// paid twice, by the same reference as before; the next one is paid.
import { afterAll, describe, expect, test } from 'vitest'
import { openRests } from '../../../src/app/schedules/rests.ts'
import { scheduleRound } from '../../../src/app/schedules/runs.ts'
import type { Execute } from '../../../src/engine/command-request.ts'
import { DatabaseUnavailable } from '../../../src/platform/db.ts'
import type { Log } from '../../../src/platform/log.ts'
import { openWorld } from '../../world.ts'
import { makeDue, paidContracts, scheduleDeps, schedulesOf, workOnCommands } from './schedule-stage.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
afterAll(() => world.stop())
const mine = schedulesOf(caller)
const deps = scheduleDeps(world)
const execute: Execute = (request) => world.gateway.deps.execute({ ...request, afterRestore: true })
const round = async () => {
  await scheduleRound(deps)
  await workOnCommands(world, { execute })
}

test('a run whose order was adopted is begun again under its ids, and pays no second time; the next run is paid', async () => {
  const { lane, accountId } = caller.account
  const { id } = await mine.make()
  await makeDue(world, id)
  const [before] = await world.sql<{ next_at: Date; document: string }>(
    'select next_at, document::text from schedules where id = $1',
    [id],
  )
  await round()
  const [run] = (await mine.get(id)).last_runs
  const contractId = run?.contract_id ?? ''
  await world.sql(
    `insert into epochs (number, reason, proposed_by, proposed_at, resumed_by, resumed_at)
     values (2, 'declared', 'ana', now(), 'ben', now())`,
  )
  await world.sql(
    `insert into adopted_orders (lane, account_id, contract_id, reference, epoch, channel_id, amount_minor, currency, found_at)
     values ($1, $2, $3, 'x', 2, 'sandbox', 1000, 'PHP', now())`,
    [lane, accountId, contractId],
  )
  await world.sql('delete from schedule_runs where schedule_id = $1', [id])
  await world.sql('delete from command_rows where account_id = $1', [accountId])
  await world.sql('delete from commands where account_id = $1', [accountId])
  await world.sql('delete from idempotency_keys where account_id = $1', [accountId])
  await world.sql('update schedules set next_at = $2, document = $3::json where id = $1', [
    id,
    before?.next_at,
    before?.document,
  ])

  const paid = await paidContracts(world, caller)
  await round()
  expect((await paidContracts(world, caller)) - paid).toBe(0)
  expect(await mine.get(id)).toMatchObject({
    status: 'active',
    runs: 1,
    last_runs: [{ status: 'paid', contract_id: contractId, command_id: run?.command_id, due_at: run?.due_at }],
  })
  await makeDue(world, id, '1 day')
  await round()
  expect((await paidContracts(world, caller)) - paid).toBe(1)
  expect((await mine.get(id)).last_runs).toMatchObject([{ number: 2, status: 'paid' }, { number: 1 }])
})

describe('a run that would be begun twice, or cannot be begun', () => {
  /** The schedule as it stood before its run: the clock went back, and it was planned anew. */
  const planBack = (id: string, dueAt: string) =>
    world.sql(
      `update schedules set status = 'active', next_at = $2,
              document = (document::jsonb || jsonb_build_object('status', 'active', 'nextAt', $3::bigint))::json where id = $1`,
      [id, dueAt, Date.parse(dueAt)],
    )

  test('is found as begun: the schedule moves on and pays no second time, and the one behind it is paid', async () => {
    const first = await mine.make()
    await makeDue(world, first.id)
    await round()
    const [run] = (await mine.get(first.id)).last_runs
    const behind = await mine.make()
    await makeDue(world, behind.id, '1 hour')
    await planBack(first.id, run?.due_at ?? '')
    const paid = await paidContracts(world, caller)
    await round()
    expect((await paidContracts(world, caller)) - paid).toBe(1)
    expect(await mine.get(behind.id)).toMatchObject({ runs: 1, last_runs: [{ status: 'paid' }] })
    const after = await mine.get(first.id)
    expect(after).toMatchObject({ status: 'active', runs: 1, last_runs: [{ contract_id: run?.contract_id }] })
    expect(Date.parse(after.next_runs[0]?.at ?? '')).toBeGreaterThan(Date.now())
    expect(await scheduleRound(deps)).toBe(0)
    await world.ledgerHolds()
  })

  test('keeps none behind it from its run, and is tried again later and later', async () => {
    const [broken, behind] = [await mine.make(), await mine.make()]
    const said = () =>
      world.sql<{ document: string }>('select document::text from schedules where id = $1', [broken.id])
    await makeDue(world, broken.id)
    await makeDue(world, behind.id, '1 hour')
    const [whole] = await said()
    await world.sql(`update schedules set document = (document::jsonb || '{"rule": null}')::json where id = $1`, [
      broken.id,
    ])
    let nowMs = 0
    const logged: object[] = []
    const log = { error: (line: object) => logged.push(line) } as unknown as Log
    const own = { ...deps, rests: openRests({ monotonicMs: () => nowMs, log }) }
    expect(await scheduleRound(own)).toBe(2)
    expect(await scheduleRound(own)).toBe(0)
    await workOnCommands(world)
    expect((await mine.get(behind.id)).last_runs).toMatchObject([{ status: 'paid' }])
    for (const afterMs of [1000, 2000, 4000]) {
      nowMs += afterMs - 1
      expect(await scheduleRound(own)).toBe(0)
      nowMs += 1
      expect(await scheduleRound(own)).toBe(1)
    }
    expect(logged).toMatchObject([1000, 2000, 4000, 8000].map((ms) => ({ schedule: broken.id, again_in_ms: ms })))
    await world.sql('update schedules set document = $2::json where id = $1', [broken.id, whole?.document])
    nowMs += 8000
    await scheduleRound(own)
    await workOnCommands(world)
    expect(await mine.get(broken.id)).toMatchObject({ runs: 1, last_runs: [{ status: 'paid' }] })
  })

  test('is the database’s fault and not its own where that is away: the round ends, and nothing is left alone', async () => {
    const { id } = await mine.make()
    await makeDue(world, id)
    const away = {
      ...deps.changes,
      serialSession: { run: () => Promise.reject(new DatabaseUnavailable('away', 'nothing done')) },
    }
    await expect(scheduleRound({ ...deps, changes: away })).rejects.toThrow('away')
    await round()
    expect((await mine.get(id)).last_runs).toMatchObject([{ status: 'paid' }])
  })
})
