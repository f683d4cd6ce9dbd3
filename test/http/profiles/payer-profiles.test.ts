// Payers of payment contracts as profiles: what the rail told of them and no more, once however often it is asked, and never
// anything of another account but its name.
import { afterAll, describe, expect, test } from 'vitest'
import type { PayerPlace } from '../../../src/domain/channel/collection.ts'
import type { OwnersPayment } from '../../../src/wire/payment.ts'
import { type Caller, openWorld } from '../../world.ts'
import { type Duplicate, type ProfileBody, profilesOf, told } from './profile-stage.ts'

const world = await openWorld({ workers: 'resting' })
const { caller, other } = world
afterAll(() => world.stop())
const mine = profilesOf(caller)

const opened = async () => {
  const { data } = await mine.done('POST', '/contracts/payment', { amount: 100, currency: 'PHP' })
  return data['contract'] as OwnersPayment
}

/** Paid, as a rail told it. */
async function paid(payer: PayerPlace | null): Promise<string> {
  const { lane, accountId } = caller.account
  const { id } = await opened()
  const money = { outcome: 'succeeded', objectId: `money of ${id}`, amountMinor: 100_00n, currency: 'PHP' } as const
  const report = { attempt: null, channelId: null, assetUnits: null, failure: null, payer, shown: {}, ...money }
  const event = { id: `event of ${id}`, type: 'any', body: null, bodyHash: null }
  const command = { verb: 'receive', id, event, report, unallocated: 'suspense' } as const
  await world.gateway.deps.execute({ lane, accountId, keyId: null, idempotency: null, command })
  return id
}

const save = (id: string, body: object = {}, by: Caller = caller) =>
  by.ask('POST', `/contracts/payment/${id}/payer-profile`, { body })
const saved = async (id: string, body: object = {}) => {
  const { data } = await mine.done('POST', `/contracts/payment/${id}/payer-profile`, body)
  return data as { contract: OwnersPayment; profile: ProfileBody; duplicates: Duplicate[] }
}
const BANK: PayerPlace = { channelId: 'sandbox', recipient: { name: 'Ana Reyes', wallet: '000123456789' } }

describe('the payer of a paid contract', () => {
  test('is a profile with the account that paid, which a draft can pay; the contract names it', async () => {
    const { contract, profile } = await saved(await paid(BANK))
    expect(profile).toMatchObject({ type: 'person', name: 'Ana Reyes', version: 1, relation: 'contact', mobile: null })
    expect(profile.destinations).toMatchObject([
      { channel: 'sandbox', default: true, recipient: { name: 'Ana Reyes', wallet: '000123456789' } },
    ])
    expect(contract.payer_profile).toEqual({ profile: profile.id, profile_version: 1 })
    expect(contract.activities.at(-1)).toMatchObject({ summary: 'The payer was saved as a profile' })
    expect(await mine.get(profile.id)).toEqual(profile)
    const draft = await caller.draft({ channel: null, recipient: { profile: profile.id } })
    expect(draft.preview.valid).toBe(true)
  })

  test('is one profile, however often and by however many it is asked at once', async () => {
    const id = await paid(BANK)
    const replies = await Promise.all(Array.from({ length: 5 }, () => saved(id)))
    expect(new Set(replies.map(({ profile }) => profile.id)).size).toBe(1)
    const { contract } = await saved(id)
    expect(contract.activities.filter(({ summary }) => summary.startsWith('The payer was saved'))).toHaveLength(1)
    const created = await caller.all<{ type: string; data: { object: ProfileBody } }>('/events', 'events')
    const own = created.filter(({ data }) => data.object.id === contract.payer_profile?.profile)
    expect(own.map(({ type }) => type)).toEqual(['profile.created'])
  })

  test('whom the account has already is named as a duplicate, and can be said to be that one', async () => {
    const known = (await saved(await paid({ ...BANK, recipient: { name: 'Cora', wallet: '000777' } }))).profile
    const id = await paid({ ...BANK, recipient: { name: 'C. Cruz', wallet: '000-777' } })
    const first = await saved(id)
    expect(first.duplicates).toEqual([{ id: known.id, name: 'Cora', same: ['account'] }])
    const corrected = await saved(id, { profile: known.id })
    expect(corrected.contract.payer_profile?.profile).toBe(known.id)
    expect((await saved(id)).contract.payer_profile?.profile).toBe(known.id)
  })

  test('of whom nothing is known is no profile, and a card leaves nothing', async () => {
    const id = await paid(null)
    const before = await caller.all('/profiles', 'profiles')
    expect(told(await save(id))).toEqual([409, 'payer_not_known', 'id'])
    expect(await caller.all('/profiles', 'profiles')).toEqual(before)
    const { id: profile } = await mine.make({ name: 'Dan' })
    expect((await saved(id, { profile })).contract.payer_profile?.profile).toBe(profile)
  })

  test('where no channel can pay the account back has a name and no destination', async () => {
    const { profile } = await saved(await paid({ channelId: 'sandbox', recipient: { name: 'Eve' } }))
    expect([profile.name, profile.destinations]).toEqual(['Eve', []])
  })
})

