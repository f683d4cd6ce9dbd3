// After a restore that has undone the run of a schedule: it is due once more, and its order was found at the provider. The rent is not
// paid twice, by the same reference as before; the next one is paid.
import { afterAll, expect, test } from 'vitest'
import { type RunDeps, scheduleRound } from '../../../src/app/schedules/runs.ts'
import type { Execute } from '../../../src/engine/command-request.ts'
import { openWorld } from '../../world.ts'
import { makeDue, paidContracts, schedulesOf, workOnCommands } from './schedule-stage.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
afterAll(() => world.stop())
const mine = schedulesOf(caller)
const deps: RunDeps = { ...world.gateway.deps, lanes: [world.caller.account.lane], currencies: new Set(['PHP', 'USD']) }
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
