// What a draft shows, what issue and pay insist on, and that nothing changes once it is issued.
import { afterAll, describe, expect, test } from 'vitest'
import { type ContractBody, openWorld } from '../../world.ts'

const world = await openWorld({ undoSeconds: 3600 })
const { caller } = world
afterAll(() => world.stop())

const path = ({ id }: { readonly id: string }, verb: string) => `/contracts/transfer/${id}/${verb}`
const errorsOf = ({ preview }: ContractBody) => preview.messages.filter((message) => message.type === 'error')

describe('what a draft still lacks', () => {
  test.each<[string, Record<string, unknown>, [code: string, mend: string][]]>([
    ['everything', { channel: null, recipient: null }, [['missing_channel', 'GET /channels']]],
    [
      'the recipient',
      { recipient: null },
      [
        ['missing_recipient_name', 'Give the name'],
        ['missing_recipient_wallet', 'Give the account number'],
      ],
    ],
    ['a name', { recipient: { wallet: '1' } }, [['missing_recipient_name', 'Give the name']]],
    [
      'a wallet of this gateway',
      { channel: 'wallet', recipient: { wallet: '12' } },
      [['invalid_recipient_wallet', 'Give the id of the receiving wallet']],
    ],
    ['nothing', {}, []],
  ])('%s: one error each, which names the mend', async (_what, fields, expected) => {
    const draft = await caller.draft(fields)
    expect(errorsOf(draft).map(({ code }) => code)).toEqual(expected.map(([code]) => code))
    for (const [i, [, mend]] of expected.entries()) expect(errorsOf(draft)[i]?.message).toContain(mend)
    expect(draft.preview.valid).toBe(expected.length === 0)
    const issue = await caller.ask('PUT', path(draft, 'issue'))
    expect(issue.status).toBe(expected.length === 0 ? 200 : 409)
    if (expected.length === 0) return
    expect(issue.error.errors?.map(({ code }) => code)).toEqual(expected.map(([code]) => code))
    for (const [, mend] of expected) expect(issue.error.message).toContain(mend)
    expect((await caller.get(draft.id)).status).toBe('draft')
  })

  test('is mended one by one, and then it can be issued', async () => {
    const draft = await caller.draft({ channel: null, recipient: null })
    await caller.update(draft.id, { channel: 'sandbox' })
    const named = await caller.update(draft.id, { recipient: { name: 'Ana' } })
    expect(errorsOf(named).map(({ code }) => code)).toEqual(['missing_recipient_wallet'])
    expect((await caller.update(draft.id, { recipient: { wallet: '1' } })).preview).toMatchObject({
      valid: true,
      messages: [],
    })
    expect((await caller.issue(draft.id)).status).toBe('issued')
  })
})

describe('a preview that is sent along', () => {
  const RIGHT = { amount: 110.5, valid: true, fees: { total: 10.5, covered: true } }
  const WRONG: [string, Record<string, unknown>, string][] = [
    [
      'the amount',
      { ...RIGHT, amount: 110.49 },
      'preview.amount was sent as 110.49, but the payer would be debited 110.5',
    ],
    ['the fee', { ...RIGHT, fees: { total: 10 } }, 'preview.fees.total was sent as 10, but the fee is 10.5'],
    ['who bears it', { ...RIGHT, fees: { covered: false } }, 'preview.fees.covered was sent as false'],
    ['validity', { ...RIGHT, valid: false }, 'preview.valid was sent as false'],
  ]

  test.each<Record<string, unknown>>([
    RIGHT,
    { amount: 110.5 },
    { fees: { total: 10.5 } },
    { fees: {} },
    {},
    { messages: [], receive_amount: 5 },
  ])('%j agrees: no word in draft, issued and paid', async (preview) => {
    const draft = await caller.draft({ preview })
    expect(draft.preview.messages).toEqual([])
    expect((await caller.ask('PUT', path(draft, 'issue'), { body: { preview } })).status).toBe(200)
    expect((await caller.ask('PUT', path(draft, 'pay'), { body: { preview } })).status).toBe(200)
  })

  test.each(WRONG)('differs in %s: a warning in draft, 409 at issue and pay', async (_what, preview, words) => {
    const draft = await caller.draft({ preview })
    expect(draft.preview).toMatchObject({ valid: true, messages: [{ code: 'preview_mismatch', type: 'warning' }] })
    expect(draft.preview.messages[0]?.message).toContain(words)
    const patched = await caller.update(draft.id, { preview })
    expect(patched.preview.messages).toEqual(draft.preview.messages)
    const issue = await caller.ask('PUT', path(draft, 'issue'), { body: { preview } })
    expect({ status: issue.status, ...issue.error }).toMatchObject({
      status: 409,
      code: 'preview_mismatch',
      param: 'preview',
    })
    expect(issue.error.message).toContain(words)
    const issued = await caller.issue(draft.id)
    expect(issued.preview.messages).toEqual([])
    const pay = await caller.ask('PUT', path(draft, 'pay'), { body: { preview } })
    expect({ status: pay.status, code: pay.error.code }).toEqual({ status: 409, code: 'preview_mismatch' })
    expect((await caller.get(draft.id)).status).toBe('issued')
  })

  test('of the wrong type is a wrong value', async () => {
    const { status, error } = await caller.ask('POST', '/contracts/transfer', {
      body: { amount: 1, currency: 'PHP', preview: { amount: '1' } },
    })
    expect({ status, code: error.code, param: error.param }).toEqual({
      status: 400,
      code: 'invalid_preview_amount',
      param: 'preview.amount',
    })
  })
})

