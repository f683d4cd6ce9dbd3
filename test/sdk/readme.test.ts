// Every sample of the SDK's README: it compiles as it stands, and runs against a gateway.
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../world.ts'

const samples = [...readFileSync('sdk/README.md', 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(
  ([, text = '']) => text,
)
/** What serves has no end of its own; test/sdk/webhooks.test.ts runs it. */
const ending = samples.filter((sample) => !sample.includes('.listen('))
const folder = mkdtempSync(join(tmpdir(), 'sdk-readme-'))
const world = await openWorld()
const url = await world.listen()
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await world.stop()
})

test('the samples compile against the package', { timeout: 120_000 }, () => {
  const run = (...words: string[]) => execFileSync(resolve('node_modules/.bin/tsc'), words, { stdio: 'pipe' })
  const installed = join(folder, 'node_modules/gateway-contracts-sdk')
  mkdirSync(installed, { recursive: true })
  run('-p', 'sdk/tsconfig.json', '--outDir', join(installed, 'dist'))
  writeFileSync(join(installed, 'package.json'), readFileSync('sdk/package.json'))
  for (const name of ['@types', 'express'])
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name))
  for (const [at, sample] of samples.entries()) writeFileSync(join(folder, `sample-${at}.mts`), sample)
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'nodenext',
    types: ['node'],
    skipLibCheck: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts'] }))
  expect(samples.length).toBeGreaterThanOrEqual(6)
  try {
    run('-p', folder, '--pretty', 'false')
  } catch (fault) {
    throw new Error(String((fault as { readonly stdout: Buffer }).stdout), { cause: fault })
  }
})

test.each(ending)('a sample runs: %#', { timeout: 60_000 }, async (sample) => {
  const { apiKey } = await world.newCaller()
  // So that there is an event to hear of.
  await world.caller.draft()
  const path = join(folder, `${samples.indexOf(sample)}.mjs`)
  await build({
    stdin: { contents: sample, resolveDir: folder, loader: 'ts' },
    alias: {
      'gateway-contracts-sdk/webhooks': resolve('sdk/src/webhooks.ts'),
      'gateway-contracts-sdk': resolve('sdk/src/index.ts'),
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile: path,
  })
  const key = sample.includes('events.list') ? world.caller.apiKey : apiKey
  const env = { PATH: process.env['PATH'] ?? '', BASE_URL: url, API_KEY: key }
  const { stdout } = await promisify(execFile)(process.execPath, [path], { env, timeout: 50_000 })
  expect(stdout.trim()).not.toBe('')
})
