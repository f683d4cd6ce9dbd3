// The bodies to start from that the OpenAPI document shows: each is one that its operation takes.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { REQUEST_EXAMPLES } from '../../src/http/docs/examples.ts'
import { openWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
})
afterAll(() => world.stop())

test('every example is a body that its operation takes', async () => {
  const { body } = await world.ask('GET', '/openapi.json')
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(body, 'api')
  for (const [operation, example] of Object.entries(REQUEST_EXAMPLES)) {
    const [method = '', path = ''] = operation.split(' ')
    const place = ['paths', path, method, 'requestBody', 'content', 'application/json']
    expect(place.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], body)).toHaveProperty(
      'example',
      example,
    )
    const pointer = [...place, 'schema'].map((part) => part.replaceAll('/', '~1')).join('/')
    const isTaken = ajv.compile({ $ref: `api#/${encodeURI(pointer)}` })
    expect([operation, isTaken(example), isTaken.errors]).toEqual([operation, true, null])
  }
})
