// The one write path (design 6): lock the accounts, load, decide in order of arrival, store, commit, answer.
// Imports no use case. No network but the database's.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelBook } from '../domain/channel/channel.ts'
import type { ContractCommand } from '../domain/contract/command.ts'
import type { CreateTransfer, CreditWallet, TransferCommand } from '../domain/transfer/commands.ts'
import type { Contract } from '../domain/contract/contract.ts'
import { decide } from '../domain/transfer/decide.ts'
import { asItStands, type Decision, type Facts, nameProxy } from '../domain/contract/decision.ts'
import { decideCreate } from '../domain/transfer/draft.ts'
import { isFromOutside, refusalOfCredit } from '../domain/money/outside-credit.ts'
import { isRefusal, type Refusal, refuse } from '../domain/contract/refusals.ts'
import type { Transfer } from '../domain/transfer/transfer.ts'
import type { Session } from '../platform/db.ts'
import type { Scope } from '../platform/scope.ts'
import type { Answer, Ask, ContractAnswer, WalletAnswer } from './command-request.ts'
import { HELD } from './batch.ts'
import { afterGivenBack, isOnPayment, onPayment, openPayment, parentOf, takeIn } from './execute-payments.ts'
import { Busy } from './held-lines.ts'
import { type Care, loadWorld, storeWorld } from './load-store.ts'
import { applyDecision, placeOf, postFromOutside, postTo, rememberAnswer, walletOf, type World } from './batch-state.ts'

/**
 * Executes the asks in order, in one transaction. All are answered after the commit, or the fault is thrown; HELD stands
 * for those whose account somebody else holds.
 */
export async function executeBatch(
  session: Session,
  channels: ChannelBook,
  scope: Scope,
  asks: readonly Ask[],
  care: Care = 'accounts',
): Promise<readonly (Answer | typeof HELD)[]> {
  const { statements, read } = loadWorld(scope, asks, care)
  return session.transaction(statements, (loaded) => {
    const world = read(loaded)
    const answers = asks.map((ask) => (world.held.has(ask.accountId) ? HELD : step(world, channels, ask)))
    return { statements: storeWorld(scope, world), value: answers }
  })
}

const ALONE_TRY_AGAIN_MS = 20
const ALONE_TRIES = 250

/**
 * One command in a batch of its own: the account's lock makes it safe beside a gateway at work. One at a time. Throws
 * {@link Busy} where the account stays in somebody else's hands for five seconds.
 */
export async function executeAlone(session: Session, channels: ChannelBook, ask: Ask): Promise<Answer> {
  for (let tried = 0; tried < ALONE_TRIES; tried++) {
    const [answer] = await executeBatch(session, channels, { kind: 'one lane', lane: ask.lane }, [ask])
    if (!answer) throw new Error('a command was not answered')
    if (answer !== HELD) return answer
    await sleep(ALONE_TRY_AGAIN_MS)
  }
  throw new Busy(ask.accountId)
}

/** Decides one ask and applies it to the world in memory. A refusal leaves the world as it was. */
function step(world: World, channels: ChannelBook, ask: Ask): Answer {
  if (ask.keyId !== null && !world.liveKeys.has(ask.keyId))
    return refuse('invalid_api_key', 'X-Api-Key', 'The API key was revoked or has expired. Use another one.')
  const { command } = ask
  const known = ask.idempotency && world.known.get(placeOf(ask.accountId, ask.idempotency.keyHash))
  if (known && !isFollowUp(ask)) return recalled(known, ask)
  if (command.verb === 'credit') return credit(world, ask, command)
  if (command.verb === 'receive') {
    const taken = takeIn(world, channels, ask, command)
    if (ask.idempotency && !isRefusal(taken) && taken.contract)
      rememberAnswer(world, ask, ask.idempotency, taken.contract)
    return taken
  }
  const answer = onContract(world, channels, ask, command)
  if (ask.idempotency && isKept(answer))
    rememberAnswer(world, ask, ask.idempotency, isRefusal(answer) ? answer : answer.contract)
  return answer
}

/** What a rail said while its caller waits: the answer that is kept for the caller's key moves on with it. */
function isFollowUp({ command }: Ask): boolean {
  return command.verb === 'collection' || command.verb === 'receive'
}

/** Kept are successes and the one refusal that a retry must not undo silently: a payment that was declined (robustness c). */
function isKept(answer: ContractAnswer | Refusal): boolean {
  return !isRefusal(answer) || answer.code === 'insufficient_funds'
}

