// A way to pay somebody, new or changed: the channel, and what that channel asks of a recipient.
import { Checkbox, Select, SimpleGrid, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import type { Channel, Destination, DestinationRequest, Duplicate, Profile } from '../../../sdk/src/index.ts'
import { useAsOpened } from '../edits.ts'
import { gateway, useWrite } from '../gateway.ts'
import { ErrorNote, Loading, Note } from '../ui/feedback.tsx'
import { Form, type Problem, textOrNull } from '../ui/Form.tsx'
import { useWords } from '../words/language.ts'
import { type Asked, askedBy, useChannels } from './channels.ts'
import { PROFILES, RECIPIENT } from './words.ts'

type DestinationFormProps = {
  readonly profile: Profile
  readonly destination?: Destination | undefined
  readonly onDone: (duplicates: readonly Duplicate[]) => void
  readonly onCancel: () => void
}

export function DestinationForm(props: DestinationFormProps) {
  const w = useWords(PROFILES)
  const { read, paying } = useChannels()
  const title = props.destination ? w.changeWay : w.addWay
  if (read.data === undefined)
    return read.error ? <ErrorNote error={read.error} onAgain={() => void read.refetch()} /> : <Loading rows={3} />
  return (
    <section className="card" style={{ padding: 16 }} aria-label={title}>
      <Title order={3} size="h5" mb="sm">
        {title}
      </Title>
      <Fields {...props} paying={paying} />
    </section>
  )
}

type Said = { readonly label: string; readonly isDefault: boolean; readonly sent: Readonly<Record<string, string>> }

function Fields({ profile, destination, paying, onDone, onCancel }: DestinationFormProps & Paying) {
  const w = useWords(PROFILES)
  const [channelId, setChannelId] = useState(destination?.channel ?? null)
  const [{ label, isDefault, sent }, setSaid] = useState(() => saidOf(destination))
  const say = (part: Partial<Said>) => setSaid((before) => ({ ...before, ...part }))
  const opened = useAsOpened(profile)
  const write = useWrite((wanted: DestinationRequest) => written(opened, destination, wanted), ['profiles'])
  const asked = askedBy(paying.find(({ id }) => id === channelId))
  const submit = () => {
    if (channelId === null) return
    const recipient = Object.fromEntries(asked.map(({ field }) => [field, textOrNull(sent[field] ?? '')]))
    const wanted = { channel: channelId, label: textOrNull(label), recipient, ...(isDefault ? { default: true } : {}) }
    write.mutate(wanted, { onSuccess: ({ duplicates }) => onDone(duplicates) })
  }
  const fields = ['channel', 'label', 'default', ...asked.map(({ field }) => `recipient.${field}`)]
  const form = { fields, error: write.error, isBusy: write.isPending, isDisabled: channelId === null }
  return (
    <Form {...form} action={destination ? w.save : w.addWay} onSubmit={submit} onCancel={onCancel}>
      {(problem) => (
        <>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <ChannelChoice paying={paying} value={channelId} error={problem('channel')} onChange={setChannelId} />
            <TextInput
              label={w.label}
              placeholder={w.labelHint}
              value={label}
              maxLength={100}
              error={problem('label')}
              onChange={(event) => say({ label: event.currentTarget.value })}
            />
            <Recipient
              profile={profile}
              asked={asked}
              sent={sent}
              onChange={(texts) => say({ sent: texts })}
              problem={problem}
            />
          </SimpleGrid>
          {destination && <Note tone="info">{w.changeWayWhat}</Note>}
          {!destination?.default && (
            <Checkbox
              label={w.makeDefault}
              checked={isDefault}
              onChange={(event) => say({ isDefault: event.currentTarget.checked })}
            />
          )}
        </>
      )}
    </Form>
  )
}

type Paying = { readonly paying: readonly Channel[] }
type ChannelChoiceProps = Paying & {
  readonly value: string | null
  readonly error: string | undefined
  readonly onChange: (id: string | null) => void
}

function ChannelChoice({ paying, ...input }: ChannelChoiceProps) {
  const w = useWords(PROFILES)
  return (
    <Select
      label={w.channel}
      placeholder={w.chooseChannel}
      data={paying.map(({ id, name }) => ({ value: id, label: name }))}
      searchable
      {...input}
    />
  )
}

type RecipientProps = {
  readonly profile: Profile
  readonly asked: readonly Asked[]
  readonly sent: Readonly<Record<string, string>>
  readonly onChange: (sent: Readonly<Record<string, string>>) => void
  readonly problem: Problem
}

/** One input for each field that the channel asks; what the profile knows of it stands there already. */
function Recipient({ profile, asked, sent, onChange, problem }: RecipientProps) {
  const w = useWords(PROFILES)
  const r = useWords(RECIPIENT)
  const known: Readonly<Record<string, string | null>> = {
    name: profile.name,
    email: profile.email,
    mobile: profile.mobile,
    address: profile.address,
    country: profile.country,
  }
  return asked.map(({ field, mend }) => {
    const own = known[field]
    return (
      <TextInput
        key={field}
        label={r[field]}
        description={problem(`recipient.${field}`) ? undefined : own ? w.takenFromProfile(own) : mend}
        placeholder={own ?? ''}
        value={sent[field] ?? ''}
        error={problem(`recipient.${field}`)}
        onChange={(event) => onChange({ ...sent, [field]: event.currentTarget.value })}
      />
    )
  })
}

function saidOf(destination: Destination | undefined): Said {
  const texts = Object.entries(destination?.recipient ?? {}).map(([field, text]) => [field, text ?? ''] as const)
  return {
    label: destination?.label ?? '',
    isDefault: destination?.default ?? false,
    sent: Object.fromEntries(texts),
  }
}

const written = ({ id, version }: Profile, destination: Destination | undefined, wanted: DestinationRequest) =>
  destination
    ? gateway.destinations.update(id, destination.id, wanted, { ifMatch: version })
    : gateway.destinations.create(id, wanted)
