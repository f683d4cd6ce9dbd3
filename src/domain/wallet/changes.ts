// What an owner may change of a wallet: its label, its mark, which is the default, whether it is open. Pure.
import { invalid, type Refusal, refuse, refuseAll } from '../contract/refusals.ts'
import { isBelowMark, NO_MONEY, type Wallet, type WalletSettings } from './wallet.ts'

const OPEN_WALLETS_MAX = 100
/** Closed ones included: they are kept, since money may come back to them. */
const WALLETS_MAX = 1000

export type NewWallet = Pick<Wallet, 'lane' | 'accountId' | 'id' | 'currency' | 'label' | 'lowMinor' | 'metadata'>

/** A new wallet beside those that the account has; the first open one of a currency is its default. */
export function openWallet(wallet: NewWallet, all: readonly Wallet[]): Wallet | Refusal {
  const full = fullWith(all)
  if (full) return full
  const isDefault = !all.some((each) => each.isDefault && each.currency === wallet.currency)
  const fresh = { ...wallet, ...NO_MONEY, isDefault, status: 'open', sequence: 0 } as const
  return { ...fresh, isLow: isBelowMark(fresh) }
}

function fullWith(all: readonly Wallet[]): Refusal | null {
  const open = all.filter(({ status }) => status === 'open').length
  if (open >= OPEN_WALLETS_MAX)
    return refuse(
      'wallets_full',
      null,
      `The account has ${OPEN_WALLETS_MAX} open wallets, as many as it may have. Close one.`,
    )
  return all.length < WALLETS_MAX
    ? null
    : refuse(
        'wallets_full',
        null,
        `The account has ${WALLETS_MAX} wallets with those that are closed. Open a closed one again.`,
      )
}

/** Absent members stay as they are. */
export type WalletPatch = Partial<Pick<WalletSettings, 'label' | 'lowMinor' | 'status' | 'metadata'>> & {
  readonly isDefault?: true
}

/** The wallets that a patch changes, the named one first; none where it changes nothing. */
export function patchWallet(wallet: Wallet, patch: WalletPatch, all: readonly Wallet[]): readonly Wallet[] | Refusal {
  const settled: Wallet = { ...wallet, ...patch }
  const after: Wallet = { ...settled, isLow: isBelowMark(settled) }
  const refusal = refusalOf(wallet, after, patch, all)
  if (refusal) return refusal
  const former = all.filter((each) => each.isDefault && each.currency === wallet.currency && each.id !== wallet.id)
  const others = after.isDefault && !wallet.isDefault ? former.map((each) => ({ ...each, isDefault: false })) : []
  return isSame(wallet, after) ? [] : [after, ...others]
}

function refusalOf(before: Wallet, after: Wallet, patch: WalletPatch, all: readonly Wallet[]): Refusal | null {
  if (after.status === 'closed' && patch.isDefault)
    return refuseAll([invalid('default', 'A closed wallet cannot be the default. Open it first: status open.')])
  if (before.status === 'closed')
    return after.status === 'open' ? fullWith(all.filter(({ id }) => id !== before.id)) : null
  if (after.status === 'open') return null
  if (before.isDefault)
    return refuse(
      'wallet_is_default',
      'status',
      `Money in ${before.currency} that names no wallet goes here. Make another wallet the default first.`,
    )
  const { availableMinor, heldMinor, inTransitMinor, pendingMinor, suspenseMinor } = before
  const isEmpty = [availableMinor, heldMinor, inTransitMinor, pendingMinor, suspenseMinor].every(
    (minor) => minor === 0n,
  )
  return isEmpty
    ? null
    : refuse(
        'wallet_not_empty',
        'status',
        'The wallet has money: available, held, in transit, pending or in suspense. Move it first.',
      )
}

const settingsOf = ({ label, isDefault, status, lowMinor, isLow, metadata }: Wallet) =>
  JSON.stringify([label, isDefault, status, lowMinor?.toString() ?? null, isLow, metadata])

const isSame = (one: Wallet, other: Wallet): boolean => settingsOf(one) === settingsOf(other)
