// Three steps around every call to a rail: lease the job, call the rail, record what it reported. No transaction is
// open during the call; a process that dies in between leaves a lease that ends, and the job is due again.

/** What became of the call: the rail reported anything at all, nothing came in time, or it was not called. */
export type CallResult = 'answered' | 'silent' | 'not called'

/** When the rail was called and what it reported, by a clock that does not jump: for whoever watches. */
export type CallWatch = { calledAt: number | null; reportedAt: number | null; report: string | null }

export const newCallWatch = (): CallWatch => ({ calledAt: null, reportedAt: null, report: null })

export type CallSteps<Leased, Report> = {
  /** Takes the job for as long as a call lasts; null where another worker has it, or nothing is to be called. */
  readonly lease: () => Promise<Leased | null>
  /** Throws nothing: doubt is a report like any other. */
  readonly call: (leased: Leased) => Promise<Report>
  readonly record: (leased: Leased, report: Report) => Promise<void>
}

/** Any report of the rail counts as an answer, a refusal too; only doubt and unreachability are silence. */
export async function leaseCallRecord<Leased, Report extends { readonly kind: string }>(
  { lease, call, record }: CallSteps<Leased, Report>,
  watch: CallWatch,
): Promise<CallResult> {
  const leased = await lease()
  if (leased === null) return 'not called'
  watch.calledAt = performance.now()
  const report = await call(leased)
  watch.reportedAt = performance.now()
  watch.report = report.kind
  await record(leased, report)
  return report.kind === 'unknown' || report.kind === 'not_sent' ? 'silent' : 'answered'
}
