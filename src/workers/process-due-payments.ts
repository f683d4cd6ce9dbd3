// Looks after payment contracts that are due: settles, gives back, asks about attempts and has them closed. Each channel has
// its own room, so that one that does not answer costs the others nothing.
import { type Room, type ProcessDueDeps, processDuePayment } from '../app/payments/process-due.ts'
import type { PaymentJob } from '../domain/payment/payment.ts'
import type { Session } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { dueJobs, jobFrom } from '../store/jobs/payment-jobs.ts'
import { openBusyAccounts } from './busy-accounts.ts'

export type TendingDeps = ProcessDueDeps & {
  readonly reader: Session
  readonly lanes: readonly number[]
  readonly log: Log
}

const PAGE = 256
const CALLS_PER_CHANNEL = 32

export type Tending = {
  /** Starts what is due; does not wait for the calls. How much it started. */
  readonly round: () => Promise<number>
  readonly settled: () => Promise<void>
}

export function tendRound(deps: TendingDeps): Tending {
  const places = new Set<string>()
  const running = new Set<Promise<void>>()
  const room = openRoom()
  const busy = openBusyAccounts()
  const start = (job: PaymentJob) => {
    const place = `${job.accountId}/${job.contractId}`
    places.add(place)
    const run = processDuePayment(deps, job, room)
      .catch((fault: unknown) => {
        busy.met(fault)
        deps.log.warn({ err: fault }, 'a payment contract could not be looked after')
      })
      .then(() => {
        places.delete(place)
        running.delete(run)
      })
    running.add(run)
  }
  return {
    round: async () => {
      const [result] = await deps.reader.send([dueJobs(deps.lanes, PAGE, busy.ids())])
      const due = (result?.rows ?? []).map(jobFrom)
      const fresh = due.filter((job) => !places.has(`${job.accountId}/${job.contractId}`))
      fresh.forEach(start)
      return fresh.length
    },
    settled: async () => {
      await Promise.all(running)
    },
  }
}

function openRoom(): Room {
  const inside = new Map<string, number>()
  const of = (channelId: string) => inside.get(channelId) ?? 0
  return {
    enter: (channelId) => {
      if (of(channelId) >= CALLS_PER_CHANNEL) return false
      inside.set(channelId, of(channelId) + 1)
      return true
    },
    leave: (channelId) => void inside.set(channelId, of(channelId) - 1),
  }
}
