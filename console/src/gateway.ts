// The one client of this page, and how its screens read and write with it: by TanStack Query, under keys that begin with the
// client's own group, such as ['transfers', 'list', filters], so that what an event is about can be read again.
import { QueryClient, type UseQueryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createGateway, GatewayError } from '../../sdk/src/index.ts'
import { oneByOne, type Write } from './once.ts'
import { rereading } from './reread.ts'
import { shared } from './shared.ts'

const inRecovery = shared(false)

/** Every reply says whether the gateway is in recovery. */
const noted: typeof fetch = async (...asked) => {
  const reply = await fetch(...asked)
  inRecovery.set(reply.headers.get('gateway-state') === 'recovery')
  return reply
}

/** Whether the gateway moves no money, because its database is older than what was done with it. */
export const useInRecovery = inRecovery.use

export const gateway = createGateway({ url: location.origin, fetch: noted })

export type Key = readonly [group: string, ...rest: readonly unknown[]]

export const queries = new QueryClient({
  defaultOptions: {
    // The client tries again by itself, where that can help.
    queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
})

/** Whether the gateway says that nobody is signed in any more. */
export const isSignedOut = (error: unknown): boolean => error instanceof GatewayError && error.status === 401

/** Reads once and again when an event says that it has changed. A session that has ended leads to the sign-in. */
export function useRead<T>(
  key: Key,
  read: (signal: AbortSignal) => Promise<T>,
  options: Partial<Pick<UseQueryOptions<T>, 'enabled' | 'staleTime' | 'refetchInterval' | 'placeholderData'>> = {},
) {
  return useQuery<T>({
    queryKey: key,
    queryFn: ({ signal }) => read(signal).catch((error: unknown) => endOnSignOut(error, key)),
    ...options,
  })
}

/**
 * Writes, and lets all that begins with one of the groups be read again. What makes something hands on its key, and names all that it
 * is made of in what is wanted: then a click after an answer that was lost makes nothing a second time (once.ts). In a dialog it has a
 * name, such as “refund ID”, by which this holds after the dialog was closed and opened again, too.
 */
export function useWrite<Wanted, Done>(write: Write<Wanted, Done>, groups: readonly string[], name?: string) {
  const client = useQueryClient()
  const [own] = useState(() => oneByOne<Wanted, Done>())
  const send = name === undefined ? own : oneByOne<Wanted, Done>(name)
  return useMutation<Done, Error, Wanted>({
    mutationFn: (wanted) => send(write, wanted).catch((error: unknown) => endOnSignOut(error, ['write'])),
    ...rereading(client, groups),
  })
}

function endOnSignOut(error: unknown, [group]: Key): never {
  if (isSignedOut(error) && group !== 'session') void queries.invalidateQueries({ queryKey: ['session'] })
  throw error
}
