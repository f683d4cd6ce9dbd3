// HTTP itself: the golden bodies of each way to be refused, headers, versions, rate limits, health.
import { afterAll, describe, expect, test } from 'vitest'
import { ACCOUNT_SCOPES } from '../../../src/domain/account/scopes.ts'
import { openWorld, READY, type Reply } from '../../world.ts'

const world = await openWorld()
const { caller } = world
afterAll(() => world.stop())

const ABSENT = '01890000-0000-7000-8000-000000000001'

/** The body with the one part that differs from request to request left out. */
function golden({ status, body, headers }: Reply): unknown {
  const error = body['error'] as Record<string, unknown>
  expect(error['request_id']).toBe(headers['request-id'])
  return { status, body: { ...body, error: { ...error, request_id: 'req' } } }
}

describe('golden bodies', () => {
  const refusal = (
    status: number,
    type: string,
    code: string,
    param: string | null,
    message: string,
    anchor = code,
  ) => ({
    status,
    body: { error: { type, message, code, param, request_id: 'req', doc_url: `/docs/errors#${anchor}` } },
  })
  const NOT_JSON = refusal(
    415,
    'invalid_request_error',
    'unsupported_media_type',
    'Content-Type',
    'Send the body as Content-Type: application/json.',
  )

  test.each<[string, () => Promise<Reply>, unknown]>([
    [
      'no such path',
      () => caller.ask('GET', '/contracts'),
      refusal(404, 'not_found_error', 'route_not_found', null, 'No operation has this path. See GET /docs.'),
    ],
    [
      'no such contract',
      () => caller.ask('GET', `/contracts/transfer/${ABSENT}`),
      refusal(404, 'not_found_error', 'contract_not_found', 'id', 'No contract has this id.'),
    ],
    [
      'no such method',
      () => caller.ask('PATCH', '/contracts/transfer'),
      refusal(405, 'invalid_request_error', 'method_not_allowed', null, 'This path takes POST, GET, HEAD.'),
    ],
    [
      'no credential',
      () => world.ask('POST', '/contracts/transfer', { body: READY }),
      refusal(
        401,
        'authentication_error',
        'api_key_required',
        'X-Api-Key',
        'This operation needs an API key in the header X-Api-Key. A bearer token is not enough.',
      ),
    ],
    [
      'a missing field',
      () => caller.ask('POST', '/contracts/transfer', { body: { amount: 1 } }),
      refusal(
        400,
        'invalid_request_error',
        'missing_currency',
        'currency',
        'currency is missing. It is required.',
        'missing_param',
      ),
    ],
    [
      'no JSON',
      () => caller.ask('POST', '/contracts/transfer', { body: '[]' }),
      refusal(400, 'invalid_request_error', 'malformed_json', 'body', 'The body must be a JSON object.'),
    ],
    [
      'too large',
      () => caller.ask('POST', '/contracts/transfer', { body: `{"description":"${'x'.repeat(65_536)}"}` }),
      refusal(413, 'invalid_request_error', 'body_too_large', 'body', 'The body is larger than the limit.'),
    ],
    [
      'another type',
      () => caller.ask('POST', '/contracts/transfer', { body: '<a/>', headers: { 'content-type': 'application/xml' } }),
      NOT_JSON,
    ],
    [
      'a form, as curl sends what is given no type',
      () =>
        caller.ask('POST', '/contracts/transfer', {
          body: '{"amount":1,"currency":"PHP"}',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }),
      NOT_JSON,
    ],
    [
      'a number in quotes',
      () => caller.ask('POST', '/contracts/transfer', { body: { amount: '1', currency: 'PHP' } }),
      refusal(
        400,
        'invalid_request_error',
        'invalid_amount',
        'amount',
        'amount must be a number without quotes, such as 500 or 19.99.',
        'invalid_param',
      ),
    ],
    [
      'a currency by its name',
      () => caller.ask('POST', '/contracts/transfer', { body: { amount: 1, currency: 'PESO' } }),
      refusal(
        400,
        'invalid_request_error',
        'invalid_currency',
        'currency',
        'currency must be the three letters of ISO 4217, such as PHP.',
        'invalid_param',
      ),
    ],
    [
      'compressed',
      () => caller.ask('POST', '/contracts/transfer', { body: '{}', headers: { 'content-encoding': 'gzip' } }),
      refusal(
        415,
        'invalid_request_error',
        'unsupported_media_type',
        'Content-Encoding',
        'Send the body without compression.',
      ),
    ],
    [
      'a version that is none',
      () => caller.ask('GET', '/wallets', { headers: { 'service-version': '2020-01-01' } }),
      refusal(
        400,
        'invalid_request_error',
        'unsupported_version',
        'Service-Version',
        'Service-Version must be 2026-11-01, or left out.',
      ),
    ],
    [
      'a state that does not allow it',
      async () => caller.ask('PUT', `/contracts/transfer/${(await caller.draft()).id}/pay`),
      refusal(409, 'conflict_error', 'contract_not_issued', 'id', 'Issue the contract before it is paid.'),
    ],
    [
      'two problems at once',
      () => caller.ask('POST', '/contracts/transfer', { body: {} }),
      {
        status: 400,
        body: {
          error: {
            type: 'invalid_request_error',
            message: 'amount is missing. It is required.',
            code: 'missing_amount',
            param: 'amount',
            request_id: 'req',
            doc_url: '/docs/errors#missing_param',
            errors: [
              { code: 'missing_amount', param: 'amount', message: 'amount is missing. It is required.' },
              { code: 'missing_currency', param: 'currency', message: 'currency is missing. It is required.' },
            ],
          },
        },
      },
    ],
  ])('%s', async (_what, asked, expected) => {
    expect(golden(await asked())).toEqual(expected)
  })

  test('a refused method names those that the path takes', async () => {
    const { headers } = await caller.ask('POST', `/contracts/transfer/${ABSENT}`)
    expect(headers['allow']?.split(', ').toSorted()).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH'])
    expect((await caller.ask('GET', `/contracts/transfer/${ABSENT}/pay`)).headers['allow']).toBe('PUT')
  })

  test('every area of the index answers', async () => {
    for (const path of ['/accounts/me', '/wallets', '/profiles', '/commands', '/policies', '/verifiers', '/resources'])
      expect([path, (await caller.ask('GET', path)).status]).toEqual([path, 200])
  })
})

