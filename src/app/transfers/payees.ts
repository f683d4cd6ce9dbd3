// Looks up the wallet of this gateway that a draft is to pay, before it is written: only of drafts on a channel that pays
// wallets, so that no other waits for it. A wallet may be on any lane, and a batch reads its own alone.
import { isUuid, laneOf } from '../../domain/contract/ids.ts'
import { isLookAgain, type LookAgain, type Payee, paysWallets } from '../../domain/transfer/payees.ts'
import type { WalletStatus } from '../../domain/wallet/wallet.ts'
import type { TermsPatch, UpdateTransfer } from '../../domain/transfer/commands.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import type { Terms } from '../../domain/transfer/transfer.ts'
import { findWalletOwner } from '../../ledger/wallets.ts'
import type { CommandResult } from '../../engine/command-request.ts'
import type { ReadContract } from '../../engine/reads.ts'
import type { Deps } from '../deps.ts'
import type { Requester } from '../payments/payments.ts'

type PayeeDeps = Pick<Deps, 'channels' | 'contracts' | 'reader'>

/** The wallet that the terms name; undefined, and nothing to wait for, where they name none or pay by another way. */
export function payeeOf(deps: PayeeDeps, { channelId, recipient }: Terms): Promise<Payee | undefined> | undefined {
  const channel = channelId === null ? undefined : deps.channels.current(channelId)
  const walletId = recipient?.wallet ?? null
  return channel && paysWallets(channel) && walletId !== null ? findPayee(deps, walletId) : undefined
}

/** The wallet of an id, whatever pays it; undefined for what is no id of a wallet. */
export async function findPayee({ reader }: Pick<Deps, 'reader'>, walletId: string): Promise<Payee | undefined> {
  if (!isUuid(walletId)) return undefined
  const [result] = await reader.send([findWalletOwner(laneOf(walletId), walletId)])
  const row = result?.rows[0]
  if (!row) return { walletId, owner: null }
  return {
    walletId,
    owner: {
      accountId: row['account_id'] as string,
      livemode: row['livemode'] as boolean,
      currency: row['currency'] as string,
      status: row['status'] as WalletStatus,
      name: row['name'] as string,
    },
  }
}

/** What of a patch may change which wallet is paid, or whether it fits. */
const MAY_CHANGE = ['channel', 'recipient', 'currency'] as const

/** Whether a patch, as it was sent, may make a draft pay another wallet of this gateway, or in other words. */
function mayChangePayee({ channels }: Pick<Deps, 'channels'>, patch: Readonly<Record<string, unknown>>): boolean {
  const { channel } = patch
  const chosen = typeof channel === 'string' ? channels.current(channel) : undefined
  return MAY_CHANGE.some((member) => member in patch) && (chosen === undefined || paysWallets(chosen))
}

/** A draft is patched in this way. `sent` is the patch before it was read. */
type Patching = {
  readonly id: string
  readonly patch: TermsPatch
  readonly sent: Readonly<Record<string, unknown>>
}

/** Changes a draft, once the wallet is looked up that it pays afterwards. */
export async function updateTransfer(
  deps: PayeeDeps & Pick<Deps, 'execute'>,
  requester: Requester,
  { id, patch, sent }: Patching,
): Promise<Exclude<CommandResult<UpdateTransfer>, LookAgain>> {
  const { lane, accountId } = requester
  const expected = mayChangePayee(deps, sent) ? await payeeOfPatched(deps, { lane, accountId, id }, patch) : undefined
  return lookingAgain(deps, expected, (payee) =>
    deps.execute({ ...requester, command: { verb: 'update', id, patch, ...(payee ? { payee } : {}) } }),
  )
}

/** Each time but the first, somebody else has changed in between which wallet is paid. */
const LOOKS_MAX = 5

/** Runs what is decided by a wallet that was looked up before, and again where it asks for another one, which is then looked up. */
export async function lookingAgain<T>(
  deps: Pick<Deps, 'reader'>,
  expected: Payee | undefined,
  run: (payee: Payee | undefined) => Promise<T | LookAgain>,
): Promise<T | Refusal> {
  let payee = expected
  for (let looks = 1; looks <= LOOKS_MAX; looks++) {
    const result = await run(payee)
    if (!isLookAgain(result)) return result
    payee = await findPayee(deps, result.walletId)
  }
  const why = 'Others change at the same time which wallet is paid.'
  return refuse('account_busy', null, `${why} Nothing was done. Try again after Retry-After.`)
}

/**
 * The wallet that a draft names once it is patched. Read without a lock: where the draft has changed by the time it is patched, the
 * decision asks for the wallet that it names then.
 */
async function payeeOfPatched(deps: PayeeDeps, key: ReadContract, patch: TermsPatch): Promise<Payee | undefined> {
  const contract = await deps.contracts.submit(key)
  if (contract?.kind !== 'transfer' || contract.status !== 'draft') return undefined
  const patched = patch(contract.terms)
  return isRefusal(patched) ? undefined : payeeOf(deps, patched.terms)
}
