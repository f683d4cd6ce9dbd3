// Works on due attempts: sends what is queued, asks about what is open, refunds what came back.
import { workOn, type OutcomeDeps } from '../app/outcomes.ts'
import type { Attempt } from '../domain/transfer.ts'
import type { Session } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { attemptFrom, dueAttempts } from '../store/attempts.ts'

export type SendDeps = OutcomeDeps & {
  readonly reader: Session
  readonly lanes: readonly number[]
  /** Calls in flight to one channel at most; a slow channel fills only its own share. */
  readonly inFlightPerChannel: number
  readonly log: Log
}

/** A round starts what is due and has room; it does not wait for the calls. */
export function sendRound(deps: SendDeps): {
  readonly round: () => Promise<number>
  readonly settled: () => Promise<void>
} {
  const inFlight = new Map<string, Promise<void>>()
  const perChannel = new Map<string, number>()

  const start = (attempt: Attempt): boolean => {
    const place = `${attempt.contractId}/${attempt.number}`
    const busy = perChannel.get(attempt.channelId) ?? 0
    if (inFlight.has(place) || busy >= deps.inFlightPerChannel) return false
    perChannel.set(attempt.channelId, busy + 1)
    const work = workOn(deps, attempt)
      .catch((fault: unknown) =>
        deps.log.warn({ err: fault, contract: attempt.contractId }, 'an attempt could not be worked on'),
      )
      .then(() => {
        inFlight.delete(place)
        perChannel.set(attempt.channelId, (perChannel.get(attempt.channelId) ?? 1) - 1)
      })
    inFlight.set(place, work)
    return true
  }

  return {
    round: async () => {
      const room = deps.inFlightPerChannel * deps.connectors.size
      if (inFlight.size >= room) await Promise.race(inFlight.values())
      const [result] = await deps.reader.send([dueAttempts(deps.lanes, room + inFlight.size)])
      const started = (result?.rows ?? []).map(attemptFrom).filter(start)
      // Where all that is due is in flight already, the next look waits for one of them to end or for the idle pause.
      return started.length
    },
    settled: async () => {
      await Promise.all(inFlight.values())
    },
  }
}
