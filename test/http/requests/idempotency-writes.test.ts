// Idempotency-Key works on every write: the same request again gets the same bytes and does nothing, secrets that are shown
// once included; another request with the key is refused. Kept sealed.
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import type { ContractBody, Method, Reply } from '../../world.ts'
import { CODE, codeWaited, entry, hook, list, verification } from '../callers/tenant-verifiers.ts'
import { APPROVAL_ROUTES, OPERATION_ROUTES, SESSION_ROUTES, SIGN_IN_ROUTES } from '../callers/tenant-members.ts'
import { joined } from '../members/people.ts'
import { openPayStage } from '../payments/payments-stage.ts'
import { RENT } from '../schedules/schedule-stage.ts'

const stage = await openPayStage()
afterAll(() => stage.close())
const { world, open, asPayer, get, choose, until } = stage
const { caller, other } = world

type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> }
const document = JSON.parse((await world.ask('GET', '/openapi.json')).text) as Document
const writes = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods)
    .filter((method) => method !== 'get')
    .map((method) => `${method.toUpperCase()} ${path}`),
)
/** The id of an event says that it was told before; and to price a draft writes nothing. */
const WITHOUT_KEYS = ['POST /webhooks', 'POST /channels/{id}/callbacks', 'POST /channels/compare']
/** They prove who somebody is: what is kept of their requests would help to guess a password. */
const OF_MEMBERS = [...SESSION_ROUTES, ...SIGN_IN_ROUTES, ...OPERATION_ROUTES, ...APPROVAL_ROUTES].filter(
  (name) => !name.startsWith('GET '),
)

const ENDPOINT = { url: 'https://receiver.example/hook' }
async function endpoint(): Promise<string> {
  const { data } = await caller.ask('POST', '/webhook-endpoints', { body: ENDPOINT })
  return (data['webhook_endpoint'] as { id: string }).id
}
async function paidPayment(): Promise<string> {
  const payment = await open({ amount: 50 })
  await choose(payment, { type: 'card', card: { token: 'tok_visa' } })
  await until(payment.id, ({ status }) => status === 'paid' || status === 'completed')
  return payment.id
}
type Id = { readonly id: string }
async function profile(): Promise<string> {
  const { data } = await caller.ask('POST', '/profiles', { body: { name: 'Ana Reyes' } })
  return (data['profile'] as Id).id
}
const payers = [await profile(), await profile()]
const SAVED = { channel: 'sandbox', recipient: { wallet: '000123456789' } }
/** The rest of the path: of the profile, and of a way to pay it. */
async function destination(): Promise<string> {
  const id = await profile()
  const { data } = await caller.ask('POST', `/profiles/${id}/destinations`, { body: SAVED })
  return `${id}/${(data['destination'] as Id).id}`
}
async function made(path: string, noun: string, body: unknown): Promise<string> {
  const { data } = await caller.ask('POST', path, { body })
  return (data[noun] as Id).id
}
const KEY = { name: 'Made', scopes: ['accounts:read'] }
const apiKey = () => made('/keys', 'key', KEY)
const newMember = () => ({ email: `${randomUUID()}@shop.example`, role: 'viewer' })
const command = () => made('/commands', 'command', { type: 'transfers.create' })
const filled = async () => {
  const id = await command()
  await caller.ask('POST', `/commands/${id}/rows`, { body: { rows: [{ amount: 5, currency: 'PHP' }] } })
  return id
}
const member = () => made('/members', 'member', newMember())
const schedule = () => made('/schedules', 'schedule', RENT)
const wallet = () => made('/wallets', 'wallet', { currency: 'PHP' })
/** Of no transfer of these tests. */
const POLICY = {
  name: 'Never',
  when: [{ field: 'amount', op: 'above', value: 900_000_000, currency: 'PHP' }],
  then: { kind: 'deny', words: 'No.' },
}
const policy = () => made('/policies', 'policy', POLICY)
const TRIED = { draft: { amount: 5, currency: 'PHP' } }
const transfer = async (contract: Promise<ContractBody>) => (await contract).id

