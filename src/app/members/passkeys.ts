// Passkeys (WebAuthn Level 3): made by a member, and enough to sign in, for the authenticator asks for a finger or a PIN. A
// challenge is sealed and kept nowhere; it is good for some minutes and once, for a member's next one must be younger.
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { isUuid, laneOf } from '../../domain/contract/ids.ts'
import { invalid, isRefusal, type Refusal, refuse, refuseAll } from '../../domain/contract/refusals.ts'
import type { Member } from '../../domain/member/member.ts'
import { signInFailed } from '../../domain/member/sign-in.ts'
import { type About, SealBroken, type Sealing } from '../../platform/sealing.ts'
import type { MemberKey } from '../../store/members/members.ts'
import { findMember, memberFrom, saveMember } from '../../store/members/members.ts'
import {
  deletePasskeys,
  findPasskey,
  insertPasskey,
  listPasskeys,
  type Passkey,
  passkeyFrom,
  usePasskey,
} from '../../store/members/passkeys.ts'
import { changeAccount, type Changer } from '../accounts/changes.ts'
import type { MemberDeps, Place } from './member-deps.ts'
import { objectOf } from './members.ts'
import { beginSession } from './sessions.ts'
import { signingIn, type SignedIn } from './sign-in.ts'

export type CreationOptions = PublicKeyCredentialCreationOptionsJSON
export type RequestOptions = PublicKeyCredentialRequestOptionsJSON
/** What the browser makes of the options, as it comes: the library judges it. */
export type Registration = RegistrationResponseJSON
export type Assertion = AuthenticationResponseJSON

const CHALLENGE_MS = 5 * 60_000
const PASSKEYS_MAX = 20

// Loaded by who uses passkeys: its parsers of certificates take longer to load than most of the gateway.
const library = () => import('@simplewebauthn/server')

const SIGNING_IN: About = { accountId: '-', id: '-', purpose: 'passkey challenge' }

/** Who makes a passkey. `enrolment`: the start of an invited person; a challenge of another one is none of it. */
type Registering = MemberKey & { readonly enrolment?: string }
const registering = ({ accountId, id, enrolment = '' }: Registering): About => ({
  accountId,
  id,
  purpose: `passkey registration${enrolment}`,
})

const challengeAt = ({ sealing, nowMs }: MemberDeps, about: About) => sealing.seal(String(nowMs()), about)

/** When the challenge was made; null for what is none of ours, and where it is too old. */
function timeOf(sealing: Sealing, challenge: string, about: About, nowMs: number): number | null {
  try {
    const madeAt = Number(sealing.open(Buffer.from(challenge, 'base64url').toString('utf8'), about))
    return madeAt > nowMs - CHALLENGE_MS && madeAt <= nowMs ? madeAt : null
  } catch (fault) {
    if (fault instanceof SealBroken) return null
    throw fault
  }
}

const siteOf = ({ baseUrl }: MemberDeps) => {
  const { origin, hostname } = new URL(baseUrl())
  return { expectedOrigin: origin, expectedRPID: hostname }
}

/** For navigator.credentials.create(). */
export async function creationOptions(
  deps: MemberDeps,
  member: Registering & Pick<Member, 'email' | 'name'>,
  passkeys: readonly Passkey[],
  rpName: string,
): Promise<CreationOptions> {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName,
    rpID: siteOf(deps).expectedRPID,
    userName: member.email,
    userDisplayName: member.name ?? member.email,
    userID: new Uint8Array(Buffer.from(member.id)),
    challenge: challengeAt(deps, registering(member)),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: passkeys.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

export type NewPasskey = Passkey & { readonly challengedAt: number }

/** The passkey of a registration; refused where it is none for this member, this site and a challenge of ours. */
export async function registered(
  deps: MemberDeps,
  member: Registering,
  response: Registration,
  name: string,
): Promise<NewPasskey | Refusal> {
  const { verifyRegistrationResponse } = await library()
  let challengedAt: number | null = null
  const expectedChallenge = (challenge: string) => {
    challengedAt = timeOf(deps.sealing, challenge, registering(member), deps.nowMs())
    return challengedAt !== null
  }
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    ...siteOf(deps),
    requireUserVerification: true,
  }).catch(() => null)
  if (!verified?.verified || challengedAt === null) return refuseAll([notAPasskey()])
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential
  const times = { createdAt: 0, lastUsedAt: null, challengedAt }
  return { memberId: member.id, id, name, publicKey: Buffer.from(publicKey), counter, transports, ...times }
}

const notAPasskey = () =>
  invalid('passkey', 'passkey is no registration for this member on this site. Get new options and try again.')

/** For navigator.credentials.get(): whoever has a passkey of this site says by it who they are. */
export async function requestOptions(deps: MemberDeps): Promise<RequestOptions> {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: siteOf(deps).expectedRPID,
    challenge: challengeAt(deps, SIGNING_IN),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  })
}

