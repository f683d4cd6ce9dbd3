// Where the embedded server's programs and data may lie, and what it says when it cannot be had.
import { spawnSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, startPostgresFrom } from '../../src/platform/postgres/postgres.ts'
import { locateBinaries } from '../../src/platform/postgres/binaries.ts'
import { isRoot, openWorkshop, packageWithoutLinks, preparedDataDir, query, remove, startOther } from './starter.ts'

const quiet = (): void => undefined
// `daemon` is on every Debian and darwin system; the other id has no name anywhere.
const ORDINARY = { uid: 1, gid: 1 }
const UNNAMED = { uid: 12345, gid: 12345 }
let workshop = ''
let count = 0

beforeAll(() => {
  workshop = openWorkshop()
})
afterAll(() => remove(workshop))

function newDataDir(): string {
  count += 1
  return join(workshop, `data-${count}`)
}

function mayReadCheckout(): boolean {
  const script = ['-c', 'test -r "$1"', 'sh', join(process.cwd(), 'package.json')]
  return spawnSync('/bin/sh', script, { ...ORDINARY, cwd: '/' }).status === 0
}

test('the programs run although install scripts were blocked', async () => {
  const source = packageWithoutLinks(join(workshop, 'blocked'))
  const plain = spawnSync(join(source.directory, 'native/bin/postgres'), ['-V'], { encoding: 'utf8', env: {} })
  expect(plain.stderr).toContain('cannot open shared object file')

  const server = await startPostgresFrom(source, { dataDir: newDataDir(), log: quiet })
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await server.stop()
})

/** What a program that runs as "nobody" comes to with these words. */
const asNobody = (...words: string[]) =>
  spawnSync(words[0] ?? '', words.slice(1), { uid: 65534, gid: 65534, cwd: '/', encoding: 'utf8' }).status

test.runIf(isRoot)(
  'by root: the database is that of a user of its own, and nobody else can read or stop it',
  async () => {
    const dataDir = newDataDir()
    const server = await startPostgres({ dataDir, log: quiet })
    try {
      const { uid, gid } = statSync(server.directory)
      expect([0, 65534]).not.toContain(uid)
      expect(statSync(`/proc/${server.pid}`).uid).toBe(uid)
      for (const file of readdirSync(server.directory)) {
        const found = lstatSync(join(server.directory, file))
        expect({ file, uid: found.uid, gid: found.gid }).toEqual({ file, uid, gid })
      }
      // The tools do their work where they may.
      expect(asNobody('/bin/ls', '/tmp')).toBe(0)
      expect(asNobody('/bin/ls', server.directory)).not.toBe(0)
      expect(asNobody('/bin/cat', join(server.directory, 'PG_VERSION'))).not.toBe(0)
      expect(asNobody('/bin/cat', join(dataDir, 'postgres.password'))).not.toBe(0)
      expect(asNobody('/bin/sh', '-c', `kill -0 ${server.pid}`)).not.toBe(0)
      expect(asNobody('/bin/ls', `/proc/${server.pid}/fd`)).not.toBe(0)
    } finally {
      await server.stop()
    }
  },
)

