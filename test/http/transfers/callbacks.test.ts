// Providers that call back: only their signature lets a word in, only a word about our very order moves it, and copies and
// disorder change nothing.
import { createHmac } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { diceOf } from '../../rig/dice.ts'
import { workNow } from '../../rig/model/one-worker.ts'
import { control } from '../../sandbox/rails.ts'
import { brokenServiceSignatures } from '../../webhooks/signature-corpus.ts'
import { type ContractBody, openWorld, type World } from '../../world.ts'

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBwcm92aWRlcg=='
const NEXT_SECRET = 'whsec_dGhlIG9uZSB0aGF0IGNvbWVzIG5leHQ='
const config = {
  callbackSecrets: new Map([
    ['sandbox', [SECRET, NEXT_SECRET]],
    ['wallet', [SECRET]],
  ]),
}
// Here nothing is sent, so that callbacks alone decide.
const resting = await openWorld({ workers: 'resting', config })
afterAll(() => resting.stop())

type Told = Record<string, unknown>
const TYPES: Record<string, string> = {
  accepted: 'transfer.accepted',
  completed: 'transfer.completed',
  refused: 'transfer.failed',
  returned: 'transfer.returned',
}
const PATH = '/channels/sandbox/callbacks'
const now = () => Math.floor(Date.now() / 1000)
const digest = (body: string | Buffer, t: number, secret = SECRET) =>
  createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
const signed = (body: string | Buffer, t = now(), secret = SECRET) => ({
  'service-signature': `t=${t},v1=${digest(body, t, secret)}`,
})

/** The body of a callback about a contract, with these fields in place of the true ones. */
function bodyOf({ transfer, preview, currency }: ContractBody, status: string, fields: Told = {}): string {
  const object = {
    rail: 'sandbox',
    reference: transfer.reference,
    amount: preview.receive_amount.toFixed(2),
    currency,
    status,
    code: status === 'completed' || status === 'accepted' ? null : 'account_closed',
    message: null,
    ...fields,
  }
  return JSON.stringify({ id: 'evt_1', type: TYPES[status], created_at: '2026-11-21T00:00:00.000Z', data: { object } })
}

const post = (world: World, body: string | Buffer, headers: Record<string, string> = signed(body)) =>
  world.ask('POST', PATH, { body, headers })

async function tell(world: World, contract: ContractBody, status: string, fields?: Told): Promise<void> {
  const { status: code, text } = await post(world, bodyOf(contract, status, fields))
  expect([code, text]).toEqual([200, '{}'])
}

/** The bytes of the contract: nothing of it may have changed. */
const asItIs = async ({ caller }: World, { id }: ContractBody) =>
  (await caller.ask('GET', `/contracts/transfer/${id}`)).text
const trail = ({ activities }: ContractBody) => activities.map(({ type }) => type)

describe('a genuine callback', () => {
  test.each([
    ['completed', 'completed', ['completed']],
    ['accepted', 'paid', ['transfer_accepted']],
    // What would give money back waits for the rail's own answer (callback-refusals.test.ts).
    ['refused', 'paid', ['failure_reported']],
  ])('%s is done when it is answered', async (status, end, lines) => {
    const contract = await resting.caller.paid()
    await tell(resting, contract, status)
    const after = await resting.caller.get(contract.id)
    expect(after.status).toBe(end)
    expect(trail(after)).toEqual([...trail(contract), ...lines])
  })

  test('may be signed with either secret while one is replaced', async () => {
    const contract = await resting.caller.paid()
    const body = bodyOf(contract, 'completed')
    expect((await post(resting, body, signed(body, now(), NEXT_SECRET))).status).toBe(200)
    expect((await resting.caller.get(contract.id)).status).toBe('completed')
  })

  test('needs no content type, and no API key', async () => {
    const contract = await resting.caller.paid()
    const body = bodyOf(contract, 'completed')
    const { statusCode } = await resting.gateway.app.inject({
      method: 'POST',
      url: PATH,
      headers: signed(body),
      payload: body,
    })
    expect(statusCode).toBe(200)
    expect((await resting.caller.get(contract.id)).status).toBe('completed')
  })

  test('about somebody else’s order, or of another kind, is confirmed and does nothing', async () => {
    const contract = await resting.caller.paid()
    const before = await asItIs(resting, contract)
    for (const reference of ['another-gateway-1', `${'0'.repeat(32)}001`, '', 'x'.repeat(1000)])
      await tell(resting, contract, 'completed', { reference })
    const renamed = bodyOf(contract, 'completed').replace('transfer.completed', 'transfer.simulated')
    expect((await post(resting, renamed)).status).toBe(200)
    expect(await asItIs(resting, contract)).toBe(before)
  })
})

