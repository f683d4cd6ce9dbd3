// The guard alone: which addresses it admits, by the registries and by chance, and the words for what it refuses.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openAddressGuard, portOf } from '../../src/platform/addresses.ts'
import {
  clothesOf,
  dottedOf,
  endsV4,
  endsV6,
  groupsOf,
  misspelledProbes,
  numberOf,
  SPECIAL_V4,
  SPECIAL_V6,
  spellingsOf,
} from './ssrf-corpus.ts'

const guard = openAddressGuard({ allow: [] })
const WAYS = [
  [443, 'https:'],
  [8443, 'https:'],
  [80, 'http:'],
  [443, 'http:'],
  [8080, 'https:'],
] as const
const admitted = (address: string, by = guard) => WAYS.map(([port, protocol]) => by.admits(address, port, protocol))
const NOWHERE = WAYS.map(() => false)
const PUBLIC_WAYS = [true, true, false, false, false]

const specialV4 = fc
  .constantFrom(...SPECIAL_V4)
  .map(endsV4)
  .chain(([first, last]) => fc.integer({ min: first, max: last }))
const specialV6 = fc
  .constantFrom(...SPECIAL_V6)
  .map(endsV6)
  .chain(([first, last]) => fc.bigInt({ min: first, max: last }))
const isSpecialV4 = (number: number) =>
  SPECIAL_V4.map(endsV4).some(([first, last]) => first <= number && number <= last)
const isSpecialV6 = (number: bigint) =>
  SPECIAL_V6.map(endsV6).some(([first, last]) => first <= number && number <= last)

test('the first and the last address of every special-purpose range is refused, and the ones outside are public', () => {
  for (const [first, last] of SPECIAL_V4.map(endsV4)) {
    expect([dottedOf(first), admitted(dottedOf(first))]).toEqual([dottedOf(first), NOWHERE])
    expect([dottedOf(last), admitted(dottedOf(last))]).toEqual([dottedOf(last), NOWHERE])
    for (const beside of [first - 1, last + 1].filter(
      (number) => number >= 0 && number < 2 ** 32 && !isSpecialV4(number),
    ))
      expect([dottedOf(beside), admitted(dottedOf(beside))]).toEqual([dottedOf(beside), PUBLIC_WAYS])
  }
  for (const number of SPECIAL_V6.flatMap(endsV6))
    expect([groupsOf(number), admitted(groupsOf(number))]).toEqual([groupsOf(number), NOWHERE])
})

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '93.184.215.14',
  '172.15.255.255',
  '172.32.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2001:200::1',
  '2a00:1450:4001:81b::200e',
  '2620:4f:7fff::1',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
])('public: %s, over https on the usual ports alone', (address) => {
  expect(admitted(address)).toEqual(PUBLIC_WAYS)
})

test.each([
  '',
  ' ',
  'localhost',
  'example.com',
  '8.8.8.8:443',
  '8.8.8',
  '0x08.8.8.8',
  '08.8.8.8',
  '8.8.8.8/32',
  '[2606::1]',
  '2606::1%1',
  '::8.8.8.8',
])('no address, and not admitted: "%s"', (text) => {
  expect(admitted(text)).toEqual(NOWHERE)
  expect(admitted(text, openAddressGuard({ allow: ['8.0.0.0/8'] }))).toEqual(NOWHERE)
})

test('an IPv4 address of a special range is never admitted, however it is spelled or clothed', () => {
  fc.assert(
    fc.property(specialV4, (number) => {
      expect(admitted(dottedOf(number))).toEqual(NOWHERE)
      for (const clothes of clothesOf(number)) {
        expect(admitted(clothes)).toEqual(NOWHERE)
        expect(guard.faultOfUrl(`https://[${clothes}]/`)).toContain('public address')
      }
      for (const spelling of spellingsOf(number)) {
        expect(new URL(`https://${spelling}/`).hostname).toBe(dottedOf(number))
        expect(guard.faultOfUrl(`https://${spelling}/`)).toContain('public address')
      }
    }),
    { numRuns: 500 },
  )
})

test('any other IPv4 address is public in every spelling', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (number) => {
      fc.pre(!isSpecialV4(number))
      expect(admitted(dottedOf(number))).toEqual(PUBLIC_WAYS)
      for (const spelling of spellingsOf(number)) expect(guard.faultOfUrl(`https://${spelling}:8443/`)).toBeNull()
    }),
    { numRuns: 300 },
  )
})

