// The roles that members have now, and since when saved destinations are as they are: what policies ask besides meters.
import { forRows, int, uuid } from '../../platform/columns.ts'
import { KEY, OWNER, type OwnedKey } from '../columns.ts'

/** Active members of accounts, by their ids. */
export const rolesOfMembers = forRows(
  'roles_of_members',
  KEY,
  (keys) => `select m.account_id, m.id, m.role
     from ${keys}
     join members m on m.lane = x.lane and m.account_id = x.account_id and m.id = x.id and m.status = 'active'
    where $lane(m)`,
)

export type UsedVersion = OwnedKey & { readonly version: number }

/** Profiles in the versions that contracts froze. */
export const usedProfileVersions = forRows(
  'used_profile_versions',
  {
    ...OWNER,
    profile_id: uuid((used: UsedVersion) => used.id),
    version: int((used: UsedVersion) => used.version),
  },
  (keys) => `select v.lane, v.account_id, v.profile_id, v.version, v.document
     from ${keys}
     join profile_versions v on v.lane = x.lane and v.account_id = x.account_id and v.profile_id = x.profile_id
                            and v.version = x.version
    where $lane(v)`,
)
