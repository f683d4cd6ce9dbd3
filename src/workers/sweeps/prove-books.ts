// Proves the books while the gateway runs: one lane after another, slowly, so that a fault of the books is known within hours and
// not when somebody looks. Reads only. What came from outside, and what was sealed long ago, is for operators to prove (gateway verify).
import { setTimeout as sleep } from 'node:timers/promises'
import { followSeals, type SeenSeals } from '../../app/seals/follow-seals.ts'
import type { SealKeys } from '../../app/seals/heads.ts'
import { LANE_COUNT } from '../../domain/contract/ids.ts'
import { type Finding, findingFrom, isUsed, JOIN_WHOLE, lookForRows, ownProofsOf } from '../../ledger/verify.ts'
import type { Session, Statement } from '../../platform/db.ts'

export type BookProofs = {
  /** Proves the next lane; the same again where that was broken off. */
  readonly round: () => Promise<number>
  /** What does not hold, by the latest proof of each lane. */
  readonly findings: () => number
  /** Accounts whose chain of seals is broken, by the latest look at each lane. */
  readonly brokenChains: () => number
  /** For how long the lane that waits longest has not been proved; lanes count from the start. */
  readonly oldestSeconds: () => number
  /** Ends the round that is under way at the next proof or seal, and its rest at once. Its session may then be closed under it. */
  readonly halt: () => void
}

/** So many times as long as a proof or a seal took nothing is done after it. */
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
  const halted = new AbortController()
  const sum = (counts: ReadonlyMap<number, number>) => [...counts.values()].reduce((all, count) => all + count, 0)
  /** Waited for after each step: a large account's books are read for minutes, and others use the same disk and memory. */
  const pace = () => {
    let beganAt = performance.now()
    return async () => {
      await sleep(RESTS * (performance.now() - beganAt), undefined, halted).catch(() => undefined)
      beganAt = performance.now()
      return !halted.signal.aborted
    }
  }
  const proveLane = async () => {
    const rested = pace()
    let count = 0
    for (const proof of await proofsFor(session, lane)) {
      if (halted.signal.aborted) return
      const found = await prove(session, lane, proof)
      for (const finding of found) onFinding(finding)
      count += found.length
      await rested()
    }
    if (halted.signal.aborted) return
    const chains = await followSeals(session, lane, sealKeys, seen, rested)
    for (const finding of chains) onFinding(finding)
    findings.set(lane, count)
    broken.set(lane, chains.length)
    provedAt.set(lane, performance.now())
    lane = (lane + 1) % LANE_COUNT
  }
  return {
    round: async () => {
      await proveLane().catch((fault: unknown) => {
        // Who halts it may close the session under it.
        if (!halted.signal.aborted) throw fault
      })
      return 0
    },
    findings: () => sum(findings),
    brokenChains: () => sum(broken),
    oldestSeconds: () => {
      const oldest = provedAt.size < LANE_COUNT ? openedAt : Math.min(...provedAt.values())
      return (performance.now() - oldest) / 1000
    },
    halt: () => halted.abort(),
  }
}

/** Of 256 lanes most are empty while accounts are few. */
async function proofsFor(session: Session, lane: number): Promise<readonly Statement[]> {
  const [looked] = await session.send([lookForRows(lane)])
  return isUsed(looked?.rows[0]) ? ownProofsOf(lane) : []
}

/** Each proof has a moment of its own: what changes between two of them is the same for both. */
const prove = (session: Session, lane: number, proof: Statement): Promise<Finding[]> =>
  session.transaction([JOIN_WHOLE, proof], ([, proved]) => ({
    statements: [],
    value: (proved?.rows ?? []).map((row) => findingFrom(lane, row)),
  }))
