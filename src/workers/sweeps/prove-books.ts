// Proves the books while the gateway runs: the lanes of this process one after another, slowly, so that a fault of the books is known
// within hours and not when somebody looks. Reads only. What came from outside, and what was sealed long ago, is for operators to prove (gateway verify).
import { setTimeout as sleep } from 'node:timers/promises'
import { followSeals, type SeenSeals } from '../../app/seals/follow-seals.ts'
import type { SealKeys } from '../../app/seals/heads.ts'
import type { OwnLanes } from '../../app/jobs/own-lanes.ts'
import { LANE_COUNT } from '../../domain/contract/ids.ts'
import { type Finding, findingFrom, isUsed, JOIN_WHOLE, lookForRows, ownProofsOf } from '../../ledger/verify.ts'
import type { Session, Statement } from '../../platform/db.ts'

export type BookProofs = {
  /** Proves the next of the own lanes that are due, where one is. Rejects where it cannot be read: the others are tried before it again. */
  readonly round: () => Promise<number>
  /** What does not hold, by the latest proof of each lane. */
  readonly findings: () => number
  /** Accounts whose chain of seals is broken, by the latest look at each lane. */
  readonly brokenChains: () => number
  /** For how long the lane that waits longest has not been proved; lanes count from when they became this process's. */
  readonly oldestSeconds: () => number
  /** Ends the round that is under way at the next proof or seal, and its rest at once. Its session may then be closed under it. */
  readonly halt: () => void
}

/** So many times as long as a proof or a seal took nothing is done after it. */
const RESTS = 9

/** A lane a minute where one process has all. However many share them, each is proved as often, and no more is read. */
const EACH_LANE_MS = LANE_COUNT * 60_000

type LaneProof = {
  /** When it was proved, or else since when it is this process's. */
  readonly atMs: number
  /** When that was tried last: 0 where it never was. */
  readonly triedMs: number
  readonly isProved: boolean
  readonly findings: number
  readonly brokenChains: number
}

export type BookProofsOptions = {
  /** Sees one moment of the books in each transaction. */
  readonly session: Session
  /** The keys whose seals are believed. */
  readonly sealKeys: SealKeys
  readonly ownLanes: OwnLanes
  readonly monotonicMs: () => number
  readonly onFinding: (finding: Finding) => void
}

export function openBookProofs({ session, sealKeys, ownLanes, monotonicMs, onFinding }: BookProofsOptions): BookProofs {
  const proofs = new Map<number, LaneProof>()
  const seen: SeenSeals = new Map()
  const halted = new AbortController()
  /** The own lanes: what another process has now is its to prove, and to tell. */
  const own = (): ReadonlyMap<number, LaneProof> => {
    const lanes = new Set(ownLanes())
    for (const lane of proofs.keys()) if (!lanes.has(lane)) proofs.delete(lane)
    for (const lane of lanes) if (!proofs.has(lane)) proofs.set(lane, { ...UNPROVED, atMs: monotonicMs() })
    return proofs
  }
  const sum = (count: (proof: LaneProof) => number) => [...own().values()].reduce((all, proof) => all + count(proof), 0)
  /** Waited for after each step: a large account's books are read for minutes, and others use the same disk and memory. */
  const pace = () => {
    let beganAt = performance.now()
    return async () => {
      await sleep(RESTS * (performance.now() - beganAt), undefined, halted).catch(() => undefined)
      beganAt = performance.now()
      return !halted.signal.aborted
    }
  }
  const proveLane = async (lane: number) => {
    const rested = pace()
    let findings = 0
    for (const proof of await proofsFor(session, lane)) {
      if (halted.signal.aborted) return
      const found = await prove(session, lane, proof)
      for (const finding of found) onFinding(finding)
      findings += found.length
      await rested()
    }
    if (halted.signal.aborted) return
    const chains = await followSeals(session, lane, sealKeys, seen, rested)
    for (const finding of chains) onFinding(finding)
    const atMs = monotonicMs()
    proofs.set(lane, { atMs, triedMs: atMs, isProved: true, findings, brokenChains: chains.length })
  }
  return {
    round: async () => {
      const due = dueLane(own(), monotonicMs())
      if (!due) return 0
      const [lane, proof] = due
      // Where it cannot be read it is behind the others: its server may be away, and theirs not.
      proofs.set(lane, { ...proof, triedMs: monotonicMs() })
      await proveLane(lane).catch((fault: unknown) => {
        // Who halts it may close the session under it.
        if (!halted.signal.aborted) throw fault
      })
      return 0
    },
    findings: () => sum(({ findings }) => findings),
    brokenChains: () => sum(({ brokenChains }) => brokenChains),
    oldestSeconds: () => Math.max(0, ...Array.from(own().values(), ({ atMs }) => monotonicMs() - atMs)) / 1000,
    halt: () => halted.abort(),
  }
}

const UNPROVED: LaneProof = { atMs: 0, triedMs: 0, isProved: false, findings: 0, brokenChains: 0 }

/** Of those that were not proved, or not for long enough, the one whose last try is longest ago. */
function dueLane(proofs: ReadonlyMap<number, LaneProof>, nowMs: number): readonly [number, LaneProof] | undefined {
  const due = [...proofs].filter(([, { isProved, atMs }]) => !isProved || nowMs - atMs >= EACH_LANE_MS)
  return due.toSorted(([a, one], [b, other]) => one.triedMs - other.triedMs || a - b)[0]
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
