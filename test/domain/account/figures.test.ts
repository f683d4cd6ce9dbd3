// What a version adds to figures, and where a contract waits for somebody: row by row, on samples of contracts.
import { describe, expect, test } from 'vitest'
import { EXPIRES_WITHIN_MS, mattersOf } from '../../../src/domain/account/attention.ts'
import {
  addedFigures,
  figureOf,
  figuresOf,
  type Figures,
  NO_FIGURES,
  successRate,
  TOOK_SECONDS,
  tookWithin,
} from '../../../src/domain/account/figures.ts'
import type { ChannelFacts } from '../../../src/domain/channel/channel.ts'
import type { Contract } from '../../../src/domain/contract/contract.ts'
import type { Payment } from '../../../src/domain/payment/payment.ts'
import type { EventType } from '../../../src/domain/transfer/moves.ts'
import { sampleContract } from '../../../src/domain/transfer/sample.ts'
import type { Transfer } from '../../../src/domain/transfer/transfer.ts'

const NOW_MS = Date.parse('2026-11-22T08:00:00Z')
const HOUR_MS = 3_600_000
const OWNER = { id: '01a2', lane: 1, accountId: 'a', livemode: false }

const transfer = (type: EventType, over: Partial<Transfer> = {}): Transfer => {
  const contract = sampleContract(type, OWNER, null, NOW_MS)
  if (contract.kind !== 'transfer') throw new Error('no transfer')
  return { ...contract, debitMinor: 1050n, feeMinor: 50n, ...over }
}
const payment = (type: EventType, over: Partial<Payment> = {}): Payment => {
  const contract = sampleContract(type, OWNER, null, NOW_MS)
  if (contract.kind !== 'payment') throw new Error('no payment')
  return { ...contract, debitMinor: 1000n, feeMinor: 30n, ...over }
}

const added = (before: Contract['status'] | null, after: Contract) => {
  const figures = figuresOf(before, after)
  return figures && Object.fromEntries(Object.entries(figures).filter(([name, value]) => name !== 'took' && value))
}

describe('figures', () => {
  test.each<[what: string, before: Contract['status'] | null, after: Contract, adds: object | null]>([
    ['a draft', null, transfer('contract.created'), { created: 1 }],
    ['a change of a draft', 'draft', transfer('contract.updated'), null],
    ['an issue', 'draft', transfer('contract.issued'), {}],
    ['a pay', 'issued', transfer('contract.paid'), { paid: 1 }],
    ['a refund that begins paid', null, transfer('contract.paid'), { created: 1, paid: 1 }],
    ['a delivery', 'paid', transfer('contract.completed'), { completed: 1, movedMinor: 1000n, feeMinor: 50n }],
    ['a bounce', 'completed', transfer('contract.returned'), { returned: 1, returnedMinor: 1000n }],
    ['a refund of a bounce', 'returned', transfer('contract.cancelled'), {}],
    ['a cancel', 'issued', transfer('contract.cancelled'), { cancelled: 1 }],
    ['a cancel before it left', 'paid', transfer('contract.cancelled'), { cancelled: 1 }],
    [
      'a failure that is refunded',
      'paid',
      transfer('contract.transfer_failed', { status: 'cancelled' }),
      { failed: 1 },
    ],
    ['a failure that waits', 'paid', transfer('contract.transfer_failed'), null],
    ['an end of time', 'issued', transfer('contract.expired'), { expired: 1 }],
    ['money that came', 'issued', payment('contract.payment_suspended'), { paid: 1, movedMinor: 970n, feeMinor: 30n }],
    ['money that is available', 'paid', payment('contract.refunded'), { completed: 1 }],
    [
      'both at once',
      'issued',
      payment('contract.refunded'),
      { paid: 1, completed: 1, movedMinor: 970n, feeMinor: 30n },
    ],
  ])('%s', (_, before, after, adds) => expect(added(before, after)).toEqual(adds))

  test('a transfer that sends back what a payment brought is a refund', () => {
    const origin = { paymentId: 'p', from: 'payment', refundOf: null, pendingMinor: 0n } as const
    expect(figureOf(transfer('contract.paid')).kind).toBe('transfer')
    expect(figureOf(transfer('contract.paid', { origin })).kind).toBe('refund')
    expect(figureOf(payment('contract.refunded')).kind).toBe('payment')
  })

  test.each([
    [0, 0],
    [1, 0],
    [1.9, 0],
    [2, 1],
    [86_400, 8],
    [604_801, 11],
  ])('%s seconds are counted at place %i', (seconds, place) => {
    const done = transfer('contract.completed', { paidAt: NOW_MS, completedAt: NOW_MS + seconds * 1000 })
    const { took, tookSeconds } = figuresOf('paid', done) ?? NO_FIGURES
    expect(took.indexOf(1)).toBe(place)
    expect(took.reduce((sum, count) => sum + count, 0)).toBe(1)
    expect(tookSeconds).toBe(Math.floor(seconds))
  })

  test('rates and times are told of what ended, and of nothing as nothing', () => {
    const took = [...TOOK_SECONDS.map((_, i) => (i === 0 ? 94 : i === 3 ? 1 : 0)), 5]
    const some: Figures = { ...NO_FIGURES, paid: 110, completed: 100, failed: 5, returned: 5, expired: 10, took }
    expect(tookWithin(some, 0.5)).toBe(1)
    expect(tookWithin(some, 0.95)).toBe(60)
    expect(tookWithin(some, 0.99)).toBeNull()
    expect(successRate('transfer', some)).toBe(95 / 105)
    expect(successRate('payment', some)).toBe(110 / 120)
    expect([successRate('transfer', NO_FIGURES), tookWithin(NO_FIGURES, 0.5)]).toEqual([null, null])
    expect(addedFigures(some, some)).toMatchObject({ completed: 200, returned: 10 })
  })
})

