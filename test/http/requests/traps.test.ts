// The traps of the specification, one test each: what an implementation gets wrong by reading it quickly.
import { afterAll, expect, test } from 'vitest'
import { openWorld, type ContractBody, READY } from '../../world.ts'

const world = await openWorld({ undoSeconds: 3600 })
const { caller } = world
afterAll(() => world.stop())

const path = (contract: { readonly id: string }, verb = '') => `/contracts/transfer/${contract.id}${verb}`

test('the id decides what DELETE cancels, and the body of DELETE carries the reason', async () => {
  const draft = await caller.draft()
  const { data } = await caller.ask('DELETE', path(draft), { body: { reason: 'ordered twice' } })
  expect(data).toMatchObject({
    contract: { id: draft.id, status: 'cancelled' },
    cancellation: { status: 'done', reason: 'ordered twice' },
    refund: null,
  })
})

test('the envelope status is a number in create, get, issue, pay and lists, a string in update and cancel', async () => {
  const created = await caller.ask('POST', '/contracts/transfer', { body: READY })
  const contract = created.data['contract'] as ContractBody
  const statuses = {
    create: created.body['status'],
    get: (await caller.ask('GET', path(contract))).body['status'],
    list: (await caller.ask('GET', '/contracts/transfer')).body['status'],
    update: (await caller.ask('PATCH', path(contract), { body: {} })).body['status'],
    issue: (await caller.ask('PUT', path(contract, '/issue'))).body['status'],
    pay: (await caller.ask('PUT', path(contract, '/pay'))).body['status'],
    cancel: (await caller.ask('DELETE', path(contract))).body['status'],
  }
  expect(statuses).toEqual({ create: 200, get: 200, list: 200, update: '200', issue: 200, pay: 200, cancel: '200' })
})

test('every success is HTTP 200, a creation too', async () => {
  expect((await caller.ask('POST', '/contracts/transfer', { body: READY })).status).toBe(200)
  const token = await caller.ask('POST', '/oauth/token', { body: { grant_type: 'client_credentials' } })
  expect(token.status).toBe(200)
})

test('payment.details is the paid activity; it and the items of activities have the contract as parent', async () => {
  const contract = await caller.paid()
  expect(contract.activities.map((line) => line.type)).toEqual(['created', 'issued', 'paid'])
  expect(contract.activities.map((line) => line.parent)).toEqual([contract.id, contract.id, contract.id])
  expect(contract.payment?.details).toEqual(contract.activities[2])
  expect(contract.payment?.paid_at).toBe(contract.paid_at)
})

test('channel is a word in requests and an object in replies', async () => {
  const { channel } = await caller.draft({ channel: 'sandbox' })
  expect(channel).toEqual({
    id: 'sandbox',
    service: 'payment',
    name: 'Sandbox',
    description: expect.any(String),
    policy: { uri: 'http://gateway.test/channels/sandbox/policy?version=1' },
    fees: { covered: true, breakdown: { pct: 0.5, add: 10, min: 0, max: 250, fixed: 0 } },
  })
  const sentBack = await caller.ask('POST', '/contracts/transfer', { body: { ...READY, channel } })
  expect(sentBack).toMatchObject({ status: 400, error: { code: 'invalid_channel', param: 'channel' } })
})

test('status is legal in a request, but only as draft', async () => {
  expect((await caller.draft({ status: 'draft' })).status).toBe('draft')
  const refused = await caller.ask('POST', '/contracts/transfer', { body: { ...READY, status: 'paid' } })
  expect(refused).toMatchObject({ status: 400, error: { code: 'invalid_status', param: 'status' } })
})

test('a preview is compared, never stored: a warning in a draft, 409 where money is decided', async () => {
  const wrong = { amount: 1, valid: false, fees: { total: 0, covered: false } }
  const draft = await caller.draft({ preview: wrong })
  expect(draft.preview).toMatchObject({ amount: 110.5, valid: true, fees: { total: 10.5, covered: true } })
  expect(draft.preview.messages).toEqual([
    { code: 'preview_mismatch', type: 'warning', message: expect.stringContaining('110.5') },
  ])
  const issue = await caller.ask('PUT', path(draft, '/issue'), { body: { preview: wrong } })
  expect(issue).toMatchObject({ status: 409, error: { code: 'preview_mismatch', param: 'preview' } })
})

test.each([
  ['currency', { amount: 5 }, 'missing_currency'],
  ['amount', { currency: 'PHP' }, 'missing_amount'],
  ['amount', { amount: '5', currency: 'PHP' }, 'invalid_amount'],
  ['currency', { amount: 5, currency: 'P' }, 'invalid_currency'],
  ['recipient.email', { ...READY, recipient: { email: 'nobody' } }, 'invalid_recipient_email'],
  ['recipient.mobile', { ...READY, recipient: { mobile: '12' } }, 'invalid_recipient_mobile'],
  ['deliverable.type', { ...READY, deliverable: { type: 'Not A Word' } }, 'invalid_deliverable_type'],
])('a problem with %s names it as param and in the code', async (param, body, code) => {
  const { status, error } = await caller.ask('POST', '/contracts/transfer', { body })
  expect({ status, ...error }).toMatchObject({ status: 400, type: 'invalid_request_error', code, param })
})