test('an IPv6 address is admitted where it is global unicast and of no special range', () => {
  const [first, last] = endsV6(['2000:0:0:0:0:0:0:0', 3])
  fc.assert(
    fc.property(specialV6, fc.bigInt({ min: first, max: last }), (special, any) => {
      expect(admitted(groupsOf(special))).toEqual(NOWHERE)
      expect(guard.faultOfUrl(`https://[${groupsOf(special)}]/`)).toContain('public address')
      expect(admitted(groupsOf(any))).toEqual(isSpecialV6(any) ? NOWHERE : PUBLIC_WAYS)
    }),
    { numRuns: 500 },
  )
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }), (any) => {
      fc.pre((any < first || any > last) && any >> 32n !== 0xffffn && any >> 32n !== 0x64ff9bn << 64n)
      expect(admitted(groupsOf(any))).toEqual(NOWHERE)
    }),
  )
})

test('what the operator allows is admitted on every way, in the clothes that it wears on a socket, and nothing beside it', () => {
  const allowing = openAddressGuard({
    allow: ['127.0.0.0/8', ' ::1 ', '10.1.2.3', 'fd00:1::/32', '::ffff:192.168.7.0/120'],
  })
  const everywhere = WAYS.map(() => true)
  for (const address of [
    '127.0.0.1',
    '127.255.255.255',
    '::ffff:127.0.0.1',
    '::1',
    '10.1.2.3',
    'fd00:1::9',
    '192.168.7.9',
  ])
    expect([address, admitted(address, allowing)]).toEqual([address, everywhere])
  for (const address of [
    '128.0.0.0',
    '10.1.2.4',
    '192.168.8.0',
    'fd00:2::',
    '::2',
    '::127.0.0.1',
    '64:ff9b::127.0.0.1',
  ])
    expect([address, admitted(address, allowing)[2]]).toEqual([address, false])
  expect(allowing.faultOfUrl('http://127.0.0.1:3000/')).toBeNull()
  expect(allowing.faultOfUrl('http://receiver.example:3000/')).toBeNull()
  expect(allowing.faultOfUrl('http://8.8.8.8/')).toContain('https://')
  expect(allowing.faultOfUrl('https://10.1.2.4/')).toContain('public address')
})

test.each([
  '',
  'x',
  '10.0.0.0/33',
  '::/129',
  '10.0.0.0/',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '010.0.0.0/8',
  '::ffff:10.0.0.0/95',
  'localhost',
])('the operator is told of a range that is none: "%s"', (range) => {
  expect(() => openAddressGuard({ allow: ['10.0.0.0/8', range] })).toThrow(`"${range}"`)
})

test('a good URL has no fault, were it asked a thousand times', () => {
  const good = ['https://example.com', 'https://example.com:8443/a?b#c', 'HTTPS://bücher.example/', 'https://1.1.1.1/']
  for (let times = 0; times < 20_000; times++) {
    const fault = guard.faultOfUrl(good[times % good.length] ?? '')
    if (fault !== null) throw new Error(`the ${times}th time: ${fault}`)
  }
  expect(guard.faultOfUrl('https://localhost/')).toBeNull()
})

test.each([
  ['http://example.com/', 'begin with https://'],
  ['https://example.com:444/', 'port of the URL must be 443 or 8443'],
  ['https://8.8.8.8:22/', 'port of the URL must be 443 or 8443'],
  ['http://8.8.8.8/', 'begin with https://'],
  ['https://192.168.0.10/', 'allowed by the operator'],
  ['https://user:secret@example.com/', 'no user name and no password'],
  ['example.com/webhooks', 'like https://example.com/webhooks'],
])('a refused URL is told the mend: %s', (url, words) => {
  expect(guard.faultOfUrl(url)).toContain(words)
})

test('no word of a refusal is an address', () => {
  const words = [
    ...misspelledProbes(3000).map(({ url }) => url),
    'http://10.0.0.1/',
    'https://[::1]/',
    'https://1.1.1.1:2/',
  ]
  for (const url of words) expect(guard.faultOfUrl(url)).toMatch(/^(?!.*(\d\.\d|\[|::|secret)).*\.$/)
  expect(numberOf('127.0.0.1')).toBe(2130706433)
})

test('a port that is not said is the usual one', () => {
  const ports = ['https://a', 'http://a', 'https://a:8443', 'http://a:0'].map((url) => portOf(new URL(url)))
  expect(ports).toEqual([443, 80, 8443, 0])
})
