// Members and their passkeys. A member is found by account and id; by e-mail address where somebody signs in, for a person
// may be a member of several accounts; and by the link that is open to them.
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import type { Member } from '../../domain/member/member.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import { ms } from '../../platform/columns.ts'
import { definite } from '../../platform/servers/absence.ts'

export type MemberKey = AccountKey & { readonly id: string }

const COLUMNS = `m.lane, m.account_id, m.id, m.email, m.name, m.role, m.status, m.link_hash, ${ms('m.link_expires_at')} as link_expires_at,
  m.invited_by, m.password, m.totp_sealed, m.totp_pending_sealed, m.totp_step, m.recovery_codes, m.challenged_at, m.failures,
  ${ms('m.locked_until')} as locked_until, ${ms('m.created_at')} as created_at, ${ms('m.joined_at')} as joined_at,
  ${ms('m.removed_at')} as removed_at`

export function findMember({ lane, accountId, id }: MemberKey): Statement {
  return {
    name: 'find_member',
    text: `select ${COLUMNS} from members m where m.lane = $1 and m.account_id = $2 and m.id = $3`,
    values: [lane, accountId, id],
  }
}

/** Everybody who was not removed, and with `withRemoved` those too; oldest first. */
export function listMembers({ lane, accountId }: AccountKey, withRemoved: boolean): Statement {
  return {
    name: 'list_members',
    text: `select ${COLUMNS} from members m
            where m.lane = $1 and m.account_id = $2 and ($3::boolean or m.status <> 'removed')
            order by m.created_at, m.id`,
    values: [lane, accountId, withRemoved],
  }
}

/** Whoever of the account has the address and was not removed. */
export function findMemberByEmail({ lane, accountId }: AccountKey, email: string): Statement {
  return {
    name: 'find_member_by_email',
    text: `select ${COLUMNS} from members m
            where m.lane = $1 and m.account_id = $2 and m.email = $3 and m.status <> 'removed'`,
    values: [lane, accountId, email],
  }
}

/** Who may sign in with the address, with the names of their accounts. */
export function membersWithEmail(email: string, lanes: readonly number[]): Statement {
  return definite({
    name: 'members_with_email',
    text: `-- every lane: who signs in says an address, and no account.
           select ${COLUMNS}, a.name as account_name
             from members m join accounts a on a.lane = m.lane and a.account_id = m.account_id
            where m.lane = any($2::int[]) and a.lane = any($2::int[]) and m.email = $1 and m.status = 'active'
            order by m.joined_at, m.id`,
    values: [email, plainArray(lanes)],
  })
}

/** The member who has the link, with the name of the account and who invited; `is_open` as long as the invitation lasts. */
export function findMemberByLink(lane: number, hash: Buffer): Statement {
  return definite({
    name: 'find_member_by_link',
    text: `select ${COLUMNS}, a.name as account_name, a.livemode, i.name as inviter_name, m.link_expires_at > now() as is_open
             from members m
             join accounts a on a.lane = m.lane and a.account_id = m.account_id
             left join members i on i.lane = m.lane and i.account_id = m.account_id and i.id::text = m.invited_by
            where m.lane = $1 and m.link_hash = $2 and m.status <> 'removed'`,
    values: [lane, hash],
  })
}

/** How many the account has, without those who were removed; and how many of them are owners who have joined. */
export function countMembers({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'count_members',
    text: `select count(*)::int as members, (count(*) filter (where m.role = 'owner' and m.status = 'active'))::int as owners
             from members m where m.lane = $1 and m.account_id = $2 and m.status <> 'removed'`,
    values: [lane, accountId],
  }
}

export function insertMember(member: Member): Statement {
  return {
    name: 'insert_member',
    text: `insert into members (lane, account_id, id, email, created_at, name, role, status, link_hash, link_expires_at, invited_by,
             password, totp_sealed, totp_pending_sealed, totp_step, recovery_codes, challenged_at, failures, locked_until,
             joined_at, removed_at)
           values ($1, $2, $3, $20, to_timestamp($21::float8 / 1000), $4, $5, $6, $7, to_timestamp($8::float8 / 1000), $9, $10, $11,
             $12, $13, $14, $15, $16, to_timestamp($17::float8 / 1000), to_timestamp($18::float8 / 1000),
             to_timestamp($19::float8 / 1000))`,
    values: [...changing(member), member.email, member.createdAt],
  }
}

/** Writes everything of a member that can change. */
export function saveMember(member: Member): Statement {
  return {
    name: 'save_member',
    text: `update members m
              set name = $4, role = $5, status = $6, link_hash = $7, link_expires_at = to_timestamp($8::float8 / 1000),
                  invited_by = $9, password = $10, totp_sealed = $11, totp_pending_sealed = $12, totp_step = $13,
                  recovery_codes = $14, challenged_at = $15, failures = $16, locked_until = to_timestamp($17::float8 / 1000),
                  joined_at = to_timestamp($18::float8 / 1000), removed_at = to_timestamp($19::float8 / 1000)
            where m.lane = $1 and m.account_id = $2 and m.id = $3`,
    values: changing(member),
  }
}

/** Takes back the open links that a member made for others: invitations, and those of resets. */
export function withdrawLinks({ lane, accountId, id }: MemberKey, nowMs: number): Statement {
  return {
    name: 'withdraw_links',
    text: `update members m
              set link_hash = null, link_expires_at = least(m.link_expires_at, to_timestamp($4::float8 / 1000))
            where m.lane = $1 and m.account_id = $2 and m.invited_by = $3 and m.link_hash is not null`,
    values: [lane, accountId, id, nowMs],
  }
}

function changing(member: Member): unknown[] {
  return [
    member.lane,
    member.accountId,
    member.id,
    member.name,
    member.role,
    member.status,
    member.linkHash,
    member.linkExpiresAt,
    member.invitedBy,
    member.password,
    member.totpSealed,
    member.totpPendingSealed,
    member.totpStep,
    textArray(member.recoveryCodes),
    member.challengedAt,
    member.failures,
    member.lockedUntil,
    member.joinedAt,
    member.removedAt,
  ]
}

export function memberFrom(row: Row): Member {
  return {
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    id: row['id'] as string,
    email: row['email'] as string,
    name: row['name'] as string | null,
    role: row['role'] as Member['role'],
    status: row['status'] as Member['status'],
    linkHash: row['link_hash'] as Buffer | null,
    linkExpiresAt: row['link_expires_at'] as number | null,
    invitedBy: row['invited_by'] as string | null,
    password: row['password'] as string | null,
    totpSealed: row['totp_sealed'] as string | null,
    totpPendingSealed: row['totp_pending_sealed'] as string | null,
    totpStep: Number(row['totp_step']),
    recoveryCodes: row['recovery_codes'] as string[],
    challengedAt: Number(row['challenged_at']),
    failures: row['failures'] as number,
    lockedUntil: row['locked_until'] as number | null,
    createdAt: row['created_at'] as number,
    joinedAt: row['joined_at'] as number | null,
    removedAt: row['removed_at'] as number | null,
  }
}
