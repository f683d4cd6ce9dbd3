// What a dry run finds beside the price: what policies and the mandate of a key would say, and what looks as if it were paid twice.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openWorld, READY, type World } from '../../world.ts'
import { holderIn, make, PAYING } from '../accounts/key-stage.ts'
import { policiesOf } from '../policies/policy-stage.ts'
import { drafts, ended, give, rowsOf, run } from './command-stage.ts'

const LARGE = [{ field: 'amount', op: 'above', value: 200, currency: 'PHP' }]
const HEADER = 'amount,currency,channel,recipient.name,recipient.wallet'
const LINE = '77.50,PHP,sandbox,Ana Reyes,000123456700'
const lines = (count: number) =>
  Array.from({ length: count }, (_, i) => `${200 + i},PHP,sandbox,Ana Reyes,000123456700`)

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
  // Whoever sent a file is told the line of it, of this window of rows and of those before.
  const csv = [HEADER, LINE, ...lines(300), LINE, LINE].join('\n')
  const file = await run(caller, { type: 'transfers.payout', csv, dry_run: true })
  const ofFile = (await rowsOf(caller, file.id)).map(({ checks }) => [checks?.same_as_row, checks?.same_as_line])
  expect([ofFile[0], ...ofFile.slice(-2)]).toEqual([
    [null, null],
    [0, 2],
    [0, 2],
  ])
  expect(found[2]?.checks?.same_as_line).toBe(null)
  const theirs = await run(other, { type: 'transfers.payout', rows: [row], dry_run: true })
  expect((await rowsOf(other, theirs.id))[0]?.checks).toMatchObject({ same_as_row: null, paid_before: null })
})

