// An invitation, from its link to the console: name and password, then a second factor, then the recovery codes. Whoever leaves it in the middle,
// or hears no answer, begins anew by the same link.
import { Anchor, Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { type Enrolment, GatewayError } from '../../../sdk/src/index.ts'
import { gateway, useRead } from '../gateway.ts'
import { CopyButton } from '../ui/atoms.tsx'
import { ErrorNote, Loaded, Note } from '../ui/feedback.tsx'
import { useWords } from '../words/language.ts'
import { Door } from './Door.tsx'
import { hasPasskeys, makePasskey } from './passkey.ts'
import { SESSION } from './words.ts'

export function Invitation({ token }: { readonly token: string }) {
  const w = useWords(SESSION)
  const invitation = useRead(['invitation', token], () => gateway.invitations.get(token), { staleTime: Infinity })
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes) return <RecoveryCodes codes={codes} />
  if (enrolment) return <SecondFactor enrolment={enrolment} onDone={setCodes} onAnew={() => setEnrolment(null)} />
  return (
    <Door
      title={w.invitation}
      lead={invitation.data && w.invitationLead(invitation.data.account_name, invitation.data.role)}
    >
      <Loaded of={invitation} rows={3}>
        {({ email, name }) => <Acceptance token={token} email={email} name={name ?? ''} onDone={setEnrolment} />}
      </Loaded>
      <Anchor href="/console/" size="sm">
        {w.joinedAlready}
      </Anchor>
    </Door>
  )
}

type AcceptanceProps = {
  readonly token: string
  readonly email: string
  readonly name: string
  readonly onDone: (enrolment: Enrolment) => void
}

function Acceptance({ token, email, name: known, onDone }: AcceptanceProps) {
  const w = useWords(SESSION)
  const [name, setName] = useState(known)
  const [password, setPassword] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setError(null)
    setBusy(true)
    void gateway.invitations
      .accept(token, { name, password })
      .then(onDone, setError)
      .finally(() => setBusy(false))
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput label={w.email} value={email} readOnly autoComplete="username" />
        <TextInput
          label={w.name}
          value={name}
          required
          maxLength={140}
          autoComplete="name"
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <PasswordInput
          label={w.password}
          description={w.newPassword}
          value={password}
          required
          minLength={12}
          maxLength={200}
          autoComplete="new-password"
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {error !== null && <ErrorNote error={error} />}
        <Button type="submit" loading={isBusy}>
          {w.accept}
        </Button>
      </Stack>
    </form>
  )
}

/** Whether the start is worth nothing any more, whatever is typed. */
const isOver = (error: unknown) => error instanceof GatewayError && error.code === 'invitation_not_found'

type SecondFactorProps = {
  readonly enrolment: Enrolment
  readonly onDone: (codes: readonly string[]) => void
  readonly onAnew: () => void
}

function SecondFactor({ enrolment, onDone, onAnew }: SecondFactorProps) {
  const w = useWords(SESSION)
  const [code, setCode] = useState('')
  const [error, setError] = useState<unknown>(null)
  const { authenticator, token } = enrolment
  const confirm = (body: Parameters<typeof gateway.invitations.confirm>[1]) =>
    gateway.invitations.confirm(token, body).then(({ recovery_codes }) => onDone(recovery_codes))
  const byPasskey = async () => {
    const passkey = await makePasskey(enrolment.passkey)
    if (passkey) await confirm({ passkey })
  }
  return (
    <Door title={w.secondFactor} lead={w.secondFactorLead}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          confirm({ code: code.replaceAll(' ', '') }).catch(setError)
        }}
      >
        <Stack gap="sm">
          <Note tone="info" title={w.secret}>
            <code className="id" style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
              {authenticator.secret}
            </code>
            <CopyButton text={authenticator.secret} />
            <div>
              <Anchor href={authenticator.url} size="sm" c="inherit" underline="always">
                {w.openAuthenticator}
              </Anchor>
            </div>
          </Note>
          <TextInput
            label={w.code}
            value={code}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          {error !== null && <ErrorNote error={error} />}
          {isOver(error) && (
            <Button variant="default" onClick={onAnew}>
              {w.beginAnew}
            </Button>
          )}
          <Button type="submit">{w.confirm}</Button>
          {hasPasskeys() && (
            <>
              <Divider label={w.or} />
              <Button variant="default" onClick={() => void byPasskey().catch(setError)}>
                {w.makePasskey}
              </Button>
            </>
          )}
        </Stack>
      </form>
    </Door>
  )
}

function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  const w = useWords(SESSION)
  return (
    <Door title={w.recovery} lead={w.recoveryLead}>
      <Note tone="warn">
        <div style={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 6 }}>
          {codes.map((code) => (
            <code key={code} className="id">
              {code}
            </code>
          ))}
        </div>
        <Text size="sm" mt="xs" c="inherit">
          <CopyButton text={codes.join('\n')} />
        </Text>
      </Note>
      <Button onClick={() => location.assign('/console/')}>{w.enter}</Button>
    </Door>
  )
}
