// The channels that are shipped, as configuration: prices and limits are data, and an operator's file replaces them.
import type { ChannelConfig } from '../domain/channel/config.ts'
import { BANK_HOLIDAYS } from '../domain/schedule/holidays.ts'

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

const DAY_SECONDS = 86_400

const BANK_ACCOUNT: ChannelConfig['recipient'] = [
  { field: 'name', mend: 'Give the name of the person or firm that holds the account.' },
  {
    field: 'wallet',
    pattern: '[0-9A-Z-]{5,34}',
    mend: 'Give the account number: 5 to 34 digits, capital letters or dashes.',
  },
  {
    field: 'tag',
    // A BIC has 8 or 11 characters; a clearing house knows its members by shorter codes, too.
    pattern: '[0-9A-Z]{3,11}',
    mend: "Give the recipient's bank: its BIC, such as BOPIPHMM, or its code at the clearing house.",
  },
]

const MOBILE_WALLET: ChannelConfig['recipient'] = [
  { field: 'name', mend: 'Give the name of the person or firm that holds the wallet.' },
  {
    field: 'mobile',
    pattern: String.raw`\+639\d{9}`,
    mend: 'Give the mobile number of the wallet in international form, such as +639171234567.',
  },
]

export const SHIPPED_CHANNELS: readonly ChannelConfig[] = [
  {
    id: 'sandbox',
    service: 'payment',
    name: 'Sandbox',
    description:
      'Pays out through the sandbox provider, which plays every outcome of a real rail. No real money moves.',
    covered: true,
    undo_seconds: 5,
    recall: true,
    bounces: true,
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
    arrival_seconds: 0,
    collect: {
      kind: 'wallet',
      covered: false,
      settle_after_seconds: 0,
      currencies: Object.fromEntries(Object.keys(SANDBOX_FEES).map((currency) => [currency, {}])),
    },
    currencies: Object.fromEntries(Object.keys(SANDBOX_FEES).map((currency) => [currency, {}])),
    recipient: [
      {
        field: 'wallet',
        pattern: '[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}',
        mend: 'Give the id of the receiving wallet (GET /wallets of its owner).',
      },
    ],
  },
  {
    id: 'instapay',
    service: 'payment',
    name: 'InstaPay',
    description:
      'Sends pesos to an account at another bank or e-wallet in the Philippines within a minute, at any time.',
    covered: true,
    undo_seconds: 5,
    arrival_seconds: 60,
    bounces: true,
    currencies: { PHP: { max: 50_000, fees: { fixed: 15 } } },
    recipient: BANK_ACCOUNT,
  },
  {
    id: 'pesonet',
    service: 'payment',
    name: 'PESONet',
    description:
      'Sends pesos of any amount to a bank account in the Philippines with the next batch of a banking day. They arrive that day.',
    covered: true,
    undo_seconds: 5,
    windows: { utc_offset: '+08:00', cut_offs: ['10:00', '13:00', '15:30'], holidays: BANK_HOLIDAYS.PH },
    arrival_seconds: 3 * 3600,
    bounces: true,
    currencies: { PHP: { fees: { fixed: 25 } } },
    recipient: BANK_ACCOUNT,
  },
  {
    id: 'gcash',
    service: 'payment',
    name: 'GCash',
    description: 'Sends pesos to the GCash wallet of a mobile number in the Philippines within a minute.',
    covered: true,
    undo_seconds: 5,
    arrival_seconds: 60,
    bounces: true,
    collect: {
      kind: 'gcash',
      covered: false,
      settle_after_seconds: DAY_SECONDS,
      currencies: { PHP: { min: 1, max: 100_000, fees: { pct: 2.5, min: 1 } } },
    },
    currencies: { PHP: { max: 50_000, fees: { fixed: 10 } } },
    recipient: MOBILE_WALLET,
  },
  {
    id: 'maya',
    service: 'payment',
    name: 'Maya',
    description: 'Sends pesos to the Maya wallet of a mobile number in the Philippines within a minute.',
    covered: true,
    undo_seconds: 5,
    arrival_seconds: 60,
    bounces: true,
    collect: {
      kind: 'maya',
      covered: false,
      settle_after_seconds: DAY_SECONDS,
      currencies: { PHP: { min: 1, max: 100_000, fees: { pct: 2, min: 1 } } },
    },
    currencies: { PHP: { max: 100_000, fees: { fixed: 15 } } },
    recipient: MOBILE_WALLET,
  },
  {
    id: 'qrph',
    service: 'payment',
    name: 'QR Ph',
    description: 'Brings in pesos from any bank or e-wallet in the Philippines that scans a QR Ph code.',
    covered: false,
    undo_seconds: 0,
    collect: {
      kind: 'qr',
      covered: false,
      settle_after_seconds: 0,
      currencies: { PHP: { min: 1, max: 50_000, fees: { pct: 1, min: 1 } } },
    },
    currencies: {},
    recipient: [],
  },
  {
    id: 'card',
    service: 'payment',
    name: 'Card',
    description: 'Brings in money from a card that its provider has made a token of. Card numbers never come here.',
    covered: false,
    undo_seconds: 0,
    collect: {
      kind: 'card',
      covered: false,
      settle_after_seconds: 2 * DAY_SECONDS,
      currencies: {
        PHP: { min: 20, fees: { pct: 3.5, add: 15 } },
        USD: { min: 0.5, fees: { pct: 3.5, add: 0.3 } },
      },
    },
    currencies: {},
    recipient: [],
  },
]

/** The shipped channels that help texts, the API's pages and the demo take for their examples, by what each shows. */
export const EXAMPLES = {
  trial: 'sandbox',
  bank: 'instapay',
  batch: 'pesonet',
  eWallet: 'gcash',
  otherEWallet: 'maya',
  code: 'qrph',
} as const
