// A profile on the wire: what a caller writes of one and of its destinations, what is shown, and the presenter.
import Type, { type Static } from 'typebox'
import { type Duplicate as DomainDuplicate, MARK_KINDS } from '../../domain/profile/marks.ts'
import {
  type Destination as DomainDestination,
  PROFILE_STATUSES,
  PROFILE_TYPES,
  type Profile as DomainProfile,
  type Relation,
} from '../../domain/profile/profile.ts'
import { ListQuery } from '../api.ts'
import { RecipientFields } from '../contract.ts'
import { PaymentContract } from '../payment.ts'
import { MetadataField, ShownMetadata } from '../metadata.ts'
import {
  closed,
  envelope,
  ignored,
  livemode,
  nullable,
  nullableText,
  text,
  time,
  uuid,
  type Wire,
  readAs,
} from '../shapes.ts'
import { iso } from '../times.ts'

const { wallet: _, tag: __, ...PersonalFields } = RecipientFields

const ProfileFields = {
  ...PersonalFields,
  type: Type.Optional(nullable(Type.Enum([...PROFILE_TYPES], { description: 'person by default.' }))),
  reference: text(128, 'Your own reference, such as a customer number; lists can be filtered by it.'),
  metadata: MetadataField,
}

/** What a profile shows of itself and a request cannot change. What was read can so be sent back. */
const OWNED = 'id livemode status relation version destinations created_at updated_at'.split(' ')

export const ProfileBody = closed({ ...ProfileFields, ...ignored(OWNED) }, { $id: 'ProfileRequest' })

export const ProfilePatchBody = closed(
  { ...ProfileFields, ...ignored(OWNED) },
  { $id: 'ProfilePatch', description: 'A JSON merge patch (RFC 7396): null clears.' },
)

export type ProfileBody = Static<typeof ProfileBody>

const OWNED_DESTINATION = 'id status version changed_at verifications'.split(' ')

const DestinationFields = {
  label: text(100, 'Your own name for it, such as “salary account”.'),
  default: Type.Optional(
    nullable(Type.Boolean({ description: 'Used by drafts that name none. The first destination is the default.' })),
  ),
  recipient: Type.Optional(
    nullable(
      closed(RecipientFields, {
        description:
          'What the channel asks of a recipient: required_schema of GET /channels. What it asks and is not given is taken from the profile.',
      }),
    ),
  ),
}
const channel = Type.String({ minLength: 1, maxLength: 64, description: 'By which channel it is paid: GET /channels.' })

export const DestinationBody = closed(
  { channel, ...DestinationFields, ...ignored(OWNED_DESTINATION) },
  { $id: 'DestinationRequest' },
)

export const DestinationPatchBody = closed(
  { channel: Type.Optional(nullable(channel)), ...DestinationFields, ...ignored(OWNED_DESTINATION) },
  { $id: 'DestinationPatch', description: 'A JSON merge patch (RFC 7396): null clears.' },
)

export type DestinationBody = Static<typeof DestinationBody>

const Recipient = Type.Object({
  name: nullableText,
  email: nullableText,
  mobile: nullableText,
  wallet: nullableText,
  tag: nullableText,
  address: nullableText,
  country: nullableText,
})

export const Destination = Type.Object(
  {
    id: uuid('Of the destination.'),
    label: nullableText,
    channel: Type.String(),
    recipient: Recipient,
    default: Type.Boolean(),
    status: Type.Enum([...PROFILE_STATUSES]),
    version: Type.Integer({ description: 'Rises when it pays otherwise than before.' }),
    changed_at: time('Since when it pays as it does.'),
    verifications: Type.Array(Type.Unknown(), { description: 'Empty: nothing verifies destinations yet.' }),
  },
  { $id: 'Destination' },
)

export const Profile = Type.Object(
  {
    id: uuid('What issued_by, issued_to, paid_by and recipient_profile name.'),
    livemode,
    type: nullable(Type.Enum([...PROFILE_TYPES])),
    status: Type.Enum([...PROFILE_STATUSES]),
    relation: Type.Enum(['own', 'contact', 'payer'], {
      description:
        'own: your account’s. contact: of someone you deal with. payer: of another account that paid you, of which you see the name alone.',
    }),
    name: nullableText,
    email: nullableText,
    mobile: nullableText,
    address: nullableText,
    country: nullableText,
    reference: nullableText,
    metadata: ShownMetadata,
    destinations: Type.Array(Destination),
    version: Type.Integer(),
    created_at: time('When.'),
    updated_at: time('When.'),
  },
  { $id: 'Profile' },
)

