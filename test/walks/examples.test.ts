// The examples of the OpenAPI document are a run of a real gateway: played again, it says the same as docs/examples.json.
// npm run examples writes the file anew. What differs from run to run is taken out of it (test/rig/examples/steady.ts).
import { Ajv2020 } from 'ajv/dist/2020.js'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { playAll } from '../rig/examples/plays.ts'
import { openStage, type Stage } from '../rig/examples/stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

test('a run of a gateway says what docs/examples.json says', async () => {
  await playAll(stage)
  await expect(stage.played.text()).toMatchFileSnapshot('../../docs/examples.json')
})

test('every example of the document fits its shape', () => {
  const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as object
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'api')
  const places: string[][] = []
  const visit = (value: unknown, place: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return
    if ('schema' in value && 'example' in value) places.push([...place])
    else for (const [name, member] of Object.entries(value)) visit(member, [...place, name])
  }
  visit(document, [])
  expect(places.length).toBeGreaterThan(100)
  for (const place of places) {
    const { example } = place.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], document) as {
      readonly example: unknown
    }
    const isParameter = place.includes('parameters')
    const pointer = [...place, 'schema'].map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
    const fits = isParameter || ajv.compile({ $ref: `api#/${encodeURI(pointer)}` })(example)
    expect([place.join(' '), fits]).toEqual([place.join(' '), true])
  }
})
