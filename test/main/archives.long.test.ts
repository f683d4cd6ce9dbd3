// Archives of the sealed past: whole and proved without the database, gone on with after a cut, and whatever is done to the files or
// to the database behind them is found. Two tenants' books, in one directory.
import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readAccount, writeAccount } from '../../src/main/archives/manifest.ts'
import { type ProvedArchive, verifyArchives } from '../../src/main/archives/verify.ts'
import { type Archiving, writeArchives } from '../../src/main/archives/write.ts'
import { openPlannedSession } from '../../src/main/database/database.ts'
import { readSealingKeys, sealSigner } from '../../src/main/database/sealing-keys.ts'
import { sha256Hex } from '../../src/platform/hashes.ts'
import type { Session } from '../../src/platform/db.ts'
import type { Signer } from '../../src/platform/signing.ts'
import { sealed } from '../rig/sealed.ts'
import { type Caller, openWorld, type World } from '../world.ts'

let world: World
let signer: Signer
let session: Session
let directory: string
/** An archive of everything up to the first sealing, and one of all. */
let half: string
let whole: string

beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  directory = mkdtempSync(join(tmpdir(), 'gateway-archive-'))
  signer = sealSigner(readSealingKeys(world.config.sealingKeys, world.config.dataDir))
  session = openPlannedSession(world.operators)
  ;[half, whole] = [join(directory, 'half'), join(directory, 'whole')]
  await happen()
  await archived(half)
  await happen()
  await archived(whole)
})
afterAll(async () => {
  await session.close()
  rmSync(directory, { recursive: true, force: true })
  await world.stop()
})

let into: string
beforeEach(() => {
  into = mkdtempSync(join(directory, 'each-'))
})

/** Contracts of both accounts in every state that a resting world reaches, sealed in several stretches. */
async function happen(): Promise<void> {
  for (const caller of [world.caller, world.other]) {
    await caller.paid()
    await sealed(world, caller)
    const { id } = await caller.draft({ metadata: { note: 'Ana — ünïcode\u2028 "quoted"' } })
    await caller.issue(id)
    await caller.pay(id)
    await caller.cancel(id)
    await sealed(world, caller)
    await caller.ask('PATCH', '/accounts/me', { body: { name: `Name ${id}` } })
    await sealed(world, caller)
  }
}

const archived = (to: string, more: Partial<Archiving> = {}) =>
  writeArchives(session, {
    into: to,
    before: '9999-01-01T00:00:00.000Z',
    accountId: null,
    keys: signer,
    onAccount: () => undefined,
    seePlaces: async () => undefined,
    ...more,
  })

const provedIn = (of: string, keys: Pick<Signer, 'known'> = signer) => verifyArchives(of, keys, () => undefined)
const faultsOf = (proved: readonly ProvedArchive[]) =>
  proved.flatMap(({ accountId, fault }) => (fault ? [{ accountId, problem: fault.problem }] : []))
const placeOf = (of: string, { account }: Caller) => join(of, account.accountId)
const filesOf = (of: string, caller: Caller) =>
  readdirSync(placeOf(of, caller))
    .filter((name) => name.endsWith('.gz'))
    .toSorted()
const textOf = (of: string, caller: Caller) =>
  filesOf(of, caller)
    .map((name) => gunzipSync(readFileSync(join(placeOf(of, caller), name))).toString())
    .join('')

test('an archive holds every step and every ledger row of every account, and is proved without the database', async () => {
  const proved = await provedIn(whole)
  expect(faultsOf(proved)).toEqual([])
  const rows = await world.sql<Record<string, string | number>>(
    `select a.account_id as "accountId", (select max(number)::int from seals s where s.account_id = a.account_id) as seals,
            (select count(*)::int from account_history h where h.account_id = a.account_id) as steps,
            (select count(*)::int from ledger g where g.account_id = a.account_id) as entries
       from accounts a where exists (select 1 from seals s where s.account_id = a.account_id) order by 1`,
  )
  const counts = proved.map(({ accountId, seals, steps, entries }) => ({ accountId, seals, steps, entries }))
  expect(counts).toEqual(rows)
})

test('what a document says stands in the file as it stood in the database', async () => {
  const [row] = await world.sql<{ document: string; contract_id: string; position: string }>(
    `select document::text, contract_id, position from contract_versions where account_id = $1 order by position desc limit 1`,
    [world.caller.account.accountId],
  )
  const steps = textOf(whole, world.caller)
    .split('\n')
    .filter((line) => line.startsWith('{"step"'))
    .map((line) => JSON.parse(line).step)
  const found = steps.find(({ position }) => position === Number(row?.position))
  expect(found).toMatchObject({ object: row?.contract_id, document: row?.document })
})

