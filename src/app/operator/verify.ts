// Proves the books lane by lane. Reads only: what it finds is for an operator to judge.
import { LANE_COUNT } from '../../domain/contract/ids.ts'
import {
  countRows,
  countsFrom,
  type Finding,
  findingFrom,
  isUsed,
  type LaneCounts,
  proofsOf,
} from '../../ledger/verify.ts'
import { type LiveCredit, listLiveCredits, liveCreditFrom } from '../../ledger/verify-outside.ts'
import type { Session } from '../../platform/db.ts'
import type { SealHead } from '../../store/seals/seals.ts'
import type { SealKeys } from '../seals/heads.ts'
import { verifySeals } from '../seals/verify-seals.ts'

export type Verdict = {
  /** The first offending row of each proof and lane; empty when the books hold. */
  readonly findings: readonly Finding[]
  readonly counts: LaneCounts
  /** Money that came into live wallets without a contract: no fault, but every row of it is for an operator to see. */
  readonly liveCredits: readonly LiveCredit[]
  readonly lanes: number
  /** How many seals were proved, with all that is behind them. */
  readonly seals: number
}

/**
 * Proves all lanes, one after another; `onLane` is called with how many are done. `sealKeys`: the keys whose seals are believed;
 * without them nothing is said of seals. `since`: heads of an earlier proof; behind their seals nothing is read again. The session's transactions must each
 * see one moment (repeatable read), so that a gateway at work does not look like a broken one.
 */
export async function verifyBooks(
  session: Session,
  onLane: (done: number, total: number) => void,
  sealKeys: SealKeys | null = null,
  since: readonly SealHead[] = [],
): Promise<Verdict> {
  const findings: Finding[] = []
  const liveCredits: LiveCredit[] = []
  let counts = countsFrom(undefined)
  let seals = 0
  const heads = new Map(since.map((head) => [head.accountId, head]))
  for (let lane = 0; lane < LANE_COUNT; lane++) {
    const proved = await verifyLane(session, lane)
    findings.push(...proved.findings)
    liveCredits.push(...proved.liveCredits)
    counts = sumOf(counts, proved.counts)
    if (sealKeys !== null) {
      const sealed = await verifySeals(session, lane, sealKeys, heads)
      findings.push(...sealed.findings)
      seals += sealed.seals
    }
    onLane(lane + 1, LANE_COUNT)
  }
  return { findings, counts, liveCredits, lanes: LANE_COUNT, seals }
}

type ProvedLane = { findings: Finding[]; counts: LaneCounts; liveCredits: LiveCredit[] }

async function verifyLane(session: Session, lane: number): Promise<ProvedLane> {
  return session.transaction([countRows(lane)], ([counted]) => {
    const counts = countsFrom(counted?.rows[0])
    // Of 256 lanes most are empty while accounts are few, and twelve statements about nothing take as long as about something.
    if (!isUsed(counted?.rows[0])) return { statements: [], value: { findings: [], liveCredits: [], counts } }
    return {
      load: [listLiveCredits(lane), ...proofsOf(lane)],
      decide: ([credits, ...proved]) => {
        const liveCredits = (credits?.rows ?? []).map(liveCreditFrom)
        const findings = proved.flatMap((result) => result.rows.map((row) => findingFrom(lane, row)))
        return { statements: [], value: { findings, liveCredits, counts } }
      },
    }
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
