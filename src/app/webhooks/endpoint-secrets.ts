// The two secrets of a webhook endpoint: what signs its deliveries, and what they are authorised with. They are shown
// once, when they are made, and stored sealed; afterwards only their ends are shown.
import { randomBytes } from 'node:crypto'
import { isLive, type OpenSecrets } from '../../domain/webhook/secrets.ts'
import type { Sealing } from '../../platform/sealing.ts'
import type { EndpointKey } from '../../store/webhooks/deliveries.ts'
import type { SealedSecret } from '../../store/webhooks/endpoints.ts'

const SECRET = 'secret'
const BEARER = 'bearer'
const RANDOM_BYTES = 32

type Owner = Pick<EndpointKey, 'accountId' | 'id'>
export type StoredSecrets = { readonly secrets: readonly SealedSecret[]; readonly bearerSealed: string }
export type SealedSecrets = StoredSecrets & { readonly sealingKeyId: string }

/** The secret of Standard Webhooks; the whole text is the key of Service-Signature. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(RANDOM_BYTES).toString('base64')}`
}

export function newBearerToken(): string {
  return `whb_${randomBytes(RANDOM_BYTES).toString('base64url')}`
}

/** Opens what is stored of an endpoint; secrets whose time is over are left out. Throws where a seal is broken. */
export function openSecrets(sealing: Sealing, owner: Owner, stored: StoredSecrets, nowMs: number): OpenSecrets {
  const live = stored.secrets.filter((each) => isLive(each.expires_at, nowMs))
  return {
    secrets: live.map((each) => ({
      text: sealing.open(each.sealed, { ...idsOf(owner), purpose: SECRET }),
      createdAt: each.created_at,
      expiresAt: each.expires_at,
    })),
    bearer: sealing.open(stored.bearerSealed, { ...idsOf(owner), purpose: BEARER }),
  }
}

/** Seals all of it anew, so that one key opens it. */
export function sealSecrets(sealing: Sealing, owner: Owner, { secrets, bearer }: OpenSecrets): SealedSecrets {
  return {
    secrets: secrets.map((each) => ({
      sealed: sealing.seal(each.text, { ...idsOf(owner), purpose: SECRET }),
      created_at: each.createdAt,
      expires_at: each.expiresAt,
    })),
    bearerSealed: sealing.seal(bearer, { ...idsOf(owner), purpose: BEARER }),
    sealingKeyId: sealing.keyId,
  }
}

/** What is left of the secrets of a deleted endpoint. */
export function erasedSecrets(sealing: Sealing): SealedSecrets {
  return { secrets: [], bearerSealed: '', sealingKeyId: sealing.keyId }
}

/** With a new secret on top. The one before goes on signing until the overlap is over; any older one ends now. */
export function rolled(open: OpenSecrets, text: string, nowMs: number, overlapSeconds: number): OpenSecrets {
  const [newest] = open.secrets
  const before = newest && overlapSeconds > 0 ? [{ ...newest, expiresAt: nowMs + overlapSeconds * 1000 }] : []
  return { ...open, secrets: [{ text, createdAt: nowMs, expiresAt: null }, ...before] }
}

const idsOf = ({ accountId, id }: Owner) => ({ accountId, id })
