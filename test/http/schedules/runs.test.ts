// The runs of schedules: each is made, issued and paid once, whatever falls over and however many gateways look.
import { afterAll, describe, expect, test } from 'vitest'
import { scheduleRound } from '../../../src/app/schedules/runs.ts'
import { type ContractBody, openWorld, READY } from '../../world.ts'
import { ShuttingDown } from '../../../src/engine/batch.ts'
import { coded, joined, type Person } from '../members/people.ts'
import { asks } from '../approvals/policies.ts'
import { type CommandBody, move, rowsOf } from '../commands/command-stage.ts'
import {
  DAILY,
  makeDue,
  paidContracts,
  RENT,
  type ScheduleBody,
  scheduleDeps,
  schedulesOf,
  workOnCommands,
} from './schedule-stage.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
afterAll(() => world.stop())
const mine = schedulesOf(caller)
const deps = scheduleDeps(world)
/** Begins what is due, and works on commands until none is left to work on now. */
const round = async () => {
  const begun = await scheduleRound(deps)
  await workOnCommands(world)
  return begun
}

const contractOf = async (id: string) =>
  (await caller.ask('GET', `/contracts/transfer/${id}`)).data['contract'] as ContractBody
const paidOnes = () => paidContracts(world, caller)

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
    const poor = await world.newCaller({ lane: world.caller.account.lane, funds: {} })
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

/** The command of the latest run. */
async function commandOf(who: Pick<typeof caller, 'ask'>, id: string) {
  const { data } = await who.ask('GET', `/schedules/${id}/runs`)
  const command = (data['runs'] as { command_id: string }[])[0]?.command_id ?? ''
  return (await who.ask('GET', `/commands/${command}`)).data['command'] as CommandBody
}

describe('the end of a run', () => {
  /** One that has begun twice, and what was read of it. */
  const running = async () => {
    const { id } = await mine.make()
    const path = `/schedules/${id}`
    for (let run = 0; run < 2; run += 1) {
      await makeDue(world, id)
      await scheduleRound(deps)
    }
    const known = async (tag = '') => (await caller.ask('GET', path, { headers: { 'if-none-match': tag } })).status
    const read = async () => {
      const { headers, data } = await caller.ask('GET', path)
      const { last_runs: runs, version } = data['schedule'] as ScheduleBody
      return { tag: headers['etag'], statuses: runs.map(({ status }) => status), runs, version }
    }
    return { path, read, known }
  }

  test('is seen by who reads again what it has read, while the other still runs and when none does', async () => {
    const { read, known } = await running()
    const both = await read()
    expect([both.statuses, await known(both.tag)]).toEqual([['running', 'running'], 304])
    await move(caller, both.runs[1]?.command_id ?? '', 'cancel')
    const away = { execute: () => Promise.reject(new ShuttingDown()) }
    // One round takes what runs, another what was cancelled.
    for (let count = 0; count < 3; count += 1) await workOnCommands(world, away, 'once')
    expect(await known(both.tag)).toBe(200)
    const one = await read()
    expect([one.statuses, await known(one.tag)]).toEqual([['running', 'failed'], 304])
    await world.sql('update commands set leased_until = null where leased_until is not null')
    await workOnCommands(world)
    expect([await known(both.tag), await known(one.tag)]).toEqual([200, 200])
    const none = await read()
    expect([none.statuses, none.tag, await known(none.tag)]).toEqual([['paid', 'failed'], `"${none.version}"`, 304])
    expect(none.version).toBe(both.version)
  })

  test('is no change: what was read while it ran is still the version to change', async () => {
    const { path, read } = await running()
    const { tag = '', version } = await read()
    await workOnCommands(world)
    const change = (name: string) => caller.ask('PATCH', path, { body: { name }, headers: { 'if-match': tag } })
    expect((await change('Rent of the shop')).headers['etag']).toBe(`"${version + 1}"`)
    expect((await change('Rent')).error.code).toBe('precondition_failed')
  })
})

