// Profiles, as their account writes and reads them: make, change, archive, restore, look at any version, list.
import { isUuid } from '../../domain/contract/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { archived, newProfile, profileNotFound, restored, withFacts } from '../../domain/profile/decide.ts'
import type { Profile, ProfileFacts, Relation } from '../../domain/profile/profile.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import {
  findOwner,
  findProfileVersion,
  listProfiles,
  listProfileVersions,
  ownerFrom,
  type ProfileFilter,
  profileFrom,
} from '../../store/profiles/profiles.ts'
import { findPayer, payerFrom, type PayerProfile } from '../../store/profiles/payers.ts'
import { changeAccount, type Changer } from '../accounts/changes.ts'
import {
  changeProfile,
  duplicatesOf,
  type Likely,
  loadedFrom,
  loadOne,
  type ProfileAsked,
  type ProfileDeps,
  written,
} from './changes.ts'

/** A profile after it was written, with the others that are likely the same person. */
export type WrittenProfile = { readonly profile: Profile; readonly duplicates: readonly Likely[] }

export async function createProfile(
  deps: ProfileDeps,
  changer: Changer,
  { livemode, facts }: { readonly livemode: boolean; readonly facts: ProfileFacts },
): Promise<WrittenProfile | Refusal> {
  const { lane, accountId } = changer
  const key = { lane, accountId, id: deps.newId(lane), livemode }
  const load = [findOwner(changer)]
  const made = await changeAccount<Profile>(deps.changes, changer, load, ([owners], { nowMs }) => {
    const [owner] = (owners?.rows ?? []).map(ownerFrom)
    if (!owner) throw new Error('a profile without its account')
    const profile = newProfile(key, facts, nowMs)
    return isRefusal(profile) ? profile : written(null, profile, 'created', owner)
  })
  return withDuplicates(deps, made)
}

/** The facts of a profile after a patch, or what is wrong with them. */
export type FactsPatch = (before: Profile) => ProfileFacts | Refusal

export async function updateProfile(
  deps: ProfileDeps,
  changer: Changer,
  asked: ProfileAsked,
  patch: FactsPatch,
): Promise<WrittenProfile | Refusal> {
  const changed = await changeProfile(deps, changer, asked, 'updated', (profile, nowMs) => {
    const facts = patch(profile)
    return isRefusal(facts) ? facts : withFacts(profile, facts, nowMs)
  })
  return withDuplicates(deps, changed)
}

/** Archives a profile: drafts cannot use it any more. Contracts that did keep what they used. */
export function archiveProfile(deps: ProfileDeps, changer: Changer, asked: ProfileAsked): Promise<Profile | Refusal> {
  return changeProfile(deps, changer, asked, 'archived', (profile, nowMs, { profileId }) =>
    profile.id === profileId ? isOwn() : archived(profile, nowMs),
  )
}

const isOwn = () =>
  refuse('profile_is_own', 'id', 'This is the account’s own profile, and is never archived. Change it instead.')

export function restoreProfile(deps: ProfileDeps, changer: Changer, asked: ProfileAsked): Promise<Profile | Refusal> {
  return changeProfile(deps, changer, asked, 'restored', restored)
}

export async function withDuplicates(
  deps: Pick<ProfileDeps, 'reader'>,
  profile: Profile | Refusal,
): Promise<WrittenProfile | Refusal> {
  return isRefusal(profile) ? profile : { profile, duplicates: await duplicatesOf(deps, profile) }
}

export type FoundProfile =
  | { readonly relation: Exclude<Relation, 'payer'>; readonly profile: Profile }
  | { readonly relation: 'payer'; readonly payer: PayerProfile }

/**
 * Whoever an id of a profile names for the account: someone it deals with, itself, or another account that paid it. Null for
 * the newest version.
 */
export async function findNamed(
  { reader }: Pick<ProfileDeps, 'reader'>,
  { lane, accountId }: AccountKey,
  id: string,
  version: number | null = null,
): Promise<FoundProfile | Refusal> {
  if (!isUuid(id)) return profileNotFound()
  const key = { lane, accountId, id }
  const asked = version === null ? [] : [findProfileVersion(key, version)]
  const [found, owners, payers, versions] = await reader.send([...loadOne(key), findPayer(key), ...asked])
  const { profile, owner } = loadedFrom(
    key,
    [found, owners].flatMap((each) => each ?? []),
  )
  const relation = owner.profileId === id ? 'own' : 'contact'
  if (version !== null) {
    const [old] = (versions?.rows ?? []).map(profileFrom)
    return old ? { relation, profile: old } : noSuchVersion(profile)
  }
  if (profile) return { relation, profile }
  const [payer] = (payers?.rows ?? []).map(payerFrom)
  return payer ? { relation: 'payer', payer: { ...payer, livemode: owner.livemode } } : profileNotFound()
}

function noSuchVersion(profile: Profile | null): Refusal {
  if (!profile) return profileNotFound()
  return refuse('profile_not_found', 'version', `The profile has no such version: it stands at ${profile.version}.`)
}

/** The versions of a profile below one, the newest first, one more than the limit. */
export async function versionsOf(
  { reader }: Pick<ProfileDeps, 'reader'>,
  { lane, accountId }: AccountKey,
  id: string,
  { below, limit }: { readonly below: number; readonly limit: number },
): Promise<{ readonly relation: Relation; readonly versions: readonly Profile[] } | Refusal> {
  if (!isUuid(id)) return profileNotFound()
  const key = { lane, accountId, id }
  const [found, owners, all] = await reader.send([...loadOne(key), listProfileVersions(key, below, limit)])
  const { profile, owner } = loadedFrom(
    key,
    [found, owners].flatMap((each) => each ?? []),
  )
  if (!profile) return profileNotFound()
  const versions = (all?.rows ?? []).map(profileFrom)
  return { relation: owner.profileId === id ? 'own' : 'contact', versions }
}

/** Profiles of those the account deals with, newest first, one more than the limit. */
export async function profilesOf(
  { reader }: Pick<ProfileDeps, 'reader'>,
  account: AccountKey,
  filter: ProfileFilter,
): Promise<Profile[]> {
  const [found] = await reader.send([listProfiles(account, filter)])
  return (found?.rows ?? []).map(profileFrom)
}
