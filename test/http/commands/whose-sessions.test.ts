// Commands of members: they are theirs, whichever session they have; but they rest when what signed them in is taken back, and no row is
// done for whoever is no member any more.
import { afterAll, expect, test } from 'vitest'
import type { Execute } from '../../../src/engine/command-request.ts'
import { type Caller, openWorld, READY } from '../../world.ts'
import { type Person, signedInAgain } from '../members/people.ts'
import { paidContracts, workOnCommands } from '../schedules/schedule-stage.ts'
import { type CommandBody, rowsOf, told } from './command-stage.ts'
import { again, approve, BIG, filled, office } from './office-stage.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
const { deps } = world.gateway
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

const signedOut = ({ ask }: Person) => ask('DELETE', '/sessions/current')

test('it takes rows of their next session, and pays after that has ended', async () => {
  const { account, other: first } = await office(world, caller.account.lane)
  const id = await filled(first, [READY])
  expect((await signedOut(first)).status).toBe(200)
  const next = await signedInAgain(world, first)
  const more = { first: 1, rows: [{ ...READY, amount: 101 }] }
  expect((await next.ask('POST', `/commands/${id}/rows`, { body: more })).status).toBe(200)
  expect((await next.ask('PUT', `/commands/${id}/start`)).status).toBe(200)
  expect((await signedOut(next)).status).toBe(200)
  await workOnCommands(world)
  const { data } = await account.ask('GET', `/commands/${id}`)
  expect(data['command']).toMatchObject({
    status: 'completed',
    stopped: null,
    progress: { done: 2 },
    created_by: { key: first.id, member: first.id },
  })
})

test('so is one that a release before stored with a session', async () => {
  const { account, other } = await office(world, caller.account.lane)
  const id = await filled(other, [READY])
  const [session] = await world.sql('select key_id from api_keys where member_id = $1', [other.id])
  await world.sql(`update commands set writers = '{}', key_id = $2 where id = $1`, [id, session?.['key_id']])
  await signedOut(other)
  const next = await signedInAgain(world, other)
  const more = { first: 1, rows: [{ ...READY, amount: 101 }] }
  expect((await next.ask('POST', `/commands/${id}/rows`, { body: more })).status).toBe(200)
  expect((await next.ask('PUT', `/commands/${id}/start`)).status).toBe(200)
  await workOnCommands(world)
  expect((await account.ask('GET', `/commands/${id}`)).data['command']).toMatchObject({ progress: { done: 2 } })
})

/** Two sessions of somebody, and a command that each has set going. */
async function twice() {
  const { account, other: first } = await office(world, caller.account.lane)
  const second = await signedInAgain(world, first)
  const ids = [await filled(first, [READY]), await filled(second, [READY])] as const
  for (const [by, id] of [
    [first, ids[0]],
    [second, ids[1]],
  ] as const)
    expect((await by.ask('PUT', `/commands/${id}/start`)).status).toBe(200)
  const stood = () => Promise.all(ids.map((id) => standing(account, id)))
  return { account, first, second, ids, stood }
}

const standing = async (account: Pick<Caller, 'ask'>, id: string) => {
  const { data } = await account.ask('GET', `/commands/${id}`)
  const { status, stopped, progress } = data['command'] as CommandBody
  return [status, stopped?.code ?? null, progress.done]
}

test('a release before finds the session where it looks for who adds rows', async () => {
  const { first, second, ids } = await twice()
  const stored = await world.sql('select key_id from commands where id = any($1::uuid[]) order by id', [[...ids]])
  const sessions = await world.sql('select key_id from api_keys where member_id = $1 order by created_at', [first.id])
  expect(second.id).toBe(first.id)
  expect(stored).toEqual(sessions)
})

test('a session that is ended from another one takes along what it has set going, and nothing else', async () => {
  const { account, second, ids, stood } = await twice()
  const { data } = await second.ask('GET', '/sessions')
  const sessions = data['sessions'] as { readonly id: string; readonly current: boolean }[]
  const before = sessions.find(({ current }) => !current)
  expect((await second.ask('DELETE', `/sessions/${before?.id}`)).status).toBe(200)
  await workOnCommands(world)
  expect(await stood()).toEqual([
    ['paused', 'invalid_session', 0],
    ['completed', null, 1],
  ])
  expect(await told(account, ids[0])).toEqual(['command.paused'])
  await second.ask('PUT', `/commands/${ids[0]}/resume`)
  await workOnCommands(world)
  expect((await stood())[0]).toEqual(['completed', null, 1])
})

