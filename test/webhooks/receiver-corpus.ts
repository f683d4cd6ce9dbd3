// Requests that must not be believed, each made from a good one: forged and malformed signatures, touched bytes, wrong
// secrets and keys; and bodies that are genuine and still no event.
import { createHash, createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { brokenServiceSignatures } from './signature-corpus.ts'

export type Headers = Readonly<Record<string, string | string[]>>
export type Attempt = {
  readonly why: string
  readonly headers: Headers
  readonly body: Buffer
  /** The status and code that it is refused with. */
  readonly refused: readonly [status: number, code: string]
}

export type Receiver = { readonly key: string; readonly secret: string }

export const nowSeconds = () => Math.floor(Date.now() / 1000)
export const hexOf = (secret: string, t: number | string, body: Buffer) =>
  createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')

/** The headers of a genuine request. */
export function genuine({ key, secret }: Receiver, body: Buffer, t = nowSeconds()) {
  return {
    'x-api-key': key,
    'content-type': 'application/json',
    'service-signature': `t=${t},v1=${hexOf(secret, t, body)}`,
  }
}

const UNPROVEN = [401, 'invalid_signature'] as const

/** The good body with a header that proves nothing. */
export function brokenHeaders(receiver: Receiver, body: Buffer): Attempt[] {
  const t = nowSeconds()
  const hex = hexOf(receiver.secret, t, body)
  const good = `t=${t},v1=${hex}`
  const wrong = `t=${t},v1=${'0'.repeat(64)}`
  const { 'service-signature': _, ...unsigned } = genuine(receiver, body)
  const headers: (readonly [string, string | string[]])[] = [
    ...brokenServiceSignatures(t, hex),
    ['two headers, both right', [good, good]],
    ['two headers, the first of them right', [good, wrong]],
    ['two headers, the second of them right', [wrong, good]],
    ['two headers, one of them empty', ['', good]],
    ['half of it in each of two headers', [`t=${t}`, `v1=${hex}`]],
    ['2 KiB', `${good},x=${'y'.repeat(2048 - good.length - 3)}`],
    ...timesOf(t).map((each): [string, string] => [
      `signed at ${each - t} s from now`,
      `t=${each},v1=${hexOf(receiver.secret, each, body)}`,
    ]),
    ...schemes(receiver.secret, t, body).map(([why, digest]): [string, string] => [
      `signed by ${why}`,
      `t=${t},v1=${digest}`,
    ]),
  ]
  const attempts = headers.map(([why, header]): Attempt => {
    return { why: `signature: ${why}`, headers: { ...unsigned, 'service-signature': header }, body, refused: UNPROVEN }
  })
  return [...attempts, { why: 'no signature at all', headers: unsigned, body, refused: UNPROVEN }]
}

// One second past the window in the future is tried apart: the clock may tick before it arrives.
const timesOf = (t: number) =>
  [-301, -302, -600, -86_400, -31_536_000, -t, 310, 600, 86_400, 31_536_000, 1e11].map((by) => t + by)

/** What others sign, and what a mistake would. */
function schemes(secret: string, t: number, body: Buffer): [string, string][] {
  const hmac = (key: string | Buffer, text: string | Buffer, algorithm = 'sha256') =>
    createHmac(algorithm, key).update(text).digest('hex')
  const signed = Buffer.concat([Buffer.from(`${t}.`), body])
  return [
    ['the body alone', hmac(secret, body)],
    ['the time and the body without a dot', hmac(secret, Buffer.concat([Buffer.from(String(t)), body]))],
    ['the body before the time', hmac(secret, Buffer.concat([body, Buffer.from(`.${t}`)]))],
    ['the body twice', hmac(secret, Buffer.concat([signed, body]))],
    ['milliseconds', hmac(secret, Buffer.concat([Buffer.from(`${t}000.`), body]))],
    ['the text of another encoding', hmac(secret, Buffer.from(signed.toString('latin1')))],
    ['the hash without a key', createHash('sha256').update(signed).digest('hex')],
    ['the hash with the key before it', createHash('sha256').update(secret).update(signed).digest('hex')],
    ['SHA-512, cut', hmac(secret, signed, 'sha512').slice(0, 64)],
    ['SHA3', hmac(secret, signed, 'sha3-256')],
    ['SHA-1, filled up', hmac(secret, signed, 'sha1').padEnd(64, '0')],
    ['MD5, filled up', hmac(secret, signed, 'md5').padEnd(64, '0')],
    ['the bytes of the secret', hmac(Buffer.from(secret.replace('whsec_', ''), 'base64'), signed)],
    ['the secret without its prefix', hmac(secret.replace('whsec_', ''), signed)],
    ['the secret with a line feed', hmac(`${secret}\n`, signed)],
    ['the secret in capitals', hmac(secret.toUpperCase(), signed)],
    ['an empty secret', hmac('', signed)],
    ['"undefined"', hmac('undefined', signed)],
  ]
}

/** Bytes that the good header does not prove. */
export function touchedBodies(receiver: Receiver, body: Buffer): Attempt[] {
  const headers = genuine(receiver, body)
  const text = body.toString()
  const value = JSON.parse(text) as Record<string, unknown>
  const bodies: [string, Buffer | string][] = [
    ['nothing', ''],
    ['an empty object', '{}'],
    ['another amount', text.replace('100.5', '900.5')],
    ['another event', text.replace('evt_', 'evt-')],
    ['another type', text.replace('succeeded', 'failed')],
    ['the last byte gone', body.subarray(0, -1)],
    ['the first byte gone', body.subarray(1)],
    ['a line feed after it', `${text}\n`],
    ['CRLF after it', `${text}\r\n`],
    ['CRLF for each line feed', text.replaceAll('\n', '\r\n')],
    ['a space before it', ` ${text}`],
    ['a NUL after it', `${text}\0`],
    ['a byte order mark', `\ufeff${text}`],
    ['written anew', JSON.stringify(value)],
    ['written anew, indented', JSON.stringify(value, null, 4)],
    ['members in another order', JSON.stringify(Object.fromEntries(Object.entries(value).reverse()))],
    ['letters as escapes', text.replaceAll('é', '\\u00e9')],
    ['letters decomposed', text.normalize('NFD')],
    ['read as Latin-1 and written anew', Buffer.from(body.toString('latin1'))],
    ['in UTF-16', Buffer.from(text, 'utf16le')],
    ['compressed', gzipSync(body)],
    ['in base64', body.toString('base64')],
    ['in quotes', JSON.stringify(text)],
    ['twice', `${text}${text}`],
    ['with what is signed before it', `${nowSeconds()}.${text}`],
    ['a second member of one name', text.replace('{', '{"type":"payment_intent.succeeded",')],
    ...flipped(body),
  ]
  return bodies.map(([why, each]) => {
    return { why: `body: ${why}`, headers, body: Buffer.from(each as Buffer), refused: UNPROVEN }
  })
}

const FLIPS = 64

function flipped(body: Buffer): [string, Buffer][] {
  return Array.from({ length: FLIPS }, (_, i) => {
    const touched = Buffer.from(body)
    const at = Math.floor((i * body.length) / FLIPS)
    touched[at] = (touched[at] ?? 0) ^ (1 << (i % 8))
    return [`bit ${i % 8} of byte ${at}`, touched]
  })
}

/** Signed as it should be, and no event all the same. `good` is an event's members. */
export function unreadableBodies(receiver: Receiver, good: Readonly<Record<string, unknown>>): Attempt[] {
  const attempt = (why: string, body: Buffer | string, code: string): Attempt => {
    const bytes = Buffer.from(body as Buffer)
    return { why: `signed: ${why}`, headers: genuine(receiver, bytes), body: bytes, refused: [400, code] }
  }
  return [
    ...unreadable(good).map(([why, body]) => attempt(why, body, 'malformed_json')),
    ...misshapen(good).map(([why, body, code]) => attempt(why, JSON.stringify(body), code)),
    attempt('nothing', '', 'missing_id'),
    attempt(
      'an infinite time',
      JSON.stringify(good).replace(/"created_at":\d+/, '"created_at":1e400'),
      'invalid_created_at',
    ),
    ...[
      'pan',
      'PAN',
      'card_pan',
      'card_number',
      'cardNumber',
      'cvc',
      'cvc2',
      'cvv',
      'cvv2',
      'csc',
      'track2',
      'track_1_data',
    ].map((name) =>
      attempt(`a field ${name}`, withObject(good, { card: { [name]: '4111111111111111' } }), 'card_data_not_allowed'),
    ),
  ]
}

function withObject(good: Readonly<Record<string, unknown>>, fields: object): string {
  const { object } = good['data'] as { object: object }
  return JSON.stringify({ ...good, data: { object: { ...object, ...fields } } })
}

function unreadable(good: Readonly<Record<string, unknown>>): [string, Buffer | string][] {
  const text = JSON.stringify(good)
  const deep = (levels: number) =>
    withObject(good, { deep: 0 }).replace('"deep":0', `"deep":${'['.repeat(levels)}${']'.repeat(levels)}`)
  const keys = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`k${i}`, i]))
  return [
    ...[
      '{',
      '}',
      'null',
      '[]',
      '"x"',
      '1',
      'true',
      'undefined',
      'NaN',
      '<xml/>',
      'id=evt_1',
      "{'id':1}",
      '[{}]',
      ' ',
    ].map((body): [string, string] => [body, body]),
    ['a comma too many', text.replace(/}$/, ',}')],
    ['a comment', `${text} // paid`],
    ['two of them', `${text}${text}`],
    ['the half of it', text.slice(0, text.length / 2)],
    ['a byte order mark', `\ufeff${text}`],
    ['UTF-16', Buffer.from(text, 'utf16le')],
    ['Latin-1', Buffer.from(text.replace('evt_', 'évt_'), 'latin1')],
    ['an overlong slash', Buffer.concat([Buffer.from('{"id":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')])],
    [
      'a surrogate in UTF-8',
      Buffer.concat([Buffer.from('{"id":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    ],
    ['a bare control character', text.replace('evt_', 'evt\u0001')],
    ['a NUL as an escape', text.replace('evt_', 'evt\\u0000')],
    ['a NUL in a name', text.replace('"status"', '"stat\\u0000us"')],
    ['half of a pair', text.replace('evt_', 'evt\\ud800')],
    ['an escape that is none', text.replace('evt_', 'evt\\x41')],
    ['17 levels', deep(14)],
    ['100,000 levels', deep(100_000)],
    ['1,001 members', withObject(good, keys)],
    ['one name twice', text.replace('{', '{"type":"payment_intent.failed",')],
    ['one name twice, further in', text.replace('"amount"', '"amount":1,"amount"')],
    ['one name twice, once as an escape', text.replace('{', '{"\\u0074ype":"payment_intent.failed",')],
    ['a number with a leading zero', text.replace('100.5', '0100.5')],
    ['a hexadecimal number', text.replace('100.5', '0x64')],
    ['a number with a plus sign', text.replace('100.5', '+100.5')],
    ['gzip', gzipSync(text)],
  ]
}

function misshapen(good: Readonly<Record<string, unknown>>): [string, object, string][] {
  const wrong: Record<string, unknown[]> = {
    id: [null, 1, '', [], {}, true, 'x'.repeat(256), 'évt', 'a\nb', 'a\u007fb', '\u202eevt'],
    type: [null, 1, '', [], {}, 'x'.repeat(101), 'pay\tment', 'ｐayment_intent.succeeded'],
    created_at: [null, '1795000000', '2026-11-21T00:00:00Z', [], {}, true],
    data: [null, [], 'x', 7, true],
  }
  const objects = [null, [], 'x', 7, true]
  return [
    ...Object.entries(wrong).flatMap(([name, values]) =>
      values.map((value): [string, object, string] => {
        // A list is an object without the member.
        const code = name === 'data' && Array.isArray(value) ? 'invalid_data' : `invalid_${name}`
        return [`${name} is ${JSON.stringify(value).slice(0, 20)}`, { ...good, [name]: value }, code]
      }),
    ),
    ...objects.map((object): [string, object, string] => [
      `data.object is ${JSON.stringify(object)}`,
      { ...good, data: { object } },
      'invalid_data_object',
    ]),
    ...['id', 'type', 'created_at', 'data'].map((name): [string, object, string] => [
      `no ${name}`,
      { ...good, [name]: undefined },
      `missing_${name}`,
    ]),
    ['no data.object', { ...good, data: {} }, 'missing_data_object'],
  ]
}
