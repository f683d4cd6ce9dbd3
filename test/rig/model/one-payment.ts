// One payment contract in memory with its job, its receipts, the balances of its account and the transfers that give its
// money back, moved only by decisions. For properties of the domain: it keeps what a database would keep, and judges nothing.
import { PLAIN_WALLET } from '../wallet-settings.ts'
import { type ChannelConfig, channelFacts } from '../../../src/domain/channel/config.ts'
import type { ChannelBook } from '../../../src/domain/channel/channel.ts'
import type { FeeConfig } from '../../../src/domain/money/fees.ts'
import type { PaymentKind } from '../../../src/domain/payment/kinds.ts'
import type { PlainCommand } from '../../../src/domain/transfer/commands.ts'
import { decide } from '../../../src/domain/transfer/decide.ts'
import { decidePayment } from '../../../src/domain/payment/decide.ts'
import type { Decision } from '../../../src/domain/contract/decision.ts'
import { decideEnded } from '../../../src/domain/payment/refunds/refunds.ts'
import type { Outcome } from '../../../src/domain/channel/outcome.ts'
import type { CreatePayment, PaymentCommand } from '../../../src/domain/payment/commands.ts'
import type { PaymentDecision, PaymentFacts } from '../../../src/domain/payment/decision.ts'
import { decideCreatePayment } from '../../../src/domain/payment/draft.ts'
import type { Payment, CollectionJob, Receipt } from '../../../src/domain/payment/payment.ts'
import type { Posting } from '../../../src/domain/money/postings.ts'
import { paymentAsLoaded, transferAsLoaded } from '../../../src/engine/command-table.ts'
import { decideReceive, type Reception } from '../../../src/domain/payment/receive.ts'
import { isRefusal, type Refusal } from '../../../src/domain/contract/refusals.ts'
import type { Attempt, Transfer } from '../../../src/domain/transfer/transfer.ts'
import type { Wallet } from '../../../src/domain/wallet/wallet.ts'

/** A transfer that gives money back, as far as it has come. */
type Child = { transfer: Transfer; attempt: Attempt | null }

/** One version to the next, and by which verb: what the table of moves is compared with. */
export type Step = { readonly verb: string; readonly before: Payment | null; readonly decision: PaymentDecision }

export type OnePayment = {
  nowMs: number
  payment: Payment
  job: CollectionJob | null
  readonly receipts: Map<string, Receipt>
  /** By `currency account`, in minor units; what stands outside goes below zero. */
  readonly balances: Map<string, bigint>
  readonly children: Child[]
  readonly steps: Step[]
  readonly returnsAtOnce: boolean
  /** A recovery adopted the return of whatever is in suspense, and it arrived. */
  hasReturned: boolean
  nextId: number
}

const ID = '01890000-0000-7000-8000-000000000001'
const WORDS = { service: 'payment', description: 'Any rail.', covered: true, undo_seconds: 0, recipient: [] } as const
const DAY_SECONDS = 86_400

function collecting(
  kind: PaymentKind,
  settleAfterSeconds: number,
  extra: Partial<ChannelConfig> = {},
  fees: FeeConfig = { pct: 1, min: 1 },
): ChannelConfig {
  const collect = {
    kind,
    covered: false,
    settle_after_seconds: settleAfterSeconds,
    accumulates: kind === 'crypto',
    refunds: kind === 'gcash' || kind === 'maya',
    currencies: { PHP: { fees } },
  }
  return { ...WORDS, id: kind, name: kind, currencies: { PHP: {}, USD: {} }, collect, ...extra }
}

const ASSET = { network: 'eip155:1', asset: 'USDC', decimals: 6, rates: { PHP: '50' }, quote_seconds: 3600 } as const
const ADDRESS = { field: 'wallet', check: 'evm_address', mend: 'Give an address.' } as const
const ON_CHAIN = { asset: ASSET, currencies: { PHP: {} }, recipient: [ADDRESS] }
const OFFERED = [
  collecting('gcash', DAY_SECONDS),
  collecting('maya', 0),
  collecting('qr', 0),
  collecting('crypto', 0, ON_CHAIN),
  collecting('crypto', 0, { ...ON_CHAIN, id: 'free', asset: { ...ASSET, asset: 'FREE' } }, {}),
  { ...WORDS, id: 'bank', name: 'bank', currencies: { PHP: { fees: { add: 3 } } } },
].map((config) => channelFacts(config, 1, 'test'))
export const PAYMENT_CHANNELS: ChannelBook = {
  current: (id) => OFFERED.find((channel) => channel.id === id),
  at: (id) => OFFERED.find((channel) => channel.id === id),
  all: () => OFFERED,
}

