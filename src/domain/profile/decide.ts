// What becomes of a profile: made, changed, archived, restored, and its ways to pay added, changed and archived. Pure.
import { missing, type Refusal, refuse, refuseAll } from '../contract/refusals.ts'
import { NO_RECIPIENT, type Recipient } from '../transfer/transfer.ts'
import { type Destination, DESTINATIONS_MAX, inUse, type Profile, type ProfileFacts } from './profile.ts'

/** A profile as its account writes it for the first time. */
export function newProfile(key: ProfileKey, facts: ProfileFacts, nowMs: number): Profile | Refusal {
  return isAnybody(facts) ? firstVersion(key, facts, nowMs) : nobody()
}

export function firstVersion(key: ProfileKey, facts: ProfileFacts, nowMs: number): Profile {
  return { ...withoutHistory(key, facts, nowMs), version: 1 }
}

/** The account's own profile as long as nobody has written it. */
export function withoutHistory(key: ProfileKey, facts: ProfileFacts, sinceMs: number): Profile {
  return { ...key, ...facts, status: 'active', version: 0, destinations: [], createdAt: sinceMs, updatedAt: sinceMs }
}

type ProfileKey = Pick<Profile, 'lane' | 'accountId' | 'id' | 'livemode'>

/** The profile with other facts about it. */
export function withFacts(profile: Profile, facts: ProfileFacts, nowMs: number): Profile | Refusal {
  if (profile.status === 'archived') return archivedRefusal()
  if (!isAnybody(facts) && profile.destinations.length === 0) return nobody()
  return changedFrom(profile, { ...profile, ...facts }, nowMs)
}

/** Whether anything is said by which the person or firm could be known. */
const isAnybody = ({ name, email, mobile, reference }: ProfileFacts) =>
  [name, email, mobile, reference].some((each) => each !== null)

const nobody = (): Refusal =>
  refuseAll([missing('name', 'Give a name, or an e-mail address, a mobile number or a reference of yours.')])

export function archived(profile: Profile, nowMs: number): Profile {
  return changedFrom(profile, { ...profile, status: 'archived' }, nowMs)
}

export function restored(profile: Profile, nowMs: number): Profile {
  return changedFrom(profile, { ...profile, status: 'active' }, nowMs)
}

/** What a caller says of a way to pay. */
export type DestinationTerms = Pick<Destination, 'label' | 'channelId' | 'recipient' | 'isDefault'>

/** The profile with one more way to pay. The first one is the default. */
export function withDestination(
  profile: Profile,
  id: string,
  terms: DestinationTerms,
  nowMs: number,
): Profile | Refusal {
  if (profile.status === 'archived') return archivedRefusal()
  const used = inUse(profile)
  if (used.length >= DESTINATIONS_MAX)
    return refuse(
      'destinations_full',
      'id',
      `A profile has at most ${DESTINATIONS_MAX} destinations. Archive one that is not used any more.`,
    )
  const isDefault = terms.isDefault || used.length === 0
  const added: Destination = { id, ...terms, isDefault, status: 'active', version: 1, changedAt: nowMs }
  return changedFrom(profile, { ...profile, destinations: inOrder([...profile.destinations, added], added) }, nowMs)
}

/** The profile with one way to pay changed. It is another one from now on where it pays otherwise than before. */
export function withChangedDestination(
  profile: Profile,
  before: Destination,
  terms: DestinationTerms,
  nowMs: number,
): Profile | Refusal {
  if (profile.status === 'archived') return archivedRefusal()
  const paysAsBefore = before.channelId === terms.channelId && isSame(before.recipient, terms.recipient)
  const moved = paysAsBefore ? {} : { version: before.version + 1, changedAt: nowMs }
  return replaced(profile, { ...before, ...terms, ...moved }, nowMs)
}

/** The profile without a way to pay; drafts cannot use it any more, and versions of the profile still have it. */
export function withoutDestination(profile: Profile, before: Destination, nowMs: number): Profile | Refusal {
  if (profile.status === 'archived') return archivedRefusal()
  return replaced(profile, { ...before, status: 'archived', isDefault: false }, nowMs)
}

/** The way to pay with the id, if it is in use. */
export function destinationOf(profile: Profile, id: string): Destination | Refusal {
  return inUse(profile).find((each) => each.id === id) ?? destinationNotFound()
}

export const profileNotFound = (): Refusal => refuse('profile_not_found', 'id', 'No profile has this id.')

const destinationNotFound = (): Refusal =>
  refuse('destination_not_found', 'destination', 'No destination of this profile has this id, or it was archived.')

const archivedRefusal = (): Refusal =>
  refuse('profile_archived', 'id', 'The profile is archived. Restore it first: PUT /profiles/{id}/restore.')

function replaced(profile: Profile, after: Destination, nowMs: number): Profile {
  const destinations = profile.destinations.map((each) => (each.id === after.id ? after : each))
  return changedFrom(profile, { ...profile, destinations: inOrder(destinations, after) }, nowMs)
}

/** One default at most, and of the archived ones the newest: what is over stands in the versions before. */
function inOrder(destinations: readonly Destination[], latest: Destination): Destination[] {
  const one = destinations.map((each) =>
    each.id !== latest.id && latest.isDefault && each.isDefault ? { ...each, isDefault: false } : each,
  )
  const over = one.filter(({ status }) => status === 'archived').length - DESTINATIONS_MAX
  let left = Math.max(0, over)
  return one.filter(({ status }) => status === 'active' || left-- <= 0)
}

/** The next version; the same where nothing differs. */
function changedFrom(before: Profile, after: Profile, nowMs: number): Profile {
  if (isSame(before, after)) return before
  return { ...after, version: before.version + 1, updatedAt: nowMs }
}

function isSame(one: object, other: object): boolean {
  return sortedText(one) === sortedText(other)
}

/** JSON with the members of each object in the order of their names. */
const sortedText = (value: object): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )

/** Whom a draft pays by a profile: what is said of the person, and by which account. */
export function recipientBy(profile: Profile, destination: Pick<Destination, 'recipient'> | null): Recipient {
  const { name, email, mobile, address, country } = profile
  const person: Recipient = { ...NO_RECIPIENT, name, email, mobile, address, country }
  if (!destination) return person
  const own = Object.entries(destination.recipient).filter(([, value]) => value !== null)
  return { ...person, ...Object.fromEntries(own) }
}
