// Proves the books while the gateway runs: one lane after another, slowly, so that a fault of the books is known within hours and
// not when somebody looks. Reads only. What came from outside is for operators to prove (gateway verify).
import { LANE_COUNT } from '../../domain/contract/ids.ts'
import { type Finding, findingFrom, ownProofsOf } from '../../ledger/verify.ts'
import type { Session } from '../../platform/db.ts'

export type BookProofs = {
  /** Proves the next lane. */
  readonly round: () => Promise<number>
  /** What does not hold, by the latest proof of each lane. */
  readonly findings: () => number
  /** For how long the lane that waits longest has not been proved; lanes count from the start. */
  readonly oldestSeconds: () => number
}

/** `session` sees one moment of the books in each transaction. */
export function openBookProofs(session: Session, onFinding: (finding: Finding) => void): BookProofs {
  const openedAt = performance.now()
  const findings = new Map<number, number>()
  const provedAt = new Map<number, number>()
  let lane = 0
  return {
    round: async () => {
      const found = await session.transaction(ownProofsOf(lane), (proved) => ({
        statements: [],
        value: proved.flatMap((result) => result.rows.map((row) => findingFrom(lane, row))),
      }))
      for (const finding of found) onFinding(finding)
      findings.set(lane, found.length)
      provedAt.set(lane, performance.now())
      lane = (lane + 1) % LANE_COUNT
      return 0
    },
    findings: () => [...findings.values()].reduce((sum, count) => sum + count, 0),
    oldestSeconds: () => {
      const oldest = provedAt.size < LANE_COUNT ? openedAt : Math.min(...provedAt.values())
      return (performance.now() - oldest) / 1000
    },
  }
}
