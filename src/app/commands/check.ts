// A dry run: each row is priced and decided as its steps would be, on wallets and on the key's mandate as they stand less what the rows
// before it take; no contract is written. What policies deny, and what is paid already, takes nothing.
import { pricesOf } from '../policies/prices.ts'
import type { BulkCommand, CommandRow } from '../../domain/command/command.ts'
import type { Decision, Facts, Rules } from '../../domain/contract/decision.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import { decide } from '../../domain/transfer/decide.ts'
import { decideCreate } from '../../domain/transfer/draft.ts'
import type { Judgement } from '../../domain/policy/judge.ts'
import type { Spent } from '../../domain/mandate/mandate.ts'
import type { TransferCommand } from '../../domain/transfer/commands.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { Wallet } from '../../domain/wallet/wallet.ts'
import type { KeyBounds } from '../../engine/batch-state.ts'
import { byBook, contractNotFound } from '../../engine/execute.ts'
import { outgoingOf, refuseBeyond, withSpent } from '../../engine/key-caps.ts'
import { loadWallets, walletAfter, walletFrom } from '../../ledger/wallets.ts'
import { scopeOf } from '../../platform/scope.ts'
import { capsFrom, liveApiKeys } from '../../store/accounts/accounts.ts'
import { mandateFrom, spendingFrom } from '../../store/accounts/mandates.ts'
import { debitsOfCommand } from '../../store/commands/rows.ts'
import { CLOCK, databaseTimeFrom } from '../../store/contracts/expiry.ts'
import { type Judge, judgeOf } from './looks.ts'
import { checkPayment } from './payments.ts'
import {
  commandOf,
  contractAt,
  draftIn,
  failed,
  namingIn,
  opensContracts,
  previewOf,
  type RowResult,
  type StepDeps,
  STEPS,
} from './steps.ts'

/** What rows are checked against; each row leaves the wallets, and what has left by the mandate, as it would. */
export type Ground = {
  readonly nowMs: number
  readonly wallets: Map<string, Wallet>
  /** Of the key that made the command; without any where a member did. */
  readonly bounds: Pick<KeyBounds, 'caps' | 'mandate'>
  /** By currency, what has left by the mandate. */
  readonly spending: Map<string, Spent>
  /** What policies and the mandate say of a transfer before it is paid; rows before a row do not count in what they look at. */
  readonly judge: Judge
  /** Contracts that rows before pay: they are not paid again. */
  readonly paying: Set<string>
  /** What policies of fees ask now; rows before a row do not count in its volume. */
  readonly priced: Pick<Facts, 'price'>
}

/** The account's wallets and the key's mandate, less what the rows take that were checked before, by whatever process. */
export async function groundOf(
  deps: Pick<StepDeps, 'reader' | 'channels'>,
  command: BulkCommand,
  rows: readonly CommandRow[],
): Promise<Ground> {
  const { lane, accountId, keyId } = command
  const [clock, found, keys] = await deps.reader.send([
    CLOCK,
    loadWallets(scopeOf([command]), [command]),
    liveApiKeys(scopeOf([command]), keyId === null ? [] : [{ lane, accountId, keyId }]),
  ])
  const priced = await pricesOf(deps, command)
  const wallets = new Map((found?.rows ?? []).map(walletFrom).map((wallet) => [wallet.id, wallet]))
  const pays = STEPS[command.type].includes('pay')
  const [taken] = pays ? await deps.reader.send([debitsOfCommand(command, contractsNamed(command, rows))]) : []
  const paying = new Set((taken?.rows ?? []).flatMap(({ contract_ids: ids }) => ids as string[]))
  const judge = await judgeOf(deps, command)
  const [key] = keys?.rows ?? []
  const bounds = { caps: capsFrom(key?.['transfer_max'] ?? null), mandate: mandateFrom(key?.['mandate'] ?? null) }
  const spending = new Map(spendingFrom(key?.['spending']).map((spent) => [spent.currency, spent]))
  for (const { currency: code, source, debit_minor: debit } of taken?.rows ?? []) {
    const [currency, minor] = [code as string, BigInt(debit as string)]
    const wallet = source === null ? defaultOf(wallets, currency) : wallets.get(source as string)
    if (wallet) wallets.set(wallet.id, { ...wallet, availableMinor: wallet.availableMinor - minor })
    noteSpent(spending, { currency, minor })
  }
  return { nowMs: databaseTimeFrom(clock), wallets, bounds, spending, judge, paying, priced }
}

function contractsNamed({ type }: BulkCommand, rows: readonly CommandRow[]): string[] {
  const named = opensContracts(type) ? [] : rows.map(namingIn)
  return named.flatMap((naming) => (isRefusal(naming) || !isUuid(naming.id) ? [] : [naming.id]))
}

