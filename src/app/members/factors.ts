// What proves a member beside the password: codes by time and recovery codes. Secrets are stored sealed, recovery codes as
// hashes.
import { randomBytes } from 'node:crypto'
import type { BegunEnrolment, Member } from '../../domain/member/member.ts'
import { credentialFingerprint } from '../../platform/credentials.ts'
import type { About, Sealing } from '../../platform/sealing.ts'
import { base32, newTotpSecret, stepOfCode, totpUrl } from '../../platform/totp.ts'

/** A secret that waits for a code of it; shown once. */
export type NewTotp = { readonly secret: string; readonly url: string }

const aboutTotp = ({ accountId, id }: Member): About => ({ accountId, id, purpose: 'totp secret' })

/** The member with a new secret that no code was shown of yet. */
export function withPendingTotp(sealing: Sealing, member: Member, issuer: string): { member: Member; totp: NewTotp } {
  const totp = newTotp(member, issuer)
  return { member: { ...member, totpPendingSealed: sealing.seal(totp.secret, aboutTotp(member)) }, totp }
}

export function newTotp({ email }: Member, issuer: string): NewTotp {
  const secret = newTotpSecret()
  return { secret, url: totpUrl(secret, issuer, email) }
}

// Sealed where the pending secret is, and as something else: neither is taken for the other.
const aboutEnrolment = ({ accountId, id }: Member): About => ({ accountId, id, purpose: 'enrolment' })

/** The member with this start in place of the one before. */
export function withBegunEnrolment(sealing: Sealing, member: Member, last: BegunEnrolment): Member {
  return { ...member, totpPendingSealed: sealing.seal(JSON.stringify(last), aboutEnrolment(member)) }
}

/** The last start of an invited member; null where there is none. */
export function begunEnrolment(sealing: Sealing, member: Member): BegunEnrolment | null {
  const { status, totpPendingSealed } = member
  if (status !== 'invited' || totpPendingSealed === null) return null
  return JSON.parse(sealing.open(totpPendingSealed, aboutEnrolment(member))) as BegunEnrolment
}

/** The member with the pending secret in use; null where the code is none of it. */
export function withConfirmedTotp(sealing: Sealing, member: Member, code: string, nowMs: number): Member | null {
  const { totpPendingSealed } = member
  if (totpPendingSealed === null) return null
  return withTotp(sealing, member, sealing.open(totpPendingSealed, aboutTotp(member)), code, nowMs)
}

/** The member with a secret in use, and none that waits; null where the code is none of it. */
export function withTotp(sealing: Sealing, member: Member, secret: string, code: string, nowMs: number): Member | null {
  const totpStep = stepOfCode(secret, code, nowMs, 0)
  if (totpStep === null) return null
  return { ...member, totpSealed: sealing.seal(secret, aboutTotp(member)), totpPendingSealed: null, totpStep }
}

/** The member after a code was used up, of the authenticator or for recovery; null where it is wrong or was used. */
export function withUsedCode(sealing: Sealing, member: Member, code: string, nowMs: number): Member | null {
  const typed = code.replace(/[\s-]/g, '').toUpperCase()
  if (/^\d{6}$/.test(typed)) {
    if (member.totpSealed === null) return null
    const step = stepOfCode(sealing.open(member.totpSealed, aboutTotp(member)), typed, nowMs, member.totpStep)
    return step === null ? null : { ...member, totpStep: step }
  }
  const hash = recoveryHash(member, typed)
  if (!member.recoveryCodes.includes(hash)) return null
  return { ...member, recoveryCodes: member.recoveryCodes.filter((each) => each !== hash) }
}

const RECOVERY_CODES = 10
const RECOVERY_BYTES = 10
const GROUPS = /.{4}/g

/** The member with new recovery codes in place of the old ones; the codes are shown once. */
export function withRecoveryCodes(member: Member): { member: Member; codes: readonly string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(RECOVERY_BYTES)))
  const recoveryCodes = codes.map((code) => recoveryHash(member, code))
  return { member: { ...member, recoveryCodes }, codes: codes.map((code) => code.match(GROUPS)?.join('-') ?? code) }
}

const recoveryHash = ({ id }: Member, code: string) => credentialFingerprint(`${id} ${code}`)
