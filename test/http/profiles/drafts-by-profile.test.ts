// Drafts that name a profile in place of a recipient: they take its values as they stand, keep which versions they took, and
// are changed by nothing that happens to the profile afterwards.
import { afterAll, describe, expect, test } from 'vitest'
import { type ContractBody, openWorld } from '../../world.ts'
import { ANA, BANK, GCASH, profilesOf, told } from './profile-stage.ts'

const world = await openWorld({ workers: 'resting' })
const { caller, other } = world
afterAll(() => world.stop())
const mine = profilesOf(caller)
const theirs = profilesOf(other)

const MONEY = { amount: 100, currency: 'PHP' }
const draft = async (fields: object) =>
  (await mine.done('POST', '/contracts/transfer', { ...MONEY, ...fields })).data['contract'] as ContractBody
const refused = (fields: object) => caller.ask('POST', '/contracts/transfer', { body: { ...MONEY, ...fields } })
const ABSENT = '01890000-0000-7000-8000-000000000001'

async function anaWith(...destinations: object[]) {
  const profile = await mine.make()
  const saved = []
  for (const each of destinations) saved.push(await mine.pay(profile.id, each))
  return { id: profile.id, saved }
}

describe('a draft by a profile', () => {
  test('takes the values and the channel of its default destination, can be issued as it is, and says what it took', async () => {
    const { id, saved } = await anaWith(BANK, GCASH)
    const made = await draft({ recipient: { profile: id } })
    expect(made.channel?.id).toBe('sandbox')
    expect(made.recipient).toEqual({
      name: 'Ana Reyes',
      email: 'ana@example.com',
      mobile: '+639171234567',
      wallet: '000123456789',
      tag: null,
      address: null,
      country: 'PH',
    })
    expect(made.recipient_profile).toEqual({
      profile: id,
      profile_version: 3,
      destination: saved[0]?.id,
      destination_version: 1,
    })
    expect(made.preview.valid).toBe(true)
    expect((await caller.issue(made.id)).recipient_profile).toEqual(made.recipient_profile)
  })

  test('uses the destination that it names, whose number is its own and not the person’s', async () => {
    const { id, saved } = await anaWith(BANK, GCASH)
    const made = await draft({ recipient: { profile: id, destination: saved[1]?.id } })
    expect([made.channel?.id, made.recipient?.mobile, made.recipient?.wallet]).toEqual(['gcash', '+639187654321', null])
    expect(made.recipient_profile?.destination).toBe(saved[1]?.id)
    expect(made.preview.valid).toBe(true)
  })

  test('with a channel takes the destination on it; where there is none, what is said of the person alone', async () => {
    const { id, saved } = await anaWith(BANK, GCASH)
    expect((await draft({ channel: 'gcash', recipient: { profile: id } })).recipient_profile?.destination).toBe(
      saved[1]?.id,
    )
    const elsewhere = await draft({ channel: 'maya', recipient: { profile: id } })
    expect([elsewhere.recipient_profile?.destination, elsewhere.recipient?.mobile]).toEqual([null, '+639171234567'])
  })

  test('of a profile without a destination lacks what it would lack by hand', async () => {
    const { id } = await anaWith()
    const made = await draft({ recipient: { profile: id } })
    expect(made.preview.messages.map(({ code }) => code)).toEqual(['missing_channel'])
  })

  test('names no destination where several fit and none is the default', async () => {
    const { id, saved } = await anaWith(BANK, { ...BANK, recipient: { wallet: '000987654321' } })
    await mine.repay(id, saved[0]?.id ?? '', { default: false })
    const { status, error } = await refused({ recipient: { profile: id } })
    expect([status, error.code]).toEqual([400, 'missing_recipient_destination'])
    await mine.drop(id, saved[0]?.id ?? '')
    expect((await draft({ recipient: { profile: id } })).recipient?.wallet).toBe('000987654321')
  })

  test('may say beside it what the profile says, and nothing else', async () => {
    const { id } = await anaWith(BANK)
    await draft({ recipient: { profile: id, name: 'Ana Reyes', mobile: '0917 123 4567' } })
    const { error } = await refused({ recipient: { profile: id, name: 'Ben', wallet: '1' } })
    expect(error.errors?.map(({ param }) => param)).toEqual(['recipient.name', 'recipient.wallet'])
  })

  test('by the account’s own profile is paid to the account itself', async () => {
    const own = await mine.get('me')
    expect((await draft({ recipient: { profile: own.id } })).recipient?.name).toBe('Test')
  })
})