describe('headers', () => {
  test('every reply has its own Request-Id and the version it speaks', async () => {
    const replies = await Promise.all([
      caller.ask('GET', '/wallets'),
      caller.ask('GET', '/nowhere'),
      world.ask('GET', '/wallets'),
      caller.ask('POST', '/contracts/transfer', { body: '{' }),
      caller.ask('GET', '/healthz'),
      caller.ask('GET', '/wallets', { headers: { 'service-version': '2026-11-01' } }),
      caller.ask('GET', '/wallets', { headers: { 'service-version': '1' } }),
    ])
    expect(new Set(replies.map(({ headers }) => headers['request-id'])).size).toBe(replies.length)
    for (const { headers } of replies) {
      expect(headers['request-id']).toMatch(/^req_[0-9a-z]{16}$/)
      expect(headers['service-version']).toBe('2026-11-01')
    }
  })

  test('a caller cannot choose the Request-Id', async () => {
    const { headers } = await caller.ask('GET', '/wallets', { headers: { 'request-id': 'mine' } })
    expect(headers['request-id']).not.toBe('mine')
  })

  test('JSON is said to be JSON', async () => {
    for (const url of ['/wallets', '/nowhere', '/openapi.json', '/healthz', '/readyz'])
      expect((await caller.ask('GET', url)).headers['content-type']).toMatch(/^application\/json/)
  })
})

describe('a rate limit', () => {
  test('says how much is left, then 429 with Retry-After, for each key on its own', async () => {
    const limited = await world.beside({ rateLimit: 1, rateBurst: 3 })
    const headers = { 'x-api-key': caller.apiKey }
    const another = { 'x-api-key': world.other.apiKey }
    // What a first request waits for is over before they are counted: a second later there is room for one more.
    expect((await limited.ask('GET', '/contracts/transfer?limit=1', { headers: another })).status).toBe(200)
    const replies: Reply[] = []
    for (let i = 0; i < 5; i++) replies.push(await limited.ask('GET', '/contracts/transfer?limit=1', { headers }))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429])
    expect(replies.map((reply) => reply.headers['ratelimit-remaining'])).toEqual(['2', '1', '0', '0', '0'])
    for (const reply of replies) expect(reply.headers['ratelimit-limit']).toBe('3')
    expect(replies[3]).toMatchObject({
      headers: { 'retry-after': '1' },
      error: { type: 'rate_limit_error', code: 'rate_limited', param: null },
    })
    expect((await limited.ask('GET', '/contracts/transfer', { headers: another })).status).toBe(200)
    // A refused request did nothing, and costs nothing further.
    await new Promise((resolve) => setTimeout(resolve, 1050))
    const both = [1, 2].map(() => limited.ask('POST', '/contracts/transfer', { headers, body: READY }))
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 429])
    await limited.stop()
  })

  test('is not spent by health checks or by strangers', async () => {
    const limited = await world.beside({ rateLimit: 1, rateBurst: 1 })
    for (let i = 0; i < 5; i++) {
      expect((await limited.ask('GET', '/healthz')).status).toBe(200)
      expect((await limited.ask('GET', '/wallets', { headers: { 'x-api-key': 'wrong' } })).status).toBe(401)
    }
    expect((await limited.ask('GET', '/wallets', { headers: { 'x-api-key': caller.apiKey } })).status).toBe(200)
    await limited.stop()
  })

  test('that is off says nothing about limits', async () => {
    expect((await caller.ask('GET', '/wallets')).headers['ratelimit-limit']).toBeUndefined()
  })
})

describe('health', () => {
  test('is told without a credential', async () => {
    expect((await world.ask('GET', '/healthz')).body).toEqual({ status: 'ok' })
    expect((await world.ask('GET', '/readyz')).body).toEqual({ status: 'ok' })
  })

  test('figures are for a key that may see them, and for nobody else', async () => {
    const { text } = await caller.ask('GET', '/metrics')
    expect(text).toMatch(/^gateway_commands_total \d+$/m)
    expect((await world.ask('GET', '/metrics')).status).toBe(401)
    const all = await world.withKey(caller, { scopes: ACCOUNT_SCOPES })
    const refused = await all.ask('GET', '/metrics')
    expect(refused.status).toBe(403)
    expect(refused.body['error']).toMatchObject({
      code: 'scope_missing',
      message: expect.stringContaining('metrics:read'),
    })
  })

  test('/openapi.json names every route that is served, and the bare address leads to the documentation', async () => {
    const { body } = await world.ask('GET', '/openapi.json')
    expect(Object.keys(body['paths'] as object).toSorted()).toEqual(
      [...new Set(world.routes.map(({ path }) => path))].toSorted(),
    )
    const bare = await world.gateway.app.inject('/')
    expect([bare.statusCode, bare.headers['location']]).toEqual([302, 'docs/'])
  })
})
