// A profile as the gateway thinks of it: whom an account deals with, or itself, with the saved ways to pay them.
import type { Metadata } from '../text/metadata.ts'
import type { Recipient } from '../transfer/transfer.ts'

export const PROFILE_TYPES = ['person', 'business'] as const
export type ProfileType = (typeof PROFILE_TYPES)[number]

export const PROFILE_STATUSES = ['active', 'archived'] as const
export type ProfileStatus = (typeof PROFILE_STATUSES)[number]

/** How many ways to pay a profile may be in use at once; as many archived ones are still shown. */
export const DESTINATIONS_MAX = 20

/** What of a recipient is said of the person or firm itself: the rest says by which account they are paid. */
export const PERSONAL = ['name', 'email', 'mobile', 'address', 'country'] as const satisfies (keyof Recipient)[]

/** A saved way to pay someone: a channel, and the recipient's fields that it takes. Later versions leave earlier ones as they were. */
export type Destination = {
  readonly id: string
  readonly label: string | null
  readonly channelId: string
  readonly recipient: Recipient
  readonly isDefault: boolean
  readonly status: ProfileStatus
  /** Rises when it pays by another channel or to somebody else; a label is no change of it. */
  readonly version: number
  /** Of that version, in milliseconds since the epoch. */
  readonly changedAt: number
}

/** What an account says of someone and may change at any time. */
export type ProfileFacts = Pick<Recipient, (typeof PERSONAL)[number]> & {
  readonly type: ProfileType
  /** The account's own reference. */
  readonly reference: string | null
  readonly metadata: Metadata
}

/** One version of a profile. */
export type Profile = ProfileFacts & {
  readonly lane: number
  readonly accountId: string
  readonly id: string
  readonly livemode: boolean
  readonly status: ProfileStatus
  /** 0 for the account's own, as long as nobody has written it: then it is made of the account's name. */
  readonly version: number
  readonly destinations: readonly Destination[]
  readonly createdAt: number
  readonly updatedAt: number
}

/** Whose profile it is: the account's own, of someone that it deals with, or of another account that paid it. */
export type Relation = 'own' | 'contact' | 'payer'

/** The ways to pay that are in use. */
export const inUse = ({ destinations }: Profile): readonly Destination[] =>
  destinations.filter(({ status }) => status === 'active')
