// Proves the books while the gateway runs: one lane after another, slowly, so that a fault of the books is known within hours and
// not when somebody looks. Reads only. What came from outside, and what was sealed long ago, is for operators to prove (gateway verify).
import { setTimeout as sleep } from 'node:timers/promises'
import { followSeals, type SeenSeals } from '../../app/seals/follow-seals.ts'
import type { SealKeys } from '../../app/seals/heads.ts'
import { LANE_COUNT } from '../../domain/contract/ids.ts'
import { type Finding, findingFrom, ownProofsOf } from '../../ledger/verify.ts'
import type { Session } from '../../platform/db.ts'

export type BookProofs = {
  /** Proves the next lane. */
  readonly round: () => Promise<number>
  /** What does not hold, by the latest proof of each lane. */
  readonly findings: () => number
  /** Accounts whose chain of seals is broken, by the latest look at each lane. */
  readonly brokenChains: () => number
  /** For how long the lane that waits longest has not been proved; lanes count from the start. */
  readonly oldestSeconds: () => number
  /** Ends the round that is under way at the next seal. */
  readonly halt: () => void
}

/** So many times as long as a seal took nothing is done after it. */
const RESTS = 9

/** `session` sees one moment of the books in each transaction. `sealKeys`: the keys whose seals are believed. */
export function openBookProofs(
  session: Session,
  sealKeys: SealKeys,
  onFinding: (finding: Finding) => void,
): BookProofs {
  const openedAt = performance.now()
  const findings = new Map<number, number>()
  const broken = new Map<number, number>()
  const provedAt = new Map<number, number>()
  const seen: SeenSeals = new Map()
  let lane = 0
  let isHalted = false
  const sum = (counts: ReadonlyMap<number, number>) => [...counts.values()].reduce((all, count) => all + count, 0)
  const look = () => {
    let beganAt = performance.now()
    const rested = async () => {
      await sleep(RESTS * (performance.now() - beganAt))
      beganAt = performance.now()
      return !isHalted
    }
    return followSeals(session, lane, sealKeys, seen, rested)
  }
  return {
    round: async () => {
      const found = await session.transaction(ownProofsOf(lane), (proved) => ({
        statements: [],
        value: proved.flatMap((result) => result.rows.map((row) => findingFrom(lane, row))),
      }))
      const chains = await look()
      for (const finding of [...found, ...chains]) onFinding(finding)
      findings.set(lane, found.length)
      broken.set(lane, chains.length)
      provedAt.set(lane, performance.now())
      lane = (lane + 1) % LANE_COUNT
      return 0
    },
    findings: () => sum(findings),
    brokenChains: () => sum(broken),
    oldestSeconds: () => {
      const oldest = provedAt.size < LANE_COUNT ? openedAt : Math.min(...provedAt.values())
      return (performance.now() - oldest) / 1000
    },
    halt: () => {
      isHalted = true
    },
  }
}
