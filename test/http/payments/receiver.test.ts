// The receiver against forgers: no request of the corpus is believed, none makes a fault, and nothing of any of them is
// written. And against honest senders, whoever's library they sign with: all of them are believed.
import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import Stripe from 'stripe'
import { afterAll, describe, expect, test } from 'vitest'
import { newSecret, sign } from '../../../sdk/src/signature.ts'
import { revokeApiKey } from '../../../src/store/accounts/admin.ts'
import {
  type Attempt,
  brokenHeaders,
  genuine,
  type Headers,
  hexOf,
  nowSeconds,
  touchedBodies,
  unreadableBodies,
} from '../../webhooks/receiver-corpus.ts'
import { openWorld } from '../../world.ts'
import { CONFIRMED, eventCount, eventOf, eventRow, makeProvider, newId, openPayment, post } from './receiver-world.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(() => world.stop())
const { caller, other } = world
const provider = await makeProvider(world, caller)
const payment = await openPayment(caller)

const goodEvent = () => eventOf({ contract_id: payment.id, note: 'Salamat, José é' })
const bytes = (event: object) => Buffer.from(JSON.stringify(event, null, 1))

/** Sends all of them; those that were answered otherwise than they should be. */
async function refusals(attempts: readonly Attempt[]): Promise<object[]> {
  const surprises: object[] = []
  for (const { why, headers, body, refused } of attempts) {
    const { status, code } = await post(world, headers, body)
    if (status !== refused[0] || code !== refused[1]) surprises.push({ why, said: [status, code], refused })
  }
  return surprises
}

test('of more than 300 forged and malformed requests none is believed, and nothing of them is kept', async () => {
  const stranger = await makeProvider(world, other)
  const second = await makeProvider(world, caller)
  const body = bytes(goodEvent())
  const attempts: Attempt[] = [
    ...brokenHeaders(provider, body),
    ...touchedBodies(provider, body),
    ...unreadableBodies(provider, goodEvent()),
    ...wrongCredentials(body, stranger, second),
    ...wrongContent(body),
  ]
  expect(attempts.length).toBeGreaterThan(300)
  expect(new Set(attempts.map(({ why }) => why)).size).toBe(attempts.length)
  expect(await refusals(attempts)).toEqual([])
  expect(await eventCount(world)).toBe(0)
  // What they were made of is good.
  expect(await post(world, genuine(provider, body), body)).toEqual(CONFIRMED)
  console.log(`receiver: ${attempts.length} forged or malformed requests, 0 believed, 0 faults, 0 rows written`)
})

type Key = { readonly key: string; readonly secret: string }

function wrongCredentials(body: Buffer, stranger: Key, second: Key): Attempt[] {
  const good = genuine(provider, body)
  const { 'x-api-key': key, ...keyless } = good
  const signedBy = (secret: string) => genuine({ key, secret }, body)
  const bearer = { authorization: `Bearer ${key}` }
  const all: [string, Headers, Attempt['refused']][] = [
    ['the secret of another account', signedBy(stranger.secret), [401, 'invalid_signature']],
    ['the secret of another key of the account', signedBy(second.secret), [401, 'invalid_signature']],
    ['a secret that nobody has', signedBy(newSecret()), [401, 'invalid_signature']],
    ['the key in place of the secret', signedBy(key), [401, 'invalid_signature']],
    ['the key of another account', { ...good, 'x-api-key': stranger.key }, [401, 'invalid_signature']],
    ['another key of the account', { ...good, 'x-api-key': second.key }, [401, 'invalid_signature']],
    ['an empty key', { ...good, 'x-api-key': '' }, [401, 'invalid_api_key']],
    ['no key', keyless, [401, 'api_key_required']],
    ['a bearer token alone', { ...keyless, ...bearer }, [401, 'api_key_required']],
    [
      'a key of nobody',
      { ...good, 'x-api-key': `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}` },
      [401, 'invalid_api_key'],
    ],
    ['half a key', { ...good, 'x-api-key': key.slice(0, 20) }, [401, 'invalid_api_key']],
    ['two keys', { ...good, 'x-api-key': [key, stranger.key] }, [401, 'invalid_api_key']],
    ['the same key twice', { ...good, 'x-api-key': [key, key] }, [401, 'invalid_api_key']],
    ['a key in capitals', { ...good, 'x-api-key': key.toUpperCase() }, [401, 'invalid_api_key']],
    [
      'the signature under another name',
      { ...keyless, 'x-api-key': key, 'service-signature': '', 'stripe-signature': good['service-signature'] },
      [401, 'invalid_signature'],
    ],
  ]
  return all.map(([why, headers, refused]) => ({ why: `credentials: ${why}`, headers, body, refused }))
}

