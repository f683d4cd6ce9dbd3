// Keeps a sandbox provider running beside the gateway: its own process with its own books, started again when it dies.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import type { Log } from '../platform/log.ts'
import { packageFile } from './package-file.ts'

export type SandboxProcess = {
  readonly url: string
  readonly pid: () => number | undefined
  readonly stop: () => Promise<void>
}

const READY_WITHIN_MS = 10_000
const RESTART_PAUSE_MS = 500

/** Starts the provider on a free port of the loopback and keeps it there; `dataDir` holds its books. */
export async function startSandboxProcess(dataDir: string, log: Log): Promise<SandboxProcess> {
  mkdirSync(dataDir, { recursive: true })
  const port = await freePort()
  let stopping = false
  let child: ChildProcess

  const launch = () => {
    child = spawn(
      process.execPath,
      [packageFile('dist/sandbox/server.js'), '--port', String(port), '--data', dataDir, '--with-parent'],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
        // A group of its own: Ctrl-C in the terminal reaches the gateway alone, which still needs its provider to finish.
        detached: true,
      },
    )
    child.once('exit', (code, signal) => {
      if (stopping) return
      log.warn({ code, signal }, 'the sandbox provider died and is started again')
      setTimeout(() => !stopping && launch(), RESTART_PAUSE_MS).unref()
    })
    return child
  }

  const url = await readyUrl(launch())
  return {
    url,
    pid: () => child.pid,
    stop: async () => {
      stopping = true
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      child.kill('SIGTERM')
      await ended
    },
  }
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the sandbox provider did not start in time')), READY_WITHIN_MS)
    child.once('exit', (code) => reject(new Error(`the sandbox provider stopped at its start (exit code ${code})`)))
    if (!child.stdout) return
    createInterface({ input: child.stdout }).once('line', (line) => {
      clearTimeout(late)
      resolve((JSON.parse(line) as { url: string }).url)
    })
  })
}

/** A port that was free a moment ago: chosen once, so that a provider that is started again is found at the same place. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}
