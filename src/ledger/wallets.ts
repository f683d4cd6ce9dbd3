// Wallets and their ledger rows: balances with floors, and the append-only rows that prove them. Knows no contract.
import type { Posting } from '../domain/money/postings.ts'
import type { Wallet } from '../domain/wallet/wallet.ts'
import { invariant } from '../domain/invariant.ts'
import {
  assigned,
  bool,
  forRows,
  insertRows,
  int,
  int8,
  json,
  reader,
  selected,
  text,
  time,
  updateRows,
  uuid,
  word,
} from '../platform/columns.ts'
import { plainArray, type Statement } from '../platform/db.ts'
import { definite } from '../platform/servers/absence.ts'

export type WalletOwner = { readonly lane: number; readonly accountId: string }

const OWNER = {
  lane: int((row: WalletOwner) => row.lane),
  account_id: uuid((row: WalletOwner) => row.accountId),
}

const KEY = { ...OWNER, id: uuid((wallet: Wallet) => wallet.id) }

const BALANCES = {
  available_minor: int8((wallet: Wallet) => wallet.availableMinor),
  held_minor: int8((wallet: Wallet) => wallet.heldMinor),
  in_transit_minor: int8((wallet: Wallet) => wallet.inTransitMinor),
  pending_minor: int8((wallet: Wallet) => wallet.pendingMinor),
  suspense_minor: int8((wallet: Wallet) => wallet.suspenseMinor),
  sequence: int8((wallet: Wallet) => wallet.sequence),
}

/** What its owner sets. */
const SETTINGS = {
  label: text((wallet: Wallet) => wallet.label),
  is_default: bool((wallet: Wallet) => wallet.isDefault),
  status: word((wallet: Wallet) => wallet.status),
  low_minor: int8((wallet: Wallet) => wallet.lowMinor),
  is_low: bool((wallet: Wallet) => wallet.isLow),
  metadata: json((wallet: Wallet) => wallet.metadata),
}

const WALLET = { ...KEY, currency: word((wallet: Wallet) => wallet.currency), ...BALANCES, ...SETTINGS }

/** All wallets of the accounts. The account's lock is held, so they stand still. */
export const loadWallets = forRows(
  'load_wallets',
  OWNER,
  (owners) => `select ${selected(WALLET, 'w')}
     from ${owners}
     join wallets w on w.lane = x.lane and w.account_id = x.account_id
    where $lane(w)`,
)

/**
 * Of the accounts' wallets the defaults, and those that are named: what a payment out of a wallet needs, however many wallets
 * the account has.
 */
export const loadNamedWallets = forRows(
  'load_named_wallets',
  { ...OWNER, wallet_id: uuid((row: WalletOwner & { readonly walletId: string | null }) => row.walletId) },
  (owners) => `select ${selected(WALLET, 'w')}
     from ${owners}
     join wallets w on w.lane = x.lane and w.account_id = x.account_id and (w.is_default or w.id = x.wallet_id)
    where $lane(w)`,
)

export const walletFrom = reader(
  WALLET,
  (row): Wallet => ({
    lane: row.lane,
    accountId: row.account_id,
    id: row.id,
    currency: row.currency,
    availableMinor: BigInt(row.available_minor),
    heldMinor: BigInt(row.held_minor),
    inTransitMinor: BigInt(row.in_transit_minor),
    pendingMinor: BigInt(row.pending_minor),
    suspenseMinor: BigInt(row.suspense_minor),
    sequence: Number(row.sequence),
    label: row.label,
    isDefault: row.is_default,
    status: row.status,
    lowMinor: row.low_minor === null ? null : BigInt(row.low_minor),
    isLow: row.is_low,
    metadata: row.metadata,
  }),
)

/** One row of the ledger, as it is appended. */
export type LedgerRow = Posting &
  WalletOwner & {
    readonly walletId: string
    readonly sequence: number
    readonly position: number | null
    readonly contractId: string | null
    readonly availableAfterMinor: bigint
    readonly heldAfterMinor: bigint
    readonly inTransitAfterMinor: bigint
    readonly pendingAfterMinor: bigint
    readonly suspenseAfterMinor: bigint
    readonly reference: string | null
    readonly at: number
  }

/** The wallet after a posting. A balance below zero is a fault: the decision had to refuse before. */
export function walletAfter(wallet: Wallet, posting: Posting): Wallet {
  const by = (account: string) =>
    (posting.credit === account ? posting.amountMinor : 0n) - (posting.debit === account ? posting.amountMinor : 0n)
  const after: Wallet = {
    ...wallet,
    availableMinor: wallet.availableMinor + by('available'),
    heldMinor: wallet.heldMinor + by('held'),
    inTransitMinor: wallet.inTransitMinor + by('in_transit'),
    pendingMinor: wallet.pendingMinor + by('pending'),
    suspenseMinor: wallet.suspenseMinor + by('suspense'),
    sequence: wallet.sequence + 1,
  }
  const balances = [
    after.availableMinor,
    after.heldMinor,
    after.inTransitMinor,
    after.pendingMinor,
    after.suspenseMinor,
  ]
  invariant(
    balances.every((minor) => minor >= 0n),
    'no balance below zero',
  )
  return after
}

