// A dry run: each row is priced and decided as its steps would be, on wallets as they stand less what the rows before it take; no
// contract is written.
import { pricesOf } from '../policies/prices.ts'
import type { BulkCommand, CommandRow } from '../../domain/command/command.ts'
import { refuseAboveCap, type TransferCap } from '../../domain/account/caps.ts'
import type { Facts } from '../../domain/contract/decision.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import { decide } from '../../domain/transfer/decide.ts'
import { decideCreate } from '../../domain/transfer/draft.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { Wallet } from '../../domain/wallet/wallet.ts'
import { byBook, contractNotFound } from '../../engine/execute.ts'
import { loadWallets, walletAfter, walletFrom } from '../../ledger/wallets.ts'
import { scopeOf } from '../../platform/scope.ts'
import { capsFrom, liveApiKeys } from '../../store/accounts/accounts.ts'
import { debitsOfCommand } from '../../store/commands/rows.ts'
import { CLOCK, databaseTimeFrom } from '../../store/contracts/expiry.ts'
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

/** What rows are checked against; each row leaves the wallets as it would. */
export type Ground = {
  readonly nowMs: number
  readonly wallets: Map<string, Wallet>
  readonly caps: readonly TransferCap[] | null
  /** What policies of fees ask now; rows before a row do not count in its volume. */
  readonly priced: Pick<Facts, 'price'>
}

/** The account's wallets, less what the rows take that were checked before. */
export async function groundOf(deps: Pick<StepDeps, 'reader'>, command: BulkCommand): Promise<Ground> {
  const { lane, accountId, keyId } = command
  const [clock, found, keys] = await deps.reader.send([
    CLOCK,
    loadWallets(scopeOf([command]), [command]),
    liveApiKeys(scopeOf([command]), keyId === null ? [] : [{ lane, accountId, keyId }]),
  ])
  const priced = await pricesOf(deps, command)
  const wallets = new Map((found?.rows ?? []).map(walletFrom).map((wallet) => [wallet.id, wallet]))
  const pays = STEPS[command.type].includes('pay')
  const [taken] = pays ? await deps.reader.send([debitsOfCommand(command)]) : []
  for (const { currency, source, debit_minor: debit } of taken?.rows ?? []) {
    const wallet = source === null ? defaultOf(wallets, currency as string) : wallets.get(source as string)
    if (wallet) wallets.set(wallet.id, { ...wallet, availableMinor: wallet.availableMinor - BigInt(debit as string) })
  }
  return { nowMs: databaseTimeFrom(clock), wallets, caps: capsFrom(keys?.rows[0]?.['transfer_max'] ?? null), priced }
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

function stepsOf(
  command: BulkCommand,
  before: Transfer,
  naming: { readonly source: string | null; readonly reason: string | null },
  ground: Ground,
  facts: Facts,
): RowResult {
  const isThere = !opensContracts(command.type)
  const contractId = isThere ? before.id : null
  let contract = before
  let step = 'create'
  const refusedAt = (refusal: Refusal) => ({ ...failed(refusal, step, contract), contractId })
  for (const next of STEPS[command.type]) {
    step = next
    const decided = decide(contract, commandOf(next, contract.id, naming), facts)
    if (isRefusal(decided)) return refusedAt(decided)
    const { after, postings } = decided
    const above = next === 'pay' && refuseAboveCap(ground.caps, after.terms.currency, after.debitMinor)
    if (above) return refusedAt(above)
    contract = after
    const wallet = next === 'pay' && after.walletId !== null ? ground.wallets.get(after.walletId) : undefined
    if (wallet) ground.wallets.set(wallet.id, postings.reduce(walletAfter, wallet))
  }
  const pays = step === 'pay' ? { pays: contract } : {}
  return { status: 'done', contractId, step, error: null, preview: previewOf(contract), ...pays }
}
