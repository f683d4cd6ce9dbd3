// Live updates: one stream for all tabs of a browser, since a browser opens no more than six connections to one address. It says
// that the account has changed, and each tab reads again what it shows. The tab that holds the lock follows it and tells the others.
import { useEffect, useSyncExternalStore } from 'react'
import type { GatewayEvent } from '../../../sdk/src/index.ts'
import { gateway, isSignedOut, queries } from '../gateway.ts'

type Told = { readonly isChanged: true } | { readonly isOpen: boolean }

const watchers = new Set<() => void>()
let isOpen = false

/** What does not follow from the account's history: read again when it is asked for. */
const STILL = new Set(['session', 'resources', 'channels', 'requests', 'invitation', 'rehearsal'])

/** How soon what is shown is read again; one change after the other makes it wait longer, up to the second. */
const REFRESH_MS = 400
const REFRESH_MS_MAX = 8000
let waitMs = REFRESH_MS
let refreshedAt = 0
let timer: ReturnType<typeof setTimeout> | null = null

function tell(told: Told): void {
  if ('isOpen' in told) {
    isOpen = told.isOpen
    for (const watcher of watchers) watcher()
    return
  }
  if (performance.now() - refreshedAt > 2 * REFRESH_MS_MAX) waitMs = REFRESH_MS
  // Not all consoles at the same moment.
  timer ??= setTimeout(refresh, waitMs * (0.5 + Math.random() / 2))
}

/** Only what is on a screen is read at once, the rest when it is next shown. */
function refresh(): void {
  timer = null
  // Nobody looks: once is enough, when somebody does.
  if (document.hidden) return document.addEventListener('visibilitychange', refresh, { once: true })
  waitMs = Math.min(waitMs * 2, REFRESH_MS_MAX)
  refreshedAt = performance.now()
  void queries.invalidateQueries({ predicate: ({ queryKey: [group] }) => !STILL.has(String(group)) })
}

const AGAIN_MS = 30_000

/** Follows until the signal is aborted; a session that has ended ends it. */
async function follow(signal: AbortSignal, say: (told: Told) => void): Promise<void> {
  let isFirst = true
  const onOpen = () => {
    say({ isOpen: true })
    // What happened while nobody followed is not told again.
    if (!isFirst) say({ isChanged: true })
    isFirst = false
  }
  const options = { signal, onOpen, onLost: () => say({ isOpen: false }) }
  while (!signal.aborted) {
    try {
      for await (const _ of gateway.stream('/events/changes', {}, options)) say({ isChanged: true })
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
  const channel = new BroadcastChannel('console-changes')
  channel.onmessage = ({ data }: MessageEvent<Told>) => tell(data)
  const say = (told: Told) => {
    tell(told)
    channel.postMessage(told)
  }
  const lead = () => follow(stop.signal, say)
  // Without locks (a page that came over plain http from elsewhere) each tab follows for itself.
  if (navigator.locks)
    void navigator.locks.request('console-changes', { signal: stop.signal }, lead).catch(() => undefined)
  else void lead()
  return () => {
    stop.abort()
    channel.close()
  }
}

/** Hears each event as it comes, while the screen is open: for a log that shows them. Everything else follows by itself. */
export function useEvents(listener: (event: GatewayEvent) => void, isOn = true): void {
  useEffect(() => {
    if (!isOn) return
    const stop = new AbortController()
    const listen = async () => {
      for await (const event of gateway.events.follow({ signal: stop.signal })) listener(event)
    }
    listen().catch((error: unknown) => {
      if (isSignedOut(error)) void queries.invalidateQueries({ queryKey: ['session'] })
    })
    return () => stop.abort()
  }, [listener, isOn])
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
