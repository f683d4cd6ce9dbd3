// What contracts of both kinds have in common (spec 2.1): what a caller writes, what is shown of it, and the presenters of it.
import Type, { type Static } from 'typebox'
import type { Contract } from '../domain/contract/contract.ts'
import { majorNumber } from '../domain/money/money.ts'
import type { Cancellation, Deliverable, NamedProfile, Terms, UsedProfile } from '../domain/transfer/transfer.ts'
import { Activity, PaidActivity, presentActivities } from './activities.ts'
import { ContractChannel, type OwnersChannel, type OwnersPreview, Preview } from './contract-channel.ts'
import { MetadataField, ShownMetadata } from './metadata.ts'
import {
  closed,
  ignored,
  livemode,
  nullable,
  nullableText,
  nullableTime,
  text,
  time,
  uuid,
  type Wire,
  Currency,
} from './shapes.ts'
import { iso, isoOrNull } from './times.ts'

/** Who is paid, as a caller writes it. */
export const RecipientFields = {
  name: text(255, 'Name of the person or firm.'),
  email: Type.Optional(nullable(Type.String({ maxLength: 254, format: 'email' }))),
  mobile: Type.Optional(nullable(Type.String({ maxLength: 20, description: 'E.164; 09… is read as +63….' }))),
  wallet: text(
    255,
    'Account identifier on the rail: bank account, e-wallet number, address, or a wallet of this gateway.',
  ),
  tag: text(255, 'Second locator: bank code, memo or destination tag.'),
  address: text(1000, 'Postal address.'),
  country: Type.Optional(nullable(Type.String({ maxLength: 2, description: 'ISO 3166-1 alpha-2.' }))),
}

export const DraftFields = {
  description: text(1000, 'What the contract is about.'),
  issued_to: text(
    255,
    "To whom it is issued: the id of a profile of yours, or any text that is no UUID; by default the recipient's e-mail, mobile or name.",
  ),
  channel: Type.Optional(
    nullable(Type.String({ minLength: 1, maxLength: 64, description: 'Id of the chosen channel: GET /channels.' })),
  ),
  deliverable: Type.Optional(
    nullable(
      closed({
        type: Type.Optional(
          nullable(
            Type.String({
              pattern: '^[a-z][a-z0-9_]{0,39}$',
              description:
                'order, invoice, bill, service, salary, remittance, loan, donation, refund, subscription, ticket, other, or a word of your own.',
            }),
          ),
        ),
        reference_id: text(128, 'Your own reference; lists can be filtered by it.'),
        description: text(1000, 'What is paid for.'),
        details: text(1000, 'Anything more.'),
      }),
    ),
  ),
  recipient: Type.Optional(
    nullable(
      closed({
        ...RecipientFields,
        profile: text(
          64,
          'In place of the other members: a profile of yours, whose values are taken as they stand now.',
        ),
        destination: text(64, 'With profile: the saved way to pay it; by default the default one.'),
      }),
    ),
  ),
  status: Type.Optional(nullable(Type.Enum(['draft'], { description: 'May only be draft.' }))),
  preview: Type.Optional(
    nullable(
      closed(
        {
          amount: Type.Optional(nullable(Type.Number())),
          valid: Type.Optional(nullable(Type.Boolean())),
          fees: Type.Optional(
            nullable(
              closed({
                total: Type.Optional(nullable(Type.Number())),
                covered: Type.Optional(nullable(Type.Boolean())),
                ...ignored(['breakdown', 'policy']),
              }),
            ),
          ),
          ...ignored(['messages', 'receive_amount', 'arrives_at', 'asset']),
        },
        { description: 'Compared with the real preview, never stored: a difference is a warning.' },
      ),
    ),
  ),
  metadata: MetadataField,
  expires_in: Type.Optional(
    nullable(
      Type.Integer({ description: 'Seconds until the contract expires, 60 to 2,592,000 (from 1 in test mode).' }),
    ),
  ),
}

export const Amount = Type.Number({
  description: 'Major units, above 0, with at most the decimals of the currency and 15 significant digits.',
})

const DraftTerms = Type.Object({ ...DraftFields, amount: Amount, currency: Currency })

