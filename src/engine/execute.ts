// The one write path (docs/architecture.md): lock the accounts, load, decide in order of arrival, store, commit, answer.
// Imports no use case. No network but the database's.
import { type ChannelBook, UnknownVersion } from '../domain/channel/channel.ts'
import type { Command } from '../domain/contract/command.ts'
import type { CreditWallet } from '../domain/transfer/commands.ts'
import type { Contract } from '../domain/contract/contract.ts'
import { decide } from '../domain/transfer/decide.ts'
import { asItStands, type Decision, type Facts, nameProxy } from '../domain/contract/decision.ts'
import { decideAdopt } from '../domain/recovery/adoption.ts'
import { decideCreate } from '../domain/transfer/draft.ts'
import { isFromOutside, refusalOfCredit } from '../domain/money/outside-credit.ts'
import { idempotencyKeyReused, isRefusal, type Refusal, refuse } from '../domain/contract/refusals.ts'
import { isLookAgain, type LookAgain } from '../domain/transfer/payees.ts'
import type { Attempt, Transfer } from '../domain/transfer/transfer.ts'
import { isLockTimeout, type LoadMore, type Result, type Session } from '../platform/db.ts'
import { type AccountKey, awaitAccount } from '../store/accounts/accounts.ts'
import type { IdempotencyKey } from '../store/contracts/idempotency.ts'
import type { Scope } from '../platform/scope.ts'
import type {
  AnyResult,
  CommandRequest,
  CommandResult,
  ContractResult,
  EventResult,
  ReplayedRefusal,
  WalletResult,
} from './command-request.ts'
import { checksFor, isChecked, queuedAfter } from './approvals.ts'
import { type CommandAbout, COMMANDS, isAbout, transferAsLoaded } from './command-table.ts'
import { HELD } from './batch.ts'
import { afterRefund, onPayment, openPayment, parentOf, takeIn } from './payment-commands.ts'
import { Busy } from './held-line.ts'
import { knowingPayers, noteSpent, refuseByKey, refuseEnded } from './key-caps.ts'
import { type Care, loadBatch } from './load.ts'
import { count, loadRules, priceFor, rulesFor } from './rules.ts'
import { loadReturns, refuseRestored } from './restored.ts'
import { keepVerification } from './verifications.ts'
import { storeBatch } from './store.ts'
import {
  applyDecision,
  keepCall,
  rowKey,
  postFromOutside,
  postTo,
  rememberAnswer,
  walletOf,
  type BatchState,
  type Entered,
} from './batch-state.ts'

/**
 * Executes the requests in order, in one transaction. All are answered after the commit, or the fault is thrown; HELD
 * stands for those whose account another session holds. `note` is told after the commit which statuses contracts came into.
 */
export async function executeBatch(
  session: Session,
  channels: ChannelBook,
  scope: Scope,
  requests: readonly CommandRequest[],
  care: Care = 'accounts',
  note: (entered: readonly Entered[]) => void = () => undefined,
): Promise<Answers> {
  const { load, decide, entered } = batchOf(channels, scope, requests, care)
  const answered = await session.transaction(load, decide)
  note(entered())
  return answered
}

/**
 * The same once the lock of this account is had, for which it waits behind the sessions that came before. `take` says which requests
 * those are, for more come meanwhile. Throws what {@link isLockTimeout} knows where it takes too long.
 */
export async function executeInTurn(
  session: Session,
  channels: ChannelBook,
  scopeOf: (requests: readonly CommandRequest[]) => Scope,
  account: AccountKey,
  take: () => readonly CommandRequest[],
  care: Care,
  note: (entered: readonly Entered[]) => void,
): Promise<Answers> {
  let entered: Batch['entered'] = () => []
  const answered = await session.transaction<Answers>([awaitAccount(account)], () => {
    const requests = take()
    if (requests.length === 0) return { statements: [], value: [] }
    const batch = batchOf(channels, scopeOf(requests), requests, care)
    entered = batch.entered
    return batch
  })
  note(entered())
  return answered
}

type Answers = readonly (AnyResult | typeof HELD)[]
type Batch = LoadMore<Answers> & { readonly entered: () => readonly Entered[] }