describe('a run is a command', () => {
  test('with one row, that names its schedule and tells how far it has got', async () => {
    const { id } = await mine.make()
    await makeDue(world, id)
    await scheduleRound(deps)
    const begun = await commandOf(caller, id)
    expect(begun).toMatchObject({
      type: 'transfers.payout',
      status: 'queued',
      schedule: { id, run: 1 },
      description: RENT.name,
      progress: { total: 1, left: 1 },
      created_by: { key: caller.keyId },
    })
    await workOnCommands(world)
    expect(await commandOf(caller, id)).toMatchObject({ status: 'completed', progress: { done: 1 } })
    const contract = (await mine.get(id)).last_runs[0]?.contract_id
    expect(await rowsOf(caller, begun.id)).toMatchObject([{ status: 'done', step: 'pay', contract_id: contract }])
    expect(await world.other.ask('GET', `/commands/${begun.id}`)).toMatchObject({ status: 404 })
  })

  test('that is cancelled before it is begun: the run has failed, and nothing is paid', async () => {
    const { id } = await mine.make()
    await makeDue(world, id)
    await scheduleRound(deps)
    const before = await paidOnes()
    await move(caller, (await commandOf(caller, id)).id, 'cancel')
    await workOnCommands(world)
    expect((await mine.get(id)).last_runs).toMatchObject([{ status: 'failed', error: { code: 'contract_cancelled' } }])
    expect((await paidOnes()) - before).toBe(0)
  })

  test('that waits for whoever approves it, and is paid once they have', async () => {
    const careful = await world.newCaller({ lane: world.caller.account.lane, funds: { PHP: 1_000_000_00n } })
    await asks(world, careful, [{ count: 1, role: null }])
    const approver = await joined(world, careful, 'approver')
    const theirs = schedulesOf(careful)
    const { id } = await theirs.make({ ...RENT, template: { ...READY, amount: 5000 } })
    await makeDue(world, id)
    await round()
    const waits = await theirs.get(id)
    expect(waits.last_runs).toMatchObject([{ status: 'running', error: null }])
    expect((await commandOf(careful, id)).progress).toMatchObject({ waiting: 1 })
    const contract = waits.last_runs[0]?.contract_id ?? ''
    const { data } = await careful.ask('GET', `/contracts/transfer/${contract}`)
    const { approval } = data['contract'] as { approval: { terms_hash: string } }
    const agreed = await approver.ask('PUT', `/contracts/transfer/${contract}/approve`, {
      body: { terms_hash: approval.terms_hash },
    })
    expect(agreed.status, agreed.text).toBe(200)
    await world.sql('update command_rows set due_at = now() where due_at is not null')
    await world.sql('update commands set due_at = now() where due_at is not null')
    await workOnCommands(world)
    expect((await theirs.get(id)).last_runs).toMatchObject([{ status: 'paid' }])
  })

  test('that acts as the member who made the schedule, and stops when they are gone', async () => {
    const shop = await world.newCaller({ lane: world.caller.account.lane, funds: { PHP: 1_000_000_00n } })
    const ana = await joined(world, shop, 'owner')
    const made = (await ana.ask('POST', '/schedules', { body: RENT })).data['schedule'] as { id: string }
    await makeDue(world, made.id)
    await round()
    expect((await schedulesOf(shop).get(made.id)).last_runs).toMatchObject([{ status: 'paid' }])
    expect((await commandOf(shop, made.id)).created_by).toEqual({ key: ana.id, member: ana.id })
    await makeDue(world, made.id)
    await scheduleRound(deps)
    await world.sql(`update members set status = 'removed' where id = $1`, [ana.id])
    await workOnCommands(world)
    const stopped = await commandOf(shop, made.id)
    expect(stopped).toMatchObject({ status: 'paused', stopped: { code: expect.any(String) } })
    // Whoever resumes it makes it theirs, as any command.
    await move(shop, stopped.id, 'resume')
    await workOnCommands(world)
    expect((await schedulesOf(shop).get(made.id)).last_runs[0]).toMatchObject({ number: 2, status: 'paid' })
  })

  test.each([
    [
      'resumed it',
      async (id: string, { ask }: Pick<Person, 'ask'>) => [
        await ask('PUT', `/schedules/${id}/pause`),
        await ask('PUT', `/schedules/${id}/resume`),
      ],
    ],
    [
      'gave it another name',
      async (id: string, { ask }: Pick<Person, 'ask'>) => [
        await ask('PATCH', `/schedules/${id}`, { body: { name: 'Rent of the shop' } }),
      ],
    ],
  ])('that whoever wrote the schedule does not approve, for whoever %s', async (_what, takeOver) => {
    const shop = await world.newCaller({ lane: world.caller.account.lane, funds: { PHP: 1_000_000_00n } })
    await asks(world, shop, [{ count: 1, role: null }])
    const [ana, ben] = [await joined(world, shop, 'admin'), await joined(world, shop, 'operator')]
    const third = await joined(world, shop, 'approver')
    const body = { ...RENT, template: { ...READY, amount: 5000 } }
    const { id } = (await ana.ask('POST', '/schedules', { body })).data['schedule'] as { id: string }
    expect((await takeOver(id, ben)).map(({ status }) => status)).not.toContain(409)
    await makeDue(world, id)
    await round()
    const run = (await schedulesOf(shop).get(id)).last_runs[0]
    expect((await commandOf(shop, id)).created_by).toEqual({ key: ben.id, member: ben.id })
    const path = `/contracts/transfer/${run?.contract_id}`
    const { approval } = (await shop.ask('GET', path)).data['contract'] as { approval: { terms_hash: string } }
    const terms = { body: { terms_hash: approval.terms_hash } }
    expect(coded(await ana.ask('PUT', `${path}/approve`, terms))).toEqual([403, 'approver_is_maker'])
    expect((await third.ask('PUT', `${path}/approve`, terms)).status).toBe(200)
  })

  test('and none of the twenty that an account may have under way', async () => {
    const busy = await world.newCaller({ lane: world.caller.account.lane, funds: { PHP: 1_000_000_00n } })
    for (let i = 0; i < 19; i++) await busy.ask('POST', '/commands', { body: { type: 'transfers.create' } })
    const { id } = await schedulesOf(busy).make()
    await makeDue(world, id)
    await scheduleRound(deps)
    expect((await busy.ask('POST', '/commands', { body: { type: 'transfers.create' } })).status).toBe(200)
    const full = await busy.ask('POST', '/commands', { body: { type: 'transfers.create' } })
    expect(full.error.code).toBe('commands_full')
    await workOnCommands(world)
    expect((await schedulesOf(busy).get(id)).last_runs).toMatchObject([{ status: 'paid' }])
  })
})

