// Follows the payment: by server-sent events, and by polling where those do not come. A change is shown by taking the
// page's body from the server anew, so that there is one place that draws it.
import { setServerTime } from './clock.ts'
import type { Change } from './leave.ts'
import { mainOf, say } from './page.ts'

const ASK_EVERY_MS = 4000
/** A message from the server comes at least this often, or the connection is dead. */
const SILENCE_MS = 40_000
const TRIES_MAX = 3

type Status = { readonly stamp: string; readonly server_time: string }

let onChange: (change: Change) => void = () => undefined
let source: EventSource | undefined
let asking: ReturnType<typeof setTimeout> | undefined
let receivedAt = Date.now()
let latest = ''
let isLooking = false

/** Follows the payment of this page; `changed` is called after each new body. */
export function follow(changed: (change: Change) => void): void {
  onChange = changed
  if (!mainOf()?.dataset['path'] || isFinal()) return
  listen()
  asking = setTimeout(() => void ask(), ASK_EVERY_MS)
  // A page that was put aside may have missed everything.
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void look())
  addEventListener('pageshow', (event) => event.persisted && void look())
  addEventListener('pagehide', () => source?.close())
}

/** Polls at once, such as when the time is up. */
export function lookNow(): void {
  setTimeout(() => void look(), 500)
}

const isFinal = () => mainOf()?.dataset['final'] !== undefined

function listen(): void {
  source?.close()
  source = new EventSource(`${mainOf()?.dataset['path']}/events`)
  source.addEventListener(
    'status',
    (event) => void received(JSON.parse((event as MessageEvent<string>).data) as Status),
  )
  source.addEventListener('alive', () => {
    receivedAt = Date.now()
  })
}

/** Polls where the stream is silent: it may be cut off on the way. */
async function ask(): Promise<void> {
  clearTimeout(asking)
  const isCut = source?.readyState !== EventSource.OPEN || Date.now() - receivedAt > SILENCE_MS
  if (isCut && document.visibilityState === 'visible') await look()
  if (source?.readyState === EventSource.CLOSED && !isFinal()) listen()
  if (!isFinal()) asking = setTimeout(() => void ask(), ASK_EVERY_MS)
}

async function look(): Promise<void> {
  if (isFinal()) return
  try {
    const reply = await fetch(`${mainOf()?.dataset['path']}/status`, { cache: 'no-store' })
    if (reply.ok) await received((await reply.json()) as Status)
  } catch {
    // No network at the moment: the next poll may have one.
  }
}

async function received({ stamp, server_time }: Status): Promise<void> {
  receivedAt = Date.now()
  latest = stamp
  setServerTime(Date.parse(server_time))
  if (isLooking) return
  isLooking = true
  try {
    // What comes meanwhile is handled in this loop too; a page that is behind is fetched again with the next event.
    for (let tries = 0; tries < TRIES_MAX && !isShown(latest); tries++) {
      const reply = await fetch(location.href, { cache: 'no-store', headers: { accept: 'text/html' } })
      if (reply.ok) show(await reply.text())
    }
  } catch {
    // As above.
  } finally {
    isLooking = false
  }
}

/** A choice stays as it is while the payment does: a payer choosing another way is not sent back to the open one. */
function isShown(stamp: string): boolean {
  const shown = mainOf()?.dataset['stamp'] ?? stamp
  const [version, state] = shown.split('.')
  return shown === stamp || (state === 'choose' && stamp.split('.')[0] === version)
}

function show(text: string): void {
  const next = new DOMParser().parseFromString(text, 'text/html')
  const [before, after] = [mainOf(), mainOf(next)]
  if (!before || !after || before.dataset['stamp'] === after.dataset['stamp']) return
  const wasPaid = isPaid(before)
  const focused = document.activeElement
  const hadFocus = before.contains(focused)
  keepEntries(before, after)
  document.title = next.title
  before.replaceWith(after)
  onChange(isPaid(after) && !wasPaid ? 'paid' : 'found')
  const heading = document.getElementById('now')
  say(heading?.textContent ?? next.title)
  if (hadFocus) (document.getElementById(focused?.id || 'now') ?? heading)?.focus()
  if (isFinal()) source?.close()
}

const isPaid = (main: HTMLElement) => main.querySelector('.card.paid') !== null

/** What the payer has typed and opened stays, where the new body has it too. */
function keepEntries(before: HTMLElement, after: HTMLElement): void {
  const opened = [...before.querySelectorAll('details')].map((each) => each.open)
  for (const [index, each] of [...after.querySelectorAll('details')].entries()) each.open = opened[index] ?? false
  for (const field of before.querySelectorAll<HTMLInputElement>('input[id]')) {
    const same = after.querySelector<HTMLInputElement>(`#${field.id}`)
    if (same) same.value = field.value
  }
}
