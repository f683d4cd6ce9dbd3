// One server process: recognising the one that runs on a data directory, and starting one.
// Knows nothing about how many gateways use it, or when it is to stop.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, fstatSync, linkSync, openSync, readFileSync, readlinkSync, readSync } from 'node:fs'
import { renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Binaries, cannotDropRoot } from './binaries.ts'
import { textIfThere } from '../private-files.ts'
import { codeOf } from './errors.ts'
import type { Home } from './home.ts'

/** A live server of a data directory, as it describes itself in postmaster.pid. */
export type Postmaster = {
  readonly pid: number
  readonly port: number
  readonly sockets: string
  /** False while it starts (or recovers) and while it stops. */
  readonly isReady: boolean
}

/** A server that was just started. */
export type Launched = {
  readonly pid: number
  hasEnded(): boolean
  /** What the log gained since the launch, its last lines. */
  lastWords(): string
}

const LOG_BYTES_MAX = 10 * 1024 * 1024
const LAST_WORDS_BYTES = 4096

/**
 * The live server of `data`, if there is one. A postmaster.pid whose process id now belongs to another program (the
 * server was killed, the id used again), or to what is left of the server until its parent looks, is set aside with the
 * lock of its socket, because PostgreSQL itself would take either for a live server's.
 */
export function findPostmaster(data: string): Postmaster | undefined {
  const file = join(data, 'postmaster.pid')
  const text = textIfThere(file)
  if (text === null) return undefined
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  const [port, sockets] = [Number(lines[3]), lines[4] ?? '']
  if (!isServerOf(pid, data)) {
    if (isAlive(pid)) {
      // The socket's first: the next process to find the other one still there does the rest.
      const lock = join(sockets, `.s.PGSQL.${port}.lock`)
      const held = sockets === '' ? null : textIfThere(lock)
      if (held !== null && Number(held.split('\n')[0]) === pid) setAside(lock, held)
      setAside(file, text)
    }
    return undefined
  }
  return { pid, port, sockets, isReady: lines[7]?.trim() === 'ready' }
}

function isServerOf(pid: number, data: string): boolean {
  if (!existsSync('/proc/self/cmdline')) {
    const listed = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    return listed.stdout.includes(`-D${data}`)
  }
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    // The working directory recognises a server whose data directory was moved while it ran.
    return words.includes(`-D${data}`) || (words[0]?.endsWith('/postgres') === true && worksIn(pid, data))
  } catch {
    return false
  }
}

function worksIn(pid: number, directory: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === directory
  } catch {
    return false
  }
}

/** Whether any process, of whatever user, has this id now. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (fault) {
    return codeOf(fault) === 'EPERM'
  }
}

// By renaming, and looking at what was caught: another gateway may have started a server since we read the file.
function setAside(file: string, expected: string): void {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    if (readFileSync(aside, 'utf8') !== expected) linkSync(aside, file)
  } catch (fault) {
    if (codeOf(fault) !== 'ENOENT' && codeOf(fault) !== 'EEXIST') throw fault
  } finally {
    rmSync(aside, { force: true })
  }
}

/**
 * Starts the server in a session of its own. `onPid` gets its process id before it begins to run, so that the watchdog
 * that must stop it if we die knows it in time. Throws PostgresUnavailable when it cannot be started as its user.
 */
export async function launch(
  home: Home,
  binaries: Binaries,
  settings: Record<string, string>,
  onPid: (pid: number) => void,
): Promise<Launched> {
  const log = openLog(home.log)
  const logStart = fstatSync(log).size
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // The shell waits for a line, and becomes the server when it comes; it ends when we die before sending it.
  const script = ['-c', 'read -r word && exec "$@" </dev/null', 'sh', binaries.postgres, `-D${home.data}`, ...flags]
  const child = spawn('/bin/sh', script, {
    ...home.user,
    env: binaries.env,
    cwd: home.place,
    detached: true,
    stdio: ['pipe', log, log],
  })
  closeSync(log)
  const pid = await pidOf(child)
  onPid(pid)
  child.stdin?.on('error', () => undefined)
  child.stdin?.end('go\n')
  child.unref()
  return {
    pid,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    lastWords: () => tailOf(home.log, logStart),
  }
}

async function pidOf(child: ChildProcess): Promise<number> {
  if (child.pid !== undefined) return child.pid
  return new Promise((_, reject) => child.once('error', (fault) => reject(cannotDropRoot(fault))))
}

// Opened by us and handed over, so the server's user need not be able to reach it.
function openLog(path: string): number {
  if (existsSync(path) && statSync(path).size > LOG_BYTES_MAX) renameSync(path, `${path}.1`)
  return openSync(path, 'a', 0o600)
}

function tailOf(path: string, from: number): string {
  const handle = openSync(path, 'r')
  try {
    const size = fstatSync(handle).size
    const start = Math.max(from <= size ? from : 0, size - LAST_WORDS_BYTES)
    const bytes = Buffer.alloc(size - start)
    return bytes.toString('utf8', 0, readSync(handle, bytes, 0, bytes.length, start))
  } finally {
    closeSync(handle)
  }
}
