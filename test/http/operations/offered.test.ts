// Where a gateway is operated over HTTP: in development, in production where it is said, and never without the operators' login.
import { afterAll, expect, test } from 'vitest'
import { Misconfigured, readConfig } from '../../../src/main/config/config.ts'
import { buildGateway } from '../../../src/main/assemble.ts'
import { openLog } from '../../../src/platform/log.ts'
import { coded, joined, withCookie } from '../members/people.ts'
import { openWorld } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
await world.sql('update accounts set operates = true where account_id = $1', [world.caller.account.accountId])
afterAll(() => world.stop())

test.each([
  ['production', null, [409, 'operations_not_offered']],
  ['production', 'on', [200, null]],
  ['development', null, [200, null]],
  ['development', 'off', [409, 'operations_not_offered']],
] as const)('in %s, said %s: %j', async (mode, said, expected) => {
  const operations = { said, limits: new Map<string, bigint>() }
  const gateway = await world.beside({ mode, operations })
  const owner = await joined(world, world.caller, 'owner')
  const reply = await withCookie(gateway, owner.cookie)('GET', '/operations/freezes')
  await gateway.stop()
  expect(reply.status === 200 ? [200, null] : coded(reply)).toEqual(expected)
})

test('said and without the login, the start is refused; by default it is not offered', async () => {
  const database = { ...world.database, operator: null }
  const build = (said: 'on' | null) =>
    buildGateway(
      { ...world.config, operations: { said, limits: new Map() } },
      // A database whose operators are not known here.
      database as unknown as typeof world.database,
      { url: world.sandboxUrl, token: 'none' },
      openLog('fatal'),
    )
  await expect(build('on')).rejects.toThrow(Misconfigured)
  const gateway = await build(null)
  expect(gateway.deps.operations).toBeNull()
  await gateway.stop()
})

test('limits are read by currency, and a typo is named', () => {
  const limitsOf = (text?: string) => [...readConfig({ GATEWAY_RESOLUTION_LIMITS: text }).operations.limits]
  expect(limitsOf()).toEqual([['PHP', 50_000_00n]])
  expect(limitsOf('PHP=1.50,JPY=7')).toEqual([
    ['PHP', 150n],
    ['JPY', 7n],
  ])
  expect(limitsOf('none')).toEqual([])
  for (const text of ['PHP', 'PHP=x', 'XXX=1', 'PHP=1.005', 'PHP=1,PHP=2', 'php=1', 'PHP=-1'])
    expect(() => limitsOf(text), text).toThrow('GATEWAY_RESOLUTION_LIMITS')
})

test('no key has the scopes, and none gives them', async () => {
  const key = { name: 'Robot', scopes: ['operations:read'] }
  expect((await world.caller.ask('POST', '/keys', { body: key })).status).toBe(400)
  const owner = await joined(world, world.caller, 'owner')
  expect((await owner.ask('POST', '/keys', { body: key })).status).toBe(400)
  // A key that makes members makes none who operate: it would be a way around.
  for (const role of ['admin', 'operator', 'approver'])
    expect(coded(await world.caller.ask('POST', '/members', { body: { email: `${role}@x.example`, role } }))).toEqual([
      403,
      'role_not_allowed',
    ])
  expect((await world.caller.ask('POST', '/members', { body: { email: 'v@x.example', role: 'viewer' } })).status).toBe(
    200,
  )
  expect((await owner.ask('GET', '/sessions/current')).data['scopes']).toContain('operations:approve')
  const other = await joined(world, world.other, 'owner')
  expect((await other.ask('GET', '/sessions/current')).data['scopes']).not.toContain('operations:read')
})

test('nobody makes their own account operate', async () => {
  const owner = await joined(world, world.other, 'owner')
  await owner.ask('PATCH', '/accounts/me', { body: { operates: true, name: 'Renamed' } })
  const { account } = (await owner.ask('GET', '/accounts/me')).data as { account: { operates: boolean; name: string } }
  expect(account).toMatchObject({ operates: false, name: 'Renamed' })
})
