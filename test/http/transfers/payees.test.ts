// A draft that pays a wallet of this gateway: the preview says whether it is there, holds the currency and is called what the
// draft says; before anybody pays, and in words that tell nothing of its owner.
import { afterAll, describe, expect, test } from 'vitest'
import { createAccount } from '../../../src/app/accounts/accounts.ts'
import { type ContractBody, openWorld } from '../../world.ts'

const world = await openWorld()
const { caller, other } = world
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

const { deps } = world.gateway
const NAME = 'José-María  Ñandú & Sons, Ltd.'
const named = await createAccount(deps.reader, deps, { name: NAME, livemode: false, currencies: ['PHP'] })
const live = await createAccount(deps.reader, deps, { name: 'Live', livemode: true, currencies: ['PHP'] })
const idOf = (account: typeof named, currency = 'PHP') =>
  account.wallets.find((each) => each.currency === currency)?.id ?? ''
const NOBODYS = deps.newId(named.lane)

const draft = (recipient: Record<string, unknown>, fields: object = {}) =>
  caller.draft({ channel: 'wallet', amount: 5, recipient, ...fields })
const faults = ({ preview }: ContractBody) => preview.messages.map(({ code, message }) => [code, message])
const codes = ({ preview }: ContractBody) => preview.messages.map(({ code }) => code)

test.each<[string, () => string, string[]]>([
  ['somebody else’s', () => idOf(named), []],
  ['nobody’s', () => NOBODYS, ['invalid_recipient_wallet']],
  ['one of a live account', () => idOf(live), ['invalid_recipient_wallet']],
  ['one’s own', () => idOf(caller.account), []],
  ['one in another currency', () => idOf(other.account, 'USD'), ['invalid_recipient_wallet']],
])('a wallet that is %s', async (_, wallet, expected) => {
  const made = await draft({ wallet: wallet() })
  expect([codes(made), made.preview.valid]).toEqual([expected, expected.length === 0])
  expect(faults(await caller.get(made.id))).toEqual(faults(made))
  const reply = await caller.ask('PUT', `/contracts/transfer/${made.id}/issue`)
  expect(reply.status === 200 ? 'issued' : reply.error.code).toBe(
    expected.length === 0 ? 'issued' : 'requirements_not_met',
  )
  const body = { amount: 5, currency: 'PHP', recipient: { wallet: wallet() } }
  const { data } = await caller.ask('POST', '/channels/compare', { body })
  const offers = data['channels'] as { channel: { id: string }; preview: ContractBody['preview'] }[]
  const offer = offers.find(({ channel }) => channel.id === 'wallet')
  expect(offer?.preview.messages.map(({ code }) => code)).toEqual(expected)
})

test('a wallet of one’s own is paid from another of one’s own, and never from itself', async () => {
  const opened = await caller.ask('POST', '/wallets', { body: { currency: 'PHP', label: 'Rent' } })
  const { id: rent } = opened.data['wallet'] as { id: string }
  const walletOf = async () => (await caller.ask('GET', `/wallets/${rent}`)).data['wallet']
  const move = await draft({ wallet: rent })
  await caller.issue(move.id)
  const itself = await caller.ask('PUT', `/contracts/transfer/${move.id}/pay`, { body: { source: rent } })
  expect([itself.status, itself.error.code, itself.error.param]).toEqual([400, 'invalid_source', 'source'])
  expect([(await caller.get(move.id)).status, await walletOf()]).toEqual(['issued', opened.data['wallet']])
  expect(await caller.pay(move.id)).toMatchObject({ wallet_id: idOf(caller.account) })
  expect(await world.settle(move.id)).toBe('completed')
  expect(await walletOf()).toMatchObject({ available: 5 })
  const back = await draft({ wallet: idOf(caller.account) })
  await caller.issue(back.id)
  const byDefault = await caller.ask('PUT', `/contracts/transfer/${back.id}/pay`)
  expect([byDefault.status, byDefault.error.code, byDefault.error.param]).toEqual([400, 'invalid_source', 'source'])
})

