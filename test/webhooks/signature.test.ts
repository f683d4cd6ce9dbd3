// Signatures against two libraries that nobody here wrote: what we sign they believe, what they sign we believe, and what
// was touched on the way nobody does.
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import {
  newSecret,
  sign,
  verifyServiceSignature,
  verifyStandardWebhook,
  type HeaderValues,
} from '../../sdk/src/signature.ts'
import { requestFor } from '../../src/webhooks/payload.ts'
import { brokenServiceSignatures, brokenStandardHeaders } from './signature-corpus.ts'

const { webhooks: stripe } = new Stripe('sk_test_x')
const nowSeconds = () => Math.floor(Date.now() / 1000)
const ID = 'evt_0198c0de00007a2b80000123456789ab0004'
const SECRET = newSecret()
const OLDER = newSecret()
const STRANGER = newSecret()
const EVENT = Buffer.from(JSON.stringify({ id: ID, type: 'contract.paid', data: { object: { amount: 1517.5 } } }))

const BODIES: readonly (readonly [string, Buffer])[] = [
  ['an event', EVENT],
  ['words outside ASCII', Buffer.from(JSON.stringify({ name: 'Ñiño 😀 \u2028 李', quote: '"\\' }))],
  ['an empty object', Buffer.from('{}')],
  ['64 KiB', Buffer.from(JSON.stringify({ text: 'ü'.repeat(32 * 1024 - 6) }))],
]

type Signed = ReturnType<typeof sign>
const signed = (body: Buffer, secrets: readonly string[] = [SECRET], timestampSeconds = nowSeconds()): Signed =>
  sign({ id: ID, timestampSeconds, body, secrets })

/** Whether each of the four verifiers believes the request: the libraries', and ours of the same family. */
function believers(body: Buffer, headers: Signed, secret: string): Record<string, boolean> {
  const window = { nowSeconds: nowSeconds() }
  const believes = (verify: () => unknown) => {
    try {
      verify()
      return true
    } catch {
      return false
    }
  }
  return {
    stripe: believes(() => stripe.constructEvent(body, headers['service-signature'], secret)),
    service: verifyServiceSignature(body, headers['service-signature'], [secret], window).ok,
    standardwebhooks: believes(() => new Webhook(secret).verify(body, { ...headers })),
    standard: verifyStandardWebhook(body, { ...headers }, [secret], window).ok,
  }
}
const ALL = { stripe: true, service: true, standardwebhooks: true, standard: true }
const NONE = { stripe: false, service: false, standardwebhooks: false, standard: false }

test('a secret is whsec_ and 32 bytes, and never the same', () => {
  expect(Buffer.from(SECRET.replace('whsec_', ''), 'base64')).toHaveLength(32)
  expect(new Set(Array.from({ length: 1000 }, newSecret)).size).toBe(1000)
})

test.each(BODIES)('everybody believes what we sign: %s', (_name, body) => {
  expect(believers(body, signed(body), SECRET)).toEqual(ALL)
})

test.each(BODIES)('while secrets are replaced, holders of the old and of the new one believe it: %s', (_name, body) => {
  const headers = signed(body, [SECRET, OLDER])
  expect(believers(body, headers, SECRET)).toEqual(ALL)
  expect(believers(body, headers, OLDER)).toEqual(ALL)
  expect(believers(body, headers, STRANGER)).toEqual(NONE)
  const window = { nowSeconds: nowSeconds() }
  const header = signed(body, [OLDER])['service-signature']
  expect(verifyServiceSignature(body, header, [STRANGER, OLDER], window).ok).toBe(true)
})

test.each(BODIES)('nobody believes it with another secret, or with one bit of the body changed: %s', (_name, body) => {
  const headers = signed(body)
  expect(believers(body, headers, STRANGER)).toEqual(NONE)
  // Bytes that stay readable JSON text, so that nobody refuses for another reason than the signature.
  const touched = Buffer.from(body.toString().replace(/[}]$/, ' }'))
  expect(believers(touched, headers, SECRET)).toEqual(NONE)
})

test('an empty body is signed like any other; stripe-node is asked below its parsing of JSON', () => {
  const empty = Buffer.alloc(0)
  const headers = signed(empty)
  expect(believers(empty, headers, SECRET)).toEqual({ ...ALL, stripe: false })
  const window = { nowSeconds: nowSeconds() }
  const made = stripe.generateTestHeaderString({ payload: '', secret: SECRET })
  expect(verifyServiceSignature(empty, made, [SECRET], window).ok).toBe(true)
  expect(made).toBe(signed(empty, [SECRET], Number(/t=(\d+)/.exec(made)?.[1]))['service-signature'])
})