/** What contracts of both kinds show (spec 2.1). */
export const sharedContractFields = {
  id: uuid('Contract identifier.'),
  livemode,
  amount: Type.Number(),
  currency: Currency,
  issued_by: nullable(uuid('The profile that issued it.')),
  issued_to: nullableText,
  issued_at: nullableTime,
  paid_by: nullable(uuid('The profile that paid.')),
  paid_at: nullableTime,
  wallet_id: nullable(
    uuid('The wallet: that paid a transfer, null before; that a payment comes into. Null for whoever holds a token.'),
  ),
  expires_at: time('When a draft or issued contract expires.'),
  description: nullableText,
  deliverable: nullable(
    Type.Object({ type: nullableText, reference_id: nullableText, description: nullableText, details: nullableText }),
  ),
  recipient: nullable(
    Type.Object({
      name: nullableText,
      email: nullableText,
      mobile: nullableText,
      wallet: nullableText,
      tag: nullableText,
      address: nullableText,
      country: nullableText,
    }),
  ),
  recipient_profile: nullable(
    Type.Object(
      {
        profile: uuid('The profile.'),
        profile_version: Type.Integer(),
        destination: nullable(uuid('Its destination.')),
        destination_version: nullable(Type.Integer()),
      },
      { description: 'What recipient was taken from; later changes of the profile change no contract.' },
    ),
  ),
  issued_to_profile: nullable(Type.Object({ profile: uuid('The profile.'), profile_version: Type.Integer() })),
  channel: nullable(ContractChannel),
  payment: nullable(PaidActivity),
  activities: Type.Array(Activity, { description: 'The newest 50, oldest first; all of them: GET …/{id}/activities.' }),
  activities_total: Type.Integer(),
  metadata: ShownMetadata,
  preview: Preview,
  cancellation: nullable(
    Type.Object({
      status: Type.Enum(['pending', 'refused', 'done']),
      reason: nullableText,
      requested_at: time('When.'),
    }),
  ),
  created_at: time('When.'),
  updated_at: time('When.'),
  version: Type.Integer(),
}

export const SharedContract = Type.Object(sharedContractFields)

/** What both kinds show, as the account's own key sees it. */
export type OwnersShared = Owners<Wire<typeof SharedContract>>

/** A contract of which the account's own key sees what it costs, too. */
export type Owners<C extends Wire<typeof SharedContract>> = Omit<C, 'channel' | 'preview'> & {
  readonly channel: OwnersChannel | null
  readonly preview: OwnersPreview
}

/** What the presenter of a kind works out, because it differs between the two. */
export type KindsOwn = Pick<OwnersShared, 'paid_by' | 'channel' | 'preview'>

/**
 * The members that contracts of both kinds show, in one literal; a kind joins its own by Object.assign. A literal that spreads
 * this one and adds to it is made fifty times slower. `profileId` is the account's.
 */
export function presentShared<K extends Contract['kind'], S extends Contract['status']>(
  contract: Contract & { readonly kind: K; readonly status: S },
  profileId: string,
  own: KindsOwn,
): OwnersShared & { readonly kind: K; readonly status: S } {
  const { terms } = contract
  const { activities, activities_total, payment } = presentActivities(contract, profileId)
  return {
    id: contract.id,
    kind: contract.kind,
    livemode: contract.livemode,
    amount: majorNumber(terms.amountMinor, terms.currency),
    currency: terms.currency,
    status: contract.status,
    issued_by: contract.issuedAt === null ? null : profileId,
    issued_to: terms.issuedTo,
    issued_at: isoOrNull(contract.issuedAt),
    paid_by: own.paid_by,
    paid_at: isoOrNull(contract.paidAt),
    wallet_id: contract.walletId,
    expires_at: iso(contract.expiresAt),
    description: terms.description,
    deliverable: presentDeliverable(terms.deliverable),
    recipient: terms.recipient,
    recipient_profile: terms.recipientProfile ? presentUsed(terms.recipientProfile) : null,
    issued_to_profile: terms.issuedToProfile ? presentNamed(terms.issuedToProfile) : null,
    channel: own.channel,
    payment,
    activities,
    activities_total,
    metadata: terms.metadata ?? {},
    preview: own.preview,
    cancellation: presentCancellation(contract.cancellation),
    created_at: iso(contract.createdAt),
    updated_at: iso(contract.updatedAt),
    version: contract.version,
  }
}

/** The terms as a caller would send them, for a patch to mend. */
export function draftFrom(terms: Terms) {
  return {
    amount: majorNumber(terms.amountMinor, terms.currency),
    currency: terms.currency,
    issued_to: terms.issuedTo,
    description: terms.description,
    deliverable: presentDeliverable(terms.deliverable),
    recipient: terms.recipient,
    channel: terms.channelId,
    metadata: terms.metadata ?? {},
  } satisfies Static<typeof DraftTerms>
}

function presentUsed({ profile, profileVersion, destination, destinationVersion }: UsedProfile) {
  return { profile, profile_version: profileVersion, destination, destination_version: destinationVersion }
}

export const presentNamed = ({ profile, profileVersion }: NamedProfile) => ({
  profile,
  profile_version: profileVersion,
})

function presentDeliverable(deliverable: Deliverable | null): OwnersShared['deliverable'] {
  return (
    deliverable && {
      type: deliverable.type,
      reference_id: deliverable.referenceId,
      description: deliverable.description,
      details: deliverable.details,
    }
  )
}

export function presentCancellation(cancellation: Cancellation | null): OwnersShared['cancellation'] {
  return (
    cancellation && {
      status: cancellation.status,
      reason: cancellation.reason,
      requested_at: iso(cancellation.requestedAt),
    }
  )
}
