// Idempotency keys: one effect for one key, the same bytes again, and nobody else's key.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { openFunds } from '../../../src/main/operator/funding.ts'
import { profilesOf } from '../profiles/profile-stage.ts'
import { type Caller, type ContractBody, type Method, openWorld, READY, type Reply } from '../../world.ts'

const world = await openWorld({ undoSeconds: 3600, config: { batchMax: 8 } })
const { caller, other } = world
afterAll(() => world.stop())

const LIST = '/contracts/transfer'
const contractOf = ({ data }: Reply) => data['contract'] as ContractBody
const isReplayed = ({ headers }: Reply) => headers['idempotent-replayed'] === 'true'
const coded = ({ status, error }: Reply) => [status, error.code]

function keyed(by: Caller, method: Method, url: string, key: string, body?: unknown): Promise<Reply> {
  return by.ask(method, url, { headers: { 'idempotency-key': key }, ...(body === undefined ? {} : { body }) })
}

/** Who waits for a lock: on a cluster at the node of the lane. */
const WAITING =
  process.env['TEST_ON_CITUS'] === 'yes'
    ? `select from run_command_on_all_nodes('select count(*) from pg_locks where not granted') where result <> '0'`
    : 'select from pg_locks where not granted'

describe('a repeated create', () => {
  test('answers with the same bytes and says so, also after the contract has moved on', async () => {
    const key = randomUUID()
    const first = await keyed(caller, 'POST', LIST, key, READY)
    expect(isReplayed(first)).toBe(false)
    const second = await keyed(caller, 'POST', LIST, key, READY)
    expect([isReplayed(second), second.status, second.text]).toEqual([true, 200, first.text])
    const { id } = contractOf(first)
    await caller.update(id, { description: 'mended' })
    await caller.issue(id)
    await caller.cancel(id)
    const last = await keyed(caller, 'POST', LIST, key, READY)
    expect([isReplayed(last), last.text]).toEqual([true, first.text])
    expect((await caller.get(id)).status).toBe('cancelled')
  })

  test('is answered the same by a neighbour', async () => {
    const neighbour = await world.beside()
    const key = randomUUID()
    const first = await keyed(caller, 'POST', LIST, key, READY)
    const headers = { 'x-api-key': caller.apiKey, 'idempotency-key': key }
    const second = await neighbour.ask('POST', LIST, { headers, body: READY })
    expect([isReplayed(second), second.text]).toEqual([true, first.text])
    await neighbour.stop()
  })

  test('without a key makes another contract', async () => {
    const [first, second] = [await caller.draft(), await caller.draft()]
    expect(first.id).not.toBe(second.id)
  })

  test.each<[string, Method, string, unknown]>([
    ['another body', 'POST', LIST, { ...READY, amount: 101 }],
    ['a member more that says nothing', 'POST', LIST, { ...READY, description: null }],
    ['a number as a text', 'POST', LIST, { ...READY, description: '100' }],
    ['another method', 'DELETE', `${LIST}/01890000-0000-7000-8000-000000000001`, {}],
  ])('with %s is 422, and changes nothing', async (_what, method, url, body) => {
    const key = randomUUID()
    const first = await keyed(caller, 'POST', LIST, key, READY)
    const reused = await keyed(caller, method, url, key, body)
    expect({ status: reused.status, ...reused.error }).toMatchObject({
      status: 422,
      type: 'idempotency_error',
      code: 'idempotency_key_reused',
      param: 'Idempotency-Key',
    })
    expect(isReplayed(reused)).toBe(false)
    expect((await keyed(caller, 'POST', LIST, key, READY)).text).toBe(first.text)
  })

  test.each<[string, string]>([
    ['other spaces', JSON.stringify(READY, null, 2)],
    ['its members in another order', JSON.stringify(Object.fromEntries(Object.entries(READY).toReversed()))],
    ['the same digits written otherwise', JSON.stringify(READY).replace('"amount":100', '"amount":1.00e2')],
    ['escapes', JSON.stringify(READY).replace('Ana', '\\u0041na')],
  ])('with %s is the same request', async (_what, body) => {
    const key = randomUUID()
    const first = await keyed(caller, 'POST', LIST, key, READY)
    const again = await keyed(caller, 'POST', LIST, key, body)
    expect([again.status, again.text, isReplayed(again)]).toEqual([200, first.text, true])
  })

  test('with the key of another account is that account’s own, in one batch too', async () => {
    const key = randomUUID()
    // Both are remembered, so that both requests come to the queue in one turn.
    await Promise.all([caller.ask('GET', '/wallets'), other.ask('GET', '/wallets')])
    const [mine, theirs] = await Promise.all([
      keyed(caller, 'POST', LIST, key, READY),
      keyed(other, 'POST', LIST, key, READY),
    ])
    expect([mine.status, theirs.status, isReplayed(mine), isReplayed(theirs)]).toEqual([200, 200, false, false])
    expect(contractOf(mine).id).not.toBe(contractOf(theirs).id)
    expect((await keyed(other, 'POST', LIST, key, READY)).text).toBe(theirs.text)
  })

  test('100 times at once under one key makes one contract', async () => {
    const lone = await world.newCaller()
    const key = randomUUID()
    const replies = await Promise.all(Array.from({ length: 100 }, () => keyed(lone, 'POST', LIST, key, READY)))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(replies.filter((reply) => !isReplayed(reply))).toHaveLength(1)
    expect(await lone.all(LIST, 'contracts')).toHaveLength(1)
  })

  test('100 times at once with two bodies makes one, and refuses those of the other', async () => {
    const lone = await world.newCaller()
    const key = randomUUID()
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, i) => keyed(lone, 'POST', LIST, key, { ...READY, amount: 1 + (i % 2) })),
    )
    const counts = [200, 422].map((status) => replies.filter((reply) => reply.status === status).length)
    expect(counts).toEqual([50, 50])
    expect(await lone.all(LIST, 'contracts')).toHaveLength(1)
  })
})

