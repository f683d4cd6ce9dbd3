// What the database takes and will take: kept rows by every contract, pruned ones by those of their own time; and that every table
// that is pruned says for how long it is kept, in the same words as its sweep.
import { afterAll, expect, test } from 'vitest'
import { databaseSize, type SizedTable, sizedUp } from '../../src/app/operator/size.ts'
import { openPlannedSession } from '../../src/main/database/database.ts'
import { OLD_ROWS } from '../../src/store/contracts/old-rows.ts'
import { openWorld } from '../world.ts'

const table = (name: string, keptDays: SizedTable['keptDays'], rows: number, bytes: number): SizedTable => ({
  table: name,
  keptDays,
  rows,
  deadRows: 0,
  tableBytes: bytes / 2,
  indexBytes: bytes / 2,
})
const TABLES = [
  table('contracts', 'always', 1000, 2_000_000),
  table('ledger', 'always', 8000, 8_000_000),
  table('idempotency_keys', 7, 800, 80_000),
  table('access_tokens', null, 5, 8000),
]
/** 100 a day for ten days, of which today is not over. */
const MADE = new Map([[0, 20], ...Array.from({ length: 9 }, (_, i) => [i + 1, 100] as const)])

test('a contract leaves what it leaves for good, and what its own time has left of it', () => {
  const size = sizedUp(TABLES, MADE, null)
  expect(size).toMatchObject({ bytes: 10_088_000, contracts: 1000, contractsPerDay: 100 })
  // 80,000 bytes of the 720 contracts of seven days and today.
  expect(size.bytesPerContract?.kept).toBe(10_000)
  expect(size.bytesPerContract?.pruned).toBeCloseTo(80_000 / 720, 6)
  expect(size.forecast).toMatchObject({ contractsPerDay: 100, bytesPerDay: 1_000_000, bytesPerYear: 365_000_000 })
  expect(size.forecast?.prunedBytes).toBeCloseTo((80_000 / 720) * 700, 6)
})

test('what is old is what was not made lately, at what a contract leaves for good', () => {
  expect(sizedUp(TABLES, MADE, null).old).toEqual({ days: 90, contracts: 80, bytes: 800_000, removableBytes: 0 })
  const more = new Map([...MADE, [90, 30] as const, [91, 50] as const])
  expect(sizedUp(TABLES, more, null).old.contracts).toBe(50)
  // Rows are estimates: none is fewer than none.
  expect(sizedUp(TABLES, new Map([[1, 2000]]), null).old).toEqual({
    days: 90,
    contracts: 0,
    bytes: 0,
    removableBytes: 0,
  })
})

test('words for search may leave: what they take of what is old, and the year without them', () => {
  const words = (keptDays: SizedTable['keptDays']) => table('search_terms', keptDays, 25_000, 1_800_000)
  const kept = sizedUp([...TABLES, words('always')], MADE, null)
  expect(kept.old).toEqual({ days: 90, contracts: 80, bytes: 944_000, removableBytes: 144_000 })
  expect(kept.forecast).toMatchObject({ bytesPerYear: 430_700_000, bytesPerYearWithRemoval: 365_000_000 })
  const leaving = sizedUp([...TABLES, words(90)], MADE, null)
  expect(leaving.old.removableBytes).toBe(0)
  expect(leaving.forecast).toMatchObject({ bytesPerYear: 365_000_000, bytesPerYearWithRemoval: 365_000_000 })
})

test('documents of superseded versions may leave: what they take of a contract, and the year without them', () => {
  const versions = table('contract_versions', 'always', 5000, 4_000_000)
  const facts = { days: null, accounts: 3, archived: 1, averageBytes: 640, shareThere: 1 }
  const kept = sizedUp([...TABLES, versions], MADE, null, facts)
  // Four of five versions, 500 bytes of each.
  expect(kept.documents).toEqual({ days: null, bytesPerContract: 2000, oldBytes: 160_000, accounts: 3, archived: 1 })
  expect(kept.forecast?.bytesPerYearWithRemoval).toBe(511_000_000)
  expect(kept.forecast?.bytesPerYearWithoutDocuments).toBe(438_000_000)
  const left = sizedUp([...TABLES, versions], MADE, null, { ...facts, days: 90, shareThere: 0.2 })
  expect(left.documents).toMatchObject({ days: 90, bytesPerContract: 0 })
})

test('another rate is forecast, and nothing is where nothing is known', () => {
  expect(sizedUp(TABLES, MADE, 10).forecast).toMatchObject({ contractsPerDay: 864_000, bytesPerDay: 8.64e9 })
  const idle = sizedUp(TABLES, new Map(), null)
  expect(idle).toMatchObject({ contractsPerDay: null, forecast: null, bytesPerContract: { pruned: 0 } })
  const empty = sizedUp([table('contracts', 'always', 0, 8192)], new Map(), 10)
  expect(empty).toMatchObject({ contracts: 0, bytesPerContract: null, forecast: null })
})

test('the sweep and the words say the same of every table that is pruned', () => {
  // Those that carry their end themselves name no days.
  const said = OLD_ROWS.flatMap(({ table: name, isOld, days }) => {
    const inSweep = /interval '(\d+) days'/.exec(isOld)?.[1]
    return inSweep === undefined ? [] : [{ name, days, inSweep: Number(inSweep) }]
  })
  expect(said.length).toBeGreaterThan(5)
  expect(said.filter(({ days, inSweep }) => days !== inSweep)).toEqual([])
})

const world = await openWorld({ workers: 'resting' })
const reader = openPlannedSession(world.operators)
afterAll(async () => {
  await reader.close()
  await world.stop()
})

test('the operators’ login sees every table, the largest first, and what is made a day', async () => {
  for (let count = 0; count < 3; count += 1) await world.caller.paid()
  await world.sql('analyze contracts')
  const { lane, accountId } = world.caller.account
  await world.sql(
    `insert into figures select $1, $2, current_date - 1, 'transfer', 'PHP', 'sandbox', 14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0`,
    [lane, accountId],
  )
  const size = await databaseSize(reader, null, { wordsDays: null, documentsDays: null })
  const [{ count }] = (await world.sql<{ count: number }>(
    `select count(*)::int as count from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )) as [{ count: number }]
  expect(size.tables).toHaveLength(count)
  const all = size.tables.map(({ tableBytes, indexBytes }) => tableBytes + indexBytes)
  expect(all).toEqual(all.toSorted((a, b) => b - a))
  expect(size).toMatchObject({ contracts: 3, contractsPerDay: 2 })
  expect(size.forecast?.bytesPerYear).toBeGreaterThan(0)
  expect(size.tables.find(({ table: name }) => name === 'idempotency_keys')?.keptDays).toBe(7)
})
