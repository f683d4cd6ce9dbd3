// The payment contract's table of moves against the code that decides: every status with every verb, in every shape that a
// contract of that status can have. Whatever is decided is on the table and leaves the money balanced, and nothing throws.
import { describe, expect, test } from 'vitest'
import type { PayerPlace } from '../../../src/domain/channel/collection.ts'
import type { PaymentKind } from '../../../src/domain/payment/kinds.ts'
import type { PaymentReport, CollectionResult, PaymentCommand } from '../../../src/domain/payment/commands.ts'
import {
  PAYMENT_MOVES,
  PAYMENT_STATUSES,
  PAYMENT_VERBS,
  type PaymentStatus,
  type PaymentVerb,
  paymentTargetsOf,
} from '../../../src/domain/payment/moves.ts'
import { isLiveAttempt } from '../../../src/domain/payment/payment.ts'
import {
  askPayment,
  endChild,
  moneyFaults,
  type OnePayment,
  openPayment,
  type Step,
} from '../../rig/model/one-payment.ts'

const HOUR_MS = 3_600_000
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const BANK: PayerPlace = { channelId: 'gcash', recipient: { name: 'Ana', wallet: '1' } }

type Move = (one: OnePayment) => void
const asked =
  (make: (one: OnePayment) => PaymentCommand): Move =>
  (one) =>
    void askPayment(one, make(one))

const choose = (kind: PaymentKind) => asked((one) => choosing(one, kind))
const says = (word: CollectionResult, ago = 0) => asked((one) => saying(one, word, ago))
const told = (report: Partial<PaymentReport>) => asked((one) => telling(one, report))
const wait =
  (hours: number): Move =>
  (one) =>
    void (one.nowMs += hours * HOUR_MS)
const tend = asked(({ payment: { id }, nextId }) => tending(id, nextId))
const cancel = asked(({ payment: { id } }) => ({ verb: 'cancel', id, reason: 'why', actor: 'account' }))
const expire = asked(({ payment: { id } }) => ({ verb: 'expire', id }))
const refund = (amount: number | null, route: PayerPlace | null = null) =>
  asked((one) => ({
    verb: 'refund',
    id: one.payment.id,
    transferId: newId(one),
    amount,
    reason: 'why',
    route,
    allowed: 'may pay',
  }))
const giveBack = (route: PayerPlace | null) =>
  asked((one) => ({ verb: 'return', id: one.payment.id, transferId: newId(one), route, allowed: 'may pay' }))
const ends =
  (kind: Parameters<typeof endChild>[1]): Move =>
  (one) =>
    endChild(one, kind)

const PENDING: CollectionResult = { kind: 'open', status: 'pending', providerId: 'p1', nextAction: null, shown: {} }
const OPEN = [choose('gcash'), says(PENDING)]
const MONEY = { outcome: 'succeeded', amountMinor: 10_000n, currency: 'PHP' } as const
const LESS = { ...MONEY, amountMinor: 4000n }
const PAID = [...OPEN, told(MONEY)]
const DONE = [choose('maya'), told(MONEY)]
const LATE = [cancel, told({ ...MONEY, attempt: null, payer: BANK })]
const GONE = [...OPEN, wait(1), expire, tend]
const REFUSED: CollectionResult = { kind: 'failed', code: 'c', message: 'm' }
const WORDS: readonly CollectionResult[] = [
  { kind: 'not_sent', reason: 'r' },
  PENDING,
  { ...PENDING, status: 'processing' },
  REFUSED,
  { kind: 'unknown', reason: 'r' },
  { kind: 'not_found' },
  { kind: 'voided' },
  { kind: 'still_open' },
]

/** Roads to every status, and to every shape of one. */
const ROADS: Readonly<Record<PaymentStatus, Readonly<Record<string, readonly Move[]>>>> = {
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
    'another amount came, no way back': [choose('qr'), told(LESS), tend],
    'what did not fit goes back': [...OPEN, told(LESS), tend],
    'what did not fit went back': [...OPEN, told(LESS), giveBack(null), ends('delivered')],
    'what did not fit could not go back': [...OPEN, told(LESS), giveBack(null), ends('failed')],
  },
  paid: {
    'to be settled': PAID,
    'by nobody’s attempt': [...OPEN, says(REFUSED), told({ ...MONEY, attempt: null })],
    'by parts, with too much': [...OPEN, choose('crypto'), told(LESS), told({ ...MONEY, attempt: 1 })],
    twice: [...PAID, told(MONEY)],
    'another attempt is open': [...OPEN, choose('maya'), told({ ...MONEY, attempt: 1 })],
    'what was too much went back': [...PAID, told(MONEY), giveBack(null), ends('delivered')],
    'after a cancel was asked for': [...OPEN, cancel, told(MONEY)],
    contradicted: [...PAID, told({ outcome: 'failed' })],
    'a part goes back': [...PAID, refund(30)],
    'all of it goes back': [...PAID, refund(null)],
    'a part went back': [...PAID, refund(30), ends('delivered')],
    'a part could not go back': [...PAID, refund(30), ends('failed')],
  },
  completed: {
    'at once': DONE,
    'after a day': [...PAID, wait(25), tend],
    'by parts, with too much': [choose('crypto'), told(LESS), told(MONEY)],
    'a part goes back': [...DONE, refund(30)],
    'a part went back': [...DONE, refund(30), ends('delivered')],
    'a part bounced': [...DONE, refund(30), ends('delivered'), ends('returned')],
    'a part refunded before could not go back': [...PAID, refund(30), wait(25), tend, ends('failed')],
    'another attempt is open': [...OPEN, choose('maya'), told(MONEY)],
    'what was too much went back': [...DONE, told(MONEY), giveBack(null), ends('delivered')],
  },
  cancelled: {
    bare: [cancel],
    'after its attempt was closed': [...OPEN, cancel, says({ kind: 'voided' })],
    'money came late': LATE,
    'late money went back': [...LATE, giveBack(null), ends('delivered')],
    'late money could not go back': [...LATE, giveBack(null), ends('failed')],
    'a part of it had come': [choose('crypto'), told(LESS), cancel, says({ kind: 'voided' })],
  },
  expired: {
    bare: [wait(1), expire],
    'after its attempt was closed': [...OPEN, wait(1), expire, tend, says({ kind: 'voided' })],
    'its rail did not answer': GONE,
    'money came late': [...GONE, told(MONEY)],
    'late money went back': [...GONE, told(MONEY), giveBack(null), ends('delivered')],
    'late money could not go back': [...GONE, told(MONEY), giveBack(null), ends('failed')],
  },
}

