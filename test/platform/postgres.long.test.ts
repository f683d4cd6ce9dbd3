// The life of the embedded server: it starts, is shared, survives what is killed, and is never left behind.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startPostgres } from '../../src/platform/postgres/postgres.ts'
import { WATCHDOG_SCRIPT } from '../../src/platform/postgres/watchdog.ts'
import { isRunning, openWorkshop, preparedDataDir, query, remove, startOther } from './starter.ts'

const quiet = (): void => undefined
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

async function gone(pid: number): Promise<void> {
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 30_000, interval: 50 })
}

test('a first start makes a durable private database, and a second start finds what was written', async () => {
  const dataDir = newDataDir()
  const lines: string[] = []
  const first = await startPostgres({ dataDir, log: (line) => lines.push(line), maxConnections: 33 })
  expect(first.adopted).toBe(false)
  expect(lines.join('\n')).toContain(first.directory)
  const [settings] = await query(
    first.url,
    `select current_setting('fsync') fsync, current_setting('full_page_writes') pages,
            current_setting('synchronous_commit') sync, current_setting('data_checksums') sums,
            current_setting('listen_addresses') tcp, current_setting('max_connections') clients,
            current_setting('server_encoding') encoding, current_setting('password_encryption') auth,
            (select datlocprovider::text || ' ' || datlocale from pg_database where datname = current_database()) locale`,
  )
  expect(settings).toEqual({
    fsync: 'on',
    pages: 'on',
    sync: 'on',
    sums: 'on',
    tcp: '',
    clients: '33',
    encoding: 'UTF8',
    auth: 'scram-sha-256',
    locale: 'b C.UTF-8',
  })
  await query(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  await first.stop()
  expect(isRunning(first.pid)).toBe(false)
  expect(readdirSync(join(dataDir, 'postgres.users'))).toEqual([])

  const second = await startPostgres({ dataDir, log: quiet })
  expect(second.adopted).toBe(false)
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  await second.stop()
  expect(isRunning(second.pid)).toBe(false)
})

test('a wrong password does not open the database', async () => {
  const server = await startPostgres({ dataDir: await preparedDataDir(workshop), log: quiet })
  await expect(query(server.url.replace(/:[0-9a-f]+@/, ':wrong@'), 'select 1')).rejects.toMatchObject({ code: '28P01' })
  await server.stop()
})

test('a server that runs is joined, and stays until the last user leaves', async () => {
  const dataDir = await preparedDataDir(workshop)
  const other = startOther(workshop, dataDir)
  const report = await other.report
  const joined = await startPostgres({ dataDir, log: quiet })
  expect(joined).toMatchObject({ adopted: true, pid: report.pid, url: report.url })

  await other.stop()
  expect(await query(joined.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await joined.stop()
  expect(isRunning(joined.pid)).toBe(false)
})

test('when the starter is killed, the server serves those who joined, and goes with the last of them', async () => {
  const dataDir = await preparedDataDir(workshop)
  const starter = startOther(workshop, dataDir)
  const { pid } = await starter.report
  const joiner = startOther(workshop, dataDir)
  const { url, adopted } = await joiner.report
  expect(adopted).toBe(true)

  starter.process.kill('SIGKILL')
  await once(starter.process, 'exit')
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])

  joiner.process.kill('SIGKILL')
  await gone(pid)
})

test('after kill -9 of the server the next start recovers what was committed', async () => {
  const dataDir = await preparedDataDir(workshop)
  const first = await startPostgres({ dataDir, log: quiet })
  await query(first.url, 'create table recovered as select 42 as answer')
  process.kill(first.pid, 'SIGKILL')
  await gone(first.pid)
  expect(existsSync(join(first.directory, 'postmaster.pid'))).toBe(true)

  const second = await startPostgres({ dataDir, log: quiet })
  expect(second.adopted).toBe(false)
  expect(await query(second.url, 'select answer from recovered')).toEqual([{ answer: 42 }])
  await first.stop()
  await second.stop()
  expect(isRunning(second.pid)).toBe(false)
})

test('after kill -9 of the gateway no server is left, and the next start works', async () => {
  const dataDir = await preparedDataDir(workshop)
  const killed = startOther(workshop, dataDir)
  const { pid, url } = await killed.report
  await query(url, 'create table left_over as select 42 as answer')
  killed.process.kill('SIGKILL')
  await gone(pid)
  const next = await startPostgres({ dataDir, log: quiet })
  expect(next.adopted).toBe(false)
  expect(await query(next.url, 'select answer from left_over')).toEqual([{ answer: 42 }])
  await next.stop()
})

test('a start in the moment of a kill -9 gets a server that stays, the old one or a new one', async () => {
  const dataDir = await preparedDataDir(workshop)
  for (const delayMs of [0, 8]) {
    const killed = startOther(workshop, dataDir)
    await killed.report
    killed.process.kill('SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    const next = await startPostgres({ dataDir, log: quiet })
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(await query(next.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await next.stop()
    expect(isRunning(next.pid)).toBe(false)
  }
})

test('a gateway killed while it starts leaves nothing behind', async () => {
  const prepared = await preparedDataDir(workshop)
  const fresh = newDataDir()
  const serversOf = (dir: string): string => spawnSync('pgrep', ['-f', `-- -D${dir}/`], { encoding: 'utf8' }).stdout
  const moments: [string, number][] = [
    [fresh, 400],
    [prepared, 150],
    [prepared, 200],
    [prepared, 250],
  ]
  for (const [dataDir, delayMs] of moments) {
    const killed = startOther(workshop, dataDir)
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    killed.process.kill('SIGKILL')
  }
  for (const dataDir of [fresh, prepared]) {
    await vi.waitFor(() => expect(serversOf(dataDir)).toBe(''), { timeout: 30_000, interval: 50 })
    const next = await startPostgres({ dataDir, log: quiet })
    expect(next.adopted).toBe(false)
    await next.stop()
    expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres.init-'))).toEqual([])
  }
})

test('Ctrl-C reaches the gateway alone', async () => {
  const other = startOther(workshop, await preparedDataDir(workshop))
  const { gateway, url } = await other.report
  process.kill(-gateway, 'SIGINT')
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  await other.stop()
})

test('a killed watchdog does not keep the last user from stopping the server', async () => {
  const dataDir = await preparedDataDir(workshop)
  const server = await startPostgres({ dataDir, log: quiet })
  onTestFinished(() => server.stop())
  const registrations = readdirSync(join(dataDir, 'postgres.users'))
  expect(registrations).toEqual([expect.stringMatching(`^user\\.${process.pid}\\.`)])
  const watchdog = Number(registrations[0]?.split('.')[3])
  process.kill(watchdog, 'SIGKILL')
  // On a busy machine it is still there for a moment.
  await gone(watchdog)
  await server.stop()
  expect(isRunning(server.pid)).toBe(false)
})

test('an owner that was killed before its watchdog began, or before it said so, leaves no registration', async () => {
  const users = join(newDataDir(), 'postgres.users')
  mkdirSync(users, { recursive: true })
  const dead = spawnSync('true').pid
  for (const owner of [dead, process.pid]) {
    // It begins when nobody listens any more.
    const script = ['-c', 'read -r go; exec "$@"', 'sh', '/bin/sh', '-c', WATCHDOG_SCRIPT, 'watchdog']
    const watchdog = spawn('/bin/sh', [...script, users, join(users, 'none'), String(owner), ''])
    const ended = once(watchdog, 'exit')
    watchdog.stdout.destroy()
    await once(watchdog.stdout, 'close')
    watchdog.stdin.end('go\n')
    expect(await ended).toEqual([owner === dead ? 1 : 0, null])
    expect(readdirSync(users)).toEqual([])
  }
})

test('of two that start at once, one starts the server and the other joins it', async () => {
  const dataDir = newDataDir()
  const racers = [startOther(workshop, dataDir), startOther(workshop, dataDir), startOther(workshop, dataDir)]
  const reports = await Promise.all(racers.map(({ report }) => report))
  expect(reports.map(({ fault }) => fault)).toEqual([undefined, undefined, undefined])
  expect(reports.map(({ adopted }) => adopted).sort()).toEqual([false, true, true])
  expect(new Set(reports.map(({ pid }) => pid)).size).toBe(1)
  await Promise.all(racers.map((racer) => racer.stop()))
  expect(isRunning(reports[0]?.pid ?? 0)).toBe(false)
})

test('a start that meets a stop waits for it and starts anew', async () => {
  const dataDir = await preparedDataDir(workshop)
  let leaving = Promise.resolve()
  for (let round = 0; round < 5; round += 1) {
    const [, server] = await Promise.all([leaving, startPostgres({ dataDir, log: quiet })])
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    leaving = server.stop()
  }
  await leaving
})

test('a process id that was used again by another program is not taken for the server', async () => {
  const dataDir = await preparedDataDir(workshop)
  const first = await startPostgres({ dataDir, log: quiet })
  const note = join(first.directory, 'postmaster.pid')
  const text = readFileSync(note, 'utf8')
  const [, , , port, sockets = ''] = text.split('\n')
  const lock = join(sockets, `.s.PGSQL.${port}.lock`)
  const held = readFileSync(lock, 'utf8')
  await first.stop()
  // A program of the server's own user, and not one that the next server descends from: either would not be looked at.
  const { uid, gid } = statSync(first.directory)
  const program = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid, gid } : {})
  const { pid } = program
  onTestFinished(() => void program.kill('SIGKILL'))
  // As a server that was killed leaves them.
  writeFileSync(note, text.replace(/^\d+/, String(pid)))
  writeFileSync(lock, held.replace(/^\d+/, String(pid)))

  const second = await startPostgres({ dataDir, log: quiet })
  expect(second.adopted).toBe(false)
  expect(second.pid).not.toBe(pid)
  await second.stop()
})

test('rubbish of an interrupted first start is not taken for a database', async () => {
  const dataDir = newDataDir()
  mkdirSync(join(dataDir, 'postgres.init-999999999-abc', 'data'), { recursive: true })
  writeFileSync(join(dataDir, 'postgres.init-999999999-abc', 'data', 'PG_VERSION'), '18\n')
  const server = await startPostgres({ dataDir, log: quiet })
  expect(await query(server.url, 'select current_database() as name')).toEqual([{ name: 'gateway' }])
  await server.stop()
  expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres.init-'))).toEqual([])
})
