// What one call of a connector exchanges with its rail. An outbound client of its own, which notes each exchange and keeps the very
// objects: nothing is copied or read before somebody decides to keep it.
import type { Outbound, OutboundReply, OutboundRequest } from './outbound.ts'

/** One request and what came of it; `atMs` since the epoch. */
export type Exchange = {
  readonly ask: OutboundRequest
  readonly reply: OutboundReply
  readonly atMs: number
  readonly durationMs: number
}

/** The same client; each exchange is noted when it is over. It is not closed by itself. */
export function notedOutbound(outbound: Pick<Outbound, 'request'>, exchanges: Exchange[]): Outbound {
  return {
    request: async (ask) => {
      const [atMs, began] = [Date.now(), performance.now()]
      const reply = await outbound.request(ask)
      exchanges.push({ ask, reply, atMs, durationMs: Math.round(performance.now() - began) })
      return reply
    },
    close: async () => undefined,
  }
}