function newId(one: OnePayment): string {
  return `01890000-0000-7000-8000-${String(one.nextId++).padStart(12, '0')}`
}

function choosing({ payment: { id } }: OnePayment, kind: PaymentKind): PaymentCommand {
  const details: Record<string, string> =
    kind === 'crypto' ? { asset: 'USDC', network: 'eip155:1', refund_address: ADDRESS } : {}
  return { verb: 'choose', id, method: { kind, details, secret: null }, actor: 'payer', leaseMs: 1000 }
}

function saying({ payment, job }: OnePayment, word: CollectionResult, ago: number): PaymentCommand {
  const number = payment.attempts.find(isLiveAttempt)?.number ?? 1
  return { verb: 'report_collection', id: payment.id, number, fence: (job?.fence ?? 0) - ago, result: word }
}

function tending(id: string, nextId: number): PaymentCommand {
  return {
    verb: 'process_due',
    id,
    leaseMs: 1000,
    transferId: `01890000-0000-7000-8000-${String(900 + nextId)}000000000`,
  }
}

function telling(one: OnePayment, report: Partial<PaymentReport>): PaymentCommand {
  const name = `object ${one.nextId++}`
  const whole: PaymentReport = {
    outcome: 'succeeded',
    objectId: name,
    attempt: one.payment.attempts.length || null,
    channelId: null,
    amountMinor: null,
    currency: null,
    assetUnits: null,
    failure: null,
    payer: null,
    shown: {},
    ...report,
  }
  const event = { id: name, type: 'any', body: null, bodyHash: null }
  return { verb: 'receive', id: one.payment.id, event, report: whole, unallocated: 'suspense' }
}

/** All that can be asked by a verb. */
function requestsOf(verb: PaymentVerb): readonly Move[] {
  switch (verb) {
    case 'choose':
      return [choose('gcash'), choose('maya'), choose('crypto'), choose('card')]
    case 'process_due':
      return [tend]
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
      return [giveBack(null), giveBack(BANK)]
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

const made = new Set<string>()
const nameOf = (from: string | null, verb: string, to: string, event: string | null) => `${from} ${verb} ${to} ${event}`
const takeNote = ({ verb, before, decision }: Step) =>
  made.add(nameOf(before?.status ?? null, verb, decision.after.status, decision.event))

describe.each(CASES)('%s, %s, %s: %s', (...which) => {
  const [status, , , verb] = which

  test('does what the table says, or nothing', () => {
    for (const hours of WAITS)
      for (const [i] of requestsOf(verb).entries()) {
        const one = prepared(which)
        one.nowMs += hours * HOUR_MS
        const [before, count] = [one.payment, one.steps.length]
        requestsOf(verb)[i]?.(one)
        const steps = one.steps.slice(count)
        expect(paymentTargetsOf(status, verb).length > 0 || steps.length === 0).toBe(true)
        expect(steps.length > 0 || one.payment === before).toBe(true)
        expect([...one.steps.flatMap(stepFaults), ...moneyFaults(one), ...lostWork(one)]).toEqual([])
        one.steps.forEach(takeNote)
      }
  })
})

/** What the table has against a step, and what each step must be. */
function stepFaults({ verb, before, decision }: Step): string[] {
  const { after, event } = decision
  const moves = PAYMENT_MOVES.filter(
    (move) => move.from === (before?.status ?? null) && move.verb === verb && move.to === after.status,
  )
  const rules: [string, boolean][] = [
    [`${verb} of ${before?.status}: no move to ${after.status}`, moves.length > 0],
    [`${verb} of ${before?.status}: no move with ${event}`, moves.some((move) => move.event === event)],
    ['a version was left out', after.version === (before?.version ?? 0) + 1],
    ['a sequence was left out', after.sequence === (before?.sequence ?? 0) + (event ? 1 : 0)],
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

describe('each move of the table is made by some command', () => {
  test.each(PAYMENT_MOVES.map(({ from, verb, to, when, event }) => [from, verb, to, when, event] as const))(
    '%s: %s to %s, %s',
    (from, verb, to, _when, event) => {
      expect([...made]).toContain(nameOf(from, verb, to, event))
    },
  )
})

test('the table ends somewhere: nothing leads out of cancelled and expired', () => {
  for (const status of ['cancelled', 'expired'] as const)
    for (const move of PAYMENT_MOVES.filter(({ from }) => from === status)) expect(move.to).toBe(status)
})
