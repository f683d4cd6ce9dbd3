// Proves the books lane by lane. Reads only: what it finds is for an operator to judge.
import { ALL_LANES } from '../../domain/contract/ids.ts'
import {
  countRows,
  countsFrom,
  type Finding,
  findingFrom,
  isUsed,
  JOIN_WHOLE,
  type LaneCounts,
  proofsOf,
} from '../../ledger/verify.ts'
import { type LiveCredit, listLiveCredits, liveCreditFrom } from '../../ledger/verify-outside.ts'
import type { Session } from '../../platform/db.ts'
import { lanesElsewhere } from '../../platform/servers/absence.ts'
import { lanesWithAccounts } from '../../store/operator/lane-servers.ts'
import type { SealHead } from '../../store/seals/seals.ts'
import { lostLanes, placesNow, whereLanesAre, wordsOfLost } from '../jobs/moved-lanes.ts'
import type { SealKeys } from '../seals/heads.ts'
import { verifySeals } from '../seals/verify-seals.ts'
import { verifyBetween } from './verify-between.ts'

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

export type Verifying = {
  /** Called after each lane, with how many are done. */
  readonly onLane: (done: number, total: number) => void
  /** The keys whose seals are believed; without them nothing is said of seals. */
  readonly sealKeys?: SealKeys | null
  /** Heads of an earlier proof; behind their seals nothing is read again. */
  readonly since?: readonly SealHead[]
  /** Those to prove; all of them without it, and that each is on its server alone. */
  readonly lanes?: readonly number[]
  /**
   * Asks home where the lanes are: one that moves meanwhile is proved where it has come to, and one that is not where home says is found.
   * Without it, both are DatabaseUnavailable (LaneElsewhere).
   */
  readonly seePlaces?: () => Promise<void>
}

/**
 * Proves lanes: each session takes the next one when it has proved its own. What is found is told in the order of the lanes,
 * whichever was proved first. The sessions' transactions must each see one moment (repeatable read), so that a gateway at work does not
 * look like a broken one.
 */
export async function verifyBooksBy(
  sessions: readonly Session[],
  { onLane, sealKeys = null, since = [], lanes: wanted, seePlaces }: Verifying,
): Promise<Verdict> {
  const lanes = wanted ?? ALL_LANES
  const heads = new Map(since.map((head) => [head.accountId, head]))
  const proof: LaneProof = { sealKeys, seePlaces, heads, missing: new Set() }
  const proved: ProvedLane[] = []
  let [next, done] = [0, 0]
  // The first that fails is the end of it: the others finish their lane and take no more.
  let isOver = false
  const work = async (session: Session): Promise<void> => {
    while (next < lanes.length && !isOver) {
      const own = next++
      proved[own] = await verifyLane(session, lanes[own] as number, proof)
      onLane(++done, lanes.length)
    }
  }
  const working = sessions.map((session) =>
    work(session).catch((fault: unknown) => {
      isOver = true
      throw fault
    }),
  )
  await Promise.allSettled(working)
  await Promise.all(working)
  const [first] = sessions
  const misplaced = wanted === undefined && first ? await verifyPlaces(first) : []
  for (const each of proved) noteMissing(proof, each)
  const unproved = first ? await findingsOfMissing(first, proof.missing, misplaced) : []
  return {
    findings: [...proved.flatMap(({ findings }) => findings), ...unproved, ...misplaced],
    counts: proved.reduce((sum, { counts }) => sumOf(sum, counts), countsFrom(undefined)),
    liveCredits: proved.flatMap(({ liveCredits }) => liveCredits),
    lanes: lanes.length,
    seals: proved.reduce((sum, { seals }) => sum + seals, 0),
  }
}

/** The same on one connection, a lane after another. */
export const verifyBooks = (
  session: Session,
  onLane: Verifying['onLane'],
  sealKeys: SealKeys | null = null,
): Promise<Verdict> => verifyBooksBy([session], { onLane, sealKeys })

/** A part of a lane's proof, where the lane is. What cannot be proved, for a lane is not where home says, is left, and that lane named. */
async function whereItIs(
  session: Session,
  seePlaces: Verifying['seePlaces'],
  prove: () => Promise<Partial<ProvedLane>>,
): Promise<ProvedLane> {
  if (!seePlaces) return { ...NOTHING, ...(await prove()) }
  try {
    return { ...NOTHING, ...(await whereLanesAre(session, seePlaces, prove)) }
  } catch (fault) {
    const missing = lanesElsewhere(fault)
    if (missing === null) throw fault
    return { ...NOTHING, missing }
  }
}