function wrongContent(body: Buffer): Attempt[] {
  const good = genuine(provider, body)
  const { 'content-type': _, ...untyped } = good
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'text/json',
    'json',
  ]
  const large = bytes({ ...goodEvent(), filler: 'x'.repeat(262_145) }).subarray(0, 262_145)
  return [
    ...types.map((type): Attempt => {
      const headers = { ...good, 'content-type': type }
      return { why: `content: ${type}`, headers, body, refused: [415, 'unsupported_media_type'] }
    }),
    { why: 'content: of no type', headers: untyped, body, refused: [415, 'unsupported_media_type'] },
    ...['gzip', 'identity', 'br', ''].map((encoding): Attempt => {
      const headers = { ...good, 'content-encoding': encoding }
      return { why: `content: in ${encoding}`, headers, body, refused: [415, 'unsupported_media_type'] }
    }),
    {
      why: 'content: 256 KiB and a byte',
      headers: genuine(provider, large),
      body: large,
      refused: [413, 'body_too_large'],
    },
    { why: 'content: the same without a key', headers: {}, body: large, refused: [413, 'body_too_large'] },
  ]
}

test('a refused signature says which mistake it is', async () => {
  const body = bytes(eventOf({}))
  const { 'service-signature': good, ...unsigned } = genuine(provider, body)
  const said = async (headers: Headers, sent = body) => {
    const { code, text } = await post(world, headers, sent)
    expect(code).toBe('invalid_signature')
    return text
  }
  const signedAt = (seconds: number) => genuine(provider, body, seconds)
  const json = { 'content-type': 'application/json' }
  expect(await said({ ...json, 'x-api-key': caller.apiKey, 'service-signature': good ?? '' })).toMatch(
    /no signing secret/,
  )
  expect(await said(unsigned)).toMatch(/header is missing/)
  expect(await said({ ...unsigned, 'service-signature': 'abc' })).toMatch(/does not have its form/)
  expect(await said({ ...unsigned, 'service-signature': [good ?? '', good ?? ''] })).toMatch(/does not have its form/)
  expect(await said(signedAt(nowSeconds() - 400))).toMatch(/more than five minutes/)
  expect(await said(signedAt(nowSeconds() + 400))).toMatch(/more than five minutes/)
  expect(await said(genuine(provider, body), bytes(eventOf({ note: 'another' })))).toMatch(/does not prove the body/)
})

test('over the wire: a header sent twice in any case, and bytes that no header may hold', async () => {
  const { hostname, port } = new URL(await world.listen())
  const body = bytes(eventOf({}))
  const { 'service-signature': good } = genuine(provider, body)
  const send = async (...lines: string[]) => {
    const socket = connect(Number(port), hostname)
    const head = ['POST /webhooks HTTP/1.1', 'Host: gateway.test', 'Connection: close', `X-Api-Key: ${provider.key}`]
    const type = ['Content-Type: application/json', `Content-Length: ${body.length}`]
    socket.write(Buffer.concat([Buffer.from([...head, ...type, ...lines, '', ''].join('\r\n'), 'latin1'), body]))
    const [, status = ''] = /^HTTP\/1\.1 (\d{3})/.exec(await textOf(socket)) ?? []
    return Number(status)
  }
  const before = await eventCount(world)
  expect(await send(`Service-Signature: ${good}`, `SERVICE-SIGNATURE: ${good}`)).toBe(401)
  expect(await send(`Service-Signature: ${good}`, 'service-signature:')).toBe(401)
  expect(await send(`Service-Signature: ${good}\0`)).toBe(400)
  expect(await send(`Service-Signature: ${good}`, ` ,v1=${'0'.repeat(64)}`)).toBe(400)
  expect(await send(`Service-Signature : ${good}`)).toBe(400)
  expect(await send(`Service-Signature: ${good.slice(0, -1)}\xe9`)).toBe(401)
  expect(await eventCount(world)).toBe(before)
  expect(await send(`service-SIGNATURE: \t${good} `)).toBe(200)
})

