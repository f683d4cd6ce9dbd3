// One of each message as the gateway or a rail would write it, and generators of many.
import fc from 'fast-check'
import { CURRENCIES, digitsOf } from '../../src/domain/money/currencies.ts'
import { fixedText } from '../../src/domain/money/money.ts'
import type { Amount } from '../../src/formats/iso20022/amounts.ts'
import { readCamt053, type Statement, writeCamt053 } from '../../src/formats/iso20022/camt053.ts'
import type { Credit } from '../../src/formats/iso20022/credits.ts'
import type { MessageKind } from '../../src/formats/iso20022/messages.ts'
import { type BankStatusReport, readPacs002, writePacs002 } from '../../src/formats/iso20022/pacs002.ts'
import { type BankTransfers, readPacs008, writePacs008 } from '../../src/formats/iso20022/pacs008.ts'
import { readPain001, type TransferFile, writePain001 } from '../../src/formats/iso20022/pain001.ts'
import { type FileStatusReport, readPain002, writePain002 } from '../../src/formats/iso20022/pain002.ts'
import type { Party } from '../../src/formats/iso20022/parties.ts'
import type { Reading } from '../../src/formats/iso20022/reading.ts'

const NOBODY: Party = { name: null, country: null, addressLines: [], email: null, mobile: null }

const HEADER = { messageId: 'MSG-20260701-0001', createdAt: '2026-07-01T08:00:00.000Z' }

const CREDIT: Credit = {
  creditorBank: { bic: 'BOPIPHMM' },
  creditor: {
    name: 'Ana Peña & Sons',
    country: 'PH',
    addressLines: ['1 Ayala Avenue', 'Makati'],
    email: 'ana@example.com',
    mobile: '+639171234567',
  },
  creditorAccount: '001234567890',
  remittance: 'Invoice <42> for "rice"',
}

export const BANK_TRANSFERS: BankTransfers = {
  ...HEADER,
  transfers: [
    {
      instructionId: 'INSTR-1',
      endToEndId: '0197c2a4b5d6700080000000000000aa001',
      uetr: '8a562c67-ca16-48ba-b074-65581be6f001',
      amountDecimal: '100.00',
      currency: 'PHP',
      debtor: { ...NOBODY, name: 'Gateway Contracts Inc' },
      debtorBank: { memberId: 'GATEWAY' },
      ...CREDIT,
    },
  ],
}

export const BANK_STATUS: BankStatusReport = {
  ...HEADER,
  originalMessageId: 'MSG-20260701-0000',
  originalMessageName: 'pacs.008.001.08',
  groupStatus: null,
  groupReasons: [],
  transfers: [
    {
      originalInstructionId: null,
      originalEndToEndId: 'E2E-1',
      status: 'RJCT',
      reasons: [
        { code: 'AC01', proprietary: null, info: ['No such account', 'Ask the recipient'] },
        { code: null, proprietary: 'HOUSE-7', info: [] },
      ],
      amount: { amountDecimal: '100.00', currency: 'PHP' },
    },
  ],
}

export const FILE: TransferFile = {
  ...HEADER,
  paymentId: 'BATCH-1',
  executeOn: '2026-07-01',
  debtor: { ...NOBODY, name: 'Gateway Contracts Inc' },
  debtorAccount: '990000000001',
  debtorBank: { bic: 'MBTCPHMM' },
  currency: 'PHP',
  items: [
    { instructionId: null, endToEndId: 'E2E-1', uetr: null, amountDecimal: '0.10', ...CREDIT },
    {
      instructionId: null,
      endToEndId: 'E2E-2',
      uetr: null,
      amountDecimal: '0.20',
      ...CREDIT,
      creditorBank: { memberId: '010040018' },
      creditor: { ...NOBODY, name: 'Ben' },
      remittance: null,
    },
  ],
}

