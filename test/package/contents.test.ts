// What the package may hold is judged right: a good list has no fault, and each fault is found where it is planted.
import { describe, expect, test } from 'vitest'
import { faultsOf, type Ground, type Packed } from '../../scripts/package/contents.ts'
import { importsOf, withImports } from '../../scripts/package/imports.ts'

const PATHS = [
  'bin/gateway.js',
  'dist/src/cli/index.js',
  'dist/sandbox/server.js',
  'dist/bundled/LICENSES.txt',
  'db/migrations/0001_ledger.sql',
  'db/schema.sql',
  'docs/openapi.json',
  'package.json',
  'LICENSE',
]
const GOOD: Packed = { size: 1_000_000, unpackedSize: 5_000_000, files: PATHS.map((path) => ({ path })) }

function ground(texts: Readonly<Record<string, string>> = {}): Ground {
  return {
    root: '/home/ana/gateway',
    textOf: (path) => texts[path] ?? '#!/usr/bin/env node\n',
    comeAlong: new Set(['pg', 'fastify']),
    programs: ['bin/gateway.js'],
  }
}

const withFile = (path: string): Packed => ({ ...GOOD, files: [...GOOD.files, { path }] })

describe('the contents of the package', () => {
  test('a good list has no fault', () => {
    const text = "import { readFileSync } from 'node:fs'\nimport pg from 'pg'\nimport fastify from 'fastify'\n"
    expect(faultsOf(GOOD, ground({ 'dist/src/cli/index.js': text }))).toEqual([])
  })

  test.each([
    'dist/src/cli/index.js.map',
    'dist/bench/index.js',
    'dist/scripts/figures.js',
    'test/world.ts',
    'dist/src/domain/money.test.js',
    'src/cli/index.ts',
    'deploy/Dockerfile',
    'dist/.env',
  ])('%s does not belong', (path) => {
    expect(faultsOf(withFile(path), ground())).toEqual([`${path}: does not belong in the package`])
  })

  test('what is missing or too large is named', () => {
    const less = { ...GOOD, files: GOOD.files.filter(({ path }) => path !== 'docs/openapi.json') }
    expect(faultsOf(less, ground())).toEqual(['docs/openapi.json: is missing'])
    expect(faultsOf({ ...GOOD, size: 8_100_000 }, ground())).toEqual(['8.1 MB packed, at most 8.0 MB'])
    expect(faultsOf({ ...GOOD, unpackedSize: 16_100_000 }, ground())).toEqual(['16.1 MB unpacked, at most 16.0 MB'])
  })

  test('code that would not run elsewhere is named', () => {
    const file = 'dist/src/cli/index.js'
    const faults = (text: string) => faultsOf(GOOD, ground({ [file]: text }))
    expect(faults("import { test } from 'vitest'\n")).toEqual([
      `${file}: imports vitest, which is not installed with it`,
    ])
    expect(faults("const it = await import('typebox/schema')\n")).toEqual([
      `${file}: imports typebox/schema, which is not installed with it`,
    ])
    expect(faults("open('/home/ana/gateway/db')\n")).toEqual([
      `${file}: names /home/ana/gateway, the folder that it was built in`,
    ])
    expect(faultsOf(GOOD, ground({ 'bin/gateway.js': 'run()' }))).toEqual(['bin/gateway.js: no program of Node'])
  })
})

describe('imports of built files', () => {
  test('are read with their names', () => {
    const text = [
      "import Type, { IsArray as is } from 'typebox'",
      "import {\n  Counter,\n  Gauge,\n} from 'prom-client'",
      "import * as pg from 'pg'",
      "import 'reflect-metadata'",
      "export { a } from './beside.js'",
      "const load = () => import('undici')",
    ].join('\n')
    expect(importsOf(text)).toEqual([
      { specifier: 'typebox', names: ['default', 'IsArray'] },
      { specifier: 'prom-client', names: ['Counter', 'Gauge'] },
      { specifier: 'pg', names: ['*'] },
      { specifier: 'reflect-metadata', names: ['*'] },
      { specifier: 'undici', names: ['*'] },
    ])
  })

  test('are turned elsewhere, and nothing else is', () => {
    const text =
      "import pg from 'pg'\nconst say = \"from 'pg'\"\nconst load = () => import('pg')\nimport fs from 'node:fs'\n"
    expect(withImports(text, (specifier) => (specifier === 'pg' ? '../bundled/pg.js' : null))).toBe(
      "import pg from '../bundled/pg.js'\nconst say = \"from 'pg'\"\nconst load = () => import('../bundled/pg.js')\nimport fs from 'node:fs'\n",
    )
  })
})
