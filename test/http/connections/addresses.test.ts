// Addresses and methods: what the router cannot read has the form of every error, HEAD works where GET does, a slash at the
// end says nothing, and an id is the same in capitals.
import { afterAll, describe, expect, test } from 'vitest'
import { openWorld } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
afterAll(() => world.stop())
const { app } = world.gateway

const headers = { 'x-api-key': caller.apiKey }
const ID = '01932c07-4b5e-7c31-9d0a-6f2b8e4a1c55'
type Method = 'GET' | 'HEAD' | 'POST' | 'PUT'
const ask = (method: Method, url: string) => app.inject({ method, url, headers })

describe.each([
  ['a bad escape', '/contracts/transfer/%zz'],
  ['half an escape', '/contracts/transfer/%2'],
  ['an escape of no text', '/contracts/transfer/%ff'],
  ['an id that is too long', `/contracts/transfer/${'a'.repeat(101)}`],
  ['an id that is much too long', `/contracts/transfer/${'a'.repeat(5000)}/pay`],
  ['no operation', '/nowhere'],
])('%s', (_what, url) => {
  test('is refused in the form of every error', async () => {
    const reply = await ask('GET', url)
    expect(reply.statusCode).toBe(404)
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(reply.headers['service-version']).toBe('2026-11-01')
    const { error } = reply.json<{ error: Record<string, unknown> }>()
    expect(error).toMatchObject({ type: 'not_found_error', code: 'route_not_found', param: null })
    expect(error['request_id']).toBe(reply.headers['request-id'])
    expect(JSON.stringify(error).length).toBeLessThan(400)
  })
})

type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> }
const document = (await ask('GET', '/openapi.json')).json<Document>()
const readable = Object.entries(document.paths).filter(([, methods]) => 'get' in methods)
const urlOf = (path: string) => path.replace('/channels/{id}', '/channels/sandbox').replace(/\{\w+\}/g, ID)

describe('HEAD', () => {
  test.each(readable.map(([path]) => path).filter((path) => !/\/(stream|changes)$/.test(path)))(
    'of %s says what GET says, without its body',
    async (path) => {
      const [got, head] = [await ask('GET', urlOf(path)), await ask('HEAD', urlOf(path))]
      expect(got.statusCode).not.toBe(405)
      expect({ status: head.statusCode, body: head.payload }).toEqual({ status: got.statusCode, body: '' })
      expect(head.headers['content-type']).toBe(got.headers['content-type'])
      expect(head.headers['content-length']).toBe(got.headers['content-length'])
    },
  )

  test.each(['/events/stream', '/events/changes', '/requests/stream'])('of %s opens no stream', async (path) => {
    const head = await ask('HEAD', path)
    expect([head.statusCode, head.headers['content-type'], head.payload]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      '',
    ])
  })

  test('needs the same credential, and is named where another method is not taken', async () => {
    expect((await app.inject({ method: 'HEAD', url: '/wallets' })).statusCode).toBe(401)
    const refused = await ask('POST', '/usage')
    expect([refused.statusCode, refused.headers['allow']]).toEqual([405, 'GET, HEAD'])
    expect((await ask('HEAD', '/oauth/token')).statusCode).toBe(405)
  })
})

describe('the same address', () => {
  test('with a slash at its end, and with the id in capitals', async () => {
    const draft = await caller.draft()
    const got = await ask('GET', `/contracts/transfer/${draft.id}`)
    for (const url of [
      `/contracts/transfer/${draft.id}/`,
      `/contracts/transfer/${draft.id.toUpperCase()}`,
      `/contracts/transfer/${draft.id.toUpperCase()}//`,
    ]) {
      const again = await ask('GET', url)
      expect([again.statusCode, again.payload]).toEqual([200, got.payload])
    }
    const issued = await ask('PUT', `/contracts/transfer/${draft.id.toUpperCase()}/issue/`)
    expect(issued.statusCode).toBe(200)
    expect((await ask('GET', '/wallets/?')).statusCode).toBe(200)
    expect((await ask('GET', '/healthz/')).statusCode).toBe(200)
  })

  test('names the same request for an idempotency key', async () => {
    const draft = await caller.draft()
    const keyed = { ...headers, 'idempotency-key': 'the same address' }
    const first = await app.inject({ method: 'PUT', url: `/contracts/transfer/${draft.id}/issue`, headers: keyed })
    const url = `/contracts/transfer/${draft.id.toUpperCase()}/issue/`
    const second = await app.inject({ method: 'PUT', url, headers: keyed })
    expect([second.statusCode, second.headers['idempotent-replayed'], second.payload]).toEqual([
      200,
      'true',
      first.payload,
    ])
  })

  test('capitals in anything but an id stay what they are', async () => {
    expect((await ask('GET', '/Wallets')).statusCode).toBe(404)
    expect((await ask('GET', '/channels/SANDBOX')).statusCode).toBe(404)
  })
})
