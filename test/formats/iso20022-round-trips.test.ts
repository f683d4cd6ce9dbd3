// Whatever is put into a message comes out of it: any text, any amount of any currency, any number of transfers.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCamt053, writeCamt053 } from '../../src/formats/iso20022/camt053.ts'
import { readPacs002, writePacs002 } from '../../src/formats/iso20022/pacs002.ts'
import { readPacs008, writePacs008 } from '../../src/formats/iso20022/pacs008.ts'
import { readPain001, writePain001 } from '../../src/formats/iso20022/pain001.ts'
import { readPain002, writePain002 } from '../../src/formats/iso20022/pain002.ts'
import { schemaFaults } from '../iso20022/schema-faults.ts'
import { plainText } from '../../src/formats/iso20022/texts.ts'
import {
  amounts,
  anyText,
  BANK_STATUS,
  BANK_TRANSFERS,
  currencies,
  decimalsOf,
  digitCounts,
  FILE,
  FILE_STATUS,
  ids,
  STATEMENT,
} from './iso20022-samples.ts'

const distinctIds = fc.uniqueArray(ids, { minLength: 1, maxLength: 5 })

test('the currencies of the tests have every number of decimals', () => {
  expect(digitCounts).toEqual(new Set([0, 2, 3]))
})

test('pacs.008: text of any kind, amounts of every currency', () => {
  fc.assert(
    fc.property(distinctIds, amounts, anyText, anyText, anyText, (endToEndIds, amount, name, words, line) => {
      const [sample] = BANK_TRANSFERS.transfers
      const transfers = endToEndIds.map((endToEndId) => ({
        ...sample!,
        ...amount,
        endToEndId,
        creditor: { ...sample!.creditor, name, addressLines: [line], email: name },
        remittance: words,
      }))
      const text = writePacs008({ ...BANK_TRANSFERS, transfers })
      expect(schemaFaults('pacs.008.001.08', Buffer.from(text))).toEqual([])
      const cleanLine = plainText(line, 70)
      const expected = transfers.map((transfer) => ({
        ...transfer,
        creditor: {
          ...transfer.creditor,
          name: plainText(name, 140),
          addressLines: cleanLine === null ? [] : [cleanLine],
          email: plainText(name, 2048),
        },
        remittance: plainText(words, 140),
      }))
      expect(readPacs008(Buffer.from(text))).toEqual({ message: { ...BANK_TRANSFERS, transfers: expected } })
    }),
    { numRuns: 500 },
  )
})

test('pain.001: the sum is exact, however many and large the items', () => {
  const files = currencies.chain((currency) =>
    fc.record({
      currency: fc.constant(currency),
      items: fc.uniqueArray(fc.tuple(ids, decimalsOf(currency)), {
        minLength: 1,
        maxLength: 30,
        selector: ([id]) => id,
      }),
    }),
  )
  fc.assert(
    fc.property(files, ({ currency, items }) => {
      const [sample] = FILE.items
      const file = {
        ...FILE,
        currency,
        items: items.map(([endToEndId, amountDecimal]) => ({ ...sample!, endToEndId, amountDecimal })),
      }
      const text = writePain001(file)
      // The oracle adds digit strings of one length, and knows nothing of currencies.
      const total = items.reduce((sum, [, decimal]) => sum + BigInt(decimal.replace('.', '')), 0n)
      expect(
        /<CtrlSum>([^<]*)</
          .exec(text)?.[1]
          ?.replace('.', '')
          .replace(/^0+(?=\d)/, ''),
      ).toBe(String(total))
      expect(schemaFaults('pain.001.001.09', Buffer.from(text))).toEqual([])
      expect(readPain001(Buffer.from(text))).toEqual({ message: file })
    }),
    { numRuns: 200 },
  )
})

test('pacs.002 and pain.002: codes, words and amounts', () => {
  fc.assert(
    fc.property(
      distinctIds,
      amounts,
      anyText,
      fc.stringMatching(/^[A-Z0-9]{4}$/),
      (endToEndIds, amount, words, code) => {
        const info = plainText(words, 105)
        const transfers = endToEndIds.map((originalEndToEndId) => ({
          originalInstructionId: originalEndToEndId,
          originalEndToEndId,
          status: code,
          reasons: [{ code, proprietary: null, info: info === null ? [] : [info] }],
          amount,
        }))
        const report = { ...BANK_STATUS, transfers }
        const bankText = Buffer.from(writePacs002(report))
        expect(schemaFaults('pacs.002.001.10', bankText)).toEqual([])
        expect(readPacs002(bankText)).toEqual({ message: report })

        const payments = [{ originalPaymentId: 'P', status: code, reasons: [], items: transfers }]
        const fileText = Buffer.from(writePain002({ ...FILE_STATUS, payments }))
        expect(schemaFaults('pain.002.001.10', fileText)).toEqual([])
        expect(readPain002(fileText)).toEqual({ message: { ...FILE_STATUS, payments } })
      },
    ),
    { numRuns: 200 },
  )
})

test('camt.053: entries of every amount, both ways', () => {
  const entries = fc.array(
    fc.record({
      amount: amounts,
      direction: fc.constantFrom('credit' as const, 'debit' as const),
      endToEndId: ids,
      isReversal: fc.boolean(),
      isReturn: fc.boolean(),
    }),
  )
  fc.assert(
    fc.property(entries, amounts, (many, balance) => {
      const statement = {
        ...STATEMENT,
        opening: { ...STATEMENT.opening, ...balance },
        entries: many.map(({ amount, direction, endToEndId, isReversal, isReturn }) => ({
          ...amount,
          reference: null,
          direction,
          status: 'BOOK',
          bookedOn: '2026-12-31',
          isReversal,
          isReturn,
          transfers: [{ endToEndId, amount, returned: null, isReturn: !isReturn }],
        })),
      }
      const text = Buffer.from(writeCamt053(statement))
      expect(schemaFaults('camt.053.001.08', text)).toEqual([])
      expect(readCamt053(text)).toEqual({ message: statement })
    }),
    { numRuns: 200 },
  )
})
