// Everything a run of the bench sets up and must take away again: a folder, child processes, PostgreSQL. It is taken
// away in reverse order, on Ctrl-C too; children also end by themselves when they lose their parent.
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Stage = {
  /** A folder of this run. */
  readonly directory: string
  /** GATEWAY_SEALING_KEYS of all gateways of this run: those on one database must open each other's secrets. */
  readonly sealingKeys: string
  readonly onStrike: (undo: () => Promise<void>) => void
  /** Starts a file of this folder as a child process with a message channel. */
  readonly launch: (file: string, args: readonly string[]) => ChildProcess
  /** Takes everything away. May be called twice. */
  readonly strike: () => Promise<void>
}

const STOP_WITHIN_MS = 20_000

export function openStage(): Stage {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-bench-'))
  // PostgreSQL runs as another user where the bench runs as root, and has to reach its data.
  chmodSync(directory, 0o755)
  const undo: (() => Promise<void>)[] = [async () => rmSync(directory, { recursive: true, force: true })]
  let struck: Promise<void> | null = null

  const strikeAll = async () => {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    let fault: unknown = null
    for (const step of undo.splice(0).reverse())
      await step().catch((cause: unknown) => {
        fault ??= cause
      })
    if (fault !== null) throw new Error('not everything could be taken away', { cause: fault })
  }
  const strike = () => (struck ??= strikeAll())
  const interrupted = () => void strike().finally(() => process.exit(130))
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)

  const launch = (file: string, args: readonly string[]): ChildProcess => {
    const here = fileURLToPath(import.meta.url)
    const path = join(here, '..', '..', here.endsWith('.ts') ? `${file}.ts` : `${file}.js`)
    // A session of its own: Ctrl-C in the terminal is for the bench, which stops its children in order.
    const child = fork(path, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true })
    undo.push(() => stopChild(child))
    return child
  }
  return {
    directory,
    sealingKeys: randomBytes(32).toString('base64'),
    onStrike: (step) => void undo.push(step),
    launch,
    strike,
  }
}

/** A child stops when it loses its channel; one that does not is ended. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  if (child.connected) child.disconnect()
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
  await ended
  clearTimeout(late)
}

/** The next message of a child, or its end as a fault. */
export function nextMessage(child: ChildProcess, what: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const forget = () => child.off('message', received).off('error', failed).off('exit', ended)
    const received = (message: unknown) => {
      forget()
      resolve(message)
    }
    const failed = (fault: Error) => {
      forget()
      reject(fault)
    }
    const ended = (code: number | null, signal: string | null) => failed(new Error(`${what} ended (${code ?? signal})`))
    child.on('message', received).on('error', failed).on('exit', ended)
  })
}
