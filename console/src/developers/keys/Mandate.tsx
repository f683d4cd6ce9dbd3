// The mandate of a key: how much may leave by it in all and at a time, to whom, through which channels, and until when.
import { ActionIcon, Button, Group, MultiSelect, Select, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import type { Key } from '../../../../sdk/src/index.ts'
import { gateway, useRead } from '../../gateway.ts'
import { useChannels } from '../../profiles/channels.ts'
import { useCan } from '../../session/session.ts'
import { Icon } from '../../ui/Icon.tsx'
import { useWords } from '../../words/language.ts'
import { useCurrencies } from './Bounds.tsx'
import { MANDATE } from './mandate-words.ts'
import { KEYS } from './words.ts'

type Limit = {
  readonly currency: string
  readonly total: string
  readonly perTransfer: string
  readonly approvalAbove: string
}
export type MandateText = {
  readonly isOn: boolean
  readonly limits: readonly Limit[]
  readonly recipients: string
  readonly profiles: readonly string[]
  readonly channels: readonly string[]
  /** A day, YYYY-MM-DD; its end is the mandate's. */
  readonly until: string
}

export const NO_MANDATE: MandateText = {
  isOn: false,
  limits: [],
  recipients: '',
  profiles: [],
  channels: [],
  until: '',
}

const PROFILES = 200
const START = { total: '', perTransfer: '', approvalAbove: '' }

type Props = { readonly value: MandateText; readonly onChange: (value: MandateText) => void }

export function MandateForm({ value, onChange }: Props) {
  const w = useWords(MANDATE)
  const [first = 'PHP'] = useCurrencies()
  const toggle = (isOn: boolean) =>
    onChange({ ...value, isOn, limits: value.limits.length === 0 ? [{ ...START, currency: first }] : value.limits })
  return (
    <Stack gap="md">
      <Switch
        label={w.on}
        description={w.onHow}
        checked={value.isOn}
        onChange={(event) => toggle(event.currentTarget.checked)}
      />
      {value.isOn && (
        <>
          <Limits value={value} onChange={onChange} />
          <Whom value={value} onChange={onChange} />
          <TextInput
            type="date"
            label={w.until}
            description={w.untilHow}
            value={value.until}
            onChange={(event) => onChange({ ...value, until: event.currentTarget.value })}
          />
        </>
      )}
    </Stack>
  )
}

function Limits({ value, onChange }: Props) {
  const w = useWords(MANDATE)
  const k = useWords(KEYS)
  const currencies = useCurrencies()
  const { limits } = value
  const set = (next: readonly Limit[]) => onChange({ ...value, limits: next })
  const left = currencies.find((code) => !limits.some(({ currency }) => currency === code))
  return (
    <Stack gap="xs" role="group" aria-label={w.limits}>
      {limits.map((limit, at) => (
        <Row
          key={limit.currency}
          of={limit}
          currencies={currencies.filter(
            (code) => code === limit.currency || !limits.some(({ currency }) => currency === code),
          )}
          onChange={(part) => set(limits.map((each, i) => (i === at ? { ...each, ...part } : each)))}
          onRemove={limits.length > 1 ? () => set(limits.filter((_, i) => i !== at)) : null}
        />
      ))}
      <Text size="xs" c="dimmed">
        {w.limitsHow}
      </Text>
      {left !== undefined && (
        <Group>
          <Button size="compact-sm" variant="default" onClick={() => set([...limits, { ...START, currency: left }])}>
            {k.addCap}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

type RowProps = {
  readonly of: Limit
  readonly currencies: readonly string[]
  readonly onChange: (part: Partial<Limit>) => void
  readonly onRemove: (() => void) | null
}

function Row({ of, currencies, onChange, onRemove }: RowProps) {
  const w = useWords(MANDATE)
  const k = useWords(KEYS)
  return (
    <Group gap="xs" wrap="nowrap" align="flex-end">
      <Select
        label={k.currency}
        w={96}
        data={[...currencies]}
        value={of.currency}
        allowDeselect={false}
        onChange={(currency) => currency !== null && onChange({ currency })}
      />
      <TextInput
        label={w.total}
        inputMode="decimal"
        style={{ flex: 1 }}
        value={of.total}
        onChange={(event) => onChange({ total: event.currentTarget.value })}
      />
      <TextInput
        label={w.perTransfer}
        inputMode="decimal"
        style={{ flex: 1 }}
        value={of.perTransfer}
        onChange={(event) => onChange({ perTransfer: event.currentTarget.value })}
      />
      <TextInput
        label={w.approvalAbove}
        inputMode="decimal"
        style={{ flex: 1 }}
        value={of.approvalAbove}
        onChange={(event) => onChange({ approvalAbove: event.currentTarget.value })}
      />
      {onRemove && (
        <ActionIcon variant="default" size="lg" aria-label={w.removeLimit(of.currency)} onClick={onRemove}>
          <Icon name="close" size={16} />
        </ActionIcon>
      )}
    </Group>
  )
}

function Whom({ value, onChange }: Props) {
  const w = useWords(MANDATE)
  const can = useCan()
  const { paying } = useChannels()
  const profiles = useRead(
    ['profiles', 'mandate'],
    (signal) => gateway.profiles.list({ limit: 100 }, { signal }).all(PROFILES),
    { enabled: can('profiles:read') },
  )
  return (
    <>
      <Textarea
        label={w.recipients}
        description={w.recipientsHow}
        autosize
        minRows={2}
        value={value.recipients}
        onChange={(event) => onChange({ ...value, recipients: event.currentTarget.value })}
      />
      <MultiSelect
        label={w.profiles}
        data={(profiles.data ?? []).map(({ id, name, email }) => ({ value: id, label: name ?? email ?? id }))}
        value={[...value.profiles]}
        searchable
        onChange={(chosen) => onChange({ ...value, profiles: chosen })}
      />
      <MultiSelect
        label={w.channels}
        placeholder={value.channels.length === 0 ? w.anyChannel : undefined}
        data={paying.map(({ id, name }) => ({ value: id, label: name }))}
        value={[...value.channels]}
        onChange={(chosen) => onChange({ ...value, channels: chosen })}
      />
    </>
  )
}

/** A line is an account and, after a space, its bank code or memo; one with an @ is an e-mail address, with a + a mobile number. */
function recipientIn(line: string) {
  const [wallet = '', tag] = line.split(/\s+/)
  if (wallet.includes('@')) return { email: wallet }
  if (wallet.startsWith('+')) return { mobile: wallet }
  return tag === undefined ? { wallet } : { wallet, tag }
}

const orNull = <T,>(list: readonly T[]) => (list.length === 0 ? null : list)

/** As the gateway takes it; null for none. What was not touched of the one before stays what it was, to the letter. */
export function mandateOf(value: MandateText, of?: Key) {
  const { isOn, limits, recipients, profiles, channels, until } = value
  if (!isOn) return null
  const before = of ? mandateText(of) : NO_MANDATE
  const lines = recipients.split('\n').flatMap((line) => (line.trim() === '' ? [] : [recipientIn(line.trim())]))
  return {
    limits: limits.map(({ currency, total, perTransfer, approvalAbove }) => ({
      currency,
      total: total.trim(),
      per_transfer: amountOrNull(perTransfer),
      approval_above: amountOrNull(approvalAbove),
    })),
    recipients: of && recipients === before.recipients ? (of.mandate?.recipients ?? null) : orNull(lines),
    profiles: orNull(profiles),
    channels: orNull(channels),
    until: of && until === before.until ? (of.mandate?.until ?? null) : endOf(until),
  }
}

const amountOrNull = (amount: string): string | null => (amount.trim() === '' ? null : amount.trim())

const endOf = (day: string): string | null => (day === '' ? null : new Date(`${day}T23:59:59`).toISOString())

/** As it is edited. */
export function mandateText({ mandate }: Key): MandateText {
  if (mandate === null) return NO_MANDATE
  const lines = (mandate.recipients ?? []).map(({ wallet, tag, email, mobile }) =>
    [wallet ?? email ?? mobile, tag].filter(Boolean).join(' '),
  )
  return {
    isOn: true,
    limits: mandate.limits.map(({ currency, total, per_transfer: most, approval_above: above }) => ({
      currency,
      total: String(total),
      perTransfer: most === null ? '' : String(most),
      approvalAbove: above === null ? '' : String(above),
    })),
    recipients: lines.join('\n'),
    profiles: mandate.profiles ?? [],
    channels: mandate.channels ?? [],
    until: mandate.until === null ? '' : dayOf(new Date(mandate.until)),
  }
}

/** The reader's own day. */
const dayOf = (at: Date): string => new Intl.DateTimeFormat('en-CA').format(at)

export const isFilled = ({ isOn, limits }: MandateText): boolean =>
  !isOn || (limits.length > 0 && limits.every(({ total }) => total.trim() !== ''))
