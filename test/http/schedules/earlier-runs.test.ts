// Runs that were begun before runs were commands: carried out under their own lease, once, whatever falls over.
import { afterAll, expect, test } from 'vitest'
import { type RunDeps, scheduleRound } from '../../../src/app/schedules/runs.ts'
import { activityId } from '../../../src/domain/contract/ids.ts'
import { openWorld } from '../../world.ts'
import { paidContracts, scheduleDeps, schedulesOf } from './schedule-stage.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
afterAll(() => world.stop())
const mine = schedulesOf(caller)
const deps = scheduleDeps(world)
const round = (changed: Partial<RunDeps> = {}) => scheduleRound({ ...deps, ...changed })
const paidOnes = () => paidContracts(world, caller)
/** Whoever had leased the runs is gone. */
const leasesEnd = () => world.sql('update schedule_runs set leased_until = now() where leased_until is not null')

/** A schedule with a run as the release before would have begun it. */
async function begunBefore(): Promise<string> {
  const { id } = await mine.make()
  const { lane, accountId } = caller.account
  await world.sql(
    `insert into schedule_runs (lane, account_id, schedule_id, number, due_at, started_at, contract_id, status, leased_until)
     values ($1, $2, $3, 1, now(), now(), $4, 'running', now())`,
    [lane, accountId, id, activityId(id, 1, 1)],
  )
  return id
}

const stopsAt = (verb: string): Partial<RunDeps> => ({
  execute: (request) => {
    if (request.command.verb === verb) throw new Error(`gone before ${verb}`)
    return deps.execute(request)
  },
})

test.each(['create_transfer', 'issue', 'pay'])('where the gateway goes down before %s', async (verb) => {
  const id = await begunBefore()
  const before = await paidOnes()
  await expect(round(stopsAt(verb))).rejects.toThrow('gone before')
  expect((await mine.get(id)).last_runs).toMatchObject([{ status: 'running' }])
  expect(await round()).toBe(0)
  await leasesEnd()
  await round()
  expect(await mine.get(id)).toMatchObject({ last_runs: [{ status: 'paid' }] })
  expect((await paidOnes()) - before).toBe(1)
})

test('where it goes down after it has paid, and before it has said so', async () => {
  const id = await begunBefore()
  const before = await paidOnes()
  const reader = {
    ...deps.reader,
    send: (statements: Parameters<typeof deps.reader.send>[0]) =>
      statements.some(({ name }) => name === 'record_schedule_run')
        ? Promise.reject(new Error('gone'))
        : deps.reader.send(statements),
  }
  await expect(round({ reader })).rejects.toThrow('gone')
  await leasesEnd()
  await round()
  expect((await mine.get(id)).last_runs).toMatchObject([{ status: 'paid' }])
  expect((await paidOnes()) - before).toBe(1)
})

test('where several look at the same time, and where two take one run for theirs', async () => {
  const id = await begunBefore()
  const before = await paidOnes()
  const greedy: Partial<RunDeps> = {
    execute: async (request) => {
      await leasesEnd()
      return deps.execute(request)
    },
  }
  await Promise.all([round(greedy), round(greedy), round(greedy)])
  await round()
  expect(await mine.get(id)).toMatchObject({ last_runs: [{ number: 1, status: 'paid' }] })
  expect((await paidOnes()) - before).toBe(1)
  await world.ledgerHolds()
})
