// Payment contracts at every point that the page knows, as values: what the page shows is a function of them.
import type { ShownBrand } from '../../src/app/accounts/brands.ts'
import { qrphCode } from '../../src/connectors/qrph/code.ts'
import type { NextAction } from '../../src/domain/channel/collection.ts'
import type { PaymentKind } from '../../src/domain/payment/kinds.ts'
import type { OfferedMethod } from '../../src/domain/payment/methods.ts'
import type { PaymentRefund, Payment, PaymentAttempt } from '../../src/domain/payment/payment.ts'
import type { Quote } from '../../src/domain/money/quotes.ts'
import { dataUri, rgba } from '../formats/logo-samples.ts'

export const NOW = Date.parse('2026-11-21T10:30:00Z')
const CONTRACT = '01932c07-4b5e-7c31-9d0a-6f2b8e4a1c55'
const IN_20_MINUTES = NOW + 20 * 60_000

export const NAMES: Readonly<Record<PaymentKind, string>> = {
  gcash: 'GCash',
  maya: 'Maya',
  qr: 'QR Ph',
  card: 'Card',
  wallet: 'Gateway wallet',
  crypto: 'USD Coin',
}

const method = (kind: PaymentKind, feeMinor: bigint, asset: OfferedMethod['asset'] = null): OfferedMethod => ({
  kind,
  channelId: kind,
  name: NAMES[kind],
  feeMinor,
  debitMinor: 125_000n + feeMinor,
  asset,
  hosted: kind === 'card',
})

export const METHODS: readonly OfferedMethod[] = [
  method('gcash', 2500n),
  method('maya', 2250n),
  method('qr', 0n),
  method('card', 4875n),
  method('wallet', 0n),
  method('crypto', 1000n, { asset: 'USDC', network: 'eip155:137' }),
]

/** Of a contract over the largest amount. */
const LARGEST = 99_999_999_999_999n
const LONG_METHODS = METHODS.map((each) => ({ ...each, debitMinor: LARGEST - 5000n + each.feeMinor }))

/** The ways of some points. */
export const METHODS_OF: Readonly<Record<string, readonly OfferedMethod[]>> = {
  'choose-nothing': [],
  'choose-same': METHODS.map((each) => ({ ...each, feeMinor: 0n, debitMinor: 125_000n })),
  'choose-fee': METHODS.map((each) => ({ ...each, feeMinor: 1000n, debitMinor: 126_000n })),
  'choose-wallet': METHODS.filter(({ kind }) => kind === 'wallet'),
  long: LONG_METHODS,
}

const SUPPORT = { email: 'help@bangka.example', phone: '+63281234567', url: 'https://bangka.example/help' }
const LOGO = dataUri('image/png', logoPicture())

/** Whom the payer pays, at most points; and at some. */
export const BRAND: ShownBrand = {
  name: 'Bangka Express & Sons',
  logo: null,
  colour: null,
  support: { ...SUPPORT, url: null },
}
const branded = (colour: string): ShownBrand => ({ ...BRAND, logo: LOGO, colour, support: SUPPORT })
const LONG_BRAND = {
  ...branded('#7a1fa2'),
  name: 'Kooperatiba ng mga Mangingisda at Magsasaka ng Hilagang Palawan at Calamian, Inc',
  support: { ...SUPPORT, email: 'tanggapan.ng.tulong.at.reklamo@kooperatiba-ng-hilagang-palawan.example' },
}
export const BRANDS: Readonly<Record<string, ShownBrand>> = {
  'choose-same': branded('#0a7d55'),
  qr: branded('#ffd400'),
  redirect: branded('#00205b'),
  address: branded('#ffffff'),
  'paid-card': branded('#0a7d55'),
  'choose-nothing': { ...BRAND, support: { email: null, phone: null, url: null } },
  long: LONG_BRAND,
  'long-address': LONG_BRAND,
  'long-paid': LONG_BRAND,
}

/** A sail over waves, as a merchant's logo might be: transparent, so that it needs the ground that it gets. */
function logoPicture(): Buffer {
  const [width, height] = [160, 64]
  return rgba(width, height, (x, y) => {
    const isSail = x > 22 && x < 22 + (y - 6) * 0.62 && y > 6 && y < 42
    const isWave = Math.abs(y - 51 - 4 * Math.sin(x / 7)) < 3
    return isSail ? [10, 125, 85, 255] : isWave ? [11, 60, 110, 255] : [0, 0, 0, 0]
  })
}

