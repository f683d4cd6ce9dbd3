// Limits under load: of many payments at once exactly as many pass as fit, at one gateway and at two, and again once the window
// has rolled on. Who writes policies in live mode. A denied transfer takes no other of its batch along.
import { afterAll, describe, expect, test } from 'vitest'
import { type Caller, openWorld, type Reply } from '../../world.ts'
import { joined } from '../members/people.ts'
import { LARGE, policiesOf, told } from './policy-stage.ts'

const world = await openWorld({ workers: 'resting' })
const neighbour = await world.beside()
afterAll(async () => {
  await neighbour.stop()
  await world.stop()
})

const DAILY = {
  name: 'Daily limit',
  when: [{ field: 'sum', by: 'account', window: 'day', op: 'above', value: 500, currency: 'PHP' }],
  then: { kind: 'deny', words: 'The day is full.' },
}

type Ask = (path: string, headers: Record<string, string>) => Promise<Reply>
const here: Ask = (path, headers) => world.ask('PUT', path, { headers, body: {} })
const there: Ask = (path, headers) => neighbour.ask('PUT', path, { headers, body: {} })

/** So many contracts of PHP 10, all paid at once, by the gateways in turn; how many passed. */
async function paidOf(payer: Caller, count: number, gateways: readonly Ask[]): Promise<number> {
  const contracts = await Promise.all(
    Array.from({ length: count }, () => payer.issued({ amount: 10, currency: 'PHP' })),
  )
  const headers = { 'x-api-key': payer.apiKey }
  const replies = await Promise.all(
    contracts.map(({ id }, i) => gateways[i % gateways.length]!(`/contracts/transfer/${id}/pay`, headers)),
  )
  const refused = replies.filter(({ status }) => status !== 200)
  expect([...new Set(refused.map(({ error }) => error.code))]).toEqual(refused.length > 0 ? ['policy_denied'] : [])
  return replies.length - refused.length
}

/** As if all that was counted had been paid a day and a step earlier. */
const rollOn = ({ lane, accountId }: Caller['account']) =>
  world.sql(`do $$ declare m policy_meters; rolled json; begin
    perform 1 from accounts a where a.lane = ${lane} and a.account_id = '${accountId}' for no key update;
    for m in select * from policy_meters p where p.lane = ${lane} and p.account_id = '${accountId}' loop
      select coalesce(json_agg(json_build_array((e ->> 0)::bigint - 98, e ->> 1, (e ->> 2)::int)), '[]') into rolled
        from json_array_elements(m.steps) e;
      update policy_meters p set steps = rolled
       where p.lane = ${lane} and p.account_id = '${accountId}' and p.meter = m.meter;
    end loop;
  end $$`)

test.each([
  ['one gateway', [here]],
  ['two gateways', [here, there]],
])(
  'of 200 payments at once at %s 50 pass a limit that fits 50, and 50 again when the day is over',
  async (_, gateways) => {
    const payer = await world.newCaller()
    await policiesOf(payer).make(DAILY)
    expect(await paidOf(payer, 200, gateways)).toBe(50)
    expect(await paidOf(payer, 20, gateways)).toBe(0)
    await rollOn(payer.account)
    expect(await paidOf(payer, 60, gateways)).toBe(50)
  },
)

test('while windows roll in between, 50 pass of each, at two gateways', async () => {
  const payer = await world.newCaller()
  await policiesOf(payer).make(DAILY)
  const contracts = await Promise.all(Array.from({ length: 200 }, () => payer.issued({ amount: 10, currency: 'PHP' })))
  let left = contracts.map(({ id }) => id)
  let paid = 0
  const headers = { 'x-api-key': payer.apiKey }
  let rolled = 0
  for (let passed = 1; passed > 0; ) {
    const rolls: Promise<unknown>[] = []
    const again: string[] = []
    const before = paid
    const payOne = async (id: string, i: number) => {
      const { status } = await [here, there][i % 2]!(`/contracts/transfer/${id}/pay`, headers)
      if (status !== 200) return again.push(id)
      paid += 1
      // The window is full. It rolls while others are on their way, some of which fit the next one.
      if (paid % 50 === 0 && rolled++ < 2) rolls.push(rollOn(payer.account))
      return paid
    }
    await Promise.all(left.map(payOne))
    await Promise.all(rolls)
    left = again
    passed = paid - before
  }
  expect(paid).toBe(150)
})

