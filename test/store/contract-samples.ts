// Contracts for the tests of their stored form: one of each kind with every member set, and generated ones.
import fc from 'fast-check'
import type { Payment, PaymentAttempt } from '../../src/domain/payment/payment.ts'
import type {
  Activity,
  Deliverable,
  Execution,
  NamedProfile,
  Recipient,
  Terms,
  Transfer,
  UsedProfile,
} from '../../src/domain/transfer/transfer.ts'
import type { Quote } from '../../src/domain/money/quotes.ts'

export const KEY = {
  lane: 7,
  accountId: '0198c0de-0000-7000-8000-00000000000a',
  id: '0198c0de-0000-7000-8000-00000000000b',
}

const QUOTE: Quote = {
  network: 'eip155:1',
  asset: 'USDC',
  token: '0x00000000000000000000000000000000000000aa',
  decimals: 6,
  currency: 'PHP',
  rate: '57.1',
  expiresAt: 1_760_000_900_000,
  source: 'fixed',
}

const TERMS: Terms = {
  amountMinor: 12_345_678_901_234_567_890n,
  currency: 'PHP',
  issuedTo: 'Ana "the payer" Cruz',
  description: 'Rent, October',
  deliverable: { type: 'invoice', referenceId: 'INV-1', description: null, details: 'two rooms' },
  recipient: {
    name: 'Ben Reyes',
    email: null,
    mobile: '+639170000001',
    wallet: null,
    tag: '42',
    address: '1 Main St',
    country: 'PH',
  },
  recipientProfile: {
    profile: '0198c0de-0000-7000-8000-0000000000aa',
    profileVersion: 3,
    destination: '0198c0de-0000-7000-8000-0000000000bb',
    destinationVersion: 2,
  },
  issuedToProfile: { profile: '0198c0de-0000-7000-8000-0000000000aa', profileVersion: 3 },
  channelId: 'sandbox-bank',
  metadata: { order: '17', '': 'empty', unit: 'ü\\' },
}

const KEPT = ['kind', 'id', 'lane', 'accountId', 'status', 'version', 'sequence', 'createdAt', 'updatedAt', 'expiresAt']

const NO_EXECUTION: Execution = { status: 'none', number: 0, reference: null, submittedAt: null, failure: null }

const BARE_TERMS: Terms = {
  amountMinor: 0n,
  currency: 'PHP',
  issuedTo: null,
  description: null,
  deliverable: null,
  recipient: null,
  channelId: null,
}

export const FULL_TRANSFER: Transfer = {
  kind: 'transfer',
  ...KEY,
  livemode: true,
  status: 'cancelled',
  version: 9,
  sequence: 5,
  terms: TERMS,
  channelVersion: 3,
  quote: QUOTE,
  feeMinor: 1500n,
  debitMinor: 12_345_678_901_234_569_390n,
  warnings: [{ code: 'late', type: 'warning', message: 'after the cut-off' }],
  payeeFaults: [{ code: 'wallet_unknown', type: 'error', message: 'no such wallet' }],
  createdAt: 1_760_000_000_000,
  updatedAt: 1_760_000_000_500,
  expiresAt: 1_760_000_900_000,
  issuedAt: 1_760_000_000_100,
  paidAt: 1_760_000_000_200,
  completedAt: 1_760_000_000_300,
  walletId: '0198c0de-0000-7000-8000-00000000000c',
  heldMinor: 77n,
  execution: {
    status: 'failed',
    number: 2,
    reference: 'ref-2',
    submittedAt: 1_760_000_000_250,
    failure: { code: 'account_closed', message: 'closed' },
    reported: { code: 'refused', message: 'refused', as: 'failed' },
  },
  cancellation: { status: 'done', reason: null, requestedAt: 1_760_000_000_400 },
  refund: { amountMinor: 88n, at: 1_760_000_000_450 },
  origin: { paymentId: KEY.id, from: 'suspense', refundOf: 'rail-9', refundOfAttempts: [2, 1], pendingMinor: 66n },
  pays: '0198c0de-0000-7000-8000-00000000000d',
  activities: [
    { type: 'created', at: 1_760_000_000_000, actor: 'account', data: null, proxy: 'key_one' },
    {
      type: 'updated',
      at: 1_760_000_000_010,
      actor: 'account',
      data: null,
      changes: { changed: ['amount'], before: { amount: '1.00' }, after: { amount: null } },
      proxy: 'key_two',
    },
    { type: 'paid', at: 1_760_000_000_200, actor: 'payer', data: null, proxy: null },
    { type: 'cancelled', at: 1_760_000_000_500, actor: 'gateway', data: { reason: 'x', tries: 2 }, proxy: null },
    { type: 'refunded', at: 1_760_000_000_500, actor: 'account', data: null, proxy: null },
  ],
  folded: 4,
}

