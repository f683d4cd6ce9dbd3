// Three steps around every call to a rail: lease the job, call the rail, record what it reported. No transaction is
// open during the call; a process that dies in between leaves a lease that ends, and the job is due again.

/** What became of the call: the rail reported anything at all, nothing came in time, or it was not called. */
export type CallResult = 'answered' | 'silent' | 'not called'

/** When the rail was called and what it reported, by a clock that does not jump: for whoever watches. */
export type CallWatch = { calledAt: number | null; reportedAt: number | null; report: string | null }

export const newCallWatch = (): CallWatch => ({ calledAt: null, reportedAt: null, report: null })

/** What is recorded in place of a call that its lease does not hold any more. */
export const UNSENT = {
  kind: 'not_sent',
  reason: 'the process stood still until the lease was too old for a call',
} as const

/**
 * Begun before a lease is asked for: whether it still holds a call. A process that was frozen, alone or with its machine, goes on where
 * it stood long after others took its work over, and then calls nobody. The wall clock went on where the other stood still. Half
 * of a lease is a call at least (src/main/config/config.ts).
 */
export function leaseClock(leaseMs: number): () => boolean {
  const beganAt = performance.now()
  const beganAtWall = Date.now()
  return () => Math.max(performance.now() - beganAt, Date.now() - beganAtWall) < leaseMs / 2
}

export type CallSteps<Leased, Report> = {
  readonly leaseMs: number
  /** Takes the job for as long as a call lasts; null where another worker has it, or nothing is to be called. */
  readonly lease: () => Promise<Leased | null>
  /** Throws nothing: doubt is a report like any other. `isInTime`: whether the lease still holds another call. */
  readonly call: (leased: Leased, isInTime: () => boolean) => Promise<Report>
  readonly record: (leased: Leased, report: Report | typeof UNSENT) => Promise<void>
}

/** Any report of the rail counts as an answer, a refusal too; only doubt and unreachability are silence. */
export async function leaseCallRecord<Leased, Report extends { readonly kind: string; readonly isAnswered?: true }>(
  { leaseMs, lease, call, record }: CallSteps<Leased, Report>,
  watch: CallWatch,
): Promise<CallResult> {
  const isInTime = leaseClock(leaseMs)
  const leased = await lease()
  if (leased === null) return 'not called'
  if (!isInTime()) {
    await record(leased, UNSENT)
    return 'not called'
  }
  watch.calledAt = performance.now()
  const report = await call(leased, isInTime)
  watch.reportedAt = performance.now()
  watch.report = report.kind
  await record(leased, report)
  if ((report as unknown) === UNSENT) return 'not called'
  const isSilence = report.kind === 'unknown' || (report.kind === 'not_sent' && report.isAnswered !== true)
  return isSilence ? 'silent' : 'answered'
}
