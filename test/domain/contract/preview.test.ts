// What a contract would cost and what it lacks; and when a preview that is sent along agrees. Tables and properties.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ChannelConfig, channelFacts } from '../../../src/domain/channel/config.ts'
import { majorNumber } from '../../../src/domain/money/money.ts'
import {
  type ExpectedPreview,
  isValid,
  type Preview,
  previewDifference,
  previewOf,
} from '../../../src/domain/contract/preview.ts'
import type { Recipient, Terms } from '../../../src/domain/transfer/transfer.ts'

const CONFIG: ChannelConfig = {
  id: 'bank',
  service: 'payment',
  name: 'Bank',
  description: 'A bank.',
  covered: true,
  undo_seconds: 5,
  currencies: {
    PHP: { min: 10, max: 50_000, fees: { pct: 1, add: 5 } },
    USD: { fees: { fixed: 2 } },
    JPY: {},
  },
  recipient: [
    { field: 'name', mend: 'Say who.' },
    { field: 'wallet', pattern: '\\d{10}', mend: 'Ten digits.' },
  ],
}
const CHANNEL = channelFacts(CONFIG, 1, 'test')
const UNCOVERED = channelFacts({ ...CONFIG, covered: false }, 1, 'test')

const NOBODY: Recipient = {
  name: null,
  email: null,
  mobile: null,
  wallet: null,
  tag: null,
  address: null,
  country: null,
}
const ANA: Recipient = { ...NOBODY, name: 'Ana', wallet: '0123456789' }

function termsOf(changes: Partial<Terms> = {}): Terms {
  return {
    amountMinor: 100_00n,
    currency: 'PHP',
    issuedTo: null,
    description: null,
    deliverable: null,
    recipient: ANA,
    channelId: 'bank',
    ...changes,
  }
}

const codesOf = (preview: Preview) => preview.messages.map(({ code }) => code)

describe('what is lacking', () => {
  test.each<[string, Partial<Terms>, string[]]>([
    ['nothing', {}, []],
    ['a recipient', { recipient: null }, ['missing_recipient_name', 'missing_recipient_wallet']],
    ['all of the recipient', { recipient: NOBODY }, ['missing_recipient_name', 'missing_recipient_wallet']],
    ['a name', { recipient: { ...ANA, name: null } }, ['missing_recipient_name']],
    ['a digit', { recipient: { ...ANA, wallet: '012345678' } }, ['invalid_recipient_wallet']],
    [
      'nothing but the digits around it',
      { recipient: { ...ANA, wallet: 'x0123456789' } },
      ['invalid_recipient_wallet'],
    ],
    ['a line of its own', { recipient: { ...ANA, wallet: '0123456789\n' } }, ['invalid_recipient_wallet']],
    ['a price in the currency', { currency: 'EUR' }, ['invalid_currency']],
    [
      'a price and a name',
      { currency: 'EUR', recipient: { ...ANA, name: null } },
      ['invalid_currency', 'missing_recipient_name'],
    ],
    ['a centavo to the least', { amountMinor: 9_99n }, ['invalid_amount']],
    ['nothing at the least', { amountMinor: 10_00n }, []],
    ['nothing at the most', { amountMinor: 50_000_00n }, []],
    ['a smaller amount', { amountMinor: 50_000_01n }, ['invalid_amount']],
  ])('%s', (_what, changes, codes) => {
    const preview = previewOf(termsOf(changes), CHANNEL)
    expect(codesOf(preview)).toEqual(codes)
    expect(isValid(preview)).toBe(codes.length === 0)
    for (const { type } of preview.messages) expect(type).toBe('error')
  })

  test('a channel', () => {
    const preview = previewOf(termsOf({ channelId: null }), null)
    expect(preview).toMatchObject({ feeMinor: 0n, debitMinor: 100_00n, receiveMinor: 100_00n })
    expect(codesOf(preview)).toEqual(['missing_channel'])
  })

  test('an amount that the fee does not swallow', () => {
    expect(codesOf(previewOf(termsOf({ currency: 'USD', amountMinor: 2_00n }), UNCOVERED))).toEqual(['invalid_amount'])
    expect(codesOf(previewOf(termsOf({ currency: 'USD', amountMinor: 2_01n }), UNCOVERED))).toEqual([])
    expect(codesOf(previewOf(termsOf({ currency: 'USD', amountMinor: 1n }), CHANNEL))).toEqual([])
  })

  test('each message says how to mend it', () => {
    const words = (changes: Partial<Terms>) =>
      previewOf(termsOf(changes), CHANNEL)
        .messages.map(({ message }) => message)
        .join()
    expect(words({ recipient: NOBODY })).toBe(
      'recipient.name is missing. Say who.,recipient.wallet is missing. Ten digits.',
    )
    expect(words({ currency: 'EUR' })).toContain('takes PHP, USD, JPY')
    expect(words({ amountMinor: 1n })).toContain('PHP 10.00 or more')
    expect(words({ amountMinor: 50_000_01n })).toContain('at most PHP 50,000.00')
  })

  test('only errors stand in the way', () => {
    const priced = previewOf(termsOf(), CHANNEL)
    const noted = {
      ...priced,
      messages: [
        { code: 'x', type: 'warning', message: '' },
        { code: 'y', type: 'info', message: '' },
      ],
    } as const
    expect(isValid(noted)).toBe(true)
  })
})