describe('no callback is taken', () => {
  test.each(['nowhere', 'wallet', 'instapay', '__proto__', 'constructor'])('at %s', async (id) => {
    const body = bodyOf(await resting.caller.paid(), 'completed')
    for (const headers of [signed(body), {}]) {
      const { status, error } = await resting.ask('POST', `/channels/${id}/callbacks`, { body, headers })
      expect({ status, code: error.code }).toEqual({ status: 404, code: 'channel_not_found' })
    }
  })

  test('where a secret is not configured', async () => {
    const neighbour = await resting.beside({ callbackSecrets: new Map() })
    const body = bodyOf(await resting.caller.paid(), 'completed')
    expect((await neighbour.ask('POST', PATH, { body, headers: signed(body) })).status).toBe(404)
    await neighbour.stop()
  })

  test('of more than 256 KiB', async () => {
    const contract = await resting.caller.paid()
    const ofBytes = (bytes: number) => {
      const empty = bodyOf(contract, 'completed', { message: '' })
      return bodyOf(contract, 'completed', { message: 'x'.repeat(bytes - empty.length) })
    }
    const refused = await post(resting, ofBytes(262_145))
    expect({ status: refused.status, code: refused.error.code }).toEqual({ status: 413, code: 'body_too_large' })
    expect((await resting.caller.get(contract.id)).status).toBe('paid')
    expect((await post(resting, ofBytes(262_144))).status).toBe(200)
    expect((await resting.caller.get(contract.id)).status).toBe('completed')
  })
})

describe('what is forged or malformed', () => {
  /** Bodies that the signature of `good` does not prove. */
  function altered(good: string): string[] {
    const cuts = Array.from({ length: 40 }, (_cut, i) => good.slice(0, Math.floor((good.length * i) / 40)))
    const flips = Array.from({ length: 40 }, (_flip, i) => {
      const bytes = Buffer.from(good)
      const at = Math.floor((bytes.length * i) / 40)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      return bytes.toString('latin1')
    })
    return [
      ...cuts,
      ...flips,
      ` ${good}`,
      `${good}\n`,
      `${good}{}`,
      JSON.stringify(JSON.parse(good), null, 1),
      'null',
      '[]',
    ]
  }

  test('is 401, however it is made: nothing of 200 and more is believed, and none is our fault', async () => {
    const contract = await resting.caller.paid()
    const before = await asItIs(resting, contract)
    const body = bodyOf(contract, 'completed')
    const t = now()
    const headers = [
      ...brokenServiceSignatures(t, digest(body, t)).map(([, header]) => header),
      ...[-86_400, -3600, -302, 302, 3600, 86_400].map((off) => signed(body, t + off)['service-signature']),
      signed(body, t, 'whsec_YW5vdGhlciBzZWNyZXQgYWx0b2dldGhlcg==')['service-signature'],
      signed(body, t, `${SECRET} `)['service-signature'],
      signed(body, t, SECRET.slice(6))['service-signature'],
    ]
    const attempts: [string, Record<string, string>][] = [
      ...headers.map((header): [string, Record<string, string>] => [body, { 'service-signature': header }]),
      ...headers.map((header): [string, Record<string, string>] => ['{', { 'service-signature': header }]),
      ...altered(body).map((other): [string, Record<string, string>] => [other, signed(body, t)]),
      [body, {}],
      [body, { 'x-api-key': resting.caller.apiKey }],
      [body, { authorization: 'Bearer x' }],
      [body, { 'webhook-signature': `v1,${digest(body, t)}` }],
    ]
    expect(attempts.length).toBeGreaterThan(200)
    const answers = new Map<string, number>()
    for (const [sent, head] of attempts) {
      const { status, error } = await post(resting, sent, head)
      const answer = `${status} ${error.code} ${error.param}`
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
    }
    expect([...answers]).toEqual([['401 invalid_signature Service-Signature', attempts.length]])
    expect(await asItIs(resting, contract)).toBe(before)
  })

  test('is 400 where the provider itself signed what cannot be read', async () => {
    const contract = await resting.caller.paid()
    const before = await asItIs(resting, contract)
    const good = JSON.parse(bodyOf(contract, 'completed')) as Record<string, unknown>
    const bodies: (string | Buffer)[] = [
      '',
      '{',
      'null',
      '[]',
      '"completed"',
      '{"id":1}',
      Buffer.from([0x7b, 0xff, 0x7d]),
      '{"id":"a","id":"b"}',
      '['.repeat(100_000),
      ...['id', 'type', 'created_at', 'data'].map((name) => JSON.stringify({ ...good, [name]: undefined })),
      ...[null, 7, [], 'x', {}].map((data) => JSON.stringify({ ...good, data })),
      ...[null, 7, [], 'x'].map((object) => JSON.stringify({ ...good, data: { object } })),
    ]
    for (const body of bodies) {
      const { status } = await post(resting, body)
      expect(status, String(body).slice(0, 80)).toBe(400)
    }
    expect(await asItIs(resting, contract)).toBe(before)
  })
})