const LIST = { kind: 'list', name: 'Not to be paid' }
const entriesOf = (name: string) => ({ entries: [{ name }] })
const asked = (name: string) => ({ kind: 'list', recipient: { name } })
const scenario = (account: string) => ({ match: { account }, verdict: 'refused' })

/** Each write with what it is done to, its body, and another one; null where there is no other. */
type Row = readonly [write: string, subject: () => Promise<string>, body: unknown, another: unknown]
const nothing = async () => ''
const ROWS: readonly Row[] = [
  ['POST /contracts/transfer', nothing, { amount: 5, currency: 'PHP' }, { amount: 6, currency: 'PHP' }],
  ['PATCH /contracts/transfer/{id}', () => transfer(caller.draft()), { description: 'a' }, { description: 'b' }],
  ['PUT /contracts/transfer/{id}/issue', () => transfer(caller.draft()), {}, { preview: { valid: true } }],
  ['PUT /contracts/transfer/{id}/pay', () => transfer(caller.issued()), {}, { preview: { valid: true } }],
  ['DELETE /contracts/transfer/{id}', () => transfer(caller.draft()), { reason: 'a' }, { reason: 'b' }],
  ['POST /contracts/payment', nothing, { amount: 5, currency: 'PHP' }, { amount: 6, currency: 'PHP' }],
  ['PUT /contracts/payment/{id}/pay', async () => (await open()).id, { type: 'maya' }, { type: 'gcash' }],
  ['DELETE /contracts/payment/{id}', async () => (await open()).id, { reason: 'a' }, { reason: 'b' }],
  ['POST /contracts/payment/{id}/refunds', paidPayment, { amount: 1 }, { amount: 2 }],
  ['POST /contracts/payment/{id}/payer-profile', paidPayment, { profile: payers[0] }, { profile: payers[1] }],
  ['POST /webhook-endpoints', nothing, ENDPOINT, { ...ENDPOINT, description: 'another' }],
  ['PATCH /webhook-endpoints/{id}', endpoint, { description: 'a' }, { description: 'b' }],
  ['DELETE /webhook-endpoints/{id}', endpoint, {}, null],
  ['PUT /webhook-endpoints/{id}/pause', endpoint, {}, null],
  ['PUT /webhook-endpoints/{id}/resume', endpoint, {}, null],
  ['POST /webhook-endpoints/{id}/roll-secret', endpoint, { overlap_seconds: 5 }, { overlap_seconds: 6 }],
  ['POST /webhook-endpoints/{id}/test', endpoint, { type: 'contract.paid' }, { type: 'contract.issued' }],
  ['POST /webhook-endpoints/{id}/replay', endpoint, { missed: true }, { from: '2026-11-01T00:00:00Z' }],
  ['POST /profiles', nothing, { name: 'Ana' }, { name: 'Ben' }],
  ['PATCH /profiles/{id}', profile, { name: 'Ana' }, { name: 'Ben' }],
  ['DELETE /profiles/{id}', profile, {}, null],
  ['PUT /profiles/{id}/restore', profile, {}, null],
  ['POST /profiles/{id}/destinations', profile, SAVED, { ...SAVED, label: 'another' }],
  ['PATCH /profiles/{id}/destinations/{destination}', destination, { label: 'a' }, { label: 'b' }],
  ['DELETE /profiles/{id}/destinations/{destination}', destination, {}, null],
  ['POST /verifiers', nothing, LIST, { ...LIST, name: 'Another' }],
  ['PATCH /verifiers/{id}', () => list(world, caller), { name: 'a' }, { name: 'b' }],
  ['DELETE /verifiers/{id}', () => list(world, caller), {}, null],
  ['POST /verifiers/{id}/entries', () => list(world, caller), entriesOf('a'), entriesOf('b')],
  ['DELETE /verifiers/{id}/entries/{entry}', () => entry(world, caller), {}, null],
  ['POST /verifications', nothing, asked('Ana'), asked('Ben')],
  ['POST /verifications/{id}/answer', () => codeWaited(world, caller), { code: CODE }, { code: '654321' }],
  ['POST /verifiers/{id}/roll-secret', () => hook(world, caller), { overlap_seconds: 5 }, { overlap_seconds: 6 }],
  ['POST /verifiers/{id}/try', () => hook(world, caller), {}, null],
  ['PUT /verifications/{id}/retry', () => verification(world, caller), {}, null],
  ['POST /policies', nothing, POLICY, { ...POLICY, name: 'Another' }],
  ['PATCH /policies/{id}', policy, { priority: 1 }, { priority: 2 }],
  ['PUT /policies/{id}/pause', policy, {}, null],
  ['PUT /policies/{id}/resume', policy, {}, null],
  ['DELETE /policies/{id}', policy, {}, null],
  ['PUT /policies/{id}/place', policy, {}, null],
  ['POST /policies/preview', nothing, POLICY, { ...POLICY, name: 'Another' }],
  ['POST /policies/rehearse', nothing, { days: 1 }, { days: 2 }],
  ['POST /policies/evaluate', nothing, TRIED, { draft: { amount: 6, currency: 'PHP' } }],
  ['POST /policies/{id}/evaluate', policy, TRIED, { draft: { amount: 6, currency: 'PHP' } }],
  ['POST /commands', nothing, { type: 'transfers.create' }, { type: 'transfers.payout' }],
  ['POST /commands/{id}/rows', command, { rows: [{}] }, { rows: [{}, {}] }],
  ['PUT /commands/{id}/start', filled, {}, null],
  ['PUT /commands/{id}/cancel', command, {}, null],
  ['POST /schedules', nothing, RENT, { ...RENT, name: 'Lease' }],
  ['POST /schedules/next', nothing, { rule: RENT.rule }, { rule: { ...RENT.rule, time: '10:30' } }],
  ['PATCH /schedules/{id}', schedule, { name: 'a' }, { name: 'b' }],
  ['PUT /schedules/{id}/pause', schedule, {}, null],
  ['PUT /schedules/{id}/resume', schedule, {}, null],
  ['DELETE /schedules/{id}', schedule, {}, null],
  ['PATCH /accounts/me', nothing, { time_zone: 'Asia/Manila' }, { time_zone: 'UTC' }],
  ['POST /keys', nothing, KEY, { ...KEY, name: 'Another' }],
  ['PATCH /keys/{id}', apiKey, { name: 'a' }, { name: 'b' }],
  ['POST /keys/{id}/roll', apiKey, {}, { overlap_seconds: 5 }],
  ['DELETE /keys/{id}', apiKey, {}, null],
  ['POST /members', nothing, newMember(), newMember()],
  ['PATCH /members/{id}', member, { role: 'operator' }, { role: 'developer' }],
  ['POST /members/{id}/reset', member, {}, null],
  ['DELETE /members/{id}', member, {}, null],
  ['POST /wallets', nothing, { currency: 'PHP' }, { currency: 'USD' }],
  ['PATCH /wallets/{id}', wallet, { label: 'a' }, { label: 'b' }],
  ['POST /wallets/{id}/topups', wallet, { amount: 1 }, { amount: 2 }],
  ['POST /sandbox/scenarios', nothing, scenario('nobody'), scenario('somebody')],
  ['POST /sandbox/clock', nothing, { advance_seconds: 1 }, { advance_seconds: 2 }],
  [
    'POST /oauth/token',
    nothing,
    { grant_type: 'client_credentials' },
    { grant_type: 'client_credentials', expires_in: 9 },
  ],
]
/**
 * Only what failed, or lies in suspense, is tried again or sent back, and only a command that runs is paused: these are kept as all others are. Scenarios have no
 * other body and no other path.
 */
