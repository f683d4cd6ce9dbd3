// Other gateways for the supervisor's tests: real processes that start or join a server, and can be killed.
// Node 20 runs no TypeScript, so the supervisor's files are compiled once into a directory of their own.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import ts from 'typescript'
import { startPostgres } from '../../src/platform/postgres/postgres.ts'
import { type BinaryPackage, locateBinaries } from '../../src/platform/postgres/binaries.ts'

export const isRoot = process.getuid?.() === 0

/** What a starter says once its server answers, or why it does not. */
export type Report = { gateway: number; pid: number; adopted: boolean; url: string; directory: string; fault?: string }

export type Starter = { process: ChildProcess; report: Promise<Report>; stop(): Promise<void> }

const PROGRAM = `
import { startPostgres } from './postgres.js'
process.on('SIGINT', () => {})
const say = (report) => process.stdout.write(JSON.stringify({ gateway: process.pid, ...report }) + '\\n')
try {
  const server = await startPostgres({ dataDir: process.argv[2], log: () => {} })
  say({ pid: server.pid, adopted: server.adopted, url: server.url, directory: server.directory })
  process.stdin.once('data', async () => { await server.stop(); process.stdin.destroy() })
} catch (fault) {
  say({ fault: fault.code + ': ' + fault.message })
}
`

/** What the supervisor takes from beside its folder. */
const BESIDE = ['private-files.ts']

/** A directory for one test file, with the compiled supervisor in it. */
export function openWorkshop(): string {
  const root = process.cwd()
  const workshop = mkdtempSync('/tmp/gateway-test-')
  const compiled = join(workshop, 'compiled')
  chmodSync(workshop, 0o755)
  mkdirSync(join(compiled, 'postgres'), { recursive: true })
  const platform = join(root, 'src', 'platform')
  const files = readdirSync(join(platform, 'postgres')).map((name) => join('postgres', name))
  for (const file of [...files, ...BESIDE]) {
    const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 }
    const { outputText } = ts.transpileModule(readFileSync(join(platform, file), 'utf8'), {
      compilerOptions: { ...compilerOptions, rewriteRelativeImportExtensions: true },
    })
    writeFileSync(join(compiled, file.replace(/\.ts$/, '.js')), outputText)
  }
  writeFileSync(join(compiled, 'package.json'), '{"type":"module"}')
  writeFileSync(join(compiled, 'postgres', 'starter.js'), PROGRAM)
  symlinkSync(join(root, 'node_modules'), join(compiled, 'node_modules'))
  return workshop
}

/** A data directory whose database exists and is stopped; one for a test file, since making one takes a second. */
export async function preparedDataDir(workshop: string): Promise<string> {
  const dataDir = join(workshop, 'prepared')
  if (existsSync(dataDir)) return dataDir
  const server = await startPostgres({ dataDir, log: () => undefined })
  await server.stop()
  return dataDir
}

/** Starts another gateway process on `dataDir`, in a process group of its own. */
export function startOther(workshop: string, dataDir: string, user: { uid?: number; gid?: number } = {}): Starter {
  const child = spawn(process.execPath, [join(workshop, 'compiled', 'postgres', 'starter.js'), dataDir], {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const said = once(createInterface({ input: child.stdout }), 'line').then(([line]): Report => JSON.parse(line))
  const gone = once(child, 'exit').then(([code]): never => {
    throw new Error(`the starter ended with ${code} and said nothing`)
  })
  const report = Promise.race([said, gone])
  // Where it is killed on purpose nobody waits for it.
  for (const each of [gone, report]) each.catch(() => undefined)
  return {
    process: child,
    report,
    stop: async () => {
      const ended = once(child, 'exit')
      child.stdin.write('stop\n')
      await ended
    },
  }
}

/** The platform package as npm leaves it when install scripts are blocked: without the library links. */
export function packageWithoutLinks(into: string): BinaryPackage {
  const source = locateBinaries(process.platform, process.arch)
  const links: { target: string }[] = JSON.parse(
    readFileSync(join(source.directory, 'native/pg-symlinks.json'), 'utf8'),
  )
  // Hard links where the file system lets us: it is 60 MB.
  const linked = spawnSync('cp', ['-al', source.directory, into])
  if (linked.status !== 0) cpSync(source.directory, into, { recursive: true })
  for (const { target } of links) rmSync(join(into, target), { force: true })
  return { ...source, directory: into }
}

export function isRunning(pid: number): boolean {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
  return state !== '' && !state.startsWith('Z')
}

export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  try {
    const result: pg.QueryResult<Record<string, unknown>> = await client.query(sql)
    return result.rows
  } finally {
    await client.end()
  }
}

export function remove(directory: string): void {
  if (existsSync(directory)) rmSync(directory, { recursive: true, force: true })
}
