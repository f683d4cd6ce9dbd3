// Live updates: one stream of events for all tabs of a browser, since a browser opens no more than six connections to one
// address. The tab that holds the lock follows the stream and tells the others; each reads again what an event is about.
import { useEffect, useSyncExternalStore } from 'react'
import type { GatewayEvent } from '../../../sdk/src/index.ts'
import { gateway, isSignedOut, queries } from '../gateway.ts'

type Told = { readonly event: GatewayEvent } | { readonly isOpen: boolean }
type Listener = (event: GatewayEvent) => void

const listeners = new Set<Listener>()
const watchers = new Set<() => void>()
let isOpen = false

/** Groups of queries that an event makes old, by how its type begins. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  contract: ['transfers', 'payments', 'wallets', 'overview', 'operations'],
  wallet: ['wallets', 'overview'],
  profile: ['profiles'],
  key: ['keys'],
  member: ['members'],
  account: ['accounts', 'session'],
}
/** How soon what an event is about is read again; one event after the other makes it wait longer, up to the second. */
const REFRESH_MS = 700
const REFRESH_MS_MAX = 8000
let waitMs = REFRESH_MS
let refreshedAt = 0
const stale = new Set<string>()
let timer: ReturnType<typeof setTimeout> | null = null

function tell(told: Told): void {
  if ('isOpen' in told) {
    isOpen = told.isOpen
    for (const watcher of watchers) watcher()
    return
  }
  for (const listener of listeners) listener(told.event)
  for (const group of GROUPS[told.event.type.split('.')[0] ?? ''] ?? []) stale.add(group)
  stale.add('events')
  if (performance.now() - refreshedAt > 2 * REFRESH_MS_MAX) waitMs = REFRESH_MS
  // Many events at once are one look, and not of all consoles at the same moment.
  timer ??= setTimeout(refresh, waitMs * (0.5 + Math.random() / 2))
}

function refresh(): void {
  timer = null
  // Nobody looks: once is enough, when somebody does.
  if (document.hidden) return document.addEventListener('visibilitychange', refresh, { once: true })
  waitMs = Math.min(waitMs * 2, REFRESH_MS_MAX)
  refreshedAt = performance.now()
  const groups = [...stale]
  stale.clear()
  for (const group of groups) void queries.invalidateQueries({ queryKey: [group] })
}

const AGAIN_MS = 30_000

/** Follows until the signal is aborted; a session that has ended ends it. */
async function follow(signal: AbortSignal, say: (told: Told) => void): Promise<void> {
  const options = { signal, onOpen: () => say({ isOpen: true }), onLost: () => say({ isOpen: false }) }
  while (!signal.aborted) {
    try {
      for await (const event of gateway.events.follow(options)) say({ event })
    } catch (error) {
      say({ isOpen: false })
      if (isSignedOut(error)) return void queries.invalidateQueries({ queryKey: ['session'] })
      // Too many follow, or the gateway is away: it is asked again, and screens say meanwhile that they are not live.
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  }
}

/** Begins to follow; ends with what it gives back. */
export function startLive(): () => void {
  const stop = new AbortController()
  const channel = new BroadcastChannel('console-events')
  channel.onmessage = ({ data }: MessageEvent<Told>) => tell(data)
  const say = (told: Told) => {
    tell(told)
    channel.postMessage(told)
  }
  const lead = () => follow(stop.signal, say)
  // Without locks (a page that came over plain http from elsewhere) each tab follows for itself.
  if (navigator.locks)
    void navigator.locks.request('console-events', { signal: stop.signal }, lead).catch(() => undefined)
  else void lead()
  return () => {
    stop.abort()
    channel.close()
  }
}

/** Hears each event as it comes, for lists that show them. */
export function useEvents(listener: Listener): void {
  useEffect(() => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [listener])
}

/** Whether what is shown follows by itself. */
export const useIsLive = (): boolean =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => isOpen,
  )
