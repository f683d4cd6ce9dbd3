// People who come in: an invitation, a session, and what proves who they are.
import { totpAt } from '../../../../src/platform/totp.ts'
import { cookieOf, PASSWORD } from '../../../http/members/people.ts'
import { openAuthenticator } from '../../members/authenticator.ts'
import type { Reply } from '../../../world.ts'
import { idIn, NOBODY, type Stage } from '../stage.ts'

const ORIGIN = 'http://gateway.test'
const OPEN = {}
const PASSWORDS = { before: PASSWORD, after: 'five other plain words here' }
type Person = { readonly email: string; readonly as: Readonly<Record<string, string>>; readonly codes: string[] }
type Authenticator = { readonly secret: string }

/** Who has the cookie of a reply, from a page of the gateway. */
const by = (reply: Reply) => ({ cookie: cookieOf(reply), origin: ORIGIN })

export async function signIn(stage: Stage): Promise<void> {
  const person = await invited(stage)
  await sessions(stage, person)
  await factors(stage, person)
  await passkeys(stage, person)
  await leaving(stage, person)
}

/** Invited by a key, and in by an authenticator. */
async function invited({ played: { ask, hide } }: Stage): Promise<Person> {
  const email = 'ana@example.com'
  const made = await ask('members.invite', { body: { email, role: 'operator', name: 'Ana Cruz' } })
  const { token } = made.data['invitation'] as { readonly token: string }
  await ask('invitations.get', { params: { token }, as: OPEN })
  await ask('invitations.get', { params: { token: 'gci_none' }, as: OPEN })
  const wanted = { name: 'Ana Cruz', password: PASSWORD }
  await ask('invitations.accept', { params: { token }, body: { ...wanted, password: 'short' }, as: OPEN })
  const accepted = await ask('invitations.accept', { params: { token }, body: wanted, as: OPEN })
  const enrolment = accepted.data['enrolment'] as { readonly token: string; readonly authenticator: Authenticator }
  hide(enrolment.authenticator.secret, 'JBSWY3DPEHPK3PXP')
  hide((enrolment as unknown as { passkey: { user: { id: string } } }).passkey.user.id, 'bWVtYmVy')
  const next = { token: enrolment.token }
  await ask('invitations.confirm', { params: next, body: { code: '000000' }, as: OPEN })
  const code = totpAt(enrolment.authenticator.secret, Date.now())
  hide(code, '123456')
  const confirmed = await ask('invitations.confirm', { params: next, body: { code }, as: OPEN })
  const codes = hiddenCodes(confirmed, hide)
  await ask('invitations.accept', { params: { token }, body: wanted, as: OPEN })
  return { email, as: by(confirmed), codes }
}

function hiddenCodes(reply: Reply, hide: (value: string, shown: string) => void): string[] {
  const codes = reply.data['recovery_codes'] as string[]
  for (const [index, code] of codes.entries()) hide(code, `AAAA-BBBB-CC${String(index).padStart(2, '0')}`)
  return codes
}

async function sessions({ played: { ask } }: Stage, { email, as, codes }: Person): Promise<void> {
  const words = { email, password: PASSWORDS.before }
  const signedIn = await ask('sessions.create', { body: { ...words, code: codes.pop() }, as: OPEN })
  await ask('sessions.create', { body: words, as: OPEN })
  await ask('sessions.create', { body: { email, password: 'a guess of somebody' }, as: OPEN })
  await ask('sessions.current', { as })
  await ask('sessions.current', { as: OPEN })
  await ask('sessions.list', { as })
  await ask('sessions.list', { as: OPEN })
  await ask('sessions.end', { params: idIn(signedIn, 'session'), as })
  await ask('sessions.end', { params: NOBODY, as })
  await ask('sessions.oidc', { body: {}, as: OPEN })
  await ask('sessions.oidc', { body: {}, as: { origin: 'https://another.example.com' } })
}

async function factors({ world, played: { ask, hide } }: Stage, { as }: Person): Promise<void> {
  const { before: password, after } = PASSWORDS
  await ask('password.update', { body: { password: 'a guess of somebody', new_password: after }, as })
  await ask('password.update', { body: { password, new_password: after }, as })
  const proof = { password: after }
  const begun = await ask('authenticator.begin', { body: proof, as })
  await ask('authenticator.begin', { body: { password }, as })
  const { secret } = begun.data['authenticator'] as Authenticator
  hide(secret, 'KRSXG5CTMVRXEZLU')
  await ask('authenticator.confirm', { body: { code: '000000' }, as })
  // A code is taken once, and a new one comes each half minute.
  await world.sql('update members set totp_step = totp_step - 2')
  const code = totpAt(secret, Date.now())
  hide(code, '654321')
  await ask('authenticator.confirm', { body: { code }, as })
  await ask('authenticator.remove', { body: proof, as })
  const made = await ask('recovery_codes.create', { body: proof, as })
  hiddenCodes(made, hide)
  await ask('recovery_codes.create', { body: { password }, as })
}

async function passkeys({ played: { ask, hide } }: Stage, { as }: Person): Promise<void> {
  const authenticator = openAuthenticator(ORIGIN)
  const asked = await ask('passkeys.options', { body: { password: PASSWORDS.after }, as })
  await ask('passkeys.options', { body: {}, as: OPEN })
  const options = asked.data['options'] as Parameters<typeof authenticator.create>[0]
  const passkey = authenticator.create(options)
  hide(passkey.id, 'cGFzc2tleS1vbmU')
  await ask('passkeys.create', { body: { passkey, name: 'Phone' }, as })
  await ask('passkeys.create', { body: { passkey, name: 'Phone' }, as })
  await ask('passkeys.list', { as })
  await ask('passkeys.list', { as: OPEN })
  const requested = await ask('sessions.passkey_options', { body: {}, as: OPEN })
  const present = requested.data['options'] as Parameters<typeof authenticator.get>[0]
  await ask('sessions.create', { body: { passkey: authenticator.get(present) }, as: OPEN })
  await ask('authenticator.remove', { body: { password: PASSWORDS.after }, as })
  await ask('passkeys.remove', { params: { id: passkey.id }, as })
  await ask('passkeys.remove', { params: { id: 'bm9uZQ' }, as })
  const other = openAuthenticator(ORIGIN)
  const again = (await ask('passkeys.options', { body: { password: PASSWORDS.after }, as })).data[
    'options'
  ] as typeof options
  const second = other.create(again)
  hide(second.id, 'cGFzc2tleS10d28')
  await ask('passkeys.create', { body: { passkey: second, name: 'Key' }, as })
  await ask('passkeys.remove', { params: { id: passkey.id }, as })
}

async function leaving({ played: { ask } }: Stage, { as, email }: Person): Promise<void> {
  await ask('sessions.end_current', { as })
  await ask('sessions.end_current', { as: OPEN })
  const list = await ask('members.list', { query: { removed: 'true' } })
  const members = list.data['members'] as readonly { readonly id: string; readonly email: string }[]
  const id = members.find((each) => each.email === email)?.id ?? ''
  await ask('members.reset', { params: { id } })
  await ask('members.reset', { params: NOBODY })
}
