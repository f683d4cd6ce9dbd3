// Works on due verifications: takes what is due, asks several at once, and records each answer when it comes. What calls an
// account's own verifier has room of its own, and of each verifier a few calls are under way at most.
import { askAndRecord, type RunDeps, takeCalled, takeDue } from '../../app/verifiers/run.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import type { Verification } from '../../domain/verifier/verification.ts'
import type { Log } from '../../platform/log.ts'

export type VerificationWorker = {
  /** One turn in these lanes: take and begin. How many were taken. */
  readonly round: (lanes: readonly number[]) => Promise<number>
  /** Waits for what is under way. */
  readonly settled: () => Promise<void>
}

const IN_FLIGHT_MAX = 32
const CALLED_MAX = 128

export type Watched = (after: Verification) => void

export function openVerificationWorker(
  deps: RunDeps & { readonly log: Log; readonly onRecorded: Watched },
): VerificationWorker {
  const [asked, called] = [new Map<Promise<void>, string | null>(), new Map<Promise<void>, string | null>()]
  const begin = (inFlight: Map<Promise<void>, string | null>, verification: Verification) => {
    const work = askAndRecord(deps, verification)
      .then((after) => {
        if (isRefusal(after)) deps.log.warn({ verification: verification.id, code: after.code }, 'no such verification')
        else deps.onRecorded(after)
      })
      // It is due again when its lease ends.
      .catch((fault: unknown) => deps.log.warn({ err: fault, verification: verification.id }, 'a verification failed'))
      .finally(() => inFlight.delete(work))
    inFlight.set(work, verification.verifierId)
  }
  const take = async (lanes: readonly number[]) => {
    const room = IN_FLIGHT_MAX - asked.size
    const taken = room > 0 ? await takeDue(deps, lanes, room) : []
    for (const each of taken) begin(asked, each)
    const roomToCall = CALLED_MAX - called.size
    const busy = [...called.values()].flatMap((id) => id ?? [])
    const toCall = roomToCall > 0 ? await takeCalled(deps, lanes, roomToCall, busy) : []
    for (const each of toCall) begin(called, each)
    return taken.length + toCall.length
  }
  let last: Promise<unknown> = Promise.resolve()
  return {
    // One group of lanes after another: they share the room.
    round: (lanes) => {
      const own = last.then(() => take(lanes))
      last = own.catch(() => undefined)
      return own
    },
    settled: async () => {
      await Promise.all([...asked.keys(), ...called.keys()])
    },
  }
}