/** A session for whoever holds a passkey. */
export async function signInByPasskey(
  deps: MemberDeps,
  response: Assertion,
  place: Place,
): Promise<SignedIn | Refusal> {
  const memberId = Buffer.from(response.response.userHandle ?? '', 'base64url').toString('utf8')
  if (!isUuid(memberId)) return signInFailed()
  const [result] = await deps.reader.send([findPasskey(laneOf(memberId), memberId, response.id)])
  const row = result?.rows[0]
  if (!row) return signInFailed()
  const passkey = passkeyFrom(row)
  const used = await usedPasskey(deps, passkey, response)
  if (used === null) return signInFailed()
  const owner = { lane: laneOf(memberId), accountId: row['account_id'] as string }
  const key = { ...owner, id: memberId }
  const changer = signingIn(owner, key, place)
  return changeAccount(deps.changes, changer, [findMember(key), listPasskeys(key)], ([found, passkeys], held) => {
    const member = found?.rows[0] && memberFrom(found.rows[0])
    const current = passkeys?.rows.map(passkeyFrom).find(({ id }) => id === passkey.id)
    // Removed meanwhile, or the challenge was answered before: nothing is worth more the second time.
    if (member?.status !== 'active' || current?.counter !== passkey.counter) return signInFailed()
    if (used.challengedAt <= member.challengedAt) return signInFailed()
    const after = { ...member, challengedAt: used.challengedAt }
    const { session, statement, audited } = beginSession(after, held, 'passkey')
    const statements = [
      saveMember(after),
      usePasskey(owner, { ...passkey, counter: used.counter }, held.nowMs),
      statement,
    ]
    return { statements, audited: [audited], events: [], value: { member: after, session } }
  })
}

async function usedPasskey(
  deps: MemberDeps,
  { id, publicKey, counter }: Passkey,
  response: Assertion,
): Promise<{ readonly counter: number; readonly challengedAt: number } | null> {
  const { verifyAuthenticationResponse } = await library()
  let challengedAt: number | null = null
  const expectedChallenge = (challenge: string) => {
    challengedAt = timeOf(deps.sealing, challenge, SIGNING_IN, deps.nowMs())
    return challengedAt !== null
  }
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    ...siteOf(deps),
    credential: { id, publicKey: new Uint8Array(publicKey), counter },
    requireUserVerification: true,
  }).catch(() => null)
  if (!verified?.verified || challengedAt === null) return null
  return { counter: verified.authenticationInfo.newCounter, challengedAt }
}

export async function passkeysOf({ reader }: Pick<MemberDeps, 'reader'>, member: MemberKey): Promise<Passkey[]> {
  const [result] = await reader.send([listPasskeys(member)])
  return (result?.rows ?? []).map(passkeyFrom)
}

/** One more passkey for a member who is signed in. */
export async function addPasskey(
  deps: MemberDeps,
  changer: Changer,
  key: MemberKey,
  response: Registration,
  name: string,
): Promise<Passkey | Refusal> {
  const passkey = await registered(deps, key, response, name)
  if (isRefusal(passkey)) return passkey
  return changeAccount(deps.changes, changer, [findMember(key), listPasskeys(key)], ([found, passkeys], { nowMs }) => {
    const member = found?.rows[0] && memberFrom(found.rows[0])
    const known = passkeys?.rows.map(passkeyFrom) ?? []
    if (!member || passkey.challengedAt <= member.challengedAt || known.some(({ id }) => id === passkey.id))
      return refuseAll([notAPasskey()])
    if (known.length >= PASSKEYS_MAX)
      return refuseAll([invalid('passkey', `passkey is one too many: you have ${PASSKEYS_MAX}. Remove one.`)])
    const made = { ...passkey, createdAt: nowMs }
    const after = { ...member, challengedAt: passkey.challengedAt }
    const audited = { action: 'passkey.created', object: objectOf(member), before: null, after: { name } } as const
    return { statements: [saveMember(after), insertPasskey(key, made)], audited: [audited], events: [], value: made }
  })
}

/** A factor stays: the last passkey of who has no authenticator is not removed. */
export function removePasskey(
  deps: MemberDeps,
  changer: Changer,
  key: MemberKey,
  passkeyId: string,
): Promise<Passkey | Refusal> {
  return changeAccount(deps.changes, changer, [findMember(key), listPasskeys(key)], ([found, passkeys]) => {
    const member = found?.rows[0] && memberFrom(found.rows[0])
    const known = passkeys?.rows.map(passkeyFrom) ?? []
    const passkey = known.find(({ id }) => id === passkeyId)
    if (!member || !passkey) return refuse('passkey_not_found', 'id', 'You have no passkey with this id.')
    if (known.length === 1 && member.totpSealed === null)
      return refuse('last_factor', 'id', 'This is your only second factor. Enrol an authenticator first.')
    const { name } = passkey
    const audited = { action: 'passkey.removed', object: objectOf(member), before: { name }, after: null } as const
    return { statements: [deletePasskeys(key, passkeyId)], audited: [audited], events: [], value: passkey }
  })
}
