// What is asked to make and to edit a webhook endpoint, and its secrets, which are shown once.
import { Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { WebhookEndpoint } from '../../../../sdk/src/index.ts'
import { gateway, useWrite } from '../../gateway.ts'
import { Confirm, Secret, Dialog } from '../../ui/Confirm.tsx'
import { changedOf, useEdits } from '../../edits.ts'
import { COMMON } from '../../ui/words.ts'
import { useWords } from '../../words/language.ts'
import { EVERY, TypeChoice } from './TypeChoice.tsx'
import { WEBHOOKS } from './words.ts'

const GROUPS = ['webhookEndpoints']
const IN_FLIGHT_USUAL = 4

export type ShownSecrets = {
  readonly title: string
  readonly secret: string | null
  readonly bearerToken: string | null
}

type Form = {
  readonly url: string
  readonly description: string
  readonly events: readonly string[]
  readonly bearer: string
  readonly inFlight: number
}

type FormProps = {
  readonly value: Form
  readonly bearerHint: string
  readonly onChange: (value: Form) => void
}

/** What is left empty is left to the gateway. */
const bodyOf = ({ url, description, events, bearer, inFlight }: Form) => ({
  url: url.trim(),
  description: description.trim() === '' ? null : description.trim(),
  events,
  in_flight_max: inFlight,
  ...(bearer.trim() === '' ? {} : { bearer_token: bearer.trim() }),
})

export function CreateEndpoint({
  onMade,
  onClose,
}: {
  readonly onMade: (shown: ShownSecrets, id: string) => void
  readonly onClose: () => void
}) {
  const w = useWords(WEBHOOKS)
  const [form, setForm] = useState<Form>({
    url: '',
    description: '',
    events: [EVERY],
    bearer: '',
    inFlight: IN_FLIGHT_USUAL,
  })
  const create = useWrite(() => gateway.webhookEndpoints.create(bodyOf(form) as never), GROUPS)
  const confirm = async () => {
    const { id, secret, bearer_token: bearerToken } = await create.mutateAsync(undefined)
    onMade({ title: w.madeTitle, secret, bearerToken }, id)
  }
  return (
    <Confirm
      title={w.createTitle}
      action={w.create}
      isDisabled={form.url.trim() === '' || form.events.length === 0}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Fields value={form} bearerHint={w.bearerHint} onChange={setForm} />
    </Confirm>
  )
}

const formOf = ({ url, description, events, in_flight_max: inFlight }: WebhookEndpoint): Form => ({
  url,
  description: description ?? '',
  events,
  bearer: '',
  inFlight,
})

export function EditEndpoint({ of, onClose }: { readonly of: WebhookEndpoint; readonly onClose: () => void }) {
  const w = useWords(WEBHOOKS)
  const standing = formOf(of)
  const { form, edit } = useEdits(standing)
  const change = useWrite(
    () => gateway.webhookEndpoints.update(of.id, changedOf(bodyOf(standing), bodyOf(form)) as never),
    GROUPS,
  )
  return (
    <Confirm
      title={w.editTitle}
      action={w.save}
      isDisabled={form.url.trim() === '' || form.events.length === 0}
      onConfirm={() => change.mutateAsync(undefined)}
      onClose={onClose}
    >
      <Fields value={form} bearerHint={w.bearerKept} onChange={edit} />
    </Confirm>
  )
}

function Fields({ value, bearerHint, onChange }: FormProps) {
  const w = useWords(WEBHOOKS)
  return (
    <>
      <TextInput
        label={w.url}
        description={w.urlHint}
        type="url"
        value={value.url}
        maxLength={2000}
        data-autofocus
        onChange={(event) => onChange({ ...value, url: event.currentTarget.value })}
      />
      <TextInput
        label={w.description}
        value={value.description}
        maxLength={200}
        onChange={(event) => onChange({ ...value, description: event.currentTarget.value })}
      />
      <TypeChoice value={value.events} onChange={(events) => onChange({ ...value, events })} />
      <TextInput
        label={w.bearer}
        description={bearerHint}
        value={value.bearer}
        autoComplete="off"
        maxLength={255}
        onChange={(event) => onChange({ ...value, bearer: event.currentTarget.value })}
      />
      <NumberInput
        label={w.inFlight}
        min={1}
        max={16}
        allowDecimal={false}
        value={value.inFlight}
        onChange={(count) => onChange({ ...value, inFlight: Number(count) || 1 })}
      />
    </>
  )
}

/** Closed by its button alone: a click beside it must not lose them. */
export function EndpointSecrets({ shown, onClose }: { readonly shown: ShownSecrets; readonly onClose: () => void }) {
  const w = useWords(WEBHOOKS)
  const c = useWords(COMMON)
  return (
    <Dialog
      onClose={onClose}
      title={shown.title}
      centered
      closeOnClickOutside={false}
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': c.close }}
    >
      <Stack>
        <Text size="sm">{w.secretHint}</Text>
        {shown.secret !== null && <Secret label={w.secret} text={shown.secret} />}
        {shown.bearerToken !== null && <Secret label={w.bearerIs} text={shown.bearerToken} />}
        <Group justify="flex-end">
          <Button onClick={onClose}>{w.kept}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
