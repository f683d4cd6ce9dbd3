// Heads of seals that are kept beside a backup find what a database alone cannot show: an end that was cut off, a past that was made
// anew; and a file of heads that somebody changed is not believed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { headsFromText, headsText } from '../../src/app/seals/kept-heads.ts'
import { listHeads } from '../../src/app/seals/heads.ts'
import { proveHeads, readHeads, writeHeads } from '../../src/main/backups/heads.ts'
import type { Manifest } from '../../src/main/backups/manifest.ts'
import { openAuditSession } from '../../src/main/database/database.ts'
import { sealKeysHere } from '../../src/main/database/sealing-keys.ts'
import type { SealHead } from '../../src/store/seals/seals.ts'
import { insideOf, sealed } from '../rig/sealed.ts'
import { openWorld, type World } from '../world.ts'

let world: World
let place: string
let backup: { readonly place: string; readonly manifest: Pick<Manifest, 'heads'> }
let kept: SealHead[]
const keys = () => sealKeysHere(world.config.sealingKeys, world.config.dataDir)

beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  place = mkdtempSync(join(tmpdir(), 'gateway-heads-'))
  for (let stretch = 0; stretch < 3; stretch++) {
    await world.caller.paid()
    await sealed(world, world.caller)
  }
  await world.other.paid()
  await sealed(world, world.other)
  backup = { place, manifest: { heads: await writeHeads(world.operators, place) } }
  kept = readHeads(backup)
})
afterAll(async () => {
  await world.stop()
  rmSync(place, { recursive: true })
})

test('the newest seal of every account is kept, and books that nobody touched go on from all', async () => {
  const newest = await world.sql<{ account_id: string; number: string }>(
    'select account_id, max(number) as number from seals group by 1',
  )
  expect(backup.manifest.heads?.accounts).toBe(newest.length)
  expect(new Map(kept.map((head) => [head.accountId, head.number]))).toEqual(
    new Map(newest.map((row) => [row.account_id, Number(row.number)])),
  )
  const session = openAuditSession(world.operators)
  expect(await listHeads(session)).toEqual(kept)
  await world.caller.paid()
  await sealed(world, world.caller)
  for (const each of [keys(), null]) expect(await proveHeads(session, kept, each)).toEqual([])
  await session.close()
})

test('the file is the one that gateway seals heads prints, and has nobody’s name in it', () => {
  const text = readFileSync(join(place, 'heads.json'), 'utf8')
  expect(headsFromText(text)).toEqual(kept)
  expect(headsText(kept)).toBe(text)
  // A space behind the first name: signatures are random letters, and three of them spell anything now and then.
  expect(text).not.toMatch(/Ana |Cruz|recipient/)
})

const OF_CALLER = 'account_id = $1'
const LAST = `number = (select max(number) from seals where ${OF_CALLER})`

test.each([
  ['the end cut off', /end before it/, [`delete from seals where ${OF_CALLER} and number >= 3`]],
  [
    'the newest cut off, and one put in its place',
    /another seal is in its place/,
    [`update seals set text = replace(text, '"number":3', '"number":3 ') where ${OF_CALLER} and number = 3`],
  ],
  [
    'one taken out behind it',
    /was not made after/,
    [`update seals set text = replace(text, '"previous":"', '"previous":"0') where ${OF_CALLER} and ${LAST}`],
  ],
  ['all of them gone', /end before it/, [`delete from seals where ${OF_CALLER}`]],
])('%s is found, also without the keys, and of that account alone', async (_, words, damage) => {
  const { accountId, lane } = world.caller.account
  await world.sql('begin')
  try {
    for (const sql of [...damage, `delete from seal_progress where ${OF_CALLER}`]) await world.sql(sql, [accountId])
    for (const each of [keys(), null])
      expect(await proveHeads(insideOf(world), kept, each)).toEqual([
        { proof: 'seal = kept head', lane, accountId, row: 'seal 3', problem: expect.stringMatching(words) },
      ])
  } finally {
    await world.sql('rollback')
  }
})

test('heads that were written anew by somebody without the key are not believed', async () => {
  const [first, ...others] = kept
  if (!first) throw new Error('there are heads')
  const forged = { ...first, signature: Buffer.alloc(64) }
  expect(await proveHeads(insideOf(world), [forged, ...others], keys())).toMatchObject([
    { accountId: first.accountId, problem: expect.stringContaining('signature') },
  ])
})

test('a file that was changed or is gone is refused, and a backup from before heads has none', () => {
  const path = join(place, 'heads.json')
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace('"number":3', '"number":2'))
  expect(() => readHeads(backup)).toThrow(/heads\.json was changed/)
  rmSync(path)
  expect(() => readHeads(backup)).toThrow(/heads\.json is missing/)
  writeFileSync(path, text)
  expect(readHeads(backup)).toEqual(kept)
  expect(readHeads({ ...backup, manifest: {} })).toEqual([])
})
