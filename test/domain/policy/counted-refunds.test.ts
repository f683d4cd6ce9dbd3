// Which transfers that give a payment back policies count: what went elsewhere than back, as the transfer itself says. Those of older
// releases say nothing of it: they were not counted, and so nothing is taken off when their money comes back.
import { expect, test } from 'vitest'
import { isRuled, spendingOf } from '../../../src/domain/policy/circumstances.ts'
import { sampleContract } from '../../../src/domain/transfer/sample.ts'
import type { Origin, Transfer } from '../../../src/domain/transfer/transfer.ts'
import { transferFrom, transferText } from '../../../src/store/contracts/transfer-documents.ts'

const KEY = { id: 'c', lane: 0, accountId: 'a', livemode: false }
const BACK: Origin = { paymentId: 'p', from: 'payment', refundOf: null, refundOfAttempts: [1], pendingMinor: 0n }
const ELSEWHERE: Origin = { ...BACK, goes: 'elsewhere' }

function paidFrom(origin: Origin | null): Transfer {
  const sample = sampleContract('contract.paid', KEY, null, 1_000)
  if (sample.kind !== 'transfer') throw new Error('a paid transfer is none')
  return { ...sample, origin }
}

test.each([
  ['a transfer', null, true],
  ['a refund elsewhere', ELSEWHERE, true],
  ['a refund to the payer, or one of an older release', BACK, false],
])('%s is counted when it opens and given back when it is cancelled, or neither', (_, origin, isCounted) => {
  const paid = paidFrom(origin)
  const cancelled: Transfer = { ...paid, status: 'cancelled' }
  const { amountMinor } = paid.terms
  const spent = { sumMinor: amountMinor, count: 1, atMs: 1_000 }
  const back = { sumMinor: -amountMinor, count: -1, atMs: 1_000 }
  expect(isRuled(paid)).toBe(isCounted)
  expect([spendingOf(null, paid), spendingOf(paid, cancelled)]).toEqual(isCounted ? [spent, back] : [null, null])
})

test('where it goes is stored with the transfer, and is absent of what was stored before', () => {
  const stored = (origin: Origin) => JSON.parse(transferText(paidFrom(origin))) as Parameters<typeof transferFrom>[1]
  expect(transferFrom(KEY, stored(ELSEWHERE)).origin).toEqual(ELSEWHERE)
  expect(transferFrom(KEY, stored(BACK)).origin).toEqual(BACK)
  expect(JSON.stringify(stored(BACK))).not.toContain('goes')
})
