// The inputs of a trial: a transfer that is typed, or one that there is, and who would pay it.
import { Select, TextInput } from '@mantine/core'
import type { PolicyEvaluation } from '../../../../sdk/src/index.ts'
import { useActors } from '../../audit/actors.ts'
import { useCurrencies } from '../../contracts/FilterBar.tsx'
import { gateway, useRead } from '../../gateway.ts'
import { moneyText } from '../../ui/amounts.ts'
import { textOrNull } from '../../ui/Form.tsx'
import { useLanguage, useWords } from '../../words/language.ts'
import { useChoices } from '../names.ts'
import { TRIALS } from './trial-words.ts'

export type Typed = {
  readonly amount: string
  readonly currency: string
  readonly channel: string | null
  readonly profile: string | null
  readonly name: string
  readonly wallet: string
  readonly contract: { readonly id: string; readonly currency: string } | null
  readonly payer: string | null
}

export const emptyTrial = (currency: string): Typed => ({
  amount: '',
  currency,
  channel: null,
  profile: null,
  name: '',
  wallet: '',
  contract: null,
  payer: null,
})

export function draftOf({ amount, currency, channel, profile, name, wallet }: Typed): PolicyEvaluation['draft'] {
  const byHand = { name: textOrNull(name), wallet: textOrNull(wallet) }
  return {
    amount: amount.trim(),
    currency: currency as 'PHP',
    channel,
    recipient: profile === null ? byHand : { profile },
  }
}

type FieldsProps = {
  readonly typed: Typed
  readonly onChange: (part: Partial<Typed>) => void
  readonly problem: (param: string) => string | undefined
}

export function DraftFields({ typed, onChange, problem }: FieldsProps) {
  const w = useWords(TRIALS)
  const currencies = useCurrencies()
  const channels = useChoices('channel', [])
  const { currency } = typed
  return (
    <>
      <TextInput
        label={w.amount}
        inputMode="decimal"
        value={typed.amount}
        error={problem('draft.amount')}
        onChange={(event) => onChange({ amount: event.currentTarget.value })}
      />
      <Select
        label={w.currency}
        searchable
        allowDeselect={false}
        data={currencies.includes(currency) ? currencies : [currency, ...currencies]}
        value={currency}
        onChange={(code) => code !== null && onChange({ currency: code })}
      />
      <Select
        label={w.channel}
        placeholder={w.any}
        clearable
        clearButtonProps={{ 'aria-label': w.any }}
        data={channels}
        value={typed.channel}
        error={problem('draft.channel')}
        onChange={(channel) => onChange({ channel })}
      />
      <RecipientFields typed={typed} onChange={onChange} problem={problem} />
    </>
  )
}

function RecipientFields({ typed, onChange, problem }: FieldsProps) {
  const w = useWords(TRIALS)
  const profiles = useChoices('recipient.profile', [])
  return (
    <>
      <Select
        label={w.profile}
        placeholder={w.byHand}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': w.byHand }}
        data={profiles}
        value={typed.profile}
        onChange={(profile) => onChange({ profile })}
      />
      {typed.profile === null && (
        <>
          <TextInput
            label={w.name}
            value={typed.name}
            error={problem('draft.recipient')}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
          <TextInput
            label={w.wallet}
            value={typed.wallet}
            onChange={(event) => onChange({ wallet: event.currentTarget.value })}
          />
        </>
      )}
    </>
  )
}

const NEWEST = 50

type ContractChoiceProps = {
  readonly value: Typed['contract']
  readonly error: string | undefined
  readonly onChange: (contract: Typed['contract']) => void
}

/** The newest transfers that may still be paid. */
export function ContractChoice({ value, error, onChange }: ContractChoiceProps) {
  const w = useWords(TRIALS)
  const language = useLanguage()
  const read = useRead(['transfers', 'to try'], (signal) =>
    gateway.transfers.list({ status: ['draft', 'issued'], limit: NEWEST } as never, { signal }).page(),
  )
  return (
    <Select
      label={w.contract}
      searchable
      data={(read.data?.items ?? []).map(({ id, amount, currency, recipient }) => ({
        value: id,
        label: `${moneyText(amount, currency, language)} · ${recipient?.name ?? '—'} · ${id.slice(-6)}`,
      }))}
      nothingFoundMessage={w.noContract}
      value={value?.id ?? null}
      error={error}
      onChange={(id) => onChange(read.data?.items.find((each) => each.id === id) ?? null)}
    />
  )
}

export function PayerChoice({
  value,
  onChange,
}: {
  readonly value: string | null
  readonly onChange: (id: string | null) => void
}) {
  const w = useWords(TRIALS)
  const { all } = useActors()
  return (
    <Select
      label={w.payer}
      placeholder={w.you}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': w.you }}
      data={all.map(({ id, name, kind }) => ({ value: id, label: kind === 'key' ? w.keyOf(name) : name }))}
      value={value}
      onChange={onChange}
    />
  )
}
