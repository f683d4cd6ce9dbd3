// The index of search against what is written: whatever is created and changed, in whatever order, and however often indexing is
// killed and begun again, each contract is found by what it is now, not by what it was, and never by another account.
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { catchUp, indexPage } from '../../src/app/resources/indexing.ts'
import { openWorld } from '../world.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(() => world.stop())

const NAMES = ['Ana Reyes', 'Ben Cruz', 'Juan dela Cruz', 'Ma. Luisa Peña', '李明', 'Ñoño O’Brien']
const WALLETS = ['000123456789', '9988-7766-5544', '0001 2222 6789']
const REFERENCES = ['INV-1', 'inv 2', 'A:1', 'x'.repeat(120), '1,500.00']
const fields = fc.record({
  amount: fc.constantFrom(1, 1500, 99.5),
  deliverable: fc.record({ reference_id: fc.constantFrom(...REFERENCES) }),
  recipient: fc.record({
    name: fc.constantFrom(...NAMES),
    wallet: fc.constantFrom(...WALLETS),
    email: fc.constantFrom('a@x.ph', 'B@X.ph'),
    country: fc.constant('PH'),
  }),
  metadata: fc.dictionary(fc.constantFrom('order', 'Team'), fc.constantFrom('1', 'north'), { maxKeys: 2 }),
})
type Fields = typeof fields extends fc.Arbitrary<infer F> ? F : never
const step = fc.record({ of: fc.nat(3), fields, index: fc.constantFrom('no', 'a page', 'killed') })

/** What a person would type for these fields, each with what the contract must have then. */
const queriesFor = ({ amount, deliverable, recipient, metadata }: Fields) =>
  [
    [recipient.name, (it: Fields) => it.recipient.name === recipient.name],
    [recipient.wallet.replaceAll(/\D/g, ''), (it: Fields) => digits(it.recipient.wallet) === digits(recipient.wallet)],
    [
      digits(recipient.wallet).slice(-4),
      (it: Fields) => digits(it.recipient.wallet).endsWith(digits(recipient.wallet).slice(-4)),
    ],
    [recipient.email.toUpperCase(), (it: Fields) => it.recipient.email.toLowerCase() === recipient.email.toLowerCase()],
    [`PHP ${amount}`, (it: Fields) => it.amount === amount],
    ...(deliverable.reference_id === '1,500.00'
      ? []
      : [
          [deliverable.reference_id, (it: Fields) => it.deliverable.reference_id === deliverable.reference_id] as const,
        ]),
    ...Object.entries(metadata).map(
      ([name, value]) => [`${name}: ${value}`, (it: Fields) => it.metadata[name] === value] as const,
    ),
  ] as readonly (readonly [query: string, has: (it: Fields) => boolean])[]
const digits = (text: string) => text.replaceAll(/\D/g, '')

test('each contract is found by what it is, and not by what it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const caller = await world.newCaller()
      const now = new Map<string, Fields>()
      for (const { of, fields: wanted, index } of steps) {
        const known = [...now.keys()][of]
        const metadata = { order: null, Team: null, ...wanted.metadata }
        if (known) await caller.update(known, { ...wanted, metadata })
        const id = known ?? (await caller.draft(wanted)).id
        now.set(id, wanted)
        await indexed(caller.account, index)
      }
      for (const wanted of now.values()) {
        for (const [query, has] of queriesFor(wanted)) {
          const expected = [...now]
            .filter(([, it]) => has(it))
            .map(([id]) => id)
            .toSorted()
            .toReversed()
          expect(await idsFound(caller, query), query).toEqual(expected)
          expect(await idsFound(world.other, query), query).toEqual([])
        }
      }
    }),
    { numRuns: 25 },
  )
})

type Key = { readonly lane: number; readonly accountId: string }

/** Killed: the database undoes the page, as it does where the process or its connection ends within it. */
async function indexed(key: Key, how: string): Promise<void> {
  const { search } = world.gateway.deps
  if (how === 'a page') await indexPage(search, key)
  if (how !== 'killed') return
  const before = await stored(key)
  await world.sql(`alter table search_progress add constraint killed check (position < 0) not valid`)
  await expect(indexPage(search, key)).rejects.toThrow(/killed/)
  await world.sql(`alter table search_progress drop constraint killed`)
  expect(await stored(key)).toEqual(before)
}

const stored = ({ accountId }: Key) =>
  world.sql(`select term, object_id from search_terms where account_id = $1 order by 1, 2`, [accountId])

async function idsFound(who: typeof world.caller, query: string): Promise<string[]> {
  const lines = await who.all<{ id: string }>(`/search?q=${encodeURIComponent(query)}`, 'results', 3)
  return lines.map(({ id }) => id)
}

test('two that index the same at once write it once, and a search behind says until when it is', async () => {
  const caller = await world.newCaller()
  for (let i = 0; i < 4; i++) await caller.draft({ recipient: { name: `Twin ${i}`, wallet: '1', country: 'PH' } })
  const neighbour = await world.beside()
  const { search } = world.gateway.deps
  await Promise.all([catchUp(search, caller.account), catchUp(search, caller.account), catchUp(search, caller.account)])
  expect(await idsFound(caller, 'twin')).toHaveLength(4)
  await neighbour.stop()
  await writeSteps(caller, 2100)
  const behind = await caller.ask('GET', '/search?q=twin')
  expect(Date.parse(behind.data['indexed_until'] as string)).toBeLessThanOrEqual(Date.now())
  const later = await caller.ask('GET', '/search?q=twin')
  expect(later.data['indexed_until']).toBeNull()
})

test('a crowd of searches takes in what was written once together, and leaves the rest to the next', async () => {
  const caller = await world.newCaller()
  await caller.draft({ recipient: { name: 'Crowd', wallet: '1', country: 'PH' } })
  await writeSteps(caller, 12_000)
  const replies = await Promise.all(Array.from({ length: 100 }, () => caller.ask('GET', '/search?q=crowd')))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  // Each with eight pages of its own would have taken in all of it, and waited for the others' meanwhile.
  expect(replies.filter(({ data }) => data['indexed_until'] === null)).toEqual([])
})

/** As if much had been written: the page that a search reads is not the last one. */
async function writeSteps({ account: { lane, accountId } }: typeof world.caller, count: number): Promise<void> {
  const [{ position }] = (await world.sql<{ position: number }>(
    `select position::int from accounts where account_id = $1`,
    [accountId],
  )) as [{ position: number }]
  await world.sql(
    `insert into contract_versions (lane, account_id, position, contract_id, version, at, document)
     select v.lane, v.account_id, $2 + n, v.contract_id, v.version + n, v.at, v.document
       from contract_versions v, generate_series(1, ${count}) n where v.account_id = $1 and v.position = $2`,
    [accountId, position],
  )
  await world.sql(`update accounts set position = $2 where lane = $3 and account_id = $1`, [
    accountId,
    position + count,
    lane,
  ])
}
