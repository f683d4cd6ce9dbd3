// Pages of a list by their cursor. The cursor stands in the URL (`after`), so that a page can be linked, and the browser's own
// way back leads to the page before.
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import type { Page } from '../../../sdk/src/index.ts'
import { type Key, useRead } from '../gateway.ts'

export type Paging = {
  readonly isFirst: boolean
  readonly next: string | null
  readonly goOn: () => void
  readonly goBack: () => void
}

/** Reads the page that the URL names. `ask` gets the cursor; the key must hold all else that the list depends on. */
export function usePage<T>(key: Key, ask: (after: string | undefined, signal: AbortSignal) => Promise<Page<T>>) {
  const [params, setParams] = useSearchParams()
  const navigate = useNavigate()
  const after = params.get('after') ?? undefined
  const read = useRead<Page<T>>([...key, { after }], (signal) => ask(after, signal), {
    placeholderData: keepPreviousData as never,
  })
  const next = read.data?.next ?? null
  const at = (cursor: string | null) => {
    const wanted = new URLSearchParams(params)
    if (cursor === null) wanted.delete('after')
    else wanted.set('after', cursor)
    return wanted
  }
  const paging: Paging = {
    isFirst: after === undefined,
    next,
    goOn: () => setParams(at(next), { state: { isPaged: true } }),
    // Who came by Next has the page before behind them; who followed a link has not.
    goBack: () => (history.state?.usr?.isPaged ? void navigate(-1) : setParams(at(null))),
  }
  // `isOld`: the rows are still those of the page before.
  const isOld = read.isPlaceholderData
  return { rows: read.data?.items, isOld, error: read.error, onAgain: () => void read.refetch(), paging }
}

/** A filter that stands in the URL; to change it leads to the first page again. */
export function useFilter(name: string): readonly [value: string, set: (value: string) => void] {
  const [params, setParams] = useSearchParams()
  const set = (value: string) =>
    setParams((before) => {
      const wanted = new URLSearchParams(before)
      if (value === '') wanted.delete(name)
      else wanted.set(name, value)
      wanted.delete('after')
      return wanted
    })
  return [params.get(name) ?? '', set]
}