/** A contract over 1,250.00 PHP on which nothing has happened. */
export function payment(changes: Partial<Payment> = {}): Payment {
  return {
    kind: 'payment',
    id: CONTRACT,
    lane: 1,
    accountId: '01932c07-4b5e-7c31-9d0a-000000000001',
    livemode: false,
    status: 'issued',
    version: 1,
    sequence: 1,
    terms: {
      amountMinor: 125_000n,
      currency: 'PHP',
      issuedTo: 'secret@example.com',
      description: 'Two tickets for the evening ferry to Coron',
      deliverable: { type: 'ticket', referenceId: 'FERRY-2026-0042', description: null, details: 'kept apart' },
      recipient: null,
      channelId: null,
    },
    channelFixed: false,
    channelVersion: null,
    feeMinor: 0n,
    debitMinor: 125_000n,
    returnUrl: 'https://shop.example.com/orders/42',
    warnings: [],
    createdAt: NOW - 600_000,
    updatedAt: NOW - 600_000,
    expiresAt: IN_20_MINUTES,
    issuedAt: NOW - 600_000,
    paidAt: null,
    completedAt: null,
    settlesAt: null,
    walletId: null,
    paidAttempt: null,
    paidBy: null,
    receivedMinor: 0n,
    paidMinor: 0n,
    pendingMinor: 0n,
    refundedMinor: 0n,
    suspenseMinor: 0n,
    unallocatedCount: 0,
    returnsHeld: false,
    heldMinor: 0n,
    attempts: [],
    refunds: [],
    cancellation: null,
    activities: [],
    ...changes,
  }
}

export function attempt(kind: PaymentKind, changes: Partial<PaymentAttempt> = {}): PaymentAttempt {
  const { feeMinor, debitMinor } = METHODS.find((each) => each.kind === kind)!
  return {
    number: 1,
    kind,
    channelId: kind,
    channelVersion: 1,
    reference: '01932c074b5e7c319d0a6f2b8e4a1c55001',
    status: 'pending',
    feeMinor,
    debitMinor,
    quote: null,
    details: {},
    shown: {},
    providerId: 'pay_1',
    nextAction: null,
    receivedUnits: 0n,
    failure: null,
    superseded: false,
    createdAt: NOW - 30_000,
    ...changes,
  }
}

export const QUOTE: Quote = {
  network: 'eip155:137',
  asset: 'USDC',
  token: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  decimals: 6,
  currency: 'PHP',
  rate: '56.40',
  expiresAt: NOW + 15 * 60_000,
  source: 'fixed',
}

const REDIRECT: NextAction = {
  type: 'redirect',
  url: 'https://gcash.example.com/pay/1?a=1&b=2',
  expiresAt: IN_20_MINUTES,
}
const CODE: NextAction = {
  type: 'display_qr',
  data: qrphCode({
    acquirerBic: 'PAEYPHM2',
    merchantId: 'GWTEST0000000000000000012',
    merchantName: 'Bangka Express Inc',
    merchantCity: 'Manila',
    categoryCode: '4789',
    amountDecimal: '1250.00',
    reference: 'aB3dE6fG9hJ2kL5mN8pQ1rS00',
  }),
  expiresAt: NOW + 15 * 60_000,
}
export const ADDRESS: Extract<NextAction, { type: 'display_address' }> = {
  type: 'display_address',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  amount: '22.340426',
  asset: 'USDC',
  network: 'eip155:137',
  uri: 'ethereum:0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359@137/transfer?address=0x52908400098527886E0F7030069857D2E4169EE7&uint256=22340426',
  confirmations: 12,
  expiresAt: NOW + 15 * 60_000,
}

const address = (changes: Partial<PaymentAttempt> = {}) =>
  attempt('crypto', { nextAction: ADDRESS, quote: QUOTE, ...changes })
const failed = (kind: PaymentKind, code: string) =>
  payment({ attempts: [attempt(kind, { status: 'failed', failure: { code, message: 'In the words of the rail.' } })] })
const back = (from: PaymentRefund['from'], status: PaymentRefund['status'], amountMinor: bigint): PaymentRefund => ({
  transferId: '01932c07-4b5e-7c31-9d0a-000000000009',
  from,
  amountMinor,
  currency: 'PHP',
  status,
  at: NOW,
})

