// What of the audit list is asked for: by whom, on what, which action, from when until when. It stands in the address.
import { Autocomplete, Button, Select, TextInput } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { momentOn } from '../words/days.ts'
import { useFilter } from '../ui/paging.ts'
import { useLanguage, useWords } from '../words/language.ts'
import type { Actors } from './actors.ts'
import { ACTIONS, actionText } from './diction.ts'
import { AUDIT } from './words.ts'

type Asked = { actor?: string; object?: string; action?: string; from?: string; to?: string }

/** As the API takes it. Days are those of the reader's clock. */
export function useAsked(): Asked {
  const [params] = useSearchParams()
  const text = (name: string) => params.get(name)?.trim() || undefined
  const asked = {
    actor: text('actor'),
    object: text('object'),
    action: text('action'),
    from: momentOn(text('from') ?? '', 'first'),
    to: momentOn(text('to') ?? '', 'last'),
  }
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
}

export function Filters({ actors }: { readonly actors: Actors }) {
  const w = useWords(AUDIT)
  const [, setParams] = useSearchParams()
  const [object, setObject] = useFilter('object')
  const [from, setFrom] = useFilter('from')
  const [to, setTo] = useFilter('to')
  const [actor] = useFilter('actor')
  const [action] = useFilter('action')
  const isFiltered = [object, from, to, actor, action].some((each) => each !== '')
  return (
    <search className="filters even" style={{ padding: '14px 16px' }}>
      <ActorChoice actors={actors} />
      <ActionChoice />
      <TextInput
        label={w.object}
        placeholder={w.objectHint}
        key={object}
        defaultValue={object}
        maxLength={100}
        onBlur={(event) => setObject(event.currentTarget.value.trim())}
        onKeyDown={(event) => event.key === 'Enter' && setObject(event.currentTarget.value.trim())}
      />
      <TextInput
        type="date"
        label={w.from}
        value={from}
        max={to || undefined}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label={w.to}
        value={to}
        min={from || undefined}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      {isFiltered && (
        <Button variant="subtle" onClick={() => setParams({})}>
          {w.clear}
        </Button>
      )}
    </search>
  )
}

/** A member or a key by name; an operator by the name that stands in the list. */
function ActorChoice({ actors }: { readonly actors: Actors }) {
  const w = useWords(AUDIT)
  const [actor, setActor] = useFilter('actor')
  const labelOf = (id: string) => actors.nameOf(id) ?? id
  const of = (kind: 'member' | 'key') => actors.all.filter((each) => each.kind === kind)
  const choices = (kind: 'member' | 'key') =>
    of(kind).map(({ id, name }) => ({ value: id, label: `${name} · ${id.slice(-6)}` }))
  const chosen = [...choices('member'), ...choices('key')].find(({ value }) => value === actor)
  return (
    <Autocomplete
      key={`${actor} ${chosen?.label}`}
      label={w.who}
      placeholder={w.anybody}
      defaultValue={chosen?.label ?? labelOf(actor)}
      data={[
        { group: w.members, items: choices('member') },
        { group: w.keys, items: choices('key') },
      ]}
      onOptionSubmit={setActor}
      onBlur={(event) => {
        const typed = event.currentTarget.value.trim()
        if (typed !== (chosen?.label ?? labelOf(actor))) setActor(typed)
      }}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    />
  )
}

function ActionChoice() {
  const w = useWords(AUDIT)
  const language = useLanguage()
  const [action, setAction] = useFilter('action')
  const known = (ACTIONS as readonly string[]).includes(action) || action === '' ? ACTIONS : [...ACTIONS, action]
  const choices = known.map((each) => ({ value: each, label: actionText(each, language) }))
  return (
    <Select
      label={w.action}
      placeholder={w.anything}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': w.anything }}
      data={choices}
      value={action === '' ? null : action}
      onChange={(value) => setAction(value ?? '')}
    />
  )
}