describe('paying', () => {
  test('names the wallet, by default the one in the currency', async () => {
    const { id } = await caller.wallet('PHP')
    const contract = await caller.issued()
    const { status, data } = await caller.ask('PUT', path(contract, 'pay'), { body: { source: id } })
    expect([status, (data['contract'] as ContractBody).status]).toEqual([200, 'paid'])
  })

  test.each([
    ['another currency', async () => (await caller.wallet('USD')).id],
    ['another account', async () => (await world.other.wallet('PHP')).id],
    ['nobody', async () => '01890000-0000-7000-8000-000000000001'],
  ])('from a wallet of %s finds none', async (_whose, wallet) => {
    const contract = await caller.issued()
    const { status, error } = await caller.ask('PUT', path(contract, 'pay'), { body: { source: await wallet() } })
    expect({ status, code: error.code, param: error.param }).toEqual({
      status: 404,
      code: 'wallet_not_found',
      param: 'source',
    })
    expect((await caller.get(contract.id)).status).toBe('issued')
  })

  test('a draft is refused, and paying twice pays once', async () => {
    const draft = await caller.draft()
    const { status, error } = await caller.ask('PUT', path(draft, 'pay'))
    expect({ status, code: error.code }).toEqual({ status: 409, code: 'contract_not_issued' })
    await caller.issue(draft.id)
    const before = await caller.balance('PHP')
    const paid = await caller.pay(draft.id)
    expect(await caller.pay(draft.id)).toEqual(paid)
    expect(await caller.issue(draft.id)).toEqual(paid)
    expect(await caller.balance('PHP')).toBe(before - 110.5)
  })
})

test('a new price does not touch what was priced before: neither the draft’s issue nor the issued contract', async () => {
  const issued = await caller.issued()
  const draft = await caller.draft()
  const dearer = world.config.channels.map((channel) => ({ ...channel, currencies: { PHP: { fees: { fixed: 99 } } } }))
  const next = await openNeighbour(dearer)
  const repriced = await next.ask('POST', '/channels/compare', { body: { amount: 100, currency: 'PHP' } })
  expect(JSON.stringify(repriced.data)).toContain('"total":99')
  const contractOf = async (method: 'GET' | 'PUT', url: string, body?: unknown) =>
    (await next.ask(method, url, { body })).data['contract'] as ContractBody
  expect(await contractOf('GET', `/contracts/transfer/${issued.id}`)).toEqual(issued)
  expect((await contractOf('PUT', path(draft, 'issue'), { preview: { amount: 110.5 } })).preview).toMatchObject({
    amount: 110.5,
    fees: { total: 10.5 },
  })
  const before = await caller.balance('PHP')
  expect((await contractOf('PUT', path(issued, 'pay'))).preview.amount).toBe(110.5)
  expect(await caller.balance('PHP')).toBe(before - 110.5)
  await next.stop()
})

/** Another gateway on the same database, configured with other channels; asks with the caller's key. */
async function openNeighbour(channels: typeof world.config.channels) {
  const neighbour = await world.beside({ channels })
  return {
    ask: (...[method, url, sent]: Parameters<typeof caller.ask>) =>
      neighbour.ask(method, url, { ...sent, headers: { 'x-api-key': caller.apiKey } }),
    stop: neighbour.stop,
  }
}
