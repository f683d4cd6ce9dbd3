// The form of a profile, new or changed.
import { SegmentedControl, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { Profile, ProfileRequest } from '../../../sdk/src/index.ts'
import { Form, type Problem, textOrNull } from '../ui/Form.tsx'
import { useWords } from '../words/language.ts'
import { useCountries } from './countries.ts'
import { pairsOf, Pairs, recordOf } from './Pairs.tsx'
import { PROFILES } from './words.ts'

const TEXTS = ['name', 'email', 'mobile', 'reference', 'address'] as const
const FIELDS = [...TEXTS, 'type', 'country', 'metadata']

type ProfileFormProps = {
  /** What it holds already. */
  readonly profile?: Profile
  readonly action: string
  readonly error: unknown
  readonly isBusy: boolean
  readonly onSubmit: (wanted: ProfileRequest) => void
  readonly onCancel: () => void
}

export function ProfileForm({ profile, onSubmit, ...form }: ProfileFormProps) {
  const w = useWords(PROFILES)
  const [texts, setTexts] = useState(() => textsOf(profile))
  const [type, setType] = useState<'person' | 'business'>(profile?.type ?? 'person')
  const [country, setCountry] = useState<string | null>(profile?.country ?? null)
  const [pairs, setPairs] = useState(() => pairsOf(profile?.metadata ?? {}))
  const submit = () => {
    const said = Object.fromEntries(TEXTS.map((field) => [field, textOrNull(texts[field])]))
    onSubmit({ ...said, type, country, metadata: recordOf(pairs, profile?.metadata ?? {}) })
  }
  return (
    <Form fields={FIELDS} onSubmit={submit} {...form}>
      {(problem) => (
        <>
          <SegmentedControl
            aria-label={w.kind}
            value={type}
            style={{ alignSelf: 'flex-start' }}
            data={[
              { value: 'person', label: w.person },
              { value: 'business', label: w.business },
            ]}
            onChange={(value) => setType(value as typeof type)}
          />
          <Person
            texts={texts}
            onChange={setTexts}
            problem={problem}
            country={<CountryChoice value={country} error={problem('country')} onChange={setCountry} />}
          />
          <Pairs pairs={pairs} onChange={setPairs} error={problem('metadata')} />
        </>
      )}
    </Form>
  )
}

type Field = (typeof TEXTS)[number]
type Texts = Readonly<Record<Field, string>>

const textsOf = (profile: Profile | undefined): Texts => {
  const { name, email, mobile, reference, address } = profile ?? {}
  return {
    name: name ?? '',
    email: email ?? '',
    mobile: mobile ?? '',
    reference: reference ?? '',
    address: address ?? '',
  }
}

type PersonProps = {
  readonly texts: Texts
  readonly onChange: (texts: Texts) => void
  readonly problem: Problem
  readonly country: ReactNode
}

function Person({ texts, onChange, problem, country }: PersonProps) {
  const w = useWords(PROFILES)
  const of = (field: Field) => ({
    value: texts[field],
    error: problem(field),
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ ...texts, [field]: event.currentTarget.value }),
  })
  return (
    <>
      <TextInput label={w.name} maxLength={200} data-autofocus {...of('name')} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={w.mobile} description={w.mobileHint} inputMode="tel" maxLength={40} {...of('mobile')} />
        <TextInput label={w.email} description={w.emailHint} inputMode="email" maxLength={254} {...of('email')} />
        {country}
        <TextInput label={w.reference} placeholder={w.referenceHint} maxLength={128} {...of('reference')} />
      </SimpleGrid>
      <Textarea label={w.address} autosize minRows={2} {...of('address')} />
    </>
  )
}

type CountryChoiceProps = {
  readonly value: string | null
  readonly error: string | undefined
  readonly onChange: (code: string | null) => void
}

function CountryChoice(props: CountryChoiceProps) {
  const w = useWords(PROFILES)
  return (
    <Select
      label={w.country}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': w.clearCountry }}
      data={useCountries()}
      {...props}
    />
  )
}
