// Profiles as they are stored: a head that says which version is the newest, the versions, and the marks by which a profile is
// found. Whoever writes one holds its account.
import type { Mark, MarkKind } from '../../domain/profile/marks.ts'
import type { Profile, ProfileStatus, ProfileType } from '../../domain/profile/profile.ts'
import { ms } from '../../platform/columns.ts'
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import { hash128 } from '../../platform/hashes.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import type { OwnedKey } from '../columns.ts'
import { versioned } from '../versioned.ts'

/** A version as JSON. It may gain members; those it has keep their meaning, for versions are never rewritten. */
function documentOf({ lane: _, accountId: __, id: ___, version: ____, ...said }: Profile): string {
  return JSON.stringify(said)
}

export function profileFrom(row: Row): Profile {
  const said = row['document'] as Omit<Profile, 'lane' | 'accountId' | 'id' | 'version'>
  return {
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    id: row['profile_id'] as string,
    version: row['version'] as number,
    ...said,
  }
}

const {
  newest,
  find: findProfile,
  findVersion: findProfileVersion,
  listVersions: listProfileVersions,
  insertVersion,
} = versioned({ noun: 'profile', heads: 'profiles', versions: 'profile_versions', id: 'profile_id' })
export { findProfile, findProfileVersion, listProfileVersions }

/** Those of the account's profiles that are named, each in its newest version. */
export function findProfiles({ lane, accountId }: AccountKey, ids: readonly string[]): Statement {
  return {
    name: 'find_profiles',
    text: `${newest} and p.id = any($3::uuid[])`,
    values: [lane, accountId, plainArray(ids)],
  }
}

export type ProfileFilter = {
  readonly type: ProfileType | null
  readonly status: ProfileStatus | null
  /** What the profiles must have. */
  readonly marks: readonly Mark[]
  /** The account's own, which no list holds. */
  readonly except: string
  /** The profile that the page before ended with. */
  readonly after: string | null
  readonly limit: number
}

/** Profiles of the account, newest first, one more than the limit. */
export function listProfiles({ lane, accountId }: AccountKey, filter: ProfileFilter): Statement {
  const values: unknown[] = [lane, accountId, filter.except, filter.limit + 1]
  const place = (value: unknown) => `$${values.push(value)}`
  const { type, status, marks, after } = filter
  const marked = (mark: Mark) => `p.id in (select m.profile_id from profile_marks m
                                     where m.lane = $1 and m.account_id = $2 and m.mark = ${place(markId(mark))})`
  // A filter that is not used is not in the text, so that the planner can take the index that fits the others.
  const conditions = [
    ...(type === null ? [] : [['type', `p.type = ${place(type)}`] as const]),
    ...(status === null ? [] : [['status', `p.status = ${place(status)}`] as const]),
    ...marks.map((mark) => [mark.kind, marked(mark)] as const),
    ...(after === null ? [] : [['after', `p.id < ${place(after)}`] as const]),
  ]
  return {
    name: `list_profiles_${conditions.map(([name]) => name).join('_')}`,
    text: `${newest} and p.id <> $3 ${conditions.map(([, each]) => `and ${each}`).join(' ')}
            order by p.id desc
            limit $4`,
    values,
  }
}

/** A new version, which is the newest from now on; with the first one the profile begins. */
export function saveProfile(profile: Profile): readonly Statement[] {
  const { lane, accountId, id, livemode, version, type, status } = profile
  return [
    {
      name: 'save_profile',
      text: `insert into profiles (lane, account_id, livemode, id, version, type, status) values ($1, $2, $3, $4, $5, $6, $7)
             on conflict (lane, account_id, id)
             do update set version = excluded.version, type = excluded.type, status = excluded.status`,
      values: [lane, accountId, livemode, id, version, type, status],
    },
    insertVersion(profile, version, documentOf(profile)),
  ]
}

/** Marks that the profile has from now on. */
export function insertMarks({ lane, accountId, id }: OwnedKey, marks: readonly Mark[]): Statement {
  return {
    name: 'insert_profile_marks',
    text: `insert into profile_marks (lane, account_id, mark, profile_id, kind)
           select l.lane, $2, x.mark, $3, x.kind
             from lanes l cross join unnest($4::uuid[], $5::text[]) x (mark, kind) where l.lane = $1
               on conflict (lane, account_id, mark, profile_id) do nothing`,
    values: [lane, accountId, id, plainArray(marks.map(markId)), textArray(marks.map(({ kind }) => kind))],
  }
}

/** Marks that it has no longer. */
export function deleteMarks({ lane, accountId, id }: OwnedKey, marks: readonly Mark[]): Statement {
  return {
    name: 'delete_profile_marks',
    text: `delete from profile_marks m
            where m.lane = $1 and m.account_id = $2 and m.profile_id = $3 and m.mark = any($4::uuid[])`,
    values: [lane, accountId, id, plainArray(marks.map(markId))],
  }
}

/** The other profiles in use that have one of the marks, the newest first. */
export function findMarked({ lane, accountId, id }: OwnedKey, marks: readonly Mark[], limit: number): Statement {
  return {
    name: 'find_marked_profiles',
    text: `select p.id, array_agg(m.kind order by m.kind desc) as kinds, min(v.document ->> 'name') as name
             from profile_marks m
             join profiles p on p.lane = m.lane and p.account_id = m.account_id and p.id = m.profile_id
             join profile_versions v on v.lane = p.lane and v.account_id = p.account_id and v.profile_id = p.id
                                    and v.version = p.version
            where m.lane = $1 and m.account_id = $2 and m.mark = any($4::uuid[]) and m.profile_id <> $3 and p.status = 'active'
            group by p.id
            order by p.id desc
            limit $5`,
    values: [lane, accountId, id, plainArray(marks.map(markId)), limit],
  }
}

export function markedFrom(row: Row): { id: string; name: string | null; same: MarkKind[] } {
  return {
    id: row['id'] as string,
    name: row['name'] as string | null,
    same: [...new Set(row['kinds'] as MarkKind[])],
  }
}

/** A mark as it is stored: long ones fit the index, too. */
function markId({ kind, value }: Mark): string {
  return hash128(`${kind} ${value}`)
}

/** What the account's own profile is made of before anybody has written it. */
export function findOwner({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'find_profile_owner',
    text: `select a.profile_id, a.name, a.livemode, ${ms('a.created_at')} as created_at
             from accounts a where a.lane = $1 and a.account_id = $2`,
    values: [lane, accountId],
  }
}

export type Owner = {
  readonly profileId: string
  readonly name: string
  readonly livemode: boolean
  readonly createdAt: number
}

export function ownerFrom(row: Row): Owner {
  return {
    profileId: row['profile_id'] as string,
    name: row['name'] as string,
    livemode: row['livemode'] as boolean,
    createdAt: row['created_at'] as number,
  }
}