describe('a signed word that is not about our order', () => {
  test.each<[string, Told]>([
    ['a centavo more', { amount: '100.01' }],
    ['a centavo less', { amount: '99.99' }],
    ['the debit, fee included', { amount: '110.50' }],
    ['a number', { amount: 100 }],
    ['without decimals', { amount: '100' }],
    ['another currency', { currency: 'USD' }],
    ['no currency', { currency: null }],
    ['another rail', { rail: 'instapay' }],
    ['no rail', { rail: undefined }],
    ['no reference', { reference: null }],
    ['a status without a meaning', { status: 'settled' }],
    ['no status', { status: null }],
    ['a refusal without a known code', { status: 'refused', code: 'computer_says_no' }],
  ])('%s: confirmed, and without effect', async (_what, fields) => {
    const contract = await resting.caller.paid()
    const before = await asItIs(resting, contract)
    await tell(resting, contract, 'completed', fields)
    expect(await asItIs(resting, contract)).toBe(before)
  })

  test('an attempt that is not there yet', async () => {
    const contract = await resting.caller.paid()
    const before = await asItIs(resting, contract)
    const { reference } = contract.transfer
    for (const number of ['000', '002', '999'])
      await tell(resting, contract, 'completed', { reference: reference!.replace(/\d{3}$/, number) })
    expect(await asItIs(resting, contract)).toBe(before)
  })

  test('an order that was never paid', async () => {
    const draft = await resting.caller.issued()
    const before = await asItIs(resting, draft)
    const reference = `${draft.id.replaceAll('-', '')}001`
    await tell(resting, draft, 'completed', { reference })
    expect(await asItIs(resting, draft)).toBe(before)
  })
})

/** All of these, one after another, in an order that the seed decides. */
async function shuffled(seed: number, deeds: readonly (() => Promise<unknown>)[]): Promise<void> {
  const dice = diceOf(seed)
  const order = deeds.map((deed) => ({ deed, at: dice.roll() })).sort((a, b) => a.at - b.at)
  for (const { deed } of order) await deed()
}
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

