// The command palette: where to go, and what the gateway finds for what is typed.
import { Modal, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import type { SearchHit } from '../../../sdk/src/index.ts'
import { gateway, useRead } from '../gateway.ts'
import { Badge } from '../ui/atoms.tsx'
import { ErrorNote } from '../ui/feedback.tsx'
import { Icon } from '../ui/Icon.tsx'
import { COMMON } from '../ui/words.ts'
import { useLanguage, useWords } from '../words/language.ts'
import type { Area } from './area.ts'
import { SHELL } from './words.ts'

type Choice = { readonly key: string; readonly title: string; readonly beside: string; readonly to: string }

/** Where the console shows what the search has found; null for what it has no screen of. */
export function screenOf({ type, id }: Pick<SearchHit, 'type' | 'id'>): string | null {
  if (type === 'transfer') return `/transfers/${id}`
  if (type === 'payment') return `/payments/${id}`
  if (type === 'profile') return `/profiles/${id}`
  if (type === 'wallet') return `/wallets/${id}`
  if (type === 'webhook_endpoint') return `/developers/webhooks/${id}`
  if (type === 'event') return `/developers/events?id=${id}`
  if (type === 'key') return '/developers/keys'
  if (type === 'member') return '/members'
  return null
}

const HITS_MAX = 12

export function Palette({ areas, onClose }: { readonly areas: readonly Area[]; readonly onClose: () => void }) {
  const w = useWords(SHELL)
  const c = useWords(COMMON)
  const language = useLanguage()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [place, setPlace] = useState(0)
  const [typed] = useDebouncedValue(text.trim(), 150)
  const search = useRead(
    ['search', typed],
    (signal) => gateway.search.find({ q: typed, limit: HITS_MAX }, { signal }).page(),
    { enabled: typed.length > 1 },
  )
  const isAsking = typed.length > 1 && search.isFetching
  const going = areas
    .map(({ path, title, key }) => ({
      key: `go ${path}`,
      title: title[language].title,
      beside: key ? `g ${key}` : '',
      to: `/${path}`,
    }))
    .filter(({ title }) => title.toLowerCase().includes(text.trim().toLowerCase()))
  const found = (typed.length > 1 ? (search.data?.items ?? []) : []).flatMap((hit): Choice[] => {
    const to = screenOf(hit)
    return to === null ? [] : [{ key: hit.id, title: hit.summary, beside: hit.type.replaceAll('_', ' '), to }]
  })
  const choices = [...found, ...going]
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
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={w.search}
      closeButtonProps={{ 'aria-label': c.close }}
      yOffset="10vh"
    >
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
      <div id="palette" role="listbox" aria-label={w.found} style={{ marginTop: 12 }}>
        {choices.map((choice, at) => (
          <div
            key={choice.key}
            id={`palette-${at}`}
            className="palette-row"
            role="option"
            tabIndex={-1}
            aria-selected={at === place}
            onClick={() => take(choice)}
            onKeyDown={onKeyDown}
          >
            <span>{choice.title}</span>
            {choice.beside !== '' && <Badge>{choice.beside}</Badge>}
          </div>
        ))}
      </div>
      {isAsking && (
        <Text c="dimmed" size="sm" p="xs" role="status">
          {w.searching}
        </Text>
      )}
      {!isAsking && choices.length === 0 && <Text p="xs">{w.noHits}</Text>}
      {search.error ? <ErrorNote error={search.error} /> : null}
    </Modal>
  )
}