/** What a batch loads, and how it is decided. */
function batchOf(channels: ChannelBook, scope: Scope, requests: readonly CommandRequest[], care: Care): Batch {
  const { statements, read } = loadBatch(scope, requests, care)
  let entered: readonly Entered[] = []
  const decideByRules = (state: BatchState) => {
    const decided = () => {
      const answers = decideBatch(state, channels, requests)
      return { statements: storeBatch(scope, state), value: answers }
    }
    const rules = loadRules(scope, state, requests)
    const returns = loadReturns(scope, state, requests)
    if (rules === null && returns === null) return decided()
    const ruled = rules?.statements ?? []
    const decideByMore = (more: readonly Result[]) => {
      rules?.read(more.slice(0, ruled.length))
      returns?.read(more.slice(ruled.length))
      return decided()
    }
    return { load: [...ruled, ...(returns?.statements ?? [])], decide: decideByMore }
  }
  const decideByLoaded = (loaded: readonly Result[]) => {
    const state = read(loaded)
    entered = state.changes.entered
    return knowingPayers(scope, state, requests, () => decideByRules(state))
  }
  return { load: statements, decide: decideByLoaded, entered: () => entered }
}

/** Decides the requests in order against what was loaded. What they change stands in the state; no I/O. */
export function decideBatch(state: BatchState, channels: ChannelBook, requests: readonly CommandRequest[]): Answers {
  return requests.map((request) => (state.held.has(request.accountId) ? HELD : step(state, channels, request)))
}

/**
 * Runs what decides by the book, and once more where a contract names a version that another process wrote after the book was read:
 * nothing of the first run is left.
 */
export async function byBook<T>({ readAgain }: Pick<ChannelBook, 'readAgain'>, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (fault) {
    if (!(fault instanceof UnknownVersion) || !readAgain) throw fault
    // Where it cannot be read, that is this request's alone: the server that it is for may be well.
    await readAgain().catch(() => {
      throw fault
    })
    return run()
  }
}

const ALONE_MAX_MS = 5000

/**
 * One command in a batch of its own: the account's lock makes it safe beside a gateway at work, and it waits for its turn. One
 * at a time. Throws {@link Busy} where another session holds the account for five seconds.
 */
export async function executeAlone<C extends Command>(
  session: Session,
  channels: ChannelBook,
  request: CommandRequest<C>,
): Promise<CommandResult<C>> {
  const { load, decide } = batchOf(channels, { kind: 'one lane', lane: request.lane }, [request], 'accounts')
  for (const untilMs = performance.now() + ALONE_MAX_MS; performance.now() < untilMs; ) {
    try {
      const run = () => session.transaction([awaitAccount(request), ...load], ([, ...loaded]) => decide(loaded))
      const [answer] = await byBook(channels, run)
      if (!answer || answer === HELD) throw new Error('a command was not answered')
      // The table of commands has the result of each.
      return answer as CommandResult<C>
    } catch (fault) {
      if (!isLockTimeout(fault)) throw fault
    }
  }
  throw new Busy(request.accountId)
}

/** Decides one request and applies it to the state in memory. A refusal leaves the state as it was. */
function step(state: BatchState, channels: ChannelBook, request: CommandRequest): AnyResult {
  const ended = refuseEnded(state, request)
  if (ended) return ended
  const { command, idempotency } = request
  if (isLate(state, request))
    return refuse('request_timeout', null, 'It came after the moment until which it was to be done. Nothing was done.')
  const known = idempotency && state.known.get(rowKey(request.accountId, idempotency.keyHash))
  if (known && !isFollowUp(request)) return recalled(known, request)
  const restored = refuseRestored(state.adopted, request)
  if (restored) return restored
  if (command.verb === 'repeat') return command.otherwise
  if (command.verb === 'credit') return credit(state, request, command)
  const result =
    command.verb === 'receive'
      ? takeIn(state, channels, request, command)
      : onContract(state, channels, request, command)
  if (idempotency && !isLookAgain(result)) rememberResult(state, request, idempotency, result)
  return result
}

/** By either clock: the database's may be behind that of the server whose time `notAfter` is, and then tells it of nobody that stood still. */
function isLate({ nowMs }: BatchState, { notAfter, isInTime }: CommandRequest): boolean {
  return (typeof notAfter === 'number' && nowMs > notAfter) || isInTime?.() === false
}

