// Posting to receivers: signed, a few at once, and again until it is confirmed. Real time, whatever the provider's clock
// says. It must not know what is sent.
import { setTimeout as pause } from 'node:timers/promises'
import { hmac } from '../credentials.ts'

const ATTEMPT_TIMEOUT_MS = 5_000
const FIRST_PAUSE_MS = 200
const PAUSE_MAX_MS = 30_000
const IN_FLIGHT_MAX = 32

export type Post = {
  readonly url: string
  /** Signs the body. */
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Poster = {
  /** Whether the receiver confirmed it. */
  post(post: Post): Promise<boolean>
  /** Posts what `next` gives until the receiver confirms, or until there is nothing left to send. */
  postUntilConfirmed(next: () => Post | null): Promise<void>
}

export function openPoster(stopped: AbortSignal): Poster {
  const gate = openGate()
  async function post({ url, secret, headers, body }: Post): Promise<boolean> {
    await gate.enter()
    try {
      const time = Math.floor(Date.now() / 1_000)
      const answer = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          ...headers,
          'content-type': 'application/json',
          'service-signature': `t=${time},v1=${hmac(secret, `${time}.${body}`, 'hex')}`,
        },
        body,
        signal: AbortSignal.any([stopped, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]),
      })
      await answer.body?.cancel()
      return answer.ok
    } catch {
      // No answer is no confirmation.
      return false
    } finally {
      gate.leave()
    }
  }
  async function postUntilConfirmed(next: () => Post | null): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS
    for (let due = next(); due; due = next()) {
      if (await post(due)) return
      await pause(pauseMs, undefined, { signal: stopped })
      pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)
    }
  }
  return { post, postUntilConfirmed }
}

type Gate = { enter(): Promise<void>; leave(): void }

/** Lets so many through at once, the others in the order they came. */
function openGate(): Gate {
  const waiting: (() => void)[] = []
  let inside = 0
  return {
    async enter() {
      if (inside < IN_FLIGHT_MAX) inside += 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
    },
    leave() {
      const next = waiting.shift()
      if (next) next()
      else inside -= 1
    },
  }
}
