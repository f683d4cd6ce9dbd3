// One paid contract in memory with its attempt and its balances, moved only by decisions. For properties of the domain:
// it keeps what a database would keep, and judges nothing.
import { PLAIN_WALLET } from '../wallet-settings.ts'
import { channelFacts } from '../../../src/domain/channel/config.ts'
import type { ChannelBook } from '../../../src/domain/channel/channel.ts'
import { decideAdopt } from '../../../src/domain/recovery/adoption.ts'
import type { AdoptTransfer, CreateTransfer, TransferCommand } from '../../../src/domain/transfer/commands.ts'
import { invariant } from '../../../src/domain/invariant.ts'
import { decide } from '../../../src/domain/transfer/decide.ts'
import type { Decision, Facts, Rules } from '../../../src/domain/contract/decision.ts'
import { decideCreate } from '../../../src/domain/transfer/draft.ts'
import { isLookAgain } from '../../../src/domain/transfer/payees.ts'
import type { Payment } from '../../../src/domain/payment/payment.ts'
import { isRefusal, type Refusal } from '../../../src/domain/contract/refusals.ts'
import { type Attempt, NO_RECIPIENT, type Transfer } from '../../../src/domain/transfer/transfer.ts'
import { newVerification, type Verification } from '../../../src/domain/verifier/verification.ts'
import { type OnePayment, PAYMENT_CHANNELS } from './one-payment.ts'

/** What one decision wrote, and by which verb: what the table of moves is compared with. */
export type TransferStep = { readonly verb: string; readonly before: Transfer | null; readonly decision: Decision }

export type OneContract = {
  nowMs: number
  contract: Transfer
  attempt: Attempt | null
  /** What each account gained or lost, in minor units. */
  readonly balances: Map<string, bigint>
  readonly events: string[]
  readonly steps: TransferStep[]
  readonly refundsAtOnce: boolean
  readonly onFailure: Facts['onFailure']
  readonly channels: ChannelBook
  /** The payment contract whose money this gives back. */
  readonly parent: Payment | null
}

const RAIL = {
  service: 'payment',
  name: 'Rail',
  description: 'Any rail.',
  covered: true,
  undo_seconds: 5,
  currencies: { PHP: { fees: { pct: 1, add: 3 } } },
  recipient: [],
}
/** The channel that prices the contract, two others that its money may leave through, and one that asks no fee. */
const CHANNELS_OFFERED = [
  ...['rail', 'other', 'third'].map((id) => channelFacts({ id, ...RAIL }, 1, 'test')),
  channelFacts({ ...RAIL, id: 'free', currencies: { PHP: {} } }, 1, 'test'),
]
const CHANNELS: ChannelBook = {
  current: (id) => CHANNELS_OFFERED.find((channel) => channel.id === id),
  at: (id, version) => CHANNELS_OFFERED.find((channel) => channel.id === id && channel.version === version),
  all: () => CHANNELS_OFFERED,
}
const ID = '01890000-0000-7000-8000-000000000001'
const WALLET = '01890000-0000-7000-8000-000000000002'
export const TERMS_HASH = 'a'.repeat(64)
const OPENING_MINOR = 1_000_000n

const DRAFT: CreateTransfer = {
  verb: 'create_transfer',
  id: ID,
  livemode: false,
  terms: {
    amountMinor: 10_000n,
    currency: 'PHP',
    issuedTo: null,
    description: null,
    deliverable: null,
    recipient: null,
    channelId: 'rail',
  },
  expiresInSeconds: 3600,
  preview: null,
  warnings: [],
  pays: null,
}

const NO_RETRIES = { retries: 0, fallbackChannels: [] }

/** A new contract. `refundsAtOnce` and `onFailure` are its account's settings. */
export function draftContract(
  refundsAtOnce: boolean,
  onFailure: Facts['onFailure'] = NO_RETRIES,
  channelId = 'rail',
): OneContract {
  const nothing = {
    nowMs: 1_800_000_000_000,
    attempt: null,
    balances: new Map([['available', OPENING_MINOR]]),
    events: [],
    refundsAtOnce,
    onFailure,
    channels: CHANNELS,
    parent: null,
  }
  const draft = decideCreate({ ...DRAFT, terms: { ...DRAFT.terms, channelId } }, 0, 'account', factsOf(nothing))
  if (isRefusal(draft)) throw new Error(draft.message)
  return { ...nothing, contract: draft.after, steps: [{ verb: 'create', before: null, decision: draft }] }
}

/** A draft of which two members will be asked. */
export function heldContract(): OneContract {
  const one = draftContract(false)
  const need = { policyId: 'policy', version: 1, name: 'Two of them', count: 2, role: null }
  const requirements = { askedAt: one.nowMs, approvals: [need], verifications: [], given: [] }
  return { ...one, contract: { ...one.contract, requirements } }
}