const Duplicate = Type.Object(
  {
    id: uuid('Of another profile.'),
    name: nullableText,
    same: Type.Array(Type.Enum([...MARK_KINDS]), { description: 'What both have alike.' }),
  },
  { $id: 'Duplicate' },
)

const duplicates = Type.Array(Duplicate, {
  description: 'Other profiles of likely the same person. They are named, and nothing is refused.',
})

export const ProfileReply = envelope('number', Type.Object({ profile: Profile }))
export const ChangedProfileReply = envelope('number', Type.Object({ profile: Profile, duplicates }))
export const DestinationReply = envelope(
  'number',
  Type.Object({ profile: Profile, destination: Destination, duplicates }),
)
export const ProfilesReply = envelope('number', Type.Object({ profiles: Type.Array(Profile), next: nullableText }))

export const PayerProfileBody = closed(
  {
    profile: text(64, 'A profile that the payer has already; without it, one is made of what the rail told.'),
  },
  { $id: 'PayerProfileRequest' },
)

export const PayerProfileReply = envelope(
  'number',
  Type.Object({ contract: PaymentContract, profile: Profile, duplicates }),
)

export const ProfileParams = Type.Object({ id: Type.String({ description: 'The profile’s id, or me for your own.' }) })
export const DestinationParams = Type.Object({
  id: Type.String({ description: 'The profile’s id, or me for your own.' }),
  destination: uuid('The destination’s id.'),
})

const VERSION = readAs(
  { type: 'integer', minimum: 1, maximum: 999_999_999 },
  '^[1-9][0-9]{0,8}$',
  'As of that version.',
)

export const ProfileQuery = closed({ version: Type.Optional(VERSION) })

// PostgreSQL has no NUL in text.
const NO_NUL = '^[^\\u0000]*$'

export const ProfilesQuery = closed({
  ...ListQuery.properties,
  type: Type.Optional(Type.Enum([...PROFILE_TYPES])),
  status: Type.Optional(Type.Enum([...PROFILE_STATUSES], { description: 'Without it, archived ones too.' })),
  reference: Type.Optional(Type.String({ maxLength: 128, pattern: NO_NUL })),
  email: Type.Optional(Type.String({ maxLength: 254, pattern: NO_NUL })),
  mobile: Type.Optional(Type.String({ maxLength: 20, pattern: NO_NUL, description: 'As in a profile: 09… is +63….' })),
})

export type ProfilesQuery = Static<typeof ProfilesQuery>

/** The facts of a profile as a caller would send them, for a patch to mend. */
export function profileSent({ type, name, email, mobile, address, country, reference, metadata }: DomainProfile) {
  return { type, name, email, mobile, address, country, reference, metadata } satisfies ProfileBody
}

/** The same of a destination. */
export function destinationSent({ label, channelId, isDefault, recipient }: DomainDestination) {
  return { label, channel: channelId, default: isDefault, recipient } satisfies DestinationBody
}

/** The profile as every reply and event shows it. */
export function presentProfile(profile: DomainProfile, relation: Relation): Wire<typeof Profile> {
  return {
    id: profile.id,
    livemode: profile.livemode,
    type: profile.type,
    status: profile.status,
    relation,
    name: profile.name,
    email: profile.email,
    mobile: profile.mobile,
    address: profile.address,
    country: profile.country,
    reference: profile.reference,
    metadata: profile.metadata,
    destinations: profile.destinations.map(presentDestination),
    version: profile.version,
    created_at: iso(profile.createdAt),
    updated_at: iso(profile.updatedAt),
  }
}

/** What a payee may know of another account that paid: under which name, and nothing else. */
export function presentPayer(payer: {
  readonly profileId: string
  readonly livemode: boolean
  readonly name: string
  readonly at: number
}): Wire<typeof Profile> {
  const nothing = { type: null, email: null, mobile: null, address: null, country: null, reference: null } as const
  return {
    id: payer.profileId,
    livemode: payer.livemode,
    status: 'active',
    relation: 'payer',
    name: payer.name,
    ...nothing,
    metadata: {},
    destinations: [],
    version: 0,
    created_at: iso(payer.at),
    updated_at: iso(payer.at),
  }
}

export function presentDestination(destination: DomainDestination): Wire<typeof Destination> {
  return {
    id: destination.id,
    label: destination.label,
    channel: destination.channelId,
    recipient: destination.recipient,
    default: destination.isDefault,
    status: destination.status,
    version: destination.version,
    changed_at: iso(destination.changedAt),
    verifications: [],
  }
}

export function presentDuplicates(found: readonly DomainDuplicate[]): Wire<typeof duplicates> {
  return found.map(({ id, name, same }) => ({ id, name, same: [...same] }))
}
