// The sandbox provider through the gateway: what it plays, its clock, and who may come near it.
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { buildGateway } from '../../../src/main/assemble.ts'
import { openLog } from '../../../src/platform/log.ts'
import { type Method, openWorld, type Reply, type Sent } from '../../world.ts'
import { openClient } from '../../world-client.ts'
import { joined } from '../members/people.ts'

type Shown = {
  url: string
  clock: { now: string; offset_seconds: number }
  rails: { rail: string; channels: string[]; outage: { kind: string; until: string | null } | null }[]
  transfers: { name: string; account: string | null; amount_ends_in: number | null }[]
  payments: { name: string; amount_ends_in: number | null }[]
  scripts: { id: string; played: number; scenario: Record<string, unknown> }[]
}

const world = await openWorld()
const { caller, other } = world
afterAll(() => world.stop())
afterEach(() => caller.ask('DELETE', '/sandbox/scenarios'))

const shown = async () => (await caller.ask('GET', '/sandbox')).data['sandbox'] as Shown
const script = (body: unknown) => caller.ask('POST', '/sandbox/scenarios', { body })
const coded = ({ status, error }: Reply) => [status, error.code, error.param]

test('says what it plays: rails with their channels, amounts and accounts, and its time', async () => {
  const { url, clock, rails, transfers, payments, scripts } = await shown()
  expect(url).toBe(world.sandboxUrl)
  expect(clock.offset_seconds).toBe(0)
  expect(Math.abs(Date.parse(clock.now) - Date.now())).toBeLessThan(60_000)
  expect(rails.map(({ rail }) => rail).toSorted()).toEqual([
    'card',
    'gcash',
    'instapay',
    'maya',
    'pesonet',
    'qrph',
    'sandbox',
  ])
  expect(rails.find(({ rail }) => rail === 'gcash')).toEqual({ rail: 'gcash', channels: ['gcash'], outage: null })
  expect(transfers).toContainEqual(
    expect.objectContaining({ name: 'bounce', account: 'sandbox-bounce', amount_ends_in: 51 }),
  )
  expect(payments).toContainEqual(expect.objectContaining({ name: 'declined', account: null, amount_ends_in: 21 }))
  expect(scripts).toEqual([])
})

describe('a scenario', () => {
  test('plays, is counted, and ends with all others', async () => {
    const reply = await script({ rail: 'sandbox', match: { account: 'closed' }, verdict: 'refused' })
    expect([reply.status, reply.body['message']]).toEqual([
      200,
      'Scenario scripted. It plays for every account of this sandbox.',
    ])
    const { id } = reply.data['script'] as { id: string }
    const refused = await caller.paid({ recipient: { name: 'Ana Reyes', wallet: 'closed' } })
    expect(await world.settle(refused.id)).toBe('cancelled')
    expect((await shown()).scripts).toEqual([
      expect.objectContaining({
        id,
        played: 1,
        scenario: { rail: 'sandbox', match: { account: 'closed' }, verdict: 'refused' },
      }),
    ])
    expect((await caller.ask('DELETE', '/sandbox/scenarios')).data).toEqual({ ended: 1 })
    expect((await caller.ask('DELETE', '/sandbox/scenarios')).data).toEqual({ ended: 0 })
    expect((await shown()).scripts).toEqual([])
  })

  test('takes every form that the provider takes', async () => {
    const all = [
      { later: [{ after_seconds: 1, status: 'returned', code: 'account_closed_later' }] },
      { later: [{ after_seconds: 1, status: 'completed' }], match: { every: 2, amount: '1.00', reference: 'r' } },
      { wire: 'hang_after', times: 1 },
      { wire: { slow_ms: 5 }, match: { account: 'slow' } },
      { inquiry: { not_found_for_seconds: 5 }, match: { account: 'absent' } },
      { inquiry: 'lies_failed', match: { account: 'lied' } },
      { callbacks: { duplicates: 2, forged: 1, lies: 0, delay_seconds: 1, shuffle: true, drop: false } },
      { rail: 'pesonet', settle_after_seconds: 2 },
      { rail: 'maya', forget_references_after_seconds: 60 },
      { rail: 'instapay', statement: { omit: 'r' } },
      { rail: 'instapay', statement: { extra: { reference: 'r', amount: '1.00' } } },
    ]
    for (const body of all) expect([body, (await script(body)).status]).toEqual([body, 200])
    expect((await shown()).scripts.map(({ scenario }) => scenario)).toEqual(all.toReversed())
  })

  test.each([
    [{ verdikt: 'refused' }, 'unknown_parameter', 'verdikt'],
    [{ match: { acount: '1' } }, 'unknown_parameter', 'match.acount'],
    [{ verdict: 'maybe' }, 'invalid_verdict', 'verdict'],
    [{ outage: '503', seconds: -1 }, 'invalid_seconds', 'seconds'],
    [{ times: 0 }, 'invalid_times', 'times'],
    [{}, 'invalid_body', 'body'],
    [{ rail: 'instapay', match: { account: '1' }, times: 2 }, 'invalid_scenario', 'scenario'],
    // What only the provider knows, in its own words.
    [{ rail: 'paypal', verdict: 'refused' }, 'invalid_scenario', 'scenario'],
    [{ statement: { extra: { reference: 'ü', amount: '1.00' } } }, 'invalid_scenario', 'scenario'],
  ])('%j is refused', async (body, code, param) => {
    expect(coded(await script(body))).toEqual([400, code, param])
    expect((await shown()).scripts).toEqual([])
  })
})

