// What a contract leaves for good, and what leaves with it: the figures of docs/growth.md, measured of 1,500 transfers that were paid out,
// each table with its indexes and written anew, so that no free room counts.
import { afterAll, expect, test } from 'vitest'
import { catchUp } from '../../src/app/resources/indexing.ts'
import { removeWords } from '../../src/app/resources/removing.ts'
import { removeDocuments } from '../../src/app/resources/removing-documents.ts'
import { openPlannedSession, openPruneSession } from '../../src/main/database/database.ts'
import { sealed } from '../rig/sealed.ts'
import { aged, archived } from './aged.ts'
import { openWorld } from '../world.ts'

const CONTRACTS = 1500
const AT_ONCE = 25
const DAYS = 90
const TABLES = ['contract_versions', 'search_terms', 'ledger', 'seals', 'contracts', 'jobs'] as const

const world = await openWorld()
const session = openPruneSession(world.database)
const operators = openPlannedSession(world.operators)
afterAll(async () => {
  await world.ledgerHolds()
  await Promise.all([session.close(), operators.close()])
  await world.stop()
})

type Sizes = Record<(typeof TABLES)[number], number>

async function sizes(): Promise<Sizes> {
  for (const table of TABLES) await world.sql(`vacuum full ${table}`)
  const [row] = await world.sql<Sizes>(
    `select ${TABLES.map((table) => `pg_total_relation_size('${table}')::float8 / ${CONTRACTS} as ${table}`).join(', ')}`,
  )
  return row as Sizes
}

const sum = (all: Sizes) => TABLES.reduce((total, table) => total + all[table], 0)

test('a contract leaves what docs/growth.md says, and less where words and documents leave', {
  timeout: 1_800_000,
}, async () => {
  const { caller } = world
  const before = await sizes()
  for (let made = 0; made < CONTRACTS; made += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, i) => {
        const deliverable = { type: 'service', reference_id: `INV-${made + i}` }
        const { id } = await caller.paid({
          amount: 1 + ((made + i) % 90),
          description: `Invoice ${made + i}`,
          deliverable,
        })
        await world.settle(id)
      }),
    )
  await catchUpAll()
  const [counted] = await world.sql<{ versions: number }>('select count(*)::int as versions from contract_versions')
  const versions = counted?.versions ?? 0
  await sealed(world, caller)
  const kept = await sizes()
  await aged(world, caller, DAYS + 1)
  await archived(world, operators, caller)
  while ((await removeWords(session, caller.account, DAYS)) > 0);
  const withoutWords = await sizes()
  const beganMs = performance.now()
  while ((await removeDocuments(session, caller.account, DAYS)) > 0);
  const tookMs = performance.now() - beganMs
  const [dead] = await world.sql(`select pg_total_relation_size('contract_versions')::float8 / ${CONTRACTS} as grown`)
  const least = await sizes()
  const left = await world.sql(
    `select count(*)::int as emptied, avg(length(document::text))::int as bytes from contract_versions where document::text like '{"removed":%'`,
  )
  console.log(
    JSON.stringify({
      versions: versions / CONTRACTS,
      before,
      kept,
      withoutWords,
      least,
      sums: [kept, withoutWords, least].map(sum),
      tookMs,
      dead,
      left,
    }),
  )
  expect(sum(kept)).toBeLessThan(10_000)
  expect(kept.search_terms - withoutWords.search_terms).toBeGreaterThan(1000)
  expect(withoutWords.contract_versions - least.contract_versions).toBeGreaterThan(1000)
})

async function catchUpAll(): Promise<void> {
  for (let behind = true; behind; ) {
    const { indexed, position } = await catchUp(world.gateway.deps.search, world.caller.account)
    behind = indexed < position
  }
}
