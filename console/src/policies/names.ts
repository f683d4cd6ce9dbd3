// What a condition can name, by what people call it: channels, profiles, keys, members, countries, currencies.
import { useActors } from '../audit/actors.ts'
import { useCurrencies } from '../contracts/FilterBar.tsx'
import { gateway, useRead } from '../gateway.ts'
import { useChannels } from '../profiles/channels.ts'
import { useCountries } from '../profiles/countries.ts'
import { calledOf } from '../profiles/Profiles.tsx'
import { useCan } from '../session/session.ts'
import type { Field } from './form/form.ts'

export type Choice = { readonly value: string; readonly label: string }

const MOST = 500
const STALE_MS = 60_000
const SHORT = 8

/** What the values of a field can be. Those that a policy has and the account has not any more are shown by their id. */
export function useChoices(field: Field, values: readonly string[]): Choice[] {
  const can = useCan()
  const { paying } = useChannels()
  const { all: actors } = useActors()
  const countries = useCountries()
  const currencies = useCurrencies()
  const profiles = useRead(
    ['profiles', 'names'],
    (signal) => gateway.profiles.list({ limit: 100, status: 'active' }, { signal }).all(MOST),
    { enabled: field === 'recipient.profile' && can('profiles:read'), staleTime: STALE_MS },
  )
  const named = ({ id, name }: { readonly id: string; readonly name: string }): Choice => ({ value: id, label: name })
  const known = (): readonly Choice[] => {
    if (field === 'channel') return paying.map(named)
    if (field === 'recipient.profile')
      return (profiles.data ?? []).map((each) => ({ value: each.id, label: calledOf(each) }))
    if (field === 'key' || field === 'member') return actors.filter(({ kind }) => kind === field).map(named)
    if (field === 'recipient.country') return countries
    return currencies.map((code) => ({ value: code, label: code }))
  }
  return distinct([...known(), ...values.map((id) => ({ value: id, label: shortOf(id) }))])
}

const shortOf = (id: string) => (id.length > 2 * SHORT ? `${id.slice(0, SHORT)}…` : id)

/** The first of each value, and no two of one label: people would not know which is which. */
function distinct(choices: readonly Choice[]): Choice[] {
  const byValue = new Map<string, Choice>()
  for (const choice of choices) if (!byValue.has(choice.value)) byValue.set(choice.value, choice)
  const all = [...byValue.values()]
  const isTwice = (label: string) => all.filter((each) => each.label === label).length > 1
  return all.map(({ value, label }) => ({ value, label: isTwice(label) ? `${label} (${value.slice(-SHORT)})` : label }))
}

/** The account's own verifiers of a kind. */
export function useVerifiers(kind: string | null | undefined): Choice[] {
  const can = useCan()
  const read = useRead(['verifiers', 'list'], (signal) => gateway.verifiers.list({ signal }), {
    enabled: can('verifiers:read'),
    staleTime: STALE_MS,
  })
  return (read.data?.verifiers ?? []).flatMap(({ id, name, kind: its, status }) =>
    id !== null && its === kind && status === 'active' ? [{ value: id, label: name }] : [],
  )
}
