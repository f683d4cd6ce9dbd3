// The channels of the simulation, and what their rails promise: prices as an operator writes them, each rail of another kind.
import type { CollectCapabilities, ConnectorCapabilities } from '../../../src/connectors/connector.ts'
import type { ChannelBook } from '../../../src/domain/channel/channel.ts'
import { type ChannelConfig, channelFacts } from '../../../src/domain/channel/config.ts'

const HOUR_MS = 3_600_000
const WORDS = {
  service: 'payment',
  name: 'Rail',
  description: 'A rail.',
  covered: true,
  undo_seconds: 0,
  recipient: [],
}

const CONFIGS: readonly ChannelConfig[] = [
  {
    ...WORDS,
    id: 'bank',
    undo_seconds: 5,
    recall: true,
    bounces: true,
    currencies: { PHP: { fees: { pct: 1, add: 3 } } },
  },
  { ...WORDS, id: 'quick', bounces: true, currencies: { PHP: {}, USD: {} } },
  { ...WORDS, id: 'mute', currencies: { PHP: { fees: { fixed: 2 } } } },
  {
    ...WORDS,
    id: 'purse',
    currencies: {},
    collect: {
      kind: 'gcash',
      refunds: true,
      covered: false,
      settle_after_seconds: 0,
      currencies: { PHP: { fees: { pct: 2.5, min: 1 } } },
    },
  },
  {
    ...WORDS,
    id: 'code',
    currencies: {},
    collect: { kind: 'qr', covered: false, settle_after_seconds: 3600, accumulates: true, currencies: { PHP: {} } },
  },
  {
    ...WORDS,
    id: 'wallet',
    currencies: { PHP: {} },
    collect: { kind: 'wallet', covered: false, settle_after_seconds: 0, currencies: { PHP: {} } },
    recipient: [{ field: 'wallet', mend: 'Give the id of a wallet.' }],
  },
]

const FACTS = CONFIGS.map((config, i) => channelFacts(config, i + 1, config.id === 'wallet' ? 'both' : 'test'))

export const BOOK: ChannelBook = {
  current: (id) => FACTS.find((each) => each.id === id),
  at: (id, version) => FACTS.find((each) => each.id === id && each.version === version),
  all: () => FACTS,
}

const ASKED = { acceptsReference: true, inquiry: true, recall: false }

/** What the rails of the simulation promise, and keep. */
export const RAILS: Readonly<Record<string, ConnectorCapabilities>> = {
  bank: { ...ASKED, dedupeLifetimeMs: null, notFoundFinalAfterMs: 60_000, recall: true },
  // It forgets its references: what is sent again after that is another order to it.
  quick: { ...ASKED, dedupeLifetimeMs: HOUR_MS, notFoundFinalAfterMs: 5000 },
  // It can be asked nothing, and knows no reference again.
  mute: { ...ASKED, acceptsReference: false, dedupeLifetimeMs: 0, notFoundFinalAfterMs: 0, inquiry: false },
  purse: { ...ASKED, dedupeLifetimeMs: null, notFoundFinalAfterMs: 20_000 },
  code: { ...ASKED, dedupeLifetimeMs: null, notFoundFinalAfterMs: 20_000 },
}

export const COLLECTS: Readonly<Record<string, CollectCapabilities>> = {
  purse: { inquiry: true, refunds: true },
  code: { inquiry: true, refunds: false },
}

export const LEASE_MS = 30_000
