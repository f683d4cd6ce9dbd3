// One's passkeys: made, named, removed. A new one signs in by itself, so that the password is asked for first.
import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Passkey } from '../../../sdk/src/index.ts'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { hasPasskeys, makePasskey } from '../session/passkey.ts'
import { SESSION } from '../session/words.ts'
import { Time } from '../ui/atoms.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { Empty, Note } from '../ui/feedback.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import { Proof } from './Secrets.tsx'
import { YOU } from './words.ts'

const GROUPS = ['passkeys', 'session']

export function Passkeys() {
  const w = useWords(YOU)
  const passkeys = useRead(['passkeys'], (signal) => gateway.passkeys.list({ signal }).all(100))
  const remove = useWrite((id: string) => gateway.passkeys.remove(id), GROUPS)
  const [removing, setRemoving] = useState<Passkey | null>(null)
  return (
    <Section title={w.passkeys} isFlush actions={hasPasskeys() ? <AddPasskey /> : undefined}>
      <ListTable
        label={w.passkeys}
        rows={passkeys.data}
        error={passkeys.error}
        onAgain={() => void passkeys.refetch()}
        keyOf={({ id }) => id}
        empty={<Empty icon="key">{w.noPasskeys}</Empty>}
        columns={[
          { key: 'name', title: w.name, render: ({ name }) => name },
          { key: 'made', title: w.lastUsed, render: ({ created_at }) => <Time at={created_at} /> },
          {
            key: 'remove',
            title: '',
            align: 'right',
            render: (passkey) => (
              <Button size="compact-sm" variant="default" onClick={() => setRemoving(passkey)}>
                {w.remove}
              </Button>
            ),
          },
        ]}
      />
      {removing && (
        <Confirm
          title={w.removePasskey}
          action={w.remove}
          isDangerous
          onConfirm={() => remove.mutateAsync(removing.id)}
          onClose={() => setRemoving(null)}
        >
          {removing.name}
        </Confirm>
      )}
    </Section>
  )
}

function AddPasskey() {
  const w = useWords(YOU)
  const s = useWords(SESSION)
  const [name, setName] = useState('')
  const [isNone, setNone] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const add = useWrite(async (password: string) => {
    const passkey = await makePasskey(await gateway.passkeys.options({ password }))
    setNone(passkey === null)
    if (passkey === null) return null
    setName('')
    return gateway.passkeys.create({ name: name.trim() === '' ? undefined : name.trim(), passkey } as never)
  }, GROUPS)
  return (
    <>
      <Group gap="xs">
        <TextInput
          size="xs"
          aria-label={w.passkeyName}
          placeholder={w.passkeyName}
          value={name}
          maxLength={60}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button size="compact-sm" loading={add.isPending} onClick={() => setAsked(true)}>
          {w.addPasskey}
        </Button>
      </Group>
      {isNone && <Note tone="info">{s.noPasskeys}</Note>}
      {isAsked && (
        <Proof
          title={w.addPasskey}
          what={w.addPasskeyWhat}
          onProof={async (password) => void (await add.mutateAsync(password))}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  )
}
