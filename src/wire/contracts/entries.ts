// The ledger rows of a contract on the wire: where each part of its money went, and why.
import { transactionId } from '../../domain/contract/ids.ts'
import Type from 'typebox'
import { majorNumber } from '../../domain/money/money.ts'
import type { ContractEntry as DomainEntry } from '../../domain/contract/entries.ts'
import { envelope, nullable, nullableText, time, uuid, type Wire } from '../shapes.ts'
import { iso } from '../times.ts'

export const ContractEntry = Type.Object(
  {
    transaction_id: Type.String({ description: 'Rows of one step of the contract share it.' }),
    wallet_id: uuid('The wallet in whose books the row stands.'),
    sequence: Type.Integer({ description: 'The number of the row in its wallet.' }),
    debit: Type.String({
      description:
        'The ledger account that the amount leaves: available, held, in_transit, pending and suspense are the wallet’s; fee_revenue is the gateway’s; clearing:<channel> is where a channel’s money passes.',
    }),
    credit: Type.String({ description: 'The ledger account that receives it.' }),
    amount: Type.Number(),
    currency: Type.String(),
    available_after: nullable(
      Type.Number({ description: 'What the wallet had available after the row; null without the scope wallets:read.' }),
    ),
    event: nullable(Type.String({ description: 'The event of the step; null where it is none.' })),
    reason: nullable(Type.String({ description: 'The activity that the step ends with.' })),
    created_at: time('When.'),
  },
  { $id: 'ContractEntry' },
)

export const ContractEntriesReply = envelope(
  'number',
  Type.Object({ entries: Type.Array(ContractEntry), next: nullableText }),
)

/** `balances`: whether the reader may know what the wallet has. */
export function presentContractEntry(entry: DomainEntry, balances: 'shown' | 'withheld'): Wire<typeof ContractEntry> {
  const major = (minor: bigint) => majorNumber(minor, entry.currency)
  return {
    transaction_id: transactionId(entry),
    wallet_id: entry.walletId,
    sequence: entry.sequence,
    debit: entry.debit,
    credit: entry.credit,
    amount: major(entry.amountMinor),
    currency: entry.currency,
    available_after: balances === 'shown' ? major(entry.availableAfterMinor) : null,
    event: entry.event,
    reason: entry.reason,
    created_at: iso(entry.atMs),
  }
}
