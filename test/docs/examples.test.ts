// Every operation of the API document shows what is sent to it and what it answers with, and every type of event what it tells.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Media = { readonly example?: unknown }
type Content = Readonly<Record<string, Media>>
type Operation = {
  readonly operationId: string
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}
type Items = Readonly<Record<string, Readonly<Record<string, Operation>>>>
type Document = { readonly paths: Items; readonly webhooks: Items }

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document
const operationsIn = (items: Items) => Object.values(items).flatMap((item) => Object.values(item))
const HOW = 'ask it in test/rig/examples/plays/ (one line), then npm run examples and npm run generate'

/** Of several forms in which a body may come, the first is shown. */
const isShown = (content: Content | undefined) =>
  Object.values(content ?? { none: { example: null } })[0]?.example !== undefined

test('every operation has an example of what it takes and of what it gives', () => {
  const bare = operationsIn(document.paths).flatMap(({ operationId, requestBody, responses }) => [
    ...(isShown(requestBody?.content) ? [] : [`${operationId}: no example of a request; ${HOW}`]),
    ...(isShown(responses['200']?.content) ? [] : [`${operationId}: no example of a reply; ${HOW}`]),
  ])
  expect(bare).toEqual([])
})

test('every type of event has an example of its webhook', () => {
  const types = Object.entries(document.webhooks)
  const bare = types.filter(([, item]) => !isShown(item['post']?.requestBody?.content)).map(([type]) => type)
  expect(bare, `let it happen in test/rig/examples/plays/working.ts, then npm run examples`).toEqual([])
})
