// The channels that are shipped, as configuration: prices and limits are data, and an operator's file replaces them.
import type { ChannelConfig } from '../domain/channel-config.ts'

const SANDBOX_FEES = {
  PHP: { pct: 0.5, add: 10, max: 250 },
  USD: { pct: 0.5, add: 0.25, max: 5 },
  EUR: { pct: 0.5, add: 0.25, max: 5 },
  GBP: { pct: 0.5, add: 0.2, max: 5 },
  JPY: { pct: 0.5, add: 25, max: 700 },
  SGD: { pct: 0.5, add: 0.3, max: 7 },
  HKD: { pct: 0.5, add: 2, max: 40 },
  AUD: { pct: 0.5, add: 0.4, max: 8 },
  IDR: { pct: 0.5, add: 2500, max: 75_000 },
  MYR: { pct: 0.5, add: 1, max: 20 },
  THB: { pct: 0.5, add: 8, max: 170 },
  VND: { pct: 0.5, add: 5000, max: 120_000 },
  KWD: { pct: 0.5, add: 0.075, max: 1.5 },
}

export const SHIPPED_CHANNELS: readonly ChannelConfig[] = [
  {
    id: 'sandbox',
    service: 'payment',
    name: 'Sandbox',
    description:
      'Pays out through the sandbox provider, which plays every outcome of a real rail. No real money moves.',
    covered: true,
    undo_seconds: 5,
    currencies: Object.fromEntries(Object.entries(SANDBOX_FEES).map(([currency, fees]) => [currency, { fees }])),
    recipient: [
      { field: 'name', mend: 'Give the name of the person or firm that is to receive the money.' },
      { field: 'wallet', mend: 'Give the account number at the sandbox provider; any text does.' },
    ],
  },
  {
    id: 'wallet',
    service: 'payment',
    name: 'Gateway wallet',
    description: 'Moves money to another wallet of this gateway, at once and free of charge.',
    covered: true,
    undo_seconds: 0,
    currencies: Object.fromEntries(Object.keys(SANDBOX_FEES).map((currency) => [currency, {}])),
    recipient: [
      {
        field: 'wallet',
        pattern: '[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}',
        mend: 'Give the id of the receiving wallet (GET /wallets of its owner).',
      },
    ],
  },
]