describe('in any order, and five times over', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('what was accepted and completed is completed, once (seed %i)', async (seed) => {
    const { caller } = resting
    const contract = await caller.paid()
    const before = await caller.balance('PHP')
    await shuffled(seed, [
      ...times(5, () => tell(resting, contract, 'accepted')),
      ...times(5, () => tell(resting, contract, 'completed')),
      ...times(3, () => caller.pay(contract.id)),
      ...times(3, () => caller.get(contract.id)),
      ...times(2, () => caller.ask('PATCH', `/contracts/transfer/${contract.id}`, { body: { amount: 1 } })),
    ])
    const after = await caller.get(contract.id)
    expect(after.status).toBe('completed')
    const { length } = trail(contract)
    expect([['completed'], ['transfer_accepted', 'completed']]).toContainEqual(trail(after).slice(length))
    expect(await caller.balance('PHP')).toBe(before)
  })

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('what came back came back, once, whenever it is told (seed %i)', async (seed) => {
    const { caller } = resting
    const contract = await caller.paid()
    const later = { after_seconds: 60, status: 'returned' }
    await control(resting.sandboxUrl, 'POST', '/scenarios', {
      match: { reference: contract.transfer.reference },
      wire: 'reset_after',
      later,
    })
    await workNow(resting, contract.id)
    await control(resting.sandboxUrl, 'POST', '/clock', { advance_seconds: 60 })
    await shuffled(seed, [
      ...times(5, () => tell(resting, contract, 'accepted')),
      ...times(5, () => tell(resting, contract, 'completed')),
      ...times(5, () => tell(resting, contract, 'returned')),
      ...times(3, () => caller.get(contract.id)),
    ])
    // That it came back is for the rail itself to say.
    expect((await caller.get(contract.id)).refund).toBeNull()
    await workNow(resting, contract.id)
    const after = await caller.get(contract.id)
    expect(after).toMatchObject({ status: 'returned', transfer: { status: 'returned' } })
    expect(trail(after).filter((type) => type === 'completed' || type === 'returned')).toEqual([
      'completed',
      'returned',
    ])
    const refunded = await caller.cancel(after.id)
    expect(refunded).toMatchObject({ status: 'cancelled', refund: { amount: 100 } })
    // Told once more after the refund, it is no contradiction.
    for (const status of ['completed', 'returned', 'accepted', 'completed']) await tell(resting, contract, status)
    expect(await caller.get(contract.id)).toEqual(refunded)
  })

  test.each([1, 2, 3, 4])('what is cancelled meanwhile ends one way, never both (seed %i)', async (seed) => {
    const { caller } = resting
    const contract = await caller.paid()
    const paid = await caller.balance('PHP')
    const cancel = () => caller.ask('DELETE', `/contracts/transfer/${contract.id}`)
    const told = times(5, () => tell(resting, contract, 'completed'))
    await Promise.all([shuffled(seed, [...told, cancel, cancel]), shuffled(seed + 100, [...told, cancel])])
    const after = await caller.get(contract.id)
    const gone = after.status === 'completed'
    expect([after.status, after.refund?.amount ?? 0]).toEqual(gone ? ['completed', 0] : ['cancelled', 110.5])
    expect(await caller.balance('PHP')).toBe(gone ? paid : paid + 110.5)
  })

  test('at once, a hundred times', async () => {
    const contract = await resting.caller.paid()
    await Promise.all(times(100, 0).map(() => tell(resting, contract, 'completed')))
    expect(trail(await resting.caller.get(contract.id))).toEqual([...trail(contract), 'completed'])
  })

  test('with money that went to a refund first, the contradiction is kept for a person, once', async () => {
    const contract = await resting.caller.paid({ amount: 100.21 })
    await workNow(resting, contract.id)
    expect((await resting.caller.get(contract.id)).status).toBe('cancelled')
    for (let i = 0; i < 5; i++) await tell(resting, contract, 'completed')
    const after = await resting.caller.get(contract.id)
    expect(after.status).toBe('cancelled')
    expect(trail(after).filter((type) => type === 'outcome_disputed')).toHaveLength(1)
  })

  test('the books hold after all of it', async () => {
    await resting.ledgerHolds()
  })
})

test('who is too busy says so, and what is confirmed was done', async () => {
  const busy = await resting.beside({ queueMax: 1, batchMax: 1 })
  const contracts = await Promise.all(times(12, 0).map(() => resting.caller.paid()))
  const isDone = async ({ id }: ContractBody) => (await resting.caller.get(id)).status === 'completed'
  const seen = new Set<number>()
  let open = contracts
  for (let round = 0; open.length > 0 && round < 50; round++) {
    const replies = await Promise.all(
      open.map((contract) => {
        const body = bodyOf(contract, 'completed')
        return busy.ask('POST', PATH, { body, headers: signed(body) })
      }),
    )
    for (const reply of replies) seen.add(reply.status)
    for (const [i, { status, headers }] of replies.entries()) {
      const said = status === 200 ? { done: await isDone(open[i]!) } : { status, wait: headers['retry-after'] }
      expect([{ done: true }, { status: 503, wait: '1' }]).toContainEqual(said)
    }
    open = open.filter((_contract, i) => replies[i]?.status !== 200)
  }
  expect([open, [...seen].toSorted()]).toEqual([[], [200, 503]])
  await busy.stop()
})
