// The OpenAPI document as those who generate clients from it need it: every operation has a name of one form, once.
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