test('a refusal names what of the transfer to change', async () => {
  const payer = await world.newCaller()
  const mine = policiesOf(payer)
  const conditions: [object[], string | null][] = [
    [[{ field: 'hour', from: 0, to: 24 }, LARGE.when[0]!], 'amount'],
    [[{ field: 'recipient.country', op: 'not_in', values: ['SG'] }], 'recipient.country'],
    [[{ field: 'channel', op: 'not_in', values: ['wallet'] }], 'channel'],
    [[{ field: 'recipient.new', within_days: 3 }], 'recipient'],
    [[], null],
  ]
  const { id } = await payer.issued({ amount: 2_000, currency: 'PHP' })
  for (const [when, param] of conditions) {
    const policy = await mine.make({ ...LARGE, when })
    const refused = await payer.ask('PUT', `/contracts/transfer/${id}/pay`, { body: {} })
    expect(told(refused)).toEqual([403, 'policy_denied', param])
    expect(refused.error.message).toContain('(policy “Large transfers”)')
    await mine.archive(policy.id)
  }
})

test('a denied transfer takes no other of its batch along', async () => {
  const payer = await world.newCaller()
  await policiesOf(payer).make(LARGE)
  const contracts = await Promise.all(
    [10, 2_000, 20, 3_000, 30].map((amount) => payer.issued({ amount, currency: 'PHP' })),
  )
  const replies = await Promise.all(
    contracts.map(({ id }) => payer.ask('PUT', `/contracts/transfer/${id}/pay`, { body: {} })),
  )
  expect(replies.map(({ status }) => status)).toEqual([200, 403, 200, 403, 200])
  expect(replies[1]?.error.message).toContain('Too much at once.')
  expect(replies[1]?.error.message).toContain(LARGE.name)
})

test('a policy of one account is none of another', async () => {
  await policiesOf(world.caller).make({ name: 'Nothing', then: LARGE.then })
  const own = await world.caller.issued()
  const theirs = await world.other.issued()
  expect(told(await world.caller.ask('PUT', `/contracts/transfer/${own.id}/pay`, { body: {} }))[1]).toBe(
    'policy_denied',
  )
  expect((await world.other.ask('PUT', `/contracts/transfer/${theirs.id}/pay`, { body: {} })).status).toBe(200)
})

describe('in live mode', () => {
  test('a person writes policies, and no key does; a key may try them', async () => {
    const live = await world.newCaller({ livemode: true })
    const admin = await joined(world, live, 'admin')
    const refusal = [403, 'person_required', null]
    expect(told(await live.ask('POST', '/policies', { body: LARGE }))).toEqual(refusal)
    const made = await admin.ask('POST', '/policies', { body: LARGE })
    expect(made.status, made.text).toBe(200)
    const { id } = made.data['policy'] as { id: string }
    expect(told(await live.ask('PATCH', `/policies/${id}`, { body: { priority: 1 } }))).toEqual(refusal)
    for (const verb of ['pause', 'resume'])
      expect(told(await live.ask('PUT', `/policies/${id}/${verb}`, { body: {} }))).toEqual(refusal)
    expect(told(await live.ask('DELETE', `/policies/${id}`))).toEqual(refusal)
    const tried = await live.ask('POST', `/policies/${id}/evaluate`, {
      body: { draft: { amount: 2_000, currency: 'PHP' } },
    })
    expect((tried.data['evaluation'] as { decision: string }).decision).toBe('denied')
    expect((await admin.ask('PUT', `/policies/${id}/pause`)).status).toBe(200)
    const viewer = await joined(world, live, 'viewer')
    expect(told(await viewer.ask('PUT', `/policies/${id}/resume`))).toEqual([403, 'scope_missing', null])
  })
})