const PAID = {
  status: 'paid',
  paidAt: NOW - 5000,
  paidAttempt: 1,
  receivedMinor: 127_500n,
  paidMinor: 127_500n,
  attempts: [attempt('gcash', { status: 'succeeded' })],
} as const

const card = attempt('card', { status: 'succeeded', shown: { brand: 'visa', last4: '4242', expiry: '12/34' } })

const LONG_TERMS: Payment['terms'] = {
  ...payment().terms,
  amountMinor: LARGEST,
  description: `${'Delivery of fresh catch, ice and crates to the public market of Puerto Princesa, as ordered. '.repeat(4)}${'UNBROKEN'.repeat(12)}`,
  deliverable: {
    type: 'order',
    referenceId: 'ORDER-2026-11-21-0000000000000000000000000000000042',
    description: null,
    details: null,
  },
}

/** Every point, by a name that says it. */
export const STATES: Readonly<Record<string, Payment>> = {
  choose: payment(),
  'choose-live': payment({ livemode: true }),
  'choose-nothing': payment({ terms: { ...payment().terms, description: null, deliverable: null }, returnUrl: null }),
  'failed-declined': failed('card', 'card_declined'),
  'failed-stopped': failed('gcash', 'PAYER_CANCELLED'),
  'failed-amount': payment({
    ...failed('qr', 'wrong_amount'),
    receivedMinor: 5000n,
    suspenseMinor: 5000n,
    unallocatedCount: 1,
  }),
  'choose-same': payment(),
  'choose-fee': payment(),
  'choose-wallet': payment(),
  long: payment({ terms: LONG_TERMS, debitMinor: LARGEST }),
  'long-address': payment({
    terms: LONG_TERMS,
    debitMinor: LARGEST,
    attempts: [
      address({ debitMinor: LARGEST, nextAction: { ...ADDRESS, asset: 'ETH', amount: '15873015.873015873015873016' } }),
    ],
  }),
  'long-paid': payment({ ...PAID, terms: LONG_TERMS, attempts: [{ ...card, feeMinor: 0n, debitMinor: LARGEST }] }),
  starting: payment({ attempts: [attempt('maya', { status: 'starting' })] }),
  redirect: payment({ attempts: [attempt('gcash', { nextAction: REDIRECT })] }),
  qr: payment({ attempts: [attempt('qr', { nextAction: CODE })] }),
  address: payment({ attempts: [address()] }),
  part: payment({ attempts: [address()], receivedMinor: 50_000n, suspenseMinor: 50_000n, debitMinor: 126_000n }),
  lapsed: payment({ attempts: [address({ nextAction: { ...ADDRESS, expiresAt: NOW - 1 } })] }),
  'redirect-card': payment({ attempts: [attempt('card', { nextAction: REDIRECT })] }),
  processing: payment({ attempts: [attempt('maya', { status: 'processing' })] }),
  confirming: payment({ attempts: [address({ status: 'processing', shown: { confirmations: '5' } })] }),
  cancelling: payment({
    attempts: [attempt('gcash', { nextAction: REDIRECT })],
    cancellation: { status: 'pending', reason: null, requestedAt: NOW },
  }),
  paid: payment(PAID),
  'paid-card': payment({ ...PAID, status: 'completed', attempts: [card] }),
  excess: payment({ ...PAID, suspenseMinor: 10_000n, unallocatedCount: 1 }),
  refunded: payment({ ...PAID, refunds: [back('payment', 'done', 50_000n), back('suspense', 'open', 10_000n)] }),
  cancelled: payment({ status: 'cancelled' }),
  expired: payment({ status: 'expired', expiresAt: NOW - 1 }),
  late: payment({
    status: 'expired',
    expiresAt: NOW - 1,
    receivedMinor: 125_000n,
    suspenseMinor: 125_000n,
    unallocatedCount: 1,
  }),
  'confirming-rest': payment({
    attempts: [address({ status: 'processing', shown: { confirmations: '1' } })],
    receivedMinor: 50_000n,
    suspenseMinor: 50_000n,
    debitMinor: 126_000n,
  }),
  'held-excess': payment({ ...PAID, suspenseMinor: 10_000n, unallocatedCount: 1, returnsHeld: true }),
  held: payment({
    status: 'cancelled',
    receivedMinor: 125_000n,
    suspenseMinor: 125_000n,
    unallocatedCount: 1,
    returnsHeld: true,
  }),
}
