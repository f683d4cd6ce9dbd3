// Pages of other origins: what takes a token may be called where the token's account lists the origin, and nowhere else; off
// for every account that lists none.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { settleAccount } from '../../../src/app/operator/operator-actions.ts'
import { openKeyedSession } from '../../../src/main/database/database.ts'
import { openPayStage, tokenOf } from '../payments/payments-stage.ts'

const stage = await openPayStage()
const { world, open } = stage
const { caller, other } = world
const { app, deps } = world.gateway
const operator = openKeyedSession(world.operators)
afterAll(async () => {
  await operator.close()
  await stage.close()
})

const SHOP = 'https://shop.example'
const LOCAL = 'http://localhost:5173'
const STRANGER = 'https://evil.example'

/** The account's settings afterwards, as an operator changes them. */
const settle = (account: typeof caller.account, corsOrigins: readonly string[]) => {
  const ids = { nowMs: deps.nowMs, randomHex: deps.randomHex }
  const parts = { reader: operator, writer: operator, channels: deps.channels, ids }
  return settleAccount(parts, account, { corsOrigins }, 'tester')
}

beforeAll(async () => {
  await settle(caller.account, [SHOP, LOCAL])
})

async function bearerOf(who: typeof caller): Promise<string> {
  const { body } = await who.ask('POST', '/oauth/token', { body: { grant_type: 'client_credentials' } })
  return `Bearer ${String(body['access_token'])}`
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS'
async function ask(method: Method, url: string, origin: string | null, headers: Record<string, string> = {}) {
  const sent = origin === null ? headers : { ...headers, origin }
  const reply = await app.inject({ method, url, headers: sent })
  const allowed = reply.headers['access-control-allow-origin'] ?? null
  return { status: reply.statusCode, allowed, headers: reply.headers, text: reply.payload }
}
const preflight = (url: string, origin: string, method: string) =>
  ask('OPTIONS', url, origin, {
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization',
  })

describe('a page whose origin the account lists', () => {
  test.each([SHOP, LOCAL])('%s reads with a token of the account', async (origin) => {
    const authorization = await bearerOf(caller)
    const contract = await caller.draft()
    for (const url of ['/contracts/transfer', `/contracts/transfer/${contract.id}`, '/channels']) {
      const reply = await ask('GET', url, origin, { authorization })
      expect([url, reply.status, reply.allowed]).toEqual([url, 200, origin])
      expect(reply.headers['vary']).toBe('Origin')
      expect(reply.headers['access-control-allow-credentials']).toBeUndefined()
      expect(reply.headers['access-control-expose-headers']).toContain('ETag')
    }
    const absent = await ask('GET', '/contracts/transfer/01932c07-4b5e-7c31-9d0a-6f2b8e4a1c55', origin, {
      authorization,
    })
    expect([absent.status, absent.allowed]).toEqual([404, origin])
  })

  test('is told so before it asks, for what takes a token and nothing else', async () => {
    const id = (await open()).id
    const read = await preflight('/contracts/transfer', SHOP, 'GET')
    expect([read.status, read.allowed, read.headers['access-control-allow-methods'], read.text]).toEqual([
      200,
      SHOP,
      'GET',
      '',
    ])
    expect(read.headers['access-control-allow-headers']).toContain('Authorization')
    expect(read.headers['access-control-allow-headers']).not.toMatch(/api-key/i)
    expect((await preflight(`/contracts/payment/${id}/pay`, SHOP, 'PUT')).allowed).toBe(SHOP)
    for (const [url, method] of [
      ['/contracts/transfer', 'POST'],
      [`/contracts/transfer/${id}/pay`, 'PUT'],
      [`/contracts/payment/${id}`, 'DELETE'],
      ['/wallets', 'GET'],
      ['/events/stream', 'GET'],
      ['/webhook-endpoints', 'GET'],
      ['/oauth/token', 'POST'],
      ['/nowhere', 'GET'],
    ] as const) {
      const { status, allowed } = await preflight(url, SHOP, method)
      expect({ url, allowed, refused: status === 405 || status === 404 }).toEqual({ url, allowed: null, refused: true })
    }
  })

  test('reads and pays with a payer’s token of the account’s contract', async () => {
    const payment = await open()
    const authorization = `Bearer ${tokenOf(payment)}`
    const read = await ask('GET', `/contracts/payment/${payment.id}`, SHOP, { authorization })
    expect([read.status, read.allowed]).toEqual([200, SHOP])
    const stranger = await ask('GET', `/contracts/payment/${payment.id}`, STRANGER, { authorization })
    expect([stranger.status, stranger.allowed]).toEqual([200, null])
  })

  test('reads nothing of another account, whose token it may have', async () => {
    const reply = await ask('GET', '/contracts/transfer', SHOP, { authorization: await bearerOf(other) })
    expect([reply.status, reply.allowed]).toEqual([200, null])
  })

  test('reads no reply that needs a key, nor one without a credential', async () => {
    const key = { 'x-api-key': caller.apiKey }
    expect((await ask('GET', '/wallets', SHOP, key)).allowed).toBeNull()
    const nobody = await ask('GET', '/contracts/transfer', SHOP)
    expect([nobody.status, nobody.allowed]).toEqual([401, null])
  })
})

test.each([STRANGER, 'null', 'https://shop.example.evil.example', 'https://shop.example:8443', 'http://shop.example'])(
  '%s is let in nowhere',
  async (origin) => {
    const authorization = await bearerOf(caller)
    const reply = await ask('GET', '/contracts/transfer', origin, { authorization })
    expect([reply.status, reply.allowed, reply.headers['vary']]).toEqual([200, null, 'Origin'])
    const { status, allowed } = await preflight('/contracts/transfer', origin, 'GET')
    expect([status, allowed]).toEqual([405, null])
  },
)

test('a request from no page has no header of it', async () => {
  const { headers } = await ask('GET', '/contracts/transfer', null, { authorization: await bearerOf(caller) })
  expect(Object.keys(headers).filter((name) => /^(vary|access-control-)/.test(name))).toEqual([])
})

test('a list of origins holds origins only, and of this machine for test accounts alone', async () => {
  for (const wrong of [
    'shop.example',
    'https://shop.example/',
    'https://shop.example/path',
    'http://shop.example',
    '*',
    'null',
  ]) {
    const answer = await settle(other.account, [SHOP, wrong])
    expect(isRefusal(answer), wrong).toBe(true)
    expect(answer).toMatchObject({ code: 'invalid_cors_origins' })
  }
  expect(await settle(other.account, [SHOP])).toMatchObject({ corsOrigins: [SHOP] })
  expect(await settle(other.account, [])).toMatchObject({ corsOrigins: [] })
  const rows = await world.sql('select 1 from account_origins where account_id = $1', [other.account.accountId])
  expect(rows).toEqual([])
})
