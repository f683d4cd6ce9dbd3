// Looks up the profiles that a draft names, before it is written: only of drafts that name one, so that no other waits.
import { isUuid } from '../../domain/contract/ids.ts'
import type { Profile } from '../../domain/profile/profile.ts'
import { findProfiles, profileFrom } from '../../store/profiles/profiles.ts'
import type { Caller } from '../accounts/callers.ts'
import type { Deps } from '../deps.ts'
import { loadedFrom, loadOne } from './changes.ts'

/** Those that are the account's and in use, by their ids. */
export type FoundProfiles = ReadonlyMap<string, Profile>

type Names = Pick<Caller, 'lane' | 'accountId' | 'profileId'>

type NamesProfiles = {
  readonly recipient?: { readonly profile?: string | null } | null
  readonly issued_to?: string | null
}

/** The profiles that a draft names as it was sent; undefined, and nothing to wait for, where it names none. */
export function profilesNamed(
  deps: Pick<Deps, 'reader'>,
  caller: Names,
  { recipient, issued_to: issuedTo }: NamesProfiles,
): Promise<FoundProfiles> | undefined {
  const recipientId = recipient?.profile ?? null
  if (recipientId === null && (issuedTo?.length !== UUID_LENGTH || !isUuid(issuedTo))) return undefined
  const ids = [recipientId, issuedTo ?? null].filter((id) => id !== null).filter(isUuid)
  return findInUse(deps, caller, [...new Set(ids)])
}

const UUID_LENGTH = 36

async function findInUse(
  { reader }: Pick<Deps, 'reader'>,
  { lane, accountId, profileId }: Names,
  ids: readonly string[],
): Promise<FoundProfiles> {
  if (ids.length === 0) return new Map()
  const own = { lane, accountId, id: profileId }
  const isOwnNamed = ids.includes(profileId)
  const [found, ...owns] = await reader.send([findProfiles(own, ids), ...(isOwnNamed ? loadOne(own) : [])])
  const profiles = (found?.rows ?? []).map(profileFrom)
  const { profile } = isOwnNamed ? loadedFrom(own, owns) : { profile: null }
  const all = profile ? [...profiles, profile] : profiles
  return new Map(all.filter(({ status }) => status === 'active').map((each) => [each.id, each]))
}
