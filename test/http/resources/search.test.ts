// Search over HTTP: what is found by which words, by whom, in which order; and that what is no longer so is not found.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventId } from '../../../src/domain/contract/ids.ts'
import { type Caller, openWorld } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
const { caller, other } = world
afterAll(() => world.stop())

type Line = { readonly type: string; readonly id: string; readonly summary: string; readonly fields: string[] }

async function search(who: Caller, q: string, more = ''): Promise<Line[]> {
  const reply = await who.ask('GET', `/search?q=${encodeURIComponent(q)}${more}`)
  expect([reply.status, reply.data?.['indexed_until']], reply.text).toEqual([200, null])
  return reply.data['results'] as Line[]
}
const idsOf = (lines: readonly Line[]) => lines.map(({ id }) => id)
const found = async (q: string, more = '') => idsOf(await search(caller, q, more))

const WANTED = {
  amount: 1500.5,
  currency: 'PHP',
  deliverable: { reference_id: 'INV-2026 / 17' },
  recipient: {
    name: 'Juan Peña dela Cruz Jr.',
    mobile: '0917 123 4567',
    email: 'Juan@Example.ph',
    wallet: '0012-3456-7890',
    country: 'PH',
  },
  metadata: { order: 'A 17', 'Cost centre': 'north' },
}

describe('a transfer contract', () => {
  let id: string
  beforeAll(async () => {
    for (let i = 0; i < 3; i++) await caller.draft({ amount: 7, recipient: null })
    id = (await caller.draft(WANTED)).id
    await other.draft(WANTED)
  })

  test.each([
    ['its id', (own: string) => own, 'id'],
    ['the first digits of its id', (own: string) => own.slice(0, 13), 'id'],
    ['them in capitals, without dashes', (own: string) => own.replaceAll('-', '').slice(0, 20).toUpperCase(), 'id'],
    ['reference', () => 'inv-2026 / 17', 'reference_id'],
    ['the whole name', () => 'JUAN  PENA dela cruz, jr', 'recipient.name'],
    ['a word of the name', () => 'peña', 'recipient.name'],
    ['words of the name in any order', () => 'cruz juan', 'recipient.name'],
    ['words of several fields', () => 'juan 1500.5', 'amount'],
    ['mobile', () => '+639171234567', 'recipient.mobile'],
    ['mobile as people write it', () => '0917-123-4567', 'recipient.mobile'],
    ['e-mail', () => ' juan@example.PH', 'recipient.email'],
    ['account', () => '001234567890', 'recipient.wallet'],
    ['account in groups', () => '0012 3456 7890', 'recipient.wallet'],
    ['the last four of the account', () => '7890', 'recipient.wallet'],
    ['the last seven of the account', () => '4567890', 'recipient.wallet'],
    ['the last five of the account', () => '67890', 'recipient.wallet'],
    ['the last eleven of the account', () => '01234567890', 'recipient.wallet'],
    ['amount', () => '1500.50', 'amount'],
    ['amount with commas', () => '1,500.5', 'amount'],
    ['amount with its currency', () => 'php 1500.5', 'amount'],
    ['amount with its sign', () => '₱1,500.50', 'amount'],
    ['amount before its currency', () => '1500.50 PHP', 'amount'],
    ['metadata', () => 'Order: a 17', 'metadata.order'],
    ['metadata with a name of two words', () => 'cost centre:NORTH', 'metadata.Cost centre'],
  ])('is found by %s', async (_, query, field) => {
    const [line, ...others] = await search(caller, query(id))
    expect(line?.fields).toContain(field)
    expect(line).toMatchObject({ type: 'transfer', id, href: `/contracts/transfer/${id}`, livemode: false })
    // Drafts of one minute share the beginning of their ids.
    expect(others.filter(({ fields }) => !fields.includes('id'))).toEqual([])
  })

  test.each(['juan 1500', 'USD 1500.5', '7891', 'order:18', 'dela cruz ana', 'nobody', '%%', '__', "' or 1=1"])(
    'is not found by %s',
    async (query) => {
      expect(await found(query)).toEqual([])
    },
  )

  test('says in a line what it is', async () => {
    const [line] = await search(caller, 'juan')
    expect(line?.summary).toBe('Transfer of PHP 1,500.50 to Juan Peña dela Cruz Jr., draft (INV-2026 / 17)')
  })

  test('is found by what it is, not by what it was', async () => {
    const { id: changed } = await caller.draft({ ...WANTED, recipient: { ...WANTED.recipient, name: 'Berta Lim' } })
    expect(await found('berta')).toEqual([changed])
    await caller.update(changed, { recipient: { name: 'Carla Lim' }, metadata: { order: null } })
    expect([await found('berta'), await found('carla lim')]).toEqual([[], [changed]])
    expect(await found('order:A 17')).toEqual([id])
    await caller.update(changed, { recipient: { name: 'Berta Lim' } })
    expect(await found('berta')).toEqual([changed])
  })
})

