// Payment contracts at every point that the page knows, as values: what the page shows is a function of them.
import type { NextAction } from '../../src/domain/channel/collection.ts'
import type { PaymentKind } from '../../src/domain/payment/kinds.ts'
import type { OfferedMethod } from '../../src/domain/payment/methods.ts'
import type { PaymentRefund, Payment, PaymentAttempt } from '../../src/domain/payment/payment.ts'
import type { Quote } from '../../src/domain/money/quotes.ts'

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
})

export const METHODS: readonly OfferedMethod[] = [
  method('gcash', 2500n),
  method('maya', 2250n),
  method('qr', 0n),
  method('card', 4875n),
  method('wallet', 0n),
  method('crypto', 1000n, { asset: 'USDC', network: 'eip155:137' }),
]

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
  data: '00020101021228770011ph.ppmi.p2m0111PAEYPHM2XXX0324GWTEST000000000000000012050300052045999530360854071250.005802PH5918Bangka Express Inc6006MANILA62290525aB3dE6fG9hJ2kL5mN8pQ1rS0018836001288000010ph.ppmi.qr6304ABCD',
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
  starting: payment({ attempts: [attempt('maya', { status: 'starting' })] }),
  redirect: payment({ attempts: [attempt('gcash', { nextAction: REDIRECT })] }),
  qr: payment({ attempts: [attempt('qr', { nextAction: CODE })] }),
  address: payment({ attempts: [address()] }),
  part: payment({ attempts: [address()], receivedMinor: 50_000n, suspenseMinor: 50_000n, debitMinor: 126_000n }),
  lapsed: payment({ attempts: [address({ nextAction: { ...ADDRESS, expiresAt: NOW - 1 } })] }),
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
