// The form of a policy: conditions as rows, what it does, its sentence as the gateway says it while it is typed, and its JSON beside it.
import {
  ActionIcon,
  Button,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { ReactNode } from 'react'
import { useSignedIn } from '../../session/session.ts'
import { Form, type Problem } from '../../ui/Form.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Section } from '../../ui/Page.tsx'
import { useWords } from '../../words/language.ts'
import { CONDITIONS } from './condition-words.ts'
import { ConditionFields } from './ConditionFields.tsx'
import {
  blankCondition,
  type Condition,
  type Field,
  FIELDS,
  FIELDS_OF_FEES,
  pathsOf,
  type PolicyForm as Typed,
} from './form.ts'
import { FORM } from './form-words.ts'
import { JsonSide } from './JsonSide.tsx'
import { OutcomeFields } from './OutcomeFields.tsx'
import { POLICIES } from '../words.ts'

type PolicyFormProps = {
  readonly form: Typed
  /** What the gateway says of it as it stands; undefined where it cannot yet. */
  readonly sentence: string | undefined
  readonly error: unknown
  readonly isBusy: boolean
  readonly onChange: (form: Typed) => void
  readonly onSubmit: () => void
  readonly onCancel: () => void
}

export function PolicyForm({ form, sentence, error, isBusy, onChange, onSubmit, onCancel }: PolicyFormProps) {
  const w = useWords(FORM)
  const change = (part: Partial<Typed>) => onChange({ ...form, ...part })
  return (
    <Form fields={pathsOf(form)} error={error} action={w.save} isBusy={isBusy} onSubmit={onSubmit} onCancel={onCancel}>
      {(problem) => (
        <>
          <div className="policy-form">
            <Stack gap="lg">
              <Section title={w.called}>
                <Facts form={form} problem={problem} onChange={change} />
              </Section>
              <Section title={w.when}>
                <Conditions
                  when={form.when}
                  fields={form.then.kind === 'fees' ? FIELDS_OF_FEES : FIELDS}
                  problem={problem}
                  onChange={(when) => change({ when })}
                />
              </Section>
              <Section title={w.then}>
                <OutcomeFields then={form.then} problem={problem} onChange={(then) => change({ then })} />
              </Section>
            </Stack>
            <Stack gap="lg" className="policy-aside">
              <Sentence>{sentence}</Sentence>
              <JsonSide form={form} onPaste={onChange} />
            </Stack>
          </div>
        </>
      )}
    </Form>
  )
}

function Sentence({ children }: { readonly children: ReactNode }) {
  const w = useWords(FORM)
  return (
    <Section title={w.sentence}>
      <Text role="status" fw={children ? 600 : undefined} c={children ? undefined : 'dimmed'}>
        {children ?? w.noSentence}
      </Text>
    </Section>
  )
}

type FactsProps = {
  readonly form: Typed
  readonly problem: Problem
  readonly onChange: (part: Partial<Typed>) => void
}

function Facts({ form, problem, onChange }: FactsProps) {
  const w = useWords(POLICIES)
  const f = useWords(FORM)
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={w.name}
          maxLength={100}
          value={form.name}
          error={problem('name')}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <NumberInput
          label={w.priority}
          description={w.priorityHint}
          min={0}
          max={1000}
          allowDecimal={false}
          value={form.priority}
          error={problem('priority')}
          onChange={(value) => onChange({ priority: Number(value) })}
        />
      </SimpleGrid>
      <Textarea
        label={w.description}
        autosize
        maxLength={1000}
        value={form.description}
        error={problem('description')}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <Switch
        label={f.active}
        description={f.activeHint}
        checked={form.status === 'active'}
        onChange={(event) => onChange({ status: event.currentTarget.checked ? 'active' : 'paused' })}
      />
    </Stack>
  )
}

const MOST = 20

type ConditionsProps = {
  readonly when: readonly Condition[]
  /** What can be looked at. */
  readonly fields: readonly Field[]
  readonly problem: Problem
  readonly onChange: (when: readonly Condition[]) => void
}

function Conditions({ when, fields, problem, onChange }: ConditionsProps) {
  const w = useWords(FORM)
  const { account } = useSignedIn()
  const currency = String(account?.default_currency ?? 'PHP')
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {when.length === 0 ? w.always : w.all}
      </Text>
      {when.map((condition, place) => (
        <Row
          key={`${place} ${condition.field}`}
          condition={condition}
          place={place}
          fields={fields}
          problem={problem}
          onField={(field) => onChange(when.with(place, blankCondition(field, currency)))}
          onChange={(part) => onChange(when.with(place, { ...condition, ...part }))}
          onRemove={() => onChange(when.toSpliced(place, 1))}
        />
      ))}
      {when.length < MOST && (
        <Group>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => onChange([...when, blankCondition(fields[0] ?? 'amount', currency)])}
          >
            {w.add}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

type RowProps = {
  readonly condition: Condition
  readonly place: number
  readonly fields: readonly Field[]
  readonly problem: Problem
  readonly onField: (field: Field) => void
  readonly onChange: (part: Partial<Condition>) => void
  readonly onRemove: () => void
}

function Row({ condition, place, fields, problem, onField, onChange, onRemove }: RowProps) {
  const w = useWords(CONDITIONS)
  const label = w.condition(place + 1)
  return (
    <div className="condition" role="group" aria-label={label}>
      <div className="condition-fields">
        <Select
          label={w.field}
          allowDeselect={false}
          data={[...new Set([...fields, condition.field])].map((value) => ({ value, label: w[`field ${value}`] }))}
          value={condition.field}
          onChange={(field) => field !== null && field !== condition.field && onField(field as Field)}
        />
        <ConditionFields condition={condition} at={`when.${place}`} problem={problem} onChange={onChange} />
      </div>
      <ActionIcon variant="default" size={36} aria-label={`${w.remove}: ${label}`} onClick={onRemove}>
        <Icon name="close" size={16} />
      </ActionIcon>
    </div>
  )
}
