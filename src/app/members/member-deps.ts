// What use cases of members may touch.
import type { Passwords } from '../../platform/passwords.ts'
import type { Session } from '../../platform/db.ts'
import type { Sealing } from '../../platform/sealing.ts'
import type { ChangeDeps } from '../accounts/changes.ts'
import type { LaneGroups } from '../jobs/lane-places.ts'
import type { Oidc } from './oidc-provider.ts'

export type MemberDeps = {
  readonly reader: Session
  /** All lanes by the server or node that has them: who signs in is looked for on each. */
  readonly lanesByNode: LaneGroups
  readonly changes: ChangeDeps
  readonly sealing: Sealing
  readonly passwords: Passwords
  /** The gateway's own address: passkeys and sessions are bound to it. */
  readonly baseUrl: () => string
  /** Where an invited person goes: a screen of the console, or where the invitation is read by a program. */
  readonly invitationUrl: (token: string) => string
  readonly isHttps: () => boolean
  readonly nowMs: () => number
  /** Sign-in at an OpenID provider; null where none is configured. */
  readonly oidc: Oidc | null
}

/** Where a request came from, for the audit list. */
export type Place = { readonly address: string | null; readonly requestId: string | null }