const FULL_ATTEMPT: PaymentAttempt = {
  number: 2,
  kind: 'crypto',
  channelId: 'sandbox-crypto',
  channelVersion: 4,
  reference: 'ref-b',
  status: 'succeeded',
  feeMinor: 9n,
  debitMinor: 1009n,
  quote: QUOTE,
  details: { refund_address: '0xaa' },
  shown: { confirmations: '12' },
  providerId: 'pay_1',
  nextAction: { type: 'redirect', url: 'https://rail.test/1', expiresAt: null },
  receivedUnits: 123_456n,
  failure: { code: 'declined', message: 'no' },
  superseded: true,
  createdAt: 1_760_000_000_020,
}

const PLAIN_ATTEMPT: PaymentAttempt = {
  number: 1,
  kind: 'gcash',
  channelId: 'sandbox-gcash',
  channelVersion: 1,
  reference: 'ref-a',
  status: 'starting',
  feeMinor: 0n,
  debitMinor: 1000n,
  quote: null,
  details: {},
  shown: {},
  providerId: null,
  nextAction: null,
  receivedUnits: 0n,
  failure: null,
  superseded: false,
  createdAt: 1_760_000_000_010,
}

export const FULL_PAYMENT: Payment = {
  kind: 'payment',
  ...KEY,
  livemode: true,
  status: 'completed',
  version: 8,
  sequence: 6,
  terms: TERMS,
  channelFixed: true,
  channelVersion: 4,
  feeMinor: 9n,
  debitMinor: 1009n,
  returnUrl: 'https://shop.test/done',
  warnings: [{ code: 'late', type: 'info', message: 'tomorrow' }],
  createdAt: 1_760_000_000_000,
  updatedAt: 1_760_000_000_500,
  expiresAt: 1_760_000_900_000,
  issuedAt: 1_760_000_000_000,
  paidAt: 1_760_000_000_200,
  completedAt: 1_760_000_000_300,
  settlesAt: 1_760_000_000_280,
  walletId: '0198c0de-0000-7000-8000-00000000000c',
  paidAttempt: 2,
  paidBy: { objectId: 'obj_1', payer: { channelId: 'sandbox-bank', recipient: { name: 'Ana' } } },
  payerProfile: { profile: '0198c0de-0000-7000-8000-0000000000cc', profileVersion: 1 },
  receivedMinor: 1200n,
  paidMinor: 1009n,
  pendingMinor: 5n,
  refundedMinor: 6n,
  suspenseMinor: 191n,
  unallocatedCount: 1,
  returnsHeld: true,
  heldMinor: 0n,
  attempts: [PLAIN_ATTEMPT, FULL_ATTEMPT],
  refunds: [{ transferId: KEY.id, from: 'payment', amountMinor: 6n, currency: 'PHP', status: 'open', at: 17 }],
  cancellation: { status: 'refused', reason: 'paid', requestedAt: 1_760_000_000_250 },
  activities: [
    { type: 'issued', at: 1_760_000_000_000, actor: 'account', data: null, proxy: 'key_one' },
    { type: 'attempt_started', at: 1_760_000_000_010, actor: 'payer', data: { number: 1 }, proxy: null },
    { type: 'payment_suspended', at: 1_760_000_000_500, actor: 'gateway', data: null, proxy: null },
  ],
}

function of<T>(...values: readonly T[]): fc.Arbitrary<T> {
  return fc.constantFrom(...values)
}

const text = fc.string({ maxLength: 12 })
const time = fc.integer({ min: 0, max: 4_000_000_000_000 })
const minor = fc.bigInt({ min: 0n, max: 10n ** 18n })
const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null })
const record = <T>(members: { [member in keyof T]: fc.Arbitrary<T[member]> }) =>
  fc.record<T>(members, { noNullPrototype: true })
const words = fc.dictionary(fc.string({ minLength: 1, maxLength: 6 }), text, { maxKeys: 3, noNullPrototype: true })

const deliverable = record<Deliverable>({
  type: optional(text),
  referenceId: optional(text),
  description: optional(text),
  details: optional(text),
})

const recipient = record<Recipient>({
  name: optional(text),
  email: optional(text),
  mobile: optional(text),
  wallet: optional(text),
  tag: optional(text),
  address: optional(text),
  country: optional(text),
})

const usedProfile = record<UsedProfile>({
  profile: fc.uuid(),
  profileVersion: fc.nat(),
  destination: optional(fc.uuid()),
  destinationVersion: optional(fc.nat()),
})

