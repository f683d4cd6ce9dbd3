// The JSON Schema of a channel is the rule itself: a draft fits it exactly when its preview has no error. Random drafts on
// every shipped channel, and on made ones whose fees and bounds are awkward.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import { amountRange } from '../../../src/domain/money/amount-range.ts'
import { type ChannelConfig, channelFacts } from '../../../src/domain/channel/config.ts'
import type { ChannelFacts } from '../../../src/domain/channel/channel.ts'
import { majorNumber } from '../../../src/domain/money/money.ts'
import { isValid, previewOf } from '../../../src/domain/contract/preview.ts'
import type { Recipient, Terms } from '../../../src/domain/transfer/transfer.ts'
import { requiredSchema } from '../../../src/wire/required-schema.ts'

const RUNS = 2000
const MADE: ChannelConfig = {
  id: 'made',
  service: 'payment',
  name: 'Made',
  description: 'Made up.',
  covered: false,
  undo_seconds: 0,
  currencies: {
    PHP: { min: 10, max: 50_000, fees: { pct: 1, add: 5 } },
    USD: { fees: { fixed: 2 } },
    JPY: { max: 100, fees: { pct: 50, min: 30 } },
    KWD: { fees: { pct: 100 } },
    EUR: { max: 1, fees: { fixed: 1 } },
    GBP: { min: 5, max: 4 },
    THB: { fees: { pct: 100, max: 20 } },
  },
  recipient: [
    { field: 'name', mend: 'Who.' },
    { field: 'country', pattern: 'PH|JP', mend: 'Where.' },
    { field: 'tag', pattern: '.{3}', mend: 'Three characters.' },
  ],
}
const TOKEN = '0x1c7d4b196cb0c7b01d743fbc6116a902379c7238'
const COIN_ASSET = {
  network: 'eip155:11155111',
  asset: 'USDC',
  token: TOKEN,
  decimals: 6,
  rates: { PHP: '56.40', USD: '1' },
  quote_seconds: 60,
} as const
/** What leaves is an asset: an address has a checksum, and dust does not leave. */
const COIN: ChannelConfig = {
  ...MADE,
  id: 'coin',
  asset: COIN_ASSET,
  currencies: { PHP: { fees: { pct: 1 } }, USD: { max: 100_000, fees: { fixed: 0.01 } } },
  recipient: [{ field: 'wallet', check: 'evm_address', mend: 'An address.' }],
}
const CHANNELS: ChannelFacts[] = [
  ...SHIPPED_CHANNELS,
  MADE,
  { ...MADE, id: 'covered', covered: true },
  { ...MADE, id: 'anybody', recipient: [] },
  COIN,
  { ...COIN, id: 'coarse', asset: { ...COIN_ASSET, decimals: 3, rates: { PHP: '3000000.5', USD: '51000' } } },
].map((config) => channelFacts(config, 1, 'test'))

const NOBODY = { name: null, email: null, mobile: null, wallet: null, tag: null, address: null, country: null }
const WORDLESS = { issuedTo: null, description: null, deliverable: null }
const often = (...values: string[]) => Array.from({ length: 6 }, () => values).flat()
/** What looks like nothing, or says nothing. */
const BLANKS = ['', ' ', '\u00a0', '\u200b', '\u3000\u2060', '\ufeff', '\u3164', '\u2800', '—', '...', '😀', '\t\n']
/** What fits somewhere comes often, or few drafts would be whole. */
const VALUES: Record<keyof Recipient, readonly string[]> = {
  name: [...often('Ana Reyes', 'Ana Reyes', '李小龙', 'ณเดชน์', '٣'), ...BLANKS],
  email: ['ana@example.com'],
  mobile: [...often('+639171234567'), '+63917123456', '+6391712345678', '09171234567'],
  wallet: [
    ...often('0x52908400098527886e0f7030069857d2e4169ee7', '0x52908400098527886E0F7030069857D2E4169EE7'),
    '0x52908400098527886E0F7030069857D2E4169eE7',
    `0x${'0'.repeat(40)}`,
    TOKEN,
    ...often('0123456789', '0123456789', '01890000-0000-7000-8000-000000000001'),
    ...BLANKS,
    '-----',
    '1234',
    'abc',
    '0123456789\n',
    'A'.repeat(35),
  ],
  tag: [...often('BOPIPHMM', 'A😀😀'), 'bop', 'BO', '😀', '😀😀😀', '   ', '\u200b\u200b\u200b', 'PH\n'],
  address: ['Manila'],
  country: [...often('PH'), 'US', 'PHJP'],
}
const recipientOf = fc.record(
  Object.fromEntries(
    Object.entries(VALUES).map(([field, values]) => [field, fc.option(fc.constantFrom(...values), { freq: 12 })]),
  ) as Record<keyof Recipient, fc.Arbitrary<string | null>>,
)

/** Amounts around the ends of the channel's ranges, and anywhere. */
function amounts(channel: ChannelFacts): fc.Arbitrary<bigint> {
  const ends = [...channel.terms].flatMap(([currency, priced]) => {
    const range = amountRange(channel, currency)
    return [range?.leastMinor, range?.mostMinor, priced.minMinor, priced.maxMinor].filter(
      (end) => typeof end === 'bigint',
    )
  })
  const near = fc.tuple(fc.constantFrom(1n, ...ends), fc.bigInt(-2n, 2n)).map(([end, off]) => end + off)
  return fc.oneof(near, fc.bigInt(1n, 200_000_00n), fc.bigInt(1n, 99_999_999_999_999n)).filter((amount) => amount > 0n)
}

