// The payment contract's table of moves against the code that decides: every status with every verb, in every shape that a
// contract of that status can have. Whatever is decided is on the table and leaves the money balanced, and nothing throws.
import { describe, expect, test } from 'vitest'
import type { PayerPlace } from '../../../src/domain/channel/collection.ts'
import type { PaymentReport, CollectionResult, LookedReceipt } from '../../../src/domain/payment/commands.ts'
import { PAYMENT_MOVES, paymentTargetsOf } from '../../../src/domain/payment/move-table.ts'
import {
  PAYMENT_STATUSES,
  PAYMENT_VERBS,
  type PaymentStatus,
  type PaymentVerb,
} from '../../../src/domain/payment/moves.ts'
import { isLiveAttempt } from '../../../src/domain/payment/payment.ts'
import { factsOf, unlistedIn, unseenIn } from '../../rig/model/move-rows.ts'
import { copyOfPayment, moneyFaults, type OnePayment, openPayment, type Step } from '../../rig/model/one-payment.ts'
import {
  BANK,
  cancel,
  choose,
  DEAR,
  DONE,
  ends,
  expire,
  funded,
  giveBack,
  hasReturned,
  looked,
  namePayer,
  MONEY,
  OPEN,
  PAID,
  type PaymentMove,
  PENDING,
  refund,
  says,
  processDue,
  SILENCE,
  told,
  toldByEvent,
  wait,
} from '../../rig/model/payment-commands.ts'
import { SPOILS, unnoticed } from '../../rig/model/wrong-rows.ts'

const HOUR_MS = 3_600_000
const WHOSE = { attempt: null, channelId: 'qr', payer: BANK }
/** What its rail knows of an amount of 100 PHP. */
const confirmed = (payer: PayerPlace | null, amountDecimal = '100.00'): LookedReceipt => ({
  kind: 'received',
  money: { id: 'any', amountDecimal, currency: 'PHP', payer },
})
const LOOKED: readonly LookedReceipt[] = [
  confirmed(BANK),
  confirmed(null),
  confirmed(BANK, '40.00'),
  { kind: 'not_found' },
  { kind: 'not_askable' },
  { kind: 'unknown', reason: 'r' },
  { kind: 'not_sent', reason: 'r' },
]
const LESS = { ...MONEY, amountMinor: 4000n }
const REST = { ...MONEY, amountMinor: 6000n }
/** Of a rail that gives nothing back, from nobody that is known. */
const STRAY = { ...MONEY, attempt: null, channelId: 'qr' }
/** Of the same rail, by an event that names an account. */
const CLAIMED = { ...STRAY, payer: BANK }
const LATE = [cancel, told({ ...MONEY, attempt: null, payer: BANK })]
const GONE = [...OPEN, wait(1), expire, ...SILENCE]
const REFUSED: CollectionResult = { kind: 'failed', code: 'c', message: 'm' }
const WORDS: readonly CollectionResult[] = [
  { kind: 'not_sent', reason: 'r' },
  PENDING,
  { ...PENDING, status: 'processing' },
  REFUSED,
  { kind: 'unknown', reason: 'r' },
  { kind: 'not_found' },
  { kind: 'voided' },
  { kind: 'still_open', status: 'pending' },
  { kind: 'still_open', status: 'processing' },
]

