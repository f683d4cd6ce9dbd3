// Starts of the compiled gateway in whatever configuration, by whatever user: what each prints, how it ends, and what it leaves
// in its data directory. Knows nothing about what a start should do.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { compileGateway } from './built.ts'

export type Started = {
  readonly child: ChildProcess
  readonly said: { out: string; err: string }
  /** The exit code, once it is there; null for a signal. */
  readonly ended: Promise<number | null>
  /** The line of JSON that a start with --json prints; throws where it ended instead. */
  readonly ready: () => Promise<Ready>
}

export type Ready = {
  readonly mode: string
  readonly url: string
  readonly public_url: string
  readonly metrics_url?: string
  readonly live_rails?: readonly string[]
  readonly notes?: readonly string[]
  readonly dev?: Readonly<Record<string, unknown>>
}

export type Workshop = {
  readonly folder: string
  readonly program: string
  /** A new directory, owned by `user` where that is said. */
  readonly directory: (name: string, user?: number) => string
  /** Runs `gateway <words>`; PORT is 0. */
  readonly run: (settings: Settings, words: readonly string[], user?: number) => Started
  /** The processes whose command line names the text. */
  readonly processesOf: (text: string) => string[]
  /** Ends what is left and removes the files. */
  readonly close: () => Promise<void>
}

export type Settings = Readonly<Record<string, string>>

const POLL_MS = 20
const WITHIN_MS = 60_000

const isRoot = process.getuid?.() === 0
/** Somebody who owns nothing on this machine; undefined where the tests may not start anything as somebody else. */
export const STRANGER: number | undefined = isRoot ? 54_321 : undefined
/** A user who is not root and has a name, which PostgreSQL wants: "nobody" for root, else whoever runs the tests. */
export const SERVICE_USER: number | undefined = isRoot ? 65_534 : undefined

export function openWorkshop(): Workshop {
  const folder = mkdtempSync('/tmp/gateway-starts-')
  // Others must be able to come through.
  chmodSync(folder, 0o755)
  const program = compileGateway(folder)
  const running = new Set<Started>()
  const processesOf = (text: string) =>
    spawnSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' })
      .stdout.split('\n')
      .filter((line) => line.includes(text))
  return {
    folder,
    program,
    directory: (name, user) => {
      const path = join(folder, name)
      mkdirSync(path)
      if (user !== undefined) chownSync(path, user, user)
      return path
    },
    run: (settings, words, user) => {
      const env = {
        PATH: process.env['PATH'] ?? '',
        PORT: '0',
        LOG_LEVEL: 'error',
        XDG_CONFIG_HOME: join(folder, 'config'),
        ...settings,
      }
      const who = user === undefined ? {} : { uid: user, gid: user }
      const child = spawn(process.execPath, [program, ...words], { env, cwd: folder, ...who })
      const started = watched(child)
      running.add(started)
      void started.ended.then(() => running.delete(started))
      return started
    },
    processesOf,
    close: async () => {
      for (const { child } of running) child.kill('SIGKILL')
      await Promise.all([...running].map(({ ended }) => ended))
      // The watchdog stops a database once its last user is gone, and a provider ends with its parent.
      for (const until = Date.now() + WITHIN_MS; processesOf(folder).length > 0 && Date.now() < until; )
        await sleep(POLL_MS)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function watched(child: ChildProcess): Started {
  const said = { out: '', err: '' }
  child.stdout?.on('data', (bytes: Buffer) => (said.out += bytes.toString()))
  child.stderr?.on('data', (bytes: Buffer) => (said.err += bytes.toString()))
  const ended = once(child, 'close').then(() => child.exitCode)
  return {
    child,
    said,
    ended,
    ready: async () => {
      for (const from = performance.now(); !said.out.includes('\n'); await sleep(POLL_MS)) {
        if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${said.out}${said.err}`)
        if (performance.now() - from > WITHIN_MS) throw new Error(`it is not ready: ${said.out}${said.err}`)
      }
      const line = JSON.parse(said.out.split('\n')[0] ?? '') as Ready & { readonly error?: unknown }
      if (line.error) throw new Error(`it is not ready: ${said.out}`)
      return line
    },
  }
}