test('an outage is shown with its end, on its rail alone or on all', async () => {
  await script({ rail: 'instapay', outage: '503', seconds: 60 })
  const one = (await shown()).rails
  expect(one.filter(({ outage }) => outage).map(({ rail }) => rail)).toEqual(['instapay'])
  expect(one.find(({ rail }) => rail === 'instapay')?.outage).toEqual({ kind: '503', until: expect.any(String) })
  await script({ outage: 'hang' })
  const all = (await shown()).rails
  expect(all.every(({ outage }) => outage?.kind === 'hang' && outage.until === null)).toBe(true)
  await caller.ask('DELETE', '/sandbox/scenarios')
  expect((await shown()).rails.every(({ outage }) => outage === null)).toBe(true)
})

test('the clock moves forwards, and what waited falls due', async () => {
  const before = (await shown()).clock.offset_seconds
  const stuck = await caller.paid({ amount: 100.52 })
  const reply = await caller.ask('POST', '/sandbox/clock', { body: { advance_seconds: 86_400 } })
  expect(reply.data['clock']).toEqual({ now: expect.any(String), offset_seconds: before + 86_400 })
  expect((await shown()).clock.offset_seconds).toBe(before + 86_400)
  await expect
    .poll(
      async () => {
        await caller.ask('POST', '/sandbox/clock', { body: { advance_seconds: 86_400 } })
        return (await caller.get(stuck.id)).status
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBe('completed')
  const at = (seconds: unknown) => caller.ask('POST', '/sandbox/clock', { body: { advance_seconds: seconds } })
  for (const wrong of [0, -5, 1.5, 366 * 86_400 + 1, '10'])
    expect(coded(await at(wrong))).toEqual([400, 'invalid_advance_seconds', 'advance_seconds'])
})

test('the same request under one key moves the clock once', async () => {
  const before = (await shown()).clock.offset_seconds
  const move = () =>
    caller.ask('POST', '/sandbox/clock', { body: { advance_seconds: 60 }, headers: { 'idempotency-key': 'one move' } })
  const [first, again] = [await move(), await move()]
  expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
  expect((await shown()).clock.offset_seconds).toBe(before + 60)
})

describe('who may', () => {
  const DOORS: readonly (readonly [method: Method, path: string, sent: Sent])[] = [
    ['GET', '', {}],
    ['POST', '/scenarios', { body: { verdict: 'refused' } }],
    ['DELETE', '/scenarios', {}],
    ['POST', '/clock', { body: { advance_seconds: 1 } }],
    ['GET', '/orders', {}],
  ]

  test.each(DOORS)('%s /sandbox%s: not with a read-only key, and not as a viewer', async (method, path, sent) => {
    const reader = await world.withKey(caller, { scopes: ['contracts:read'] })
    const viewer = await joined(world, caller, 'viewer')
    for (const who of [reader, viewer])
      expect(coded(await who.ask(method, `/sandbox${path}`, sent))).toEqual([403, 'scope_missing', null])
    const developer = await joined(world, caller, 'developer')
    expect((await developer.ask(method, `/sandbox${path}`, sent)).status).toBe(200)
  })

  test.each(DOORS)('%s /sandbox%s: not for a live account', async (method, path, sent) => {
    const live = await world.newCaller({ livemode: true })
    const reply = await live.ask(method, `/sandbox${path}`, sent)
    expect(coded(reply)).toEqual([403, 'test_account_required', null])
  })

  test.each([
    ['no provider', null],
    ['a provider whose token is not known', { url: world.sandboxUrl, token: null }],
  ])('beside %s there is no such route', async (_, provider) => {
    const config = provider === null ? { ...world.config, channels: [] } : world.config
    const gateway = await buildGateway(config, world.database, provider, openLog('fatal'))
    await gateway.app.ready()
    const client = openClient(gateway.app)
    for (const [method, path, sent] of DOORS) {
      const headers = { 'x-api-key': caller.apiKey }
      const reply = await client.ask(method, `/sandbox${path}`, { ...sent, headers })
      expect(coded(reply)).toEqual([404, 'route_not_found', null])
    }
    await gateway.stop()
  })
})

test('a provider that does not answer is told as such, and nothing of it', async () => {
  const provider = { url: 'http://127.0.0.1:9', token: 'of another start' }
  const gateway = await buildGateway(world.config, world.database, provider, openLog('fatal'))
  await gateway.app.ready()
  const { ask } = openClient(gateway.app)
  const reply = await ask('GET', '/sandbox', { headers: { 'x-api-key': caller.apiKey } })
  expect(coded(reply)).toEqual([503, 'sandbox_unavailable', null])
  expect(reply.text).not.toContain('of another start')
  expect(reply.headers['retry-after']).toBe('1')
  await gateway.stop()
})

test('one account sees what another scripted: the provider is theirs together', async () => {
  await script({ match: { account: 'ours' }, verdict: 'refused' })
  const { scripts } = (await other.ask('GET', '/sandbox')).data['sandbox'] as Shown
  expect(scripts).toHaveLength(1)
})
