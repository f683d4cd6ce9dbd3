// How a profile is written: decided while its account is held, as one more version, with the marks by which it is found, an
// entry in the audit list and an event.
import { changed } from '../../domain/account/audit.ts'
import type { AccountEventType } from '../../domain/account/events.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { profileNotFound, withoutHistory } from '../../domain/profile/decide.ts'
import { isTelling, type Mark, marksBeyond, marksOf } from '../../domain/profile/marks.ts'
import type { Profile } from '../../domain/profile/profile.ts'
import { isLookAgain, type LookAgain } from '../../domain/transfer/payees.ts'
import type { Result, Statement } from '../../platform/db.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import type { OwnedKey } from '../../store/columns.ts'
import {
  deleteMarks,
  findMarked,
  findOwner,
  findProfile,
  insertMarks,
  markedFrom,
  ownerFrom,
  type Owner,
  profileFrom,
  saveProfile,
} from '../../store/profiles/profiles.ts'
import { presentProfile } from '../../wire/profiles/profile.ts'
import { type AccountChange, changeAccount, type Changer, unchanged } from '../accounts/changes.ts'
import type { Deps } from '../deps.ts'

export type ProfileDeps = Pick<Deps, 'changes' | 'channels' | 'newId' | 'reader'>

type Verb = 'created' | 'updated' | 'archived' | 'restored'

/** Who is told: a profile that is restored is one that changed. */
const EVENTS: Readonly<Record<Verb, AccountEventType>> = {
  created: 'profile.created',
  updated: 'profile.updated',
  archived: 'profile.archived',
  restored: 'profile.updated',
}

/** What is wanted of a profile, and as which of its versions it must stand; undefined for any. */
export type ProfileAsked = { readonly id: string; readonly versions?: readonly number[] | undefined }

export type Loaded = { readonly profile: Profile | null; readonly owner: Owner }

/** What {@link loadedFrom} reads: the profile, and whose it is. */
export const loadOne = (key: OwnedKey): Statement[] => [findProfile(key), findOwner(key)]

/** The profile; where the account's own was never written, as it is made of the account's name. */
export function loadedFrom({ lane, accountId, id }: OwnedKey, [found, owners]: readonly Result[]): Loaded {
  const [owner] = (owners?.rows ?? []).map(ownerFrom)
  if (!owner) throw new Error('a profile without its account')
  const [stored] = (found?.rows ?? []).map(profileFrom)
  const isOwn = owner.profileId === id
  return { profile: stored ?? (isOwn ? ownProfile({ lane, accountId }, owner) : null), owner }
}

function ownProfile({ lane, accountId }: AccountKey, { profileId, name, livemode, createdAt }: Owner): Profile {
  const nothing = { email: null, mobile: null, address: null, country: null, reference: null } as const
  const facts = { type: 'business', name, ...nothing, metadata: {} } as const
  return withoutHistory({ lane, accountId, id: profileId, livemode }, facts, createdAt)
}

type Decide<T> = (profile: Profile, nowMs: number, owner: Owner) => T

/** Changes a profile; where the decision leaves it as it stands, or has something looked up first, nothing is written. */
export function changeProfile(
  deps: ProfileDeps,
  changer: Changer,
  asked: ProfileAsked,
  verb: Exclude<Verb, 'created'>,
  decide: Decide<Profile | Refusal>,
): Promise<Profile | Refusal>
export function changeProfile(
  deps: ProfileDeps,
  changer: Changer,
  asked: ProfileAsked,
  verb: Exclude<Verb, 'created'>,
  decide: Decide<Profile | Refusal | LookAgain>,
): Promise<Profile | Refusal | LookAgain>
export async function changeProfile(
  { changes }: ProfileDeps,
  changer: Changer,
  { id, versions }: ProfileAsked,
  verb: Exclude<Verb, 'created'>,
  decide: Decide<Profile | Refusal | LookAgain>,
): Promise<Profile | Refusal | LookAgain> {
  const { lane, accountId } = changer
  const key = { lane, accountId, id }
  return changeAccount<Profile | LookAgain>(changes, changer, loadOne(key), (loaded, { nowMs }) => {
    const { profile: before, owner } = loadedFrom(key, loaded)
    if (!before) return profileNotFound()
    if (versions && !versions.includes(before.version)) return isAnotherVersion(before)
    const after = decide(before, nowMs, owner)
    if (isRefusal(after)) return after
    if (isLookAgain(after)) return unchanged(after)
    return after === before ? unchanged(before) : written(before, after, verb, owner)
  })
}

function isAnotherVersion({ version }: Profile): Refusal {
  const fix = 'Read it again, and send the ETag of what you read.'
  return refuse('precondition_failed', 'If-Match', `The profile has changed: it stands at version ${version}. ${fix}`)
}

/** A version with all that is written of it. */
export function written(before: Profile | null, after: Profile, verb: Verb, owner: Owner): AccountChange<Profile> {
  const [had, has] = [before && before.version > 0 ? marksOf(before) : [], marksOf(after)]
  const gone = marksBeyond(had, has)
  const shown = presentProfile(after, owner.profileId === after.id ? 'own' : 'contact')
  const difference = changed(before ? said(before) : {}, said(after)) ?? { before: {}, after: {} }
  const object = { type: 'profile', id: after.id }
  return {
    statements: [
      ...saveProfile(after),
      ...(gone.length > 0 ? [deleteMarks(after, gone)] : []),
      // All of them: by an older release it may be found by fewer.
      ...(has.length > 0 ? [insertMarks(after, has)] : []),
    ],
    audited: [{ action: `profile.${verb}`, object, before: before && difference.before, after: difference.after }],
    events: [{ type: EVENTS[verb], object: shown }],
    value: after,
  }
}

/** What of a profile the audit list compares: that it has another version goes without saying. */
function said(profile: Profile) {
  const { version: _, updated_at: __, created_at: ___, relation: ____, ...values } = presentProfile(profile, 'contact')
  return values
}

/** At most so many others are named. */
const DUPLICATES_MAX = 20

export type Likely = ReturnType<typeof markedFrom>

/** Other profiles of likely the same person: they are named, and nothing is refused. */
export async function duplicatesOf({ reader }: Pick<Deps, 'reader'>, profile: Profile): Promise<Likely[]> {
  const marks: Mark[] = marksOf(profile).filter(isTelling)
  if (marks.length === 0) return []
  const [found] = await reader.send([findMarked(profile, marks, DUPLICATES_MAX)])
  return (found?.rows ?? []).map(markedFrom)
}
