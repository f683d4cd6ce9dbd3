// The OpenAPI document as those who generate clients from it need it: every operation has a name of one form, once; and a public
// linter's recommended rules find nothing.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Operation = { readonly operationId?: string }
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, { operationId }]) => ({ name: `${method} ${path}`, operationId })),
)

test('every operation is called noun.verb', () => {
  const misnamed = operations.filter(
    ({ operationId = '' }) => !/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/.test(operationId),
  )
  expect(misnamed).toEqual([])
  expect(operations.length).toBeGreaterThan(90)
})

test('no two operations share a name', () => {
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
})

test('the recommended rules of a linter pass, without an exception', { timeout: 120_000 }, () => {
  const env = { PATH: process.env['PATH'], REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const asked = ['lint', 'docs/openapi.json', '--extends', 'recommended', '--format', 'json']
  const said = execFileSync('node_modules/.bin/redocly', asked, {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const { totals, problems } = JSON.parse(said) as { totals: Record<string, number>; problems: unknown[] }
  expect(problems).toEqual([])
  expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 })
})