describe('refused', () => {
  test('another account’s profile, an archived one and one of the other mode look like one that does not exist', async () => {
    const archived = await mine.make()
    await mine.archive(archived.id)
    const live = profilesOf(await world.newCaller({ livemode: true, lane: caller.account.lane, funds: {} }))
    const ids = [(await theirs.make()).id, archived.id, (await live.make()).id, 'x', ABSENT.toUpperCase()]
    for (const field of [(id: string) => ({ recipient: { profile: id } }), (id: string) => ({ issued_to: id })]) {
      const absent = await refused(field(ABSENT))
      expect(absent.status).toBe(400)
      const known = 'issued_to' in field('x') ? ids.slice(0, 3) : ids
      for (const id of known) expect((await refused(field(id))).error.message, id).toBe(absent.error.message)
    }
  })

  test('a destination of another profile, an archived one, and one that comes without its profile', async () => {
    const { id, saved } = await anaWith(BANK)
    const another = await anaWith(BANK)
    const foreign = await refused({ recipient: { profile: id, destination: another.saved[0]?.id } })
    expect(told(foreign)).toEqual([400, 'invalid_recipient_destination', 'recipient.destination'])
    await mine.drop(id, saved[0]?.id ?? '')
    const gone = await refused({ recipient: { profile: id, destination: saved[0]?.id } })
    expect(gone.error.message).toBe(foreign.error.message)
    expect(told(await refused({ recipient: { destination: saved[0]?.id } }))).toEqual([
      400,
      'missing_recipient_profile',
      'recipient.profile',
    ])
  })

  test('a destination on another channel than the draft’s', async () => {
    const { id, saved } = await anaWith(BANK)
    const crossing = await refused({ channel: 'gcash', recipient: { profile: id, destination: saved[0]?.id } })
    expect(told(crossing)).toEqual([400, 'invalid_recipient_destination', 'recipient.destination'])
    expect(crossing.error.message).toContain('"sandbox"')
  })
})

describe('a patch', () => {
  const patched = (id: string, fields: object) => caller.ask('PATCH', `/contracts/transfer/${id}`, { body: fields })

  test('to a profile replaces the recipient; one by hand drops the profile', async () => {
    const { id } = await anaWith(BANK)
    const made = await draft({ channel: 'sandbox', recipient: { name: 'Ben', wallet: '1', tag: 'X' } })
    const linked = await caller.update(made.id, { recipient: { profile: id } })
    expect(linked.recipient).toMatchObject({ name: 'Ana Reyes', wallet: '000123456789', tag: null })
    expect(linked.recipient_profile?.profile).toBe(id)
    const byHand = await caller.update(made.id, { recipient: { wallet: '2' } })
    expect([byHand.recipient?.wallet, byHand.recipient?.name, byHand.recipient_profile]).toEqual([
      '2',
      'Ana Reyes',
      null,
    ])
  })

  test('of anything else, and the contract sent back as it was read, keep the profile', async () => {
    const { id } = await anaWith(BANK)
    const made = await draft({ recipient: { profile: id }, issued_to: id })
    await mine.patch(id, { name: 'Ana Cruz' })
    expect((await caller.update(made.id, { amount: 7 })).recipient_profile).toEqual(made.recipient_profile)
    const { channel, ...read } = await caller.get(made.id)
    await mine.archive(id)
    const back = await caller.update(made.id, { ...read, channel: channel?.id })
    expect(back).toEqual({ ...read, channel })
  })

  test('to the same profile again takes it as it stands now', async () => {
    const { id } = await anaWith(BANK)
    const made = await draft({ recipient: { profile: id } })
    await mine.patch(id, { name: 'Ana Cruz' })
    const again = await caller.update(made.id, { recipient: { profile: id } })
    expect([again.recipient?.name, again.recipient_profile?.profile_version]).toEqual(['Ana Cruz', 3])
    expect(again.activities.at(-1)?.resource.data['changed']).toEqual([
      'recipient.name',
      'recipient_profile.profile_version',
    ])
  })

  test('to another channel drops a destination that is not on it; null takes the profile away and leaves the values', async () => {
    const { id } = await anaWith(BANK)
    const [one, two] = [await draft({ recipient: { profile: id } }), await draft({ recipient: { profile: id } })]
    expect((await caller.update(one.id, { channel: 'gcash' })).recipient_profile).toBeNull()
    const unlinked = await caller.update(two.id, { recipient: { profile: null } })
    expect([unlinked.recipient, unlinked.recipient_profile]).toEqual([two.recipient, null])
    const gone = await caller.update(two.id, { recipient: null })
    expect(gone.recipient).toBeNull()
  })

  test('to a destination on another channel says how to change both', async () => {
    const { id, saved } = await anaWith(BANK, GCASH)
    const made = await draft({ recipient: { profile: id } })
    const recipient = { profile: id, destination: saved[1]?.id }
    expect((await patched(made.id, { recipient })).error.message).toContain('null')
    const moved = await caller.update(made.id, { recipient, channel: null })
    expect([moved.channel?.id, moved.recipient?.mobile]).toEqual(['gcash', '+639187654321'])
  })
})

