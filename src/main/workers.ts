// Starts the workers of this process and stops them in order.
import type { Answer, Ask } from '../app/ask.ts'
import type { Passing } from '../app/crash-points.ts'
import type { Channel } from '../channels/channel.ts'
import { LANE_COUNT } from '../domain/ids.ts'
import type { Session } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { expireRound } from '../workers/expire.ts'
import { startLoop } from '../workers/loop.ts'
import { pruneRound } from '../workers/prune.ts'
import { newsRound } from '../workers/read-news.ts'
import { sendRound } from '../workers/send-transfers.ts'

export type WorkerParts = {
  readonly execute: (ask: Ask) => Promise<Answer>
  readonly reader: Session
  readonly connectors: ReadonlyMap<string, Channel>
  readonly leaseMs: number
  readonly passing: Passing
  readonly log: Log
}

const IN_FLIGHT_PER_CHANNEL = 128
const IDLE_MS = { send: 200, expire: 1000, news: 1000, prune: 600_000 } as const

export function startWorkers(parts: WorkerParts): { readonly wake: () => void; readonly stop: () => Promise<void> } {
  const { execute, reader, connectors, leaseMs, passing, log } = parts
  const lanes = Array.from({ length: LANE_COUNT }, (_, lane) => lane)
  const outcomes = { execute, connectors, leaseMs, passing }
  const sending = sendRound({ ...outcomes, reader, lanes, inFlightPerChannel: IN_FLIGHT_PER_CHANNEL, log })
  const send = startLoop({ name: 'send', round: sending.round, idleMs: IDLE_MS.send, log })
  const others = [
    startLoop({ name: 'expire', round: () => expireRound({ execute, reader, lanes }), idleMs: IDLE_MS.expire, log }),
    startLoop({ name: 'news', round: () => newsRound({ ...outcomes, reader }), idleMs: IDLE_MS.news, log }),
    startLoop({ name: 'prune', round: () => pruneRound(reader, lanes), idleMs: IDLE_MS.prune, log }),
  ]
  return {
    wake: send.wake,
    stop: async () => {
      await Promise.all([send, ...others].map((loop) => loop.stop()))
      await sending.settled()
    },
  }
}
