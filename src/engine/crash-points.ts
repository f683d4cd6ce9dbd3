// The places between the steps of a saga where tests simulate a crash, by name. In every other run they do nothing.

/** Each stands where the disk, the rail and the caller may know different things. */
export const CRASH_POINTS = [
  'before a batch is committed',
  'after a batch is committed',
  'before submit is committed',
  'after submit is committed',
  'after the rail was called',
  'after the report is committed',
  'before inquire is committed',
  'after inquire is committed',
  'after the rail was asked',
  'before the rail is asked to recall',
  'after the rail was asked to recall',
  'after the arrival of a return is recorded',
  'before the refund of a return',
  'after the refund of a return',
  'before a file is sent',
  'after a file was sent',
  'after half of a file is reported',
  'after a file is reported',
  'before rail events are recorded',
  'before the position in the rail events is saved',
  'after the position in the rail events is saved',
  'before a callback is recorded',
  'after a callback is recorded',
  'before a wallet is credited',
  'after a wallet was credited',
  'before a send on a chain is claimed',
  'after a send on a chain is claimed',
  'after the progress of a send is recorded',
  'before a rail is asked to collect',
  'after a rail was asked to collect',
  'before a rail is asked to close',
  'after a rail was asked to close',
  'before a collection is recorded',
  'after a collection is recorded',
  'before a wallet pays a contract',
  'after a wallet paid a contract',
] as const
export type CrashPoint = (typeof CRASH_POINTS)[number]

/**
 * Called at each point; a test's ends the process at one of them. `about` is the reference of the attempt that is
 * worked on; of a batch the contract's id.
 */
export type ReachCrashPoint = (point: CrashPoint, about: string) => void

export const passOn: ReachCrashPoint = () => undefined

/** Where a process is to end: at a point, with the first thing that reaches it or with one thing alone. */
export type CrashPlace = { readonly point: CrashPoint; readonly about: string | null }

/** Reads "point" or "point: about"; null for an unknown point. */
export function crashPlace(text: string): CrashPlace | null {
  const [name, about = null] = text.split(': ', 2)
  const point = CRASH_POINTS.find((each) => each === name)
  return point === undefined ? null : { point, about }
}

/** Ends this process at the place as nothing else does: without any cleanup. */
export function crashAt(place: CrashPlace): ReachCrashPoint {
  return (point, about) => {
    if (point === place.point && (place.about === null || place.about === about)) process.kill(process.pid, 'SIGKILL')
  }
}
