// Policies of fees: what a draft costs, which version said so and that it binds, tiers by amount and by volume, and what a trial, a
// comparison and a rehearsal say of it.
import { afterAll, expect, test } from 'vitest'
import { type Caller, openWorld, type Reply } from '../../world.ts'
import { READY } from '../../world-caller.ts'
import { policiesOf, told } from './policy-stage.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

type PricedBy = { policy: string; version: number; tier: number; measured: number } | null
type Priced = {
  id: string
  status: string
  version: number
  preview: { amount: number; receive_amount: number; fees: { total: number; breakdown: object; policy: PricedBy } }
}
const tier = (fields: object) => ({ up_to: null, pct: 0, add: 0, min: 0, max: 0, ...fields })
const TIERS = [tier({ up_to: 1_000, add: 50 }), tier({ pct: 10, max: 500 })]
const then = { kind: 'fees', channel: 'sandbox', currency: 'PHP', by: 'amount', tiers: TIERS }
const FEES = { name: 'Fees of 2026', then }
const contractIn = ({ data }: Reply) => data['contract'] as Priced
const draft = async (payer: Caller, amount: number, fields = {}) =>
  contractIn(await payer.ask('POST', '/contracts/transfer', { body: { ...READY, amount, ...fields } }))
const put = async (payer: Caller, id: string, verb: string) =>
  contractIn(await payer.ask('PUT', `/contracts/transfer/${id}/${verb}`, { body: {} }))
const pricedBy = ({ preview: { fees } }: Priced) => [
  fees.total,
  fees.policy?.version ?? null,
  fees.policy?.tier ?? null,
]

test('a draft is priced by its tier, by the version of that moment, and that binds', async () => {
  const payer = await world.newCaller()
  const mine = policiesOf(payer)
  const own = (await draft(payer, 1_000)).preview.fees
  expect(own.policy).toBeNull()
  const { id, sentence } = await mine.make(FEES)
  expect(sentence).toContain('Transfers in PHP by the channel sandbox cost by their amount up to PHP 1,000.00')
  const low = await draft(payer, 1_000)
  const high = await draft(payer, 1_000.01)
  expect([pricedBy(low), pricedBy(high)]).toEqual([
    [50, 1, 1],
    [100, 1, 2],
  ])
  expect(low.preview.fees).toMatchObject({ breakdown: { add: 50 }, policy: { policy: id, measured: 1_000 } })
  expect(low.preview.amount - low.preview.receive_amount).toBe(50)
  await mine.patch(id, { then: { tiers: [tier({ add: 77 })] } })
  const issued = await put(payer, low.id, 'issue')
  const paid = await put(payer, low.id, 'pay')
  expect([pricedBy(issued), pricedBy(paid), paid.status]).toEqual([[50, 1, 1], [50, 1, 1], 'paid'])
  const changed = contractIn(await payer.ask('PATCH', `/contracts/transfer/${high.id}`, { body: { amount: 2_000 } }))
  expect(pricedBy(changed)).toEqual([77, 2, 1])
  const same = contractIn(await payer.ask('PATCH', `/contracts/transfer/${high.id}`, { body: { channel: 'sandbox' } }))
  expect(same.version).toBe(changed.version)
  await mine.archive(id)
  expect((await draft(payer, 1_000)).preview.fees).toEqual(own)
  const theirs = await draft(world.other, 1_000)
  expect(theirs.preview.fees.policy).toBeNull()
})

test('nothing is cheaper than the channel itself, and the first that applies is taken', async () => {
  const payer = await world.newCaller()
  const mine = policiesOf(payer)
  const own = (await draft(payer, 1_000)).preview.fees
  await mine.make({ ...FEES, priority: 2, then: { ...then, tiers: [tier({})] } })
  expect((await draft(payer, 1_000)).preview.fees).toEqual(own)
  const abroad = [{ field: 'recipient.country', op: 'in', values: ['SG'] }]
  await mine.make({ ...FEES, priority: 1, when: abroad, then: { ...then, tiers: [tier({ add: 90 })] } })
  expect((await draft(payer, 1_000)).preview.fees).toEqual(own)
  const recipient = { ...(READY['recipient'] as object), country: 'SG' }
  expect(pricedBy(await draft(payer, 1_000, { recipient }))).toEqual([90, 1, 1])
})

test('by volume: what was paid in 30 days before chooses the tier, those from before the policy, too, and not what came back', async () => {
  const payer = await world.newCaller({ funds: { PHP: 100_000_00n } })
  const mine = policiesOf(payer)
  const before = await payer.issued({ amount: 400 })
  await put(payer, before.id, 'pay')
  const tiers = [tier({ up_to: 1_000, add: 60 }), tier({ add: 50 })]
  await mine.make({ ...FEES, then: { ...then, by: 'volume', tiers } })
  const first = await draft(payer, 601)
  expect([pricedBy(first), first.preview.fees.policy?.measured]).toEqual([[60, 1, 1], 400])
  await put(payer, first.id, 'issue')
  await put(payer, first.id, 'pay')
  const second = await draft(payer, 10)
  expect([pricedBy(second), second.preview.fees.policy?.measured]).toEqual([[50, 1, 2], 1_001])
  expect((await payer.ask('DELETE', `/contracts/transfer/${before.id}`)).status).toBe(200)
  expect((await draft(payer, 10)).preview.fees.policy?.measured).toBe(601)
})

