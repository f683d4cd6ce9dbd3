// The stored form of a contract: what is written is read back the same, and today's form is the one that was always kept.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paymentFrom, paymentText } from '../../src/store/contracts/payment-documents.ts'
import { transferFrom, transferText } from '../../src/store/contracts/transfer-documents.ts'
import {
  BARE_PAYMENT,
  BARE_TRANSFER,
  FULL_PAYMENT,
  FULL_TRANSFER,
  KEY,
  payments,
  transfers,
} from './contract-samples.ts'

test('a transfer comes back as it was written, and is written the same again', () => {
  fc.assert(
    fc.property(transfers, (transfer) => {
      const text = transferText(transfer)
      const back = transferFrom(KEY, JSON.parse(text))
      expect(back).toStrictEqual(transfer)
      expect(transferText(back)).toBe(text)
    }),
    { numRuns: 500 },
  )
})

test('a payment comes back as it was written, and is written the same again', () => {
  fc.assert(
    fc.property(payments, (payment) => {
      const text = paymentText(payment)
      const back = paymentFrom(KEY, JSON.parse(text))
      expect(back).toStrictEqual(payment)
      expect(paymentText(back)).toBe(text)
    }),
    { numRuns: 500 },
  )
})

/** One document a line, in the form that history holds. It may gain members; those it has never change. */
const GOLDEN = readFileSync(new URL('golden-documents.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')

test('the stored form is the golden one, and reads as the contract that it was', () => {
  const written = [FULL_TRANSFER, BARE_TRANSFER].map(transferText)
  expect([...written, ...[FULL_PAYMENT, BARE_PAYMENT].map(paymentText)]).toEqual(GOLDEN)
  const stored = GOLDEN.map((line): unknown => JSON.parse(line))
  expect(stored.slice(0, 2).map((each) => transferFrom(KEY, each))).toStrictEqual([FULL_TRANSFER, BARE_TRANSFER])
  expect(stored.slice(2).map((each) => paymentFrom(KEY, each))).toStrictEqual([FULL_PAYMENT, BARE_PAYMENT])
})
