// Wallets and their ledger rows: balances with floors, and the append-only rows that prove them. Knows no contract.
import type { Posting } from '../domain/money/postings.ts'
import type { Wallet } from '../domain/transfer/transfer.ts'
import { invariant } from '../domain/invariant.ts'
import { plainArray, type Row, type Statement, textArray } from '../platform/db.ts'
import { type Scope, scoped, scopedUpdate } from '../platform/scope.ts'

export type WalletOwner = { readonly lane: number; readonly accountId: string }

const WALLET = `w.lane, w.account_id, w.id, w.currency, w.available_minor, w.held_minor, w.in_transit_minor,
  w.pending_minor, w.suspense_minor, w.sequence`

const load = scoped(
  'load_wallets',
  `select ${WALLET}
     from unnest($1::int[], $2::uuid[]) k (lane, account_id)
     join wallets w on w.lane = k.lane and w.account_id = k.account_id
    where $lane(w)`,
)

/** All wallets of the accounts. The account's lock is held, so they stand still. */
export function loadWallets(scope: Scope, owners: readonly WalletOwner[]): Statement {
  return load(scope, [plainArray(owners.map((o) => o.lane)), plainArray(owners.map((o) => o.accountId))])
}

export function walletFrom(row: Row): Wallet {
  return {
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    id: row['id'] as string,
    currency: row['currency'] as string,
    availableMinor: BigInt(row['available_minor'] as string),
    heldMinor: BigInt(row['held_minor'] as string),
    inTransitMinor: BigInt(row['in_transit_minor'] as string),
    pendingMinor: BigInt(row['pending_minor'] as string),
    suspenseMinor: BigInt(row['suspense_minor'] as string),
    sequence: Number(row['sequence']),
  }
}

/** One row of the ledger, as it is appended. */
export type LedgerRow = Posting &
  WalletOwner & {
    readonly walletId: string
    readonly sequence: number
    readonly position: number | null
    readonly contractId: string | null
    readonly availableAfterMinor: bigint
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

const save = scopedUpdate(
  'save_wallets',
  `update wallets w
      set available_minor = x.available_minor, held_minor = x.held_minor, in_transit_minor = x.in_transit_minor,
          pending_minor = x.pending_minor, suspense_minor = x.suspense_minor, sequence = x.sequence
     from unnest($2::int[], $3::uuid[], $4::uuid[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[],
                 $10::bigint[])
          x (lane, account_id, id, available_minor, held_minor, in_transit_minor, pending_minor, suspense_minor, sequence)
    where w.lane = x.lane and w.account_id = x.account_id and w.id = x.id and w.sequence < x.sequence and $lane(w)`,
)

/** Writes the balances of the wallets that moved: once for each wallet, however many commands moved it. */
export function saveWallets(scope: Scope, wallets: readonly Wallet[]): Statement {
  return save(scope, [
    wallets.length,
    plainArray(wallets.map((w) => w.lane)),
    plainArray(wallets.map((w) => w.accountId)),
    plainArray(wallets.map((w) => w.id)),
    plainArray(wallets.map((w) => w.availableMinor)),
    plainArray(wallets.map((w) => w.heldMinor)),
    plainArray(wallets.map((w) => w.inTransitMinor)),
    plainArray(wallets.map((w) => w.pendingMinor)),
    plainArray(wallets.map((w) => w.suspenseMinor)),
    plainArray(wallets.map((w) => w.sequence)),
  ])
}

const append = scoped(
  'append_ledger',
  `insert into ledger (lane, account_id, wallet_id, sequence, position, contract_id, debit, credit, amount_minor,
                       available_after_minor, reference, at)
   select l.lane, x.account_id, x.wallet_id, x.sequence, x.position, x.contract_id, x.debit, x.credit, x.amount_minor,
          x.available_after_minor, x.reference, to_timestamp(x.at / 1000)
     from unnest($1::int[], $2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[], $6::uuid[], $7::text[], $8::text[],
                 $9::bigint[], $10::bigint[], $11::text[], $12::float8[])
          x (lane, account_id, wallet_id, sequence, position, contract_id, debit, credit, amount_minor,
             available_after_minor, reference, at)
     join lanes l on l.lane = x.lane
    where $lane(l)`,
)

export function appendLedger(scope: Scope, rows: readonly LedgerRow[]): Statement {
  return append(scope, [
    plainArray(rows.map((r) => r.lane)),
    plainArray(rows.map((r) => r.accountId)),
    plainArray(rows.map((r) => r.walletId)),
    plainArray(rows.map((r) => r.sequence)),
    plainArray(rows.map((r) => r.position)),
    plainArray(rows.map((r) => r.contractId)),
    textArray(rows.map((r) => r.debit)),
    textArray(rows.map((r) => r.credit)),
    plainArray(rows.map((r) => r.amountMinor)),
    plainArray(rows.map((r) => r.availableAfterMinor)),
    textArray(rows.map((r) => r.reference)),
    plainArray(rows.map((r) => r.at)),
  ])
}

const references = scoped(
  'known_references',
  `select g.account_id, g.reference
     from unnest($1::int[], $2::uuid[], $3::text[]) k (lane, account_id, reference)
     join ledger g on g.lane = k.lane and g.account_id = k.account_id and g.reference = k.reference
    where g.reference is not null and $lane(g)`,
)

/** Which of the references have been credited already. */
export function knownReferences(
  scope: Scope,
  keys: readonly (WalletOwner & { readonly reference: string })[],
): Statement {
  return references(scope, [
    plainArray(keys.map((key) => key.lane)),
    plainArray(keys.map((key) => key.accountId)),
    textArray(keys.map((key) => key.reference)),
  ])
}

/** Whose a wallet is, for money that comes to it from elsewhere. A wallet's id carries its lane. */
export function findWalletOwner(lane: number, walletId: string): Statement {
  return {
    name: 'find_wallet_owner',
    text: `select w.lane, w.account_id, w.currency, a.livemode, a.name
             from wallets w join accounts a on a.lane = $1 and a.account_id = w.account_id
            where w.lane = $1 and w.id = $2`,
    values: [lane, walletId],
  }
}