const ELSEWHERE = [
  'PUT /commands/{id}/pause',
  'PUT /commands/{id}/resume',
  'PUT /contracts/transfer/{id}/retry',
  'POST /contracts/payment/{id}/returns',
  'DELETE /sandbox/scenarios',
]

const keyed = (key: string, write: string, id: string, body: unknown): Promise<Reply> => {
  const [method = '', path = ''] = write.split(' ')
  const headers = { 'idempotency-key': key }
  const [outer = '', inner = ''] = id.split('/')
  const named = path.replace('{id}', outer).replace(/\{(destination|entry)\}/, inner)
  return caller.ask(method as Method, named, { body, headers })
}

test('every write of the document is here', () => {
  const known = [...ROWS.map(([write]) => write), ...ELSEWHERE, ...WITHOUT_KEYS, ...OF_MEMBERS]
  expect(writes.toSorted()).toEqual(known.toSorted())
})

test.each(ROWS)('%s: once, and the same bytes again', async (write, subject, body, another) => {
  const [key, id] = [randomUUID(), await subject()]
  const first = await keyed(key, write, id, body)
  expect(first.status, first.text).toBe(200)
  expect(first.headers['idempotent-replayed']).toBeUndefined()
  const again = await keyed(key, write, id, body)
  expect([again.status, again.text]).toEqual([200, first.text])
  expect(again.headers['idempotent-replayed']).toBe('true')
  expect(again.headers['content-type']).toBe(first.headers['content-type'])
  expect(again.headers['cache-control']).toBe(first.headers['cache-control'])
  const reused =
    another === null
      ? await keyed(key, write, `${randomUUID()}/${randomUUID()}`, body)
      : await keyed(key, write, id, another)
  expect([reused.status, reused.error.code]).toEqual([422, 'idempotency_key_reused'])
})

