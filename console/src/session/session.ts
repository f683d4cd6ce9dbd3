// Who is signed in, and what they may do. The gateway looks at each request again: here it only decides what is shown.
import { createContext, useContext } from 'react'
import type { Account, Member, MemberScope, Session } from '../../../sdk/src/index.ts'
import { gateway, isSignedOut, queries, useRead } from '../gateway.ts'
import { shared } from '../shared.ts'

export type SignedIn = {
  readonly session: Session
  readonly member: Member
  readonly account: Account | null
  readonly scopes: ReadonlySet<MemberScope>
  /** Whether the account's money is real. */
  readonly isLive: boolean
}

async function currentSession(): Promise<SignedIn | null> {
  try {
    const { session, member, scopes } = await gateway.sessions.current()
    const account = scopes.includes('accounts:read') ? await gateway.accounts.me() : null
    forgetOthers(member)
    return { session, member, account, scopes: new Set(scopes), isLive: member.livemode }
  } catch (error) {
    if (isSignedOut(error)) return null
    throw error
  }
}

const OF_SCREENS = {
  predicate: ({ queryKey: [group] }: { readonly queryKey: readonly unknown[] }) => group !== 'session',
}
let shownTo: string | null = null

/** What was read for one member is not shown to the next who signs in at the same page. */
function forgetOthers({ id }: Member): void {
  if (shownTo !== null && shownTo !== id) queries.removeQueries(OF_SCREENS)
  shownTo = id
}

/**
 * Shows who has just signed in, and reads again what was refused meanwhile. What was known of the session stays until then: a
 * screen behind the sign-in is seen by nobody in between.
 */
export async function enter(): Promise<void> {
  await queries.refetchQueries({ queryKey: ['session'] }, { throwOnError: true })
  void queries.invalidateQueries(OF_SCREENS)
}

export const useSession = () => useRead(['session'], currentSession, { staleTime: 60_000 })

const isLeaving = shared(false)

/** Whoever signs out may go from the desk at once: the screens are gone before the gateway has answered. */
export const signOut = () => isLeaving.set(true)

/** Whether somebody is signing out. */
export const useIsLeaving = isLeaving.use

/** Forgets all that was shown, and ends the session. */
export async function endSession(): Promise<void> {
  queries.removeQueries(OF_SCREENS)
  await gateway.sessions.endCurrent().catch((error: unknown) => {
    if (!isSignedOut(error)) throw error
  })
  queries.clear()
  location.assign('/console/')
}

export const SignedInContext = createContext<SignedIn | null>(null)

/** For screens behind the sign-in. */
export function useSignedIn(): SignedIn {
  const signedIn = useContext(SignedInContext)
  if (signedIn === null) throw new Error('a screen stands outside of the sign-in')
  return signedIn
}

/** Whether the member may do what takes the scope: who may not sees no button. */
export function useCan(): (scope: MemberScope) => boolean {
  const { scopes } = useSignedIn()
  return (scope) => scopes.has(scope)
}