const terms = fc
  .tuple(
    record<Required<Terms>>({
      amountMinor: minor,
      currency: of('PHP', 'JPY'),
      issuedTo: optional(text),
      description: optional(text),
      deliverable: optional(deliverable),
      recipient: optional(recipient),
      recipientProfile: usedProfile,
      issuedToProfile: record<NamedProfile>({ profile: fc.uuid(), profileVersion: fc.nat() }),
      channelId: optional(text),
      metadata: words,
    }),
    fc.boolean(),
  )
  .map(
    ([{ metadata, recipientProfile, issuedToProfile, ...bare }, isBare]): Terms =>
      isBare ? bare : { ...bare, metadata, recipientProfile, issuedToProfile },
  )

const activity: fc.Arbitrary<Activity> = fc
  .record({
    sample: of(...FULL_TRANSFER.activities, ...FULL_PAYMENT.activities),
    at: time,
    by: optional(of('key_one', 'key_two', 'key_three')),
    epoch: optional(of(2, 3)),
  })
  .map(({ sample, at, by, epoch }) => {
    const line = { ...sample, at, proxy: sample.actor === 'account' ? by : null }
    return epoch === null ? line : { ...line, epoch }
  })

const { status, number, reference, submittedAt, failure } = FULL_TRANSFER.execution
const FAILED: Execution = { status, number, reference, submittedAt, failure }

/** As they are while nothing has happened: a draft without anything, and a payment contract that nobody has looked at. */
export const BARE_TRANSFER = bareTransfer()
export const BARE_PAYMENT: Payment = {
  ...barePayment(),
  terms: BARE_TERMS,
  livemode: false,
  channelFixed: false,
  issuedAt: FULL_PAYMENT.issuedAt,
  unallocatedCount: 0,
  returnsHeld: false,
}

function barePayment(): Payment {
  const { payerProfile: _, ...bare } = bareOf(FULL_PAYMENT)
  return bare
}

function bareTransfer(): Transfer {
  const { payeeFaults: _, folded: __, ...bare } = bareOf(FULL_TRANSFER)
  return { ...bare, terms: BARE_TERMS, livemode: false, execution: NO_EXECUTION }
}

export const transfers: fc.Arbitrary<Transfer> = fc
  .record({
    ...membersOf(FULL_TRANSFER),
    terms,
    feeMinor: minor,
    debitMinor: minor,
    heldMinor: minor,
    livemode: fc.boolean(),
    version: fc.nat(),
    execution: of(NO_EXECUTION, FAILED, { ...FAILED, failure: null }, FULL_TRANSFER.execution),
    activities: fc.array(activity, { maxLength: 6 }),
    isBare: fc.boolean(),
    channelVersion: optional(fc.nat()),
  })
  .map(({ isBare, payeeFaults, folded, channelVersion, ...rest }) => ({
    ...rest,
    channelVersion: rest.terms.channelId === null ? null : channelVersion,
    ...(isBare || !payeeFaults ? {} : { payeeFaults }),
    ...(isBare || !folded ? {} : { folded }),
  }))

export const payments: fc.Arbitrary<Payment> = fc
  .record({
    ...membersOf(FULL_PAYMENT),
    terms,
    livemode: fc.boolean(),
    channelFixed: fc.boolean(),
    returnsHeld: fc.boolean(),
    debitMinor: minor,
    receivedMinor: minor,
    suspenseMinor: minor,
    unallocatedCount: fc.nat(),
    issuedAt: time,
    attempts: fc.array(of(PLAIN_ATTEMPT, FULL_ATTEMPT), { maxLength: 3 }),
    activities: fc.array(activity, { maxLength: 6 }),
  })
  .map(({ payerProfile, ...payment }) => ({
    ...payment,
    ...(payerProfile && { payerProfile }),
    channelVersion: payment.terms.channelId === null ? null : payment.channelVersion,
    heldMinor: 0n,
  }))

/** Each member as the sample has it, or as it is while nothing has happened. */
function membersOf<T extends object>(sample: T): { [member in keyof T]: fc.Arbitrary<T[member]> } {
  const bare = bareOf(sample)
  const entries = Object.entries(sample).map(([member, value]) => [member, of(value, bare[member as keyof T])])
  return Object.fromEntries(entries) as { [member in keyof T]: fc.Arbitrary<T[member]> }
}

/** The sample without what comes later: null, nothing, none. */
function bareOf<T extends object>(sample: T): T {
  const bare = (value: unknown) => (typeof value === 'bigint' ? 0n : Array.isArray(value) ? [] : null)
  const entries = Object.entries(sample).map(([member, value]) => [member, KEPT.includes(member) ? value : bare(value)])
  return Object.fromEntries(entries) as T
}
