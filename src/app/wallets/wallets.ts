// Wallets as their owner makes and changes them, and made-up money for test ones. No money of anybody moves here but that.
import { type Audited, changed } from '../../domain/account/audit.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { displayText } from '../../domain/money/money.ts'
import { type NewWallet, openWallet, patchWallet, type WalletPatch } from '../../domain/wallet/changes.ts'
import type { Wallet } from '../../domain/wallet/wallet.ts'
import type { WalletResult } from '../../engine/command-request.ts'
import { findCredit } from '../../ledger/outside-credits.ts'
import { insertWallet, loadWallets, saveWalletSettings, walletFrom } from '../../ledger/wallets.ts'
import type { Result } from '../../platform/db.ts'
import { presentWallet } from '../../wire/wallets/wallets.ts'
import { changeAccount, type Changer, type NewEvent, unchanged } from '../accounts/changes.ts'
import type { Deps } from '../deps.ts'

export type WalletDeps = Pick<Deps, 'changes' | 'execute' | 'reader' | 'newId'>

/** Opens a wallet. */
export async function createWallet(
  { changes, newId }: WalletDeps,
  changer: Changer,
  wanted: Omit<NewWallet, 'lane' | 'accountId' | 'id'>,
): Promise<Wallet | Refusal> {
  const { lane, accountId } = changer
  const id = newId(lane)
  return changeAccount<Wallet>(changes, changer, [allOf(changer)], ([loaded], { head: { livemode } }) => {
    const wallet = openWallet({ ...wanted, lane, accountId, id }, walletsFrom(loaded))
    if (isRefusal(wallet)) return wallet
    const statements = [insertWallet(wallet, livemode)]
    const audited = [auditedWallet('created', null, wallet)]
    return { statements, audited, events: [eventOf('wallet.created', wallet, livemode)], value: wallet }
  })
}

/** Changes a wallet by what a patch makes of it as it stands. Where it becomes the default, the former one changes with it. */
export async function updateWallet(
  { changes }: WalletDeps,
  changer: Changer,
  id: string,
  patchOf: (before: Wallet) => { readonly patch: WalletPatch } | Refusal,
): Promise<Wallet | Refusal> {
  const scope = { kind: 'one lane', lane: changer.lane } as const
  return changeAccount<Wallet>(changes, changer, [allOf(changer)], ([loaded], { head: { livemode } }) => {
    const all = walletsFrom(loaded)
    const before = all.find((each) => each.id === id)
    if (!before) return walletNotFound()
    const patched = patchOf(before)
    if (isRefusal(patched)) return patched
    const after = patchWallet(before, patched.patch, all)
    if (isRefusal(after)) return after
    const [first] = after
    if (!first) return unchanged(before)
    // One default at any moment: the former one lets go first.
    const statements = after.toReversed().map((wallet) => saveWalletSettings(scope, [wallet]))
    const audited = after.map((wallet) =>
      auditedWallet('updated', all.find((each) => each.id === wallet.id) ?? null, wallet),
    )
    const events = after.map((wallet) => eventOf('wallet.updated', wallet, livemode))
    return { statements, audited, events, value: first }
  })
}

export function walletNotFound(): Refusal {
  return refuse('wallet_not_found', 'id', 'No wallet has this id.')
}

const allOf = ({ lane, accountId }: Changer) => loadWallets({ kind: 'one lane', lane }, [{ lane, accountId }])

const walletsFrom = (loaded: Result | undefined): Wallet[] => (loaded?.rows ?? []).map(walletFrom)

const eventOf = (type: NewEvent['type'], wallet: Wallet, livemode: boolean): NewEvent => ({
  type,
  object: presentWallet(wallet, livemode),
})

function auditedWallet(verb: 'created' | 'updated', before: Wallet | null, after: Wallet): Audited {
  const differs = changed(before ? auditedSettings(before) : {}, auditedSettings(after))
  return {
    action: `wallet.${verb}`,
    object: { type: 'wallet', id: after.id },
    before: before && (differs?.before ?? null),
    after: differs?.after ?? null,
  }
}

function auditedSettings({ currency, label, isDefault, status, lowMinor, metadata }: Wallet) {
  const low = lowMinor === null ? null : displayText(lowMinor, currency)
  return { currency, label, default: isDefault, status, low_balance: low, metadata }
}

export type TopUp = { readonly amountMinor: bigint; readonly reference: string }

/** Made-up money comes into a test wallet, once for each reference; the same reference for something else is refused. */
export async function topUp(
  { execute, reader }: WalletDeps,
  { lane, accountId, keyId }: Changer,
  wallet: Wallet,
  { amountMinor, reference }: TopUp,
): Promise<WalletResult | Refusal> {
  const { id: walletId, currency } = wallet
  // Apart from the references of transfers, which are credited in the same column.
  const name = `topup:${reference}`
  const result = await execute({
    lane,
    accountId,
    keyId,
    idempotency: null,
    command: { verb: 'credit', walletId, amountMinor, currency, reference: name, source: 'external', approval: null },
  })
  if (isRefusal(result) || result.credited) return result
  const [found] = await reader.send([findCredit({ lane, accountId }, name)])
  const row = found?.rows[0]
  if (row?.['wallet_id'] === walletId && BigInt((row['amount_minor'] as string | undefined) ?? 0) === amountMinor)
    return result
  return refuse(
    'reference_reused',
    'reference',
    'This reference was used before, for another amount or wallet. Give a new one.',
  )
}