describe('a key', () => {
  test('that may not tell events is refused, and one that may needs a secret of its own', async () => {
    const body = bytes(goodEvent())
    const reader = await world.withKey(caller, { scopes: ['contracts:read', 'payments:refund'] })
    const before = await post(world, genuine({ ...provider, key: reader.apiKey }, body), body)
    expect([before.status, before.code]).toEqual([403, 'scope_missing'])
    const without = await world.withKey(caller, { scopes: ['events:write'] })
    const after = await post(world, genuine({ ...provider, key: without.apiKey }, body), body)
    expect([after.status, after.code]).toEqual([401, 'invalid_signature'])
  })

  test('that is revoked tells nothing more, from the moment it is', async () => {
    const leaver = await makeProvider(world, caller)
    const first = bytes(eventOf({}))
    expect(await post(world, genuine(leaver, first), first)).toEqual(CONFIRMED)
    const rows = await eventCount(world)
    await world.gateway.deps.reader.send([revokeApiKey(caller.account.lane, leaver.keyId, 0)])
    for (const event of [first, bytes(eventOf({}))]) {
      const { status, code } = await post(world, genuine(leaver, event), event)
      expect([status, code]).toEqual([401, 'invalid_api_key'])
    }
    expect(await eventCount(world)).toBe(rows)
  })

  test('that has expired, likewise', async () => {
    const short = await makeProvider(world, caller, { expiresInSeconds: 1 })
    await sleep(1100)
    const body = bytes(goodEvent())
    expect(await post(world, genuine(short, body), body)).toMatchObject({ status: 401, code: 'invalid_api_key' })
  })

  test('may send as often as its rate allows', async () => {
    const limited = await world.beside({ rateLimit: 1, rateBurst: 2 })
    const body = bytes(eventOf({}))
    const seen = []
    for (let i = 0; i < 4; i++)
      seen.push((await limited.ask('POST', '/webhooks', { body, headers: genuine(provider, body) })).status)
    expect(seen.toSorted()).toEqual([200, 200, 429, 429])
    await limited.stop()
  })
})

describe('the window', () => {
  /** With enough of the second left that none passes on the way. */
  async function earlyInASecond(): Promise<number> {
    const ms = Date.now() % 1000
    if (ms > 700) await sleep(1010 - ms)
    return nowSeconds()
  }

  test.each([
    [-300, 200],
    [-301, 401],
    [300, 200],
    [301, 401],
  ])('%i seconds from now: %i', async (by, status) => {
    const body = bytes(eventOf({}))
    const t = (await earlyInASecond()) + by
    expect((await post(world, genuine(provider, body, t), body)).status).toBe(status)
  })
})

const { webhooks: stripe } = new Stripe('sk_test_x')