describe('what it costs', () => {
  test.each<[string, Partial<Terms>, typeof CHANNEL, [fee: bigint, debit: bigint, receive: bigint]]>([
    ['on top', {}, CHANNEL, [6_00n, 106_00n, 100_00n]],
    ['out of it', {}, UNCOVERED, [6_00n, 100_00n, 94_00n]],
    ['a fixed fee', { currency: 'USD' }, CHANNEL, [2_00n, 102_00n, 100_00n]],
    ['nothing', { currency: 'JPY' }, CHANNEL, [0n, 100_00n, 100_00n]],
    ['nothing yet, where there is no price', { currency: 'EUR' }, CHANNEL, [0n, 100_00n, 100_00n]],
  ])('%s', (_what, changes, channel, [feeMinor, debitMinor, receiveMinor]) => {
    expect(previewOf(termsOf(changes), channel)).toMatchObject({ feeMinor, debitMinor, receiveMinor })
  })

  test('what arrives is always the debit less the fee', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 99_999_999_999_999n }),
        fc.constantFrom(CHANNEL, UNCOVERED),
        fc.constantFrom('PHP', 'USD', 'JPY', 'EUR'),
        (amountMinor, channel, currency) => {
          const { feeMinor, debitMinor, receiveMinor } = previewOf(termsOf({ amountMinor, currency }), channel)
          expect(receiveMinor).toBe(debitMinor - feeMinor)
          expect(channel.covered ? receiveMinor : debitMinor).toBe(amountMinor)
        },
      ),
    )
  })
})

describe('a preview that is sent along', () => {
  const REAL = previewOf(termsOf(), CHANNEL)
  const SILENT: ExpectedPreview = { amount: null, feesTotal: null, covered: null, valid: null }
  const difference = (sent: Partial<ExpectedPreview>) => previewDifference({ ...SILENT, ...sent }, REAL, 'PHP', CHANNEL)

  test.each<Partial<ExpectedPreview>>([
    {},
    { amount: 106 },
    { feesTotal: 6 },
    { covered: true },
    { valid: true },
    { amount: 106, feesTotal: 6, covered: true, valid: true },
  ])('%j agrees', (sent) => {
    expect(difference(sent)).toBeNull()
  })

  test.each<[Partial<ExpectedPreview>, string]>([
    [{ amount: 105.99 }, 'preview.amount was sent as 105.99, but the payer would be debited 106.'],
    [{ feesTotal: 0 }, 'preview.fees.total was sent as 0, but the fee is 6.'],
    [{ covered: false }, 'preview.fees.covered was sent as false, but it is true on channel bank.'],
    [{ valid: false }, 'preview.valid was sent as false, but it is true.'],
    [{ amount: 1, valid: false }, 'preview.amount was sent as 1, but the payer would be debited 106.'],
  ])('%j differs', (sent, words) => {
    expect(difference(sent)).toBe(words)
  })

  test('what was shown always agrees with itself, and a centavo more never does', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 9_999_999_999_999n }), (amountMinor) => {
        const preview = previewOf(termsOf({ amountMinor }), CHANNEL)
        const shown = (offMinor: bigint) => ({
          ...SILENT,
          amount: majorNumber(preview.debitMinor + offMinor, 'PHP'),
          feesTotal: majorNumber(preview.feeMinor, 'PHP'),
        })
        expect(previewDifference(shown(0n), preview, 'PHP', CHANNEL)).toBeNull()
        expect(previewDifference(shown(1n), preview, 'PHP', CHANNEL)).not.toBeNull()
      }),
    )
  })

  test('says nothing about who bears a fee that no channel takes', () => {
    expect(previewDifference({ ...SILENT, covered: true }, previewOf(termsOf(), null), 'PHP', null)).toBeNull()
  })
})
