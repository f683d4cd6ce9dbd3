// Keeps a sandbox provider running beside the gateway: its own process with its own books, started again when it dies.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
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

/**
 * Starts the provider on a port of the loopback and keeps it there, the one of the last start where that is free: links to its
 * pages go on working. `dataDir` holds its books.
 */
export async function startSandboxProcess(dataDir: string, log: Log): Promise<SandboxProcess> {
  mkdirSync(dataDir, { recursive: true })
  const port = await portOf(join(dataDir, 'port'))
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

async function portOf(file: string): Promise<number> {
  const port = (await free(lastPort(file))) ?? (await free(0))
  if (port === null) throw new Error('the loopback has no free port for the sandbox provider')
  writeFileSync(file, `${port}\n`)
  return port
}

function lastPort(file: string): number {
  try {
    const port = Number(readFileSync(file, 'utf8'))
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0
  } catch {
    return 0
  }
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