test.each(BODIES)('we believe what stripe-node and standardwebhooks sign: %s', (_name, body) => {
  const now = nowSeconds()
  const payload = body.toString()
  const header = stripe.generateTestHeaderString({ payload, secret: SECRET, timestamp: now })
  const truth = { ok: true, timestampSeconds: now }
  expect(verifyServiceSignature(body, header, [SECRET], { nowSeconds: now })).toEqual(truth)
  const signature = new Webhook(SECRET).sign('msg_p5jXN8AQM9LWM0D4loKWxJek', new Date(now * 1000), payload)
  const headers = {
    'Webhook-Id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': String(now),
    'WEBHOOK-SIGNATURE': signature,
  }
  expect(verifyStandardWebhook(body, headers, [SECRET], { nowSeconds: now })).toEqual(truth)
})

test('other schemes and versions beside ours are passed over', () => {
  const now = nowSeconds()
  const { 'service-signature': service, ...standard } = signed(EVENT, [SECRET], now)
  const more = `v0=${'ab'.repeat(32)},${service},v2=any.thing/at+all==`
  expect(verifyServiceSignature(EVENT, more, [SECRET], { nowSeconds: now }).ok).toBe(true)
  const headers = { ...standard, 'webhook-signature': `v1a,${'A'.repeat(86)}== ${standard['webhook-signature']} v2,x` }
  expect(verifyStandardWebhook(EVENT, headers, [SECRET], { nowSeconds: now }).ok).toBe(true)
})

test('what is older than 300 s nobody believes', () => {
  expect(believers(EVENT, signed(EVENT, [SECRET], nowSeconds() - 290), SECRET)).toEqual(ALL)
  expect(believers(EVENT, signed(EVENT, [SECRET], nowSeconds() - 310), SECRET)).toEqual(NONE)
})

test('what comes from the future nobody believes but stripe-node, which looks only at the past', () => {
  expect(believers(EVENT, signed(EVENT, [SECRET], nowSeconds() + 290), SECRET)).toEqual(ALL)
  expect(believers(EVENT, signed(EVENT, [SECRET], nowSeconds() + 310), SECRET)).toEqual({ ...NONE, stripe: true })
})

test('the window ends to the second, and a request that is not genuine is never told about its time', () => {
  const t = 1_800_000_000
  const headers = signed(EVENT, [SECRET], t)
  const reasons = (secret: string) => (offset: number) => {
    const window = { nowSeconds: t + offset }
    const service = verifyServiceSignature(EVENT, headers['service-signature'], [secret], window)
    expect(verifyStandardWebhook(EVENT, { ...headers }, [secret], window)).toEqual(service)
    return service.ok ? 'ok' : service.reason
  }
  expect([-301, -300, 0, 300, 301].map(reasons(SECRET))).toEqual(['future', 'ok', 'ok', 'ok', 'stale'])
  expect([-301, 0, 301].map(reasons(STRANGER))).toEqual(['mismatch', 'mismatch', 'mismatch'])
  const strict = { nowSeconds: t + 11, toleranceSeconds: 10 }
  expect(verifyServiceSignature(EVENT, headers['service-signature'], [SECRET], strict)).toEqual({
    ok: false,
    reason: 'stale',
  })
})

const corpusTime = nowSeconds()
const corpusHeaders = signed(EVENT, [SECRET], corpusTime)
const corpusHex = /v1=(.*)/.exec(corpusHeaders['service-signature'])?.[1] ?? ''
const serviceCorpus = brokenServiceSignatures(corpusTime, corpusHex)

test.each(serviceCorpus)('no Service-Signature: %s', (_why, header) => {
  const verdict = verifyServiceSignature(EVENT, header, [SECRET, OLDER], { nowSeconds: corpusTime })
  expect(verdict).toEqual({ ok: false, reason: expect.stringMatching(/^(missing|malformed|mismatch)$/) as string })
})

const standardCorpus = brokenStandardHeaders({
  id: ID,
  time: String(corpusTime),
  signature: corpusHeaders['webhook-signature'],
})

test.each(standardCorpus)('no Standard Webhook: %s', (_why, replaced) => {
  const headers = { ...corpusHeaders, ...replaced } as HeaderValues
  const verdict = verifyStandardWebhook(EVENT, headers, [SECRET, OLDER], { nowSeconds: corpusTime })
  expect(verdict).toEqual({ ok: false, reason: expect.stringMatching(/^(missing|malformed|mismatch)$/) as string })
})

test('the corpora are of their size, and the headers they are made from are good', () => {
  expect(serviceCorpus.length + standardCorpus.length).toBeGreaterThan(120)
  expect(believers(EVENT, corpusHeaders, SECRET)).toEqual(ALL)
})

