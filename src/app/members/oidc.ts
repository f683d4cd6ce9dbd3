// Signing in at an OpenID provider (OpenID Connect Core 1.0, authorization code with PKCE). The provider says whose e-mail
// address it is; only a verified address of somebody who is a member already opens a session. Knows no HTTP client.
import type { Refusal } from '../../domain/contract/refusals.ts'
import { emailOf } from '../../domain/member/member.ts'
import { signInFailed } from '../../domain/member/sign-in.ts'
import type { MemberDeps, Place } from './member-deps.ts'
import type { OidcPerson, OidcState } from './oidc-provider.ts'
import { decided, membersOf, type SignedIn, whichAccount } from './sign-in.ts'

const STATE_MS = 10 * 60_000
const ABOUT = { accountId: '-', id: '-', purpose: 'oidc state' } as const

export const sealState = ({ sealing }: MemberDeps, state: OidcState): string =>
  sealing.seal(JSON.stringify(state), ABOUT)

/** The state that came back; null where it is none of ours, or too old. */
export function openState({ sealing, nowMs }: MemberDeps, sealed: string): OidcState | null {
  try {
    const state = JSON.parse(sealing.open(sealed, ABOUT)) as OidcState
    return state.startedAt > nowMs() - STATE_MS ? state : null
  } catch {
    return null
  }
}

/** A session for a person whom the provider knows and an account has as a member. */
export async function signInByOidc(
  deps: MemberDeps,
  person: OidcPerson,
  accountId: string | null,
  place: Place,
): Promise<SignedIn | Refusal> {
  const email = person.isVerified ? emailOf(person.email) : null
  if (email === null) return signInFailed()
  const { found, fault } = await membersOf(deps, email, accountId)
  const [first, ...others] = found
  if (!first && fault !== null) throw fault
  if (!first) return signInFailed()
  if (others.length > 0) return whichAccount(found)
  return decided(deps, first.member, place, 'oidc', (member) => (member.email === email ? member : null))
}
