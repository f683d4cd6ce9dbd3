// Sessions of members: begun with a new secret at every sign-in, listed, and ended.
import { SESSION_MS, type Member } from '../../domain/member/member.ts'
import { type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { keyUuid, newSession } from '../../platform/credentials.ts'
import type { Session, Statement } from '../../platform/db.ts'
import { type MemberKey } from '../../store/members/members.ts'
import {
  endSessions,
  insertSession,
  listSessions,
  sessionFrom,
  type StoredSession,
} from '../../store/members/sessions.ts'
import { lockCommandsOf } from '../../store/commands/commands.ts'
import type { Caller } from '../accounts/callers.ts'
import { type AccountChange, type ChangeDeps, changeAccount, type Changer, type Held } from '../accounts/changes.ts'
import { pausingToo } from '../commands/stops.ts'
import type { Audited } from '../../domain/account/audit.ts'

/** The text comes by cookie, once. */
export type NewSession = {
  readonly text: string
  readonly keyId: string
  readonly expiresAt: number
  readonly livemode: boolean
}
export type BegunSession = { readonly session: NewSession; readonly statement: Statement; readonly audited: Audited }

/** How somebody signed in. */
export type SignInWay = 'password' | 'passkey' | 'oidc' | 'invitation'

export function beginSession(member: Member, { head, nowMs }: Held, way: SignInWay): BegunSession {
  const { lane, accountId, id: memberId } = member
  const { keyId, text, hash } = newSession(lane)
  const expiresAt = nowMs + SESSION_MS
  const statement = insertSession({ lane, accountId, memberId, keyId, hash, livemode: head.livemode, expiresAt })
  const object = { type: 'session', id: keyUuid(keyId) }
  const audited = { action: 'session.created', object, before: null, after: { member: memberId, by: way } } as const
  return { session: { text, keyId, expiresAt, livemode: head.livemode }, statement, audited }
}

export async function liveSessions(reader: Session, member: MemberKey): Promise<StoredSession[]> {
  const [result] = await reader.send([listSessions(member)])
  return (result?.rows ?? []).map(sessionFrom)
}

/** Ends one of a member's own sessions, by its id as it is shown. */
export async function endSession(
  deps: { readonly reader: Session; readonly changes: ChangeDeps },
  changer: Changer,
  memberId: string,
  sessionId: string,
): Promise<StoredSession | Refusal> {
  const key = { ...changer, id: memberId }
  const session = (await liveSessions(deps.reader, key)).find(({ keyId }) => keyUuid(keyId) === sessionId)
  if (!session) return sessionNotFound()
  const load = [listSessions(key), lockCommandsOf(key, session.keyId)]
  return changeAccount(deps.changes, changer, load, ([live, commands], { nowMs }) => {
    if (!live?.rows.map(sessionFrom).some(({ keyId }) => keyId === session.keyId)) return sessionNotFound()
    const object = { type: 'session', id: sessionId }
    const change: AccountChange<StoredSession> = {
      statements: [endSessions(key, { only: session.keyId, but: null })],
      audited: [{ action: 'session.ended', object, before: null, after: null }],
      events: [],
      value: session,
    }
    // What somebody gave who signs out goes on; a session that is ended from another one may have been anybody's.
    return changer.keyId === session.keyId ? change : pausingToo(change, 'session', commands, nowMs)
  })
}

const sessionNotFound = () => refuse('session_not_found', 'id', 'You have no live session with this id.')

/** Who is signed in. A route that asks takes sessions alone. */
export function memberOf(caller: Caller): MemberKey {
  const { lane, accountId, memberId } = caller
  if (memberId === null) throw new Error('a route for members was called by a key')
  return { lane, accountId, id: memberId }
}
