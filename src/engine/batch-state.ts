// What one batch knows and has changed, in memory: each command sees what the ones before it did. No I/O.
import { createHash } from 'node:crypto'
import type { TransferCap } from '../domain/account/caps.ts'
import type { KeyLine } from '../domain/account/key-line.ts'
import { addedUsage, usageOf } from '../domain/account/usage.ts'
import type { Contract } from '../domain/contract/contract.ts'
import { type EpochPlace, laneUuid } from '../domain/contract/ids.ts'
import { type DecisionOf, nameEpoch } from '../domain/contract/decision.ts'
import { needsReview } from '../domain/transfer/needs-review.ts'
import type { Mandate } from '../domain/mandate/mandate.ts'
import { invariant } from '../domain/invariant.ts'
import type { Verification } from '../domain/verifier/verification.ts'
import type { EventType } from '../domain/transfer/moves.ts'
import type { Posting } from '../domain/money/postings.ts'
import { isRefusal, type Refusal } from '../domain/contract/refusals.ts'
import type { PaymentDecision } from '../domain/payment/decision.ts'
import type { Receipt } from '../domain/payment/payment.ts'
import type { Transfer } from '../domain/transfer/transfer.ts'
import { isBelowMark, type Wallet } from '../domain/wallet/wallet.ts'
import type { OutsideCredit } from '../ledger/outside-credits.ts'
import { type LedgerRow, walletAfter } from '../ledger/wallets.ts'
import type { PlacedEvent } from '../store/accounts/account-events.ts'
import type { AccountHead } from '../store/accounts/accounts.ts'
import type { StoredAuditEntry } from '../store/accounts/audit.ts'
import type { SpendingRow } from '../store/accounts/mandates.ts'
import type { UsageRow } from '../store/accounts/usage.ts'
import type { ApprovalRow } from '../store/contracts/approvals.ts'
import type { PlacedContract } from '../store/contracts/contracts.ts'
import type { KnownEvent, PaymentEvent } from '../store/payments/payment-events.ts'
import { type ChannelCall, slotOf } from '../store/jobs/channel-calls.ts'
import type { Job } from '../store/jobs/jobs.ts'
import type { OpenReview } from '../store/operator/waiting-transfers.ts'
import type { SavedMeter } from '../store/policies/meters.ts'
import type { RulesState } from './rules-state.ts'
import type { ProviderPaymentId } from '../store/payments/provider-payment-ids.ts'
import type { IdempotencyKey, KnownAnswer, NewAnswer } from '../store/contracts/idempotency.ts'
import { presentWallet } from '../wire/wallets/wallets.ts'

type Head = PlacedContract & { readonly versionBefore: number }

/** What bounds a key that may act. */
export type KeyBounds = {
  readonly name: string
  /** Null where any amount may leave at a time. */
  readonly caps: readonly TransferCap[] | null
  /** Null where nothing bounds what leaves in all. */
  readonly mandate: Mandate | null
  /** In whose place it stands. */
  readonly line: KeyLine
}

export type BatchState = {
  readonly nowMs: number
  readonly accounts: Map<string, AccountHead>
  /** Accounts that another session holds: nothing is decided about them in this batch. */
  readonly held: Set<string>
  /** By `account/contract`, with the position of the newest version. */
  readonly contracts: Map<string, PlacedContract>
  readonly wallets: Map<string, Wallet>
  /** By `account/contract`: the newest attempt at a transfer contract, the job of a payment contract. */
  readonly jobs: Map<string, Job>
  /** Keys that may act, with what may leave by each. */
  readonly liveKeys: Map<string, KeyBounds>
  /** By `account/key/currency`: what has left by mandates. */
  readonly spending: Map<string, SpendingRow>
  readonly known: Map<string, KnownAnswer>
  /** By `account/contract`: the older contract of the same key that a recovery adopted. */
  readonly adopted: Map<string, string>
  /** By `account/return`: the transfer by which money in suspense went back, as a recovery found and adopted it. */
  readonly adoptedReturns: Map<string, Transfer>
  /** By `account/reference`: money already credited. */
  readonly credited: Set<string>
  /** By `account/event`: events that came before. */
  readonly events: Map<string, KnownEvent>
  /** By `account/object`: money that was booked, of those that the batch names. */
  readonly receipts: Map<string, Receipt>
  /** What policies look at; empty where no account of the batch has any. */
  readonly rules: RulesState
  readonly changes: Changes
}

