// The TypeScript samples of the reference compile against the SDK, as one program, and there is one for every operation that the
// SDK can call.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { placesOf, readDocument } from '../../docs/.vitepress/reference/document.ts'
import { typescriptSample } from '../../docs/.vitepress/reference/typescript.ts'

const document = readDocument()
const samples = placesOf(document).map((place) => ({ slug: place.slug, text: typescriptSample(document, place) }))
const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  target: 'es2023',
  module: 'preserve',
  moduleDetection: 'force',
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  types: ['node'],
  typeRoots: [resolve('node_modules/@types')],
  paths: { 'gateway-contracts-sdk': [resolve('sdk/src/index.ts')] },
}

test('what providers and rails send, and a file, is all that has no sample', () => {
  const bare = samples.filter(({ text }) => text === undefined).map(({ slug }) => slug)
  expect(bare.toSorted()).toEqual(['channels-callback', 'commands-file', 'payment_events-create'])
})

test('the samples compile', { timeout: 240_000 }, () => {
  expect(faultsOf(samples.flatMap(({ slug, text }) => (text === undefined ? [] : [{ slug, text }])))).toBe('')
})

test('a sample that the SDK does not take is found', { timeout: 240_000 }, () => {
  const [head = ''] = samples.find(({ slug }) => slug === 'transfers-create')?.text?.split('const contract') ?? []
  const text = `${head}await gateway.transfers.create({ amount: true, currency: 'PHP' })`
  expect(faultsOf([{ slug: 'wrong', text }])).toContain("error TS2322: Type 'boolean' is not assignable")
})

/** What the compiler says of them as one program; nothing where all is well. */
function faultsOf(programs: readonly { readonly slug: string; readonly text: string }[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'reference-samples-'))
  try {
    for (const { slug, text } of programs) writeFileSync(join(folder, `${slug}.ts`), text)
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }))
    return execFileSync(resolve('node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false'], { encoding: 'utf8' })
  } catch (fault) {
    return String((fault as { readonly stdout?: unknown }).stdout ?? fault)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
