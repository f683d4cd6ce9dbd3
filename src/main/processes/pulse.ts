// Whether a process turns, and ends when it is told to. It is counted by looks, not by the clock: where the supervisor itself stood
// still, because the machine slept or others had its cores, hours may have passed since the look before, and it is one look.

export const LOOK_EVERY_MS = 1000

/**
 * A process that leaves a question open for so many looks stands still. A healthy one answers as soon as its event loop turns once: what may hold
 * that up (garbage is collected, a password is hashed, others have the cores) is over within a few seconds, and one that is stopped for
 * twenty and goes on is left alone. By half a minute nothing is lost with it that anybody still waits for: its lanes are the others' after six
 * seconds, whoever asks the database has given up after six, and a request is cut off after fifteen in any stop.
 */
const SILENT_LOOKS_MAX = 30

/** A process ends itself within the time that it has for that; what it says last comes after it. */
const LATER_LOOKS = 5

export type Look = 'ask' | 'wait' | 'stands still' | 'does not end'

export type Pulse = {
  /** The process has answered what it was asked. */
  readonly answered: () => void
  /** It has been told to end. */
  readonly leaves: () => void
  /** What is to be done now. */
  readonly look: () => Look
}

export function openPulse(endsWithinMs: number): Pulse {
  const leavingMax = Math.ceil(endsWithinMs / LOOK_EVERY_MS) + LATER_LOOKS
  // Of the question that is open, and since it was told to end; null for none.
  let silent: number | null = null
  let leaving: number | null = null
  return {
    answered: () => {
      silent = null
    },
    leaves: () => {
      leaving ??= 0
    },
    look: () => {
      if (leaving !== null && ++leaving > leavingMax) return 'does not end'
      // One question at a time: one that stands still would be asked them all when it goes on.
      if (silent !== null) return ++silent >= SILENT_LOOKS_MAX ? 'stands still' : 'wait'
      silent = 0
      return 'ask'
    },
  }
}