test('pages go on newest first, without a gap and without a double', async () => {
  const made: string[] = []
  for (let i = 0; i < 7; i++) made.push((await caller.draft({ deliverable: { reference_id: 'batch 7' } })).id)
  const pages: string[][] = []
  for (let next = ''; ; ) {
    const { data } = await caller.ask('GET', `/search?q=batch%207&limit=3${next}`)
    pages.push(idsOf(data['results'] as Line[]))
    if (data['next'] === null) break
    next = `&after=${data['next'] as string}`
  }
  expect(pages.map((page) => page.length)).toEqual([3, 3, 1])
  expect(pages.flat()).toEqual(made.toReversed())
})

test('a payment contract is found by who paid it, its events by its id', async () => {
  const { data } = await caller.ask('POST', '/contracts/payment', { body: { amount: 64, currency: 'PHP' } })
  const { id } = data['contract'] as { id: string }
  expect(await found('64', '&type=transfer')).toEqual([])
  expect(await search(caller, '64')).toMatchObject([{ type: 'payment', id, summary: 'Payment of PHP 64.00, issued' }])
  const first = eventId(id, 1)
  const lines = await search(caller, first)
  expect(lines).toMatchObject([{ type: 'event', id: first, href: `/events/${first}`, fields: ['id'] }])
  expect(lines[0]?.summary).toMatch(/^contract\.\w+: Payment of PHP 64\.00/)
  expect(idsOf(await search(caller, id, '&type=event'))).toContain(first)
  expect(await found(first.slice(0, 12))).toContain(first)
  expect(await search(other, first)).toEqual([])
})

test('a profile is found by what is said of it and of its destinations, in the order of all', async () => {
  const body = {
    type: 'person',
    name: 'Norma Uy',
    mobile: '+639991112222',
    reference: 'HR 9',
    metadata: { team: 'night' },
  }
  const { data } = await caller.ask('POST', '/profiles', { body })
  const { id } = data['profile'] as { id: string }
  await caller.ask('POST', `/profiles/${id}/destinations`, {
    body: { channel: 'sandbox', recipient: { wallet: '5555 0001 7777' }, label: 'savings' },
  })
  const { id: contract } = await caller.draft({ recipient: { ...WANTED.recipient, name: 'Norma Uy' } })
  expect(await found('norma')).toEqual([contract, id])
  expect(await found('norma', '&type=profile')).toEqual([id])
  for (const query of ['0999 111 2222', 'hr 9', 'team:night', '7777', 'savings', id.slice(0, 20)])
    expect(await found(query), query).toContain(id)
  const [line] = await search(caller, 'hr 9')
  expect(line).toMatchObject({
    type: 'profile',
    href: `/profiles/${id}`,
    summary: 'Norma Uy (HR 9)',
    fields: ['reference'],
  })
  await caller.ask('PATCH', `/profiles/${id}`, { body: { reference: 'HR 10' } })
  expect([await found('hr 9'), await found('hr 10')]).toEqual([[], [id]])
  const blind = await world.withKey(caller, { scopes: ['contracts:read'] })
  expect(idsOf(await search(blind, 'norma'))).toEqual([contract])
})

describe('who may not', () => {
  const coded = async (who: Caller, path: string) => {
    const { status, error } = await who.ask('GET', path)
    return [status, error.code, error.param]
  }

  test('sees nothing, and is told which scope is missing', async () => {
    const blind = await world.withKey(caller, { scopes: ['wallets:read'] })
    expect(await coded(blind, '/search?q=juan')).toEqual([403, 'scope_missing', null])
    const events = await world.withKey(caller, { scopes: ['events:read'] })
    expect(await coded(events, '/search?q=juan')).toEqual([403, 'scope_missing', null])
    expect(await coded(events, '/search?q=juan&type=transfer')).toEqual([403, 'scope_missing', null])
    const contracts = await world.withKey(caller, { scopes: ['contracts:read'] })
    expect(await coded(contracts, '/search?q=evt_01890000')).toEqual([403, 'scope_missing', null])
    expect(await search(contracts, 'juan')).toHaveLength(1)
  })

  test('searches with a token of one contract', async () => {
    const body = { grant_type: 'client_credentials', contract_id: (await caller.draft()).id }
    const { body: token } = await caller.ask('POST', '/oauth/token', { body })
    const headers = { authorization: `Bearer ${token['access_token'] as string}` }
    expect((await world.ask('GET', '/search?q=juan', { headers })).error.code).toBe('token_not_for_contract')
  })

  test.each([
    ['', 'missing_q', 'q'],
    ['q=', 'invalid_q', 'q'],
    ['q=%20%20.', 'invalid_q', 'q'],
    [`q=${'x'.repeat(201)}`, 'invalid_q', 'q'],
    ['q=juan&type=wallet', 'invalid_type', 'type'],
    ['q=01890000&type=event,transfer', 'invalid_type', 'type'],
    ['q=juan&type=event', 'invalid_q', 'q'],
    ['q=juan&after=x', 'invalid_after', 'after'],
    ['q=evt_01890000&after=01890000-0000-7000-8000-000000000001', 'invalid_after', 'after'],
    ['q=juan&query=1', 'unknown_parameter', 'query'],
  ])('asks with %s', async (query, code, param) => {
    expect(await coded(caller, `/search?${query}`)).toEqual([400, code, param])
  })
})