/** Adds to what has left by the mandate. */
function noteSpent(spending: Map<string, Spent>, going: Parameters<typeof withSpent>[1]): void {
  for (const spent of withSpent([...spending.values()], going)) spending.set(spent.currency, spent)
}

function defaultOf(wallets: ReadonlyMap<string, Wallet>, currency: string): Wallet | undefined {
  return [...wallets.values()].find((wallet) => wallet.isDefault && wallet.currency === currency)
}

/** What would become of a row. */
export const checkRow = (deps: StepDeps, command: BulkCommand, row: CommandRow, ground: Ground): Promise<RowResult> =>
  byBook(deps.channels, () => checked(deps, command, row, ground))

async function checked(deps: StepDeps, command: BulkCommand, row: CommandRow, ground: Ground): Promise<RowResult> {
  const facts: Facts = {
    nowMs: ground.nowMs,
    channels: deps.channels,
    wallet: (id, currency) => (id === null ? defaultOf(ground.wallets, currency) : ground.wallets.get(id)),
    attempt: null,
    refundsAtOnce: true,
    onFailure: { retries: 0, fallbackChannels: [] },
    parent: null,
    ...ground.priced,
  }
  if (command.type === 'payments.create') return checkPayment(deps, command, row, facts)
  if (!opensContracts(command.type)) {
    const naming = namingIn(row)
    if (isRefusal(naming)) return failed(naming, null)
    const contract = isUuid(naming.id) ? await contractAt(deps, command, naming.id) : null
    return contract ? stepsOf(command, contract, naming, ground, facts) : failed(contractNotFound(), null)
  }
  const draft = await draftIn(deps, command, row)
  if (isRefusal(draft)) return failed(draft, 'create')
  const created = decideCreate(draft.create, command.lane, command.accountId, facts)
  if (isRefusal(created)) return failed(created, 'create')
  return stepsOf(command, created.after, { source: draft.source, reason: null }, ground, facts)
}

async function stepsOf(
  command: BulkCommand,
  before: Transfer,
  naming: { readonly source: string | null; readonly reason: string | null },
  ground: Ground,
  facts: Facts,
): Promise<RowResult> {
  const isThere = !opensContracts(command.type)
  const contractId = isThere ? before.id : null
  let contract = before
  let step = 'create'
  let judged: Judgement | null = null
  const refusedAt = (refusal: Refusal): RowResult => {
    const denied = refusal.code === 'policy_denied' ? { pays: contract, judged } : {}
    return { ...failed(refusal, step, contract), contractId, ...denied }
  }
  let takes: Pick<RowResult, 'takesNothing'> = { takesNothing: true }
  for (const next of STEPS[command.type]) {
    step = next
    if (next === 'pay' && ground.paying.has(contract.id)) continue
    const asked = commandOf(next, contract.id, naming)
    if (next === 'pay')
      judged = await judgedBefore(ground, contract, facts.wallet(naming.source, contract.terms.currency))
    const decided = decide(contract, asked, judged ? { ...facts, rules: denying(judged) } : facts)
    if (isRefusal(decided)) return refusedAt(decided)
    const { after, postings } = decided
    const beyond = takenByKey(ground, asked, decided)
    if (beyond) return refusedAt(beyond)
    contract = after
    if (next !== 'pay' || postings.length === 0) continue
    takes = {}
    ground.paying.add(contract.id)
    const wallet = after.walletId === null ? undefined : ground.wallets.get(after.walletId)
    if (wallet) ground.wallets.set(wallet.id, postings.reduce(walletAfter, wallet))
  }
  const pays = step === 'pay' ? { pays: contract, judged } : {}
  return { status: 'done', contractId, step, error: null, preview: previewOf(contract), ...pays, ...takes }
}

/** Nothing is asked of what is paid already, nor of what no wallet pays. */
const judgedBefore = async ({ judge }: Ground, contract: Transfer, wallet: Wallet | undefined) =>
  contract.paidAt === null && wallet ? judge(contract, wallet.id) : null

/** The rules of which only those count here that deny: what is asked of others beside is told with the row, which waits for nobody. */
const denying = (judged: Judgement): Rules => ({
  judge: () => ({ ...judged, approvals: [], verifications: [] }),
  roleOf: () => null,
  termsHash: () => '',
  lackingVerifications: () => [],
})

/** Counts what leaves by the key; or why it may not. */
function takenByKey({ nowMs, bounds, spending }: Ground, command: TransferCommand, decision: Decision): Refusal | null {
  const going = outgoingOf({ nowMs }, { command }, decision)
  if (going === null) return null
  const refusal = refuseBeyond(bounds, [...spending.values()], going)
  if (refusal === null) noteSpent(spending, going)
  return refusal
}