/** A contract of 100 PHP that has just been opened. `returnsAtOnce` is its account's setting. */
export function openPayment(returnsAtOnce: boolean): OnePayment {
  const one: Omit<OnePayment, 'payment'> = {
    nowMs: 1_800_000_000_000,
    job: null,
    receipts: new Map(),
    balances: new Map(),
    children: [],
    steps: [],
    returnsAtOnce,
    hasReturned: false,
    nextId: 1,
  }
  const opened = decideCreatePayment(OPENING, 0, 'account', paymentAsLoaded(OPENING, ID, factsOf(one)))
  if (isRefusal(opened)) throw new Error(opened.message)
  const whole: OnePayment = { ...one, payment: opened.after }
  keep(whole, 'create', null, opened)
  return whole
}

const OPENING: CreatePayment = {
  verb: 'create_payment',
  walletId: null,
  id: ID,
  livemode: false,
  terms: {
    amountMinor: 10_000n,
    currency: 'PHP',
    issuedTo: null,
    description: null,
    deliverable: null,
    recipient: null,
    channelId: null,
  },
  expiresInSeconds: 1800,
  returnUrl: null,
  method: null,
  preview: null,
  warnings: [],
  leaseMs: 1000,
}

/** The same contract apart, without the steps that led to it. */
export function copyOfPayment(one: OnePayment): OnePayment {
  const children = one.children.map((child) => ({ ...child }))
  return { ...one, receipts: new Map(one.receipts), balances: new Map(one.balances), children, steps: [] }
}

/** Money that the account has from elsewhere. */
export function fund(one: OnePayment, amountMinor: bigint): void {
  post(one, 'PHP', [{ debit: 'external', credit: 'available', amountMinor }])
}

/** Decides the command and keeps what the decision writes. */
export function askPayment(one: OnePayment, command: PaymentCommand): PaymentDecision | Reception | Refusal {
  const before = one.payment
  const facts = paymentAsLoaded(command, before.id, factsOf(one))
  if (command.verb !== 'receive') {
    const decision = decidePayment(before, command, facts)
    if (!isRefusal(decision)) keep(one, command.verb, before, decision)
    return decision
  }
  const { report } = command
  if (report === null) throw new Error('an event that says nothing of a payment is kept, and decides nothing')
  const reception = decideReceive(before, { ...command, report }, facts)
  if (!isRefusal(reception)) keep(one, command.verb, before, reception.decision)
  return reception
}

/** What the rail says of the newest transfer that gives money back, and what follows for the contract. */
export function endChild(one: OnePayment, kind: 'delivered' | 'failed' | 'returned'): void {
  const child = one.children.at(-1)
  if (!child?.attempt) throw new Error('nothing is being given back')
  const { id, terms } = child.transfer
  const outcome = { kind, code: 'c', message: 'm', providerId: null } as Outcome
  const rail = { channelId: terms.channelId ?? '', connector: CONNECTOR }
  const number = child.attempt.number
  if (child.attempt.status === 'queued')
    onChild(one, child, { verb: 'submit', id, leaseMs: 1000, connector: CONNECTOR })
  onChild(one, child, { verb: 'report', id, number, fence: null, outcome, ...rail })
}

const CONNECTOR = { notFoundFinalAfterMs: 1000, dedupeLifetimeMs: null, inquiry: true }

function onChild(one: OnePayment, child: Child, command: PlainCommand): void {
  const before = child.transfer
  const { attempt } = child
  const account = { refundsAtOnce: true, onFailure: { retries: 0, fallbackChannels: [] } }
  const facts = transferAsLoaded(command, before.id, before, {
    ...factsOf(one),
    ...account,
    attempt,
    parent: one.payment,
  })
  const decision = decide(before, command, facts)
  if (isRefusal(decision)) throw new Error(decision.message)
  child.attempt = decision.attempt ?? child.attempt
  if (!decision.changed) return
  child.transfer = decision.after
  post(one, decision.after.terms.currency, decision.postings)
  const parent = one.payment
  const known = paymentAsLoaded(command, parent.id, factsOf(one))
  keep(one, 'transfer ended', parent, decideEnded(parent, before, decision.after, known))
}