test('a new password pauses what is going on, by whichever session', async () => {
  const all = await office(world, caller.account.lane)
  const { account, other: first, third } = all
  const second = await signedInAgain(world, first)
  const id = await filled(first, [READY, BIG])
  await first.ask('PUT', `/commands/${id}/start`)
  await workOnCommands(world, {}, 'once')
  expect(await standing(account, id)).toEqual(['running', null, 1])
  const body = { password: second.password, new_password: 'five other plain words together' }
  expect((await second.ask('PUT', '/members/me/password', { body })).status).toBe(200)
  expect(await standing(account, id)).toEqual(['paused', 'invalid_session', 1])
  const waiting = (await rowsOf(account, id)).find(({ status }) => status === 'waiting')
  expect((await approve(account, third, waiting?.contract_id)).status).toBe(200)
  await again(world, id)
  await workOnCommands(world)
  expect(await standing(account, id)).toEqual(['paused', 'invalid_session', 1])
  expect((await second.ask('PUT', `/commands/${id}/resume`)).status).toBe(200)
  await again(world, id)
  await workOnCommands(world)
  expect(await standing(account, id)).toEqual(['completed', null, 2])
})

/** Something that happens in the middle of a window of rows: once, before the first of them is paid. */
function beforePaying<T>(happen: () => Promise<T>) {
  let happening: Promise<T> | null = null
  const execute: Execute = async (request) => {
    if (request.command.verb === 'pay') await (happening ??= happen())
    return deps.execute(request)
  }
  return { execute, happened: () => happening }
}

test.each([
  ['was removed', 'DELETE', {}, 'member_not_found'],
  ['may not pay any more', 'PATCH', { body: { role: 'developer' } }, 'scope_missing'],
] as const)('no row is paid for a member who %s since its window began', async (_what, method, sent, code) => {
  const { account, writer, other } = await office(world, caller.account.lane)
  const id = await filled(other, [READY, { ...READY, amount: 101 }])
  await other.ask('PUT', `/commands/${id}/start`)
  const { execute, happened } = beforePaying(() => writer.ask(method, `/members/${other.id}`, sent))
  await workOnCommands(world, { execute })
  expect((await happened())?.status).toBe(200)
  expect(await standing(account, id)).toEqual(['paused', code, 0])
  expect(await paidContracts(world, account)).toBe(0)
  expect((await writer.ask('PUT', `/commands/${id}/resume`)).status).toBe(200)
  await workOnCommands(world)
  expect(await standing(account, id)).toEqual(['completed', null, 2])
})

test.each([
  ['a member who was removed', 'other', `update members set status = 'removed' where id = $1`],
  [
    'a key that was revoked',
    'account',
    'update api_keys set revoked_at = now() where account_id = $1 and member_id is null',
  ],
] as const)('what %s had begun is skipped once it is cancelled', async (_whose, by, end) => {
  const { other, writer, ...all } = await office(world, caller.account.lane)
  const giver = { other, account: all.account }[by]
  const id = await filled(giver, [READY, { ...READY, amount: 101 }])
  await giver.ask('PUT', `/commands/${id}/start`)
  const ids = { other: other.id, account: all.account.account.accountId }
  const { execute } = beforePaying(() => world.sql(end, [ids[by]]))
  for (let round = 0; round < 3; round++) await workOnCommands(world, { execute }, 'once')
  expect((await standing(writer, id))[0]).toBe('paused')
  expect((await writer.ask('PUT', `/commands/${id}/cancel`)).status).toBe(200)
  for (let round = 0; round < 3; round++) await workOnCommands(world, {}, 'once')
  expect((await standing(writer, id))[0]).toBe('cancelled')
  expect(await paidContracts(world, all.account)).toBe(0)
})

test('one who was reset is said to have been', async () => {
  const { account, writer, other } = await office(world, caller.account.lane)
  const [id, started] = [await filled(other, [READY]), await filled(other, [READY])]
  await other.ask('PUT', `/commands/${started}/start`)
  expect((await writer.ask('POST', `/members/${other.id}/reset`)).status).toBe(200)
  expect(await standing(account, started)).toEqual(['paused', 'invalid_session', 0])
  expect((await writer.ask('PUT', `/commands/${id}/start`)).status).toBe(200)
  await workOnCommands(world)
  const { data } = await account.ask('GET', `/commands/${id}`)
  expect((data['command'] as CommandBody).stopped).toEqual({
    code: 'member_not_found',
    message: expect.stringContaining('was reset'),
  })
})

test('but it stops when they are removed, and says so', async () => {
  const { account, writer, other } = await office(world, caller.account.lane)
  const id = await filled(other, [READY])
  await world.sql(`update members set status = 'removed' where id = $1`, [other.id])
  expect((await writer.ask('PUT', `/commands/${id}/start`)).status).toBe(200)
  await workOnCommands(world)
  const { data } = await account.ask('GET', `/commands/${id}`)
  expect(data['command']).toMatchObject({
    status: 'paused',
    stopped: { code: 'member_not_found', message: expect.stringContaining('member') },
    progress: { done: 0, left: 1 },
  })
})
