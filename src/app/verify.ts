// Proves the books lane by lane. Reads only: what it finds is for people to judge.
import { LANE_COUNT } from '../domain/ids.ts'
import { countRows, countsFrom, type Finding, findingFrom, type LaneCounts, proofsOf } from '../ledger/verify.ts'
import type { Session } from '../platform/db.ts'

export type Verdict = {
  /** The first offending row of each proof and lane; empty when the books hold. */
  readonly findings: readonly Finding[]
  readonly counts: LaneCounts
  readonly lanes: number
}

/**
 * Proves all lanes, one after another; `onLane` hears how many are done. The session's transactions must each see one
 * moment (repeatable read), so that a gateway at work does not look like a broken one.
 */
export async function verifyBooks(session: Session, onLane: (done: number, total: number) => void): Promise<Verdict> {
  const findings: Finding[] = []
  let counts = countsFrom(undefined)
  for (let lane = 0; lane < LANE_COUNT; lane++) {
    const proved = await verifyLane(session, lane)
    findings.push(...proved.findings)
    counts = sumOf(counts, proved.counts)
    onLane(lane + 1, LANE_COUNT)
  }
  return { findings, counts, lanes: LANE_COUNT }
}

async function verifyLane(session: Session, lane: number): Promise<{ findings: Finding[]; counts: LaneCounts }> {
  const loads = [countRows(lane), ...proofsOf(lane)]
  return session.transaction(loads, ([counted, ...proved]) => {
    const findings = proved.flatMap((result) => result.rows.map((row) => findingFrom(lane, row)))
    return { statements: [], value: { findings, counts: countsFrom(counted?.rows[0]) } }
  })
}

function sumOf(a: LaneCounts, b: LaneCounts): LaneCounts {
  return {
    wallets: a.wallets + b.wallets,
    entries: a.entries + b.entries,
    contracts: a.contracts + b.contracts,
    versions: a.versions + b.versions,
  }
}