describe('a repeat that would be refused by now', () => {
  const [bank, second] = ['000123456789', '000987654321'].map((wallet) => ({
    channel: 'sandbox',
    recipient: { wallet },
  }))
  const profiles = profilesOf(caller)
  /** A profile with one destination, which is its default. */
  async function payee() {
    const { id } = await profiles.make()
    return { id, destination: (await profiles.pay(id, bank)).id }
  }
  const drafted = (id: string, amount = 100) => ({ amount, currency: 'PHP', recipient: { profile: id } })

  type Payee = Awaited<ReturnType<typeof payee>>
  test.each<[string, string, (payee: Payee) => Promise<unknown>, (payee: Payee) => object]>([
    [
      'whose profile was archived',
      'invalid_recipient_profile',
      ({ id }) => profiles.archive(id),
      ({ id }) => drafted(id),
    ],
    [
      'whose issuer was archived',
      'invalid_issued_to',
      ({ id }) => profiles.archive(id),
      ({ id }) => ({ ...READY, issued_to: id }),
    ],
    [
      'whose destination was removed',
      'invalid_recipient_destination',
      ({ id, destination }) => profiles.drop(id, destination),
      ({ id, destination }) => ({ ...drafted(id), recipient: { profile: id, destination } }),
    ],
    [
      'whose profile has two destinations and no default',
      'missing_recipient_destination',
      async ({ id, destination }) => {
        await profiles.pay(id, second)
        await profiles.repay(id, destination, { default: false })
      },
      ({ id }) => drafted(id),
    ],
  ])('%s has the first answer, under its key alone', async (_what, code, changes, bodyOf) => {
    const made = await payee()
    const body = bodyOf(made)
    const key = randomUUID()
    const first = await keyed(caller, 'POST', LIST, key, body)
    expect(first.status, first.text).toBe(200)
    await changes(made)
    const again = await keyed(caller, 'POST', LIST, key, body)
    expect([again.status, isReplayed(again), again.text, again.headers['etag']]).toEqual([
      200,
      true,
      first.text,
      first.headers['etag'],
    ])
    expect(coded(await keyed(caller, 'POST', LIST, key, { ...body, amount: 101 }))).toEqual([
      422,
      'idempotency_key_reused',
    ])
    for (const refused of [
      await keyed(caller, 'POST', LIST, randomUUID(), body),
      await caller.ask('POST', LIST, { body }),
    ])
      expect(coded(refused)).toEqual([400, code])
  })

  test('has the answer of a first one that is still under way', async () => {
    const { id } = await payee()
    const { lane, accountId } = caller.account
    const [holder, beside] = [new pg.Client(world.lanesOwner), new pg.Client(world.lanesOwner)]
    await Promise.all([holder.connect(), beside.connect()])
    onTestFinished(async () => void (await Promise.all([holder.end(), beside.end()])))
    await holder.query('begin')
    await holder.query('select 1 from accounts where lane = $1 and account_id = $2 for update', [lane, accountId])
    const key = randomUUID()
    const first = keyed(caller, 'POST', LIST, key, drafted(id))
    const waiting = async () => (await beside.query(WAITING)).rowCount
    await expect.poll(waiting, { interval: 10 }).toBe(1)
    await beside.query(
      `update profile_versions set document = (document::jsonb || '{"status": "archived"}')::json where profile_id = $1`,
      [id],
    )
    const again = keyed(caller, 'POST', LIST, key, drafted(id))
    await holder.query('rollback')
    const [one, two] = await Promise.all([first, again])
    expect([one.status, two.status, isReplayed(two), two.text]).toEqual([200, 200, true, one.text])
  })

  test('is refused where the first one was, and keeps its key for when it no longer is', async () => {
    const { id } = await payee()
    await profiles.archive(id)
    const key = randomUUID()
    for (const refused of [1, 2].map(() => keyed(caller, 'POST', LIST, key, drafted(id)))) {
      const reply = await refused
      expect([...coded(reply), isReplayed(reply)]).toEqual([400, 'invalid_recipient_profile', false])
    }
    await profiles.restore(id)
    const done = await keyed(caller, 'POST', LIST, key, drafted(id, 7))
    expect([done.status, isReplayed(done)]).toEqual([200, false])
  })
})

