// PATCH is a JSON merge patch (RFC 7396) on a draft: what is sent changes, null clears, nothing else is touched.
import { afterAll, describe, expect, test } from 'vitest'
import { type ContractBody, openWorld } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
afterAll(() => world.stop())

const path = ({ id }: { readonly id: string }) => `/contracts/transfer/${id}`
const FULL = {
  description: 'shoes',
  issued_to: 'Ana',
  deliverable: { type: 'order', reference_id: 'A-1', description: 'two pairs', details: 'brown' },
  recipient: {
    name: 'Ana Reyes',
    email: 'ana@example.com',
    mobile: '+639171234567',
    wallet: '0001',
    tag: 'BOPIPHMM',
    address: '1 Mabini St',
    country: 'PH',
  },
}

/** The caller's own fields, as they stand. */
function termsOf(contract: ContractBody) {
  const { amount, currency, description, issued_to, deliverable, recipient, channel } = contract
  return { amount, currency, description, issued_to, deliverable, recipient, channel: channel?.id ?? null }
}

test.each<[string, Record<string, unknown>]>([
  ['an empty patch', {}],
  ['what it says already', { amount: 100, recipient: { name: 'Ana Reyes' }, deliverable: { details: 'brown' } }],
  ['blanks around what it says already', { recipient: { name: ' Ana Reyes ' }, issued_to: 'Ana\u200b' }],
  ['nothing inside', { recipient: {}, deliverable: {}, metadata: {} }],
  ['null for what is not there', { metadata: null }],
])('%s changes nothing: no version, no activity, no event', async (_what, patch) => {
  const draft = await caller.draft(FULL)
  const before = await caller.ask('GET', path(draft))
  expect(await caller.update(draft.id, patch)).toEqual(draft)
  expect((await caller.ask('GET', path(draft))).text).toBe(before.text)
})

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ['one field', { description: 'boots' }, { description: 'boots' }],
  ['null clears a text', { description: null }, { description: null }],
  ['null clears a channel', { channel: null }, { channel: null }],
  ['null clears a whole object', { deliverable: null }, { deliverable: null }],
  [
    'a nested field leaves its neighbours',
    { recipient: { name: 'Ben' } },
    { recipient: { ...FULL.recipient, name: 'Ben' } },
  ],
  [
    'null clears a nested field',
    { recipient: { tag: null, address: null } },
    { recipient: { ...FULL.recipient, tag: null, address: null } },
  ],
  ['an empty nested object changes nothing', { recipient: {}, deliverable: {} }, {}],
  ['amount and currency together', { amount: 1500, currency: 'jpy' }, { amount: 1500, currency: 'JPY' }],
  ['another channel', { channel: 'wallet' }, { channel: 'wallet' }],
  [
    'a local number is made international',
    { recipient: { mobile: '0918 765 4321' } },
    { recipient: { ...FULL.recipient, mobile: '+639187654321' } },
  ],
])('%s', async (_what, patch, changed) => {
  const draft = await caller.draft(FULL)
  const patched = await caller.update(draft.id, patch)
  expect(termsOf(patched)).toEqual({ ...termsOf(draft), ...changed })
  expect(termsOf(await caller.get(draft.id))).toEqual(termsOf(patched))
})

test('an object grows out of nothing', async () => {
  const draft = await caller.draft({ recipient: null, deliverable: null })
  const patched = await caller.update(draft.id, { recipient: { name: 'Ana' }, deliverable: { type: 'salary' } })
  expect(patched.recipient).toMatchObject({ name: 'Ana', wallet: null })
  expect(patched.deliverable).toMatchObject({ type: 'salary', details: null })
})