function compiled(channel: ChannelFacts): ValidateFunction {
  const { check } = channel.recipient.find(({ format }) => format === 'evm_address') ?? {}
  const formats = { evm_address: (value: string) => (check?.(value) ?? null) === null }
  const options = { strict: true, strictRequired: false, strictTypes: false, formats }
  return new Ajv2020(options).compile(requiredSchema(channel))
}

/** The draft as a caller would send it, and as it is read. */
const wireOf = ({ amountMinor, currency, recipient, channelId }: Terms) => ({
  amount: majorNumber(amountMinor, currency),
  currency,
  channel: channelId,
  ...(recipient ? { recipient } : {}),
})

/** Channels that only bring money in have no terms for what goes out. */
const isPayout = ({ terms }: ChannelFacts) => terms.size > 0
const named = (channels: readonly ChannelFacts[]) => channels.map((channel) => [channel.id, channel] as const)

test.each(named(CHANNELS.filter((channel) => !isPayout(channel))))(
  '%s brings money in alone: no draft fits',
  (id, channel) => {
    const terms = { amountMinor: 100_00n, currency: 'PHP', recipient: null, channelId: id } as const
    const whole: Terms = { issuedTo: null, description: null, deliverable: null, ...terms }
    expect([compiled(channel)(wireOf(whole)), isValid(previewOf(whole, channel))]).toEqual([false, false])
  },
)

describe.each(named(CHANNELS.filter(isPayout)))('%s', (id, channel) => {
  test('a draft fits the schema exactly when nothing keeps it from being issued', () => {
    const fits = compiled(channel)
    let valid = 0
    const draft = fc.record({
      amountMinor: amounts(channel),
      currency: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...channel.terms.keys()) }, fc.constant('CHF')),
      recipient: fc.oneof({ weight: 9, arbitrary: recipientOf }, { weight: 1, arbitrary: fc.constant(null) }),
    })
    fc.assert(
      fc.property(draft, (drawn) => {
        const terms: Terms = { issuedTo: null, description: null, deliverable: null, channelId: id, ...drawn }
        const expected = isValid(previewOf(terms, channel))
        if (expected) valid += 1
        expect(fits(wireOf(terms)), JSON.stringify(wireOf(terms))).toBe(expected)
      }),
      { numRuns: RUNS },
    )
    // A property that only ever sees one side proves nothing.
    expect(valid).toBeGreaterThan(5)
    expect(valid).toBeLessThan(RUNS - 20)
  })

  test('a draft for another channel does not fit', () => {
    const terms = { amountMinor: 100_00n, currency: 'PHP', recipient: null, channelId: 'another' } as const
    expect(compiled(channel)(wireOf({ issuedTo: null, description: null, deliverable: null, ...terms }))).toBe(false)
  })
})

test('a range ends exactly where the preview begins to say no', () => {
  const held: bigint[] = []
  for (const channel of CHANNELS) {
    for (const currency of channel.terms.keys()) {
      const range = amountRange(channel, currency)
      const boundsHold = (amountMinor: bigint) =>
        !previewOf(
          {
            amountMinor,
            currency,
            issuedTo: null,
            description: null,
            deliverable: null,
            recipient: null,
            channelId: channel.id,
          },
          channel,
        ).messages.some(({ code }) => code === 'invalid_amount')
      if (!range) {
        held.push(...[1n, 100n, 12_345n, 99_999_999_999_999n].filter(boundsHold))
        continue
      }
      const { leastMinor, mostMinor } = range
      expect([boundsHold(leastMinor), leastMinor > 1n && boundsHold(leastMinor - 1n)]).toEqual([true, false])
      const aroundTheMost = mostMinor === null ? [true, false] : [boundsHold(mostMinor), boundsHold(mostMinor + 1n)]
      expect(aroundTheMost).toEqual([true, false])
    }
  }
  expect(held).toEqual([])
})

test('any text fits the schema exactly when the preview takes it as a name or an account', () => {
  const held = new Set<boolean>()
  for (const channel of [channelFacts({ ...MADE, recipient: [{ field: 'name', mend: 'Who.' }] }, 1, 'test')]) {
    const fits = compiled(channel)
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.constantFrom(...BLANKS))
    fc.assert(
      fc.property(text, (name) => {
        const recipient: Recipient = { ...NOBODY, name }
        const terms: Terms = { ...WORDLESS, amountMinor: 100_00n, currency: 'PHP', channelId: channel.id, recipient }
        const expected = isValid(previewOf(terms, channel))
        held.add(expected)
        expect(fits(wireOf(terms)), JSON.stringify(name)).toBe(expected)
      }),
      { numRuns: 5 * RUNS },
    )
  }
  expect(held).toEqual(new Set([true, false]))
})

test('a pattern that is none is refused when the channel is read', () => {
  const rule = { field: 'tag', pattern: '[', mend: '' } as const
  expect(() => channelFacts({ ...MADE, recipient: [rule] }, 1, 'test')).toThrow('channel made: recipient.tag.pattern')
})
