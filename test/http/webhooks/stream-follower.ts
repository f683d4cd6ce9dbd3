// A client of the event stream over a real socket, which says what it heard and can be cut, or stop reading.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../../world.ts'

export type Told = { readonly id: string; readonly type: string; readonly data: string }

export type Follower = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly events: Told[]
  readonly ids: () => string[]
  /** What was neither event nor comment. */
  readonly other: string[]
  readonly comments: () => number
  /** All that came, for a reply that is no stream. */
  readonly text: () => string
  /** Whether the server ended it, and did so in good order; null while it is open. */
  readonly ending: () => 'ended' | 'broken' | null
  readonly pause: () => void
  readonly resume: () => void
  readonly cut: () => void
}

export type From = {
  readonly after?: string | undefined
  readonly lastEventId?: string | undefined
  readonly types?: string
}

/** Opens a stream; its head has come when this resolves. */
export async function follow(base: string, { apiKey }: Pick<Caller, 'apiKey'>, from: From = {}): Promise<Follower> {
  const url = new URL('/events/stream', base)
  if (from.after !== undefined) url.searchParams.set('after', from.after)
  if (from.types !== undefined) url.searchParams.set('types', from.types)
  const last = from.lastEventId === undefined ? {} : { 'last-event-id': from.lastEventId }
  const sent = request(url, { agent: false, headers: { 'x-api-key': apiKey, ...last } })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return followed(response)
}

function followed(response: IncomingMessage): Follower {
  const events: Told[] = []
  const other: string[] = []
  let comments = 0
  let ending: 'ended' | 'broken' | null = null
  let rest = ''
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    const blocks = `${rest}${chunk}`.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const told = /^id: (\S+)\nevent: (\S+)\ndata: ([^\n\r]*)$/.exec(block)
      if (told) events.push({ id: told[1] ?? '', type: told[2] ?? '', data: told[3] ?? '' })
      else if (block.startsWith(':')) comments++
      else other.push(block)
    }
  })
  response.on('end', () => {
    ending = 'ended'
  })
  response.on('error', () => undefined)
  response.on('close', () => {
    ending ??= 'broken'
  })
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    ids: () => events.map(({ id }) => id),
    other,
    comments: () => comments,
    text: () => rest,
    ending: () => ending,
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    cut: () => void response.destroy(),
  }
}

const POLL_MS = 5

/** Waits until it is so; how long that took. Fails after the given time. */
export async function until(isSo: () => boolean, withinMs: number, what: string): Promise<number> {
  const from = performance.now()
  while (!isSo()) {
    if (performance.now() - from > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`)
    await sleep(POLL_MS)
  }
  return performance.now() - from
}
