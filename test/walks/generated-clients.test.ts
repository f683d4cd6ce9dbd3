// Clients that public generators make of docs/openapi.json: they compile strictly, and a first transfer runs through each.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '../world.ts'

const run = promisify(execFile)
const ROOT = resolve('.')
const PROGRAMS = join(ROOT, 'node_modules', '.bin')

const DRAFT = `{
  amount: 1500,
  currency: 'PHP',
  channel: 'sandbox',
  recipient: { name: 'Maria Santos', wallet: '000123456789' },
}`

/** What a user of each would write; the last line that it prints is the status of the contract. */
const FIRST_TRANSFER = {
  'openapi-typescript': `
import createClient from 'openapi-fetch'
import type { paths } from './made/api.js'

const client = createClient<paths>({ baseUrl: process.env['BASE_URL'] ?? '', headers: { 'X-Api-Key': process.env['API_KEY'] ?? '' } })
const key = (step: string) => ({ header: { 'Idempotency-Key': 'first-' + step } })
const made = await client.POST('/contracts/transfer', { params: key('create'), body: ${DRAFT} })
if (!made.data) throw new Error(JSON.stringify(made.error))
const path = { id: made.data.data.contract.id }
const issued = await client.PUT('/contracts/transfer/{id}/issue', { params: { path, ...key('issue') }, body: {} })
if (!issued.data) throw new Error(JSON.stringify(issued.error))
const paid = await client.PUT('/contracts/transfer/{id}/pay', { params: { path, ...key('pay') }, body: {} })
if (!paid.data) throw new Error(paid.error.error.code)
const status: 'draft' | 'issued' | 'paid' | 'completed' | 'returned' | 'cancelled' | 'expired' = paid.data.data.contract.status
console.log(status)
`,
  '@hey-api/openapi-ts': `
import { createClient } from './made/client/index.js'
import { transfersCreate, transfersIssue, transfersPay } from './made/index.js'

const client = createClient({ baseUrl: process.env['BASE_URL'] ?? '', headers: { 'X-Api-Key': process.env['API_KEY'] ?? '' } })
const made = await transfersCreate({ client, body: ${DRAFT} })
if (!made.data) throw new Error(JSON.stringify(made.error))
const path = { id: made.data.data.contract.id }
const issued = await transfersIssue({ client, path, body: {} })
if (!issued.data) throw new Error(JSON.stringify(issued.error))
const paid = await transfersPay({ client, path, body: {} })
if (!paid.data) throw new Error(JSON.stringify(paid.error))
const status: 'draft' | 'issued' | 'paid' | 'completed' | 'returned' | 'cancelled' | 'expired' = paid.data.data.contract.status
console.log(status)
`,
} as const

const MAKE: Readonly<Record<keyof typeof FIRST_TRANSFER, readonly string[]>> = {
  'openapi-typescript': ['openapi-typescript', join(ROOT, 'docs/openapi.json'), '-o', 'made/api.ts'],
  '@hey-api/openapi-ts': [
    'openapi-ts',
    '-i',
    join(ROOT, 'docs/openapi.json'),
    '-o',
    'made',
    '-c',
    '@hey-api/client-fetch',
    '--no-log-file',
  ],
}

const STRICT = {
  strict: true,
  target: 'es2023',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
  skipLibCheck: true,
  noEmit: true,
}

let world: World
let url: string
beforeAll(async () => {
  world = await openWorld()
  url = await world.listen()
})
afterAll(() => world.stop())

test.each(['openapi-typescript', '@hey-api/openapi-ts'] as const)('%s: made, compiled, run', async (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-client-'))
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: STRICT, files: ['first.ts'] }))
    writeFileSync(join(folder, 'first.ts'), FIRST_TRANSFER[name])
    const [program = '', ...args] = MAKE[name]
    await run(join(PROGRAMS, program), args, { cwd: folder })
    await run(join(PROGRAMS, 'tsc'), ['-p', 'tsconfig.json'], { cwd: folder })
    await run(
      join(PROGRAMS, 'esbuild'),
      ['first.ts', '--bundle', '--platform=node', '--format=esm', '--outfile=first.mjs'],
      {
        cwd: folder,
      },
    )
    const env = { BASE_URL: url, API_KEY: world.caller.apiKey }
    const { stdout } = await run(process.execPath, ['first.mjs'], { cwd: folder, env })
    expect(stdout.trim()).toMatch(/^(paid|completed)$/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