test('what a channel needs of the recipient is missing under its nested name', async () => {
  const draft = await caller.draft({ recipient: null })
  expect(draft.preview.messages.map((message) => message.code)).toEqual([
    'missing_recipient_name',
    'missing_recipient_wallet',
  ])
  const refused = await caller.ask('PUT', path(draft, '/issue'))
  expect(refused).toMatchObject({ status: 409, error: { code: 'requirements_not_met', param: 'recipient.name' } })
  expect(refused.error.errors?.map(({ code, param }) => [code, param])).toEqual([
    ['missing_recipient_name', 'recipient.name'],
    ['missing_recipient_wallet', 'recipient.wallet'],
  ])
})

test.each(['PUT issue', 'PUT pay', 'DELETE'])(
  '%s takes no body, and an empty one with a JSON content type',
  async (what) => {
    const [method, verb] = what.split(' ') as ['PUT' | 'DELETE', string?]
    const ready = () => (verb === 'issue' ? caller.draft() : caller.issued())
    const url = path(await ready(), verb && `/${verb}`)
    expect((await caller.ask(method, url)).status).toBe(200)
    const empty = path(await ready(), verb && `/${verb}`)
    expect(
      (await caller.ask(method, empty, { body: '', headers: { 'content-type': 'application/json' } })).status,
    ).toBe(200)
  },
)

test('times are ISO 8601 in UTC with Z, and numbers are JSON numbers', async () => {
  const contract = await caller.issued({ amount: 19.99, expires_in: 90 })
  for (const time of [contract.created_at, contract.updated_at, contract.issued_at, contract.expires_at])
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(contract.amount).toBe(19.99)
  expect(contract.preview.fees.total).toBe(10.1)
  const { data } = await caller.ask('GET', '/events?limit=1')
  const [event] = data['events'] as { created_at: number }[]
  expect(Number.isInteger(event?.created_at)).toBe(true)
  expect(Math.abs(event!.created_at - Date.now() / 1000)).toBeLessThan(60)
})

test('expires_in is seconds from the write that sends it', async () => {
  const draft = await caller.draft({ expires_in: 3600 })
  expect(Date.parse(draft.expires_at) - Date.parse(draft.created_at)).toBe(3_600_000)
  const mended = await caller.update(draft.id, { expires_in: 60 })
  expect(Date.parse(mended.expires_at) - Date.parse(mended.updated_at)).toBe(60_000)
  const untouched = await caller.update(draft.id, { description: 'later' })
  expect(untouched.expires_at).toBe(mended.expires_at)
  expect(Date.parse((await caller.draft()).expires_at) - Date.now()).toBeGreaterThan(13.99 * 86_400_000)
})

test('a paid contract inside its undo window is refunded by a cancel: all of it, fee included', async () => {
  const before = await caller.wallet('PHP')
  const contract = await caller.paid({ amount: 1000 })
  expect(await caller.wallet('PHP')).toMatchObject({ available: before.available - 1015, held: before.held + 1015 })
  const { data, body } = await caller.ask('DELETE', path(contract), { body: { reason: 'changed my mind' } })
  expect(body['message']).toBe('Contract cancelled and refunded.')
  expect(data).toMatchObject({
    refund: { amount: 1015 },
    contract: { status: 'cancelled', transfer: { status: 'voided' } },
  })
  expect(await caller.wallet('PHP')).toEqual(before)
  const again = await caller.ask('DELETE', path(contract))
  expect(again.data['contract']).toEqual(data['contract'])
  expect(await caller.wallet('PHP')).toEqual(before)
  await world.ledgerHolds()
})

test('unset fields are there with null, so that the shape is stable', async () => {
  const bare = await caller.draft({ channel: null, recipient: null })
  const nulls = Object.entries(bare).filter(([, value]) => value === null)
  expect(nulls.map(([name]) => name).sort()).toEqual([
    'approval',
    'cancellation',
    'channel',
    'deliverable',
    'description',
    'issued_at',
    'issued_by',
    'issued_to',
    'issued_to_profile',
    'paid_at',
    'paid_by',
    'payment',
    'recipient',
    'recipient_profile',
    'refund',
    'refund_of',
    'wallet_id',
  ])
  const full = await caller.paid({ deliverable: { reference_id: 'A1' }, description: 'shoes' })
  expect(Object.keys(full)).toEqual(Object.keys(bare))
  expect(full.deliverable).toEqual({ type: null, reference_id: 'A1', description: null, details: null })
})

test('who issued and paid is the profile; to whom is by default the recipient’s e-mail, mobile or name', async () => {
  const { profileId } = caller.account
  const contract = await caller.paid()
  expect(contract).toMatchObject({ issued_by: profileId, paid_by: profileId, issued_to: 'Ana Reyes' })
  const recipient = { name: 'Ana Reyes', wallet: '1', mobile: '0917 123-4567', email: 'ana@example.com' }
  expect(await caller.issued({ recipient })).toMatchObject({
    issued_to: 'ana@example.com',
    recipient: { mobile: '+639171234567' },
  })
  const { email: _, ...withoutMail } = recipient
  expect((await caller.issued({ recipient: withoutMail })).issued_to).toBe('+639171234567')
  expect((await caller.issued({ issued_to: 'The Treasurer' })).issued_to).toBe('The Treasurer')
})