export const FILE_STATUS: FileStatusReport = {
  ...HEADER,
  originalMessageId: 'MSG-20260701-0000',
  originalMessageName: 'pain.001.001.09',
  groupStatus: 'PART',
  groupReasons: [],
  payments: [
    {
      originalPaymentId: 'BATCH-1',
      status: null,
      reasons: [],
      items: [
        { originalInstructionId: null, originalEndToEndId: 'E2E-1', status: 'ACSC', reasons: [], amount: null },
        {
          originalInstructionId: null,
          originalEndToEndId: 'E2E-2',
          status: 'RJCT',
          reasons: [{ code: 'AC04', proprietary: null, info: [] }],
          amount: { amountDecimal: '0.20', currency: 'PHP' },
        },
      ],
    },
  ],
}

export const STATEMENT: Statement = {
  ...HEADER,
  statementId: 'STMT-2026-07-01',
  account: '990000000001',
  opening: { amountDecimal: '1000.00', currency: 'PHP', direction: 'credit', day: '2026-07-01' },
  closing: { amountDecimal: '1000.00', currency: 'PHP', direction: 'credit', day: '2026-07-01' },
  entries: [
    {
      reference: '1',
      amountDecimal: '100.00',
      currency: 'PHP',
      direction: 'debit',
      status: 'BOOK',
      bookedOn: '2026-07-01',
      isReversal: false,
      isReturn: false,
      transfers: [
        { endToEndId: 'E2E-1', amount: { amountDecimal: '100.00', currency: 'PHP' }, returned: null, isReturn: false },
      ],
    },
    {
      reference: null,
      amountDecimal: '100.00',
      currency: 'PHP',
      direction: 'credit',
      status: 'BOOK',
      bookedOn: '2026-07-01',
      isReversal: false,
      isReturn: true,
      transfers: [
        {
          endToEndId: 'E2E-1',
          amount: null,
          returned: { code: 'AC04', proprietary: null, info: ['Account closed'] },
          isReturn: false,
        },
      ],
    },
  ],
}

/** Each message: its name, its text, and the reader of it. */
export const MESSAGES: readonly (readonly [MessageKind, string, (bytes: Uint8Array) => Reading<unknown>, unknown])[] = [
  ['pacs.008.001.08', writePacs008(BANK_TRANSFERS), readPacs008, BANK_TRANSFERS],
  ['pacs.002.001.10', writePacs002(BANK_STATUS), readPacs002, BANK_STATUS],
  ['pain.001.001.09', writePain001(FILE), readPain001, FILE],
  ['pain.002.001.10', writePain002(FILE_STATUS), readPain002, FILE_STATUS],
  ['camt.053.001.08', writeCamt053(STATEMENT), readCamt053, STATEMENT],
]

/** Of every currency, up to 15 digits, zero left out. */
export const amounts: fc.Arbitrary<Amount> = fc.constantFrom(...CURRENCIES).chain((currency) =>
  fc.bigInt({ min: 1n, max: 10n ** 15n - 1n }).map((amountMinor) => ({
    amountDecimal: fixedText(amountMinor, currency),
    currency,
  })),
)

/** The same in a currency that is given. */
export function decimalsOf(currency: string): fc.Arbitrary<string> {
  return fc.bigInt({ min: 1n, max: 10n ** 15n - 1n }).map((amountMinor) => fixedText(amountMinor, currency))
}

/** Whatever JavaScript calls a string: any code unit, half pairs and control characters too. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 }).map((units) => String.fromCharCode(...units)),
  fc.string({ unit: fc.constantFrom('&', '<', '>', '"', "'", ']]>', '&amp;', '<!--', 'ñ', '한', '😀', ' ') }),
)

export const ids: fc.Arbitrary<string> = fc
  .stringMatching(/^[A-Za-z0-9/?:().,'+&<>" -]{1,35}$/)
  .filter((id) => id.trim() === id)

export const currencies = fc.constantFrom('PHP', 'JPY', 'KWD', 'USD')

/** Every digit count a currency may have is among those of `currencies`. */
export const digitCounts = new Set(CURRENCIES.map(digitsOf))