describe('exactly once', () => {
  type Works = Parameters<typeof workOnCommands>[1]
  const stopsAt = (verb: string): Works => ({
    execute: (request) => (request.command.verb === verb ? Promise.reject(new ShuttingDown()) : deps.execute(request)),
  })
  /** Whoever worked on commands is gone. */
  const leasesEnd = () => world.sql('update commands set leased_until = null where leased_until is not null')

  test.each(['create_transfer', 'issue', 'pay'])('where the gateway goes down before %s', async (verb) => {
    const { id } = await mine.make()
    await makeDue(world, id)
    await scheduleRound(deps)
    const before = await paidOnes()
    await workOnCommands(world, stopsAt(verb), 'once')
    expect((await mine.get(id)).last_runs).toMatchObject([{ status: 'running' }])
    await round()
    expect(await mine.get(id)).toMatchObject({ runs: 1, last_runs: [{ status: 'paid' }] })
    expect((await paidOnes()) - before).toBe(1)
  })

  test.each(['record_command_rows', 'find_command'])(
    'where it goes down after it has paid, before %s',
    async (name) => {
      const { id } = await mine.make()
      await makeDue(world, id)
      await scheduleRound(deps)
      const before = await paidOnes()
      const reader = {
        ...deps.reader,
        send: (statements: Parameters<typeof deps.reader.send>[0]) =>
          statements.some((each) => each.name === name)
            ? Promise.reject(new Error('gone'))
            : deps.reader.send(statements),
      }
      await expect(workOnCommands(world, { reader })).rejects.toThrow('gone')
      await leasesEnd()
      await round()
      expect((await mine.get(id)).last_runs).toMatchObject([{ status: 'paid' }])
      expect((await paidOnes()) - before).toBe(1)
    },
  )

  test('where several look at the same time, and where two take one run for theirs', async () => {
    const { id } = await mine.make()
    await makeDue(world, id)
    const before = await paidOnes()
    const greedy: Works = {
      execute: async (request) => {
        await leasesEnd()
        return deps.execute(request)
      },
    }
    const all = () => scheduleRound(deps).then(() => workOnCommands(world, greedy))
    await Promise.all([all(), all(), all()])
    await leasesEnd()
    await round()
    expect(await mine.get(id)).toMatchObject({ runs: 1, last_runs: [{ number: 1, status: 'paid' }] })
    expect((await paidOnes()) - before).toBe(1)
    await world.ledgerHolds()
  })
})