test('no header, or more than one, says nothing', () => {
  const window = { nowSeconds: corpusTime }
  const header = corpusHeaders['service-signature']
  const reasonOf = (value: HeaderValues[string]) => {
    const verdict = verifyServiceSignature(EVENT, value, [SECRET], window)
    return verdict.ok ? 'ok' : verdict.reason
  }
  expect([undefined, null, [], [header], [header, header]].map(reasonOf)).toEqual([
    'missing',
    'missing',
    'missing',
    'ok',
    'malformed',
  ])
})

test('a secret that is none is the fault of who configured it, not a key that anybody can guess', () => {
  const window = { nowSeconds: corpusTime }
  const forged = `t=${corpusTime},v1=${'0'.repeat(64)}`
  expect(() => verifyServiceSignature(EVENT, forged, [''], window)).toThrow('empty')
  for (const secret of ['', 'whsec_', 'whsec_not base64', 'whsec_####', 'whsec_YWJ'])
    expect(() => verifyStandardWebhook(EVENT, { ...corpusHeaders }, [secret], window)).toThrow('whsec_')
  expect(verifyServiceSignature(EVENT, forged, [], window)).toEqual({ ok: false, reason: 'mismatch' })
  expect(() => sign({ id: ID, timestampSeconds: corpusTime, body: EVENT, secrets: [''] })).toThrow('empty')
})

const anyBody = fc.uint8Array({ maxLength: 2048 })
const anySecrets = fc.array(fc.constantFrom(SECRET, OLDER), { minLength: 1, maxLength: 2 })

test('any bytes come through: what is no text, too', () => {
  fc.assert(
    fc.property(anyBody, anySecrets, fc.integer({ min: 0, max: 999_999_999_999 }), (body, secrets, time) => {
      const headers = sign({ id: ID, timestampSeconds: time, body, secrets })
      const window = { nowSeconds: time }
      const truth = { ok: true, timestampSeconds: time }
      expect(verifyServiceSignature(body, headers['service-signature'], [OLDER, SECRET], window)).toEqual(truth)
      expect(verifyStandardWebhook(body, { ...headers }, [OLDER, SECRET], window)).toEqual(truth)
    }),
  )
})

test('any bit of the body that was flipped is noticed', () => {
  const touchedBody = fc.uint8Array({ minLength: 1, maxLength: 512 }).chain((body) =>
    fc.nat({ max: body.length * 8 - 1 }).map((bit) => {
      const touched = Uint8Array.from(body)
      touched[bit >> 3] = (touched[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      return { body, touched }
    }),
  )
  fc.assert(
    fc.property(touchedBody, ({ body, touched }) => {
      const headers = sign({ id: ID, timestampSeconds: corpusTime, body, secrets: [SECRET] })
      const window = { nowSeconds: corpusTime }
      const lie = { ok: false, reason: 'mismatch' }
      expect(verifyServiceSignature(touched, headers['service-signature'], [SECRET], window)).toEqual(lie)
      expect(verifyStandardWebhook(touched, { ...headers }, [SECRET], window)).toEqual(lie)
    }),
  )
})

test('any bit of a signature that was flipped is noticed, and any text is borne', () => {
  const window = { nowSeconds: corpusTime }
  for (let bit = 0; bit < 256; bit++) {
    const digest = Buffer.from(corpusHex, 'hex')
    digest[bit >> 3] = (digest[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    const service = `t=${corpusTime},v1=${digest.toString('hex')}`
    expect(verifyServiceSignature(EVENT, service, [SECRET], window)).toEqual({ ok: false, reason: 'mismatch' })
  }
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^(t=\d{1,13},?|v1=[0-9a-f]{64},?|[=, ]){0,8}$/),
  )
  fc.assert(
    fc.property(text, (header) => {
      expect(verifyServiceSignature(EVENT, header, [SECRET], window).ok).toBe(false)
      const headers = { ...corpusHeaders, 'webhook-signature': header }
      expect(verifyStandardWebhook(EVENT, headers, [SECRET], window).ok).toBe(false)
    }),
  )
})

test('a try of a delivery carries the bearer, its number and both signatures of its own time', () => {
  const now = nowSeconds()
  const delivery = {
    eventId: ID,
    body: EVENT,
    secrets: [SECRET, OLDER],
    bearerToken: 'whb_secret',
    userAgent: 'gateway-contracts/1',
  }
  const headers = requestFor({ ...delivery, attempt: 3, nowSeconds: now })
  expect(headers).toEqual({
    'content-type': 'application/json',
    authorization: 'Bearer whb_secret',
    'user-agent': 'gateway-contracts/1',
    'webhook-attempt': '3',
    ...signed(EVENT, [SECRET, OLDER], now),
  })
  const later = requestFor({ ...delivery, attempt: 4, nowSeconds: now + 86_400 })
  expect(later['webhook-id']).toBe(ID)
  expect(later['service-signature']).not.toBe(headers['service-signature'])
})