describe('a payment contract', () => {
  const opened = async (fields: object) =>
    (await mine.done('POST', '/contracts/payment', { ...MONEY, ...fields })).data['contract'] as ContractBody

  test('keeps whom it is issued to and for, and takes no channel from a destination', async () => {
    const { id, saved } = await anaWith(BANK)
    const made = await opened({ issued_to: id, recipient: { profile: id } })
    expect([made.issued_to, made.issued_to_profile]).toEqual([id, { profile: id, profile_version: 2 }])
    expect([made.channel, made.recipient?.name, made.recipient?.wallet]).toEqual([null, 'Ana Reyes', null])
    const withOne = await opened({ recipient: { profile: id, destination: saved[0]?.id } })
    expect([withOne.channel, withOne.recipient?.wallet]).toEqual([null, '000123456789'])
  })

  test('shows a payer and a token nothing of the profile', async () => {
    const { id } = await anaWith(BANK)
    const made = await opened({ issued_to: id, recipient: { profile: id } })
    const { body } = await caller.ask('POST', '/oauth/token', { body: { grant_type: 'client_credentials' } })
    for (const token of [
      String(body['access_token']),
      String((made as unknown as { checkout_url: string }).checkout_url.split('/').at(-1)),
    ]) {
      const headers = { authorization: `Bearer ${token}` }
      const { data } = await world.ask('GET', `/contracts/payment/${made.id}`, { headers })
      const seen = data['contract'] as ContractBody
      expect([seen.recipient_profile, seen.issued_to_profile]).toEqual([null, null])
    }
  })
})

test('a refund goes to a recipient that is written out', async () => {
  const { data } = await mine.done('POST', '/contracts/payment', MONEY)
  const { id } = data['contract'] as ContractBody
  const { id: profile } = await anaWith(BANK)
  const body = { channel: 'sandbox', recipient: { profile } }
  expect(told(await caller.ask('POST', `/contracts/payment/${id}/refunds`, { body }))).toEqual([
    400,
    'unknown_parameter',
    'recipient.profile',
  ])
})

test('prices by profile on every channel', async () => {
  const { id } = await anaWith(BANK)
  const { data } = await mine.done('POST', '/channels/compare', { ...MONEY, recipient: { profile: id } })
  const sandbox = (data['channels'] as { channel: { id: string }; valid: boolean }[]).find(
    (each) => each.channel.id === 'sandbox',
  )
  expect(sandbox?.valid).toBe(true)
})

test('a draft by a profile is still one command: the same key, the same answer', async () => {
  const { id } = await anaWith(BANK)
  const send = () =>
    caller.ask('POST', '/contracts/transfer', {
      body: { ...MONEY, recipient: { profile: id } },
      headers: { 'idempotency-key': `by profile ${id}` },
    })
  const first = await send()
  await mine.patch(id, { name: ANA.name, country: 'US' })
  expect((await send()).text).toBe(first.text)
})
