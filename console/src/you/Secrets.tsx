// One's password, authenticator and recovery codes. Each change asks for the password: an open screen is no proof.
import { Anchor, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Authenticator } from '../../../sdk/src/index.ts'
import { gateway, useWrite } from '../gateway.ts'
import { SESSION } from '../session/words.ts'
import { Confirm, Secret } from '../ui/Confirm.tsx'
import { Note } from '../ui/feedback.tsx'
import { Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { YOU } from './words.ts'

type Opened = 'password' | 'authenticator' | 'codes' | null

export function Secrets() {
  const w = useWords(YOU)
  const [opened, setOpened] = useState<Opened>(null)
  const [authenticator, setAuthenticator] = useState<Authenticator | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [isChanged, setChanged] = useState(false)
  const close = () => setOpened(null)
  return (
    <Section title={w.factors}>
      <Stack>
        <Group gap="xs">
          <Button variant="default" onClick={() => setOpened('password')}>
            {w.changePassword}
          </Button>
          <Button variant="default" onClick={() => setOpened('authenticator')}>
            {w.newAuthenticator}
          </Button>
          <Button variant="default" onClick={() => setOpened('codes')}>
            {w.newCodes}
          </Button>
        </Group>
        {isChanged && <Note tone="good">{w.changed}</Note>}
        {codes && <Secret label={w.recoveryCodes} text={codes.join(' ')} />}
      </Stack>
      {opened === 'password' && <ChangePassword onDone={() => setChanged(true)} onClose={close} />}
      {opened === 'authenticator' && (
        <Proof
          title={w.newAuthenticator}
          what={w.newAuthenticatorWhat}
          onProof={async (password) => setAuthenticator(await gateway.authenticator.begin({ password }))}
          onClose={close}
        />
      )}
      {opened === 'codes' && (
        <Proof
          title={w.newCodes}
          what={w.newCodesWhat}
          onProof={async (password) => setCodes(await gateway.recoveryCodes.create({ password }))}
          onClose={close}
        />
      )}
      {authenticator && <NewAuthenticator authenticator={authenticator} onClose={() => setAuthenticator(null)} />}
    </Section>
  )
}

function ChangePassword({ onDone, onClose }: { readonly onDone: () => void; readonly onClose: () => void }) {
  const w = useWords(YOU)
  const [password, setPassword] = useState('')
  const [wanted, setWanted] = useState('')
  const change = useWrite(() => gateway.password.update({ password, new_password: wanted }), ['sessions'])
  const confirm = async () => {
    await change.mutateAsync(undefined)
    onDone()
  }
  return (
    <Confirm
      title={w.changePassword}
      action={w.changePassword}
      isDisabled={wanted.length < 12}
      onConfirm={confirm}
      onClose={onClose}
    >
      <PasswordInput
        label={w.oldPassword}
        value={password}
        autoComplete="current-password"
        data-autofocus
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <PasswordInput
        label={w.newPassword}
        value={wanted}
        autoComplete="new-password"
        maxLength={200}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
    </Confirm>
  )
}

type ProofProps = {
  readonly title: string
  readonly what: string
  readonly onProof: (password: string) => Promise<void>
  readonly onClose: () => void
}

/** Asks for the password before something is changed by which one signs in. */
export function Proof({ title, what, onProof, onClose }: ProofProps) {
  const w = useWords(YOU)
  const [password, setPassword] = useState('')
  return (
    <Confirm
      title={title}
      action={title}
      isDisabled={password === ''}
      onConfirm={() => onProof(password)}
      onClose={onClose}
    >
      {what}
      <PasswordInput
        label={w.oldPassword}
        value={password}
        autoComplete="current-password"
        data-autofocus
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </Confirm>
  )
}

function NewAuthenticator({
  authenticator,
  onClose,
}: {
  readonly authenticator: Authenticator
  readonly onClose: () => void
}) {
  const w = useWords(YOU)
  const s = useWords(SESSION)
  const [code, setCode] = useState('')
  const confirm = useWrite(() => gateway.authenticator.confirm({ code: code.replaceAll(' ', '') }), ['session'])
  return (
    <Confirm
      title={w.newAuthenticator}
      action={s.confirm}
      isDisabled={code === ''}
      onConfirm={() => confirm.mutateAsync(undefined)}
      onClose={onClose}
    >
      <Secret label={s.secret} text={authenticator.secret} />
      <Anchor href={authenticator.url} size="sm">
        {s.openAuthenticator}
      </Anchor>
      <TextInput
        label={w.code}
        value={code}
        inputMode="numeric"
        autoComplete="one-time-code"
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </Confirm>
  )
}