export type Entered = Pick<Contract, 'kind' | 'status'>

export type Changes = {
  /** By `account/contract`: transfers that an operator must look at. */
  readonly reviews: Map<string, OpenReview>
  readonly accounts: Set<string>
  readonly created: Map<string, Head>
  readonly updated: Map<string, Head>
  readonly versions: { readonly contract: Contract; readonly event: EventType | null; readonly position: number }[]
  /** Contracts that came into another status, each time one did. */
  readonly entered: Entered[]
  readonly ledger: LedgerRow[]
  /** Money from outside of any contract, with what stands behind it. */
  readonly outside: OutsideCredit[]
  readonly wallets: Set<string>
  /** Wallets that ran low, are not low any more, or were opened again by money that came back. */
  readonly remarked: Set<string>
  /** Events of the account that follow from what moved. */
  readonly accountEvents: PlacedEvent[]
  readonly jobs: Map<string, Job>
  /** By its place: what was exchanged in calls whose reports the batch brings. */
  readonly calls: Map<string, ChannelCall>
  readonly events: Map<string, PaymentEvent>
  /** By `account/event`: what of the money of known events is still in suspense. */
  readonly released: Map<string, Receipt & { readonly lane: number; readonly accountId: string; readonly id: string }>
  readonly providerIds: ProviderPaymentId[]
  readonly answers: NewAnswer[]
  /** By `account/meter`: what was paid lately, where a policy looks at it. */
  readonly meters: Map<string, SavedMeter>
  /** Questions about recipients that policies ask for. */
  readonly verifications: Verification[]
  /** By `account/verification`: those that came to a result, or nearer to one. */
  readonly verified: Map<string, Verification>
  /** What members did to what is no contract. */
  readonly audited: StoredAuditEntry[]
  /** By `account/key/currency`: what has left by mandates, in all. */
  readonly spending: Map<string, SpendingRow>
  /** By `account/currency`: what the batch adds to the day's counters. */
  readonly usage: Map<string, UsageRow>
  /** By `account/contract`: where approvals stand that were asked for. */
  readonly approvals: Map<string, ApprovalRow>
}

export function noChanges(): Changes {
  return {
    accounts: new Set(),
    created: new Map(),
    updated: new Map(),
    versions: [],
    entered: [],
    ledger: [],
    outside: [],
    wallets: new Set(),
    remarked: new Set(),
    accountEvents: [],
    jobs: new Map(),
    reviews: new Map(),
    calls: new Map(),
    events: new Map(),
    released: new Map(),
    providerIds: [],
    answers: [],
    meters: new Map(),
    verifications: [],
    verified: new Map(),
    audited: [],
    spending: new Map(),
    usage: new Map(),
    approvals: new Map(),
  }
}

export const rowKey = (accountId: string, id: string) => `${accountId}/${id}`

/** The named wallet of the account, or its default in the currency. */
export function walletOf(
  state: BatchState,
  accountId: string,
  walletId: string | null,
  currency: string,
): Wallet | undefined {
  if (walletId !== null) return state.wallets.get(rowKey(accountId, walletId))
  for (const wallet of state.wallets.values())
    if (wallet.isDefault && wallet.accountId === accountId && wallet.currency === currency) return wallet
  return undefined
}

/** Applies a decision. From here on nothing refuses: what does not hold is a fault, and undoes the batch. */
export function applyDecision(state: BatchState, before: Contract | null, decision: DecisionOf<Contract>): void {
  const { after, attempt } = decision
  const key = rowKey(after.accountId, after.id)
  if (attempt) keepJob(state, key, attempt)
  if (!decision.changed) return
  const { position, epoch } = nextPlace(state, after.accountId)
  nameEpoch(before?.activities ?? [], after.activities, epoch)
  state.contracts.set(key, { contract: after, position })
  state.changes.versions.push({ contract: after, event: decision.event, position })
  if (before?.status !== after.status) state.changes.entered.push({ kind: after.kind, status: after.status })
  count(state, before, after)
  const createdHere = before === null || state.changes.created.has(key)
  const heads = createdHere ? state.changes.created : state.changes.updated
  const versionBefore = heads.get(key)?.versionBefore ?? before?.version ?? 0
  heads.set(key, { contract: after, position, versionBefore })
  for (const posting of decision.postings) post(state, after, posting, position)
  if (before?.kind === 'transfer' && needsReview(before, after, attempt)) noteReview(state, key, after)
}

