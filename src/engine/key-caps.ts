// Whether whoever asks may still act: a key, a session, or where there is neither the member for whom the row of a command acts.
// What may leave by the key that asks, at a time and in all: looked at where its liveness is, in the batch itself, so that caps
// and mandates hold whatever happens meanwhile. Money leaves where it begins to wait for its way out; a retry sends what waits
// already, and counts again.
// And who pays, as policies know them: a key with those in whose place it stands. Those of a batch's own keys came with them; of one that
// paid a contract before, they are looked up where the account's policies ask who pays: with those, or before them where meters are under it.
import { refuseAboveCap } from '../domain/account/caps.ts'
import type { KeyLine } from '../domain/account/key-line.ts'
import { isRole, scopesOf } from '../domain/account/roles.ts'
import { scopesOfStep } from '../domain/command/command.ts'
import type { Decision } from '../domain/contract/decision.ts'
import { keyHasEnded, type Refusal, refuse, sessionHasEnded } from '../domain/contract/refusals.ts'
import { invariant } from '../domain/invariant.ts'
import {
  asksApprovalOf,
  asksApprovals,
  type Mandate,
  type Outgoing,
  refuseByMandate,
  refuseUnapproved,
  type Spent,
} from '../domain/mandate/mandate.ts'
import { isRuled, type Payer, payerIn, type Paying } from '../domain/policy/circumstances.ts'
import { type ApprovalNeed, approvalByMandate } from '../domain/policy/judge.ts'
import { asksWhoPays, countsByKey, type Look } from '../domain/policy/look.ts'
import type { Transfer } from '../domain/transfer/transfer.ts'
import type { PaymentDecision } from '../domain/payment/decision.ts'
import type { LoadMore, Result, Row, Statement, Stored } from '../platform/db.ts'
import type { Scope } from '../platform/scope.ts'
import { lineFrom, linesOfKeys } from '../store/accounts/key-lines.ts'
import type { SpendingRow } from '../store/accounts/mandates.ts'
import { isChecked } from './approvals.ts'
import { type BatchState, type KeyBounds, rowKey, walletOf } from './batch-state.ts'
import type { CommandRequest } from './command-request.ts'
import { RULED } from './command-table.ts'
import { distinct } from './needs.ts'
import type { RulesState } from './rules-state.ts'

/** Active members, by what they are now. */
export function readRole(rules: RulesState, row: Row): void {
  const role = row['role'] as string
  if (isRole(role)) rules.roles.set(rowKey(row['account_id'] as string, row['id'] as string), role)
}

/** Why nobody may act by the request any more; null where somebody may. */
export function refuseEnded(
  state: BatchState,
  { accountId, keyId, memberId, command }: CommandRequest,
): Refusal | null {
  if (keyId !== null) {
    if (state.liveKeys.has(keyId)) return null
    return isChecked(command) ? sessionHasEnded() : keyHasEnded()
  }
  if (!memberId) return null
  const role = state.rules.roles.get(rowKey(accountId, memberId))
  if (!role) return refuse('member_not_found', null, 'The member for whom it is done is no active one of the account.')
  const lacking = scopesOfStep(command.verb).filter((scope) => !scopesOf(role).has(scope))
  if (lacking.length === 0) return null
  return refuse('scope_missing', null, `The member for whom it is done lacks ${lacking.join(', ')}.`)
}

const OWN: ReadonlySet<string> = new Set(['available', 'pending', 'suspense'])

/** What of a decision leaves the account; null where nothing does. */
export function outgoingOf(
  { nowMs }: Pick<BatchState, 'nowMs'>,
  { command }: Pick<CommandRequest, 'command'>,
  { after, postings, attempt }: Decision,
): Outgoing | null {
  const leaving = postings.filter(({ debit, credit }) => credit === 'held' && OWN.has(debit))
  const minor = leaving.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  const sent = command.verb === 'retry' ? after.heldMinor : minor
  if (sent === 0n) return null
  const { currency, recipient, recipientProfile } = after.terms
  // What is tried again may go by another channel than that of the terms.
  const channelId = attempt?.channelId ?? after.terms.channelId
  return { currency, minor: sent, recipient, profile: recipientProfile?.profile ?? null, channelId, nowMs }
}

/** Why a transfer may not be moved on by the key; null where it may, and for what no key asks. */
export function refuseByKey(state: BatchState, request: CommandRequest, decision: Decision): Refusal | null {
  return refuseAll(state, request, inTurn(decision))
}

