// What is asked to make a verifier that is called: a service of the account's own, or the hook that sends codes; and its secret, which
// is shown once.
import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { gateway, useWrite } from '../gateway.ts'
import { Confirm, Secret, Dialog } from '../ui/Confirm.tsx'
import { useWords } from '../words/language.ts'
import { CALLED } from './called-words.ts'

/** The verifier that was made or whose secret was rolled. */
export type Kept = { readonly id: string; readonly secret: string }

type Kind = 'http' | 'otp'
type To = 'recipient' | 'payer'
const EMPTY = { kind: 'http' as Kind, name: '', url: '', to: 'recipient' as To }

type Props = { readonly onKept: (kept: Kept) => void; readonly onClose: () => void }

export function MakeCalled({ onKept, onClose }: Props) {
  const w = useWords(CALLED)
  const [form, setForm] = useState(EMPTY)
  const { kind, name, url, to } = form
  const make = useWrite(
    () => gateway.verifiers.create({ kind, name: name.trim(), url: url.trim(), ...(kind === 'otp' ? { to } : {}) }),
    ['verifiers'],
  )
  const confirm = async () => {
    const { id, secret } = await make.mutateAsync(undefined)
    if (id !== null && secret !== null) onKept({ id, secret })
  }
  return (
    <Confirm
      title={w.make}
      action={w.makeDo}
      isDisabled={name.trim() === '' || url.trim() === ''}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Select
        label={w.kind}
        data={[
          { value: 'http', label: w.http },
          { value: 'otp', label: w.otp },
        ]}
        value={kind}
        allowDeselect={false}
        onChange={(chosen) => setForm({ ...form, kind: chosen === 'otp' ? 'otp' : 'http' })}
      />
      <Text size="sm">{kind === 'http' ? w.httpHow : w.otpHow}</Text>
      <TextInput
        label={w.name}
        value={name}
        maxLength={100}
        onChange={(event) => setForm({ ...form, name: event.currentTarget.value })}
      />
      <TextInput
        label={w.url}
        description={w.urlHow}
        value={url}
        maxLength={2048}
        onChange={(event) => setForm({ ...form, url: event.currentTarget.value })}
      />
      {kind === 'otp' && (
        <Select
          label={w.to}
          data={[
            { value: 'recipient', label: w.recipient },
            { value: 'payer', label: w.payer },
          ]}
          value={to}
          allowDeselect={false}
          onChange={(chosen) => setForm({ ...form, to: chosen === 'payer' ? 'payer' : 'recipient' })}
        />
      )}
    </Confirm>
  )
}

/** The secret, before the page of its verifier: it is not shown again. */
export function KeepSecret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const w = useWords(CALLED)
  return (
    <Dialog onClose={onClose} title={w.kept} closeOnClickOutside={false} closeOnEscape={false} withCloseButton={false}>
      <Stack gap="md">
        <Text size="sm">{w.keptHow}</Text>
        <Secret label={w.secret} text={secret} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{w.done}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** Another secret for a verifier that is called; the one before signs beside it for a while. */
export function RollSecret({ id, onKept, onClose }: Props & { readonly id: string }) {
  const w = useWords(CALLED)
  const roll = useWrite(() => gateway.verifiers.rollSecret(id), ['verifiers'])
  const confirm = async () => {
    const { secret } = await roll.mutateAsync(undefined)
    if (secret !== null) onKept({ id, secret })
  }
  return (
    <Confirm title={w.roll} action={w.roll} onConfirm={confirm} onClose={onClose}>
      <Text size="sm">{w.rollHow}</Text>
    </Confirm>
  )
}
