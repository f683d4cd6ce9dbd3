// Contracts from before there were modes, or from a gateway that offered other channels: what crosses, or what nobody offers
// any more, is neither issued, paid, retried nor chosen, whatever its status was.
import { PLAIN_WALLET } from '../../rig/wallet-settings.ts'
import { describe, expect, test } from 'vitest'
import { whyNotOn } from '../../../src/domain/transfer/attempt.ts'
import { type ChannelConfig, channelFacts } from '../../../src/domain/channel/config.ts'
import { isForMode, livemodesIn, livemodesOf, refuseOtherMode } from '../../../src/domain/channel/modes.ts'
import type { ChannelBook, ChannelFacts, ChannelMode } from '../../../src/domain/channel/channel.ts'
import { decide } from '../../../src/domain/transfer/decide.ts'
import type { Facts } from '../../../src/domain/contract/decision.ts'
import { decideCreate } from '../../../src/domain/transfer/draft.ts'
import { isRefusal, type Refusal } from '../../../src/domain/contract/refusals.ts'
import type { Transfer } from '../../../src/domain/transfer/transfer.ts'

const CONFIG: ChannelConfig = {
  id: 'rail',
  service: 'payment',
  name: 'Rail',
  description: 'Any rail.',
  covered: true,
  undo_seconds: 0,
  currencies: { PHP: {} },
  recipient: [],
}
const MODES = ['test', 'live', 'both'] as const
const NOW_MS = 1_800_000_000_000

/** The book of a channel of a mode, which prices what it priced, and is offered or not. */
function factsOf(mode: ChannelMode, isOffered = true): Facts {
  const channel = channelFacts(CONFIG, 1, mode)
  const offered: ChannelFacts[] = isOffered ? [channel] : []
  const channels: ChannelBook = { current: () => offered[0], at: () => channel, all: () => offered }
  const wallet = { lane: 0, accountId: 'a', id: 'w', currency: 'PHP', sequence: 1 }
  const empty = { ...PLAIN_WALLET, heldMinor: 0n, inTransitMinor: 0n, pendingMinor: 0n, suspenseMinor: 0n }
  const onFailure = { retries: 0, fallbackChannels: [] }
  const money = () => ({ ...wallet, ...empty, availableMinor: 100_000n })
  return { nowMs: NOW_MS, channels, wallet: money, attempt: null, refundsAtOnce: true, onFailure, parent: null }
}

const ID = '01890000-0000-7000-8000-000000000001'
const words = { issuedTo: null, description: null, deliverable: null, recipient: null }
const terms = { ...words, amountMinor: 100_00n, currency: 'PHP', channelId: 'rail' }
const DRAFT = {
  verb: 'create_transfer',
  id: ID,
  terms,
  expiresInSeconds: null,
  preview: null,
  warnings: [],
  pays: null,
} as const

/** A draft of a mode, made where the channel took both. */
function drafted(livemode: boolean): Transfer {
  const made = decideCreate({ ...DRAFT, livemode }, 7, 'account', factsOf('both'))
  if (isRefusal(made)) throw new Error(made.message)
  return made.after
}
const codeOf = (decided: object | null) => (isRefusal(decided) ? (decided as Refusal).code : null)

describe.each(MODES.flatMap((mode) => [true, false].map((livemode) => [mode, livemode] as const)))(
  'a channel that takes %s, a contract with livemode %s',
  (mode, livemode) => {
    const isFit = mode === 'both' || (mode === 'live') === livemode
    const expected = isFit ? null : 'channel_not_in_mode'

    test('fits or is refused, in each decision alike', () => {
      const facts = factsOf(mode)
      const draft = drafted(livemode)
      const issued: Transfer = { ...draft, status: 'issued', issuedAt: NOW_MS }
      expect(codeOf(decideCreate({ ...DRAFT, livemode }, 7, 'account', facts))).toBe(expected)
      const patch = () => ({ terms, expiresInSeconds: null, preview: null, warnings: [] })
      expect(codeOf(decide(draft, { verb: 'update', id: ID, patch }, facts))).toBe(expected)
      expect(codeOf(decide(draft, { verb: 'issue', id: ID, preview: null }, facts))).toBe(expected)
      expect(codeOf(decide(issued, { verb: 'pay', id: ID, preview: null, walletId: null }, facts))).toBe(expected)
      expect(codeOf(whyNotOn(issued, 'rail', facts))).toBe(expected)
    })

    test('is said the same by every function that asks', () => {
      const channel = { id: 'rail', mode }
      expect(isForMode(channel, livemode)).toBe(isFit)
      expect(livemodesOf(mode).includes(livemode)).toBe(isFit)
      expect(livemodesIn(factsOf(mode).channels, 'rail').includes(livemode)).toBe(isFit)
      expect(codeOf(refuseOtherMode(channel, livemode, () => []))).toBe(expected)
    })
  },
)

test('what nobody offers any more is neither issued nor paid, and no worker looks for it', () => {
  const facts = factsOf('test', false)
  const draft = drafted(false)
  const issued: Transfer = { ...draft, status: 'issued', issuedAt: NOW_MS }
  expect(codeOf(decide(draft, { verb: 'issue', id: ID, preview: null }, facts))).toBe('requirements_not_met')
  const pay = { verb: 'pay', id: ID, preview: null, walletId: null } as const
  expect(codeOf(decide(issued, pay, facts))).toBe('requirements_not_met')
  expect(livemodesIn(facts.channels, 'rail')).toEqual([])
})
