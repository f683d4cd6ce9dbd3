// To whom a draft goes: a profile, or the very fields that the chosen channel takes, each with what is missing beside it.
import { Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ChannelOffer, Profile } from '../../../sdk/src/index.ts'
import { gateway, useRead } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import type { Problem } from '../ui/Form.tsx'
import { Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import type { DraftForm } from './draft.ts'
import { DRAFT } from './draft-words.ts'
import { fieldsOf, type RecipientField } from './fields.ts'

const PROFILES = 200

type Props = {
  readonly form: DraftForm
  readonly offer: ChannelOffer | undefined
  /** What the gateway refuses of `recipient.name` and so on. */
  readonly problem: Problem
  readonly onChange: (changes: Partial<DraftForm>) => void
}

export function Recipient({ form, offer, problem, onChange }: Props) {
  const w = useWords(DRAFT)
  const can = useCan()
  return (
    <Section title={w.who}>
      <Stack gap="md">
        {can('profiles:read') && <FromProfile form={form} onChange={onChange} />}
        {form.profile === null && <ByHand form={form} offer={offer} problem={problem} onChange={onChange} />}
      </Stack>
    </Section>
  )
}

function ByHand({ form, offer, problem, onChange }: Props) {
  const w = useWords(DRAFT)
  const [touched, setTouched] = useState<ReadonlySet<RecipientField>>(new Set())
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      {fieldsOf(offer).map(({ field, mend }) => {
        const missing = offer?.missing.find(({ param }) => param === `recipient.${field}`)?.message
        return (
          <TextInput
            key={field}
            label={w[field]}
            value={form[field]}
            withAsterisk={mend !== null}
            description={missing && !touched.has(field) ? mend : undefined}
            // What is empty needs no more words than what belongs there.
            error={
              problem(`recipient.${field}`) ??
              (missing && touched.has(field) ? (form[field].trim() === '' ? (mend ?? missing) : missing) : undefined)
            }
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            onChange={(event) => onChange({ [field]: event.currentTarget.value })}
            onBlur={() => setTouched(new Set([...touched, field]))}
          />
        )
      })}
    </SimpleGrid>
  )
}

/** A profile's saved ways to pay: a way brings its channel with it. */
function FromProfile({ form, onChange }: Pick<Props, 'form' | 'onChange'>) {
  const w = useWords(DRAFT)
  const read = useRead(['profiles', 'list', 'active'], (signal) =>
    gateway.profiles.list({ status: 'active', limit: 100 }, { signal }).all(PROFILES),
  )
  const contacts = (read.data ?? []).filter(
    ({ relation, destinations }) => relation === 'contact' && destinations.length > 0,
  )
  if (contacts.length === 0) return null
  const chosen = contacts.find(({ id }) => id === form.profile)
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <Select
        label={w.profile}
        placeholder={w.noProfile}
        data={contacts.map((profile) => ({ value: profile.id, label: nameOf(profile) }))}
        value={form.profile}
        onChange={(profile) => {
          const way = waysOf(contacts.find(({ id }) => id === profile))[0]
          onChange({ profile, destination: way?.id ?? null, ...(way && { channel: way.channel }) })
        }}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': w.noProfile }}
      />
      {chosen && (
        <Select
          label={w.destination}
          data={waysOf(chosen).map(({ id, label, channel }) => ({ value: id, label: label ?? channel }))}
          value={form.destination}
          onChange={(destination) => {
            const way = waysOf(chosen).find(({ id }) => id === destination)
            if (way) onChange({ destination: way.id, channel: way.channel })
          }}
          allowDeselect={false}
        />
      )}
    </SimpleGrid>
  )
}

const nameOf = ({ name, email, mobile, id }: Profile) => name ?? email ?? mobile ?? id

const waysOf = (profile: Profile | undefined) =>
  (profile?.destinations ?? []).toSorted((a, b) => Number(b.default) - Number(a.default))
