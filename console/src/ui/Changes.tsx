// What changed, in words: each member as it was and as it is.
import { VisuallyHidden } from '@mantine/core'
import { useLanguage, useWords } from '../words/language.ts'
import { timeText } from './amounts.ts'
import { CHANGE_WORDS } from './change-words.ts'

type Values = Readonly<Record<string, unknown>>

type ChangesProps = {
  readonly before: Values | null
  readonly after: Values | null
  /** How people call a member: time_zone is “Time zone”. */
  readonly nameOf: (member: string) => string
}

export function Changes({ before, after, nameOf }: ChangesProps) {
  const w = useWords(CHANGE_WORDS)
  const shown = useShown()
  const was = flat(before)
  const is = flat(after)
  const members = [...new Set([...was.keys(), ...is.keys()])].filter((name) => !same(was.get(name), is.get(name)))
  if (members.length === 0) return null
  return (
    <dl className="changes">
      {members.map((name) => (
        <div key={name}>
          <dt>{nameOf(name)}</dt>
          <dd>
            {before !== null && (
              <>
                <VisuallyHidden>{w.was}</VisuallyHidden>
                <del>{shown(was.get(name))}</del>
                {after !== null && <span aria-hidden="true"> → </span>}
              </>
            )}
            {after !== null && (
              <>
                <VisuallyHidden>{w.is}</VisuallyHidden>
                <ins>{shown(is.get(name))}</ins>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const same = (one: unknown, other: unknown) => plain(one) === plain(other)

/** What is empty is nothing. */
const plain = (value: unknown) => (Array.isArray(value) && value.length === 0 ? 'null' : JSON.stringify(value ?? null))

const isGroup = (value: unknown): value is Values => typeof value === 'object' && value !== null

/**
 * Members by their path: {settings: {retries: 2}} has settings.retries. A list of texts is one value; things in a list are told
 * apart by what they are called.
 */
function flat(values: Values | null): Map<string, unknown> {
  const found = new Map<string, unknown>()
  const add = (path: string, value: unknown) => {
    if (!isGroup(value) || (Array.isArray(value) && !value.some(isGroup))) return void found.set(path, value)
    const inner = Array.isArray(value) ? value.map((each: Values, at) => [calledOf(each, at), each] as const) : null
    for (const [name, each] of inner ?? Object.entries(value)) add(path === '' ? name : `${path}.${name}`, each)
  }
  if (values !== null) add('', values)
  return found
}

function calledOf({ label, name, channel }: Values, place: number): string {
  const said = [label, name, channel].find((each) => typeof each === 'string')
  return typeof said === 'string' ? said : String(place + 1)
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/
const LONG = 120

/** A value as people read it. */
function useShown(): (value: unknown) => string {
  const w = useWords(CHANGE_WORDS)
  const language = useLanguage()
  const shown = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return w.nothing
    if (typeof value === 'boolean') return value ? w.yes : w.no
    if (Array.isArray(value)) return value.length === 0 ? w.nothing : value.map(shown).join(', ')
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (text.startsWith('data:image/')) return w.picture(Math.ceil((text.length * 3) / 4096))
    if (MOMENT.test(text)) return timeText(text, language)
    return text.length > LONG ? `${text.slice(0, LONG)}…` : text
  }
  return shown
}
