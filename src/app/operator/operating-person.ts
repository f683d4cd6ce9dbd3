// Who operates: the member behind a session, looked at anew for each act, so that whoever was removed a moment ago does nothing.
import { scopesOf } from '../../domain/account/roles.ts'
import type { Scope } from '../../domain/account/scopes.ts'
import { type Refusal, refuse } from '../../domain/contract/refusals.ts'
import type { OperatingPerson } from '../../domain/transfer/proposed-resolution.ts'
import type { Session } from '../../platform/db.ts'
import { liveApiKeys } from '../../store/accounts/accounts.ts'
import { findOwnAccount, ownAccountFrom } from '../../store/accounts/settings.ts'
import { findMember, memberFrom } from '../../store/members/members.ts'
import type { Caller } from '../accounts/callers.ts'
import { memberOf } from '../members/sessions.ts'

/** The person, or why they may not do what needs the scope any more. */
export async function operatingPerson(
  reader: Session,
  caller: Caller,
  scope: Scope,
): Promise<OperatingPerson | Refusal> {
  const { lane, accountId, keyId } = caller
  const key = liveApiKeys({ kind: 'one lane', lane }, [{ lane, accountId, keyId }])
  const [live, found, owner] = await reader.send([key, findMember(memberOf(caller)), findOwnAccount(caller)])
  const [memberRow, accountRow] = [found?.rows[0], owner?.rows[0]]
  if (live?.rows.length !== 1 || !memberRow || !accountRow)
    return refuse('invalid_session', 'Cookie', 'The session has ended. Sign in again by POST /sessions.')
  const { id: memberId, email, role, status } = memberFrom(memberRow)
  const { operates } = ownAccountFrom(accountRow)
  if (status === 'active' && scopesOf(role, operates ? 'operating' : 'other').has(scope)) return { memberId, email }
  return refuse('scope_missing', null, `The credential lacks the scope ${scope}.`)
}
