// Channels in the shop window: what they cost, when money arrives, what a draft lacks, and what each version promised.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, describe, expect, test } from 'vitest'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import type { ChannelConfig } from '../../../src/domain/channel/config.ts'
import { type ContractBody, openWorld, type Reply } from '../../world.ts'

const MADE = {
  service: 'payment',
  connector: 'sandbox',
  description: 'Made up.',
  covered: true,
  undo_seconds: 60,
  recipient: [{ field: 'name', mend: 'Say who.' }],
} as const satisfies Partial<ChannelConfig>
const HOLIDAYS = ['2026-12-25', '2027-01-01']
const CHANNELS: ChannelConfig[] = [
  ...SHIPPED_CHANNELS.filter(({ id }) => id === 'sandbox' || id === 'wallet'),
  {
    ...MADE,
    id: 'batch',
    name: 'Batch',
    arrival_seconds: 7200,
    windows: {
      utc_offset: '+08:00',
      cut_offs: ['10:00', '15:30'],
      weekdays: [0, 1, 2, 3, 4, 5, 6],
      holidays: HOLIDAYS,
    },
    bounces: true,
    currencies: { PHP: { min: 5, max: 5000, fees: { fixed: 2 } } },
  },
  {
    ...MADE,
    id: 'quick',
    name: 'Quick',
    arrival_seconds: 60,
    recall: true,
    currencies: { PHP: { fees: { fixed: 2 } } },
  },
  { ...MADE, id: 'dear', name: 'Dear', arrival_seconds: 1, currencies: { PHP: { fees: { fixed: 90 } } } },
  { ...MADE, id: 'yen', name: 'Yen', currencies: { JPY: { max: 10_000, fees: { pct: 1 } } } },
]

const world = await openWorld({ workers: 'resting', config: { channels: CHANNELS } })
const { caller } = world
afterAll(() => world.stop())

type Offer = {
  channel: ContractBody['channel'] & { id: string }
  preview: ContractBody['preview']
  undo_seconds: number
  valid: boolean
  dispatch_at: string
  arrives_at: string | null
  cut_off: string | null
  limits: { min_amount: number | null; max_amount: number | null }
  can_recall: boolean
  can_bounce: boolean
  required: Record<string, unknown>
  missing: { code: string; param: string | null; message: string }[]
}

async function compare(body: Record<string, unknown>): Promise<Offer[]> {
  const { status, data, text } = await caller.ask('POST', '/channels/compare', { body })
  expect(status, text).toBe(200)
  return data['channels'] as Offer[]
}
const offerOf = (offers: readonly Offer[], id: string) => offers.find(({ channel }) => channel.id === id)!
const ms = (text: string | null) => Date.parse(text!)
const DRAFT = { amount: 100, currency: 'PHP', recipient: { name: 'Ana', wallet: '1' } }
const ids = (offers: readonly Offer[]) => offers.map(({ channel }) => channel.id)

