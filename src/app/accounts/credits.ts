// Money into a wallet from outside its account: from another wallet of this gateway, or from an operator's top-up.
import type { Approval, CreditWallet } from '../../domain/transfer/commands.ts'
import { contractOfReference, isUuid, laneOf } from '../../domain/contract/ids.ts'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import type { Credited } from '../../connectors/wallet/wallet.ts'
import type { SendOrder } from '../../domain/channel/outcome.ts'
import type { Session } from '../../platform/db.ts'
import { findContractOwner } from '../../store/contracts/contracts.ts'
import { findWalletOwner, knownReferences, type WalletOwner } from '../../ledger/wallets.ts'
import { scopeOf } from '../../platform/scope.ts'
import { definite } from '../../platform/servers/absence.ts'
import type { Execute, WalletResult } from '../../engine/command-request.ts'

export type CreditDeps = { readonly execute: Execute; readonly reader: Session }

export type Credit = {
  readonly walletId: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly reference: string
  readonly source: CreditWallet['source']
  /** Who vouches for money from a clearing account. */
  readonly approval?: Approval
  /** It is refused after this moment of the database's clock. */
  readonly notAfter?: number | null
  /** It is refused once this says no, as it is decided. */
  readonly isInTime?: () => boolean
}

/** Credits once for each reference; null where no wallet has the id. */
export async function creditWallet(
  deps: CreditDeps,
  { notAfter, isInTime, ...credit }: Credit,
): Promise<WalletResult | Refusal | null> {
  const owner = await ownerOf(deps, credit.walletId)
  if (!owner) return null
  const { lane, accountId } = owner
  return deps.execute({
    lane,
    accountId,
    keyId: null,
    idempotency: null,
    notAfter: notAfter ?? null,
    ...(isInTime && { isInTime }),
    command: { verb: 'credit', approval: null, ...credit },
  })
}

/** The wallet channel's credit. A wallet of the other mode does not exist here: money of a trial never reaches a live one. */
export async function creditFromChannel(
  deps: CreditDeps,
  walletId: string,
  {
    amountMinor,
    currency,
    reference,
    notAfter,
    isInTime,
  }: Pick<SendOrder, 'amountMinor' | 'currency' | 'reference' | 'notAfter' | 'isInTime'>,
): Promise<Credited> {
  if (await isOfOtherMode(deps, walletId, reference)) return 'no such wallet'
  const source = 'clearing:wallet'
  const lease = { notAfter, ...(isInTime && { isInTime }) }
  const answer = await creditWallet(deps, { walletId, amountMinor, currency, reference, source, ...lease })
  if (answer === null) return 'no such wallet'
  if (!isRefusal(answer)) return 'credited'
  if (answer.code === 'wallet_closed') return 'wallet closed'
  // Whatever else is refused, such as in recovery, says nothing of the wallet: the money may come there later.
  return answer.code === 'wallet_not_found' ? 'other currency' : 'not now'
}

async function isOfOtherMode({ reader }: CreditDeps, walletId: string, reference: string): Promise<boolean> {
  const named = contractOfReference(reference)
  if (!named || !isUuid(walletId)) return false
  const [payer, payee] = await reader.send([
    findContractOwner(laneOf(named.contractId), named.contractId),
    findWalletOwner(laneOf(walletId), walletId),
  ])
  const modes = [payer?.rows[0]?.['livemode'], payee?.rows[0]?.['livemode']]
  return modes.every((mode) => typeof mode === 'boolean') && modes[0] !== modes[1]
}

/** Whether the wallet has been credited with the reference. */
export async function isCredited(deps: CreditDeps, walletId: string, reference: string): Promise<boolean> {
  const owner = await ownerOf(deps, walletId)
  if (!owner) return false
  const look = definite(knownReferences(scopeOf([owner]), [{ ...owner, reference }]))
  const [result] = await deps.reader.send([look])
  return (result?.rows.length ?? 0) > 0
}

async function ownerOf({ reader }: CreditDeps, walletId: string): Promise<WalletOwner | null> {
  if (!isUuid(walletId)) return null
  const [result] = await reader.send([findWalletOwner(laneOf(walletId), walletId)])
  const row = result?.rows[0]
  return row ? { lane: row['lane'] as number, accountId: row['account_id'] as string } : null
}
