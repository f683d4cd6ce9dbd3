// Rows that do not jump: a list that is read again shows what changed in the rows that are there, and says how many are new; those
// come when somebody asks for them.
import { useEffect, useState } from 'react'

type Shown = { readonly key: string; readonly ids: readonly string[] }

/** `rows` as they were read last, under a key that says which list they are; undefined while none are. */
export function useQuietRows<T extends { readonly id: string }>(rows: readonly T[] | undefined, key: string) {
  const [shown, setShown] = useState<Shown | null>(null)
  const [known, setKnown] = useState<ReadonlyMap<string, T>>(new Map())
  const isOther = rows !== undefined && shown?.key !== key
  useEffect(() => {
    if (rows === undefined) return
    setKnown((before) => new Map([...(isOther ? [] : before), ...rows.map((row) => [row.id, row] as const)]))
    if (isOther) setShown({ key, ids: rows.map(({ id }) => id) })
  }, [rows, key, isOther])
  if (rows === undefined || shown === null || isOther) return { rows, news: 0, showNews: () => undefined }
  const fresh = rows.filter(({ id }) => !shown.ids.includes(id))
  // An empty list has nothing that could jump.
  if (shown.ids.length === 0) return { rows, news: 0, showNews: () => undefined }
  const first = shown.ids[0] ?? ''
  return {
    rows: shown.ids.flatMap((id) => rows.find((row) => row.id === id) ?? known.get(id) ?? []),
    // Ids rise with time: what is older than the first row only moved up.
    news: fresh.filter(({ id }) => id > first).length,
    showNews: () => setShown({ key, ids: rows.map(({ id }) => id) }),
  }
}