/** The same of what goes back to a payer. */
export function refuseRefundByKey(
  state: BatchState,
  request: CommandRequest,
  decision: PaymentDecision,
): Refusal | null {
  return request.keyId === null ? null : refuseAll(state, request, spawnedBy(decision))
}

/** A decision with those that follow from it. */
function inTurn(decision: Decision): Decision[] {
  return decision.next ? [decision, ...inTurn(decision.next)] : [decision]
}

/** What leaves by transfers that a decision about a payment opens. */
export function spawnedBy(decision: PaymentDecision): Decision[] {
  const spawned: Decision[] = []
  for (let each: PaymentDecision | null = decision; each !== null; each = each.next)
    if (each.spawned) spawned.push(...inTurn(each.spawned))
  return spawned
}

function boundsOf(state: BatchState, { keyId }: CommandRequest): KeyBounds | null {
  const bounds = keyId === null ? undefined : state.liveKeys.get(keyId)
  return bounds === undefined || (bounds.caps === null && bounds.mandate === null) ? null : bounds
}

/** Why so much does not leave by a key of these bounds, after what has left already; null where it may. */
export const refuseBeyond = (
  { caps, mandate }: Pick<KeyBounds, 'caps' | 'mandate'>,
  spending: readonly Spent[],
  going: Outgoing,
): Refusal | null =>
  refuseAboveCap(caps, going.currency, going.minor) ?? (mandate && refuseByMandate(mandate, spending, going))

/** Each is judged after the ones before it. */
function refuseAll(state: BatchState, request: CommandRequest, decisions: readonly Decision[]): Refusal | null {
  const bounds = boundsOf(state, request)
  if (bounds === null) return null
  const { mandate } = bounds
  let spending = mandate && spendingOf(state, request, mandate)
  for (const decision of decisions) {
    const going = outgoingOf(state, request, decision)
    if (going === null) continue
    const refusal =
      refuseBeyond(bounds, spending ?? [], going) ??
      (mandate && request.command.verb !== 'pay' ? refuseUnapproved(mandate, going) : null)
    if (refusal) return refusal
    spending = spending && withSpent(spending, going)
  }
  return null
}

/**
 * What the mandate of the key that asks wants approved before it pays; null for most requests, which no mandate concerns. What
 * gives money back is nobody's to approve: the key is refused where it is moved.
 */
export function approvalsByKey(
  state: BatchState,
  request: CommandRequest,
): ((contract: Transfer) => ApprovalNeed | null) | null {
  const bounds = boundsOf(state, request)
  const { verb } = request.command
  if ((verb !== 'issue' && verb !== 'pay') || !bounds?.mandate || !asksApprovals(bounds.mandate)) return null
  const { mandate, name } = bounds
  return ({ terms, debitMinor: minor, origin }) => {
    if (origin !== null) return null
    const { currency, recipient, recipientProfile, channelId } = terms
    const profile = recipientProfile?.profile ?? null
    const going = { currency, minor, recipient, profile, channelId, nowMs: state.nowMs }
    const asks = asksApprovalOf(mandate, spendingOf(state, request, mandate), going)
    return asks ? approvalByMandate(mandate.keyId, name) : null
  }
}

/** What has left by a mandate so far, by what was loaded and what the batch has added. */
function spendingOf(state: BatchState, { accountId }: CommandRequest, { keyId, limits }: Mandate): Spent[] {
  return limits.flatMap(({ currency }) => state.spending.get(rowKey(accountId, `${keyId}/${currency}`)) ?? [])
}

export function withSpent(
  spending: readonly Spent[],
  { currency, minor }: Pick<Outgoing, 'currency' | 'minor'>,
): Spent[] {
  const before = spending.find((each) => each.currency === currency)
  const others = spending.filter((each) => each !== before)
  return [...others, { currency, spentMinor: (before?.spentMinor ?? 0n) + minor, count: (before?.count ?? 0) + 1 }]
}

/** Counts what a decision lets leave, where a mandate bounds it. Once nothing refuses any more. */
export function noteSpent(state: BatchState, request: CommandRequest, decision: Decision): void {
  for (const each of inTurn(decision)) noteOne(state, request, each)
}

function noteOne(state: BatchState, request: CommandRequest, decision: Decision): void {
  const mandate = boundsOf(state, request)?.mandate
  const going = mandate ? outgoingOf(state, request, decision) : null
  if (!mandate || going === null) return
  const { lane, accountId } = request
  const place = rowKey(accountId, `${mandate.keyId}/${going.currency}`)
  const before = state.spending.get(place)
  const [spent] = withSpent(before ? [before] : [], going)
  if (!spent) return
  const row: SpendingRow = { lane, accountId, keyId: mandate.keyId, ...spent }
  state.spending.set(place, row)
  state.changes.spending.set(place, row)
}