/** Roads to every status, and to every shape of one. */
const ROADS: Readonly<Record<PaymentStatus, Readonly<Record<string, readonly PaymentMove[]>>>> = {
  issued: {
    bare: [],
    'the rail is being told': [choose('gcash')],
    'waiting for the payer': OPEN,
    'the payer did': [...OPEN, told({ outcome: 'processing' })],
    'in doubt': [choose('gcash'), says({ kind: 'unknown', reason: 'r' })],
    'the attempt failed': [choose('gcash'), says(REFUSED)],
    'another attempt replaced it': [...OPEN, choose('maya')],
    'cancel pending': [...OPEN, cancel],
    'expired with an attempt open': [...OPEN, wait(0.6)],
    'a part of it came': [choose('crypto'), told(LESS)],
    'another amount came': [...OPEN, told(LESS)],
    'another currency came': [...OPEN, told({ ...MONEY, currency: 'USD' })],
    'another amount came, no way back': [choose('qr'), told(LESS), processDue],
    'its rail is asked about another amount': [...OPEN, toldByEvent({ ...LESS, ...WHOSE }), processDue],
    'its rail is asked about another amount, and about attempts': [
      ...OPEN,
      choose('maya'),
      toldByEvent({ ...LESS, ...WHOSE }),
      processDue,
      looked({ kind: 'unknown', reason: 'r' }),
    ],
    'what did not fit goes back': [...OPEN, told(LESS), processDue],
    'another amount came, and the account has money': [funded, ...OPEN, told(LESS)],
    'what did not fit went back before a restore': [...OPEN, told(LESS), hasReturned],
    'what did not fit went back': [...OPEN, told(LESS), giveBack(null), ends('delivered')],
    'what did not fit could not go back': [...OPEN, told(LESS), giveBack(null), ends('failed')],
  },
  paid: {
    'to be settled': PAID,
    'by nobody’s attempt': [...OPEN, says(REFUSED), told({ ...MONEY, attempt: null })],
    'by parts, with too much': [...OPEN, choose('crypto'), told(LESS), told({ ...MONEY, attempt: 1 })],
    twice: [...PAID, told(MONEY)],
    'twice, and it went back before a restore': [...PAID, told(MONEY), hasReturned],
    'another attempt is open': [...OPEN, choose('maya'), told({ ...MONEY, attempt: 1 })],
    'what was too much went back': [...PAID, told(MONEY), giveBack(null), ends('delivered')],
    'after a cancel was asked for': [...OPEN, cancel, told(MONEY)],
    contradicted: [...PAID, told({ outcome: 'failed' })],
    'a part goes back': [...PAID, refund(30)],
    'all of it goes back': [funded, ...PAID, refund(null)],
    'the account has money': [funded, ...PAID],
    'twice, and the account has money': [funded, ...PAID, told(MONEY)],
    'what was too much has no way back': [...PAID, told(STRAY)],
    'an event told of too much': [...PAID, toldByEvent(CLAIMED)],
    'its rail is asked about too much': [...PAID, toldByEvent(CLAIMED), processDue],
    'a part went back': [...PAID, refund(30), ends('delivered')],
    'a part could not go back': [...PAID, refund(30), ends('failed')],
  },
  completed: {
    'at once': DONE,
    'after a day': [...PAID, wait(25), processDue],
    'by parts, with too much': [choose('crypto'), told(LESS), told(MONEY)],
    'by parts': [choose('crypto'), told(LESS), told(REST)],
    'by parts, without a fee': [choose('crypto', 'FREE'), told(LESS), told(REST)],
    'by parts, with too much, without a fee': [choose('crypto', 'FREE'), told(LESS), told(MONEY)],
    'twice, and the account has money': [funded, ...DONE, told(MONEY)],
    'twice, and it went back before a restore': [...DONE, told(MONEY), hasReturned],
    'what was too much has no way back': [...DONE, told(STRAY)],
    'its rail is asked about too much': [...DONE, toldByEvent(CLAIMED), processDue],
    'a part goes back': [...DONE, refund(30)],
    'a part went back': [...DONE, refund(30), ends('delivered')],
    'a part bounced': [...DONE, refund(30), ends('delivered'), ends('returned')],
    'a part refunded before could not go back': [...PAID, refund(30), wait(25), processDue, ends('failed')],
    'another attempt is open': [...OPEN, choose('maya'), told(MONEY)],
    'what was too much went back': [...DONE, told(MONEY), giveBack(null), ends('delivered')],
  },
  cancelled: {
    bare: [cancel],
    'after its attempt was closed': [...OPEN, cancel, says({ kind: 'voided' })],
    'money came late': LATE,
    'late money went back before a restore': [...LATE, hasReturned],
    'money came late, and the account has money': [funded, ...LATE],
    'late money has no way back': [cancel, told(STRAY)],
    'an event told of late money': [cancel, toldByEvent(CLAIMED)],
    'its rail is asked about late money': [cancel, toldByEvent(CLAIMED), processDue],
    'its rail confirms late money': [cancel, toldByEvent(CLAIMED), processDue, looked(confirmed(BANK))],
    'late money went back': [...LATE, giveBack(null), ends('delivered')],
    'late money could not go back': [...LATE, giveBack(null), ends('failed')],
    'a part of it had come': [choose('crypto'), told(LESS), cancel, says({ kind: 'voided' })],
  },
  expired: {
    bare: [wait(1), expire],
    'after its attempt was closed': [...OPEN, wait(1), expire, processDue, says({ kind: 'voided' })],
    'its rail did not answer': GONE,
    'money came late': [...GONE, told(MONEY)],
    'its rail is asked about late money': [...GONE, toldByEvent(CLAIMED), processDue],
    'late money went back before a restore': [...GONE, told(MONEY), hasReturned],
    'money came late, and the account has money': [funded, ...GONE, told(MONEY)],
    'late money has no way back': [...GONE, told(STRAY)],
    'its chain did not answer': [choose('crypto'), says(PENDING), wait(1), expire, ...SILENCE],
    'late money went back': [...GONE, told(MONEY), giveBack(null), ends('delivered')],
    'late money could not go back': [...GONE, told(MONEY), giveBack(null), ends('failed')],
  },
}

/** All that can be asked by a verb. */
function requestsOf(verb: PaymentVerb): readonly PaymentMove[] {
  switch (verb) {
    case 'choose':
      return [choose('gcash'), choose('maya'), choose('crypto'), choose('card')]
    case 'process_due':
      return [processDue, ...LOOKED.flatMap((found) => [looked(found), looked(found, 1)])]
    case 'report_collection':
      return WORDS.flatMap((word) => [says(word), says(word, 1)])
    case 'receive':
      return CLAIMS.map(told)
    case 'cancel':
      return [cancel]
    case 'expire':
      return [expire]
    case 'refund':
      return [refund(null), refund(10), refund(10, BANK), refund(100_000)]
    case 'return':
      return [giveBack(null), giveBack(BANK), giveBack(DEAR)]
    case 'name_payer':
      return [namePayer]
  }
}

