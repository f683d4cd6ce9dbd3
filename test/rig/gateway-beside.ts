// Gateways as processes on a database that is there already: several may share it, and each can be stopped, continued and
// killed. Knows how to start and end them; what is asked of them is the test's business.
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { lastLines } from './gateway-process.ts'

export type BesideProcess = {
  readonly url: string
  readonly pid: number
  readonly signal: (signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 'SIGTERM') => void
  readonly isUp: () => boolean
  /** The signal that ended it; null where it ended by itself. */
  readonly ended: Promise<NodeJS.Signals | null>
}

// Whoever shares a database opens the secrets that are sealed in it.
const SEALING_KEY = Buffer.alloc(32, 7).toString('base64')
const READY_WITHIN_MS = 180_000
const POLL_MS = 20

/** Starts a compiled gateway (see built.ts) and waits until it is ready. `folder` takes its data, by its name. */
export async function startBeside(
  program: string,
  folder: string,
  name: string,
  database: pg.ClientConfig,
  settings: Readonly<Record<string, string>>,
): Promise<BesideProcess> {
  const dataDir = join(folder, name)
  mkdirSync(dataDir, { recursive: true })
  const logPath = join(folder, `${name}.log`)
  const log = openSync(logPath, 'a')
  const own = { PORT: '0', DATABASE_URL: urlOf(database), GATEWAY_DATA_DIR: dataDir, LOG_LEVEL: 'error' }
  const shared = {
    GATEWAY_DURABILITY: 'allow',
    GATEWAY_SEALING_KEYS: SEALING_KEY,
    GATEWAY_AUTH_FAILURES_PER_MINUTE: '0',
  }
  const env = { PATH: process.env['PATH'] ?? '', ...shared, ...own, ...settings }
  const words = [program, 'start', '--json']
  const child = spawn(process.execPath, words, { env, cwd: folder, stdio: ['ignore', 'pipe', log] })
  closeSync(log)
  let said = ''
  child.stdout?.on('data', (bytes: Buffer) => (said += bytes.toString()))
  const endWithUs = () => void child.kill('SIGKILL')
  process.once('exit', endWithUs)
  child.once('exit', () => process.off('exit', endWithUs))
  const isUp = () => child.exitCode === null && child.signalCode === null
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)))
  // Said when the port is open and everything else is there.
  for (const from = performance.now(); !said.includes('\n'); await sleep(POLL_MS))
    if (!isUp() || performance.now() - from > READY_WITHIN_MS)
      throw new Error(`the gateway ${name} is not ready:\n${lastLines(logPath)}`)
  const { url } = JSON.parse(said) as { url?: string }
  if (url === undefined) throw new Error(`the gateway ${name} did not start: ${said}`)
  return { url, pid: child.pid ?? 0, signal: (signal) => void child.kill(signal), isUp, ended }
}

/** As an address: the server listens on a socket of the file system. */
function urlOf({ host, port, user, password, database }: pg.ClientConfig): string {
  const who = `${user}:${encodeURIComponent(String(password))}`
  return `postgres://${who}@localhost:${port}/${database}?host=${encodeURIComponent(host ?? '')}`
}