test('only the user who wrote them can read the files', () => {
  const place = placeOf(whole, world.caller)
  for (const name of readdirSync(place)) expect(statSync(join(place, name)).mode & 0o77, name).toBe(0)
  expect(statSync(place).mode & 0o77).toBe(0)
})

test('an archive goes on where the last run stood, and a second run adds nothing', async () => {
  cpSync(half, into, { recursive: true })
  const added = await archived(into)
  expect(added.steps).toBeGreaterThan(0)
  for (const caller of [world.caller, world.other]) {
    expect(filesOf(into, caller)).toHaveLength(2)
    expect(textOf(into, caller)).toBe(textOf(whole, caller))
  }
  expect(faultsOf(await provedIn(into))).toEqual([])
  expect(await archived(into)).toMatchObject({ files: 0, steps: 0, doubts: [] })
})

test('a file that is as large as it may be is followed by another', async () => {
  const { files } = await archived(into, { fileChars: 1 })
  const proved = await provedIn(into)
  expect(files).toBe(proved.reduce((sum, { seals }) => sum + seals, 0))
  expect(faultsOf(proved)).toEqual([])
  expect(textOf(into, world.caller)).toBe(textOf(whole, world.caller))
})

test('what a run that was cut off has left is no archive, and the next one goes on from the last whole file', async () => {
  await archived(into, { fileChars: 1, before: '2000-01-01T00:00:00.000Z' })
  await archived(into, { fileChars: 1 })
  const place = placeOf(into, world.caller)
  // As at a kill: a file half written, and one that is whole and not named in the manifest yet.
  writeFileSync(join(place, 'unfinished.part'), 'half')
  const manifest = readAccount(into, world.caller.account.accountId)
  const files = manifest?.files.slice(0, 2) ?? []
  const seals = await world.sql<{ text: string }>('select text from seals where account_id = $1 and number = 2', [
    world.caller.account.accountId,
  ])
  if (manifest) writeAccount(into, { ...manifest, files, head: seals[0]?.text ?? '' })
  expect(faultsOf(await provedIn(into))).toEqual([])
  await archived(into)
  expect(faultsOf(await provedIn(into))).toEqual([])
  const last = readAccount(into, world.caller.account.accountId)?.files.at(-1)
  expect(last).toMatchObject({ first_seal: 3 })
})

test('one account alone is archived where that is wanted', async () => {
  const { accountId } = world.other.account
  await archived(into, { accountId })
  expect(readdirSync(into).toSorted()).toEqual([accountId, 'archive.json'].toSorted())
  await expect(archived(into, { accountId: '0198c0de-0000-7a2b-8000-0123456789ab' })).rejects.toThrow(/Nothing of an/)
})

test('two runs at once: the second is refused', async () => {
  await archived(into, { before: '2000-01-01T00:00:00.000Z' })
  const second = openPlannedSession(world.operators)
  const wanted = { into, before: '9999-01-01', accountId: null, keys: signer, onAccount: () => undefined }
  const refused = writeArchives(second, { ...wanted, seePlaces: async () => undefined })
  await expect(refused).rejects.toThrow(/Another archive/)
  await second.close()
})

/** Changes the text of an account's only file, and says in the manifest what it is now. */
function forge(change: (text: string) => string, of = world.caller): void {
  cpSync(whole, into, { recursive: true })
  const manifest = readAccount(into, of.account.accountId)
  const [file] = manifest?.files ?? []
  if (!manifest || !file) throw new Error('there is no archive')
  const path = join(placeOf(into, of), file.name)
  const packed = gzipSync(change(gunzipSync(readFileSync(path)).toString()))
  writeFileSync(path, packed)
  writeAccount(into, { ...manifest, files: [{ ...file, sha256: sha256Hex(packed), bytes: packed.length }] })
}

const linesWithout = (pick: (line: string) => boolean) => (text: string) => {
  const lines = text.split('\n')
  const at = lines.findIndex(pick)
  return lines.filter((_, i) => i !== at).join('\n')
}
const swapped = (text: string) => {
  const lines = text.split('\n')
  const at = lines.findIndex((line, i) => line.startsWith('{"step"') && lines[i + 1]?.startsWith('{"step"'))
  ;[lines[at], lines[at + 1]] = [lines[at + 1] ?? '', lines[at] ?? '']
  return lines.join('\n')
}
const cutAtEnd = (text: string) => text.slice(0, text.lastIndexOf('{"seal"'))

