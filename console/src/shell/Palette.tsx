// The command palette: where to go, and what the gateway finds for what is typed.
import { Text, TextInput } from '@mantine/core'
import { Dialog } from '../ui/Confirm.tsx'
import { useDebouncedValue } from '@mantine/hooks'
import { useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import type { SearchHit } from '../../../sdk/src/index.ts'
import { gateway, useRead } from '../gateway.ts'
import { Badge, Time } from '../ui/atoms.tsx'
import { ErrorNote } from '../ui/feedback.tsx'
import { Icon } from '../ui/Icon.tsx'
import { COMMON } from '../ui/words.ts'
import { useLanguage, useWords } from '../words/language.ts'
import type { Area } from './area.ts'
import { SHELL } from './words.ts'

type Choice = { readonly key: string; readonly title: string; readonly beside: string; readonly to: string }

/** Where the console shows what the search has found; null for what it has no screen of. */
export function screenOf({
  type,
  id,
}: {
  readonly type: SearchHit['type'] | 'verification'
  readonly id: string
}): string | null {
  if (type === 'transfer') return `/transfers/${id}`
  if (type === 'payment') return `/payments/${id}`
  if (type === 'profile') return `/profiles/${id}`
  if (type === 'wallet') return `/wallets/${id}`
  if (type === 'webhook_endpoint') return `/developers/webhooks/${id}`
  if (type === 'verification') return `/verifications/${id}`
  if (type === 'event') return `/developers/events?id=${id}`
  if (type === 'key') return '/developers/keys'
  if (type === 'member') return '/members'
  return null
}

const HITS_MAX = 12

type Found = {
  readonly results: readonly SearchHit[]
  /** Contracts that ended up to then are found by their id alone; null where all are found by their words. */
  readonly removed_until: string | null
}

/** What can be chosen for what is typed: what the gateway finds, then where to go. */
function useChoices(areas: readonly Area[], text: string) {
  const language = useLanguage()
  const [typed] = useDebouncedValue(text.trim(), 150)
  const isAsked = typed.length > 1
  const find = (signal: AbortSignal) =>
    gateway.call<Found>({ method: 'GET', path: '/search', query: { q: typed, limit: HITS_MAX }, signal })
  // The index follows what happens by a moment: what was not found may be there with the next look.
  const search = useRead(['search', typed], find, {
    enabled: isAsked,
    refetchInterval: ({ state }) => (state.data?.results.length === 0 ? 2000 : false),
  })
  const going = areas
    .map(({ path, title, key }): Choice => {
      return { key: `go ${path}`, title: title[language].title, beside: key ? `g ${key}` : '', to: `/${path}` }
    })
    .filter(({ title }) => title.toLowerCase().includes(text.trim().toLowerCase()))
  const found = (isAsked ? (search.data?.results ?? []) : []).flatMap((hit): Choice[] => {
    const to = screenOf(hit)
    return to === null ? [] : [{ key: hit.id, title: hit.summary, beside: hit.type.replaceAll('_', ' '), to }]
  })
  const removedUntil = isAsked ? (search.data?.removed_until ?? null) : null
  return { choices: [...found, ...going], removedUntil, isAsking: isAsked && search.isFetching, error: search.error }
}

export function Palette({ areas, onClose }: { readonly areas: readonly Area[]; readonly onClose: () => void }) {
  const w = useWords(SHELL)
  const c = useWords(COMMON)
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [place, setPlace] = useState(0)
  const { choices, removedUntil, isAsking, error } = useChoices(areas, text)
  const take = (choice: Choice | undefined) => {
    if (!choice) return
    onClose()
    void navigate(choice.to)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') take(choices[place])
    if (step === undefined) return
    event.preventDefault()
    setPlace((at) => Math.max(0, Math.min(choices.length - 1, at + step)))
  }
  return (
    <Dialog onClose={onClose} size="lg" title={w.search} closeButtonProps={{ 'aria-label': c.close }} yOffset="10vh">
      <TextInput
        data-autofocus
        value={text}
        aria-label={w.searchFor}
        placeholder={w.searchFor}
        leftSection={<Icon name="search" size={16} />}
        role="combobox"
        aria-expanded
        aria-controls="palette"
        aria-activedescendant={choices[place] ? `palette-${place}` : undefined}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setPlace(0)
        }}
        onKeyDown={onKeyDown}
      />
      <Choices of={choices} place={place} onTake={take} onKeyDown={onKeyDown} />
      {isAsking && (
        <Text c="dimmed" size="sm" p="xs" role="status">
          {w.searching}
        </Text>
      )}
      {!isAsking && choices.length === 0 && <Text p="xs">{w.noHits}</Text>}
      {removedUntil !== null && (
        <Text c="dimmed" size="sm" p="xs">
          {w.removedUntil} <Time at={removedUntil} />
        </Text>
      )}
      {error ? <ErrorNote error={error} /> : null}
    </Dialog>
  )
}

type ChoicesProps = {
  readonly of: readonly Choice[]
  readonly place: number
  readonly onTake: (choice: Choice) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

function Choices({ of, place, onTake, onKeyDown }: ChoicesProps) {
  const w = useWords(SHELL)
  return (
    <div id="palette" role="listbox" aria-label={w.found} style={{ marginTop: 12 }}>
      {of.map((choice, at) => (
        <div
          key={choice.key}
          id={`palette-${at}`}
          className="palette-row"
          role="option"
          tabIndex={-1}
          aria-selected={at === place}
          onClick={() => onTake(choice)}
          onKeyDown={onKeyDown}
        >
          <span>{choice.title}</span>
          {choice.beside !== '' && <Badge>{choice.beside}</Badge>}
        </div>
      ))}
    </div>
  )
}
