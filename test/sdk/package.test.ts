// The SDK as a package: what it weighs, what it needs, and that its entry points are there where nothing of Node is.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { COLLECT_SCENARIOS } from '../../sandbox/collections/collect-scenarios.ts'
import { wellKnownToken } from '../../sandbox/collections/card-tokens.ts'
import { scenarioOf, SCENARIOS } from '../../sandbox/scenarios.ts'
import { sandbox } from '../../sdk/src/index.ts'

const BYTES_MAX = 14_000
const folder = mkdtempSync(join(tmpdir(), 'sdk-package-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const manifest = JSON.parse(readFileSync('sdk/package.json', 'utf8')) as {
  readonly dependencies?: unknown
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>
}

async function weightOf(sources: readonly string[]): Promise<number> {
  const contents = sources.map((source, at) => `export * as _${at} from './${source}'`).join('\n')
  const stdin = { contents, resolveDir: 'sdk/src', loader: 'ts' } as const
  const made = await build({ stdin, bundle: true, minify: true, format: 'esm', platform: 'browser', write: false })
  return gzipSync(made.outputFiles[0]?.contents ?? '', { level: 9 }).length
}

test('all of it is at most 14 kB, gzipped, bundled for a browser', async () => {
  const all = [
    'index.ts',
    'webhooks.ts',
    ...['express', 'fastify', 'hono', 'next'].map((name) => `adapters/${name}.ts`),
  ]
  const [client, whole] = [await weightOf(['index.ts']), await weightOf(all)]
  expect(client).toBeGreaterThan(1000)
  expect(whole).toBeGreaterThan(client)
  expect(whole).toBeLessThanOrEqual(BYTES_MAX)
})

test('it compiles without the types of Node, needs nothing, and every entry point is a file', {
  timeout: 120_000,
}, () => {
  expect(manifest.dependencies).toBeUndefined()
  const out = join(folder, 'dist')
  execFileSync('node_modules/.bin/tsc', ['-p', 'sdk/tsconfig.json', '--outDir', out], { stdio: 'pipe' })
  for (const entry of Object.values(manifest.exports))
    for (const path of [entry.types, entry.default]) expect(existsSync(join(folder, path)), path).toBe(true)
  expect(readFileSync(join(out, 'index.js'), 'utf8')).toContain("from './gateway.js'")
})

test('the sandbox knows every outcome that has a name here', () => {
  expect(Object.keys(sandbox.outcomes)).toHaveLength(SCENARIOS.length)
  expect(scenarioOf(100n, [sandbox.outcomes.bounce]).name).toBe('bounce')
  expect(scenarioOf(100n, [sandbox.outcomes.refusedLater]).name).toBe('refused-later')
  for (const [name, ending] of Object.entries(sandbox.payments)) {
    expect(
      COLLECT_SCENARIOS.find((each) => each.ending === ending),
      name,
    ).toBeDefined()
    expect(sandbox.amount(name as keyof typeof sandbox.payments, 7)).toBe(`7.${ending}`)
  }
  for (const token of Object.values(sandbox.cards)) expect(wellKnownToken(token), token).toBeDefined()
})