function recalled(
  known: { fingerprint: string; contract: Contract | null; refusal: Refusal | null },
  ask: Ask,
): Answer {
  if (known.fingerprint !== ask.idempotency?.fingerprint) {
    const mend = 'The key was used before with another request (method, path or body). Use a new key.'
    return refuse('idempotency_key_reused', 'Idempotency-Key', mend)
  }
  if (known.refusal) return { ...known.refusal, replayed: true }
  if (known.contract) return { contract: known.contract, attempt: null, job: null, replayed: true }
  throw new Error('an idempotency key without its answer')
}

/** The kind of the contract decides who knows the command; an id of the other kind is not there. */
function onContract(world: World, channels: ChannelBook, ask: Ask, command: ContractCommand): ContractAnswer | Refusal {
  if (command.verb === 'create payment') return openPayment(world, channels, ask, command)
  const before = world.contracts.get(placeOf(ask.accountId, command.id))?.contract ?? null
  if (before && ask.versions && !ask.versions.includes(before.version)) return refuseVersion(before)
  if (before?.kind === 'payment')
    return isOnPayment(command) ? onPayment(world, channels, ask, before, command) : contractNotFound()
  return isOnTransfer(command) ? onTransfer(world, channels, ask, before, command) : contractNotFound()
}

type OnTransfer = CreateTransfer | TransferCommand

function isOnTransfer(command: ContractCommand): command is OnTransfer {
  return !['create payment', 'choose', 'tend', 'collection', 'refund', 'return', 'receive'].includes(command.verb)
}

function onTransfer(
  world: World,
  channels: ChannelBook,
  ask: Ask,
  before: Transfer | null,
  command: OnTransfer,
): ContractAnswer | Refusal {
  const decision = decideOn(before, command, ask, factsFor(world, channels, ask, before, command.id))
  if (isRefusal(decision)) return decision
  nameProxy(decision.after.trail, ask.keyId)
  applyDecision(world, before, decision)
  if (before) afterGivenBack(world, channels, ask, before, decision.after)
  return decision.answer ?? { contract: decision.after, attempt: decision.attempt, job: null, replayed: false }
}

function decideOn(before: Transfer | null, command: OnTransfer, ask: Ask, facts: Facts): Decision | Refusal {
  // A contract that is made again, after an answer that was lost, is there already.
  if (command.verb === 'create')
    return before ? asItStands(before) : decideCreate(command, ask.lane, ask.accountId, facts)
  return before ? decide(before, command, facts) : contractNotFound()
}

function refuseVersion({ version }: Contract): Refusal {
  const mend = 'Read it again, and send the ETag of what you read.'
  return refuse('precondition_failed', 'If-Match', `The contract has changed: it stands at version ${version}. ${mend}`)
}

/** The same words for an id that does not exist and for one that another account owns. */
export function contractNotFound(): Refusal {
  return refuse('contract_not_found', 'id', 'No contract has this id.')
}

const NO_RETRIES = { retries: 0, fallbackChannels: [] }

function factsFor(world: World, channels: ChannelBook, ask: Ask, before: Transfer | null, id: string): Facts {
  return {
    nowMs: world.nowMs,
    channels,
    wallet: (walletId, currency) => walletOf(world, ask.accountId, walletId, currency),
    attempt: world.attempts.get(placeOf(ask.accountId, id)) ?? null,
    refundsAtOnce: world.accounts.get(ask.accountId)?.refundsAtOnce ?? true,
    onFailure: world.accounts.get(ask.accountId) ?? NO_RETRIES,
    parent: parentOf(world, before),
  }
}

/** Money from outside comes into a wallet, once for each reference. */
function credit(world: World, ask: Ask, command: CreditWallet): WalletAnswer | Refusal {
  const place = placeOf(ask.accountId, command.walletId)
  const wallet = world.wallets.get(place)
  if (!wallet || wallet.currency !== command.currency)
    return refuse('wallet_not_found', 'wallet', `No ${command.currency} wallet has this id.`)
  const once = placeOf(ask.accountId, command.reference)
  if (world.credited.has(once)) return { wallet, credited: false }
  const livemode = world.accounts.get(ask.accountId)?.livemode ?? true
  const refusal = refusalOfCredit(livemode, command)
  if (refusal) return refusal
  world.credited.add(once)
  const { source, amountMinor, reference, approval } = command
  const posting = { debit: source, credit: 'available', amountMinor } as const
  const after = isFromOutside(command)
    ? postFromOutside(world, place, posting, reference, { livemode, approval })
    : postTo(world, place, posting, { position: null, contractId: null, reference })
  return { wallet: after, credited: true }
}