function noteReview(state: BatchState, key: string, { lane, accountId, id }: Contract): void {
  state.changes.reviews.set(key, { lane, accountId, contractId: id, atMs: state.nowMs })
}

/** Counts what the step from one version to the next is to its account's day. */
function count(state: BatchState, before: Contract | null, after: Contract): void {
  const used = usageOf(before, after)
  if (used === null) return
  const { lane, accountId, terms } = after
  const key = rowKey(accountId, terms.currency)
  const counted = state.changes.usage.get(key)
  const row = { lane, accountId, currency: terms.currency, atMs: state.nowMs }
  state.changes.usage.set(key, { ...row, ...(counted ? addedUsage(counted, used) : used) })
}

/** Applies a decision about a payment contract, with all that follows from it in the same moment. */
export function applyPayment(state: BatchState, before: Contract | null, decision: PaymentDecision): void {
  const { after, job, intent } = decision
  const { lane, accountId, id: contractId } = after
  applyDecision(state, before, decision)
  if (job) keepJob(state, rowKey(accountId, contractId), job)
  if (intent) state.changes.providerIds.push({ lane, accountId, contractId, ...intent })
  const position = state.contracts.get(rowKey(accountId, contractId))?.position ?? null
  for (const placed of decision.placed)
    postTo(state, rowKey(accountId, placed.walletId), placed, { position, contractId, reference: null })
  for (const receipt of decision.receipts) keepReceipt(state, { lane, accountId }, receipt)
  if (decision.spawned) applyDecision(state, null, decision.spawned)
  if (decision.next) applyPayment(state, after, decision.next)
}

/** Keeps what was exchanged in a call, whatever its report changes. */
export function keepCall(state: BatchState, call: Omit<ChannelCall, 'at'>): void {
  const place = `${rowKey(call.accountId, call.contractId)}/${call.attempt}/${slotOf(call)}`
  state.changes.calls.set(place, { ...call, at: state.nowMs })
}

function keepJob(state: BatchState, key: string, job: Job): void {
  state.jobs.set(key, job)
  state.changes.jobs.set(key, job)
}

/** Money of an event that is being taken in is written with it; of others only what is left in suspense. */
function keepReceipt(
  state: BatchState,
  owner: { readonly lane: number; readonly accountId: string },
  receipt: Receipt,
): void {
  const { accountId } = owner
  const isKnown = state.receipts.has(rowKey(accountId, receipt.objectId))
  state.receipts.set(rowKey(accountId, receipt.objectId), receipt)
  const key = rowKey(accountId, receipt.eventId)
  const fresh = state.changes.events.get(key)
  if (fresh) state.changes.events.set(key, { ...fresh, receipt })
  else if (isKnown) state.changes.released.set(key, { ...receipt, ...owner, id: receipt.eventId })
  else state.changes.events.set(key, eventOf(owner, receipt, state.nowMs))
}

/** The event of money that no provider reported. */
function eventOf(
  owner: { readonly lane: number; readonly accountId: string },
  receipt: Receipt,
  at: number,
): PaymentEvent {
  const { eventId: id, contractId } = receipt
  const words = { type: 'gateway.booked', body: null, bodyHash: null, status: 'applied', reason: null } as const
  return { ...owner, ...words, id, at, contractId, receipt, dueAt: null, tries: 0, allowedChannels: null }
}

function nextPlace(state: BatchState, accountId: string): EpochPlace {
  const head = state.accounts.get(accountId)
  invariant(head !== undefined, 'the account of a decision is loaded')
  const position = head.position + 1
  state.accounts.set(accountId, { ...head, position })
  state.changes.accounts.add(accountId)
  return { position, epoch: head.epoch }
}

function post(state: BatchState, contract: Contract, posting: Posting, position: number): void {
  const { accountId, walletId } = contract
  invariant(walletId !== null, 'a posting names its wallet')
  postTo(state, rowKey(accountId, walletId), posting, { position, contractId: contract.id, reference: null })
}

/** Moves one amount and writes its row. `place` is the wallet's. */
export function postTo(state: BatchState, place: string, posting: Posting, why: Why): Wallet {
  const after = moveIn(state, place, posting)
  state.changes.ledger.push(rowOf(state, after, posting, why))
  return after
}

