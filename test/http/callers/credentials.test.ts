// Who may do what with which credential: keys, scopes, tokens, and what is left of them once they end.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { type Caller, openWorld, READY, type Reply } from '../../world.ts'
import { openCallerBook } from '../../../src/app/accounts/callers.ts'
import { SCOPES } from '../../../src/domain/account/scopes.ts'
import { openPlannedSession } from '../../../src/main/database/database.ts'
import type { Session } from '../../../src/platform/db.ts'

const world = await openWorld({ undoSeconds: 3600 })
const { caller, other } = world
afterAll(() => world.stop())

const coded = ({ status, error }: Reply) => [status, error.code]
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function tokenFor(by: Caller, fields: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await by.ask('POST', '/oauth/token', {
    body: { grant_type: 'client_credentials', ...fields },
  })
  expect(status).toBe(200)
  return body['access_token'] as string
}

/** Ends a key as an operator does, in the database. */
async function revoke({ account, keyId }: Caller): Promise<void> {
  await world.sql('update api_keys set revoked_at = now() where lane = $1 and key_id = $2', [account.lane, keyId])
}

describe('a bearer token', () => {
  test('is asked for with a key: in its header, by Basic, or as client_secret in JSON or a form', async () => {
    const body = { grant_type: 'client_credentials' }
    const basic = Buffer.from(`${caller.keyId}:${caller.apiKey}`).toString('base64')
    const asked = await Promise.all([
      caller.ask('POST', '/oauth/token', { body }),
      world.ask('POST', '/oauth/token', { body, headers: { authorization: `Basic ${basic}` } }),
      world.ask('POST', '/oauth/token', { body: { ...body, client_secret: caller.apiKey } }),
      world.ask('POST', '/oauth/token', {
        body: `grant_type=client_credentials&client_secret=${caller.apiKey}&expires_in=60`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    ])
    expect(
      asked.map(({ status, body: { token_type, expires_in, scope } }) => [status, token_type, expires_in, scope]),
    ).toEqual([
      [200, 'bearer', 900, 'contracts:read'],
      [200, 'bearer', 900, 'contracts:read'],
      [200, 'bearer', 900, 'contracts:read'],
      [200, 'bearer', 60, 'contracts:read'],
    ])
    expect(asked[0]?.headers['cache-control']).toBe('no-store')
    const { id } = await caller.draft()
    for (const {
      body: { access_token },
    } of asked)
      expect(
        (await world.ask('GET', `/contracts/transfer/${id}`, { headers: bearer(String(access_token)) })).status,
      ).toBe(200)
  })

  test.each<[string, Record<string, unknown>, number, string]>([
    ['no grant type', {}, 400, 'missing_grant_type'],
    ['another grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['too long a life', { grant_type: 'client_credentials', expires_in: 43_201 }, 400, 'invalid_expires_in'],
    ['no life', { grant_type: 'client_credentials', expires_in: 0 }, 400, 'invalid_expires_in'],
    ['a contract that is no id', { grant_type: 'client_credentials', contract_id: 'x' }, 400, 'invalid_contract_id'],
    ['no key', { grant_type: 'client_credentials' }, 401, 'api_key_required'],
    ['a wrong key', { grant_type: 'client_credentials', client_secret: 'gck_test_x' }, 401, 'invalid_api_key'],
  ])('is refused for %s', async (_what, body, status, code) => {
    expect(coded(await world.ask('POST', '/oauth/token', { body }))).toEqual([status, code])
  })

  test('is given only to a key that reads contracts, for one of its own: refused calls leave no token behind', async () => {
    const tokens = () => world.sql('select token_hash from access_tokens')
    const before = await tokens()
    const pays = await world.withKey(caller, { scopes: SCOPES.filter((scope) => scope !== 'contracts:read') })
    const mine = await caller.draft()
    const theirs = await other.draft()
    const body = { grant_type: 'client_credentials' }
    const ask = (by: Caller, contract?: string) =>
      by.ask('POST', '/oauth/token', { body: contract === undefined ? body : { ...body, contract_id: contract } })
    expect(coded(await ask(pays))).toEqual([403, 'scope_missing'])
    expect(coded(await ask(pays, mine.id))).toEqual([403, 'scope_missing'])
    const absent = await ask(caller, '00000000-0000-7000-8000-000000000000')
    const foreign = await ask(caller, theirs.id)
    expect([foreign.status, foreign.error.code, foreign.error.param, foreign.error.message]).toEqual([
      404,
      'contract_not_found',
      'contract_id',
      absent.error.message,
    ])
    expect(await tokens()).toEqual(before)
    expect((await ask(caller, mine.id)).status).toBe(200)
    expect((await tokens()).length).toBe(before.length + 1)
  })

  test('counts against the rate of its key', async () => {
    const limited = await world.beside({ rateLimit: 1, rateBurst: 2 })
    const ask = () =>
      limited.ask('POST', '/oauth/token', {
        headers: { 'x-api-key': caller.apiKey },
        body: { grant_type: 'client_credentials' },
      })
    const answers = [await ask(), await ask(), await ask()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(answers[2]?.error.code).toBe('rate_limited')
    expect(answers[2]?.headers['retry-after']).toBe('1')
    await limited.stop()
  })

  test('reads contracts and channels, and nothing else', async () => {
    const headers = bearer(await tokenFor(caller))
    const { id } = await caller.draft()
    for (const url of [`/contracts/transfer/${id}`, '/contracts/transfer', '/channels'])
      expect((await world.ask('GET', url, { headers })).status).toBe(200)
    for (const url of ['/wallets', '/events'])
      expect(coded(await world.ask('GET', url, { headers }))).toEqual([401, 'api_key_required'])
  })

  test('alone is not enough to write: 401 api_key_required, and nothing happens', async () => {
    const headers = bearer(await tokenFor(caller))
    const contract = await caller.draft()
    const path = `/contracts/transfer/${contract.id}`
    const answers = [
      await world.ask('POST', '/contracts/transfer', { headers, body: READY }),
      await world.ask('PATCH', path, { headers, body: { amount: 1 } }),
      await world.ask('PUT', `${path}/issue`, { headers }),
      await world.ask('PUT', `${path}/pay`, { headers }),
      await world.ask('DELETE', path, { headers }),
    ]
    expect(answers.map(coded)).toEqual(answers.map(() => [401, 'api_key_required']))
    expect(answers[0]?.headers['www-authenticate']).toBe('Bearer')
    expect(await caller.get(contract.id)).toEqual(contract)
  })

  test('bound to a contract reads that one, no other and no list', async () => {
    const [mine, another] = [await caller.draft(), await caller.draft()]
    const headers = bearer(await tokenFor(caller, { contract_id: mine.id }))
    expect((await world.ask('GET', `/contracts/transfer/${mine.id}`, { headers })).status).toBe(200)
    for (const url of [`/contracts/transfer/${another.id}`, '/contracts/transfer'])
      expect(coded(await world.ask('GET', url, { headers }))).toEqual([403, 'token_not_for_contract'])
  })

  test('ends with its time', async () => {
    const headers = bearer(await tokenFor(caller, { expires_in: 1 }))
    const { id } = await caller.draft()
    expect((await world.ask('GET', `/contracts/transfer/${id}`, { headers })).status).toBe(200)
    // A second of life, a second of being remembered.
    await sleep(2100)
    expect(coded(await world.ask('GET', `/contracts/transfer/${id}`, { headers }))).toEqual([401, 'invalid_token'])
  })

  test('ends with the key that asked for it', async () => {
    const doomed = await world.withKey(caller, {})
    const headers = bearer(await tokenFor(doomed))
    expect((await world.ask('GET', '/contracts/transfer', { headers })).status).toBe(200)
    await revoke(doomed)
    await sleep(1100)
    expect(coded(await world.ask('GET', '/contracts/transfer', { headers }))).toEqual([401, 'invalid_token'])
  })

  test.each(['', 'gct_00_', 'x'.repeat(5000), 'gck_test', '../..', 'a b'])('%j is none', async (token) => {
    expect(coded(await world.ask('GET', '/contracts/transfer', { headers: bearer(token) }))).toEqual([
      401,
      'invalid_token',
    ])
  })
})

describe('key and token together', () => {
  test('of one account are taken, of two refused', async () => {
    const { id } = await caller.draft()
    const url = `/contracts/transfer/${id}`
    const [mine, foreign] = [await tokenFor(caller), await tokenFor(other)]
    expect((await caller.ask('GET', url, { headers: bearer(mine) })).status).toBe(200)
    expect(coded(await caller.ask('GET', url, { headers: bearer(foreign) }))).toEqual([401, 'credentials_disagree'])
    expect(coded(await caller.ask('GET', url, { headers: bearer('wrong') }))).toEqual([401, 'invalid_token'])
    expect(coded(await caller.ask('GET', url, { headers: { ...bearer(mine), 'x-api-key': 'wrong' } }))).toEqual([
      401,
      'invalid_api_key',
    ])
  })
})

describe('an API key', () => {
  test.each(SCOPES)('without %s is refused exactly what needs it', async (missing) => {
    const limited = await world.withKey(caller, { scopes: SCOPES.filter((scope) => scope !== missing) })
    const path = `/contracts/transfer/${(await caller.draft()).id}`
    const wallet = await caller.wallet('PHP')
    const body = { amount: 1, currency: 'PHP' }
    const payment = (await caller.ask('POST', '/contracts/payment', { body })).data['contract'] as { id: string }
    const answers = {
      'contracts:write': await limited.ask('PATCH', path, { body: {} }),
      'contracts:read': await limited.ask('GET', path),
      'transfers:issue': await limited.ask('PUT', `${path}/issue`),
      'transfers:pay': await limited.ask('PUT', `${path}/pay`),
      'transfers:cancel': await limited.ask('DELETE', path),
      'wallets:read': await limited.ask('GET', `/wallets/${wallet.id}`),
      'events:read': await limited.ask('GET', '/events'),
      'webhooks:manage': await limited.ask('GET', '/webhook-endpoints'),
      'payments:refund': await limited.ask('POST', `/contracts/payment/${payment.id}/refunds`, { body: {} }),
      'events:write': await limited.ask('POST', '/webhooks', { body: {} }),
      'audit:read': await limited.ask('GET', '/audit'),
      'accounts:write': await limited.ask('PATCH', '/accounts/me', { body: {} }),
      'accounts:read': await limited.ask('GET', '/keys'),
      'keys:write': await limited.ask('POST', '/keys', { body: {} }),
      'members:write': await limited.ask('POST', '/members', { body: {} }),
      'wallets:write': await limited.ask('POST', '/wallets', { body: {} }),
      'profiles:read': await limited.ask('GET', '/profiles'),
      'profiles:write': await limited.ask('POST', '/profiles', { body: {} }),
      'commands:read': await limited.ask('GET', '/commands'),
      'commands:write': await limited.ask('POST', '/commands', { body: {} }),
      'policies:read': await limited.ask('GET', '/policies'),
      'policies:write': await limited.ask('POST', '/policies', { body: {} }),
      'verifiers:read': await limited.ask('GET', '/verifiers'),
      'verifiers:write': await limited.ask('POST', '/verifiers', { body: {} }),
      'metrics:read': await limited.ask('GET', '/metrics'),
    }
    expect(Object.keys(answers).toSorted()).toEqual(SCOPES.toSorted())
    const refused = Object.entries(answers).filter(([, { status }]) => status === 403)
    expect(refused.map(([scope, { error }]) => [scope, error.type, error.code])).toEqual([
      [missing, 'permission_error', 'scope_missing'],
    ])
    expect(refused[0]?.[1].error.message).toContain(missing)
  })

  test('expires', async () => {
    const brief = await world.withKey(caller, { expiresInSeconds: 1 })
    expect((await brief.ask('GET', '/wallets')).status).toBe(200)
    await sleep(2100)
    expect(coded(await brief.ask('GET', '/wallets'))).toEqual([401, 'invalid_api_key'])
  })

  test('that is revoked writes nothing from that moment on, at this gateway and at its neighbour', async () => {
    const neighbour = await world.beside()
    const doomed = await world.withKey(caller, {})
    const headers = { 'x-api-key': doomed.apiKey }
    const draft = await doomed.draft()
    // Both gateways have just seen the key and remember it.
    expect((await neighbour.ask('GET', `/contracts/transfer/${draft.id}`, { headers })).status).toBe(200)
    await revoke(doomed)
    const path = `/contracts/transfer/${draft.id}`
    for (const { ask } of [world, neighbour]) {
      const answers = await Promise.all([
        ask('POST', '/contracts/transfer', { headers, body: READY }),
        ask('PATCH', path, { headers, body: { amount: 1 } }),
        ask('PUT', `${path}/issue`, { headers }),
        ask('PUT', `${path}/pay`, { headers }),
        ask('DELETE', path, { headers }),
      ])
      expect(answers.map(coded)).toEqual(answers.map(() => [401, 'invalid_api_key']))
    }
    expect(await caller.get(draft.id)).toEqual(draft)
    await sleep(1100)
    for (const { ask } of [world, neighbour])
      expect(coded(await ask('GET', path, { headers }))).toEqual([401, 'invalid_api_key'])
    await neighbour.stop()
  })

  test('that is revoked gets no tokens any more', async () => {
    const doomed = await world.withKey(caller, {})
    await revoke(doomed)
    expect(coded(await doomed.ask('POST', '/oauth/token', { body: { grant_type: 'client_credentials' } }))).toEqual([
      401,
      'invalid_api_key',
    ])
  })

  test('gets no token that is worth anything in the second in which it is remembered', async () => {
    const doomed = await world.withKey(caller, {})
    await doomed.ask('GET', '/wallets')
    await revoke(doomed)
    const { body } = await doomed.ask('POST', '/oauth/token', { body: { grant_type: 'client_credentials' } })
    const headers = bearer((body['access_token'] as string | undefined) ?? 'none')
    expect(coded(await world.ask('GET', '/contracts/transfer', { headers }))).toEqual([401, 'invalid_token'])
  })

  test.each([
    ['a letter changed', (key: string) => `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`],
    ['in lower case', (key: string) => key.toLowerCase()],
    ['cut short', (key: string) => key.slice(0, -1)],
    ['sent twice', (key: string) => `${key},${key}`],
    ['with another mode', (key: string) => key.replace('gck_test', 'gck_live')],
    ['of nobody', () => 'gck_test_00aaaaaaaa_0123456789012345678901234567890100000'],
    ['empty', () => ''],
  ])('%s is none', async (_what, changed) => {
    expect(coded(await world.ask('GET', '/wallets', { headers: { 'x-api-key': changed(caller.apiKey) } }))).toEqual([
      401,
      'invalid_api_key',
    ])
  })

  test('is nowhere in what is stored', async () => {
    const [row] = await world.sql<{ found: string }>(
      `select count(*) as found from api_keys where name || key_id || encode(secret_hash, 'escape') like '%' || $1 || '%'`,
      [caller.apiKey.slice(-38)],
    )
    expect(row?.found).toBe('0')
  })
})

test('a credential whose second is over is looked up once for all requests that come with it meanwhile', async () => {
  const reader = openPlannedSession(world.database)
  let asked = 0
  const counting: Session = {
    ...reader,
    send: (statements) => {
      asked += statements.length
      return reader.send(statements)
    },
  }
  let nowMs = 1
  const book = openCallerBook(
    counting,
    () => counting,
    () => nowMs,
    { serverOf: () => '', groupOf: null },
  )
  const token = await tokenFor(caller)
  const ask = () =>
    Promise.all(Array.from({ length: 20 }, () => Promise.all([book.byApiKey(caller.apiKey), book.byToken(token)])))
  for (const round of [1, 2]) {
    for (const both of await ask()) expect(both.map((each) => each?.keyId)).toEqual([caller.keyId, caller.keyId])
    expect(asked).toBe(2 * round)
    nowMs += 1001
  }
  await reader.close()
})
