// What a write may have changed is read again, whether it was done or nobody knows. Must not know how it is written.
import type { QueryClient } from '@tanstack/react-query'
import { isRefused } from './once.ts'

/** For a mutation: all that begins with one of the groups is read again. */
export function rereading(client: QueryClient, groups: readonly string[]) {
  const reread = () => Promise.all(groups.map((group) => client.invalidateQueries({ queryKey: [group] })))
  return {
    onSuccess: reread,
    // It may have been done, and whoever would ask again should see it. Nobody waits for it: what lost one answer may lose more.
    onError: (error: Error) => {
      if (!isRefused(error)) void reread()
    },
  }
}
