// The books of the installation over HTTP: a trial balance that balances, every row of the ledger once, proofs one at a time, and
// what providers said.
import { afterAll, expect, test, vi } from 'vitest'
import type { Reply } from '../../world.ts'
import { coded, type Person } from '../members/people.ts'
import { openStage, report, unknown } from './operations-stage.ts'

const stage = await openStage()
const { world, merchant, operator, approver } = stage
afterAll(() => stage.stop())

type Entry = {
  account_id: string
  wallet_id: string
  sequence: number
  debit: string
  credit: string
  contract_id: string | null
}
async function entries(query: string, by: Person = operator, limit = 3): Promise<Entry[]> {
  const found: Entry[] = []
  let next: string | null = null
  do {
    const after: string = next === null ? '' : `&after=${next}`
    const { data }: Reply = await by.ask('GET', `/operations/entries?limit=${limit}${query}${after}`)
    found.push(...(data['entries'] as Entry[]))
    next = data['next'] as string | null
  } while (next !== null)
  return found
}
const keyOf = ({ wallet_id: wallet, sequence }: Entry) => `${wallet} ${sequence}`

type Sum = { currency: string; debit: number; credit: number; is_balanced: boolean }
type Line = { account: string; currency: string; balance: number; kept: number | null }
async function balances() {
  const { data } = await approver.ask('GET', '/operations/balances')
  return { sums: data['sums'] as Sum[], lines: data['balances'] as Line[] }
}

test('the trial balance is zero together, and follows what moves', async () => {
  const first = await balances()
  expect(first.sums.map(({ currency, is_balanced }) => [currency, is_balanced])).toEqual([
    ['PHP', true],
    ['USD', true],
  ])
  expect(first.lines.filter(({ account }) => account === 'clearing:sandbox')).toEqual([])
  const id = await unknown(stage, 100)
  await report(stage, merchant, id, 'delivered')
  const { sums, lines } = await balances()
  expect(sums.every((sum) => sum.is_balanced && sum.debit === sum.credit)).toBe(true)
  const cleared = lines.find(({ account }) => account === 'clearing:sandbox')
  expect([cleared?.balance, cleared?.kept]).toEqual([100, null])
  const php = lines.filter(({ currency }) => currency === 'PHP')
  expect(php.reduce((sum, { balance }) => sum + balance, 0)).toBeCloseTo(0, 6)
})

test('several who ask at once count each row once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = await unknown(stage, 100)
    await report(stage, merchant, id, 'delivered')
    await Promise.all([balances(), balances(), balances()])
  }
  const [row] = await world.sql<{ is: string; counted: string }>(
    `select (select sum(amount_minor) from ledger)::text as is, (select sum(credit_minor) from ledger_totals)::text as counted`,
  )
  expect(row?.counted).toBe(row?.is)
})

test('a wallet that does not hold what its rows say is seen', async () => {
  const [row] = await world.sql<{ wallet_id: string }>(
    'select wallet_id from ledger_totals where account_id = $1 and account = $2 limit 1',
    [merchant.account.accountId, 'held'],
  )
  const shift = (by: number) =>
    world.sql(`update ledger_totals set credit_minor = credit_minor + $2 where wallet_id = $1 and account = 'held'`, [
      row?.wallet_id,
      by,
    ])
  await shift(1)
  expect((await balances()).sums.map((sum) => sum.is_balanced)).toContain(false)
  await shift(-1)
  expect((await balances()).sums.map((sum) => sum.is_balanced)).not.toContain(false)
})

test('every row of the ledger once, newest first, a page at a time; and those of one account, contract, or ledger account', async () => {
  // Rows that are old: between them and the newest nothing was written for a year.
  await world.sql(`update accounts set created_at = now() - interval '2 years'`)
  await world.sql(`update ledger set at = now() - interval '1 year' where account_id = $1 and sequence = 1`, [
    merchant.account.accountId,
  ])
  const all = await world.sql<{ key: string; at: number }>(
    `select wallet_id || ' ' || sequence as key from ledger order by at desc, wallet_id desc, sequence desc`,
  )
  expect((await entries('')).map(keyOf)).toEqual(all.map(({ key }) => key))
  const { accountId } = merchant.account
  const own = await entries(`&account_id=${accountId}`)
  expect(own.length).toBeGreaterThan(5)
  expect(new Set(own.map((each) => each.account_id))).toEqual(new Set([accountId]))
  const contractId = own.find((each) => each.contract_id !== null)?.contract_id ?? ''
  const ofContract = await entries(`&contract_id=${contractId}`)
  const stored = await world.sql('select 1 from ledger where contract_id = $1', [contractId])
  expect(ofContract).toHaveLength(stored.length)
  const cleared = await entries('&ledger_account=clearing:sandbox')
  expect(cleared.every(({ debit, credit }) => [debit, credit].includes('clearing:sandbox'))).toBe(true)
  expect(cleared.length).toBeGreaterThan(0)
  expect(await entries(`&contract_id=${contractId}&account_id=${world.other.account.accountId}`)).toEqual([])
  expect(await entries('&account_id=01890000-0000-7000-8000-000000000001')).toEqual([])
  expect(coded(await operator.ask('GET', '/operations/entries?after=x'))).toEqual([400, 'invalid_after'])
})

type Proof = { id: string; verdict: string | null; progress: number; started_by: string; findings: { proof: string }[] }
const proofOf = ({ data }: Reply) => data['proof'] as Proof
const prove = () => operator.ask('POST', '/operations/proofs', { body: {} })
const finished = (id: string) =>
  vi.waitFor(
    async () => {
      const proof = proofOf(await approver.ask('GET', `/operations/proofs/${id}`))
      expect(proof.verdict).not.toBeNull()
      return proof
    },
    { timeout: 60_000, interval: 50 },
  )

test('the books are proved in the background, one at a time, and what does not hold is kept', async () => {
  const started = proofOf(await prove())
  expect(started).toMatchObject({ verdict: null, started_by: operator.email })
  expect(coded(await prove())).toEqual([409, 'proof_running'])
  const done = await finished(started.id)
  // The rows that the test before moved in time.
  expect(done.progress).toBe(1)
  await world.sql(
    `update wallets set available_minor = available_minor + 1 where account_id = $1 and currency = 'PHP'`,
    [merchant.account.accountId],
  )
  const broken = await finished(proofOf(await prove()).id)
  expect(broken.verdict).toBe('broken')
  expect(broken.findings.length).toBeGreaterThan(0)
  await world.sql(
    `update wallets set available_minor = available_minor - 1 where account_id = $1 and currency = 'PHP'`,
    [merchant.account.accountId],
  )
  const { data } = await approver.ask('GET', '/operations/proofs?limit=1')
  expect((data['proofs'] as Proof[]).map(({ id }) => id)).toEqual([broken.id])
  expect(data['next']).toBe(broken.id)
})

test('one whose process died is interrupted by the next', async () => {
  await world.sql(
    `insert into proofs (id, started_by, beaten_at) values (gen_random_uuid(), 'gone', now() - interval '6 minutes')`,
  )
  const { id } = proofOf(await prove())
  await finished(id)
  expect(await world.sql(`select verdict from proofs where started_by = 'gone'`)).toEqual([{ verdict: 'interrupted' }])
})