/** Brings money in from outside of any contract: its row, and what stands behind it. */
export function postFromOutside(
  state: BatchState,
  place: string,
  posting: Posting,
  reference: string,
  behind: Pick<OutsideCredit, 'livemode' | 'approval'>,
): Wallet {
  const after = moveIn(state, place, posting)
  const row = rowOf(state, after, posting, { position: null, contractId: null, reference })
  state.changes.outside.push({ row, ...behind })
  return after
}

type Why = Pick<LedgerRow, 'position' | 'contractId' | 'reference'>

function moveIn(state: BatchState, place: string, posting: Posting): Wallet {
  const wallet = state.wallets.get(place)
  invariant(wallet !== undefined, 'the wallet of a posting is loaded')
  const moved = walletAfter(wallet, posting)
  // Of most wallets nobody wants to be told, and they are open: this is all that it costs them.
  const after = moved.lowMinor === null && moved.status === 'open' ? moved : remark(state, place, moved)
  state.wallets.set(place, after)
  state.changes.wallets.add(place)
  return after
}

/** A wallet that ran low is told of, once; and one that is closed is opened by money that comes back to it. */
function remark(state: BatchState, place: string, moved: Wallet): Wallet {
  const isLow = isBelowMark(moved)
  if (isLow === moved.isLow && moved.status === 'open') return moved
  const after: Wallet = { ...moved, isLow, status: 'open' }
  state.changes.remarked.add(place)
  if (moved.status === 'closed') tell(state, 'wallet.updated', after)
  if (isLow && !moved.isLow) tell(state, 'wallet.low', after)
  return after
}

function tell(state: BatchState, event: 'wallet.low' | 'wallet.updated', wallet: Wallet): void {
  const object = presentWallet(wallet, state.accounts.get(wallet.accountId)?.livemode ?? true)
  tellAccount(state, wallet, { event, object, once: String(wallet.sequence) })
}

type About = { readonly lane: number; readonly accountId: string; readonly id: string }
/** `once`: what tells two such events about one object apart. */
type Told = Pick<PlacedEvent, 'event' | 'object'> & { readonly once: string }

/** Tells of what became of something of the account that is no contract. */
export function tellAccount(state: BatchState, about: About, { event, object, once }: Told): void {
  const { lane, accountId, id: subject } = about
  const at = state.nowMs
  const { position } = nextPlace(state, accountId)
  // Made of the batch's time: a batch that runs again makes others, and nothing is left of those before.
  const id = laneUuid(lane, at, sha256(`${event} ${subject} ${once}`))
  state.changes.accountEvents.push({ lane, accountId, position, id, event, subject, at, object })
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Member by member: copies of parts of objects are a tenth of the write path's time. */
function rowOf(state: BatchState, after: Wallet, posting: Posting, why: Why): LedgerRow {
  return {
    debit: posting.debit,
    credit: posting.credit,
    amountMinor: posting.amountMinor,
    position: why.position,
    contractId: why.contractId,
    reference: why.reference,
    lane: after.lane,
    accountId: after.accountId,
    walletId: after.id,
    sequence: after.sequence,
    availableAfterMinor: after.availableMinor,
    heldAfterMinor: after.heldMinor,
    inTransitAfterMinor: after.inTransitMinor,
    pendingAfterMinor: after.pendingMinor,
    suspenseAfterMinor: after.suspenseMinor,
    at: state.nowMs,
  }
}

/** Keeps the answer of a keyed command: where the contract stands now, or the refusal. */
export function rememberAnswer(
  state: BatchState,
  owner: { readonly lane: number; readonly accountId: string },
  key: IdempotencyKey,
  answer: Contract | Refusal,
): void {
  const { lane, accountId } = owner
  const refusal = isRefusal(answer) ? answer : null
  const contract = isRefusal(answer) ? null : answer
  const position = contract ? (state.contracts.get(rowKey(accountId, contract.id))?.position ?? null) : null
  const { keyHash, fingerprint } = key
  state.changes.answers.push({ lane, accountId, keyHash, fingerprint, position, refusal, at: state.nowMs })
  state.known.set(rowKey(accountId, keyHash), { lane, accountId, keyHash, fingerprint, contract, refusal })
}