/** Of lanes that are not where home says; but of those whose accounts are known to be on another server. */
async function findingsOfMissing(
  session: Session,
  lanes: ReadonlySet<number>,
  misplaced: readonly Finding[],
): Promise<Finding[]> {
  const unnamed = [...lanes].filter((lane) => misplaced.every((each) => each.lane !== lane))
  if (unnamed.length === 0) return []
  const lost = new Map((await lostLanes(session)).map((each) => [each.lane, wordsOfLost(each)]))
  const { serverOf } = await placesNow(session)
  return unnamed.map((lane) => {
    const place = serverOf(lane)
    const otherwise =
      place === null
        ? 'it is on its way to another server: where the command that moves it was broken off, run that again'
        : `home says that it is on ${place}, which does not have it: docs/several-servers.md, “Home from before a move”`
    const problem = `${lost.get(lane) ?? otherwise}. Neither the lane was proved, nor what others have paid there or got from there`
    return { lane, proof: 'lane on its server', accountId: '', row: `lane ${lane}`, problem }
  })
}

/**
 * No server has accounts of a lane that is on another one, for nobody finds them there. Rows without the server's own row of the lane are
 * a copy of it, or what one has left (docs/adr/0092); a lane that moves meanwhile is judged by the next proof.
 */
export async function verifyPlaces(session: Session): Promise<Finding[]> {
  const before = await placesNow(session)
  const [found] = await session.send([lanesWithAccounts()])
  const after = await placesNow(session)
  // Of servers that answer in any order.
  const rows = (found?.rows ?? []).toSorted((a, b) => Number(a['lane_there']) - Number(b['lane_there']))
  return rows.flatMap((row) => {
    const lane = row['lane_there'] as number
    const [server, place] = [row['server'] as string, after.serverOf(lane)]
    if (place === null || place === server || place !== before.serverOf(lane)) return []
    const problem = `home says that the lane is on ${place}: nobody finds these accounts. Where home came back older: docs/several-servers.md, “Home from before a move”`
    const at = { accountId: row['account_id'] as string, row: `accounts of lane ${lane} on the server ${server}` }
    return [{ lane, proof: 'accounts.lane on its server', ...at, problem }]
  })
}

/** `missing`: lanes that are not where home says, so that what is about them was not proved. */
type ProvedLane = Pick<Verdict, 'findings' | 'counts' | 'liveCredits' | 'seals'> & {
  readonly missing: readonly number[]
}

const NOTHING: ProvedLane = { findings: [], counts: countsFrom(undefined), liveCredits: [], seals: 0, missing: [] }

type LaneProof = {
  readonly sealKeys: SealKeys | null
  readonly seePlaces: Verifying['seePlaces']
  readonly heads: ReadonlyMap<string, SealHead>
  /** Lanes that were found not to be where home says: nobody else asks about them again. */
  readonly missing: Set<number>
}

/** How many of them were not known before. */
function noteMissing({ missing }: LaneProof, found: Pick<ProvedLane, 'missing'>): number {
  const before = missing.size
  for (const lane of found.missing) missing.add(lane)
  return missing.size - before
}

async function verifyLane(session: Session, lane: number, proof: LaneProof): Promise<ProvedLane> {
  const { sealKeys, seePlaces, heads } = proof
  const rows = await whereItIs(session, seePlaces, () => verifyRows(session, lane))
  const between = rows.counts.entries > 0 ? await verifyBetweenHere(session, lane, proof) : NOTHING
  const sealed =
    sealKeys && rows.missing.length === 0
      ? await whereItIs(session, seePlaces, () => verifySeals(session, lane, sealKeys, heads))
      : NOTHING
  const parts = [rows, between, sealed]
  const findings = parts.flatMap((part) => part.findings)
  return { ...rows, findings, seals: sealed.seals, missing: parts.flatMap(({ missing }) => missing) }
}

/** What went between the wallets of a lane and others; without the lanes that are not where home says, which hide nothing of the rest. */
async function verifyBetweenHere(session: Session, lane: number, proof: LaneProof): Promise<ProvedLane> {
  for (;;) {
    const proved = await whereItIs(session, proof.seePlaces, async () => ({
      findings: await verifyBetween(session, lane, undefined, proof.missing),
    }))
    const isOther = noteMissing(proof, proved) > 0 && !proved.missing.includes(lane)
    if (!isOther) return proved
  }
}

/** All rows of a lane at one moment. */
async function verifyRows(session: Session, lane: number): Promise<Omit<ProvedLane, 'seals' | 'missing'>> {
  return session.transaction([countRows(lane)], ([counted]) => {
    const counts = countsFrom(counted?.rows[0])
    // Of 256 lanes most are empty while accounts are few, and twelve statements about nothing take as long as about something.
    if (!isUsed(counted?.rows[0])) return { statements: [], value: { findings: [], liveCredits: [], counts } }
    return {
      load: [JOIN_WHOLE, listLiveCredits(lane), ...proofsOf(lane)],
      decide: ([, credits, ...proved]) => {
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