/** Kept are successes and the one refusal that a retry must not undo silently: a payment that was declined. */
function rememberResult(
  state: BatchState,
  request: CommandRequest,
  idempotency: IdempotencyKey,
  result: ContractResult | EventResult | Refusal,
): void {
  if (!isRefusal(result)) {
    if (result.contract) rememberAnswer(state, request, idempotency, result.contract)
  } else if (result.code === 'insufficient_funds') rememberAnswer(state, request, idempotency, result)
}

/** What a rail reported while its caller waits: the answer that is kept for the caller's key moves on with it. */
function isFollowUp({ command }: CommandRequest): boolean {
  return command.verb === 'report_collection' || command.verb === 'receive'
}

function recalled(
  known: { fingerprint: string; contract: Contract | null; refusal: Refusal | null },
  request: CommandRequest,
): ContractResult | Refusal | ReplayedRefusal {
  if (known.fingerprint !== request.idempotency?.fingerprint) return idempotencyKeyReused()
  if (known.refusal)
    return known.refusal.code === 'idempotency_reply_lost' ? known.refusal : { ...known.refusal, replayed: true }
  if (known.contract) return { kind: 'contract', contract: known.contract, attempt: null, job: null, replayed: true }
  throw new Error('an idempotency key without its answer')
}

/** The kind of the contract decides which commands apply; an id of the other kind is not found. */
function onContract(
  state: BatchState,
  channels: ChannelBook,
  request: CommandRequest,
  command: CommandAbout<'transfer' | 'payment'>,
): ContractResult | Refusal | LookAgain {
  if (command.verb === 'create_payment') return openPayment(state, channels, request, command)
  const before = state.contracts.get(rowKey(request.accountId, command.id))?.contract ?? null
  if (before && request.call) {
    const { lane, accountId, id: contractId } = before
    keepCall(state, { ...request.call, lane, accountId, contractId })
  }
  if (before && request.versions && !request.versions.includes(before.version)) return refuseVersion(before)
  if (before?.kind === 'payment')
    return isAbout('payment', command) ? onPayment(state, channels, request, before, command) : contractNotFound(before)
  if (before === null && !COMMANDS[command.verb].opens) return contractNotFound()
  return isAbout('transfer', command) ? onTransfer(state, channels, request, before, command) : contractNotFound(before)
}

function onTransfer(
  state: BatchState,
  channels: ChannelBook,
  request: CommandRequest,
  before: Transfer | null,
  command: CommandAbout<'transfer'>,
): ContractResult<Transfer> | Refusal | LookAgain {
  const decision = decideOn(before, command, request, factsFor(state, channels, request, before, command.id))
  if (isRefusal(decision) || isLookAgain(decision)) return decision
  if (decision.verification && command.verb === 'verify') keepVerification(state, decision.verification, command.by)
  const bounded = refuseByKey(state, request, decision)
  if (bounded) return bounded
  noteSpent(state, request, decision)
  const { contract, attempt } = applyInTurn(state, channels, request, before, decision)
  if (decision.answer) return decision.answer
  return { kind: 'contract', contract, attempt, job: null, replayed: false }
}

/** Applies a decision with those that follow from it; the contract as the last one left it, and the attempt that was written. */
function applyInTurn(
  state: BatchState,
  channels: ChannelBook,
  request: CommandRequest,
  before: Transfer | null,
  decision: Decision,
): { readonly contract: Transfer; readonly attempt: Attempt | null } {
  const { after, attempt, next } = decision
  nameProxy(after.activities, request.memberId ?? request.keyId)
  applyDecision(state, before, decision)
  if (before) {
    afterRefund(state, channels, request, before, after)
    count(state, request, before, after)
    noteApproval(state, request, before, decision)
  }
  if (!next) return { contract: after, attempt }
  const last = applyInTurn(state, channels, request, after, next)
  return { contract: last.contract, attempt: last.attempt ?? attempt }
}

function decideOn(
  before: Transfer | null,
  command: CommandAbout<'transfer'>,
  request: CommandRequest,
  facts: Facts,
): Decision | Refusal | LookAgain {
  // A contract that is made again, after an answer that was lost, is there already.
  if (command.verb === 'create_transfer')
    return before ? asItStands(before) : decideCreate(command, request.lane, request.accountId, facts)
  if (command.verb === 'adopt') return decideAdopt(before, command, request, facts)
  return before ? decide(before, command, facts) : contractNotFound()
}