describe('comparing a draft', () => {
  test('offers first what would do, the cheapest first, of the same price the quickest', async () => {
    const offers = await compare(DRAFT)
    expect(ids(offers)).toEqual(['quick', 'batch', 'sandbox', 'dear', 'wallet', 'yen'])
    expect(offers.map(({ valid }) => valid)).toEqual([true, true, true, true, false, false])
    expect(offers.map(({ preview }) => preview.amount)).toEqual([102, 102, 110.5, 190, 100, 100])
    for (const { valid, preview, missing } of offers)
      expect([preview.valid, missing.length === 0]).toEqual([valid, valid])
  })

  test('says when it leaves and by when it arrives', async () => {
    const before = Date.now()
    const offers = await compare(DRAFT)
    const quick = offerOf(offers, 'quick')
    const paidAt = ms(quick.dispatch_at) - 60_000
    expect(paidAt).toBeGreaterThanOrEqual(before)
    expect(paidAt).toBeLessThanOrEqual(Date.now())
    expect([ms(quick.arrives_at), quick.cut_off]).toEqual([paidAt + 120_000, null])
    const batch = offerOf(offers, 'batch')
    expect(batch.cut_off).toBe(batch.dispatch_at)
    expect(ms(batch.arrives_at)).toBe(ms(batch.dispatch_at) + 7_200_000)
    const manila = new Date(ms(batch.cut_off) + 8 * 3_600_000).toISOString()
    expect(['10:00:00.000Z', '15:30:00.000Z']).toContain(manila.slice(11))
    expect(HOLIDAYS).not.toContain(manila.slice(0, 10))
    // The next of them, not a later one: two a day, and the longest wait is from one afternoon over a holiday.
    expect(ms(batch.cut_off)).toBeGreaterThanOrEqual(paidAt + 60_000)
    expect(ms(batch.cut_off) - paidAt).toBeLessThan(3 * 86_400_000)
    expect(offerOf(offers, 'sandbox')).toMatchObject({ arrives_at: null, cut_off: null })
    for (const { preview, arrives_at } of offers) expect(preview.arrives_at).toBe(arrives_at)
  })

  test('says what may come of it, within which limits, in the currency of the draft', async () => {
    const offers = await compare(DRAFT)
    expect(offerOf(offers, 'batch')).toMatchObject({
      limits: { min_amount: 5, max_amount: 5000 },
      can_recall: false,
      can_bounce: true,
      undo_seconds: 60,
    })
    expect(offerOf(offers, 'quick')).toMatchObject({
      limits: { min_amount: null, max_amount: null },
      can_recall: true,
      can_bounce: false,
    })
    expect(offerOf(offers, 'yen').limits).toEqual({ min_amount: null, max_amount: null })
    const yen = await compare({ ...DRAFT, currency: 'JPY' })
    expect(offerOf(yen, 'yen').limits).toEqual({ min_amount: null, max_amount: 10_000 })
  })

  test('says why not, with the parameter and the mend, and the schema says the same', async () => {
    const offers = await compare({ amount: 6000, currency: 'PHP' })
    expect(offerOf(offers, 'batch').missing).toEqual([
      { code: 'invalid_amount', param: 'amount', message: expect.stringContaining('at most PHP 5,000.00') },
      { code: 'missing_recipient_name', param: 'recipient.name', message: 'recipient.name is missing. Say who.' },
    ])
    expect(offerOf(offers, 'yen').missing[0]).toMatchObject({ code: 'invalid_currency', param: 'currency' })
    const drafts = [
      DRAFT,
      { amount: 6000, currency: 'PHP' },
      { amount: 4.99, currency: 'PHP', recipient: { name: 'Ana' } },
      { ...DRAFT, currency: 'JPY' },
      // Whether a wallet is there is for nobody but the gateway to know.
      { amount: 1, currency: 'PHP', recipient: { wallet: (await world.other.wallet('PHP')).id } },
    ]
    const verdicts = new Set<boolean>()
    for (const draft of drafts) {
      for (const { channel, required, valid } of await compare(draft)) {
        verdicts.add(valid)
        const fits = new Ajv2020({ strict: false }).compile(required)({ ...draft, channel: channel.id })
        expect(fits, `${channel.id} ${JSON.stringify(draft)}`).toBe(valid)
      }
    }
    expect(verdicts.size).toBe(2)
  })

  test('prices as creating would, and creates nothing', async () => {
    for (const { channel, preview } of await compare(DRAFT)) {
      const draft = await caller.draft({ ...DRAFT, channel: channel.id })
      const { messages, arrives_at: _, ...priced } = draft.preview
      expect(preview).toMatchObject(priced)
      expect(preview.messages.map(({ code, type }) => [code, type])).toEqual(
        messages.map(({ code, type }) => [code, type]),
      )
    }
    const lone = await world.newCaller()
    await lone.ask('POST', '/channels/compare', { body: DRAFT })
    expect(await lone.all('/contracts/transfer', 'contracts')).toEqual([])
  })

  test('refuses what creating would refuse', async () => {
    const { status, error } = await caller.ask('POST', '/channels/compare', {
      body: { amount: 1.001, currency: 'PHP' },
    })
    expect({ status, code: error.code }).toEqual({ status: 400, code: 'invalid_amount' })
  })
})

