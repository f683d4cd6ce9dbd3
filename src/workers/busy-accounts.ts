// Accounts that another session was found to hold: left alone for a while, so that what is due of them takes no room
// from what is due of others.
import { Busy } from '../engine/held-line.ts'

export type BusyAccounts = {
  /** Called with the fault of a job. */
  readonly met: (fault: unknown) => void
  /** Those to leave alone now. */
  readonly ids: () => readonly string[]
}

const LEFT_ALONE_MS = 5000

export function openBusyAccounts(): BusyAccounts {
  const untilMs = new Map<string, number>()
  return {
    met: (fault) => {
      if (fault instanceof Busy) untilMs.set(fault.need, performance.now() + LEFT_ALONE_MS)
    },
    ids: () => {
      for (const [accountId, until] of untilMs) if (until <= performance.now()) untilMs.delete(accountId)
      return [...untilMs.keys()]
    },
  }
}
