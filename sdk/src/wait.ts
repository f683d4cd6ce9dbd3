// Waiting until a contract stands as wanted: told by the stream of events, and asked now and then, for a stream may be away
// or not allowed. All who wait share one stream.
import { GatewayError } from './errors.ts'
import { followEvents } from './follow.ts'
import { NEXT } from './operations.gen.ts'
import { rest } from './rests.ts'
import type { Transport } from './transport.ts'

export type WaitOptions = {
  /** When to give up. Default: ten minutes. */
  readonly timeoutMs?: number | undefined
  /** How often it asks at the least, beside what the stream tells. Default: 5,000. */
  readonly pollMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export type Kind = keyof typeof NEXT
type Seen = { readonly id: string; readonly status: string }
type Watch = { readonly see: (contract: Seen) => void; readonly look: () => void }

const TIMEOUT_MS = 600_000
const POLL_MS = 5000
const FIRST_POLL_MS = 250

export type Waiter = (kind: Kind, id: string, wanted: readonly string[], options?: WaitOptions) => Promise<unknown>

export function openWaiter(transport: Transport): Waiter {
  const watching = openWatching(transport)
  return async (kind, id, wanted, { timeoutMs = TIMEOUT_MS, pollMs = POLL_MS, signal } = {}) => {
    const over = new AbortController()
    const timer = setTimeout(() => over.abort(timedOut(kind, id, wanted, timeoutMs)), timeoutMs)
    const end = () => over.abort(signal?.reason)
    if (signal?.aborted) end()
    signal?.addEventListener('abort', end)
    try {
      return await untilSeen({ transport, watching, kind, id, wanted, pollMs, signal: over.signal })
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
    }
  }
}

type Waiting = {
  readonly transport: Transport
  readonly watching: Watching
  readonly kind: Kind
  readonly id: string
  readonly wanted: readonly string[]
  readonly pollMs: number
  readonly signal: AbortSignal
}

async function untilSeen({ transport, watching, kind, id, wanted, pollMs, signal }: Waiting): Promise<unknown> {
  let found: Seen | null = null
  let nap = new AbortController()
  const see = (contract: Seen) => {
    if (found !== null || !isDecided(kind, contract, wanted)) return
    found = contract
    nap.abort()
  }
  const leave = watching.join(id, { see, look: () => nap.abort() })
  const wake = () => nap.abort()
  signal.addEventListener('abort', wake)
  try {
    for (let waitMs = FIRST_POLL_MS; found === null; waitMs = Math.min(waitMs * 2, pollMs)) {
      signal.throwIfAborted()
      nap = new AbortController()
      const seen = await asked(transport, kind, id, signal)
      if (seen !== null) see(seen)
      if (found === null) await rest(Math.min(waitMs, pollMs), nap.signal)
    }
    return whichIs(kind, found, wanted)
  } finally {
    signal.removeEventListener('abort', wake)
    leave()
  }
}

/** The contract as it stands, or null while nobody answers. */
async function asked(transport: Transport, kind: Kind, id: string, signal: AbortSignal): Promise<Seen | null> {
  try {
    const reply = await transport.call({ method: 'GET', path: `/contracts/${kind}/${encodeURIComponent(id)}`, signal })
    return (reply as { readonly data: { readonly contract: Seen } }).data.contract
  } catch (fault) {
    if (fault instanceof GatewayError && fault.mayPass && !signal.aborted) return null
    throw fault
  }
}

const isDecided = (kind: Kind, { status }: Seen, wanted: readonly string[]) =>
  wanted.includes(status) || !leadsTo(kind, status, wanted)

/** Whether any way leads from the status to one that is wanted. */
function leadsTo(kind: Kind, status: string, wanted: readonly string[]): boolean {
  const next = NEXT[kind] as Readonly<Record<string, readonly string[]>>
  const reached = new Set([status])
  for (const each of reached) for (const after of next[each] ?? []) reached.add(after)
  return wanted.some((each) => reached.has(each))
}

function whichIs(kind: Kind, contract: Seen, wanted: readonly string[]): Seen {
  const { status } = contract
  if (wanted.includes(status)) return contract
  throw new GatewayError(
    `The ${kind} contract is ${status}, and will not be ${wanted.join(' or ')} any more; see error.contract.`,
    { code: 'status_unreachable', contract },
  )
}

function timedOut(kind: Kind, id: string, wanted: readonly string[], timeoutMs: number): GatewayError {
  return new GatewayError(
    `The ${kind} contract ${id} was not ${wanted.join(' or ')} within ${timeoutMs / 1000} s (timeoutMs).`,
    { code: 'wait_timeout' },
  )
}

type Watching = { readonly join: (id: string, watch: Watch) => () => void }

/** One stream for all who wait, open while somebody does. Where it is refused, they go on by asking. */
function openWatching(transport: Transport): Watching {
  const watches = new Map<string, Set<Watch>>()
  let stop: AbortController | null = null

  const all = () => [...watches.values()].flatMap((each) => [...each])
  const follow = async (signal: AbortSignal) => {
    // What happened before it was open is seen by another look.
    const onOpen = () => all().forEach(({ look }) => look())
    for await (const { data } of followEvents(transport, { signal, onOpen })) {
      const { object } = (JSON.parse(data) as { readonly data: { readonly object: Seen } }).data
      for (const { see } of watches.get(object.id) ?? []) see(object)
    }
  }

  return {
    join: (id, watch) => {
      const here = watches.get(id) ?? new Set()
      watches.set(id, here.add(watch))
      if (stop === null) {
        stop = new AbortController()
        follow(stop.signal).catch(() => undefined)
      }
      return () => {
        here.delete(watch)
        if (here.size === 0) watches.delete(id)
        if (watches.size > 0) return
        stop?.abort()
        stop = null
      }
    },
  }
}