test('of many at once each is priced by what was paid before it, and no volume is lost', async () => {
  const payer = await world.newCaller({ funds: { PHP: 100_000_00n } })
  const tiers = [tier({ up_to: 500, add: 60 }), tier({ add: 50 })]
  await policiesOf(payer).make({ ...FEES, then: { ...then, by: 'volume', tiers } })
  const all = await Promise.all(
    Array.from({ length: 60 }, async () => {
      const { id } = await draft(payer, 20)
      await put(payer, id, 'issue')
      return put(payer, id, 'pay')
    }),
  )
  for (const { preview } of all) {
    const { fees, amount } = preview
    expect([fees.total, amount - preview.receive_amount]).toEqual(Array(2).fill(fees.policy!.measured <= 500 ? 60 : 50))
  }
  expect((await draft(payer, 10)).preview.fees.policy?.measured).toBe(1_200)
})

test('a comparison, a trial and a rehearsal say the same', async () => {
  const payer = await world.newCaller({ funds: { PHP: 100_000_00n } })
  const mine = policiesOf(payer)
  const charged = await draft(payer, 2_000)
  await put(payer, charged.id, 'issue')
  await put(payer, charged.id, 'pay')
  const rehearsed = await mine.done('POST', '/policies/rehearse', { policy: FEES })
  const { currencies, policies } = rehearsed.data['rehearsal'] as {
    currencies: { fees: object }[]
    policies: { applied: number; met: number }[]
  }
  expect(currencies[0]?.fees).toEqual({ charged: charged.preview.fees.total, would_be: 200 })
  expect(policies).toMatchObject([{ applied: 1, met: 1 }])
  const sent = { ...READY, amount: 2_000 }
  const tried = await mine.done('POST', '/policies/evaluate', { policy: FEES, draft: sent })
  const { fees, traces } = tried.data['evaluation'] as { fees: object; traces: { conditions: { words: string }[] }[] }
  expect(fees).toMatchObject({ policy: null, tier: 2, total: 200, channel_total: charged.preview.fees.total })
  expect(traces[0]?.conditions.map(({ words }) => words)).toEqual(['by the channel sandbox', 'in PHP'])
  await mine.make(FEES)
  const compared = await mine.done('POST', '/channels/compare', sent)
  const offers = compared.data['channels'] as { channel: { id: string }; preview: Priced['preview'] }[]
  expect(offers.find(({ channel }) => channel.id === 'sandbox')?.preview.fees).toMatchObject({
    total: 200,
    policy: { version: 1, tier: 2 },
  })
  expect((await draft(payer, 2_000)).preview.fees.total).toBe(200)
})

test.each<[string, object, string]>([
  ['no tiers', { tiers: null }, 'then.tiers'],
  ['a channel that is none', { channel: 'gcahs' }, 'then.channel'],
  ['a currency that is none', { currency: 'XXX' }, 'then.currency'],
  ['a last tier with an end', { tiers: [tier({ up_to: 5 })] }, 'then.tiers.0.up_to'],
  ['ends that do not rise', { tiers: [tier({ up_to: 5 }), tier({ up_to: 5 }), tier({})] }, 'then.tiers.1.up_to'],
  ['a tier without an end before the last', { tiers: [tier({}), tier({})] }, 'then.tiers.0.up_to'],
  ['a minimum above the maximum', { tiers: [tier({ min: 5, max: 4 })] }, 'then.tiers.0.min'],
  ['more than the whole', { tiers: [tier({ pct: 101 })] }, 'then.tiers.0.pct'],
  ['a fraction too long', { tiers: [tier({ add: 0.001 })] }, 'then.tiers.0.add'],
  ['less than nothing', { tiers: [tier({ add: -1 })] }, 'then.tiers.0.add'],
])('%s is refused by its place', async (_, fields, param) => {
  const reply = await world.caller.ask('POST', '/policies', { body: { ...FEES, then: { ...then, ...fields } } })
  expect([reply.status, reply.error.param]).toEqual([400, param])
})

test('what is not known of a draft is no condition of fees', async () => {
  const when = [{ field: 'hour', from: 8, to: 18 }]
  const reply = await world.caller.ask('POST', '/policies', { body: { ...FEES, when } })
  expect(told(reply)).toEqual([400, 'invalid_when_field', 'when.0.field'])
})
