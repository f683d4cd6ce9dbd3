// A draft is made, or changed: what, to whom, and how, with every channel priced beside each other while one types.
import { Button, Group, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import type { ChannelOffer, Profile } from '../../../sdk/src/index.ts'
import { useCurrencies } from '../contracts/FilterBar.tsx'
import { WHAT_PARAMS, What } from '../contracts/What.tsx'
import { useAsOpened } from '../edits.ts'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { ErrorNote, Loaded } from '../ui/feedback.tsx'
import { problemsOf, useFocusOnProblem } from '../ui/Form.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { useWords } from '../words/language.ts'
import type { Transfer } from './actions.ts'
import { bodyOf, type DraftForm, emptyForm, formOf, isPriceable, patchOf, toProfile } from './draft.ts'
import { DRAFT } from './draft-words.ts'
import { fieldsOf } from './fields.ts'
import { Offers } from './Offers.tsx'
import { Recipient } from './Recipient.tsx'
import { TITLE } from './title.ts'

const TYPING_MS = 350

/** `?profile=ID&destination=ID` begins it with somebody, and the way to pay them. */
export function NewDraft() {
  const w = useWords(DRAFT)
  const [params] = useSearchParams()
  const id = params.get('profile')
  const create = useWrite(
    (form: DraftForm, idempotencyKey) => gateway.transfers.create(bodyOf(form), { idempotencyKey }),
    ['transfers'],
  )
  const read = useRead<Profile | null>(['profiles', 'get', id], (signal) =>
    id === null ? Promise.resolve(null) : gateway.profiles.get(id, undefined, { signal }),
  )
  return (
    <Loaded of={read}>
      {(profile) => (
        <DraftPage
          title={w.create}
          start={{ ...emptyForm('PHP'), ...(profile && toProfile(profile, params.get('destination'))) }}
          onSave={(form) => create.mutateAsync(form)}
        />
      )}
    </Loaded>
  )
}

export function EditDraft() {
  const { id = '' } = useParams()
  const read = useRead(['transfers', 'get', id], (signal) => gateway.transfers.get(id, { signal }))
  return <Loaded of={read}>{(contract) => <Editing key={contract.id} contract={contract} />}</Loaded>
}

function Editing({ contract: current }: { readonly contract: Transfer }) {
  const w = useWords(DRAFT)
  const contract = useAsOpened(current)
  const start = formOf(contract)
  const update = useWrite(
    (form: DraftForm) =>
      gateway.transfers.update({ id: contract.id }, patchOf(start, form), { ifMatch: contract.version }),
    ['transfers'],
  )
  return <DraftPage title={w.edit} start={start} onSave={(form) => update.mutateAsync(form)} />
}

/** What each channel would take for the draft, while it is typed. */
export function useOffers(form: DraftForm) {
  const [typed] = useDebouncedValue(form, TYPING_MS)
  const body = { ...bodyOf(typed), channel: null }
  const read = useRead(
    ['compare', body],
    (signal) => gateway.channels.compare(body, { signal }).then(({ channels }) => channels),
    { enabled: isPriceable(typed) },
  )
  // What is typed meanwhile, or wrong, takes nothing else from the page.
  const last = useRef(read.data)
  if (read.data) last.current = read.data
  return { offers: isPriceable(form) ? (read.data ?? last.current) : undefined, error: read.error }
}

/** What is wrong with the fields that are shown, and the error itself where some of it is about none of them. */
export function draftProblems(error: unknown, { profile }: DraftForm, offer: ChannelOffer | undefined) {
  const recipient = profile === null ? fieldsOf(offer).map(({ field }) => `recipient.${field}`) : []
  return problemsOf(error, [...WHAT_PARAMS, ...recipient])
}

type DraftPageProps = {
  readonly title: string
  readonly start: DraftForm
  readonly onSave: (form: DraftForm) => Promise<{ readonly id: string }>
}

/** Leads to the draft once it is saved; keeps what was refused until the form is changed. */
function useSaving(onSave: DraftPageProps['onSave']) {
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<unknown>(null)
  const forget = () => setRefused(null)
  const save = async (form: DraftForm) => {
    setBusy(true)
    forget()
    try {
      const { id } = await onSave(form)
      void navigate(`/transfers/${id}`)
    } catch (problem) {
      setRefused(problem)
      setBusy(false)
    }
  }
  return { isBusy, refused, save, forget }
}

function DraftPage({ title, start, onSave }: DraftPageProps) {
  const { title: list } = useWords(TITLE)
  const w = useWords(DRAFT)
  const [form, setForm] = useState(start)
  const { isBusy, refused, save, forget } = useSaving(onSave)
  const currencies = useCurrencies()
  const { offers, error } = useOffers(form)
  const chosen = offers?.find(({ channel }) => channel.id === form.channel)
  const [problem, rest] = draftProblems(refused ?? error, form, chosen)
  const element = useFocusOnProblem(refused)
  const change = (changes: Partial<DraftForm>) => {
    setForm((before) => ({ ...before, ...changes }))
    forget()
  }
  return (
    <Page title={title} parent={[list, '/transfers']}>
      <form
        ref={element}
        onSubmit={(event) => {
          event.preventDefault()
          if (isPriceable(form) && !isBusy) void save(form)
        }}
      >
        <Stack gap="lg">
          <What words={w} form={form} currencies={currencies} problem={problem} onChange={change} />
          <Section title={w.how}>
            {rest && refused === null ? (
              <ErrorNote error={rest} />
            ) : (
              <Offers form={form} offers={offers} onChange={change} />
            )}
          </Section>
          <Recipient form={form} offer={chosen} problem={problem} onChange={change} />
          <Missing offer={chosen} />
          {refused !== null && rest !== null && <ErrorNote error={rest} />}
          <Group justify="space-between">
            <Text c="dimmed" size="sm">
              {w.saveHow}
            </Text>
            <Button type="submit" loading={isBusy} disabled={!isPriceable(form)}>
              {w.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  )
}

/** What is in the way of the chosen channel and stands in no field of its own. */
function Missing({ offer }: { readonly offer: ChannelOffer | undefined }) {
  const w = useWords(DRAFT)
  if (!offer) return null
  const others = offer.missing.filter(({ param }) => !param?.startsWith('recipient.'))
  if (offer.missing.length === 0) return <Text>{w.complete}</Text>
  if (others.length === 0) return null
  return (
    <Section title={w.missing}>
      <ul style={{ margin: 0, paddingLeft: 18 }}>
        {others.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </Section>
  )
}