/** Only what matters asks of a channel: when what is paid now has arrived. */
const PROMISES = { undoSeconds: 0, windows: null, arrivalSeconds: 3600 } as ChannelFacts

describe('matters', () => {
  const waits = (contract: Contract, channel: ChannelFacts | null = null) =>
    mattersOf(contract, channel).map(({ matter, sinceMs }) => [matter, (sinceMs - NOW_MS) / HOUR_MS])
  const long = { expiresAt: NOW_MS + 3 * EXPIRES_WITHIN_MS }

  test.each<[what: string, contract: Contract, channel: ChannelFacts | null, waits: readonly (readonly unknown[])[]]>([
    ['a draft without a channel', transfer('contract.created'), null, [['draft_incomplete', 0]]],
    ['what expires within a day', transfer('contract.issued'), null, []],
    ['what lives for days', transfer('contract.issued', long), null, [['transfer_expiring', 48]]],
    ['what is on its way', transfer('contract.paid'), PROMISES, [['transfer_late', 1]]],
    ['what promises nothing', transfer('contract.paid'), null, []],
    ['a failure', transfer('contract.transfer_failed'), PROMISES, [['transfer_failed', 0]]],
    ['a bounce', transfer('contract.returned'), PROMISES, [['transfer_returned', 0]]],
    ['a delivery', transfer('contract.completed'), PROMISES, []],
    ['money that goes back by itself', payment('contract.payment_suspended'), null, []],
    [
      'money that cannot',
      payment('contract.payment_suspended', { returnsHeld: true }),
      null,
      [['payment_unallocated', 0]],
    ],
    ['a payment that is open for days', payment('contract.payment_failed', long), null, [['payment_expiring', 48]]],
  ])('%s', (_, contract, channel, expected) => expect(waits(contract, channel)).toEqual(expected))

  test('an outcome that nobody knows waits from when that was', () => {
    const paid = transfer('contract.paid')
    const unknown = { type: 'transfer_unknown', at: NOW_MS + HOUR_MS, actor: 'gateway', data: null } as const
    const contract = {
      ...paid,
      execution: { ...paid.execution, status: 'unknown' as const },
      activities: [...paid.activities, unknown],
    }
    expect(waits(contract, PROMISES)).toEqual([['transfer_unknown', 1]])
  })
})
