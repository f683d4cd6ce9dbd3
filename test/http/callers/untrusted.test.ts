// Those who are nobody yet: wrong keys and tokens are counted by the address they come from, and however many are forged,
// the database hears little of them. Whoever has a valid credential notices nothing.
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { newAccessToken, newApiKey } from '../../../src/platform/credentials.ts'
import { openWorld, type Reply } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
const { caller, other } = world
afterAll(() => world.stop())

const LIST = '/contracts/transfer?limit=1'
const keyed = (key: string) => ({ 'x-api-key': key })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const coded = ({ status, body }: Reply) => [status, (body['error'] as { code?: string } | undefined)?.code]
/** A key that looks like ours and is none. */
const forged = () => newApiKey(caller.account.lane, false).text
const doorsWith = (doors: Partial<typeof world.config.doors>) => ({ doors: { ...world.config.doors, ...doors } })

describe('wrong credentials from one address', () => {
  test('are told to wait before anything is looked up; known callers and other addresses are not', async () => {
    const guarded = await world.beside(doorsWith({ authFailuresPerMinute: 10 }))
    const from = '203.0.113.7'
    const guess = (sent: Record<string, string>, address = from) =>
      guarded.ask('GET', LIST, { headers: sent, from: address })
    expect((await guess(keyed(caller.apiKey))).status).toBe(200)
    const answers: Reply[] = []
    for (let i = 0; i < 20; i++)
      answers.push(await guess(i % 2 === 0 ? keyed(forged()) : bearer(newAccessToken(7).text)))
    expect(answers.map(coded).slice(0, 2)).toEqual([
      [401, 'invalid_api_key'],
      [401, 'invalid_token'],
    ])
    expect(answers.every(({ status }) => status === 401)).toBe(true)
    const turnedAway = await guess(keyed(forged()))
    expect(coded(turnedAway)).toEqual([429, 'rate_limited'])
    expect(turnedAway.error.type).toBe('rate_limit_error')
    expect(turnedAway.headers['retry-after']).toMatch(/^[1-6]$/)
    expect(coded(await guess(keyed('no key at all')))).toEqual([429, 'rate_limited'])
    const token = { grant_type: 'client_credentials', client_secret: forged() }
    expect(coded(await guarded.ask('POST', '/oauth/token', { body: token, from }))).toEqual([429, 'rate_limited'])
    // Whose key has been valid here passes; one that nobody has seen yet waits with the others.
    expect((await guess(keyed(caller.apiKey))).status).toBe(200)
    expect((await guess(keyed(other.apiKey))).status).toBe(429)
    expect((await guess(keyed(other.apiKey), '203.0.113.8')).status).toBe(200)
    expect((await guess(keyed(other.apiKey))).status).toBe(200)
    // What needs no credential, and what brings none.
    expect((await guarded.ask('GET', '/healthz', { from })).status).toBe(200)
    expect(coded(await guarded.ask('GET', LIST, { from }))).toEqual([401, 'credentials_required'])
    await guarded.stop()
  })

  test('may go on after what Retry-After says', async () => {
    const guarded = await world.beside(doorsWith({ authFailuresPerMinute: 60 }))
    const guess = () => guarded.ask('GET', LIST, { headers: keyed('wrong') })
    for (let i = 0; i < 120; i++) await guess()
    const turnedAway = await guess()
    expect(turnedAway.status).toBe(429)
    await sleep(Number(turnedAway.headers['retry-after']) * 1000)
    expect((await guess()).status).toBe(401)
    await guarded.stop()
  })

  test('are those of a customer’s whole IPv6 network, and of nobody else', async () => {
    const guarded = await world.beside(doorsWith({ authFailuresPerMinute: 1 }))
    const guess = (from: string) => guarded.ask('GET', LIST, { headers: keyed('wrong'), from })
    const statuses = []
    for (const host of [':1', '3:4:5:6', 'ffff::2']) statuses.push((await guess(`2001:db8:1:2:${host}`)).status)
    expect(statuses).toEqual([401, 401, 429])
    expect((await guess('2001:db8:1:3::1')).status).toBe(401)
    // An IPv4 address in IPv6 clothes is what it is.
    for (const from of ['::ffff:198.51.100.1', '198.51.100.1']) expect((await guess(from)).status).toBe(401)
    expect((await guess('::ffff:198.51.100.1')).status).toBe(429)
    await guarded.stop()
  })

  test('are those of who a trusted proxy says it is; anybody else’s word is not taken', async () => {
    const guarded = await world.beside(doorsWith({ authFailuresPerMinute: 1, trustProxy: ['10.0.0.0/8'] }))
    const guess = (from: string, forwarded: string) =>
      guarded.ask('GET', LIST, { headers: { ...keyed('wrong'), 'x-forwarded-for': forwarded }, from })
    const behind = []
    for (const client of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'])
      behind.push((await guess('10.1.2.3', client)).status)
    expect(behind).toEqual([401, 401, 429, 401])
    const alone = []
    for (const client of ['192.0.2.3', '192.0.2.4', '192.0.2.5']) alone.push((await guess('192.0.2.99', client)).status)
    expect(alone).toEqual([401, 401, 429])
    await guarded.stop()
  })
})

/** As who knows the id of a key would forge it: another secret, and the checksum that fits. */
function withId(keyId: string): string {
  const [, , , secret = ''] = forged().split('_')
  const stem = `gck_test_${keyId}_${secret.slice(0, 32)}`
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let [rest, checksum] = [crc32(stem), '']
  for (let i = 0; i < 6; i++) {
    checksum = digits.charAt(rest % 62) + checksum
    rest = Math.floor(rest / 62)
  }
  return stem + checksum
}

describe('forged keys', () => {
  /** The statements that look credentials up, as they pass: nothing is changed by counting. */
  const lookUps = () => {
    const send = vi.spyOn(world.gateway.deps.reader, 'send')
    return {
      count: () => send.mock.calls.flat(2).filter(({ name }) => /^find_(api_keys|access_tokens)$/.test(name)).length,
      end: () => send.mockRestore(),
    }
  }

  test('in any number cost the database a few statements a second', async () => {
    const seen = lookUps()
    const from = performance.now()
    const statuses = new Map<number, number>()
    for (let round = 0; round < 50; round++) {
      const guesses = Array.from({ length: 50 }, (_, i) =>
        world.ask('GET', LIST, { headers: i % 3 === 0 ? bearer(newAccessToken(i).text) : keyed(forged()) }),
      )
      for (const { status } of await Promise.all(guesses)) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    // Of keys and of tokens sixteen at once, and then eight a second.
    expect(seen.count()).toBeLessThanOrEqual(2 * (16 + Math.ceil((performance.now() - from) / 125)))
    expect(statuses).toEqual(new Map([[401, 50 * 50]]))
    seen.end()
  })

  test('with the id of a known key, a checksum that is wrong, or seen a moment ago cost it nothing', async () => {
    expect((await caller.ask('GET', LIST)).status).toBe(200)
    const again = forged()
    expect((await world.ask('GET', LIST, { headers: keyed(again) })).status).toBe(401)
    const seen = lookUps()
    for (let i = 0; i < 20; i++) {
      expect((await world.ask('GET', LIST, { headers: keyed(withId(caller.keyId)) })).status).toBe(401)
      expect((await world.ask('GET', LIST, { headers: keyed(`${caller.apiKey.slice(0, -1)}~`) })).status).toBe(401)
    }
    expect((await world.ask('GET', LIST, { headers: keyed(again) })).status).toBe(401)
    expect(seen.count()).toBe(0)
    seen.end()
  })

  test('beyond what may wait are told to come back, while a known caller is served', async () => {
    expect((await caller.ask('GET', LIST)).status).toBe(200)
    const guesses = Array.from({ length: 2000 }, () => world.ask('GET', LIST, { headers: keyed(forged()) }))
    // Long after it is remembered: it is looked up again, and not behind them.
    expect((await caller.ask('GET', LIST)).status).toBe(200)
    const answers = await Promise.all(guesses)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]))
    const refused = answers.find(({ status }) => status === 503)
    expect([refused?.error.code, refused?.headers['retry-after']]).toEqual(['overloaded', '1'])
  })

  test('hide no new key: one that another process makes works at once', async () => {
    const guesses = Array.from({ length: 100 }, () => world.ask('GET', LIST, { headers: keyed(forged()) }))
    const fresh = await world.withKey(caller, { scopes: ['contracts:read'] })
    expect((await fresh.ask('GET', LIST)).status).toBe(200)
    await Promise.all(guesses)
  })
})