/** Genuine ones: in how they are signed, and in what they say. */
function honest(): [string, string, string][] {
  const t = nowSeconds()
  const text = JSON.stringify(eventOf({}))
  const hex = hexOf(provider.secret, t, Buffer.from(text))
  const zeros = `v1=${'0'.repeat(64)}`
  const ours = sign({ id: 'evt', timestampSeconds: t, body: text, secrets: [newSecret(), provider.secret] })
  const headers: [string, string][] = [
    [
      'the library of Stripe',
      stripe.generateTestHeaderString({ payload: text, secret: provider.secret, timestamp: t }),
    ],
    ['our own', sign({ id: 'evt', timestampSeconds: t, body: text, secrets: [provider.secret] })['service-signature']],
    ['our own, with two secrets', ours['service-signature']],
    ['hand', `t=${t},v1=${hex}`],
    ['hand, the time at the end', `v1=${hex},t=${t}`],
    ['hand, among other schemes', `v0=abc,t=${t},v1=${hex},v2=xyz`],
    ['hand, the last of five', `t=${t},${zeros},${zeros},${zeros},${zeros},v1=${hex}`],
    ['hand, the first of five', `t=${t},v1=${hex},${zeros},${zeros},${zeros},${zeros}`],
    ['hand, in 1,024 characters', `t=${t},v1=${hex},x=`.padEnd(1024, 'y')],
  ]
  const signed = headers.map(([who, header]): [string, string, string] => [`signed by ${who}`, text, header])
  const said = [
    ['with spaces', `  ${JSON.stringify(eventOf({}), null, 4)}\r\n`],
    ['with words outside ASCII', JSON.stringify(eventOf({ note: 'Ñiño 😀 \u2028 李' }))],
    [
      'with escapes',
      JSON.stringify(eventOf({ note: '' })).replace('"note":""', String.raw`"note":"\u00e9 \ud83d\ude00 \/ \\"`),
    ],
    [
      'with more than is asked',
      JSON.stringify({ ...eventOf({ metadata: { a: [1, null] } }), api_version: 'x', livemode: false }),
    ],
    ['with nothing in it', JSON.stringify({ ...eventOf({}), type: 'ping', data: { object: {} } })],
    ['with a member __proto__', JSON.stringify(eventOf({})).replace('"status"', '"__proto__":{"amount":1},"status"')],
    ['with a time in fractions', JSON.stringify(eventOf({}, { created_at: 1795000000.25 }))],
    [
      'of 256 KiB',
      JSON.stringify(eventOf({ note: '' })).replace(
        '"note":""',
        `"note":"${'x'.repeat(262_144 - JSON.stringify(eventOf({ note: '' }, { id: 'evt_xxx' })).length - 8)}"`,
      ),
    ],
  ] as const
  return [
    ...signed,
    ...said.map(([why, body]): [string, string, string] => [
      why,
      body,
      `t=${t},v1=${hexOf(provider.secret, t, Buffer.from(body))}`,
    ]),
  ]
}

test('who is honest is believed, always', async () => {
  const senders = honest()
  const replies = []
  for (const [why, text, header] of senders) {
    const body = Buffer.from(text)
    expect(body.length, why).toBeLessThanOrEqual(262_144)
    const said = await post(world, { ...genuine(provider, body), 'service-signature': header }, body)
    replies.push({ why, ...said })
  }
  expect(replies).toEqual(senders.map(([why]) => ({ why, ...CONFIRMED })))
  // A bearer token of the account beside the key does no harm.
  const body = bytes(eventOf({}, { id: newId('evt') }))
  const { deps } = world.gateway
  const holder = await deps.callers.byApiKey(caller.apiKey)
  const token = await deps.callers.issueToken(holder!, 60, null)
  expect(await post(world, { ...genuine(provider, body), authorization: `Bearer ${token}` }, body)).toEqual(CONFIRMED)
  console.log(`receiver: ${senders.length + 1} genuine requests, all believed`)
})

test('what is refused names what to mend', async () => {
  const body = bytes({ ...goodEvent(), created_at: 'now', data: 7 })
  const { status, error } = await world.ask('POST', '/webhooks', { body, headers: genuine(provider, body) })
  expect([status, error.type, error.param]).toEqual([400, 'invalid_request_error', 'created_at'])
  expect(error.errors?.map(({ code }) => code)).toEqual(['invalid_created_at', 'invalid_data'])
  const unsigned = await world.ask('POST', '/webhooks', { body, headers: { 'x-api-key': provider.key } })
  expect(unsigned.error).toMatchObject({
    type: 'authentication_error',
    code: 'invalid_signature',
    param: 'Service-Signature',
  })
})

test('a card number in words is masked before it is kept, and the account of a payer is not', async () => {
  const wallet = '4111111111111111'
  const event = eventOf({ note: 'Card 4242 4242 4242 4242', payer: { channel: 'gcash', recipient: { wallet } } })
  const body = bytes(event)
  for (let i = 0; i < 2; i++) expect(await post(world, genuine(provider, body), body)).toEqual(CONFIRMED)
  const row = await eventRow(world, caller, String(event['id']))
  expect(row?.body).toContain('Card [card ending 4242]')
  expect(row?.body).toContain(wallet)
  expect(row?.body).not.toContain('4242 4242')
  // Another card of the same ending: what is kept of it is the same, and it is another body.
  const alike = Buffer.from(body.toString().replace('4242 4242 4242 4242', '4000000000024242'))
  expect(await post(world, genuine(provider, alike), alike)).toMatchObject({ status: 409, code: 'event_id_reused' })
})
