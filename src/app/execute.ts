// The one write path (design 6): lock the accounts, load, decide in order of arrival, store, commit, answer.
// Imports no use case. No network but the database's.
import type { Command, CreditWallet, TransferCommand } from '../domain/commands.ts'
import type { ChannelBook } from '../domain/channels.ts'
import { decide } from '../domain/decide.ts'
import type { Decision, Facts } from '../domain/decision.ts'
import { decideCreate } from '../domain/draft.ts'
import { isRefusal, type Refusal, refuse } from '../domain/refusals.ts'
import type { Transfer } from '../domain/transfer.ts'
import type { Session } from '../platform/db.ts'
import type { Scope } from '../platform/scope.ts'
import type { Answer, Ask, ContractAnswer, WalletAnswer } from './ask.ts'
import { loadWorld, storeWorld } from './load-store.ts'
import { applyDecision, placeOf, postTo, rememberAnswer, walletOf, type World } from './world.ts'

/** Executes the asks in order, in one transaction. All are answered after the commit, or the fault is thrown. */
export async function executeBatch(
  session: Session,
  channels: ChannelBook,
  scope: Scope,
  asks: readonly Ask[],
): Promise<readonly Answer[]> {
  const { statements, read } = loadWorld(scope, asks)
  return session.transaction(statements, (loaded) => {
    const world = read(loaded)
    const answers = asks.map((ask) => step(world, channels, ask))
    return { statements: storeWorld(scope, world), value: answers }
  })
}

/** Decides one ask and applies it to the world in memory. A refusal leaves the world as it was. */
function step(world: World, channels: ChannelBook, ask: Ask): Answer {
  if (ask.keyId !== null && !world.liveKeys.has(ask.keyId))
    return refuse('invalid_api_key', 'X-Api-Key', 'The API key was revoked or has expired. Use another one.')
  const known = ask.idempotency && world.known.get(placeOf(ask.accountId, ask.idempotency.keyHash))
  if (known) return recalled(known, ask)
  const { command } = ask
  if (command.verb === 'credit') return credit(world, ask, command)
  const answer = transfer(world, channels, ask, command)
  if (ask.idempotency && isKept(answer))
    rememberAnswer(world, ask, ask.idempotency, isRefusal(answer) ? answer : answer.contract)
  return answer
}

/** Kept are successes and the one refusal that a retry must not undo silently: a payment that was declined (robustness c). */
function isKept(answer: ContractAnswer | Refusal): boolean {
  return !isRefusal(answer) || answer.code === 'insufficient_funds'
}

function recalled(
  known: { fingerprint: string; contract: Transfer | null; refusal: Refusal | null },
  ask: Ask,
): Answer {
  if (known.fingerprint !== ask.idempotency?.fingerprint) {
    const mend = 'The key was used before with another request (method, path or body). Use a new key.'
    return refuse('idempotency_key_reused', 'Idempotency-Key', mend)
  }
  if (known.refusal) return { ...known.refusal, replayed: true }
  if (known.contract) return { contract: known.contract, attempt: null, replayed: true }
  throw new Error('an idempotency key without its answer')
}

function transfer(
  world: World,
  channels: ChannelBook,
  ask: Ask,
  command: Exclude<Command, CreditWallet>,
): ContractAnswer | Refusal {
  const place = placeOf(ask.accountId, command.id)
  const before = world.contracts.get(place)?.contract ?? null
  const decision = decideOn(before, command, ask, factsFor(world, channels, ask, place))
  if (isRefusal(decision)) return decision
  applyDecision(world, before, decision)
  return decision.answer ?? { contract: decision.after, attempt: decision.attempt, replayed: false }
}

function decideOn(
  before: Transfer | null,
  command: Exclude<Command, CreditWallet>,
  ask: Ask,
  facts: Facts,
): Decision | Refusal {
  if (command.verb === 'create') return decideCreate(command, ask.lane, ask.accountId, facts)
  if (!before) return contractNotFound()
  return decide(before, command satisfies TransferCommand, facts)
}

/** The same words for an id that does not exist and for one that another account owns. */
export function contractNotFound(): Refusal {
  return refuse('contract_not_found', 'id', 'No contract has this id.')
}

const NO_RETRIES = { retries: 0, fallbackChannels: [] }

function factsFor(world: World, channels: ChannelBook, ask: Ask, place: string): Facts {
  return {
    nowMs: world.nowMs,
    channels,
    wallet: (walletId, currency) => walletOf(world, ask.accountId, walletId, currency),
    attempt: world.attempts.get(place) ?? null,
    refundsAtOnce: world.accounts.get(ask.accountId)?.refundsAtOnce ?? true,
    onFailure: world.accounts.get(ask.accountId) ?? NO_RETRIES,
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
  world.credited.add(once)
  const posting = { debit: command.source, credit: 'available', amountMinor: command.amountMinor } as const
  const after = postTo(world, place, posting, { position: null, contractId: null, reference: command.reference })
  return { wallet: after, credited: true }
}
