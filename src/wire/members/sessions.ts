// How members come in, on the wire: invitations, sign-in, sessions, and the factors that prove a member.
import Type, { type Static } from 'typebox'
import { ROLES } from '../../domain/account/roles.ts'
import { MEMBER_SCOPES, SCOPES } from '../../domain/account/scopes.ts'
import { SOMETHING } from '../../domain/text/texts.ts'
import { Member } from './members.ts'
import { closed, envelope, livemode, nullableText, nullableTime, open, time, uuid, type Wire } from '../shapes.ts'
import { iso, isoOrNull } from '../times.ts'

const PASSWORD_MAX = 1000
const password = Type.String({ maxLength: PASSWORD_MAX })
const newPassword = Type.String({ maxLength: PASSWORD_MAX, description: '12 to 200 characters.' })
const code = Type.String({ maxLength: 40, description: 'Six digits of the authenticator, or a recovery code.' })
const passkeyName = Type.Optional(
  Type.String({ maxLength: 60, pattern: SOMETHING, description: 'What the passkey is called here.' }),
)

/** What a browser makes; WebAuthn has its shape, and the library judges it. */
const credential = (what: string) =>
  open(
    {
      id: Type.String({ maxLength: 1400 }),
      rawId: Type.String({ maxLength: 1400 }),
      type: Type.Literal('public-key'),
      response: open({ clientDataJSON: Type.String() }),
    },
    { description: `What ${what} gives, as JSON (WebAuthn, PublicKeyCredential.toJSON).` },
  )
const Registration = credential('navigator.credentials.create()')
const Assertion = credential('navigator.credentials.get()')

/** What a browser is given. */
const passkeyOptions = <T>(of: string) =>
  Type.Unsafe<T>({
    type: 'object',
    additionalProperties: true,
    properties: { challenge: { type: 'string' } },
    description: `For navigator.credentials.${of}(), by parse${of === 'create' ? 'Creation' : 'Request'}OptionsFromJSON.`,
  })
type Options = { readonly challenge: string }
const CreationOptions = passkeyOptions<Options>('create')
const RequestOptions = passkeyOptions<Options>('get')

const Totp = Type.Object(
  {
    secret: Type.String({ description: 'Base32: RFC 6238, SHA-1, 30 seconds, 6 digits. Shown once.' }),
    url: Type.String({ description: 'The same for a QR code: otpauth://totp/….' }),
  },
  { $id: 'Authenticator' },
)

export const LinkParams = Type.Object({ token: Type.String({ maxLength: 100, description: 'Of the link: gci_….' }) })
export const EnrolmentParams = Type.Object({
  token: Type.String({ maxLength: 100, description: 'Of the accepted invitation: gce_….' }),
})

export const OpenInvitationReply = envelope(
  'number',
  Type.Object({
    invitation: Type.Object(
      {
        account_id: uuid('The account that invites.'),
        account_name: Type.String(),
        livemode,
        email: Type.String(),
        name: nullableText,
        role: Type.Enum([...ROLES]),
        invited_by: nullableText,
        expires_at: time('When.'),
      },
      { $id: 'OpenInvitation' },
    ),
  }),
)

export const AcceptBody = closed(
  { name: Type.String({ maxLength: 120, pattern: SOMETHING }), password: newPassword },
  { $id: 'AcceptRequest' },
)

export const EnrolmentReply = envelope(
  'number',
  Type.Object({
    enrolment: Type.Object(
      {
        token: Type.String({
          description:
            'For POST /invitations/{token}/confirm, within the hour, and until the invitation is accepted anew.',
        }),
        expires_at: time('When.'),
        authenticator: Totp,
        passkey: CreationOptions,
      },
      { $id: 'Enrolment' },
    ),
  }),
)

export const ConfirmBody = closed(
  { code: Type.Optional(code), passkey: Type.Optional(Registration), passkey_name: passkeyName },
  { $id: 'ConfirmRequest', description: 'Either a code of the new authenticator, or a passkey.' },
)

