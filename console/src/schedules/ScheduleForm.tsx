// The form of a schedule: what it pays, to whom and how, and by which rule, with its next runs while one chooses.
import { Button, Group, SimpleGrid, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { GatewayError, type Schedule } from '../../../sdk/src/index.ts'
import { useCurrencies } from '../contracts/FilterBar.tsx'
import { What } from '../contracts/What.tsx'
import { gateway, useRead } from '../gateway.ts'
import { useCan } from '../session/session.ts'
import { draftProblems, useOffers } from '../transfers/Draft.tsx'
import { type DraftForm, isPriceable } from '../transfers/draft.ts'
import { DRAFT } from '../transfers/draft-words.ts'
import { Offers } from '../transfers/Offers.tsx'
import { Recipient } from '../transfers/Recipient.tsx'
import { moneyText } from '../ui/amounts.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { Empty, ErrorNote } from '../ui/feedback.tsx'
import type { Problem } from '../ui/Form.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { FORM } from './form-words.ts'
import { NextRuns } from './NextRuns.tsx'
import { type RuleForm, ruleOf } from './rule-form.ts'
import { RuleFields } from './RuleFields.tsx'
import { useMayMake } from './Schedules.tsx'
import { TITLE } from './title.ts'
import { ZonedTime } from './ZonedTime.tsx'

export type Plan = {
  readonly name: string
  readonly source: string
  readonly draft: DraftForm
  readonly rule: RuleForm
}

/** What is wrong with a member of the rule, by what the gateway says of the rule itself. */
const problemsOf =
  (error: unknown): Problem =>
  (param) => {
    if (!(error instanceof GatewayError)) return undefined
    const found = error.errors.length > 0 ? error.errors : [{ param: error.param, message: error.message }]
    return found.find((each) => each.param === param || each.param?.startsWith(`${param}.`))?.message
  }

const TYPING_MS = 350

/** The rule as the gateway reads it. */
function useNextRuns(form: RuleForm) {
  const [typed] = useDebouncedValue(form, TYPING_MS)
  const body = { rule: ruleOf(typed) }
  return useRead(['schedules', 'next', body], (signal) => gateway.schedules.next(body, { signal }), {
    placeholderData: keepPreviousData as never,
  })
}

type FormProps = {
  readonly title: string
  readonly asked: readonly [title: string, action: string]
  readonly start: Plan
  readonly onSave: (plan: Plan) => Promise<Schedule>
}

export function ScheduleForm(props: FormProps) {
  const { title: list } = useWords(TITLE)
  const f = useWords(FORM)
  if (useMayMake()) return <Filled {...props} />
  return (
    <Page title={props.title} parent={[list, '/schedules']}>
      <Empty icon="lock" title={f.mayNot}>
        {f.mayNotMend}
      </Empty>
    </Page>
  )
}

function Filled({ title, asked, start, onSave }: FormProps) {
  const { title: list } = useWords(TITLE)
  const f = useWords(FORM)
  const d = useWords(DRAFT)
  const navigate = useNavigate()
  const [plan, setPlan] = useState(start)
  const [isAsking, setAsking] = useState(false)
  const currencies = useCurrencies()
  const next = useNextRuns(plan.rule)
  const { offers, error } = useOffers(plan.draft)
  const { draft, rule } = plan
  const change = (part: Partial<DraftForm>) => setPlan((before) => ({ ...before, draft: { ...before.draft, ...part } }))
  const offer = offers?.find(({ channel }) => channel.id === draft.channel)
  const [problem, rest] = draftProblems(error, draft, offer)
  const isReady = isPriceable(draft) && offer?.missing.length === 0 && !next.error
  return (
    <Page title={title} parent={[list, '/schedules']}>
      <Stack gap="lg">
        <Naming plan={plan} onChange={(part) => setPlan({ ...plan, ...part })} />
        <What words={{ ...d, what: f.what }} form={draft} currencies={currencies} problem={problem} onChange={change} />
        <Section title={d.how}>
          {rest ? <ErrorNote error={rest} /> : <Offers form={draft} offers={offers} onChange={change} />}
        </Section>
        <Recipient form={draft} offer={offer} problem={problem} onChange={change} />
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
          <Section title={f.when}>
            <RuleFields
              form={rule}
              problem={problemsOf(next.error)}
              onChange={(part) => setPlan((before) => ({ ...before, rule: { ...before.rule, ...part } }))}
            />
          </Section>
          <Section title={f.preview}>
            <Preview read={next} zone={rule.zone} />
          </Section>
        </SimpleGrid>
        <Group justify="flex-end">
          <Button disabled={!isReady} onClick={() => setAsking(true)}>
            {asked[1]}
          </Button>
        </Group>
      </Stack>
      {isAsking && (
        <Asked
          asked={asked}
          plan={plan}
          first={next.data?.next_runs[0]?.at ?? null}
          onConfirm={async () => {
            const { id } = await onSave(plan)
            await navigate(`/schedules/${id}`)
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Page>
  )
}

function Naming({ plan, onChange }: { readonly plan: Plan; readonly onChange: (part: Partial<Plan>) => void }) {
  const f = useWords(FORM)
  const can = useCan()
  const wallets = useRead(['wallets', 'list', 'open'], (signal) => gateway.wallets.list({}, { signal }).all(), {
    enabled: can('wallets:read'),
  })
  const fitting = (wallets.data ?? []).filter(
    ({ status, currency }) => status === 'open' && currency === plan.draft.currency,
  )
  return (
    <Section>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <TextInput
          label={f.name}
          value={plan.name}
          maxLength={100}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <Select
          label={f.wallet}
          data={[
            { value: '', label: f.walletDefault },
            ...fitting.map(({ id, label, currency }) => ({ value: id, label: label ?? String(currency) })),
          ]}
          value={fitting.some(({ id }) => id === plan.source) ? plan.source : ''}
          allowDeselect={false}
          onChange={(source) => onChange({ source: source ?? '' })}
        />
      </SimpleGrid>
    </Section>
  )
}

function Preview({ read, zone }: { readonly read: ReturnType<typeof useNextRuns>; readonly zone: string }) {
  const f = useWords(FORM)
  if (read.error) return <ErrorNote error={read.error} />
  if (!read.data) return <Text c="dimmed">{f.waitingRule}</Text>
  const { words, next_runs: runs, holidays_known_until: knownUntil } = read.data
  return (
    <div aria-live="polite">
      <Text fw={600} mb="sm">
        {words}
      </Text>
      <NextRuns runs={runs} zone={zone} knownUntil={knownUntil} />
    </div>
  )
}

type AskedProps = {
  readonly asked: FormProps['asked']
  readonly plan: Plan
  /** The first run, where there is one. */
  readonly first: string | null
  readonly onConfirm: () => Promise<void>
  readonly onClose: () => void
}

function Asked({ asked: [title, action], plan: { draft, rule }, first, onConfirm, onClose }: AskedProps) {
  const f = useWords(FORM)
  const language = useLanguage()
  const amount = moneyText(draft.amount, draft.currency, language)
  return (
    <Confirm title={title} action={action} isDisabled={first === null} onConfirm={onConfirm} onClose={onClose}>
      <Text>{f.asYou(amount, draft.name || f.somebody)}</Text>
      {first === null ? (
        <Text c="red">{f.noRun}</Text>
      ) : (
        <Text>
          {f.first_} <ZonedTime at={first} zone={rule.zone} />
        </Text>
      )}
    </Confirm>
  )
}