test('of a wallet of the other mode no more is said than of one that is not there', async () => {
  expect(faults(await draft({ wallet: idOf(live) }))).toEqual(faults(await draft({ wallet: NOBODYS })))
})

describe('the name', () => {
  test.each([
    NAME,
    'JOSE MARIA NANDU AND SONS LTD'.replace('AND ', ''),
    'jose-maria nandu & sons ltd',
    ' josémaría ñandú sons ltd. ',
    'Jose\u0301-Mari\u0301a N\u0303andu\u0301 & Sons, Ltd.',
    'ＪＯＳＥ ＭＡＲＩＡ ＮＡＮＤＵ ＳＯＮＳ ＬＴＤ',
  ])('%s is the owner’s', async (name) => {
    expect(codes(await draft({ wallet: idOf(named), name }))).toEqual([])
  })

  test.each(['José María', 'Jose Maria Nandu Sons', 'Jose Maria Nandu Sons Ltd 2', 'Ana Reyes', '李'])(
    '%s is not, and the owner’s is not told',
    async (name) => {
      const made = await draft({ wallet: idOf(named), name })
      expect(codes(made)).toEqual(['invalid_recipient_name'])
      expect(JSON.stringify(made.preview)).not.toMatch(/Jos|Nand|Ñand/i)
    },
  )

  test('is not looked at of a wallet that cannot be paid at all', async () => {
    expect(codes(await draft({ wallet: idOf(live), name: 'Live' }))).toEqual(['invalid_recipient_wallet'])
  })
})

describe('a draft that is mended', () => {
  test('has what is wrong taken away, and what is wrong then said', async () => {
    const made = await draft({ wallet: NOBODYS, name: NAME })
    const right = await caller.update(made.id, { recipient: { wallet: idOf(named) } })
    expect(codes(right)).toEqual([])
    const wrong = await caller.update(made.id, { recipient: { name: 'Ana' } })
    expect(codes(wrong)).toEqual(['invalid_recipient_name'])
    const still = await caller.update(made.id, { description: 'dinner' })
    expect(codes(still)).toEqual(['invalid_recipient_name'])
    expect(codes(await caller.update(made.id, { currency: 'USD' }))).toEqual([
      'invalid_recipient_wallet',
      'invalid_recipient_name',
    ])
    expect(codes(await caller.update(made.id, { currency: 'PHP', recipient: { name: null } }))).toEqual([])
    expect((await caller.issue(made.id)).status).toBe('issued')
  })

  test('that goes over to another channel has nothing of it left, and comes back to it', async () => {
    const made = await draft({ wallet: NOBODYS })
    const away = await caller.update(made.id, { channel: 'sandbox', recipient: { name: 'Ana', wallet: '000123' } })
    expect(codes(away)).toEqual([])
    const back = await caller.update(made.id, {
      channel: 'wallet',
      recipient: { name: null, wallet: idOf(live) },
    })
    expect(codes(back)).toEqual(['invalid_recipient_wallet'])
    const own = await caller.update(made.id, { recipient: { wallet: idOf(caller.account) } })
    expect(codes(own)).toEqual([])
  })
})

test('a wallet that fits is paid, and the draft’s fault is in none of its later versions', async () => {
  const made = await draft({ wallet: NOBODYS })
  await caller.update(made.id, { recipient: { wallet: idOf(other.account), name: 'TEST' } })
  await caller.issue(made.id)
  await caller.pay(made.id)
  expect(await world.settle(made.id)).toBe('completed')
  const rows = await world.sql<{ version: number; is: boolean }>(
    `select version, document::jsonb ? 'payee_faults' as is from contract_versions where contract_id = $1 order by version`,
    [made.id],
  )
  expect(rows.map((row) => row.is)).toEqual([true, false, ...rows.slice(2).map(() => false)])
})
