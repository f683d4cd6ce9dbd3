// Keeps a sandbox provider running beside the gateway: its own process with its own books, started again when it dies. Two
// gateways on one data directory share one: whichever can take the books runs it, and the other takes over when it ends.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../platform/log.ts'
import { privateDirectory } from '../../platform/private-files.ts'
import { packageFile } from '../package-file.ts'
import { lastPlace, type ProviderPlace, provesItself, urlOf, writePlace } from './sandbox-place.ts'

export type SandboxProcess = {
  readonly url: string
  /** Opens its control: scenarios, clock, receivers, books. */
  readonly token: string
  /** Whether another gateway runs it. */
  readonly isShared: boolean
  readonly stop: () => Promise<void>
}

/** The provider cannot be started or shared; the message says why, and what to do. */
export class SandboxUnavailable extends Error {
  override readonly name = 'SandboxUnavailable'
}

const READY_WITHIN_MS = 10_000
const RESTART_PAUSE_MS = 500
const LOOK_AGAIN_MS = 50
/** What the provider ends with where another one keeps the books or has the port (sandbox/server.ts). */
const IN_USE = 3

/**
 * Starts the provider on a port of the loopback and keeps it there, the one of the last start where that is free: links to its
 * pages go on working. `dataDir` holds its books. Where another gateway runs one over these books, that one is shared.
 */
export async function startSandboxProcess(dataDir: string, log: Log): Promise<SandboxProcess> {
  // Before anything is in it: its books hold the secrets of this start.
  privateDirectory(dataDir)
  const first = await attach(dataDir)
  const keeper = keep(first, dataDir, log)
  return { url: urlOf(first.place), token: first.place.token, isShared: first.child === null, stop: keeper.stop }
}

/** Our own child, or null for the provider of another gateway. */
type Attached = { readonly place: ProviderPlace; readonly child: ChildProcess | null }

async function attach(dataDir: string): Promise<Attached> {
  const until = performance.now() + READY_WITHIN_MS
  for (;;) {
    const last = lastPlace(dataDir)
    if (last && (await provesItself(last))) return { place: last, child: null }
    // With the token that it had: another gateway may run on, which knows it by that one, and starts it again by that one.
    const token = last?.token ?? randomBytes(24).toString('base64url')
    const place = { port: await portFor(last), token }
    const child = launch(place, dataDir)
    if (await isReady(child)) {
      writePlace(dataDir, place)
      return { place, child }
    }
    // Its owner is about to end, or has not yet written where it is.
    if (performance.now() > until)
      throw new SandboxUnavailable(
        `Another process keeps the books of the sandbox provider in ${dataDir} and does not answer. End it (its number is in the file lock), or set GATEWAY_DATA_DIR to another directory.`,
      )
    await sleep(LOOK_AGAIN_MS)
  }
}

/** Starts it again at the same place whenever it is gone, whichever gateway ran it. */
function keep({ place, child: first }: Attached, dataDir: string, log: Log): { readonly stop: () => Promise<void> } {
  let stopping = false
  let child = first
  const watch = async () => {
    while (!stopping) {
      if (child) await ended(child)
      if (stopping) return
      if (child)
        log.warn({ code: child.exitCode, signal: child.signalCode }, 'the sandbox provider died and is started again')
      child = null
      await sleep(RESTART_PAUSE_MS, undefined, { ref: false })
      if (await provesItself(place)) continue
      if (stopping) return
      const next = launch(place, dataDir)
      child = next
      if (await isReady(next).catch(() => false)) writePlace(dataDir, place)
      else child = null
    }
  }
  void watch()
  return {
    stop: async () => {
      stopping = true
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const gone = ended(child)
      child.kill('SIGTERM')
      await gone
    },
  }
}

function launch({ port, token }: ProviderPlace, dataDir: string): ChildProcess {
  return spawn(
    process.execPath,
    [packageFile('dist/sandbox/server.js'), '--port', String(port), '--data', dataDir, '--with-parent'],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      // A group of its own: Ctrl-C in the terminal reaches the gateway alone, which still needs its provider to finish.
      detached: true,
      // Nothing of ours but the token: the gateway's environment has what opens real rails.
      env: { ...sandboxEnvironment(process.env), SANDBOX_TOKEN: token },
    },
  )
}

/** What the provider reads of an environment, and no more. */
export function sandboxEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const passed = Object.entries(env).filter(([name]) => name === 'PATH' || name.startsWith('SANDBOX_'))
  return Object.fromEntries(passed.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** True once it reports that it is ready, false where another one keeps the books; rejects where it cannot start. */
function isReady(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill('SIGKILL')
      reject(
        new SandboxUnavailable('The sandbox provider did not start in time. Is this machine very busy? Start again.'),
      )
    }, READY_WITHIN_MS)
    child.once('error', reject)
    child.once('exit', (code) => {
      clearTimeout(late)
      if (code === IN_USE) resolve(false)
      else
        reject(
          new SandboxUnavailable(
            `The sandbox provider stopped at its start (exit code ${code}); what it said is above.`,
          ),
        )
    })
    if (!child.stdout) return
    createInterface({ input: child.stdout }).once('line', () => {
      clearTimeout(late)
      resolve(true)
    })
  })
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => child.once('exit', () => resolve()))
}

async function portFor(last: ProviderPlace | null): Promise<number> {
  const port = (last && (await free(last.port))) ?? (await free(0))
  if (port === null) throw new SandboxUnavailable('The loopback has no free port for the sandbox provider.')
  return port
}

/** A port that was free a moment ago, any for 0: chosen once, so that a provider started again is found at the same place. */
function free(wanted: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(null))
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address ? address.port : null
      probe.close(() => resolve(port))
    })
  })
}
