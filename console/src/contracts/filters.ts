// The filters of a list of contracts. The URL is the truth: what is saved under a name in this browser is the query of a URL.
import { momentOn } from '../words/days.ts'
import { useState } from 'react'
import { useSearchParams } from 'react-router'

export const FILTERS = [
  'status',
  'channel',
  'currency',
  'reference_id',
  'amount_from',
  'amount_to',
  'created_from',
  'created_to',
  'profile',
] as const
export type FilterName = (typeof FILTERS)[number]
export type Filters = Readonly<Partial<Record<FilterName, string>>>

/** What the URL says, and how it is changed: several at once, back to the first page. */
export function useFilters(): { readonly filters: Filters; readonly set: (changes: Filters | null) => void } {
  const [params, setParams] = useSearchParams()
  const filters = Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = params.get(name)
      return value ? [[name, value]] : []
    }),
  ) as Filters
  const set = (changes: Filters | null) =>
    setParams((before) => {
      const wanted = new URLSearchParams(before)
      for (const name of changes === null ? FILTERS : (Object.keys(changes) as FilterName[])) {
        const value = changes?.[name]
        if (value) wanted.set(name, value)
        else wanted.delete(name)
      }
      wanted.delete('after')
      return wanted
    })
  return { filters, set }
}

/**
 * The same as the query of the API, which takes amounts as numbers and several statuses as a list. Days are those of the reader's clock,
 * by which the list shows its times: the API would take a day alone for one in UTC.
 */
export function queryOf({ status, amount_from: from, amount_to: to, created_from, created_to, ...filters }: Filters) {
  const hasCurrency = filters.currency !== undefined
  return {
    ...filters,
    ...(created_from ? { created_from: momentOn(created_from, 'first') ?? created_from } : {}),
    ...(created_to ? { created_to: momentOn(created_to, 'last') ?? created_to } : {}),
    ...(status ? { status: status.split(',') } : {}),
    // Without its currency an amount says nothing, and the gateway refuses it.
    ...(from && hasCurrency ? { amount_from: Number(from) } : {}),
    ...(to && hasCurrency ? { amount_to: Number(to) } : {}),
  }
}

/** What is kept in this browser; nothing where it keeps nothing. */
function kept<T>(key: string, otherwise: T): T {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as T | null) ?? otherwise
  } catch {
    return otherwise
  }
}

export function useKept<T>(key: string, otherwise: T): readonly [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => kept(key, otherwise))
  const keep = (wanted: T) => {
    setValue(wanted)
    try {
      localStorage.setItem(key, JSON.stringify(wanted))
    } catch {
      // Until the page is closed, then.
    }
  }
  return [value, keep]
}