test('rows show what the policies would say', async () => {
  const caller = await world.newCaller()
  const policy = async (body: object) => expect((await caller.ask('POST', '/policies', { body })).status).toBe(200)
  const above = (value: number) => [{ field: 'amount', op: 'above', value, currency: 'PHP' }] as const
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

test('of a dry run only the rows that somebody should look at are listed', async () => {
  const caller = await world.newCaller()
  const body = { name: 'Large ones later', when: LARGE, then: { kind: 'delay', seconds: 60 } }
  expect((await caller.ask('POST', '/policies', { body })).status).toBe(200)
  const rows = [100, 300, 120, 100].map((amount) => ({ ...READY, amount }))
  const dry = await run(caller, { type: 'transfers.payout', rows, dry_run: true })
  const listed = async (query: string) => {
    const { data } = await caller.ask('GET', `/commands/${dry.id}/rows?${query}`)
    return (data['rows'] as { index: number }[]).map(({ index }) => index)
  }
  expect(await listed('flagged=true')).toEqual([1, 3])
  expect(await listed('flagged=true&status=failed')).toEqual([])
  expect(await listed('flagged=true&after=1')).toEqual([3])
  expect(await listed('flagged=false')).toEqual([0, 1, 2, 3])
  const url = `/commands/${dry.id}/rows?flagged=true&format=csv`
  const csv = await world.gateway.app.inject({ url, headers: { 'x-api-key': caller.apiKey } })
  expect(csv.body.trimEnd().split('\r\n')).toHaveLength(3)
  // What pays for real says nothing of the kind.
  const real = await run(caller, { type: 'transfers.create', rows })
  const { data } = await caller.ask('GET', `/commands/${real.id}/rows?flagged=true`)
  expect(data['rows']).toEqual([])
  expect((await caller.ask('GET', `/commands/${real.id}/rows?flagged=yes`)).status).toBe(400)
})

test('rows of earlier windows took from the wallets that they name', async () => {
  const caller = await world.newCaller()
  const byDefault = await caller.wallet('PHP')
  const { data } = await caller.ask('POST', '/wallets', { body: { currency: 'PHP', label: 'Payroll' } })
  const { id: source } = data['wallet'] as { id: string }
  const amount = 1000
  const { id } = await caller.issued({ amount: amount * 300, channel: 'wallet', recipient: { wallet: source } })
  // Ids are the same in capitals.
  const paid = await caller.ask('PUT', `/contracts/transfer/${id}/pay`, {
    body: { source: byDefault.id.toUpperCase() },
  })
  expect(paid.status, paid.text).toBe(200)
  await expect.poll(async () => (await caller.get(id)).status, { timeout: 30_000 }).toBe('completed')
  // More than one window names the wallet, and has little left there; then comes what only the other one can pay.
  const named = Array.from({ length: 280 }, () => ({ ...READY, amount, source: source.toUpperCase() }))
  const rest = { ...READY, amount: 600_000 }
  const dry = await run(caller, {
    type: 'transfers.payout',
    rows: [...named, rest, { ...named[0], amount: 20_000 }],
    dry_run: true,
  })
  const found = await rowsOf(caller, dry.id)
  const codes = found.map(({ status, error }) => error?.code ?? status)
  expect(new Set(codes.slice(0, 281))).toEqual(new Set(['done']))
  expect(codes.at(-1)).toBe('insufficient_funds')
})

describe('the mandate of the key', () => {
  const SCOPES = [...PAYING, 'commands:read', 'commands:write']
  const WALLET = '000123456789'
  const MOBILE = '+639171234561'
  const STRANGER = { ...READY, recipient: { name: 'Ana Reyes', wallet: '000987654321' } }
  const ELSEWHERE = { ...READY, channel: 'gcash', recipient: { name: 'Ana Reyes', wallet: WALLET, mobile: MOBILE } }
  const PAYEE = { wallet: WALLET, mobile: MOBILE }
  const limit = (total: number, more: object = {}) => ({ limits: [{ currency: 'PHP', total, ...more }] })

  /** Runs commands by a key of the account with a mandate; what became of each row. */
  async function keyOf(owner: Caller, mandate: object | null) {
    const key = holderIn(world)(await make(owner, { scopes: SCOPES, ...(mandate && { mandate }) }))
    const rowsBy = async (body: {
      readonly rows: readonly object[]
      readonly dry_run?: true
      readonly type?: string
    }) => {
      if (body.rows.length === 0) return []
      const { id } = await give(key, { type: 'transfers.payout', ...body })
      await ended(owner, id)
      return (await rowsOf(owner, id)).map(({ status, error }) => ({
        said: error?.code ?? status,
        param: error?.param ?? null,
      }))
    }
    return {
      tries: (rows: readonly object[]) => rowsBy({ rows, dry_run: true }),
      pays: (rows: readonly object[]) => rowsBy({ rows }),
      triesIssued: (rows: readonly object[]) => rowsBy({ rows, type: 'transfers.pay', dry_run: true }),
      paysIssued: (rows: readonly object[]) => rowsBy({ rows, type: 'transfers.pay' }),
    }
  }
  const DONE = { said: 'done', param: null }
  const beyond = (param: string) => ({ said: 'mandate_exceeded', param })

  test('rows show that they are above it, to a stranger and by another channel; without one they are as before', async () => {
    const owner = await world.newCaller()
    const rows = [{ ...READY, amount: 6000 }, STRANGER, ELSEWHERE, { ...READY, amount: 2000 }, READY]
    const recipients = [PAYEE]
    const mandate = {
      ...limit(100_000, { per_transfer: 5000, approval_above: 1000 }),
      recipients,
      channels: ['sandbox'],
    }
    const bounded = await keyOf(owner, mandate)
    const free = await keyOf(owner, null)
    expect(await bounded.tries(rows)).toEqual([beyond('amount'), beyond('recipient'), beyond('channel'), DONE, DONE])
    expect(await free.tries(rows)).toEqual(rows.map(() => DONE))
    const byOwner = await run(owner, { type: 'transfers.payout', rows, dry_run: true })
    expect(byOwner.progress).toMatchObject({ done: rows.length, failed: 0 })
  })

  test('rows before a row took of its total, and so did what has left', async () => {
    const key = await keyOf(await world.newCaller(), limit(350))
    expect(await key.pays([READY])).toEqual([DONE])
    // 110.50 each, with their fees, of the 239.50 that remain.
    expect(await key.tries([READY, READY, READY, { ...READY, amount: 5 }])).toEqual([
      DONE,
      DONE,
      beyond('amount'),
      DONE,
    ])
    // Nothing of that is kept.
    expect(await key.tries([READY])).toEqual([DONE])
  })

  test('rows of earlier windows took of its total', async () => {
    const passing = 260
    const key = await keyOf(await world.newCaller(), limit(passing * 110.5))
    const found = await key.tries(Array.from({ length: passing + 3 }, () => READY))
    expect(found.slice(0, passing)).toEqual(Array.from({ length: passing }, () => DONE))
    expect(found.slice(passing)).toEqual([beyond('amount'), beyond('amount'), beyond('amount')])
  })

  const deniesAbove = (value: number) => ({
    name: 'No large ones',
    when: [{ field: 'amount', op: 'above', value, currency: 'PHP' }],
    then: { kind: 'deny', words: 'Too much at a time.' },
  })
  const DENIED = { said: 'policy_denied', param: 'amount' }
  /** More rows than are worked on at once, of which nothing comes. */
  const WINDOW = Array.from({ length: 257 }, () => ({ ...READY, amount: -1 }))

  test('rows that a policy denies take nothing of its total, in their window and after it', async () => {
    const owner = await world.newCaller()
    await policiesOf(owner).make(deniesAbove(250))
    const key = await keyOf(owner, limit(350))
    const rows = [{ ...READY, amount: 300 }, READY, { ...READY, amount: 200 }, READY]
    // 310.50, which it may not, 110.50, 210.50, and 110.50 of the 29 that remain.
    expect(await key.tries(rows)).toEqual([DENIED, DONE, DONE, beyond('amount')])
    const [large, ...others] = rows
    const found = await key.tries([large!, ...WINDOW, ...others])
    expect([found[0], ...found.slice(-3)]).toEqual([DENIED, DONE, DONE, beyond('amount')])
  })

  test('contracts that are paid already take nothing of it, and none takes twice', async () => {
    const owner = await world.newCaller()
    const key = await keyOf(owner, limit(3 * 110.5))
    const [first, second, third] = await Promise.all(
      [1, 2, 3].map(async () => ({ id: (await owner.issued(READY)).id })),
    )
    expect(await key.paysIssued([first!, second!])).toEqual([DONE, DONE])
    const paid = WINDOW.map((_, i) => (i % 2 === 0 ? first! : second!))
    const rows = [third!, ...paid, third!, { id: third!.id.toUpperCase() }]
    expect(await key.triesIssued(rows)).toEqual(rows.map(() => DONE))
    const { data } = await owner.ask('GET', '/commands?limit=1')
    const [{ id }] = data['commands'] as [{ id: string }]
    const { data: shown } = await owner.ask('GET', `/commands/${id}`)
    // What they come to is told as before.
    const debit = rows.length * 110.5
    expect(shown['sums']).toMatchObject([{ status: 'done', rows: rows.length, debit }])
    expect(await key.paysIssued(rows)).toEqual(rows.map(() => DONE))
    await world.ledgerHolds()
  }, 120_000)

  const row = fc
    .tuple(fc.constantFrom(READY, STRANGER, ELSEWHERE), fc.integer({ min: 20, max: 600 }))
    .map(([draft, amount]) => ({ ...draft, amount }))
  const mandates = fc.record({
    total: fc.integer({ min: 100, max: 2500 }),
    bound: fc.constantFrom<object>({}, { per_transfer: 400 }),
    more: fc.constantFrom<object>({}, { channels: ['sandbox'] }, { recipients: [PAYEE] }),
  })
  /** Where the rows of a window end. */
  const cut = fc.integer({ min: 0, max: 12 })
  type Said = { readonly said: string }
  type Runs = Record<'tries' | 'pays', (rows: readonly object[]) => Promise<readonly Said[]>>

  /** Tries the rows with a window of others in their midst: those that pass are paid when they are run, and the rest is refused after them. */
  async function runsAsTried({ tries, pays }: Runs, rows: readonly object[], at: number, window: readonly object[]) {
    const place = Math.min(at, rows.length)
    const tried = await tries([...rows.slice(0, place), ...window, ...rows.slice(place)])
    const found = [...tried.slice(0, place), ...tried.slice(place + window.length)]
    const passing = rows.filter((_, i) => found[i]?.said === 'done')
    const others = rows.filter((_, i) => found[i]?.said !== 'done')
    expect(await pays(passing)).toEqual(passing.map(() => DONE))
    expect(await pays(others)).toEqual(found.filter(({ said }) => said !== 'done'))
  }

  test('rows that pass are paid when they are run, and those that do not are refused after them', async () => {
    const owner = await world.newCaller()
    await policiesOf(owner).make(deniesAbove(450))
    await fc.assert(
      fc.asyncProperty(mandates, fc.array(row, { minLength: 4, maxLength: 12 }), cut, async (made, rows, at) => {
        const key = await keyOf(owner, { ...limit(made.total, made.bound), ...made.more })
        await runsAsTried({ tries: key.tries, pays: key.pays }, rows, at, WINDOW)
      }),
      { numRuns: 8 },
    )
    await world.ledgerHolds()
  }, 120_000)

  test('the same of contracts, some of them paid before, and some named twice', async () => {
    const owner = await world.newCaller()
    await policiesOf(owner).make(deniesAbove(450))
    const contracts = fc.array(fc.tuple(row, fc.boolean()), { minLength: 3, maxLength: 8 })
    const named = fc.array(fc.nat(), { minLength: 4, maxLength: 14 })
    await fc.assert(
      fc.asyncProperty(mandates, contracts, named, cut, async (made, drafted, picks, at) => {
        const key = await keyOf(owner, { ...limit(made.total, made.bound), ...made.more })
        const issued = await Promise.all(drafted.map(([draft]) => owner.issued(draft)))
        await key.paysIssued(issued.filter((_, i) => drafted[i]?.[1]).map(({ id }) => ({ id })))
        const rows = picks.map((pick) => ({ id: issued[pick % issued.length]!.id }))
        const nobodys = WINDOW.map(() => ({ id: randomUUID() }))
        await runsAsTried({ tries: key.triesIssued, pays: key.paysIssued }, rows, at, nobodys)
      }),
      { numRuns: 8 },
    )
    await world.ledgerHolds()
  }, 120_000)
})