describe('a key on each of the other writes', () => {
  test.each<[string, Method, string, unknown, (caller: Caller) => Promise<ContractBody>]>([
    ['update', 'PATCH', '', { description: 'mended' }, (by) => by.draft()],
    ['issue', 'PUT', '/issue', undefined, (by) => by.draft()],
    ['pay', 'PUT', '/pay', {}, (by) => by.issued()],
    ['cancel', 'DELETE', '', { reason: 'no' }, (by) => by.paid()],
  ])('%s happens once', async (_what, method, verb, body, made) => {
    const contract = await made(caller)
    const key = randomUUID()
    const url = `${LIST}/${contract.id}${verb}`
    const before = await caller.balance('PHP')
    const first = await keyed(caller, method, url, key, body)
    const moved = await caller.balance('PHP')
    const second = await keyed(caller, method, url, key, body)
    expect([first.status, isReplayed(first), isReplayed(second), second.text]).toEqual([200, false, true, first.text])
    expect(await caller.balance('PHP')).toBe(moved)
    expect((await caller.get(contract.id)).version).toBe(contract.version + 1)
    expect(Math.abs(moved - before)).toBe(['/pay', ''].includes(verb) && method !== 'PATCH' ? 110.5 : 0)
  })

  test('a replayed pay answers as it did, although the contract has been refunded since', async () => {
    const contract = await caller.issued()
    const key = randomUUID()
    const first = await keyed(caller, 'PUT', `${LIST}/${contract.id}/pay`, key)
    await caller.cancel(contract.id)
    const balance = await caller.balance('PHP')
    const second = await keyed(caller, 'PUT', `${LIST}/${contract.id}/pay`, key)
    expect([second.text, contractOf(second).status]).toEqual([first.text, 'paid'])
    expect(await caller.balance('PHP')).toBe(balance)
    expect((await caller.get(contract.id)).status).toBe('cancelled')
  })
})

