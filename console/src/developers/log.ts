// A log that grows at its top while one looks: held still while it is paused, and never longer than a page can bear.
import { useCallback, useEffect, useRef, useState } from 'react'

const ROWS_MAX = 200

export type LiveLog<T> = {
  readonly rows: readonly T[]
  readonly isPaused: boolean
  /** How many came while it was paused. */
  readonly waiting: number
  readonly add: (row: T) => void
  readonly pause: () => void
  readonly resume: () => void
}

/** `key` names what the log is of: another one begins anew. */
export function useLiveLog<T>(key: string): LiveLog<T> {
  const [rows, setRows] = useState<readonly T[]>([])
  const [held, setHeld] = useState<readonly T[]>([])
  const [isPaused, setPaused] = useState(false)
  const paused = useRef(isPaused)
  paused.current = isPaused
  useEffect(() => {
    setRows([])
    setHeld([])
  }, [key])
  const add = useCallback((row: T) => {
    const put = paused.current ? setHeld : setRows
    put((before) => [row, ...before].slice(0, ROWS_MAX))
  }, [])
  const resume = () => {
    setRows((before) => [...held, ...before].slice(0, ROWS_MAX))
    setHeld([])
    setPaused(false)
  }
  return { rows, isPaused, waiting: held.length, add, pause: () => setPaused(true), resume }
}

/** The new ones before those that were read, each once. */
export const merged = <T>(fresh: readonly T[], read: readonly T[], keyOf: (row: T) => string): readonly T[] => {
  const known = new Set(fresh.map(keyOf))
  return [...fresh, ...read.filter((row) => !known.has(keyOf(row)))]
}