/** The process died before it kept the reply, more than a minute ago. */
const loseReplies = () =>
  world.sql(
    `update idempotency_keys set reply_sealed = null, claimed_at = now() - interval '2 minutes'
      where account_id = $1 and reply_sealed is not null`,
    [caller.account.accountId],
  )

/** They make nothing that lasts, or nothing but a token or what the sandbox plays: they may be done again. */
const AGAIN = [
  'POST /webhook-endpoints/{id}/test',
  'POST /verifiers/{id}/try',
  'POST /policies/rehearse',
  'POST /policies/evaluate',
  'POST /policies/{id}/evaluate',
  'POST /sandbox/scenarios',
  'POST /sandbox/clock',
  'POST /oauth/token',
  // Answered otherwise, and done once: below.
  'POST /wallets/{id}/topups',
  'POST /verifications',
]

test.each(ROWS.filter(([write]) => !AGAIN.includes(write)))(
  '%s: not carried out twice where its answer was lost',
  async (write, subject, body) => {
    const [key, id] = [randomUUID(), await subject()]
    const first = await keyed(key, write, id, body)
    expect(first.status, first.text).toBe(200)
    await loseReplies()
    // What the gateway does by itself goes on meanwhile.
    const entries = () => world.sql(`select count(*) from audit_entries where actor_kind <> 'gateway'`)
    const before = await entries()
    const again = await keyed(key, write, id, body)
    expect([first.text, 'idempotency_reply_lost']).toContain(again.status === 200 ? again.text : again.error.code)
    expect(await entries()).toEqual(before)
  },
)

test('POST /verifications: asked once where its answer was lost', async () => {
  const key = randomUUID()
  const body = asked(`Ana ${key}`)
  const count = () => world.sql('select count(*) from verifications')
  expect((await keyed(key, 'POST /verifications', '', body)).status).toBe(200)
  await loseReplies()
  const before = await count()
  await keyed(key, 'POST /verifications', '', body)
  expect(await count()).toEqual(before)
})

