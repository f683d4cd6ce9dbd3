// A provider's word is about our order only if channel, attempt, currency and amount are ours, to the last digit.
import { expect, test } from 'vitest'
import { type ReportedOrder, faultOfReport } from '../../../src/domain/channel/notice.ts'
import type { Transfer } from '../../../src/domain/transfer/transfer.ts'
import { paidContract } from '../../rig/model/one-contract.ts'

const { contract } = paidContract(true)
const amountDecimal = ((minor) => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`)(
  contract.debitMinor - contract.feeMinor,
)
const OURS: ReportedOrder = { channelId: 'rail', number: 1, amountDecimal, currency: 'PHP' }

const line = (attempt: number, channel: string, failed_channel: string): Transfer['activities'][number] => ({
  type: 'transfer_retried',
  at: 0,
  actor: 'gateway',
  data: { attempt, channel, failed_channel },
})
const retried: Transfer = {
  ...contract,
  execution: { ...contract.execution, number: 3 },
  activities: [...contract.activities, line(2, 'rail', 'rail'), line(3, 'other', 'rail')],
}

test('our order is ours', () => {
  expect(faultOfReport(contract, OURS)).toBeNull()
})

test.each<[string, Partial<ReportedOrder>, string]>([
  ['another channel', { channelId: 'other' }, 'the channel has no such order'],
  ['an attempt that never was', { number: 2 }, 'the channel has no such order'],
  ['no attempt', { number: 0 }, 'the channel has no such order'],
  ['another currency', { currency: 'USD' }, 'another currency'],
  ['a currency in small letters', { currency: 'php' }, 'another currency'],
  [
    'a centavo more',
    { amountDecimal: amountDecimal.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)) },
    'another amount',
  ],
  ['the amount with a sign', { amountDecimal: `+${amountDecimal}` }, 'another amount'],
  ['the debit', { amountDecimal: String(Number(contract.debitMinor) / 100) }, 'another amount'],
])('%s is not', (_what, changes, fault) => {
  expect(faultOfReport(contract, { ...OURS, ...changes })).toBe(fault)
})

test('the channel of the attempt decides whose word counts for it', () => {
  expect(faultOfReport(retried, { ...OURS, number: 3 })).toBe('the channel has no such order')
  expect(faultOfReport(retried, { ...OURS, number: 3, channelId: 'other' })).toBeNull()
  expect(faultOfReport(retried, { ...OURS, number: 2 })).toBeNull()
})