const Session = Type.Object(
  {
    id: uuid('The session.'),
    current: Type.Boolean({ description: 'Whether it is the one that asks.' }),
    created_at: time('When.'),
    expires_at: time('12 hours after the sign-in.'),
  },
  { $id: 'Session' },
)

const recoveryCodes = Type.Array(Type.String(), { description: 'Each is good once. Shown once: keep them.' })

export const JoinedReply = envelope(
  'number',
  Type.Object({ member: Member, session: Session, recovery_codes: recoveryCodes }),
)

export const SignInBody = closed(
  {
    email: Type.Optional(Type.String({ maxLength: 254 })),
    password: Type.Optional(password),
    code: Type.Optional(code),
    account: Type.Optional(uuid('Which account, where several have the address.')),
    passkey: Type.Optional(Assertion),
  },
  { $id: 'SignInRequest', description: 'E-mail address, password and code; or a passkey alone.' },
)
export type SignInBody = Static<typeof SignInBody>

export const SignedInReply = envelope('number', Type.Object({ session: Session, member: Member }))

export const CurrentSessionReply = envelope(
  'number',
  Type.Object({
    session: Session,
    member: Member,
    account_id: uuid('The account.'),
    scopes: Type.Array(Type.Enum([...SCOPES, ...MEMBER_SCOPES], { $id: 'MemberScope' }), {
      description: 'What the role may do now; operations:… where the account operates the gateway.',
    }),
  }),
)

export const SessionsReply = envelope('number', Type.Object({ sessions: Type.Array(Session), next: nullableText }))
export const EndedSessionReply = envelope('string', Type.Object({ session: Session }))

export const PasskeyRequestReply = envelope('number', Type.Object({ options: RequestOptions }))
export const PasskeyCreationReply = envelope('number', Type.Object({ options: CreationOptions }))
export const EmptyBody = closed({}, { $id: 'Nothing' })

export const PasskeyBody = closed({ passkey: Registration, name: passkeyName }, { $id: 'PasskeyRequest' })
const Passkey = Type.Object(
  {
    id: Type.String({ description: 'The credential id, in base64url.' }),
    name: Type.String(),
    created_at: time('When.'),
    last_used_at: nullableTime,
  },
  { $id: 'Passkey' },
)
export const PasskeyReply = envelope('number', Type.Object({ passkey: Passkey }))
export const RemovedPasskeyReply = envelope('string', Type.Object({ passkey: Passkey }))
export const PasskeysReply = envelope('number', Type.Object({ passkeys: Type.Array(Passkey), next: nullableText }))
export const PasskeyParams = Type.Object({ id: Type.String({ description: 'The passkey’s id.' }) })

export const PasswordBody = closed({ password, new_password: newPassword }, { $id: 'PasswordRequest' })
export const ProofBody = closed({ password }, { $id: 'ProofRequest', description: 'The password, typed again.' })
export const CodeBody = closed({ code }, { $id: 'CodeRequest' })
export const TotpReply = envelope('number', Type.Object({ authenticator: Totp }))
export const RecoveryCodesReply = envelope('number', Type.Object({ recovery_codes: recoveryCodes }))

export const OidcBody = closed(
  { account: Type.Optional(uuid('Which account, where several have the address.')) },
  { $id: 'OidcRequest' },
)
export const OidcReply = envelope(
  'number',
  Type.Object({ url: Type.String({ description: 'At the OpenID provider that the gateway is configured with.' }) }),
)

type ShownSession = { readonly id: string; readonly createdAt: number; readonly expiresAt: number }

export function presentSession({ id, createdAt, expiresAt }: ShownSession, currentId: string): Wire<typeof Session> {
  return { id, current: id === currentId, created_at: iso(createdAt), expires_at: iso(expiresAt) }
}

type ShownPasskey = {
  readonly id: string
  readonly name: string
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

export function presentPasskey({ id, name, createdAt, lastUsedAt }: ShownPasskey): Wire<typeof Passkey> {
  return { id, name, created_at: iso(createdAt), last_used_at: isoOrNull(lastUsedAt) }
}