describe('a contract', () => {
  const arrival = ({ preview }: ContractBody) => ms(preview.arrives_at)

  test('says by when it arrives: from its last change, from pay on from then, at last when it did', async () => {
    const draft = await caller.draft({ ...DRAFT, channel: 'quick' })
    expect(arrival(draft)).toBe(ms(draft.updated_at) + 120_000)
    const mended = await caller.update(draft.id, { amount: 101 })
    expect(arrival(mended)).toBe(ms(mended.updated_at) + 120_000)
    expect(await caller.get(draft.id)).toEqual(mended)
    const issued = await caller.issue(draft.id)
    expect(arrival(issued)).toBe(ms(issued.updated_at) + 120_000)
    const paid = await caller.pay(draft.id)
    expect(arrival(paid)).toBe(ms(paid.paid_at) + 120_000)
    expect((await caller.cancel(draft.id)).preview.arrives_at).toBeNull()
    expect((await caller.draft({ channel: null })).preview.arrives_at).toBeNull()
    expect((await caller.draft()).preview.arrives_at).toBeNull()
  })

  test('tells the same when it is told again', async () => {
    const headers = { 'idempotency-key': 'arrival-1' }
    const body = { ...DRAFT, channel: 'batch' }
    const first = await caller.ask('POST', '/contracts/transfer', { body, headers })
    await new Promise((resolve) => setTimeout(resolve, 20))
    const again = await caller.ask('POST', '/contracts/transfer', { body, headers })
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.text).toBe(first.text)
  })

  test('on a rail with cut-offs says which one it would leave at, which keeps it from nothing', async () => {
    const draft = await caller.draft({ ...DRAFT, channel: 'batch' })
    const [note, ...others] = draft.preview.messages
    expect(others).toEqual([])
    expect(note).toMatchObject({ code: 'leaves_at_cut_off', type: 'info' })
    const [leaves, arrives] = note!.message.match(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00/g)!
    expect(ms(arrives!)).toBe(arrival(draft))
    expect(ms(arrives!) - ms(leaves!)).toBe(7_200_000)
    expect(draft.preview.valid).toBe(true)
    const issued = await caller.issue(draft.id)
    expect([issued.status, issued.preview.messages]).toEqual(['issued', []])
    expect((await caller.cancel((await caller.draft({ ...DRAFT, channel: 'batch' })).id)).preview.messages).toEqual([])
  })
})

describe('a channel', () => {
  test('is listed with what it costs and needs, and found by its id', async () => {
    const { data } = await caller.ask('GET', '/channels')
    const channels = data['channels'] as { id: string; currencies: unknown[]; required: unknown }[]
    expect(channels.map(({ id }) => id)).toEqual(CHANNELS.map(({ id }) => id))
    expect(data['next']).toBeNull()
    for (const channel of channels)
      expect((await world.ask('GET', `/channels/${channel.id}`)).data['channel']).toEqual(channel)
    expect(channels[0]).toMatchObject({
      fees: { covered: true },
      required: {
        required: ['amount', 'currency', 'channel', 'recipient'],
        properties: { recipient: { required: ['name', 'wallet'] } },
      },
    })
    expect(channels[0]?.currencies).toContainEqual({
      currency: 'PHP',
      min_amount: null,
      max_amount: null,
      fees: { covered: true, breakdown: { pct: 0.5, add: 10, min: 0, max: 250, fixed: 0 } },
    })
  })

  test.each(['nowhere', '__proto__', 'constructor', 'SANDBOX', '%00'])('%s is none', async (id) => {
    for (const path of [`/channels/${id}`, `/channels/${id}/policy`, `/channels/${id}/policy?version=1`]) {
      const { status, error } = await caller.ask('GET', path)
      expect({ status, code: error.code, param: error.param }).toEqual({
        status: 404,
        code: 'channel_not_found',
        param: 'id',
      })
    }
  })
})

