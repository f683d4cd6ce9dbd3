// The filters of a list of contracts: the usual ones in a row, the others when asked for, and those that are kept under a name.
import { Button, Group, Menu, MultiSelect, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { Dialog } from '../ui/Confirm.tsx'
import { useState } from 'react'
import { gateway, useRead } from '../gateway.ts'
import { Icon } from '../ui/Icon.tsx'
import { COMMON, STATUS_WORDS } from '../ui/words.ts'
import { useWords } from '../words/language.ts'
import { type FilterName, type Filters, useFilters, useKept } from './filters.ts'
import { LIST } from './list-words.ts'

const RARE: readonly FilterName[] = ['amount_from', 'amount_to', 'created_from', 'created_to', 'profile', 'currency']

export function FilterBar({ kind, statuses }: { readonly kind: string; readonly statuses: readonly string[] }) {
  const w = useWords(LIST)
  const words: Readonly<Record<string, string>> = useWords(STATUS_WORDS)
  const { filters, set } = useFilters()
  const [isWide, setWide] = useState(RARE.some((name) => filters[name] !== undefined))
  const channels = useRead(['channels'], (signal) => gateway.channels.list({ signal }).all(), { staleTime: 60_000 })
  const hasAny = Object.keys(filters).length > 0
  return (
    <Stack gap="sm" p="md">
      <Group gap="sm" align="flex-end">
        <MultiSelect
          label={w.status}
          placeholder={filters.status ? undefined : w.any}
          data={statuses.map((value) => ({ value, label: words[value] ?? value }))}
          value={filters.status?.split(',') ?? []}
          onChange={(chosen) => set({ status: chosen.join(',') })}
          miw={200}
          clearable
          clearButtonProps={{ 'aria-label': w.clear }}
        />
        <Select
          label={w.channel}
          placeholder={w.any}
          data={(channels.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={filters.channel ?? null}
          onChange={(channel) => set({ channel: channel ?? '' })}
          clearable
          clearButtonProps={{ 'aria-label': w.clear }}
          w={190}
        />
        <Typed name="reference_id" label={w.reference} width={190} />
        <Button variant="default" aria-expanded={isWide} onClick={() => setWide(!isWide)}>
          {w.more}
        </Button>
        <Saved kind={kind} />
        {hasAny && (
          <Button variant="subtle" onClick={() => set(null)}>
            {w.clear}
          </Button>
        )}
      </Group>
      {isWide && <Rare filters={filters} set={set} />}
    </Stack>
  )
}

type RareProps = { readonly filters: Filters; readonly set: (changes: Filters) => void }

function Rare({ filters, set }: RareProps) {
  const w = useWords(LIST)
  const currencies = useCurrencies()
  const amount = (name: 'amount_from' | 'amount_to', label: string) => (
    <NumberInput
      label={label}
      value={filters[name] ?? ''}
      min={0}
      hideControls
      decimalScale={4}
      disabled={!filters.currency}
      title={filters.currency ? undefined : w.amountNeedsCurrency}
      placeholder={filters.currency ? undefined : '—'}
      onBlur={(event) => set({ [name]: event.currentTarget.value })}
      w={130}
    />
  )
  const day = (name: 'created_from' | 'created_to', label: string) => (
    <TextInput
      label={label}
      type="date"
      value={filters[name]?.slice(0, 10) ?? ''}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
      w={160}
    />
  )
  return (
    <Group gap="sm" align="flex-end">
      <Select
        label={w.currency}
        placeholder={w.any}
        data={currencies}
        value={filters.currency ?? null}
        onChange={(currency) => set(currency ? { currency } : { currency: '', amount_from: '', amount_to: '' })}
        clearable
        clearButtonProps={{ 'aria-label': w.clear }}
        w={120}
      />
      {amount('amount_from', w.amountFrom)}
      {amount('amount_to', w.amountTo)}
      {day('created_from', w.createdFrom)}
      {day('created_to', w.createdTo)}
      <Typed name="profile" label={w.profile} width={220} />
    </Group>
  )
}

/** The currencies that channels take. */
export function useCurrencies(): string[] {
  const channels = useRead(['channels'], (signal) => gateway.channels.list({ signal }).all(), { staleTime: 60_000 })
  const named = (channels.data ?? []).flatMap(({ currencies }) => currencies.map(({ currency }) => String(currency)))
  return [...new Set(named)].toSorted()
}

/** A text that filters when it is left, or by Enter: not with each letter. */
function Typed({ name, label, width }: { readonly name: FilterName; readonly label: string; readonly width: number }) {
  const { filters, set } = useFilters()
  const value = filters[name] ?? ''
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const typed = new FormData(event.currentTarget).get(name)
        set({ [name]: typeof typed === 'string' ? typed.trim() : '' })
      }}
    >
      <TextInput
        key={value}
        name={name}
        label={label}
        defaultValue={value}
        onBlur={(event) => event.currentTarget.value.trim() !== value && event.currentTarget.form?.requestSubmit()}
        w={width}
      />
    </form>
  )
}

type SavedFilters = Readonly<Record<string, Filters>>

function Saved({ kind }: { readonly kind: string }) {
  const w = useWords(LIST)
  const { filters, set } = useFilters()
  const [saved, keep] = useKept<SavedFilters>(`console-filters-${kind}`, {})
  const [isNaming, setNaming] = useState(false)
  const names = Object.keys(saved).toSorted()
  const hasAny = Object.keys(filters).length > 0
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="down" size={14} />}>
            {w.savedFilters}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {names.length === 0 && <Menu.Label>{w.noneSaved}</Menu.Label>}
          {names.map((name) => (
            <Menu.Item
              key={name}
              onClick={() => set({ ...Object.fromEntries(RESET.map((each) => [each, ''])), ...saved[name] })}
            >
              {name}
            </Menu.Item>
          ))}
          {hasAny && <Menu.Item onClick={() => setNaming(true)}>{w.saveAs}</Menu.Item>}
          {names.map((name) => (
            <Menu.Item
              key={`forget ${name}`}
              c="dimmed"
              onClick={() => keep(Object.fromEntries(Object.entries(saved).filter(([each]) => each !== name)))}
            >
              {w.forget(name)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {isNaming && (
        <Naming
          onName={(name) => {
            keep({ ...saved, [name]: filters })
            setNaming(false)
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  )
}

const RESET: readonly FilterName[] = ['status', 'channel', 'reference_id', ...RARE]

function Naming({ onName, onClose }: { readonly onName: (name: string) => void; readonly onClose: () => void }) {
  const w = useWords(LIST)
  const c = useWords(COMMON)
  const [name, setName] = useState('')
  return (
    <Dialog onClose={onClose} title={w.saveTitle} centered closeButtonProps={{ 'aria-label': c.close }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') onName(name.trim())
        }}
      >
        <Stack gap="md">
          <TextInput
            label={w.saveName}
            value={name}
            maxLength={60}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button type="submit" disabled={name.trim() === ''}>
              {c.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