test.runIf(isRoot).each([
  ['nobody, as earlier releases made it', 65534],
  ['root, as a restored copy may be', 0],
])('by root: a database that belongs to %s is taken over with all that is in it', async (_, uid) => {
  const dataDir = newDataDir()
  const first = await startPostgres({ dataDir, log: quiet })
  await query(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  spawnSync('chown', ['-R', `${uid}:${uid}`, first.directory])
  const second = await startPostgres({ dataDir, log: quiet })
  try {
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect([0, 65534]).not.toContain(statSync(second.directory).uid)
    expect(statSync(join(second.directory, 'base')).uid).toBe(statSync(second.directory).uid)
  } finally {
    await second.stop()
  }
})

test.runIf(isRoot)('root in a private home: programs and data find a place, the same each time', async () => {
  const home = join(workshop, 'private')
  mkdirSync(home, { mode: 0o700 })
  const source = packageWithoutLinks(join(home, 'package'))
  const dataDir = join(home, 'checkout', '.gateway')
  const lines: string[] = []
  const first = await startPostgresFrom(source, { dataDir, log: (line) => lines.push(line) })
  const place = readFileSync(join(dataDir, 'postgres.path'), 'utf8').trim()
  try {
    expect(first.directory).toBe(join(place, 'postgres'))
    expect(place.startsWith(home)).toBe(false)
    expect(lines.join('\n')).toContain(place)
    expect(statSync(join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600)
    await query(first.url, 'create table kept as select 42 as answer')
    await first.stop()

    renameSync(join(home, 'checkout'), join(home, 'moved'))
    const second = await startPostgresFrom(source, { dataDir: join(home, 'moved', '.gateway'), log: quiet })
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    await second.stop()
  } finally {
    await first.stop()
    remove(place)
  }
  const again = startPostgresFrom(source, { dataDir: join(home, 'moved', '.gateway'), log: quiet })
  await expect(again).rejects.toMatchObject({ code: 'database_missing' })
})

test.runIf(isRoot)('root does not begin an empty ledger beside one that became unreachable', async () => {
  const home = join(workshop, 'closed')
  const dataDir = join(home, 'data')
  mkdirSync(home, { mode: 0o700 })
  const prepared = await preparedDataDir(workshop)
  renameSync(prepared, dataDir)
  const start = startPostgres({ dataDir, log: quiet })
  await expect(start).rejects.toMatchObject({ code: 'directory_not_reachable' })
  renameSync(dataDir, prepared)
})

test.runIf(isRoot && mayReadCheckout())(
  'an ordinary user keeps all in a private directory, which root can join',
  async () => {
    const home = join(workshop, 'ordinary')
    mkdirSync(home, { mode: 0o700 })
    chownSync(home, ORDINARY.uid, ORDINARY.gid)
    const dataDir = join(home, 'data')
    const other = startOther(workshop, dataDir, ORDINARY)
    const report = await other.report
    expect(report).toMatchObject({ adopted: false, directory: join(dataDir, 'postgres') })
    expect(statSync(report.directory).uid).toBe(ORDINARY.uid)

    const joined = await startPostgres({ dataDir, log: quiet })
    expect(joined).toMatchObject({ adopted: true, pid: report.pid })
    await joined.stop()
    expect(await query(report.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await other.stop()
  },
)

test.runIf(isRoot && mayReadCheckout())(
  'an ordinary user is told whose database it is, or that he may not write',
  async () => {
    const dataDir = await preparedDataDir(workshop)
    expect((await startOther(workshop, dataDir, ORDINARY).report).fault).toContain(
      `belongs to user ${statSync(join(dataDir, 'postgres')).uid}`,
    )
    const elsewhere = await startOther(workshop, '/gateway-data-of-nobody', ORDINARY).report
    expect(elsewhere.fault).toContain('directory_not_writable')
  },
)

test.runIf(isRoot && mayReadCheckout())('a user id without a name is told what PostgreSQL wants', async () => {
  const dataDir = newDataDir()
  mkdirSync(dataDir)
  chownSync(dataDir, UNNAMED.uid, UNNAMED.gid)
  expect((await startOther(workshop, dataDir, UNNAMED).report).fault).toMatch(/^user_unnamed.*passwd/s)
})

test('a path too long for a socket gets a short private one', async () => {
  const server = await startPostgres({
    dataDir: join(newDataDir(), 'deep '.repeat(12), 'down, "here"'.repeat(6)),
    log: quiet,
  })
  const { host } = server.connection
  expect(host.length).toBeLessThan(60)
  expect(statSync(host).mode & 0o777).toBe(0o700)
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await server.stop()
  rmSync(host, { recursive: true })
})

test('a platform without binaries is told to bring a server', () => {
  const locate = (): unknown => locateBinaries('sunos', 'mips')
  expect(locate).toThrow(
    expect.objectContaining({ code: 'no_binaries', message: expect.stringContaining('DATABASE_URL') }),
  )
})

const SPOILED: [string, string, string | undefined, string, string][] = [
  ['another major version', 'postgres/PG_VERSION', '17\n', 'other_version', 'made by PostgreSQL 17'],
  ['no version', 'postgres/PG_VERSION', undefined, 'not_a_database', 'Move it'],
  ['no password', 'postgres.password', undefined, 'password_lost', 'backup'],
  ['a wrong password', 'postgres.password', 'guess\n', 'password_lost', 'not that of the database'],
  ['no control file', 'postgres/global/pg_control', undefined, 'died_at_start', 'pg_control'],
]
test.each(SPOILED)(
  'a database with %s is refused with the mend, and no server is left',
  async (_, name, text, code, words) => {
    const dataDir = await preparedDataDir(workshop)
    const file = join(dataDir, name)
    renameSync(file, `${file}.whole`)
    if (text !== undefined) writeFileSync(file, text)
    const start = startPostgres({ dataDir, log: quiet })
    await expect(start).rejects.toMatchObject({ code, message: expect.stringContaining(words) })
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
    renameSync(`${file}.whole`, file)
  },
)

test('a setting that the server refuses is told in its own words', async () => {
  const dataDir = await preparedDataDir(workshop)
  const start = startPostgres({ dataDir, log: quiet, settings: { shared_buffers: 'plenty' } })
  await expect(start).rejects.toMatchObject({ code: 'died_at_start', message: expect.stringContaining('plenty') })
})

test.runIf(isRoot && process.platform === 'linux')(
  'a full disk is named, and leaves no half database',
  async (context) => {
    const small = join(workshop, 'small')
    mkdirSync(small)
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'gateway-test', small])
    if (mounted.status !== 0) return context.skip('this root may not mount a small disk')
    try {
      const dataDir = join(small, 'data')
      await expect(startPostgres({ dataDir, log: quiet })).rejects.toMatchObject({ code: 'disk_full' })
      expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
    } finally {
      spawnSync('umount', [small])
    }
  },
)