const CLAIMS: readonly Partial<PaymentReport>[] = [
  { outcome: 'processing' },
  { outcome: 'failed' },
  { outcome: 'failed', attempt: null },
  { outcome: 'failed', attempt: 1 },
  MONEY,
  { ...MONEY, attempt: 1 },
  { ...MONEY, attempt: null },
  LESS,
  { ...MONEY, amountMinor: 20_000n, payer: BANK },
  { ...MONEY, currency: 'USD' },
  { ...MONEY, currency: 'EUR' },
  { ...MONEY, objectId: 'object 1' },
  { ...MONEY, amountMinor: null },
  { ...MONEY, amountMinor: 0n, assetUnits: 1n },
]

const WAITS = [0, 1, 30, 400 * 24]

type Case = readonly [status: PaymentStatus, shape: string, returns: string, verb: PaymentVerb]
const CASES: readonly Case[] = PAYMENT_STATUSES.flatMap((status) =>
  Object.keys(ROADS[status]).flatMap((shape) =>
    ['returns at once', 'returns by hand'].flatMap((returns) =>
      PAYMENT_VERBS.map((verb) => [status, shape, returns, verb] as const),
    ),
  ),
)

function prepared([status, shape, returns]: Case): OnePayment {
  const one = openPayment(returns === 'returns at once')
  for (const step of ROADS[status][shape] ?? []) step(one)
  return one
}

test.each(CASES.filter(([, , , verb]) => verb === 'process_due'))('%s, %s, %s: the road leads there', (...which) => {
  expect(prepared(which).payment.status).toBe(which[0])
})

const seen = new Set<string>()
const takeNote = (step: Step) => seen.add(factsOf(step))

describe.each(CASES)('%s, %s, %s: %s', (...which) => {
  const [status, , , verb] = which

  test('does what the table says, or nothing', () => {
    const road = prepared(which)
    road.steps.forEach(takeNote)
    expect(road.steps.flatMap(stepFaults)).toEqual([])
    for (const hours of WAITS)
      for (const request of requestsOf(verb)) {
        const one = copyOfPayment(road)
        one.nowMs += hours * HOUR_MS
        const before = one.payment
        request(one)
        expect(paymentTargetsOf(status, verb).length > 0 || one.steps.length === 0).toBe(true)
        expect(one.steps.length > 0 || one.payment === before).toBe(true)
        expect([...one.steps.flatMap(stepFaults), ...moneyFaults(one), ...lostWork(one)]).toEqual([])
        one.steps.forEach(takeNote)
      }
  })
})

/** What each step must be. Whether it is on the table is asked of all of them together. */
function stepFaults({ before, decision }: Step): string[] {
  const { after, event, changed } = decision
  const [version, sequence] = [before?.version ?? 0, before?.sequence ?? 0]
  const rules: [string, boolean][] = [
    ['a version was left out', after.version === version + (changed ? 1 : 0)],
    ['a sequence was left out', after.sequence === sequence + (event ? 1 : 0)],
    ['history was rewritten', (before?.activities ?? []).every((line, i) => after.activities[i] === line)],
  ]
  return rules.filter(([, holds]) => !holds).map(([fault]) => fault)
}

/** What waits for the clock or for a worker and is due at no time would wait for ever. */
function lostWork({ payment, job, returnsAtOnce }: OnePayment): string[] {
  if (job !== null && job.dueAt !== null) return []
  const isReturnable = returnsAtOnce && !payment.returnsHeld && payment.unallocatedCount > 0
  const waits: [string, boolean][] = [
    ['a paid contract is never settled', payment.status === 'paid'],
    ['an attempt is never asked about', payment.status === 'issued' && payment.attempts.some(isLiveAttempt)],
    ['what does not fit never goes back', isReturnable],
  ]
  return waits.filter(([, lost]) => lost).map(([fault]) => fault)
}

test('every decision is one row of the table, and every row was decided', () => {
  expect([...unlistedIn(PAYMENT_MOVES, seen), ...unseenIn(PAYMENT_MOVES, seen)]).toEqual([])
})

test.each(SPOILS)('a row with %s is found, whichever it is', (_, spoil) => {
  expect(unnoticed(PAYMENT_MOVES, seen, spoil)).toEqual([])
})

test('what arrived late goes back by itself, although its rail is asked no more about an attempt', () => {
  const one = openPayment(true)
  for (const move of [...GONE, told(STRAY), wait(100), says({ kind: 'unknown', reason: 'r' })]) move(one)
  expect([one.payment.unallocatedCount, one.job?.dueAt]).toEqual([1, one.nowMs])
})

test('the table ends somewhere: nothing leads out of cancelled and expired', () => {
  for (const status of ['cancelled', 'expired'] as const)
    for (const move of PAYMENT_MOVES.filter(({ from }) => from === status)) expect(move.to).toBe(status)
})