describe('what is kept', () => {
  test('a payment that was declined stays declined under its key, and not under a new one', async () => {
    const poor = await world.newCaller({ funds: { PHP: 1n } })
    const contract = await poor.issued()
    const url = `${LIST}/${contract.id}/pay`
    const key = randomUUID()
    const first = await keyed(poor, 'PUT', url, key)
    expect(coded(first)).toEqual([402, 'insufficient_funds'])
    const wallet = await poor.wallet('PHP')
    const funds = await openFunds(world.database)
    if (!funds) throw new Error('the operators have no login here')
    const credit = {
      walletId: wallet.id,
      amountMinor: 1_000_00n,
      currency: 'PHP',
      reference: key,
      source: 'external',
    } as const
    expect(await funds.credit(credit)).toMatchObject({ credited: true })
    await funds.close()
    const second = await keyed(poor, 'PUT', url, key)
    expect([second.status, isReplayed(second), second.error.message]).toEqual([402, true, first.error.message])
    const third = await keyed(poor, 'PUT', url, randomUUID())
    expect([third.status, contractOf(third).status]).toEqual([200, 'paid'])
  })

  test.each<[string, (contract: ContractBody) => { method: Method; url: string; wrong: unknown; right: unknown }]>([
    ['a shape error', () => ({ method: 'POST', url: LIST, wrong: { amount: 1 }, right: READY })],
    ['a wrong value', () => ({ method: 'POST', url: LIST, wrong: { ...READY, amount: 0.001 }, right: READY })],
    [
      'a conflict',
      ({ id }) => ({ method: 'PUT', url: `${LIST}/${id}/issue`, wrong: { preview: { amount: 1 } }, right: {} }),
    ],
  ])('%s is not: the key is free for the mended request', async (_what, requestFor) => {
    const { method, url, wrong, right } = requestFor(await caller.draft())
    const key = randomUUID()
    expect((await keyed(caller, method, url, key, wrong)).status).toBeGreaterThanOrEqual(400)
    const mended = await keyed(caller, method, url, key, right)
    expect([mended.status, isReplayed(mended)]).toEqual([200, false])
  })

  test('a refused key is not even looked up, nor is one of a revoked API key', async () => {
    const doomed = await world.withKey(caller, {})
    const key = randomUUID()
    await keyed(doomed, 'POST', LIST, key, READY)
    await world.sql('update api_keys set revoked_at = now() where key_id = $1', [doomed.keyId])
    expect(coded(await keyed(doomed, 'POST', LIST, key, READY))).toEqual([401, 'invalid_api_key'])
  })
})

describe('a key', () => {
  test.each(['a', 'x'.repeat(255), '!~ with spaces ~!', '0', '{"json":1}'])('may be %j', async (key) => {
    const first = await keyed(caller, 'POST', LIST, key, READY)
    expect((await keyed(caller, 'POST', LIST, key, READY)).text).toBe(first.text)
  })

  test.each(['', 'x'.repeat(256), 'naïve', '\u0007', '\u007f'])('may not be %j', async (key) => {
    const refused = await keyed(caller, 'POST', LIST, key, READY)
    expect({ status: refused.status, code: refused.error.code, param: refused.error.param }).toEqual({
      status: 400,
      code: 'invalid_Idempotency-Key',
      param: 'Idempotency-Key',
    })
  })
})

test('the books hold after all of it', () => world.ledgerHolds())
