// Wallets and their ledger entries on the wire.
import Type from 'typebox'
import { majorNumber } from '../domain/money/money.ts'
import type { Wallet as DomainWallet } from '../domain/wallet/wallet.ts'
import { envelope, livemode, nullable, nullableText, time, uuid, type Wire } from './shapes.ts'

const Wallet = Type.Object(
  {
    id: uuid('Wallet identifier.'),
    livemode,
    currency: Type.String(),
    available: Type.Number(),
    held: Type.Number(),
    in_transit: Type.Number(),
    pending: Type.Number({ description: 'Paid by payers, and not settled yet.' }),
    suspense: Type.Number({ description: 'Arrived, and fits no contract.' }),
  },
  { $id: 'Wallet' },
)

export const WalletEntry = Type.Object(
  {
    sequence: Type.Integer(),
    debit: Type.String({ description: 'The ledger account that the amount leaves.' }),
    credit: Type.String({ description: 'The ledger account that receives it.' }),
    amount: Type.Number(),
    currency: Type.String(),
    available_after: Type.Number(),
    contract_id: nullable(uuid('The contract that moved it.')),
    transaction_id: nullableText,
    reference: nullableText,
    created_at: time('When.'),
  },
  { $id: 'WalletEntry' },
)

export const WalletReply = envelope('number', Type.Object({ wallet: Wallet }))

export const WalletsReply = envelope('number', Type.Object({ wallets: Type.Array(Wallet), next: nullableText }))

export const EntriesReply = envelope('number', Type.Object({ entries: Type.Array(WalletEntry), next: nullableText }))

export function presentWallet(wallet: DomainWallet, livemode: boolean): Wire<typeof Wallet> {
  return {
    id: wallet.id,
    livemode,
    currency: wallet.currency,
    available: majorNumber(wallet.availableMinor, wallet.currency),
    held: majorNumber(wallet.heldMinor, wallet.currency),
    in_transit: majorNumber(wallet.inTransitMinor, wallet.currency),
    pending: majorNumber(wallet.pendingMinor, wallet.currency),
    suspense: majorNumber(wallet.suspenseMinor, wallet.currency),
  }
}
