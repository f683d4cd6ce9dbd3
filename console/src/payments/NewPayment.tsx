// A payment is opened: what it is for, how it may be paid, and for how long.
import { Button, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Channel, PaymentRequest } from '../../../sdk/src/index.ts'
import { isAmount } from '../contracts/amount.ts'
import { WHAT_PARAMS, What } from '../contracts/What.tsx'
import { gateway, useRead, useWrite } from '../gateway.ts'
import { countText } from '../ui/amounts.ts'
import { ErrorNote } from '../ui/feedback.tsx'
import { type Problem, problemsOf, useFocusOnProblem } from '../ui/Form.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { useLanguage, useWords } from '../words/language.ts'
import { CREATE } from './create-words.ts'
import { TITLE } from './title.ts'

type Form = {
  readonly amount: string
  readonly currency: string
  readonly description: string
  readonly reference: string
  readonly channel: string | null
  readonly expiresIn: string | null
  readonly returnUrl: string
}

const EMPTY: Form = {
  amount: '',
  currency: 'PHP',
  description: '',
  reference: '',
  channel: null,
  expiresIn: null,
  returnUrl: '',
}
/** In the order of their words. */
const EXPIRIES = [3600, 86_400, 604_800, 2_592_000]
const A_DAY = 86_400
/** What stands beside its field, by its name in the API. */
const PARAMS = [...WHAT_PARAMS, 'return_url']

const isEnough = ({ amount, currency }: Form) => isAmount(amount) && currency !== ''

function bodyOf({ amount, currency, description, reference, channel, expiresIn, returnUrl }: Form): PaymentRequest {
  return {
    amount: amount.trim(),
    currency: currency as PaymentRequest['currency'],
    ...(description.trim() && { description: description.trim() }),
    ...(reference.trim() && { deliverable: { reference_id: reference.trim() } }),
    ...(channel && { channel }),
    ...(expiresIn && { expires_in: Number(expiresIn) }),
    ...(returnUrl.trim() && { return_url: returnUrl.trim() }),
  }
}

export function NewPayment() {
  const { title: list } = useWords(TITLE)
  const w = useWords(CREATE)
  const navigate = useNavigate()
  const [form, setForm] = useState(EMPTY)
  const channels = useRead(['channels'], (signal) => gateway.channels.list({ signal }).all(), { staleTime: 60_000 })
  const create = useWrite(
    (wanted: PaymentRequest, idempotencyKey) => gateway.payments.create(wanted, { idempotencyKey }),
    ['payments'],
  )
  const ways = (channels.data ?? []).filter(({ collect }) => collect !== null)
  const [problem, rest] = problemsOf(create.error, PARAMS)
  const element = useFocusOnProblem(create.error)
  const change = (changes: Partial<Form>) => setForm((before) => ({ ...before, ...changes }))
  return (
    <Page title={w.title} parent={[list, '/payments']}>
      <form
        ref={element}
        onSubmit={(event) => {
          event.preventDefault()
          if (isEnough(form)) create.mutate(bodyOf(form), { onSuccess: ({ id }) => void navigate(`/payments/${id}`) })
        }}
      >
        <Stack gap="lg">
          <What
            words={w}
            form={form}
            currencies={currenciesOf(ways)}
            problem={problem}
            // Another currency has other ways.
            onChange={(part) => change(part.currency === undefined ? part : { ...part, channel: null })}
          />
          <How form={form} ways={ways} problem={problem} onChange={change} />
          {rest !== null && <ErrorNote error={rest} />}
          <Group justify="space-between">
            <Text c="dimmed" size="sm">
              {w.createHow}
            </Text>
            <Button type="submit" loading={create.isPending} disabled={!isEnough(form)}>
              {w.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  )
}

type PartProps = {
  readonly form: Form
  readonly ways: readonly Channel[]
  readonly problem: Problem
  readonly onChange: (changes: Partial<Form>) => void
}

const takes = ({ collect }: Channel, currency: string) =>
  collect?.currencies.some((each) => each.currency === currency) ?? false

/** The currencies that some way brings in. */
const currenciesOf = (ways: readonly Channel[]) =>
  [
    ...new Set(ways.flatMap(({ collect }) => collect?.currencies.map(({ currency }) => String(currency)) ?? [])),
  ].toSorted()

function How({ form, ways, problem, onChange }: PartProps) {
  const w = useWords(CREATE)
  const fitting = ways.filter((way) => takes(way, form.currency))
  const expiries = w.expiries.split('|')
  return (
    <Section title={w.how} isFlush>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" p="md">
        <Select
          label={w.channel}
          placeholder={w.anyWay}
          data={fitting.map(({ id, name }) => ({ value: id, label: name }))}
          value={form.channel}
          onChange={(channel) => onChange({ channel })}
          clearable
          clearButtonProps={{ 'aria-label': w.anyWay }}
        />
        <Select
          label={w.expires}
          placeholder={w.usual}
          data={EXPIRIES.map((seconds, place) => ({
            value: String(seconds),
            label: expiries[place] ?? String(seconds),
          }))}
          value={form.expiresIn}
          onChange={(expiresIn) => onChange({ expiresIn })}
          clearable
          clearButtonProps={{ 'aria-label': w.usual }}
        />
        <TextInput
          label={w.returnUrl}
          type="url"
          placeholder="https://"
          value={form.returnUrl}
          onChange={(event) => onChange({ returnUrl: event.currentTarget.value })}
          error={problem('return_url')}
        />
      </SimpleGrid>
      <Ways form={form} ways={fitting} />
    </Section>
  )
}

/** What each way costs whom, and when its money is there. */
function Ways({ form, ways }: Pick<PartProps, 'form' | 'ways'>) {
  const w = useWords(CREATE)
  const language = useLanguage()
  const settled = ({ collect }: Channel) => {
    const seconds = collect?.settle_after_seconds ?? 0
    return seconds < A_DAY ? w.atOnce : w.days(countText(Math.round(seconds / A_DAY), language))
  }
  const isCovered = ({ collect }: Channel) =>
    collect?.currencies.find(({ currency }) => currency === form.currency)?.fees.covered
  return (
    <ListTable
      label={w.gets}
      rows={ways.filter(({ id }) => form.channel === null || id === form.channel)}
      keyOf={({ id }) => id}
      columns={[
        { key: 'name', title: w.way, render: ({ name }) => name },
        { key: 'fee', title: w.fee, render: (way) => (isCovered(way) ? w.payerBears : w.youBear) },
        { key: 'settles', title: w.settles, render: settled },
      ]}
    />
  )
}