export function noteRefundSpent(state: BatchState, request: CommandRequest, decision: PaymentDecision): void {
  if (request.keyId === null) return
  for (const spawned of spawnedBy(decision)) noteOne(state, request, spawned)
}

/** What the account's active policies look at; null where that is not kept: then everything is looked for. */
export const lookOf = (state: BatchState, { accountId }: Pick<CommandRequest, 'accountId'>): Look | null =>
  state.accounts.get(accountId)?.policiesLookAt ?? null

export const hasNoPolicies = (state: BatchState, accountId: string): boolean =>
  (state.accounts.get(accountId)?.policiesAt ?? null) === null

const knownLine = (state: BatchState, accountId: string, keyId: string): KeyLine | undefined =>
  state.liveKeys.get(keyId)?.line ?? state.rules.keyLines.get(rowKey(accountId, keyId))

/** Decides once it is known under which keys the meters are that have to be loaded; at once where it is, as mostly. */
export function knowingPayers<T>(
  scope: Scope,
  state: BatchState,
  requests: readonly CommandRequest[],
  decide: () => Stored<T> | LoadMore<T>,
): Stored<T> | LoadMore<T> {
  const load = linesToLoad(scope, state, requests, countsByKey)
  if (load.length === 0) return decide()
  const decideByLines = (loaded: readonly Result[]) => {
    for (const row of loaded.flatMap(({ rows }) => rows)) readLine(state.rules, row)
    return decide()
  }
  return { load, decide: decideByLines }
}

/** Looks up the keys that paid what these requests are about, of accounts whose policies ask; none where all are known. */
export function linesToLoad(
  scope: Scope,
  state: BatchState,
  requests: readonly CommandRequest[],
  asks: (look: Look | null) => boolean,
): Statement[] {
  const keys = distinct(
    requests.flatMap((request) => (asks(lookOf(state, request)) ? paidBy(state, request) : [])),
    ({ accountId, keyId }) => rowKey(accountId, keyId),
  )
  // No row is ever deleted; a key without one would be of its own.
  for (const { accountId, keyId } of keys)
    state.rules.keyLines.set(rowKey(accountId, keyId), { originId: keyId, madeBy: [] })
  return keys.length === 0 ? [] : [linesOfKeys(scope, keys)]
}

export function readLine({ keyLines }: RulesState, row: Row): void {
  keyLines.set(rowKey(row['account_id'] as string, row['key_id'] as string), lineFrom(row))
}

/** The key that paid what the request is about. What no policy judges and nothing is counted of needs no payer: most steps of a payout. */
function paidBy(state: BatchState, { lane, accountId, command }: CommandRequest) {
  if (!RULED.has(command.verb) || hasNoPolicies(state, accountId)) return []
  if (command.verb === 'credit' || command.id === null) return []
  const contract = state.contracts.get(rowKey(accountId, command.id))?.contract
  if (contract?.kind !== 'transfer' || !isRuled(contract)) return []
  const { keyId } = payerIn(contract, () => null)
  return keyId === null || knownLine(state, accountId, keyId) ? [] : [{ lane, accountId, keyId }]
}

/** Who paid a contract, as its history names them. `asks`: whether policies of such a look ask which key it was. */
export function payerBefore(
  state: BatchState,
  { accountId }: Pick<CommandRequest, 'accountId'>,
  paid: Paying,
  asks = asksWhoPays,
): Payer {
  return payerIn(paid, (keyId) => {
    const line = knownLine(state, accountId, keyId)
    invariant(line !== undefined || !asks(lookOf(state, { accountId })), 'the key that paid a contract is looked up')
    return line ?? null
  })
}

/** Who pays now: who asks, from the wallet that the command names or that the account has. */
export function payerNow(
  state: BatchState,
  { accountId, keyId, memberId = null, command }: CommandRequest,
  { terms }: Pick<Transfer, 'terms'>,
  walletId: string | null,
): Payer {
  const named = command.verb === 'pay' ? command.walletId : null
  return {
    keyId,
    // A key that may not act any more has none here, and its command is refused.
    keyLine: keyId === null ? null : (knownLine(state, accountId, keyId) ?? null),
    memberId,
    walletId: walletId ?? walletOf(state, accountId, named, terms.currency)?.id ?? named,
  }
}
