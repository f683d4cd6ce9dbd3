// The process of one gateway: started, waited for, killed, stood still. Knows nothing of what is beside it.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type GatewayChild = {
  readonly url: string
  /** Starts the gateway; does not wait for it. */
  readonly launch: () => void
  /** Waits until it says that it is ready; the milliseconds that took. Throws when it ended instead or takes too long. */
  readonly ready: () => Promise<number>
  /** Whether its process is there. */
  readonly isUp: () => boolean
  readonly pid: () => number | undefined
  /** Ends it at once, and waits until it is gone; null for how it ended by itself. */
  readonly end: (signal: 'SIGKILL' | 'SIGTERM') => Promise<number | null>
}

const READY_WITHIN_MS = 180_000
const POLL_MS = 20

export type ChildPlace = {
  readonly program: string
  readonly folder: string
  readonly logPath: string
  readonly port: number
  readonly env: Readonly<Record<string, string>>
}

export function gatewayChild({ program, folder, logPath, port, env }: ChildPlace): GatewayChild {
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | null = null
  let said = ''
  const isAlive = (one: ChildProcess | null) => one !== null && one.exitCode === null && one.signalCode === null
  const isUp = () => isAlive(child)
  const isReady = async () => {
    // It says so when everything is there; dev.json is written before that.
    if (!said.includes('\n')) return false
    return fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
      (answer) => answer.ok,
      () => false,
    )
  }
  return {
    url,
    launch: () => {
      if (isUp()) throw new Error('the gateway is running already')
      const log = openSync(logPath, 'a')
      said = ''
      const own = { ...env, PORT: String(port) }
      const words = [program, 'start', '--json']
      const launched = spawn(process.execPath, words, { env: own, cwd: folder, stdio: ['ignore', 'pipe', log] })
      launched.stdout?.on('data', (bytes: Buffer) => {
        if (launched === child) said += bytes.toString()
      })
      child = launched
      closeSync(log)
      // Nothing is left behind where the caller ends before its time.
      const endWithUs = () => void launched.kill('SIGKILL')
      process.once('exit', endWithUs)
      launched.once('exit', () => process.off('exit', endWithUs))
    },
    ready: async () => {
      const from = performance.now()
      while (!(await isReady())) {
        if (!isUp()) throw new Error(`the gateway ended at its start: ${said}\n${lastLines(logPath)}`)
        if (performance.now() - from > READY_WITHIN_MS)
          throw new Error(`the gateway is not ready:\n${lastLines(logPath)}`)
        await sleep(POLL_MS)
      }
      return performance.now() - from
    },
    isUp,
    pid: () => (isUp() ? child?.pid : undefined),
    end: async (signal) => {
      // Whoever supervises it may have started another one by the next look.
      const ending = child
      ending?.kill(signal)
      while (isAlive(ending)) await sleep(POLL_MS)
      return ending?.exitCode ?? null
    },
  }
}

/** The end of a log, for whoever has to find out why. */
export function lastLines(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(-30).join('\n') : ''
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
