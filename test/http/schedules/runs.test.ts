// The runs of schedules: each is made, issued and paid once, whatever falls over and however many gateways look.
import { afterAll, describe, expect, test } from 'vitest'
import { type RunDeps, scheduleRound } from '../../../src/app/schedules/runs.ts'
import { ALL_LANES } from '../../../src/domain/contract/ids.ts'
import { type ContractBody, openWorld, READY } from '../../world.ts'
import { DAILY, makeDue, RENT, schedulesOf } from './schedule-stage.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
afterAll(() => world.stop())
const mine = schedulesOf(caller)
const deps: RunDeps = { ...world.gateway.deps, lanes: ALL_LANES, currencies: new Set(['PHP', 'USD']) }
const round = (changed: Partial<RunDeps> = {}) => scheduleRound({ ...deps, ...changed })

const contractOf = async (id: string) =>
  (await caller.ask('GET', `/contracts/transfer/${id}`)).data['contract'] as ContractBody
/** How many contracts of the account have been paid. */
const paidOnes = async () => {
  const paid = await world.sql<{ n: string }>(
    `select count(*) as n from contracts where account_id = $1 and status not in ('draft', 'issued')`,
    [caller.account.accountId],
  )
  return Number(paid[0]?.n)
}
/** Whoever had leased the runs is gone. */
const leasesEnd = () => world.sql('update schedule_runs set leased_until = now() where leased_until is not null')

describe('a run that is due', () => {
  test('is paid, told of, and shown with its contract; one makes up for all that were missed', async () => {
    const { id } = await mine.make()
    await makeDue(world, id)
    const before = await paidOnes()
    expect(await round()).toBeGreaterThan(0)
    expect(await round()).toBe(0)
    const after = await mine.get(id)
    expect(after).toMatchObject({ status: 'active', runs: 1, last_runs: [{ number: 1, status: 'paid', error: null }] })
    expect(Date.parse(after.next_runs[0]?.at ?? '')).toBeGreaterThan(Date.now())
    expect((await paidOnes()) - before).toBe(1)
    const contract = await contractOf(after.last_runs[0]?.contract_id ?? '')
    expect(contract).toMatchObject({ amount: READY.amount, status: 'paid' })
    const { data } = await caller.ask('GET', '/events?order=newest&types=schedule.run&limit=1')
    expect(data['events']).toMatchObject([{ data: { object: { id, last_runs: [{ contract_id: contract.id }] } } }])
    await world.ledgerHolds()
  })

  test('is the last one where the rule says so, and the schedule ends', async () => {
    const { id } = await mine.make({ ...RENT, rule: { ...DAILY, count: 1 } })
    await makeDue(world, id)
    await round()
    expect(await mine.get(id)).toMatchObject({ status: 'ended', runs: 1, last_runs: [{ status: 'paid' }] })
  })

  test('fails in words where it cannot be paid, and the schedule goes on', async () => {
    const poor = await world.newCaller({ funds: {} })
    const theirs = schedulesOf(poor)
    const { id } = await theirs.make()
    await makeDue(world, id)
    await round()
    const after = await theirs.get(id)
    expect(after).toMatchObject({
      status: 'active',
      last_runs: [{ status: 'failed', error: { code: 'insufficient_funds' } }],
    })
    const contract = after.last_runs[0]?.contract_id
    const { data } = await poor.ask('GET', `/contracts/transfer/${contract}`)
    expect(data['contract']).toMatchObject({ status: 'issued' })
  })

  test('is not paid as a key that was revoked: the schedule rests and says why, until somebody makes it theirs', async () => {
    const doomed = await world.withKey(caller, {})
    const { id } = await schedulesOf(doomed).make()
    await world.sql('update api_keys set revoked_at = now() where key_id = $1', [doomed.keyId])
    await makeDue(world, id)
    const before = await paidOnes()
    await round()
    expect(await mine.get(id)).toMatchObject({ status: 'paused', paused_reason: 'maker_ended', runs: 0 })
    expect((await paidOnes()) - before).toBe(0)
    expect((await mine.resume(id)).created_by).toEqual({ type: 'key', id: caller.keyId })
    await mine.end(id)
  })

  test('is not paid as a key that may not pay any more', async () => {
    const narrowed = await world.withKey(caller, {})
    const { id } = await schedulesOf(narrowed).make()
    await world.sql(`update api_keys set scopes = array_remove(scopes, 'transfers:pay') where key_id = $1`, [
      narrowed.keyId,
    ])
    await makeDue(world, id)
    await round()
    expect((await mine.get(id)).paused_reason).toBe('maker_ended')
  })

  test('leaves no more than the key that made it may move', async () => {
    const capped = await world.withKey(caller, {})
    const most = JSON.stringify([{ currency: 'PHP', max_minor: '1' }])
    await world.sql('update api_keys set transfer_max = $2 where key_id = $1', [capped.keyId, most])
    const { id } = await schedulesOf(capped).make()
    await makeDue(world, id)
    await round()
    expect((await mine.get(id)).last_runs).toMatchObject([{ status: 'failed', error: { code: 'transfer_above_cap' } }])
  })

  test('does not run while the schedule is paused', async () => {
    const { id } = await mine.make()
    await mine.pause(id)
    await round()
    expect((await mine.get(id)).runs).toBe(0)
  })
})

describe('exactly once', () => {
  const stopsAt = (verb: string): Partial<RunDeps> => ({
    execute: (request) => {
      if (request.command.verb === verb) throw new Error(`gone before ${verb}`)
      return deps.execute(request)
    },
  })

  test.each(['create_transfer', 'issue', 'pay'])('where the gateway goes down before %s', async (verb) => {
    const { id } = await mine.make()
    await makeDue(world, id)
    const before = await paidOnes()
    await expect(round(stopsAt(verb))).rejects.toThrow('gone before')
    expect((await mine.get(id)).last_runs).toMatchObject([{ status: 'running' }])
    expect(await round()).toBe(0)
    await leasesEnd()
    await round()
    expect(await mine.get(id)).toMatchObject({ runs: 1, last_runs: [{ status: 'paid' }] })
    expect((await paidOnes()) - before).toBe(1)
  })

  test('where it goes down after it has paid, and before it has said so', async () => {
    const { id } = await mine.make()
    await makeDue(world, id)
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
    const { id } = await mine.make()
    await makeDue(world, id)
    const before = await paidOnes()
    const greedy: Partial<RunDeps> = {
      execute: async (request) => {
        await leasesEnd()
        return deps.execute(request)
      },
    }
    await Promise.all([round(greedy), round(greedy), round(greedy)])
    await round()
    expect(await mine.get(id)).toMatchObject({ runs: 1, last_runs: [{ number: 1, status: 'paid' }] })
    expect((await paidOnes()) - before).toBe(1)
    await world.ledgerHolds()
  })
})
