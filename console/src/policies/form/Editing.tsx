// A policy is made, or changed at the version that was read: what it would have done to the payments of the last days is shown before.
import { Button, Group, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { GatewayError, type Policy, type PolicyRequest } from '../../../../sdk/src/index.ts'
import { gateway, useRead, useWrite } from '../../gateway.ts'
import { useSignedIn } from '../../session/session.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { Loaded } from '../../ui/feedback.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { useWords } from '../../words/language.ts'
import { bodyOf, formOf, fromTemplate, type PolicyForm as Typed, type Template, TEMPLATES } from './form.ts'
import { FORM } from './form-words.ts'
import { PolicyForm } from './PolicyForm.tsx'
import { Rehearse, WouldHave } from '../trial/Rehearse.tsx'
import { TryIt } from '../trial/TryIt.tsx'
import { TITLE } from '../title.ts'
import '../policies.css'

export function NewPolicy() {
  const { title } = useWords(TITLE)
  const w = useWords(FORM)
  const navigate = useNavigate()
  const start = useTemplates()
  const [form, setForm] = useState<Typed>(() => start('daily'))
  const create = useWrite((body: PolicyRequest) => gateway.policies.create(body), ['policies', 'rehearsal'])
  return (
    <Page title={w.newTitle} parent={[title, '/policies']}>
      <Section title={w.begin}>
        <Group gap="xs">
          {TEMPLATES.map((template) => (
            <Button key={template} variant="default" size="compact-md" onClick={() => setForm(start(template))}>
              {w[`begin ${template}`]}
            </Button>
          ))}
        </Group>
      </Section>
      <Editor
        form={form}
        onChange={setForm}
        saved={null}
        onSave={(body) => create.mutateAsync(body)}
        onSaved={({ id }) => void navigate(`/policies/${id}`)}
        onCancel={() => void navigate('/policies')}
      />
    </Page>
  )
}

function useTemplates(): (template: Template) => Typed {
  const w = useWords(FORM)
  const { account } = useSignedIn()
  const currency = String(account?.default_currency ?? 'PHP')
  return (template) => {
    const name = template === 'blank' ? '' : w[`begin ${template}`]
    const denied = template === 'daily' ? w.deniedDaily : template === 'hours' ? w.deniedHours : ''
    return fromTemplate(template, { name, denied }, currency)
  }
}

export function EditPolicy() {
  const { id = '' } = useParams()
  const w = useWords(FORM)
  const read = useRead(['policies', 'get', id], (signal) => gateway.policies.get(id, undefined, { signal }))
  return (
    <Page title={w.editTitle} parent={[read.data?.name ?? '…', `/policies/${id}`]}>
      <Loaded of={read}>{(policy) => <Changing policy={policy} />}</Loaded>
    </Page>
  )
}

function Changing({ policy: current }: { readonly policy: Policy }) {
  const navigate = useNavigate()
  // What was read when the form was opened: news of it must not slip below what is typed.
  const [policy] = useState(current)
  const [form, setForm] = useState(() => formOf(policy))
  const update = useWrite(
    (body: PolicyRequest) => gateway.policies.update(policy.id, body, { ifMatch: policy.version }),
    ['policies', 'rehearsal'],
  )
  const leave = () => void navigate(`/policies/${policy.id}`)
  return (
    <Editor
      form={form}
      onChange={setForm}
      saved={policy.id}
      onSave={(body) => update.mutateAsync(body)}
      onSaved={leave}
      onCancel={leave}
    />
  )
}

const TYPING_MS = 350

/** What the gateway says of what is typed: the sentence, or what is wrong. What is only missing yet is said when it is to be saved. */
function usePreview(form: Typed, isAsked: boolean) {
  const [typed] = useDebouncedValue(form, TYPING_MS)
  const body = bodyOf(typed)
  const sent = isAsked || body.name !== '' ? body : { ...body, name: '…' }
  const read = useRead(['policies', 'preview', sent], (signal) => gateway.policies.preview(sent, { signal }), {
    placeholderData: keepPreviousData as never,
  })
  const isCurrent = !read.isPlaceholderData && !read.isFetching && typed === form
  const error = isAsked ? read.error : withoutMissing(read.error)
  return { sentence: read.error ? undefined : read.data?.sentence, error, isRight: isCurrent && !read.error, isCurrent }
}

function withoutMissing(error: unknown): unknown {
  if (!(error instanceof GatewayError)) return error
  const { message, errors, ...facts } = error
  const wrong = errors.filter(({ code }) => !code.startsWith('missing_'))
  const isMissing = wrong.length === 0 && (errors.length > 0 || error.code.startsWith('missing_'))
  return isMissing ? null : new GatewayError(message, { ...facts, errors: wrong })
}

type EditorProps = {
  readonly form: Typed
  readonly onChange: (form: Typed) => void
  /** The id of the policy that is changed; null for a new one. */
  readonly saved: string | null
  readonly onSave: (body: PolicyRequest) => Promise<Policy>
  readonly onSaved: (policy: Policy) => void
  readonly onCancel: () => void
}

function Editor({ form, onChange, saved, onSave, onSaved, onCancel }: EditorProps) {
  const w = useWords(FORM)
  const [isAsked, setAsked] = useState(false)
  const [confirming, setConfirming] = useState<'no' | 'once it was read' | 'now'>('no')
  const { sentence, error, isRight, isCurrent } = usePreview(form, isAsked)
  const body = bodyOf(form)
  // What was asked for while the gateway still reads it is confirmed when it has. Then it stays: news may have it read once more, and what
  // became of the change is told there.
  if (confirming === 'once it was read' && isCurrent) setConfirming(isRight ? 'now' : 'no')
  return (
    <Stack gap="lg">
      <PolicyForm
        form={form}
        sentence={sentence}
        error={error}
        isBusy={confirming === 'once it was read'}
        onChange={onChange}
        onSubmit={() => {
          setAsked(true)
          setConfirming('once it was read')
        }}
        onCancel={onCancel}
      />
      <TryIt what={{ policy: body }} isReady={isRight} />
      <Rehearse what={{ policy: body, ...(saved && { policy_id: saved }) }} isReady={isRight} />
      {confirming === 'now' && (
        <Confirm
          title={saved ? w.saveTitle : w.makeTitle}
          action={saved ? w.saveAction : w.makeAction}
          onConfirm={async () => onSaved(await onSave(body))}
          onClose={() => setConfirming('no')}
        >
          <Text fw={600}>{sentence}</Text>
          <Text>{form.status !== 'active' ? w.rests : form.then.kind === 'fees' ? w.binds : w.holds}</Text>
          <WouldHave policy={body} />
        </Confirm>
      )}
    </Stack>
  )
}
