// The secret that signs what is sent to a verifier of one's own: shown once, stored sealed, and rolled with an overlap.
import { randomBytes } from 'node:crypto'
import { isLive } from '../../domain/webhook/secrets.ts'
import type { Sealing } from '../../platform/sealing.ts'
import type { OwnedKey } from '../../store/columns.ts'
import type { SealedSecret } from '../../store/webhooks/endpoints.ts'

const PURPOSE = 'verifier'
const RANDOM_BYTES = 32

type Owner = Pick<OwnedKey, 'accountId' | 'id'>

/** The secret of Standard Webhooks; the whole text is the key of Service-Signature. */
export const newVerifierSecret = (): string => `whsec_${randomBytes(RANDOM_BYTES).toString('base64')}`

/** A new one on top; the one before goes on signing until the overlap is over, and any older one ends now. */
export function withSecret(
  sealing: Sealing,
  owner: Owner,
  before: readonly SealedSecret[],
  added: { readonly text: string; readonly nowMs: number; readonly overlapSeconds: number },
): SealedSecret[] {
  const { text, nowMs, overlapSeconds } = added
  const [newest] = openSecrets(sealing, owner, before, nowMs)
  const older = newest && overlapSeconds > 0 ? [{ text: newest, expiresAt: nowMs + overlapSeconds * 1000 }] : []
  return [{ text, expiresAt: null }, ...older].map((each) => ({
    sealed: sealing.seal(each.text, aboutOf(owner)),
    created_at: nowMs,
    expires_at: each.expiresAt,
  }))
}

/** Those that sign now, the newest first. Throws where a seal is broken. */
export function openSecrets(sealing: Sealing, owner: Owner, secrets: readonly SealedSecret[], nowMs: number): string[] {
  const live = secrets.filter((each) => isLive(each.expires_at, nowMs))
  return live.map(({ sealed }) => sealing.open(sealed, aboutOf(owner)))
}

const aboutOf = ({ accountId, id }: Owner) => ({ accountId, id, purpose: PURPOSE })
