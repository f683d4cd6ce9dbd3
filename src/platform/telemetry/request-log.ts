// The latest requests of each account, in the memory of this process: as many as the bounds allow, the accounts that have
// been quiet for longest are forgotten first. A record holds ids, codes and times; never a body, a header, a path or a query.
import { LRUCache } from 'lru-cache'
import type { Observed } from './observed.ts'

export type RequestRecord = Readonly<Omit<Observed, 'submittedAt'>> & {
  readonly id: string
  /** When it began, in milliseconds since the epoch. */
  readonly at: number
  readonly method: string
  /** The operation as the API document names it; its place in the API where it has no name there. */
  readonly operation: string
  /** The path as the API document has it, without ids. */
  readonly route: string
  readonly status: number
  /** Whether the answer was kept under the request's idempotency key. */
  readonly replayed: boolean
  readonly durationMs: number
  readonly accountId: string | null
  readonly livemode: boolean | null
  readonly keyId: string | null
  readonly memberId: string | null
  /** Null where nothing is traced. */
  readonly traceId: string | null
}

export type RequestLog = {
  readonly add: (accountId: string, record: RequestRecord) => void
  /** What is kept of an account, oldest first. */
  readonly of: (accountId: string) => readonly RequestRecord[]
  /** The same of all processes that answer at this port, those that were answered later after the others. */
  readonly ofAll: (accountId: string) => Promise<readonly RequestRecord[]>
  /** Calls back for each request of the account, until the function that is returned is called. */
  readonly listen: (accountId: string, onRequest: () => void) => () => void
}

export type LogBounds = { readonly ofAccount: number; readonly inAll: number }

const BOUNDS: LogBounds = { ofAccount: 500, inAll: 20_000 }

export function openRequestLog({ ofAccount, inAll }: LogBounds = BOUNDS): RequestLog {
  let held = 0
  const accounts = new LRUCache<string, RequestRecord[]>({
    max: inAll,
    dispose: (records) => {
      held -= records.length
    },
  })
  const listeners = new Map<string, Set<() => void>>()
  const of = (accountId: string) => accounts.get(accountId) ?? []
  return {
    add: (accountId, record) => {
      const records = accounts.get(accountId) ?? []
      if (records.length === 0) accounts.set(accountId, records)
      records.push(record)
      held += 1
      if (records.length > ofAccount) {
        records.shift()
        held -= 1
      }
      while (held > inAll) accounts.pop()
      for (const onRequest of listeners.get(accountId) ?? []) onRequest()
    },
    of,
    ofAll: async (accountId) => of(accountId),
    listen: (accountId, onRequest) => {
      const own = listeners.get(accountId) ?? new Set()
      listeners.set(accountId, own.add(onRequest))
      return () => {
        own.delete(onRequest)
        if (own.size === 0) listeners.delete(accountId)
      }
    },
  }
}

/** What several processes know of an account, in the order in which it was answered. */
export const inOrder = (known: readonly (readonly RequestRecord[])[]): readonly RequestRecord[] =>
  known.flat().toSorted((one, other) => answeredAt(one) - answeredAt(other))

const answeredAt = ({ at, durationMs }: RequestRecord) => at + durationMs