/** A contract that has just been paid. */
export function paidContract(...settings: Parameters<typeof draftContract>): OneContract {
  const one = draftContract(...settings)
  must(ask(one, { verb: 'issue', id: ID, preview: null }))
  must(ask(one, { verb: 'pay', id: ID, preview: null, walletId: null }))
  return one
}

/** The transfer that a payment contract has just opened to give money back. */
export function givingBack({ nowMs, payment, balances, steps }: OnePayment): OneContract {
  const decision = steps.at(-1)?.decision.spawned
  if (!decision) throw new Error('nothing is being given back')
  const { after: contract, attempt } = decision
  const own = [...balances].map(([name, minor]): [string, bigint] => [name.replace('PHP ', ''), minor])
  return {
    nowMs,
    contract,
    attempt,
    balances: new Map(own),
    events: [],
    steps: [{ verb: 'refund', before: null, decision }],
    refundsAtOnce: false,
    onFailure: NO_RETRIES,
    channels: PAYMENT_CHANNELS,
    parent: payment,
  }
}

/** Decides the command, under the rules of policies if there are any, and keeps what the decision writes. */
export function ask(one: OneContract, command: TransferCommand, rules: Rules | null = null): Decision | Refusal {
  const decision = decide(one.contract, command, { ...factsOf(one), rules, verification: askedAbout(one.contract) })
  if (isRefusal(decision)) return decision
  invariant(!isLookAgain(decision), 'no channel here pays wallets of the gateway')
  // What policies ask for is requested in place of the payment.
  keep(one, decision.answer?.code.endsWith('_required') ? 'request' : command.verb, decision)
  if (decision.next) keep(one, command.verb === 'reject' ? 'cancel' : 'request', decision.next)
  return decision
}

/** Takes in an order that a rail executed and the books have forgotten; `known` null where they do not have the contract at all. */
export function adopt(one: OneContract, known: Transfer | null, command: AdoptTransfer): Decision | Refusal {
  const decision = decideAdopt(known, command, { lane: 0, accountId: 'account' }, factsOf(one))
  if (isRefusal(decision)) return decision
  if (decision.changed || decision.attempt) one.steps.push({ verb: 'adopt', before: known, decision })
  return written(one, decision)
}

const asked = new Map<string, Verification>()

/** Walks ask millions of commands of a few contracts: it is made once for each of these. */
function askedAbout({ id, lane, accountId, livemode }: Transfer): Verification {
  const known = asked.get(id)
  if (known !== undefined) return known
  const of = { id, lane, accountId, livemode, contractId: id, subject: id }
  const none = { verifierId: null, verifierName: null, channelId: null, requestedBy: null }
  const made = newVerification({ ...of, ...none, kind: 'name', recipient: NO_RECIPIENT }, 0)
  asked.set(id, made)
  return made
}

function keep(one: OneContract, verb: TransferStep['verb'], decision: Decision): Decision {
  const before = one.contract
  if (decision.changed || decision.attempt) one.steps.push({ verb, before, decision })
  return written(one, decision)
}

function written(one: OneContract, decision: Decision): Decision {
  if (decision.attempt) one.attempt = decision.attempt
  if (!decision.changed) return decision
  one.contract = decision.after
  if (decision.event) one.events.push(decision.event)
  for (const { debit, credit, amountMinor } of decision.postings) {
    one.balances.set(debit, balanceOf(one, debit) - amountMinor)
    one.balances.set(credit, balanceOf(one, credit) + amountMinor)
  }
  return decision
}

export function balanceOf(one: Pick<OneContract, 'balances'>, account: string): bigint {
  return one.balances.get(account) ?? 0n
}

/** What left the payer's balance and has not come back. */
export function spentMinor(one: OneContract): bigint {
  return OPENING_MINOR - balanceOf(one, 'available')
}

function factsOf(one: Omit<OneContract, 'contract' | 'events' | 'steps'>): Facts {
  const { nowMs, attempt, refundsAtOnce, onFailure, channels, parent } = one
  const wallet = {
    lane: 0,
    accountId: 'account',
    id: WALLET,
    currency: 'PHP',
    availableMinor: balanceOf(one, 'available'),
    heldMinor: balanceOf(one, 'held'),
    inTransitMinor: balanceOf(one, 'in_transit'),
    pendingMinor: 0n,
    suspenseMinor: 0n,
    ...PLAIN_WALLET,
    sequence: 0,
  }
  const checks = {
    termsHash: TERMS_HASH,
    nameOf: (memberId: string) => memberId,
    roleOf: (memberId: string) => (memberId === 'dan' ? ('viewer' as const) : ('approver' as const)),
    memberBehind: (proxy: string) => proxy,
    destinationVersion: null,
  }
  return { nowMs, channels, wallet: () => wallet, attempt, refundsAtOnce, onFailure, parent, checks }
}

function must(decision: Decision | Refusal): void {
  if (isRefusal(decision)) throw new Error(decision.message)
}