test.each<[string, Record<string, unknown>, string]>([
  ['amount cannot be cleared', { amount: null }, 'missing_amount'],
  ['currency cannot be cleared', { currency: null }, 'missing_currency'],
  ['an amount too fine for the new currency', { amount: 1.5, currency: 'JPY' }, 'invalid_amount'],
  ['a currency too coarse for the old amount', { currency: 'JPY' }, 'invalid_amount'],
  ['a wrong type', { recipient: { name: 5 } }, 'invalid_recipient_name'],
  ['an object for a text', { description: { a: 1 } }, 'invalid_description'],
  ['a text for an object', { recipient: 'Ana' }, 'invalid_recipient'],
  ['another status', { status: 'issued' }, 'invalid_status'],
  ['an unknown channel', { channel: 'carrier-pigeon' }, 'invalid_channel'],
  ['a country that is none', { recipient: { country: 'XX' } }, 'invalid_recipient_country'],
  ['an expiry out of bounds', { expires_in: 2_592_001 }, 'invalid_expires_in'],
  ['an expiry of nothing', { expires_in: 0 }, 'invalid_expires_in'],
  ['a text too long', { description: 'x'.repeat(1001) }, 'invalid_description'],
])('%s: refused, and the draft stands as it stood', async (_what, patch, code) => {
  const draft = await caller.draft({ ...FULL, amount: 99.95 })
  const { status, error } = await caller.ask('PATCH', path(draft), { body: patch })
  expect({ status, code: error.code }).toEqual({ status: 400, code })
  expect(await caller.get(draft.id)).toEqual(draft)
})

test('all problems are told at once, the first on top', async () => {
  const draft = await caller.draft()
  const { error } = await caller.ask('PATCH', path(draft), {
    body: { amount: 0, expires_in: 0, recipient: { mobile: '1', country: 'XX' } },
  })
  const codes = error.errors?.map((problem) => problem.code)
  expect(codes?.toSorted()).toEqual([
    'invalid_amount',
    'invalid_expires_in',
    'invalid_recipient_country',
    'invalid_recipient_mobile',
  ])
  expect(error).toMatchObject(error.errors?.[0] ?? {})
})

describe('fields that are not the caller’s', () => {
  test('unknown ones are refused by name, also where they would only be cleared, and nothing changes', async () => {
    const draft = await caller.draft(FULL)
    const body = { colour: null, recipient: { walet: '2' }, deliverable: { kind: 'x' }, description: 'boots' }
    const { status, error } = await caller.ask('PATCH', path(draft), { body })
    expect(status).toBe(400)
    expect(error.errors?.map(({ code, param }) => [code, param])).toEqual([
      ['unknown_parameter', 'colour'],
      ['unknown_parameter', 'recipient.walet'],
      ['unknown_parameter', 'deliverable.kind'],
    ])
    expect(await caller.get(draft.id)).toEqual(draft)
  })

  test('a contract that is sent back as it was read changes nothing, and is not scolded for it', async () => {
    const draft = await caller.draft(FULL)
    const { channel, ...rest } = draft
    const patched = await caller.update(draft.id, { ...rest, channel: channel?.id })
    expect(termsOf(patched)).toEqual(termsOf(draft))
    expect(patched.preview.messages).toEqual([])
    expect(patched).toMatchObject({
      id: draft.id,
      created_at: draft.created_at,
      status: 'draft',
      expires_at: draft.expires_at,
    })
  })
})

test.each([
  ['issued', (): Promise<ContractBody> => caller.issued()],
  ['paid', (): Promise<ContractBody> => caller.paid()],
])('a contract that is %s cannot be changed', async (status, made) => {
  const contract = await made()
  const { status: number, error } = await caller.ask('PATCH', path(contract), { body: { amount: 1 } })
  expect({ number, ...error }).toMatchObject({ number: 409, type: 'conflict_error', code: 'contract_not_draft' })
  expect(error.message).toContain(status)
  expect(await caller.get(contract.id)).toEqual(contract)
})

test('a cancelled contract says so, whatever is asked of it', async () => {
  const contract = await caller.draft()
  await caller.cancel(contract.id)
  for (const [method, url] of [
    ['PATCH', path(contract)],
    ['PUT', `${path(contract)}/issue`],
    ['PUT', `${path(contract)}/pay`],
  ] as const) {
    const { status, error } = await caller.ask(method, url, { body: {} })
    expect({ status, code: error.code }).toEqual({ status: 409, code: 'contract_cancelled' })
  }
})

test('an expired contract is expired before any sweeper has seen it', async () => {
  const contract = await caller.draft({ expires_in: 1 })
  const issued = await caller.issued({ expires_in: 1 })
  await new Promise((resolve) => setTimeout(resolve, 1100))
  for (const [method, url] of [
    ['PATCH', path(contract)],
    ['PUT', `${path(contract)}/issue`],
    ['PUT', `${path(issued)}/pay`],
    ['DELETE', path(issued)],
  ] as const) {
    const { status, error } = await caller.ask(method, url, { body: {} })
    expect({ status, code: error.code }).toEqual({ status: 409, code: 'contract_expired' })
  }
})
