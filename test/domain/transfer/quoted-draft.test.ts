// Drafts on channels that pay an asset: what is shown, what issue promises, and which words of an operator make no asset.
import { describe, expect, test } from 'vitest'
import { type AssetConfig, type ChannelConfig, channelFacts } from '../../../src/domain/channel/config.ts'
import type { ChannelFacts } from '../../../src/domain/channel/channel.ts'
import { decide } from '../../../src/domain/transfer/decide.ts'
import type { Facts } from '../../../src/domain/contract/decision.ts'
import { decideCreate } from '../../../src/domain/transfer/draft.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import type { Transfer } from '../../../src/domain/transfer/transfer.ts'
import { ask, paidContract } from '../../rig/model/one-contract.ts'
import { RAIL } from '../../rig/model/rail.ts'

const NOW_MS = 1_800_000_000_000
const ID = '01890000-0000-7000-8000-000000000001'
const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const USDC: AssetConfig = {
  network: 'eip155:1',
  asset: 'USDC',
  token: TOKEN,
  decimals: 6,
  rates: { PHP: '56.40' },
  quote_seconds: 90,
}
const CONFIG: ChannelConfig = {
  id: 'dollars',
  service: 'crypto',
  name: 'Dollars',
  description: 'To an address.',
  covered: true,
  undo_seconds: 0,
  asset: USDC,
  currencies: { PHP: {} },
  recipient: [{ field: 'wallet', check: 'evm_address', mend: 'Give an address.' }],
}
const withAsset = (changes: Partial<AssetConfig>): ChannelConfig => ({ ...CONFIG, asset: { ...USDC, ...changes } })
const FIRST = channelFacts(CONFIG, 1, 'test')

/** The gateway offers `current`, and still knows the first version. */
const factsAt = (nowMs: number, current: ChannelFacts | undefined = FIRST): Facts => ({
  nowMs,
  channels: {
    current: () => current,
    at: (_, version) => [FIRST, current].find((each) => each?.version === version),
    all: () => [FIRST],
  },
  wallet: () => undefined,
  attempt: null,
  refundsAtOnce: true,
  onFailure: { retries: 0, fallbackChannels: [] },
  parent: null,
})

function draftOf(amountMinor: bigint, expiresInSeconds = 3600): Transfer {
  const wallet = '0x52908400098527886e0f7030069857d2e4169ee7'
  const nobody = { name: null, email: null, mobile: null, tag: null, address: null, country: null }
  const terms = { amountMinor, currency: 'PHP', issuedTo: null, description: null, deliverable: null }
  const command = {
    verb: 'create_transfer' as const,
    id: ID,
    livemode: false,
    terms: { ...terms, recipient: { ...nobody, wallet }, channelId: 'dollars' },
    expiresInSeconds,
    preview: null,
    warnings: [],
    pays: null,
  }
  const decision = decideCreate(command, 0, 'account', factsAt(NOW_MS))
  if (isRefusal(decision)) throw new Error(decision.message)
  return decision.after
}

const issue = (draft: Transfer, facts: Facts) => decide(draft, { verb: 'issue', id: ID, preview: null }, facts)

describe('issue', () => {
  test('promises the rate of its moment, and no contract outlives the promise', () => {
    const dearer = channelFacts(withAsset({ rates: { PHP: '60' } }), 2, 'test')
    const draft = draftOf(100_00n)
    expect(draft.quote).toBeNull()
    const at = NOW_MS + 5_000
    const quote = { rate: '60', currency: 'PHP', network: 'eip155:1', token: TOKEN, expiresAt: at + 90_000 }
    expect(issue(draft, factsAt(at, dearer))).toMatchObject({ after: { quote, expiresAt: at + 90_000 } })
    const short = draftOf(100_00n, 60)
    expect(issue(short, factsAt(at))).toMatchObject({ after: { quote: { rate: '56.40' }, expiresAt: NOW_MS + 60_000 } })
  })

  test.each<[string, ChannelFacts | undefined, string, RegExp]>([
    [
      'in another token',
      channelFacts(withAsset({ token: `0x${'11'.repeat(20)}` }), 2, 'test'),
      'channel',
      /Update the draft/,
    ],
    ['on another chain', channelFacts(withAsset({ network: 'eip155:10' }), 2, 'test'), 'channel', /Update the draft/],
    [
      'without a rate for its currency',
      channelFacts({ ...withAsset({ rates: { USD: '1' } }), currencies: { USD: {} } }, 2, 'test'),
      'channel',
      /Update the draft/,
    ],
    [
      'in so dear an asset that it is dust',
      channelFacts(withAsset({ rates: { PHP: '200000' } }), 2, 'test'),
      'amount',
      /raise/,
    ],
  ])('is refused %s than the draft showed', (_what, current, param, mend) => {
    const refusal = issue(draftOf(100_00n), factsAt(NOW_MS + 1, current))
    expect(refusal).toMatchObject({ code: 'requirements_not_met', param, message: expect.stringMatching(mend) })
  })

  test('is refused where the channel is offered no more', () => {
    const facts = factsAt(NOW_MS + 1)
    const gone = { ...facts, channels: { ...facts.channels, current: () => undefined } }
    expect(issue(draftOf(100_00n), gone)).toMatchObject({ code: 'requirements_not_met', param: 'channel' })
  })
})

