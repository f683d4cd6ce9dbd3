// The sandbox provider as a real process that can be killed, and its interface as a test calls it.
// Node 20 runs no TypeScript, so the provider's files are compiled once into a folder of their own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import ts from 'typescript'

export type Provider = {
  readonly url: string
  /** Ends the process at once, as a crash would, or as an operator would; resolves when it is gone. */
  end(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<number | null>
  /** Lets go of its standard input, as a parent does by dying. */
  orphan(): Promise<number | null>
}

/** What opens the control of every provider that a test spawns. */
export const TOKEN = 'the token of this test'.replaceAll(' ', '-')

/** A new folder of the machine's temporary ones. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'gateway-sandbox-'))
}

/** Compiles `sandbox/` alone: it imports nothing of the gateway. Returns the path of its program. */
export function compileProvider(): string {
  const folder = newFolder()
  const options = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2023,
    rewriteRelativeImportExtensions: true,
  }
  for (const name of readdirSync('sandbox', { encoding: 'utf8', recursive: true })) {
    if (!name.endsWith('.ts')) continue
    const { outputText } = ts.transpileModule(readFileSync(join('sandbox', name), 'utf8'), { compilerOptions: options })
    const path = join(folder, name.replace(/\.ts$/, '.js'))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, outputText)
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  return join(folder, 'server.js')
}

/** Starts the provider over a folder of books, on any free port; resolves when it says that it is ready. */
export async function spawnProvider(program: string, dataDir: string): Promise<Provider> {
  const child = spawn(process.execPath, [program, '--port', '0', '--data', dataDir, '--with-parent'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, SANDBOX_TOKEN: TOKEN },
  })
  const gone = once(child, 'exit').then(([code]) => code as number | null)
  const ready = once(createInterface(child.stdout), 'line').then(
    ([line]) => JSON.parse(String(line)) as { url: string },
  )
  const first = await Promise.race([ready, gone])
  if (first === null || typeof first === 'number') throw new Error(`the provider ended at its start: ${first}`)
  return {
    url: first.url,
    end(signal) {
      child.kill(signal)
      return gone
    },
    orphan() {
      child.stdin.end()
      return gone
    },
  }
}

export type Answer = { status: number; body: Record<string, unknown> }

/** Calls the provider as a rail's customer would, without the gateway's own client. */
export async function ask(url: string, method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> {
  const reference = typeof body === 'object' && body !== null && 'reference' in body ? String(body.reference) : ''
  const response = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', 'idempotency-key': reference, authorization: `Bearer ${TOKEN}` },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** What a caller posts; the amount chooses the scenario unless `wallet` does. */
export function orderOf(reference: string, amount = '100.00', wallet: string | null = null, currency = 'PHP') {
  return { reference, amount, currency, channel: 'sandbox', recipient: { name: 'Ana', wallet }, description: null }
}
