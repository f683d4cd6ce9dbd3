// What a dry run finds beside the price: what policies would say, and what looks as if it were paid twice.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, READY, type World } from '../../world.ts'
import { drafts, rowsOf, run } from './command-stage.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stop())

test('rows show what is paid twice, in the command or lately, and nothing of other accounts', async () => {
  const [caller, other] = [await world.newCaller(), await world.newCaller()]
  const [row] = drafts(1)
  const real = await run(caller, { type: 'transfers.payout', rows: [row] })
  const [paid] = await rowsOf(caller, real.id)
  await caller.ask('GET', '/search?q=100')
  const rows = [row, { ...row, amount: 55 }, row, ...drafts(300).slice(1), { ...row, amount: 55 }]
  const dry = await run(caller, { type: 'transfers.payout', rows, dry_run: true })
  expect(dry.progress).toMatchObject({ done: rows.length })
  const found = await rowsOf(caller, dry.id)
  expect(found[0]?.checks).toMatchObject({ same_as_row: null, paid_before: { contract_id: paid?.contract_id } })
  expect(found[1]?.checks).toMatchObject({ same_as_row: null, paid_before: null, denied: null, approvals: [] })
  expect(found[2]?.checks?.same_as_row).toBe(0)
  expect(found.at(-1)?.checks?.same_as_row).toBe(1)
  const theirs = await run(other, { type: 'transfers.payout', rows: [row], dry_run: true })
  expect((await rowsOf(other, theirs.id))[0]?.checks).toMatchObject({ same_as_row: null, paid_before: null })
})

test('rows show what the policies would say', async () => {
  const caller = await world.newCaller()
  const policy = async (body: object) => expect((await caller.ask('POST', '/policies', { body })).status).toBe(200)
  const above = (value: number) => [{ field: 'amount', op: 'above', value, currency: 'PHP' }]
  await policy({ name: 'No large ones', when: above(500), then: { kind: 'deny', words: 'Too much at a time.' } })
  await policy({ name: 'Two look', when: above(200), then: { kind: 'approvals', count: 2, role: 'approver' } })
  const rows = [100, 300, 600].map((amount) => ({ ...READY, amount }))
  const dry = await run(caller, { type: 'transfers.payout', rows, dry_run: true })
  const found = await rowsOf(caller, dry.id)
  expect(found.map(({ status, error }) => error?.code ?? status)).toEqual(['done', 'done', 'policy_denied'])
  expect(found[0]?.checks).toMatchObject({ denied: null, approvals: [] })
  expect(found[1]?.checks?.approvals).toMatchObject([{ name: 'Two look', count: 2 }])
  expect(found[2]?.checks?.denied).toMatchObject({ name: 'No large ones', words: 'Too much at a time.' })
})