test('refused: a contract that is not paid, another account’s, one’s transfer, a foreign profile, a key that reads no contracts', async () => {
  expect(told(await save((await opened()).id))).toEqual([409, 'payment_not_paid', 'id'])
  const id = await paid(BANK)
  expect(told(await save(id, {}, other))).toEqual([404, 'contract_not_found', 'id'])
  expect(told(await save((await caller.draft()).id))).toEqual([404, 'contract_not_found', 'id'])
  const foreign = await profilesOf(other).make()
  expect(told(await save(id, { profile: foreign.id }))).toEqual([400, 'invalid_profile', 'profile'])
  const narrow = await world.withKey(caller, { scopes: ['profiles:write'] })
  expect(told(await save(id, {}, narrow))).toEqual([403, 'scope_missing', null])
  const stale = await caller.ask('POST', `/contracts/payment/${id}/payer-profile`, { headers: { 'if-match': '"99"' } })
  expect([stale.status, (await caller.ask('GET', `/contracts/payment/${id}`)).data['contract']]).toEqual([
    412,
    expect.objectContaining({ payer_profile: null }),
  ])
})

describe('another account of this gateway that paid by a wallet', () => {
  async function paidByWallet() {
    const payment = await opened()
    const token = payment.checkout_url.split('/').at(-1)
    const { id: wallet } = await other.wallet('PHP')
    const { data } = await other.ask('PUT', `/contracts/payment/${payment.id}/pay`, {
      body: { type: 'wallet', wallet: { wallet_id: wallet } },
      headers: { authorization: `Bearer ${token}` },
    })
    return { wallet, contract: data['contract'] as OwnersPayment }
  }

  test('is known by its name to the one that it paid, and nobody else finds it', async () => {
    await profilesOf(other).patch('me', { email: 'secret@other.example', mobile: '09171112222', name: 'Inner name' })
    const { contract } = await paidByWallet()
    expect(contract.paid_by).toBe(other.account.profileId)
    const { created_at: at, updated_at: __, ...seen } = await mine.get(contract.paid_by ?? '')
    expect(seen).toEqual({
      id: other.account.profileId,
      livemode: false,
      type: null,
      status: 'active',
      relation: 'payer',
      name: 'Test',
      email: null,
      mobile: null,
      address: null,
      country: null,
      reference: null,
      metadata: {},
      destinations: [],
      version: 0,
    })
    expect(Date.parse(at)).toBeGreaterThan(0)
    const path = `/profiles/${contract.paid_by}`
    for (const [method, url] of [
      ['PATCH', path],
      ['DELETE', path],
      ['GET', `${path}/versions`],
      ['GET', `${path}?version=1`],
    ] as const)
      expect(told(await caller.ask(method, url))).toEqual([404, 'profile_not_found', 'id'])
    const third = await world.newCaller({ lane: caller.account.lane })
    expect(told(await third.ask('GET', path))).toEqual([404, 'profile_not_found', 'id'])
    expect(
      (
        await caller.ask('POST', '/contracts/transfer', {
          body: { amount: 1, currency: 'PHP', issued_to: contract.paid_by },
        })
      ).status,
    ).toBe(400)
  })

  test('saved, has the wallet that paid as its destination', async () => {
    const { wallet, contract } = await paidByWallet()
    const { profile } = await saved(contract.id)
    expect(profile).toMatchObject({ name: 'Test', type: 'business', email: null, mobile: null })
    expect(profile.destinations).toMatchObject([{ channel: 'wallet', recipient: { wallet } }])
    expect(profile.id).not.toBe(other.account.profileId)
  })
})