test.each<[what: string, problem: RegExp, change: (text: string) => string]>([
  ['a recipient', /are not what was sealed/, (text) => text.replace(/\\"recipient\\":/, '\\"Recipient\\":')],
  [
    'a moment',
    /are not what was sealed/,
    (text) => text.replace(/(\{"step".*"at":"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.)\d/, '$1x'),
  ],
  ['a step that is gone', /its steps are not positions/, linesWithout((line) => line.startsWith('{"step"'))],
  ['steps that changed places', /its steps are not positions/, swapped],
  ['an amount', /its ledger rows, or its wallets/, (text) => text.replace(/("amount_minor":")(\d+",")/, '$19$2')],
  ['a ledger row that is gone', /its ledger rows, or its wallets/, linesWithout((line) => line.startsWith('{"entry"'))],
  ['a closing balance', /its ledger rows, or its wallets/, (text) => text.replace(/(\\"balances\\":\[\\")/, '$11')],
  ['a seal’s text', /is not what the key .* has signed/, (text) => text.replace(/(\\"sealed_at\\":\\"20)\d/, '$19')],
  ['a seal of another number', /is no text of this seal/, (text) => text.replace(/("seal":\{"number":)1,/, '$17,')],
  ['seals at the end that are gone', /and \d+ is said to be its last/, cutAtEnd],
  ['no lines of an archive', /has not the form/, () => '{"a":1}\n'],
  ['no JSON', /has not the form/, () => 'x\n'],
  ['a line without an end', /has not the form/, (text) => text.slice(0, -20)],
])('%s in a file, with the manifest made to fit, is found', async (_, problem, change) => {
  forge(change)
  const faults = faultsOf(await provedIn(into))
  // The other account's files are whole.
  expect(faults).toEqual([{ accountId: world.caller.account.accountId, problem: expect.stringMatching(problem) }])
})

test('files of another account, files that are gone, changed or cut, and keys of others are found', async () => {
  const [own, other] = [placeOf(into, world.caller), placeOf(into, world.other)]
  const fresh = () => {
    rmSync(into, { recursive: true })
    cpSync(whole, into, { recursive: true })
    return join(own, filesOf(into, world.caller)[0] ?? '')
  }
  const problems = async () => faultsOf(await provedIn(into)).map(({ problem }) => problem)
  cpSync(whole, into, { recursive: true })
  const [theirs] = filesOf(into, world.other)
  forge(() => gunzipSync(readFileSync(join(other, theirs ?? ''))).toString())
  expect(await problems()).toEqual([expect.stringMatching(/is of account/)])
  rmSync(fresh())
  expect(await problems()).toEqual(['it is not there'])
  copyFileSync(join(whole, 'archive.json'), fresh())
  expect(await problems()).toEqual(['it is not the file that was written'])
  const known = fresh() && readAccount(into, world.caller.account.accountId)
  if (known) writeAccount(into, { ...known, files: [] })
  expect(await problems()).toEqual(['its head is not the last seal of its files'])
  fresh()
  expect(faultsOf(await provedIn(into, { known: () => null }))).toHaveLength(2)
})

test('a past that was changed in the database is not archived, and the other account’s is', async () => {
  await world.sql(
    `update contract_versions set document = (document::text || ' ')::json where account_id = $1 and position = (
                     select min(position) from contract_versions where account_id = $1)`,
    [world.caller.account.accountId],
  )
  const { doubts } = await archived(into)
  await world.sql(`update contract_versions set document = (rtrim(document::text, ' '))::json where account_id = $1`, [
    world.caller.account.accountId,
  ])
  expect(doubts).toEqual([
    {
      accountId: world.caller.account.accountId,
      row: 'seal 1',
      problem: expect.stringMatching(/are not what was sealed/),
    },
  ])
  expect(readdirSync(into)).toContain(world.other.account.accountId)
  expect(await archived(into)).toMatchObject({ doubts: [] })
  expect(faultsOf(await provedIn(into))).toEqual([])
})

test('books that do not go on from an archive are refused', async () => {
  cpSync(half, into, { recursive: true })
  const manifest = readAccount(into, world.caller.account.accountId)
  if (manifest) writeAccount(into, { ...manifest, head: `${manifest.head} ` })
  await expect(archived(into)).rejects.toThrow(/ends with a seal that these books do not have/)
})

test('ledger rows that do not add up are not archived, though they were sealed as they are', async () => {
  const caller = await world.newCaller({ lane: world.caller.account.lane })
  const { accountId } = caller.account
  await caller.paid()
  const [row] = await world.sql<{ wallet_id: string }>(
    `update ledger set available_after_minor = available_after_minor + 1 where account_id = $1 and sequence = 2
     returning wallet_id`,
    [accountId],
  )
  await sealed(world, caller)
  const { doubts } = await archived(into, { accountId })
  const problem = 'the balances after it are not those before it and what moved'
  expect(doubts).toEqual([{ accountId, row: `ledger row 2 of wallet ${row?.wallet_id}`, problem }])
})