describe('a policy', () => {
  const policyAt = async (uri: string, ask: (path: string) => Promise<Reply> = (path) => world.ask('GET', path)) => {
    const { pathname, search } = new URL(uri)
    const { status, data, text } = await ask(pathname + search)
    expect(status, text).toBe(200)
    return data['policy'] as Record<string, unknown> & {
      version: number
      versions: { version: number; since: string }[]
    }
  }

  test('is where a contract says it is, for anybody, and holds all that the channel promises', async () => {
    const { channel } = await caller.draft({ ...DRAFT, channel: 'batch' })
    const policy = await policyAt(channel!.policy.uri)
    expect(policy).toEqual({
      id: 'batch',
      version: 1,
      name: 'Batch',
      currencies: [
        {
          currency: 'PHP',
          min: 5,
          max: 5000,
          fees: { covered: true, breakdown: { pct: 0, add: 0, min: 0, max: 0, fixed: 2 } },
        },
      ],
      windows: CHANNELS.find(({ id }) => id === 'batch')!.windows,
      arrival: { within_seconds: 7200 },
      undo_seconds: 60,
      recall: false,
      bounces: true,
      collect: null,
      required: expect.objectContaining({ required: ['amount', 'currency', 'channel', 'recipient'] }),
      versions: [{ version: 1, since: expect.any(String) }],
    })
    expect(Math.abs(Date.now() - ms(policy.versions[0]!.since))).toBeLessThan(600_000)
    expect(await policyAt('http://gateway.test/channels/sandbox/policy')).toMatchObject({
      windows: null,
      arrival: null,
    })
  })

  test('stays for a contract that it priced when the channel has a new one, and when there is no such channel any more', async () => {
    const old = await caller.draft({ ...DRAFT, channel: 'dear' })
    const dearer = CHANNELS.map((each) =>
      each.id === 'dear' ? { ...each, currencies: { PHP: { fees: { fixed: 95 } } } } : each,
    )
    const next = await world.beside({ channels: dearer })
    const ask = (path: string) => next.ask('GET', path)
    const fee = (policy: Record<string, unknown>) => JSON.stringify(policy['currencies']).match(/"fixed":(\d+)/)?.[1]
    const uri = old.channel!.policy.uri
    expect(uri).toBe('http://gateway.test/channels/dear/policy?version=1')
    const [before, now] = [await policyAt(uri, ask), await policyAt('http://x/channels/dear/policy', ask)]
    expect([before.version, fee(before), now.version, fee(now)]).toEqual([1, '90', 2, '95'])
    expect(before.versions.map(({ version }) => version)).toEqual([1, 2])
    expect(ms(before.versions[1]!.since)).toBeGreaterThanOrEqual(ms(before.versions[0]!.since))
    const reply = await next.ask('POST', '/contracts/transfer', {
      body: { ...DRAFT, channel: 'dear' },
      headers: { 'x-api-key': caller.apiKey },
    })
    const { channel } = reply.data['contract'] as ContractBody
    expect(channel?.policy.uri).toBe('http://gateway.test/channels/dear/policy?version=2')
    expect(await policyAt(channel!.policy.uri, ask)).toEqual(now)
    await next.stop()
    const without = await world.beside({ channels: CHANNELS.filter(({ id }) => id !== 'dear') })
    expect(await policyAt(uri, (path) => without.ask('GET', path))).toEqual(before)
    expect((await without.ask('GET', '/channels/dear/policy')).status).toBe(404)
    await without.stop()
  })

  test.each([
    ['0', 400, 'invalid_version'],
    ['-1', 400, 'invalid_version'],
    ['x', 400, 'invalid_version'],
    ['1e3', 400, 'invalid_version'],
    ['9999999999', 400, 'invalid_version'],
    ['', 400, 'invalid_version'],
    ['1&version=2', 400, 'invalid_version'],
    ['99', 404, 'channel_not_found'],
  ])('?version=%s is %i', async (version, status, code) => {
    const reply = await world.ask('GET', `/channels/quick/policy?version=${version}`)
    expect({ status: reply.status, code: reply.error.code, param: reply.error.param }).toEqual({
      status,
      code,
      param: 'version',
    })
  })
})