function refuseVersion({ version }: Contract): Refusal {
  const fix = 'Read it again, and send the ETag of what you read.'
  return refuse('precondition_failed', 'If-Match', `The contract has changed: it stands at version ${version}. ${fix}`)
}

/**
 * The same text for an id that does not exist and for one that another account owns. `other` is the account's own contract of the
 * other kind that has the id: then it says where that is.
 */
export function contractNotFound(other: Pick<Contract, 'kind' | 'id'> | null = null): Refusal {
  const message = other
    ? `This is the id of a ${other.kind} contract: /contracts/${other.kind}/${other.id}`
    : 'No contract has this id.'
  return refuse('contract_not_found', 'id', message)
}

/** Keeps where the contract stands in the queue of approvals after the step. */
function noteApproval(
  state: BatchState,
  { memberId, keyId }: CommandRequest,
  before: Transfer,
  { after, event }: Decision,
): void {
  const place = rowKey(after.accountId, after.id)
  const row = queuedAfter(before, after, event, { askedBy: memberId ?? keyId, nowMs: state.nowMs })
  const kept = state.changes.approvals.get(place)
  // Who asked stays, whoever moves it on.
  if (row) state.changes.approvals.set(place, { ...row, askedBy: row.askedBy ?? kept?.askedBy ?? null })
}

function payoutOf(state: BatchState, key: string): Attempt | null {
  const job = state.jobs.get(key)
  return job?.kind === 'payout' ? job : null
}

/** The verification that the command ends, where it is there. */
function endedBy(state: BatchState, { accountId, command }: CommandRequest): Pick<Facts, 'verification'> {
  const verification =
    command.verb === 'verify' ? state.rules.ended.get(rowKey(accountId, command.verificationId)) : undefined
  return verification ? { verification } : {}
}

const NO_RETRIES = { retries: 0, fallbackChannels: [] }

function factsFor(
  state: BatchState,
  channels: ChannelBook,
  request: CommandRequest,
  before: Transfer | null,
  id: string,
): Facts {
  const price = priceFor(state, request)
  return transferAsLoaded(request.command, id, before, {
    nowMs: state.nowMs,
    channels,
    wallet: (walletId, currency) => walletOf(state, request.accountId, walletId, currency),
    attempt: payoutOf(state, rowKey(request.accountId, id)),
    refundsAtOnce: state.accounts.get(request.accountId)?.refundsAtOnce ?? true,
    onFailure: state.accounts.get(request.accountId) ?? NO_RETRIES,
    expiresInSeconds: state.accounts.get(request.accountId)?.transferExpirySeconds ?? null,
    parent: parentOf(state, before),
    rules: rulesFor(state, request, before),
    ...endedBy(state, request),
    ...(price ? { price } : {}),
    ...(before && isChecked(request.command) ? { checks: checksFor(state.rules.checks, before) } : {}),
  })
}

/** Money from outside comes into a wallet, once for each reference. */
function credit(state: BatchState, request: CommandRequest, command: CreditWallet): WalletResult | Refusal {
  const place = rowKey(request.accountId, command.walletId)
  const wallet = state.wallets.get(place)
  if (!wallet || wallet.currency !== command.currency)
    return refuse('wallet_not_found', 'wallet', `No ${command.currency} wallet has this id.`)
  const once = rowKey(request.accountId, command.reference)
  if (state.credited.has(once)) return { kind: 'wallet', wallet, credited: false }
  if (wallet.status === 'closed') return refuse('wallet_closed', 'wallet', 'This wallet is closed and takes no money.')
  const livemode = state.accounts.get(request.accountId)?.livemode ?? true
  const refusal = refusalOfCredit(livemode, command)
  if (refusal) return refusal
  state.credited.add(once)
  const { source, amountMinor, reference, approval } = command
  const posting = { debit: source, credit: 'available', amountMinor } as const
  const after = isFromOutside(command)
    ? postFromOutside(state, place, posting, reference, { livemode, approval })
    : postTo(state, place, posting, { position: null, contractId: null, reference })
  return { kind: 'wallet', wallet: after, credited: true }
}