describe('what is kept', () => {
  test('makes one endpoint of many requests at once, and shows its secret to all of them', async () => {
    const key = randomUUID()
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => keyed(key, 'POST /webhook-endpoints', '', { ...ENDPOINT, description: key })),
    )
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(replies.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1)
    const made = replies[0]?.data['webhook_endpoint'] as { id: string; secret: string }
    expect(made.secret).toMatch(/^whsec_/)
    const rows = await world.sql('select 1 from webhook_endpoints where description = $1', [key])
    expect(rows).toHaveLength(1)
  })

  test('is sealed: no secret stands in the database', async () => {
    const key = randomUUID()
    const { data } = await keyed(key, 'POST /webhook-endpoints', '', ENDPOINT)
    const { secret } = data['webhook_endpoint'] as { secret: string }
    const { body } = await keyed(randomUUID(), 'POST /oauth/token', '', { grant_type: 'client_credentials' })
    const [row] = await world.sql<{ all: string }>(`select string_agg(reply_sealed, ' ') as all from idempotency_keys`)
    expect(row?.all.length).toBeGreaterThan(100)
    expect(row?.all).not.toContain(secret)
    expect(row?.all).not.toContain(String(body['access_token']))
  })

  test('is the effect of a top-up and of an invitation, once', async () => {
    const [key, another, id, invited] = [randomUUID(), randomUUID(), await wallet(), newMember()]
    for (let i = 0; i < 3; i++) await keyed(key, 'POST /wallets/{id}/topups', id, { amount: 7 })
    await loseReplies()
    expect((await keyed(key, 'POST /wallets/{id}/topups', id, { amount: 7 })).status).toBe(200)
    expect((await caller.ask('GET', `/wallets/${id}`)).data['wallet']).toMatchObject({ available: 7 })
    const first = await keyed(another, 'POST /members', '', invited)
    expect((await keyed(another, 'POST /members', '', invited)).text).toBe(first.text)
    const { token } = first.data['invitation'] as { token: string }
    expect((await world.ask('GET', `/invitations/${token}`)).status).toBe(200)
  })

  test('is nothing of a request by which somebody proves who they are', async () => {
    const { ask, email, password, recoveryCodes } = await joined(world, caller, 'viewer')
    const kept = async () => (await world.sql('select key_hash from idempotency_keys order by key_hash')).length
    const before = await kept()
    const signIn = { email, password, code: recoveryCodes[0] }
    const asked: readonly (readonly [Method, string, object?])[] = [
      ['POST', '/sessions', signIn],
      ['POST', '/members/me/authenticator', { password }],
      ['POST', '/members/me/recovery-codes', { password }],
      ['PUT', '/members/me/password', { password, new_password: 'four other plain words' }],
      ['DELETE', '/sessions/current'],
    ]
    for (const [method, path, body] of asked) {
      const headers = { 'idempotency-key': randomUUID() }
      expect([path, (await ask(method, path, { headers, ...(body && { body }) })).status]).toEqual([path, 200])
    }
    expect(await kept()).toBe(before)
  })

  test('is no refusal: the key may be used again for what was refused', async () => {
    const key = randomUUID()
    const bad = { ...ENDPOINT, url: 'ftp://receiver.example' }
    expect((await keyed(key, 'POST /webhook-endpoints', '', bad)).status).toBe(400)
    expect((await keyed(key, 'POST /webhook-endpoints', '', ENDPOINT)).status).toBe(200)
  })

  test('belongs to the account: the key of one is no key of another, nor of a contract', async () => {
    const key = randomUUID()
    const headers = { 'idempotency-key': key }
    const mine = await caller.ask('POST', '/profiles', { body: { name: 'Ana' }, headers })
    const theirs = await other.ask('POST', '/profiles', { body: { name: 'Ana' }, headers })
    expect([mine.status, theirs.status, theirs.headers['idempotent-replayed']]).toEqual([200, 200, undefined])
    expect(theirs.text).not.toBe(mine.text)
    const contract = await caller.ask('POST', '/contracts/transfer', { body: { amount: 5, currency: 'PHP' }, headers })
    expect([contract.status, contract.error.code]).toEqual([422, 'idempotency_key_reused'])
  })
})

describe('a payment by wallet', () => {
  test('is paid once, and answered alike', async () => {
    const payment = await open({ amount: 40 })
    const { id: walletId } = await other.wallet('PHP')
    const before = await other.balance('PHP')
    const body = { type: 'wallet', wallet: { wallet_id: walletId } }
    const key = randomUUID()
    const pay = (sent: unknown) =>
      asPayer(payment, 'PUT', `/contracts/payment/${payment.id}/pay`, sent, {
        'x-api-key': other.apiKey,
        'idempotency-key': key,
      })
    const first = await pay(body)
    expect(first.status, first.text).toBe(200)
    const again = await pay({ wallet: { wallet_id: walletId }, type: 'wallet' })
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true'])
    expect(await other.balance('PHP')).toBe(before - 40)
    expect((await get(payment.id)).attempts).toHaveLength(1)
    expect((await pay({ type: 'gcash' })).status).toBe(422)
  })
})
