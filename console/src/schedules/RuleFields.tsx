// The rule of a schedule as fields: only those that go with its frequency are there.
import { Chip, Group, Input, NativeSelect, SegmentedControl, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { ScheduleRule } from '../../../sdk/src/index.ts'
import type { Problem } from '../ui/Form.tsx'
import { useWords } from '../words/language.ts'
import { FORM } from './form-words.ts'
import { ADJUSTMENTS, FREQUENCIES, NTHS, type RuleForm, WEEKDAYS, type Weekday } from './rule-form.ts'

type Props = {
  readonly form: RuleForm
  readonly problem: Problem
  readonly onChange: (part: Partial<RuleForm>) => void
}

const ZONES = Intl.supportedValuesOf('timeZone')
/** Whose bank holidays the gateway knows. */
const COUNTRIES = ['PH']

export function RuleFields({ form, problem, onChange }: Props) {
  const w = useWords(FORM)
  const { every, zone } = form
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <NativeSelect
          label={w.every}
          data={FREQUENCIES.map((value) => ({ value, label: w[value] }))}
          value={every}
          onChange={(event) => onChange({ every: event.currentTarget.value as ScheduleRule['every'] })}
        />
        {every !== 'once' && (
          <TextInput
            label={w.interval}
            description={every === 'week' ? w.intervalHint : undefined}
            inputMode="numeric"
            value={form.interval}
            error={problem('rule.interval')}
            onChange={(event) => onChange({ interval: event.currentTarget.value })}
          />
        )}
        {every === 'once' && (
          <TextInput
            label={w.date}
            type="date"
            value={form.date}
            error={problem('rule.date')}
            onChange={(event) => onChange({ date: event.currentTarget.value })}
          />
        )}
      </SimpleGrid>
      {every === 'week' && <Weekdays form={form} problem={problem} onChange={onChange} />}
      {every === 'month' && <MonthDay form={form} problem={problem} onChange={onChange} />}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <TextInput
          label={w.time}
          type="time"
          value={form.time}
          error={problem('rule.time')}
          onChange={(event) => onChange({ time: event.currentTarget.value })}
        />
        <Select
          label={w.zone}
          data={ZONES.includes(zone) ? ZONES : [zone, ...ZONES]}
          value={zone}
          searchable
          limit={50}
          allowDeselect={false}
          error={problem('rule.time_zone')}
          onChange={(value) => value && onChange({ zone: value })}
        />
      </SimpleGrid>
      <Banking form={form} problem={problem} onChange={onChange} />
      <End form={form} problem={problem} onChange={onChange} />
    </Stack>
  )
}

function Weekdays({ form, problem, onChange }: Props) {
  const w = useWords(FORM)
  return (
    <Input.Wrapper label={w.weekdays} error={problem('rule.weekdays')} labelElement="div">
      <Chip.Group
        multiple
        value={[...form.weekdays]}
        onChange={(days) => onChange({ weekdays: WEEKDAYS.filter((day) => days.includes(day)) })}
      >
        <Group gap={6} mt={4} role="group" aria-label={w.weekdays}>
          {WEEKDAYS.map((day) => (
            <Chip key={day} value={day} size="sm">
              {w[day]}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  )
}

function MonthDay({ form, problem, onChange }: Props) {
  const w = useWords(FORM)
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={w.month}
        value={form.by}
        onChange={(by) => onChange({ by: by as RuleForm['by'] })}
        data={[
          { value: 'day', label: w.byDay },
          { value: 'nth', label: w.byNth },
        ]}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        {form.by === 'day' ? (
          <TextInput
            label={w.monthDay}
            description={w.monthDayHint}
            inputMode="numeric"
            value={form.day}
            error={problem('rule.day')}
            onChange={(event) => onChange({ day: event.currentTarget.value })}
          />
        ) : (
          <>
            <NativeSelect
              label={w.nth}
              data={NTHS.map((value) => ({ value, label: w[value] }))}
              value={form.nth}
              error={problem('rule.nth')}
              onChange={(event) => onChange({ nth: event.currentTarget.value as RuleForm['nth'] })}
            />
            <NativeSelect
              label={w.weekday}
              data={WEEKDAYS.map((value) => ({ value, label: w[value] }))}
              value={form.weekday}
              error={problem('rule.weekdays')}
              onChange={(event) => onChange({ weekday: event.currentTarget.value as Weekday })}
            />
          </>
        )}
      </SimpleGrid>
    </Stack>
  )
}

function Banking({ form, problem, onChange }: Props) {
  const w = useWords(FORM)
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <NativeSelect
        label={w.adjust}
        data={ADJUSTMENTS.map((value) => ({ value, label: w[value] }))}
        value={form.adjust}
        error={problem('rule.banking_days')}
        onChange={(event) => onChange({ adjust: event.currentTarget.value as RuleForm['adjust'] })}
      />
      {form.adjust !== 'none' && (
        <>
          <NativeSelect
            label={w.country}
            data={[{ value: '', label: w.noCountry }, ...COUNTRIES.map((value) => ({ value, label: value }))]}
            value={form.country}
            onChange={(event) => onChange({ country: event.currentTarget.value })}
          />
          <TextInput
            label={w.holidays}
            description={w.holidaysHint}
            value={form.holidays}
            onChange={(event) => onChange({ holidays: event.currentTarget.value })}
          />
        </>
      )}
    </SimpleGrid>
  )
}

function End({ form, problem, onChange }: Props) {
  const w = useWords(FORM)
  if (form.every === 'once') return null
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <NativeSelect
        label={w.ends}
        data={(['never', 'until', 'count'] as const).map((value) => ({ value, label: w[value] }))}
        value={form.ends}
        onChange={(event) => onChange({ ends: event.currentTarget.value as RuleForm['ends'] })}
      />
      {form.ends === 'until' && (
        <TextInput
          label={w.untilAt}
          type="datetime-local"
          value={form.until}
          error={problem('rule.until')}
          onChange={(event) => onChange({ until: event.currentTarget.value })}
        />
      )}
      {form.ends === 'count' && (
        <TextInput
          label={w.countOf}
          inputMode="numeric"
          value={form.count}
          error={problem('rule.count')}
          onChange={(event) => onChange({ count: event.currentTarget.value })}
        />
      )}
    </SimpleGrid>
  )
}