/** Writes the balances of the wallets that moved: once for each wallet, however many commands moved it. */
export const saveWallets = updateRows(
  'save_wallets',
  { ...KEY, ...BALANCES },
  (rows) => `update wallets w
      set ${assigned(BALANCES)}
     from ${rows}
    where w.lane = x.lane and w.account_id = x.account_id and w.id = x.id and w.sequence < x.sequence and $lane(w)`,
)

/** Writes what a batch changed beside the balances: that a wallet is low, or open again. */
export const saveWalletSettings = updateRows(
  'save_wallet_settings',
  { ...KEY, ...SETTINGS },
  (rows) => `update wallets w
      set ${assigned(SETTINGS)}
     from ${rows}
    where w.lane = x.lane and w.account_id = x.account_id and w.id = x.id and $lane(w)`,
)

/** A new wallet, with what its owner said of it. */
export function insertWallet(wallet: Wallet, livemode: boolean): Statement {
  const { lane, accountId, id, currency, label, isDefault, lowMinor, isLow, metadata } = wallet
  return {
    name: 'open_wallet',
    text: `insert into wallets (lane, account_id, id, currency, livemode, label, is_default, low_minor, is_low, metadata)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [lane, accountId, id, currency, livemode, label, isDefault, lowMinor, isLow, JSON.stringify(metadata)],
  }
}

/** A row of the ledger of any origin. */
export const LEDGER = {
  ...OWNER,
  wallet_id: uuid((row: LedgerRow) => row.walletId),
  sequence: int8((row: LedgerRow) => row.sequence),
  debit: text((row: LedgerRow) => row.debit),
  credit: text((row: LedgerRow) => row.credit),
  amount_minor: int8((row: LedgerRow) => row.amountMinor),
  available_after_minor: int8((row: LedgerRow) => row.availableAfterMinor),
  held_after_minor: int8((row: LedgerRow) => row.heldAfterMinor),
  in_transit_after_minor: int8((row: LedgerRow) => row.inTransitAfterMinor),
  pending_after_minor: int8((row: LedgerRow) => row.pendingAfterMinor),
  suspense_after_minor: int8((row: LedgerRow) => row.suspenseAfterMinor),
  reference: text((row: LedgerRow) => row.reference),
  at: time((row: LedgerRow) => row.at),
}

export const appendLedger = insertRows('append_ledger', 'ledger', {
  ...LEDGER,
  position: int8((row: LedgerRow) => row.position),
  contract_id: uuid((row: LedgerRow) => row.contractId),
})

/** What came into wallets of a lane from other wallets of this gateway since a moment, with the reference of each. */
export function creditsBetweenWallets(lane: number, sinceMs: number): Statement {
  return {
    name: 'credits_between_wallets',
    text: `select g.reference, g.amount_minor, w.currency
             from ledger g
             join wallets w on w.lane = $1 and w.account_id = g.account_id and w.id = g.wallet_id
            where g.lane = $1 and g.at >= to_timestamp($2::float8 / 1000)
              and g.position is null and g.debit = 'clearing:wallet' and g.reference is not null`,
    values: [lane, sinceMs],
  }
}

/** Which of the references have been credited already. */
export const knownReferences = forRows(
  'known_references',
  { ...OWNER, reference: text((key: WalletOwner & { readonly reference: string }) => key.reference) },
  (keys) => `select g.account_id, g.reference
     from ${keys}
     join ledger g on g.lane = x.lane and g.account_id = x.account_id and g.reference = x.reference
    where g.reference is not null and $lane(g)`,
)

/** The owner of a wallet, for money that comes to it from elsewhere. A wallet's id carries its lane. */
export function findWalletOwner(lane: number, walletId: string): Statement {
  return definite({
    name: 'find_wallet_owner',
    text: `select w.lane, w.account_id, w.currency, w.status, a.livemode, a.name
             from wallets w join accounts a on a.lane = $1 and a.account_id = w.account_id
            where w.lane = $1 and w.id = $2`,
    values: [lane, walletId],
  })
}

/** The owners of wallets of a lane. */
export function findWalletOwners(lane: number, walletIds: readonly string[]): Statement {
  return definite({
    name: 'find_wallet_owners',
    text: `select w.id, w.account_id from unnest($2::uuid[]) x (id) join wallets w on w.lane = $1 and w.id = x.id`,
    values: [lane, plainArray(walletIds)],
  })
}
