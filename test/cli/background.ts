// Commands that run beside the test, as processes of their own, and what they say meanwhile: for commands that last, and
// for those that call a server of the test.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { expect, vi } from 'vitest'
import type { GatewayProcess } from '../rig/gateway-process.ts'

export type Background = {
  readonly child: ChildProcess
  readonly said: { out: string; err: string }
  /** The exit code, once it is there. */
  readonly ended: Promise<number | null>
  /** Waits until standard output has it. */
  readonly says: (words: string | RegExp) => Promise<void>
  /** What it printed, as the JSON documents that its lines are. */
  readonly lines: () => Record<string, unknown>[]
  /** Ctrl-C; the exit code. */
  readonly interrupt: () => Promise<number | null>
}

const WITHIN_MS = 20_000

// Nothing is left behind where the test ends before its time.
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** The command line's program of an installation of the rig. */
export function programOf(gateway: GatewayProcess): string {
  return join(dirname(gateway.dataDir), 'dist/src/cli/index.js')
}

export function runBeside(
  program: string,
  env: Readonly<Record<string, string>>,
  words: readonly string[],
  input = '',
): Background {
  const child = spawn(process.execPath, [program, ...words], { env: { PATH: process.env['PATH'] ?? '', ...env } })
  const said = { out: '', err: '' }
  child.stdout.on('data', (bytes: Buffer) => (said.out += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => (said.err += bytes.toString()))
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  children.add(child)
  const ended = once(child, 'close').then(() => {
    children.delete(child)
    return child.exitCode
  })
  return {
    child,
    said,
    ended,
    says: async (words) => {
      await vi.waitFor(() => expect(said.out + said.err).toMatch(words), { timeout: WITHIN_MS, interval: 20 })
    },
    lines: () =>
      said.out
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    interrupt: async () => {
      child.kill('SIGINT')
      return ended
    },
  }
}
