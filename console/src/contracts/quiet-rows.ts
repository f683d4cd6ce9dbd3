// Rows that do not jump: a list that is read again shows what changed in the rows that are there, and says how many are new; those
// come when somebody asks for them. A row that it no longer holds stays in its place, and is known to be past.
import { useEffect, useState } from 'react'

type Row = { readonly id: string }
type Shown = { readonly key: string; readonly ids: readonly string[] }

/** `rows` as they were read last, under a key that says which list they are; undefined while none are. */
export function useQuietRows<T extends Row>(rows: readonly T[] | undefined, key: string) {
  const [shown, setShown] = useState<Shown | null>(null)
  const [known, setKnown] = useState<ReadonlyMap<string, T>>(new Map())
  const isOther = rows !== undefined && shown?.key !== key
  useEffect(() => {
    if (rows === undefined) return
    setKnown((before) => new Map([...(isOther ? [] : before), ...rows.map((row) => [row.id, row] as const)]))
    if (isOther) setShown({ key, ids: rows.map(({ id }) => id) })
  }, [rows, key, isOther])
  // An empty list has nothing that could jump.
  if (rows === undefined || shown === null || isOther || shown.ids.length === 0)
    return { rows, news: 0, past: NONE, showNews: () => undefined }
  return { ...quiet(rows, shown.ids, known), showNews: () => setShown({ key, ids: rows.map(({ id }) => id) }) }
}

const NONE: ReadonlySet<string> = new Set()

/** The rows that stay where they are, how many are new, and the ids of those that stand as they were read before. */
function quiet<T extends Row>(rows: readonly T[], ids: readonly string[], known: ReadonlyMap<string, T>) {
  const read = new Map(rows.map((row) => [row.id, row]))
  const first = ids[0] ?? ''
  return {
    rows: ids.flatMap((id) => read.get(id) ?? known.get(id) ?? []),
    // Ids rise with time: what is older than the first row only moved up.
    news: rows.filter(({ id }) => !ids.includes(id) && id > first).length,
    past: new Set(ids.filter((id) => !read.has(id))),
  }
}