function keep(one: OnePayment, verb: string, before: Payment | null, decision: PaymentDecision): void {
  if (decision.changed || decision.job) one.steps.push({ verb, before, decision })
  if (decision.changed) one.payment = decision.after
  one.job = decision.job ?? one.job
  for (const { walletId, ...posting } of decision.placed) post(one, walletId, [posting])
  for (const receipt of decision.receipts) one.receipts.set(receipt.objectId, receipt)
  if (decision.spawned) adopt(one, decision.spawned)
  if (decision.next) keep(one, verbOfNext(verb, decision.next), decision.after, decision.next)
}

/** By which move of the table the rest of a decision goes: a method named at creation, and settlement that is due at once. */
function verbOfNext(verb: string, { event }: PaymentDecision): string {
  if (event === 'contract.completed') return 'process_due'
  return verb === 'create' ? 'choose' : verb
}

function adopt(one: OnePayment, { after, attempt, postings }: Decision): void {
  one.children.push({ transfer: after, attempt })
  post(one, after.terms.currency, postings)
}

/** A wallet is named by its currency here. */
function post({ balances }: OnePayment, currency: string, postings: readonly Posting[]): void {
  for (const { debit, credit, amountMinor } of postings) {
    balances.set(`${currency} ${debit}`, (balances.get(`${currency} ${debit}`) ?? 0n) - amountMinor)
    balances.set(`${currency} ${credit}`, (balances.get(`${currency} ${credit}`) ?? 0n) + amountMinor)
  }
}

function factsOf(one: Omit<OnePayment, 'payment'>): PaymentFacts {
  const { nowMs, job, receipts, returnsAtOnce, hasReturned } = one
  return {
    nowMs,
    channels: PAYMENT_CHANNELS,
    wallet: (walletId, currency) =>
      ['PHP', 'USD'].includes(currency) ? walletOf(one, walletId ?? currency) : undefined,
    job,
    booked: (objectId) => receipts.get(objectId),
    waiting: () => [...receipts.values()].filter((each) => each.suspenseMinor > 0n),
    returnId: ({ objectId }) => `return of ${objectId}`,
    adoptedReturn: ({ objectId, currency, suspenseMinor: amountMinor }) =>
      hasReturned ? { id: `return of ${objectId}`, status: 'completed', terms: { currency, amountMinor } } : undefined,
    returnsAtOnce,
    rulesElsewhere: () => null,
  }
}

function walletOf({ balances }: Pick<OnePayment, 'balances'>, id: string): Wallet {
  const has = (account: string) => balances.get(`${id} ${account}`) ?? 0n
  return {
    lane: 0,
    accountId: 'account',
    id,
    currency: id,
    availableMinor: has('available'),
    heldMinor: has('held'),
    inTransitMinor: has('in_transit'),
    pendingMinor: has('pending'),
    suspenseMinor: has('suspense'),
    ...PLAIN_WALLET,
    sequence: 0,
  }
}

/** What the account's balances have against its contract, in words. */
export function moneyFaults({ balances, payment, receipts }: OnePayment): string[] {
  const has = (account: string) => balances.get(account) ?? 0n
  const floored = ['available', 'held', 'in_transit', 'pending', 'suspense']
  const suspended = (currency: string) =>
    [...receipts.values()].reduce((sum, each) => sum + (each.currency === currency ? each.suspenseMinor : 0n), 0n)
  const rules: [string, boolean][] = [
    ['a balance is below zero', ['PHP', 'USD'].every((unit) => floored.every((name) => has(`${unit} ${name}`) >= 0n))],
    ['the postings do not balance', [...balances.values()].reduce((sum, each) => sum + each, 0n) === 0n],
    ['pending is not the contract’s', has('PHP pending') === payment.pendingMinor],
    ['suspense is not the contract’s', has('PHP suspense') === payment.suspenseMinor],
    ['suspense is not the receipts’', ['PHP', 'USD'].every((unit) => has(`${unit} suspense`) === suspended(unit))],
    ['more was refunded than was paid', payment.refundedMinor <= payment.paidMinor && payment.refundedMinor >= 0n],
    ['more of a receipt is in suspense than came', [...receipts.values()].every(isWithin)],
    ['misfits are miscounted', misfitsOf(receipts) === payment.unallocatedCount],
  ]
  return rules.filter(([, holds]) => !holds).map(([fault]) => fault)
}

const isWithin = ({ amountMinor, suspenseMinor }: Receipt) => suspenseMinor >= 0n && suspenseMinor <= amountMinor

const misfitsOf = (receipts: OnePayment['receipts']) =>
  [...receipts.values()].filter(({ suspenseMinor, reason }) => suspenseMinor > 0n && reason !== 'partial').length
