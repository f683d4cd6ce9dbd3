// A value of the whole page that is no screen's own: who shows it is drawn anew when it changes.
import { useSyncExternalStore } from 'react'

export function shared<T>(first: T) {
  let value = first
  const watching = new Set<() => void>()
  const watch = (tell: () => void) => {
    watching.add(tell)
    return () => watching.delete(tell)
  }
  return {
    set: (next: T) => {
      if (Object.is(next, value)) return
      value = next
      for (const tell of watching) tell()
    },
    /** The value as it is by now, for a component. */
    use: (): T => useSyncExternalStore(watch, () => value),
  }
}
