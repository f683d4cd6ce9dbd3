// Wallets and their ledger entries on the wire.
import Type, { type Static } from 'typebox'
import { majorNumber } from '../../domain/money/money.ts'
import { type Wallet as DomainWallet, WALLET_STATUSES } from '../../domain/wallet/wallet.ts'
import { ListQuery } from '../api.ts'
import { MetadataField, ShownMetadata } from '../metadata.ts'
import {
  closed,
  envelope,
  livemode,
  nullable,
  nullableText,
  nullableTime,
  text,
  time,
  uuid,
  type Wire,
  Currency,
} from '../shapes.ts'

const LABEL_MAX = 80

export const Wallet = Type.Object(
  {
    id: uuid('Wallet identifier.'),
    livemode,
    currency: Currency,
    label: nullableText,
    default: Type.Boolean({ description: 'Money of the currency that names no wallet goes here and comes from here.' }),
    status: Type.Enum([...WALLET_STATUSES]),
    available: Type.Number(),
    held: Type.Number(),
    in_transit: Type.Number(),
    pending: Type.Number({ description: 'Paid by payers, and not settled yet.' }),
    suspense: Type.Number({ description: 'Arrived, and fits no contract.' }),
    low_balance: nullable(Type.Number({ description: 'wallet.low is sent when available falls below it.' })),
    is_low: Type.Boolean({ description: 'Available is below low_balance.' }),
    metadata: ShownMetadata,
  },
  { $id: 'Wallet' },
)

const SETTINGS = {
  label: text(LABEL_MAX, 'What you call it.'),
  low_balance: Type.Optional(
    nullable(Type.Number({ description: 'Major units, above 0: wallet.low is sent when available falls below it.' })),
  ),
  metadata: MetadataField,
}

export const WalletBody = closed({ currency: Currency, ...SETTINGS }, { $id: 'WalletRequest' })
export type WalletBody = Static<typeof WalletBody>

export const WalletPatchBody = closed(
  {
    ...SETTINGS,
    default: Type.Optional(Type.Literal(true, { description: 'Makes it the default of its currency.' })),
    status: Type.Optional(
      Type.Enum([...WALLET_STATUSES], { description: 'closed: only when it is empty, and not the default.' }),
    ),
  },
  { $id: 'WalletPatch', description: 'A JSON merge patch (RFC 7396): null clears.' },
)
export type WalletPatchBody = Static<typeof WalletPatchBody>

export const TopUpBody = closed(
  {
    amount: Type.Number({ description: 'Major units.' }),
    reference: text(128, 'Your own: the same again adds nothing. By default one is made.'),
  },
  { $id: 'TopUpRequest' },
)

export const WalletsQuery = closed({
  ...ListQuery.properties,
  currency: Type.Optional(Currency),
  status: Type.Optional(Type.Enum([...WALLET_STATUSES])),
})
export type WalletsQuery = Static<typeof WalletsQuery>

/** An instant with its time zone, or a day. */
export const moment = (description: string) =>
  Type.Optional(
    Type.Unsafe<string>({
      anyOf: [
        { type: 'string', format: 'date-time' },
        { type: 'string', format: 'date' },
      ],
      description,
    }),
  )

export const WalletQuery = closed({
  at: moment('The balances as of this moment: what was booked before it. A day is its first moment.'),
})

export const EntriesQuery = closed({
  ...ListQuery.properties,
  contract_id: Type.Optional(uuid('Only what this contract moved.')),
  account: Type.Optional(
    Type.String({
      pattern: '^[a-z_]{1,40}(:[A-Za-z0-9._-]{1,64})?$',
      description: 'Only what this ledger account gave or took: available, held, in_transit, pending, suspense, …',
    }),
  ),
  from: moment('From this moment on. A day is its first moment.'),
  to: moment('Before this moment. A day is its end.'),
})
export type EntriesQuery = Static<typeof EntriesQuery>

export const WalletEntry = Type.Object(
  {
    sequence: Type.Integer(),
    debit: Type.String({ description: 'The ledger account that the amount leaves.' }),
    credit: Type.String({ description: 'The ledger account that receives it.' }),
    amount: Type.Number(),
    currency: Currency,
    available_after: Type.Number(),
    contract_id: nullable(uuid('The contract that moved it.')),
    transaction_id: nullableText,
    reference: nullableText,
    created_at: time('When.'),
  },
  { $id: 'WalletEntry' },
)

export const WalletReply = envelope('number', Type.Object({ wallet: Wallet }))
export const PatchedWalletReply = envelope('string', Type.Object({ wallet: Wallet }))
export const WalletAtReply = envelope(
  'number',
  Type.Object({ wallet: Wallet, at: nullableTime }, { description: 'at: the moment of the balances; null for now.' }),
)
export const TopUpReply = envelope(
  'number',
  Type.Object({
    wallet: Wallet,
    reference: Type.String(),
    credited: Type.Boolean({ description: 'False where the reference had been credited before.' }),
  }),
)
export const WalletsReply = envelope('number', Type.Object({ wallets: Type.Array(Wallet), next: nullableText }))
export const EntriesReply = envelope('number', Type.Object({ entries: Type.Array(WalletEntry), next: nullableText }))

export function presentWallet(wallet: DomainWallet, livemode: boolean): Wire<typeof Wallet> {
  const major = (minor: bigint) => majorNumber(minor, wallet.currency)
  return {
    id: wallet.id,
    livemode,
    currency: wallet.currency,
    label: wallet.label,
    default: wallet.isDefault,
    status: wallet.status,
    available: major(wallet.availableMinor),
    held: major(wallet.heldMinor),
    in_transit: major(wallet.inTransitMinor),
    pending: major(wallet.pendingMinor),
    suspense: major(wallet.suspenseMinor),
    low_balance: wallet.lowMinor === null ? null : major(wallet.lowMinor),
    is_low: wallet.isLow,
    metadata: wallet.metadata,
  }
}
