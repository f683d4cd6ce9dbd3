// Schedules over HTTP: what is read and kept, changed, paused and ended; whom it is refused; and what of it is told.
import { afterAll, describe, expect, test } from 'vitest'
import { openWorld, READY } from '../../world.ts'
import { type Holder, holderIn, make, type Made, PAYING, rolled } from '../accounts/key-stage.ts'
import { joined } from '../members/people.ts'
import { DAILY, RENT, schedulesOf, told } from './schedule-stage.ts'

const world = await openWorld({ workers: 'resting' })
const { caller, other } = world
afterAll(() => world.stop())
const mine = schedulesOf(caller)
const holder = holderIn(world)
const post = (body: object) => caller.ask('POST', '/schedules', { body })

const RUNS = [...PAYING, 'commands:read', 'commands:write', 'keys:write']

describe('a schedule', () => {
  test('shows what it pays, its rule in words, and its next five runs', async () => {
    const made = await mine.make({ ...RENT, rule: { ...DAILY, starts_at: '2090-01-01T00:00:00Z', count: 3 } })
    expect(made).toMatchObject({
      name: 'Rent',
      status: 'active',
      livemode: false,
      pays: { amount: READY.amount, currency: READY.currency, channel: READY.channel },
      words: 'Every day at 09:00 (Asia/Manila), 3 times.',
      runs: 0,
      last_runs: [],
      paused_reason: null,
      created_by: { type: 'key', id: caller.keyId },
      version: 1,
    })
    expect(made.next_runs).toEqual([
      { at: '2090-01-01T01:00:00.000Z', local: '2090-01-01T09:00:00+08:00' },
      { at: '2090-01-02T01:00:00.000Z', local: '2090-01-02T09:00:00+08:00' },
      { at: '2090-01-03T01:00:00.000Z', local: '2090-01-03T09:00:00+08:00' },
    ])
    expect(await mine.get(made.id)).toEqual(made)
    const { data } = await caller.ask('GET', '/schedules?status=active')
    expect(data['schedules']).toContainEqual(made)
  })

  test('tells of a rule by itself when it would run, and makes nothing', async () => {
    const before = (await caller.all('/schedules', 'schedules')).length
    const next = (rule: object) => caller.ask('POST', '/schedules/next', { body: { rule } })
    const { data } = await next({ ...DAILY, starts_at: '2090-01-01T00:00:00Z', count: 2 })
    expect(data).toEqual({
      words: 'Every day at 09:00 (Asia/Manila), 2 times.',
      next_runs: [
        { at: '2090-01-01T01:00:00.000Z', local: '2090-01-01T09:00:00+08:00' },
        { at: '2090-01-02T01:00:00.000Z', local: '2090-01-02T09:00:00+08:00' },
      ],
      holidays_known_until: null,
    })
    expect((await next({ ...DAILY, every: 'once', date: '2020-01-01' })).data['next_runs']).toEqual([])
    const { status, error } = await next({ ...DAILY, every: 'month', time_zone: 'Mars/Base' })
    expect([status, error.errors?.map(({ param }) => param)]).toEqual([400, ['rule.time_zone', 'rule.day']])
    expect((await next({ ...DAILY, evry: 'day' })).error.code).toBe('unknown_parameter')
    expect(await caller.all('/schedules', 'schedules')).toHaveLength(before)
  })

  test.each<[string, object, [number, string, string]]>([
    ['nothing to pay', { rule: DAILY }, [400, 'missing_template', 'template']],
    ['no rule', { template: READY }, [400, 'missing_rule', 'rule']],
    ['a rule without its day', { ...RENT, rule: { ...DAILY, every: 'month' } }, [400, 'missing_rule_day', 'rule.day']],
    [
      'a rule of the past',
      { ...RENT, rule: { ...DAILY, every: 'once', date: '2020-01-01' } },
      [400, 'invalid_rule', 'rule'],
    ],
    [
      'a strange zone',
      { ...RENT, rule: { ...DAILY, time_zone: 'Mars/Base' } },
      [400, 'invalid_rule_time_zone', 'rule.time_zone'],
    ],
    ['a misspelt member', { ...RENT, rule: { ...DAILY, evry: 'day' } }, [400, 'unknown_parameter', 'rule.evry']],
    [
      'a currency that is none',
      { ...RENT, template: { ...READY, currency: 'XXX' } },
      [400, 'invalid_currency', 'template.currency'],
    ],
    [
      'an unknown channel',
      { ...RENT, template: { ...READY, channel: 'pigeon' } },
      [400, 'invalid_channel', 'template.channel'],
    ],
    [
      'a draft that cannot be issued',
      { ...RENT, template: { ...READY, recipient: null } },
      [400, 'requirements_not_met', 'template.recipient.name'],
    ],
    [
      'nobody’s wallet',
      { ...RENT, source: '0198c0de-0000-7a2b-8000-0123456789ab' },
      [404, 'wallet_not_found', 'source'],
    ],
  ])('of %s is refused', async (_what, body, expected) => {
    const [status, code, param] = told(await post(body))
    expect([status === 422 || status === 409 ? 400 : status, code, param]).toEqual(expected)
  })

  test('keeps no card number, whatever its template says', async () => {
    const { template } = await mine.make({ ...RENT, template: { ...READY, description: 'card 4111 1111 1111 1111' } })
    expect(template['description']).toBe('card [card ending 1111]')
  })

  test('changes by a merge patch of any depth, and only from the version that was read', async () => {
    const { id } = await mine.make()
    const changed = await mine.patch(id, { template: { amount: 7 }, rule: { time: '10:30' } })
    expect([changed.version, changed.pays.amount, changed.rule.time]).toEqual([2, 7, '10:30'])
    expect((await mine.patch(id, { rule: { time: '10:30' } })).version).toBe(2)
    const stale = await caller.ask('PATCH', `/schedules/${id}`, { body: { name: 'x' }, headers: { 'if-match': '"1"' } })
    expect(told(stale).slice(0, 2)).toEqual([412, 'precondition_failed'])
    expect(told(await caller.ask('PATCH', `/schedules/${id}`, { body: { rule: { every: 'month' } } }))).toEqual([
      400,
      'missing_rule_day',
      'rule.day',
    ])
  })

  test('rests while it is paused, goes on when it is resumed, and once ended is not changed any more', async () => {
    const { id } = await mine.make()
    expect(await mine.pause(id)).toMatchObject({ status: 'paused', paused_reason: 'asked', next_runs: [] })
    expect((await mine.pause(id)).version).toBe(2)
    expect((await mine.patch(id, { name: 'Lease' })).status).toBe('paused')
    expect((await mine.resume(id)).next_runs).toHaveLength(5)
    expect(await mine.end(id)).toMatchObject({ status: 'ended', next_runs: [], ended_at: expect.any(String) })
    expect((await mine.end(id)).status).toBe('ended')
    for (const verb of ['pause', 'resume'])
      expect(told(await caller.ask('PUT', `/schedules/${id}/${verb}`))).toEqual([409, 'schedule_ended', 'id'])
  })

  test('is told of, in the feed and in the audit list', async () => {
    const { id } = await mine.make()
    await mine.pause(id)
    await mine.end(id)
    const { data } = await caller.ask('GET', '/events?order=newest&limit=3')
    const events = data['events'] as { type: string; data: { object: { id: string } } }[]
    expect(events.map((event) => [event.type, event.data.object.id])).toEqual([
      ['schedule.ended', id],
      ['schedule.paused', id],
      ['schedule.created', id],
    ])
    const audit = (await caller.ask('GET', '/audit?limit=3')).data['entries'] as { action: string }[]
    expect(audit.map(({ action }) => action)).toEqual(['schedule.ended', 'schedule.paused', 'schedule.created'])
  })

  test('is made by nobody who could not pay, and is nobody else’s', async () => {
    const weak = await world.withKey(caller, { scopes: ['commands:read', 'commands:write', 'contracts:write'] })
    expect(told(await weak.ask('POST', '/schedules', { body: RENT }))).toEqual([403, 'scope_missing', null])
    const { id } = await mine.make()
    expect((await weak.ask('PATCH', `/schedules/${id}`, { body: { template: { amount: 9 } } })).status).toBe(403)
    expect((await weak.ask('PUT', `/schedules/${id}/pause`)).status).toBe(200)
    expect((await weak.ask('PUT', `/schedules/${id}/resume`)).status).toBe(403)
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/runs'],
      ['PATCH', ''],
      ['DELETE', ''],
      ['PUT', '/pause'],
    ] as const)
      expect(told(await other.ask(method, `/schedules/${id}${path}`, method === 'PATCH' ? { body: {} } : {}))).toEqual([
        404,
        'schedule_not_found',
        'id',
      ])
  })

  test('a key that is rolled is no other writer, unless another member is behind it then', async () => {
    const account = await world.newCaller()
    const [ana, ben] = [await joined(world, account, 'admin'), await joined(world, account, 'admin')]
    const keys = [await make(ana, { scopes: RUNS })]
    const { id } = await schedulesOf(account).make()
    const roll = async (by: Holder) => void keys.push(await rolled(keys.at(-1) as Made, by))
    const change = async (amount: number) => {
      const by = holder(keys.at(-1) ?? { apiKey: '' })
      const reply = await by.ask('PATCH', `/schedules/${id}`, { body: { template: { amount } } })
      expect(reply.status, reply.text).toBe(200)
    }
    await change(1)
    await roll(holder(keys[0] as Made))
    await change(2)
    await roll(ben)
    await change(3)
    await roll(ben)
    await change(4)
    const [row] = await world.sql<{ writers: string[] }>(
      `select document -> 'writers' as writers from schedules where id = $1`,
      [id],
    )
    // The second is there as the one as whom it ran before another member's key took it over.
    expect(row?.writers.slice(1)).toEqual([keys[0], keys[1], keys[2]].map((each) => each?.key.id))
  })

  test('there are no more than a hundred of an account that have not ended', async () => {
    const full = await world.newCaller()
    await world.sql(
      `insert into schedules (lane, account_id, livemode, id, version, status, next_at, document)
       select $1, $2, false, gen_random_uuid(), 1, 'paused', null, '{}' from generate_series(1, 100)`,
      [full.account.lane, full.account.accountId],
    )
    expect(told(await full.ask('POST', '/schedules', { body: RENT }))).toEqual([409, 'schedules_full', null])
  })
})
