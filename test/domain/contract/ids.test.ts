// Ids carry what is needed to find their place: lane, time, contract, number. Out and back again, for any input.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  accountTagOf,
  activityId,
  attemptReference,
  contractOfEvent,
  contractPrefixOf,
  contractOfReference,
  contractUuid,
  eventId,
  isUuid,
  keyDigestIn,
  LANE_COUNT,
  laneOf,
  laneUuid,
  tagIn,
} from '../../../src/domain/contract/ids.ts'

const lane = fc.integer({ min: 0, max: LANE_COUNT - 1 })
const time = fc.integer({ min: 0, max: 2 ** 48 - 1 })
const random = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'.split('')), minLength: 17, maxLength: 20 })
const contractId = fc.tuple(lane, time, random).map(([ofLane, at, digits]) => laneUuid(ofLane, at, digits))

test('a contract id is a UUIDv7 of the time, and carries its lane', () => {
  fc.assert(
    fc.property(lane, time, random, (ofLane, at, digits) => {
      const id = laneUuid(ofLane, at, digits)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(isUuid(id)).toBe(true)
      expect(laneOf(id)).toBe(ofLane)
      expect(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toBe(at)
    }),
  )
})

test('ids of later milliseconds sort later, whatever their lanes', () => {
  fc.assert(
    fc.property(lane, lane, time, random, random, (a, b, at, one, two) => {
      fc.pre(at > 0)
      expect(laneUuid(a, at - 1, one) < laneUuid(b, at, two)).toBe(true)
    }),
  )
})

test('every random digit but those of the version and the lane makes another id', () => {
  const base = '0'.repeat(17)
  const ids = Array.from({ length: 17 }, (_, i) => laneUuid(7, 1000, `${base.slice(0, i)}1${base.slice(i + 1)}`))
  expect(new Set([laneUuid(7, 1000, base), ...ids]).size).toBe(18)
})

const uuid = fc.tuple(lane, time, random).map(([ofLane, at, digits]) => laneUuid(ofLane, at, digits))
const digest = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'.split('')), minLength: 11, maxLength: 11 })

test('a contract’s id says when, on which lane, whose and under which key', () => {
  fc.assert(
    fc.property(uuid, lane, time, random, digest, (accountId, ofLane, at, digits, key) => {
      const id = contractUuid({ lane: ofLane, accountId }, at, digits, key)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect([laneOf(id), tagIn(id), keyDigestIn(id)]).toEqual([ofLane, accountTagOf(accountId), key])
      expect(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toBe(at)
      expect(contractUuid({ lane: ofLane, accountId }, at, digits, null).slice(0, 18)).toBe(id.slice(0, 18))
    }),
  )
})

test('without a key every one of the 50 bits that are left makes another id', () => {
  const owner = { lane: 7, accountId: laneUuid(7, 1, '0123456789abcdef0') }
  const base = '0'.repeat(17)
  const changed = Array.from({ length: 13 }, (_, i) => `${base.slice(0, i)}1${base.slice(i + 1)}`)
  const ids = [base, ...changed].map((digits) => contractUuid(owner, 1000, digits, null))
  expect(new Set(ids).size).toBe(14)
  for (const id of ids) expect(tagIn(id)).toBe(accountTagOf(owner.accountId))
})

test.each([
  '',
  'x',
  '01890000-0000-7000-8000-00000000000',
  '01890000-0000-7000-8000-0000000000001',
  '01890000-0000-7000-8000-00000000000G',
  '01890000-0000-0000-8000-000000000001',
  '01890000-0000-9000-8000-000000000001',
  '01890000-0000-7000-7000-000000000001',
  '01890000-0000-7000-c000-000000000001',
  '01890000-0000-7000-8000-00000000000A',
  '018900000000700080000000000000001',
  '{01890000-0000-7000-8000-000000000001}',
  '01890000-0000-7000-8000-000000000001\n',
])('%j is no uuid', (text) => {
  expect(isUuid(text)).toBe(false)
})

test('activities of a contract have ids of their own, which are UUIDv8s', () => {
  fc.assert(
    fc.property(contractId, fc.integer({ min: 1, max: 200 }), (id, count) => {
      const ids = Array.from({ length: count }, (_, i) => activityId(id, i, 1))
      expect(new Set([...ids, id]).size).toBe(count + 1)
      for (const each of ids)
        expect(each).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(laneOf(ids[0]!)).toBe(laneOf(id))
    }),
  )
})

test('an activity’s id stays well-formed where the count passes the end', () => {
  expect(activityId('01890000-0000-7000-8000-0000ffffffff', 0, 1)).toBe('01890000-0000-8000-8000-000000000000')
})

const numbers = fc.integer({ min: 1, max: 999_999_999 })

test('what was made in one epoch never has the id of what was made in another', () => {
  fc.assert(
    fc.property(contractId, numbers, numbers, numbers, (id, sequence, one, other) => {
      fc.pre(one !== other)
      expect(eventId(id, sequence, one)).not.toBe(eventId(id, sequence, other))
    }),
  )
})

const epochs = fc.integer({ min: 1, max: 4096 })

test('activities of two epochs never have one id, and lead back to the beginning of their contract’s', () => {
  fc.assert(
    fc.property(contractId, fc.nat(200), fc.nat(200), epochs, epochs, (id, one, other, first, second) => {
      fc.pre(first !== second)
      const made = activityId(id, one, first)
      expect(made).not.toBe(activityId(id, other, second))
      expect(isUuid(made)).toBe(true)
      expect(id.startsWith(contractPrefixOf(made, first))).toBe(true)
    }),
  )
})

test('an event’s id leads back to its contract, sequence and epoch', () => {
  fc.assert(
    fc.property(contractId, numbers, numbers, (id, sequence, epoch) => {
      expect(contractOfEvent(eventId(id, sequence, epoch))).toEqual({ contractId: id, sequence, epoch })
    }),
  )
})

test('an attempt’s reference leads back to its contract and number, in 35 characters', () => {
  fc.assert(
    fc.property(contractId, fc.integer({ min: 1, max: 999 }), (id, number) => {
      const reference = attemptReference(id, number)
      expect(reference).toHaveLength(35)
      expect(contractOfReference(reference)).toEqual({ contractId: id, number })
    }),
  )
})

test('any other text is nobody’s event and nobody’s reference', () => {
  const texts = [
    '',
    'evt_',
    'evt_1',
    `evt_${'g'.repeat(36)}`,
    `evt_${'0'.repeat(35)}`,
    `evt_${'0'.repeat(42)}`,
    `evt_${'0'.repeat(36)}_1`,
    `evt_${'0'.repeat(36)}_02`,
    `evt_${'0'.repeat(36)}_`,
    'news',
    '0'.repeat(34),
    '0'.repeat(36),
    'G'.repeat(35),
  ]
  for (const text of texts) {
    expect(contractOfEvent(text), text).toBeUndefined()
    expect(contractOfReference(text), text).toBeUndefined()
  }
  fc.assert(
    fc.property(fc.string(), (text) => {
      const [event, attempt] = [contractOfEvent(text), contractOfReference(text)]
      // What is read at all is written back as the same text.
      expect(event ? eventId(event.contractId, event.sequence, event.epoch) : text).toBe(text)
      expect(attempt ? attemptReference(attempt.contractId, attempt.number) : text).toBe(text)
    }),
  )
})