test.each<[string, unknown, RegExp]>([
  ['a network of another kind', withAsset({ network: 'bitcoin' }), /network must be eip155 and a chain id/],
  ['no name', withAsset({ asset: ' ' }), /asset\.asset must be its short name/],
  ['a mistyped token', withAsset({ token: `${TOKEN.slice(0, -1)}9` as `0x${string}` }), /asset\.token must.*checksum/],
  ['a token that is no address', withAsset({ token: '0xabc' }), /asset\.token must.*40 hexadecimal digits/],
  ['no decimals', withAsset({ decimals: 1.5 }), /decimals must be a whole number from 0 to 36/],
  [
    'a rate that is a number',
    withAsset({ rates: { PHP: 56.4 as unknown as string } }),
    /rate for PHP must be decimal text/,
  ],
  ['no rates', withAsset({ rates: undefined as unknown as AssetConfig['rates'] }), /asset\.rates must be an object/],
  ['a currency without a rate', withAsset({ rates: { USD: '1' } }), /asset\.rates must name PHP/],
  ['a quote without an end', withAsset({ quote_seconds: 0 }), /asset\.quote_seconds must be a whole number over 0/],
  [
    'no address to pay to',
    { ...CONFIG, recipient: [] },
    /recipient must ask for a wallet, with "check": "evm_address"/,
  ],
  ['a mode of its own', { ...CONFIG, mode: 'prod' }, /mode must be test or live, or left out/],
])('%s makes no channel, and the fault says the mend', (_what, config, fault) => {
  expect(() => channelFacts(config as ChannelConfig, 1, 'test')).toThrow(fault)
  expect(() => channelFacts(config as ChannelConfig, 1, 'test')).toThrow(/^channel dollars: /)
})

describe('an accepted order', () => {
  const waits = (inquiryDelayMs: number | null): number[] => {
    const rail = { notFoundFinalAfterMs: 1000, dedupeLifetimeMs: null, inquiry: true }
    const connector = inquiryDelayMs === null ? rail : { ...rail, inquiryDelayMs }
    const one = paidContract(true)
    const { id } = one.contract
    const due = () => (one.attempt?.dueAt ?? 0) - one.nowMs
    one.nowMs += due()
    ask(one, { verb: 'submit', id, leaseMs: 15_000, connector: RAIL })
    return Array.from({ length: 7 }, (_, look) => {
      if (look > 0) ask(one, { verb: 'inquire', id, leaseMs: 15_000, connector })
      const { number = 0, channelId = '', fence = 0 } = one.attempt ?? {}
      const outcome = { kind: 'accepted', providerId: null } as const
      ask(one, { verb: 'report', id, number, channelId, fence, outcome, connector })
      const waitMs = due()
      one.nowMs += waitMs
      return waitMs
    })
  }

  test('is asked about at the pace its rail bears', () => {
    expect(waits(10_000)).toEqual([5_000, 10_000, 10_000, 10_000, 10_000, 10_000, 10_000])
    expect(waits(2_000)).toEqual(Array.from({ length: 7 }, () => 2_000))
  })

  test('is asked about more and more rarely where the rail says nothing of that', () => {
    expect(waits(null)).toEqual([5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000, 3_600_000])
  })
})
