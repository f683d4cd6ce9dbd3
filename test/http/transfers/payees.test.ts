// A draft that pays a wallet of this gateway: the preview says whether it is there, holds the currency and is called what the
// draft says; before anybody pays, and in words that tell nothing of its owner.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccount } from '../../../src/app/accounts/accounts.ts'
import { type ContractBody, openWorld, type Reply } from '../../world.ts'
import { BANK, profilesOf, told } from '../profiles/profile-stage.ts'

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

describe('changes at once, of which each alone pays no wallet that its own look-up sees', () => {
  let holder: pg.Client
  beforeAll(async () => {
    holder = new pg.Client(world.lanesOwner)
    await holder.connect()
  })
  afterAll(() => holder.end())

  /** Longer than any look-up takes, and shorter than whoever waits for an account is patient. */
  const LOOKED_UP_MS = 500

  /** Sends all of them while the account is held: each has looked up what it needs before any of them is decided. */
  async function lookedUpBefore(...sending: (() => Promise<Reply>)[]): Promise<Reply[]> {
    const { lane, accountId } = caller.account
    await holder.query('begin')
    await holder.query('select 1 from accounts where lane = $1 and account_id = $2 for update', [lane, accountId])
    const sent = sending.map((send) => send())
    await sleep(LOOKED_UP_MS)
    await holder.query('rollback')
    return Promise.all(sent)
  }

  const elsewhere = () =>
    draft({ name: 'Ana Reyes', wallet: '0012345678' }, { channel: 'sandbox' }).then(({ id }) => ({
      id,
      path: `/contracts/transfer/${id}`,
    }))
  const patch = (path: string, body: object) => () => caller.ask('PATCH', path, { body })

  const WALLET = { recipient: { wallet: idOf(named) } }
  const CHANNEL = { channel: 'wallet' }

  test.each<[string, object, object]>([
    ['the wallet, and then the channel', WALLET, CHANNEL],
    ['the channel, and then the wallet', CHANNEL, WALLET],
  ])('a draft is looked at as it becomes: %s', async (_, first, second) => {
    const { id, path } = await elsewhere()
    const replies = await lookedUpBefore(patch(path, first), patch(path, second))
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    const now = await caller.get(id)
    expect([now.channel?.id, now.recipient?.wallet, codes(now)]).toEqual([
      'wallet',
      idOf(named),
      ['invalid_recipient_name'],
    ])
    expect(told(await caller.ask('PUT', `${path}/issue`))).toEqual([409, 'requirements_not_met', 'recipient.name'])
  })

  test('another wallet than was looked up is looked up in its place', async () => {
    const made = await draft({ wallet: idOf(other.account) })
    const path = `/contracts/transfer/${made.id}`
    const replies = await lookedUpBefore(
      patch(path, WALLET),
      patch(path, { recipient: { name: 'TEST' } }),
      patch(path, { amount: 6 }),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    const now = await caller.get(made.id)
    expect([now.recipient?.wallet, now.amount, codes(now)]).toEqual([idOf(named), 6, ['invalid_recipient_name']])
  })

  test('an If-Match holds for the look-up that is made again', async () => {
    const { id, path } = await elsewhere()
    const { headers } = await caller.ask('GET', path)
    const replies = await lookedUpBefore(patch(path, WALLET), () =>
      caller.ask('PATCH', path, { body: CHANNEL, headers: { 'if-match': String(headers['etag']) } }),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 412])
    expect((await caller.get(id)).channel?.id).toBe('sandbox')
  })

  test('so it is however they meet', async () => {
    const drafts = await Promise.all(Array.from({ length: 40 }, elsewhere))
    await Promise.all(drafts.flatMap(({ path }) => [patch(path, WALLET)(), patch(path, CHANNEL)()]))
    const now = await Promise.all(drafts.map(({ id }) => caller.get(id)))
    expect(now.map(codes)).toEqual(drafts.map(() => ['invalid_recipient_name']))
  })

  test('a saved destination pays nobody else either', async () => {
    const mine = profilesOf(caller)
    const { id } = await mine.make()
    const { id: destination } = await mine.pay(id, BANK)
    const path = `/profiles/${id}/destinations/${destination}`
    const replies = await lookedUpBefore(patch(path, WALLET), patch(path, CHANNEL))
    const refused = replies.filter(({ status }) => status !== 200).map(({ status, error }) => [status, error.code])
    expect(refused).toEqual([[400, expect.stringMatching(/^invalid_recipient_(name|wallet)$/)]])
    const [kept] = (await mine.get(id)).destinations
    expect(kept).toMatchObject({ channel: 'sandbox', recipient: WALLET.recipient })
  })
})
