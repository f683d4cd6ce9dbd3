// The inputs of a condition: what of the transfer is looked at, and what it is compared with.
import { MultiSelect, NumberInput, Select, TextInput } from '@mantine/core'
import { useCurrencies } from '../../contracts/FilterBar.tsx'
import type { Problem } from '../../ui/Form.tsx'
import { localeOf, useLanguage, useWords } from '../../words/language.ts'
import { useChoices } from '../names.ts'
import type { Condition } from './form.ts'
import { CONDITIONS } from './condition-words.ts'

export type ConditionProps = {
  readonly condition: Condition
  /** Where it stands, as refusals name it: when.2. */
  readonly at: string
  readonly problem: Problem
  readonly onChange: (part: Partial<Condition>) => void
}

export function ConditionFields(props: ConditionProps) {
  switch (props.condition.field) {
    case 'amount':
      return <AmountFields {...props} />
    case 'sum':
    case 'count':
      return <SpentFields {...props} />
    case 'recipient.new':
      return <NewFields {...props} />
    case 'hour':
      return <HourFields {...props} />
    case 'weekday':
      return <WeekdayFields {...props} />
    case 'recipient.country':
    case 'recipient.profile':
    case 'channel':
    case 'currency':
    case 'key':
    case 'member':
      return <ListFields {...props} />
  }
}

function AmountFields(props: ConditionProps) {
  const w = useWords(CONDITIONS)
  const { condition, at, problem, onChange } = props
  return (
    <>
      <Select
        label={w.op}
        allowDeselect={false}
        data={(['above', 'at_least', 'below', 'at_most'] as const).map((value) => ({ value, label: w[value] }))}
        value={condition.op ?? null}
        error={problem(`${at}.op`)}
        onChange={(op) => onChange({ op: op as Condition['op'] })}
      />
      <MoneyFields {...props} />
    </>
  )
}

function MoneyFields({ condition, at, problem, onChange }: ConditionProps) {
  const w = useWords(CONDITIONS)
  const currencies = useCurrencies()
  const own = condition.currency ? String(condition.currency) : null
  return (
    <>
      <TextInput
        label={w.amount}
        inputMode="decimal"
        value={String(condition.value ?? '')}
        error={problem(`${at}.value`)}
        onChange={(event) => onChange({ value: event.currentTarget.value.trim() })}
      />
      <Select
        label={w.currency}
        searchable
        allowDeselect={false}
        data={own === null || currencies.includes(own) ? currencies : [own, ...currencies]}
        value={own}
        error={problem(`${at}.currency`)}
        onChange={(currency) => onChange({ currency: currency as Condition['currency'] })}
      />
    </>
  )
}

/** Sums and counts of what was paid before. */
function SpentFields(props: ConditionProps) {
  const w = useWords(CONDITIONS)
  const { condition, at, problem, onChange } = props
  const spans = { hour: w.hour, day: w.day, '30_days': w.days30 }
  const whose = { account: w.byAccount, recipient: w.byRecipient, key: w.byKey, wallet: w.byWallet }
  return (
    <>
      <Select
        label={w.by}
        allowDeselect={false}
        data={Object.entries(whose).map(([value, label]) => ({ value, label }))}
        value={condition.by ?? null}
        error={problem(`${at}.by`)}
        onChange={(by) => onChange({ by: by as Condition['by'] })}
      />
      <Select
        label={w.window}
        allowDeselect={false}
        data={Object.entries(spans).map(([value, label]) => ({ value, label }))}
        value={condition.window ?? null}
        error={problem(`${at}.window`)}
        onChange={(span) => onChange({ window: span as Condition['window'] })}
      />
      {condition.field === 'sum' ? (
        <MoneyFields {...props} />
      ) : (
        <Whole
          label={w.count}
          value={condition.value}
          error={problem(`${at}.value`)}
          onChange={(value) => onChange({ value })}
        />
      )}
    </>
  )
}

function NewFields({ condition, at, problem, onChange }: ConditionProps) {
  const w = useWords(CONDITIONS)
  return (
    <Whole
      label={w.withinDays}
      value={condition.within_days}
      error={problem(`${at}.within_days`)}
      onChange={(days) => onChange({ within_days: days })}
    />
  )
}

function HourFields({ condition, at, problem, onChange }: ConditionProps) {
  const w = useWords(CONDITIONS)
  return (
    <>
      <Whole
        label={w.from}
        value={condition.from}
        error={problem(`${at}.from`)}
        onChange={(from) => onChange({ from })}
      />
      <Whole label={w.to} value={condition.to} error={problem(`${at}.to`)} onChange={(to) => onChange({ to })} />
    </>
  )
}

/** The second of January 2023 was a Monday. */
const dayName = (day: number, locale: string) =>
  new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2023, 0, 1 + day))

function WeekdayFields({ condition, at, problem, onChange }: ConditionProps) {
  const w = useWords(CONDITIONS)
  const locale = localeOf(useLanguage())
  return (
    <MultiSelect
      label={w.weekdays}
      data={[1, 2, 3, 4, 5, 6, 7].map((day) => ({ value: String(day), label: dayName(day, locale) }))}
      value={(condition.values ?? []).map(String)}
      error={problem(`${at}.values`)}
      onChange={(days) => onChange({ values: days.map(Number) })}
    />
  )
}

function ListFields({ condition, at, problem, onChange }: ConditionProps) {
  const w = useWords(CONDITIONS)
  const { field, op } = condition
  const values = (condition.values ?? []).map(String)
  const choices = useChoices(field, values)
  return (
    <>
      <Select
        label={w.op}
        allowDeselect={false}
        data={[
          { value: 'in', label: w.in },
          { value: 'not_in', label: w.notIn },
        ]}
        value={op ?? null}
        error={problem(`${at}.op`)}
        onChange={(wanted) => onChange({ op: wanted as Condition['op'] })}
      />
      <MultiSelect
        label={w.values}
        description={field === 'key' ? w.keysGoOn : undefined}
        className="wide"
        searchable
        data={choices}
        value={values}
        placeholder={values.length === 0 ? w.choose : ''}
        nothingFoundMessage={w.noneFits}
        error={problem(`${at}.values`)}
        onChange={(chosen) => onChange({ values: chosen })}
      />
    </>
  )
}

type WholeProps = {
  readonly label: string
  readonly value: Condition['value']
  readonly error: string | undefined
  readonly onChange: (value: number | null) => void
}

export function Whole({ label, value, error, onChange }: WholeProps) {
  return (
    <NumberInput
      label={label}
      min={0}
      allowDecimal={false}
      allowNegative={false}
      value={value ?? ''}
      error={error}
      onChange={(typed) => onChange(typed === '' ? null : Number(typed))}
    />
  )
}
