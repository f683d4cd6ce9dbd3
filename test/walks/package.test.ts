// A newcomer's path from an empty folder: the package is installed, started, moves its first money and is stopped, with nothing
// left behind. Needs the registry, or npm's cache of it.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const INSTALLED_BYTES_MAX = 110_000_000
const WITHIN_MS = 120_000

const folder = mkdtempSync(join(tmpdir(), 'gateway-package-'))
const home = join(folder, 'app')
const program = join(home, 'node_modules/.bin/gateway-contracts')
let skipped: string | null = null

beforeAll(() => {
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{"private": true}\n')
  // The hooks of npm pack build first, so that the package is of these sources.
  const packed = npm(process.cwd(), ['pack', '--silent', '--pack-destination', folder])
  if (packed.status !== 0) throw new Error(`npm pack failed:\n${packed.stderr}`)
  const tarball = packed.stdout.trim().split('\n').at(-1) ?? ''
  const words = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=0']
  const installed = npm(home, ['install', ...words, join(folder, tarball)])
  if (installed.status === 0) return
  if (
    !/\b(E40[0-9]|E5\d\d|ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|ENOTCACHED)\b/.test(
      installed.stderr,
    )
  )
    throw new Error(`npm install failed:\n${installed.stderr}`)
  skipped = 'SKIPPED: the registry does not answer, so the package was not installed'
  console.warn(skipped)
}, 600_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** As in a terminal: without what `npm run` tells of this repository's own settings. */
function npm(cwd: string, words: readonly string[]) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
  return spawnSync('npm', words, { cwd, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}

/** What an empty environment has, so that nothing of this checkout reaches the installation. */
const bare = (own: Readonly<Record<string, string>> = {}) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: folder,
  ...own,
})

test('an installation takes no more than 110 MB of the disk, the database included', ({ skip }) => {
  if (skipped !== null) skip(skipped)
  const { status, stdout } = spawnSync('du', ['-s', '-k', 'node_modules'], { cwd: home, encoding: 'utf8' })
  expect(status).toBe(0)
  expect(Number.parseInt(stdout, 10) * 1024).toBeLessThan(INSTALLED_BYTES_MAX)
  expect(existsSync(join(home, 'node_modules/viem'))).toBe(false)
})

test('it starts, moves its first money, and leaves no process behind', async ({ skip }) => {
  if (skipped !== null) skip(skipped)
  const data = join(home, '.gateway')
  const child = spawn(program, ['start'], { cwd: home, env: bare({ PORT: '0' }), stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()))
  const ended = once(child, 'close')
  try {
    await vi.waitFor(() => expect(existsSync(join(data, 'dev.json')), said).toBe(true), {
      timeout: WITHIN_MS,
      interval: 100,
    })
    const { base_url: base, api_key: key } = JSON.parse(readFileSync(join(data, 'dev.json'), 'utf8')) as Record<
      'base_url' | 'api_key',
      string
    >
    await vi.waitFor(async () => expect((await fetch(`${base}/readyz`)).status).toBe(200), {
      timeout: WITHIN_MS,
      interval: 200,
    })
    expect(await moved(base, key)).toBe('completed')
  } finally {
    child.kill('SIGTERM')
  }
  await ended
  expect(child.exitCode, said).toBe(0)
  await vi.waitFor(() => expect(processesOf(home)).toEqual([]), { timeout: WITHIN_MS, interval: 200 })
})

test('a crypto channel without its library is refused, with the command that installs it', ({ skip }) => {
  if (skipped !== null) skip(skipped)
  const guide = /```json\n([\s\S]*?)```/.exec(readFileSync('docs/crypto.md', 'utf8'))?.[1] ?? ''
  const { channels } = JSON.parse(guide) as { channels: Record<string, unknown>[] }
  writeFileSync(
    join(home, 'gateway.json'),
    JSON.stringify({ channels: channels.map((each) => ({ ...each, mode: 'test' })) }),
  )
  const crypto = {
    GATEWAY_CRYPTO_RPC_URL: 'http://127.0.0.1:9',
    GATEWAY_CRYPTO_MODE: 'test',
    GATEWAY_CRYPTO_KEY: `0x${'1'.repeat(64)}`,
  }
  const { status, stderr } = spawnSync(program, ['start'], {
    cwd: home,
    env: bare({ PORT: '0', GATEWAY_CONFIG: 'gateway.json', ...crypto }),
    encoding: 'utf8',
    timeout: WITHIN_MS,
  })
  expect(stderr).toMatch(/a crypto channel needs the package viem, which is not installed\. Run: npm install viem@/)
  expect(status).toBe(2)
})

/** A transfer from draft to its end; its last status. */
async function moved(base: string, key: string): Promise<string> {
  const call = async (method: string, path: string, body?: unknown) => {
    const reply = await fetch(base + path, {
      method,
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    expect(reply.ok, text).toBe(true)
    return (JSON.parse(text) as { data: { contract: { id: string; status: string } } }).data.contract
  }
  const recipient = { name: 'Ana Cruz', wallet: '0012345678' }
  const draft = { amount: 1500, currency: 'PHP', description: 'Coffee', channel: 'sandbox', recipient }
  const { id } = await call('POST', '/contracts/transfer', draft)
  await call('PUT', `/contracts/transfer/${id}/issue`)
  await call('PUT', `/contracts/transfer/${id}/pay`)
  const ended = () => call('GET', `/contracts/transfer/${id}`)
  await vi.waitFor(async () => expect((await ended()).status).toBe('completed'), { timeout: WITHIN_MS, interval: 250 })
  return (await ended()).status
}

/** Programs that run out of the folder, by their command lines. */
function processesOf(path: string): string[] {
  const { stdout } = spawnSync('ps', ['-ww', '-eo', 'pid=,args='], { encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line.includes(path) && !line.includes(' ps '))
}
