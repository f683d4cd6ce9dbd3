// Recovery: what a gateway does, and does not do, on a database that is older than what was done with it. It begins at a start,
// by the mark that was left beside the database, and ends when two operators say so (resume.ts). Meanwhile nothing is sent,
// nothing is swept, no report is believed, and nothing but drafts is written: each of these would rest on a state that is past.
import type { Command } from '../../domain/contract/command.ts'
import {
  type DatabasePlace,
  type Epoch,
  inRecovery,
  isUnnoted,
  type Mark,
  reasonToRecover,
  type RecoveryReason,
  refusedInRecovery,
} from '../../domain/recovery/epoch.ts'
import { hasAllSince, type PromotionWord } from '../../domain/recovery/promotion.ts'
import type { CommandRequest, Execute } from '../../engine/command-request.ts'
import { isAway, type Session } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Standing } from '../../platform/postgres/standing.ts'
import { anyAccount, gatewaysFrom, placeFrom } from '../../store/operator/epochs.ts'
import type { Epochs } from './epochs.ts'
import type { Placed } from './placed.ts'
import { type Promotions, wordsSince } from './promotion.ts'

export type Recovery = {
  readonly isOn: () => boolean
  /** Whether there was ever one, so that there may be requests which the books have forgotten. */
  readonly wasEver: () => boolean
  /** The newest epoch; null while it is in recovery. */
  readonly resumed: () => number | null
  /** The newest epoch, as it was seen last. */
  readonly epoch: () => number
  /**
   * Looks once: notes where the database stands, and sees whether the recovery has ended. Throws {@link MustStartAgain}, from then on
   * each time.
   */
  readonly look: () => Promise<void>
  /** Notes that the gateway stops here. Throws {@link MustStartAgain} where it does not know this database. */
  readonly stop: () => Promise<void>
}

export type RecoveryDeps = {
  /** To the server that is looked at. */
  readonly session: Session
  /** To all servers that have lanes of the books. */
  readonly books: Session
  readonly place: Placed
  /** To the server that knows the epochs, and begins one in all of them: home, where lanes are on several. */
  readonly epochs: Epochs
  readonly marks: { readonly read: (installationId: string) => readonly Mark[]; readonly write: (mark: Mark) => void }
  readonly standing: Standing
  readonly promotions: Promotions
  /** To the server that keeps what was said of promotions of the one that is looked at. */
  readonly words: Session
  readonly monotonicMs: () => number
  /** Told once this gateway must begin anew, before anything is done about it. */
  readonly onEnded: () => void
  readonly log: Log
}

/** The database under a gateway at work is not the one that it began with, or an operator says so: it must start again. */
export class MustStartAgain extends Error {
  override readonly name = 'MustStartAgain'
  /** What was lost; null where a recovery was begun for it already. */
  readonly loss: Loss | null
  constructor(message: string, loss: Loss | null = null) {
    super(message)
    this.loss = loss
  }
}

type Seen = { readonly place: DatabasePlace; readonly epoch: Epoch; readonly gateways: readonly string[] }

/** A database does not fit what was noted of it. */
type Loss = { readonly mark: Mark; readonly reason: RecoveryReason; readonly found: Seen }

/** How often the books count a mark while they are written. */
const COUNT_MS = 60_000
/** An idle database writes a little by itself, which is no work. */
const IDLE_BYTES = 16_384n

/** Looks at the database and its marks, begins a recovery where they do not fit, and leaves a mark of this start. */
export async function openRecovery(deps: RecoveryDeps): Promise<Recovery> {
  const { marks, standing, promotions, monotonicMs } = deps
  // Before it looks, here and below: what was acknowledged by then had its commit on the server's disk, before the place that it tells.
  let acknowledged = standing.acknowledgements()
  let seen = await beginWhereOlder(deps)
  standing.workWith(seen.place)
  let [settled, seenAtMs] = [seen.place.position, monotonicMs()]
  let counted = { atMs: monotonicMs(), position: seen.place.position }
  const note = (isStopped: boolean) => marks.write({ ...seen.place, epoch: seen.epoch.number, isStopped })
  note(false)
  const count = async () => {
    const now = await see(deps, deps.place.count === null ? [] : [deps.place.count()])
    refuseOther(seen, now)
    seen = now
    counted = { atMs: monotonicMs(), position: seen.place.position }
  }
  const look = async () => {
    let before = seen
    // Before it looks: an answer that takes long is from before.
    const [atMs, by] = [monotonicMs(), standing.acknowledgements()]
    if (standing.met() !== null) {
      const { place, epoch } = seen
      const known = { place, epoch: epoch.number, settled, silentSeconds: (atMs - seenAtMs) / 1000 }
      const outcome = await promotions.look(known, seen.gateways)
      if (outcome === 'recover') throw new MustStartAgain('Another server took over, and a recovery was begun.')
      if (outcome === 'wait') return
      before = { ...seen, place: outcome }
    }
    const now = await see(deps)
    refuseOther(before, now)
    settled = before.place.position
    // Whoever has all until there has these. Asked about years later, PostgreSQL would not know them any more.
    standing.forget(acknowledged)
    acknowledged = by
    seenAtMs = atMs
    seen = now
    if (monotonicMs() - counted.atMs > COUNT_MS && now.place.position - counted.position > IDLE_BYTES) await count()
    if (seen.place.position !== before.place.position || seen.epoch.number !== before.epoch.number) note(false)
  }
  const stop = async () => {
    // Before it counts: a count in another database brings that one nearer to what was noted, and the next start would take it for this one.
    refuseOther(seen, await see(deps))
    await count()
    note(true)
  }
  const { hasEnded, unlessEnded } = untilItEnds(deps)
  const isOn = () => hasEnded() || inRecovery(seen.epoch)
  return {
    isOn,
    wasEver: () => seen.epoch.number > 1,
    resumed: () => (isOn() ? null : seen.epoch.number),
    epoch: () => seen.epoch.number,
    look: () => unlessEnded(look),
    stop: () => unlessEnded(stop),
  }
}

/**
 * The first {@link MustStartAgain} is for good. Whatever is written until the gateway has begun anew brings the other database nearer
 * to what was noted, and may bring it past that: so the recovery is begun here and now, and not by the start that follows.
 */
function untilItEnds(deps: Pick<RecoveryDeps, 'books' | 'epochs' | 'onEnded' | 'log'>) {
  let ended: MustStartAgain | null = null
  const unlessEnded = async (run: () => Promise<void>): Promise<void> => {
    if (ended) throw ended
    try {
      await run()
    } catch (fault) {
      if (!(fault instanceof MustStartAgain)) throw fault
      ended = fault
      // Before it is begun, which may take a while: from now on nothing is done by what this process knows.
      deps.onEnded()
      if (fault.loss) await beginAfter(deps, fault.loss).catch(beginsAtStart(deps.log))
      throw fault
    }
  }
  return { hasEnded: () => ended !== null, unlessEnded }
}

const beginsAtStart = (log: Log) => (fault: unknown) =>
  log.warn({ err: fault }, 'the recovery is not begun everywhere yet: the next start looks again')

async function beginWhereOlder(deps: RecoveryDeps): Promise<Seen> {
  const { marks, log } = deps
  const first = await see(deps)
  const noted = marks.read(first.place.installationId)
  const said = await saidSince(deps, noted, first)
  // They may have begun a recovery while they had their time.
  const seen = said.length === 0 ? first : await see(deps)
  const found = { ...seen.place, epoch: seen.epoch.number }
  if (isUnnoted(noted, found) && !inRecovery(seen.epoch))
    log.warn(
      'no note of the database: it was worked with, and nothing here says how far it had come. If it was restored, or failed over while no gateway with a note was at work, stop, and run gateway recovery begin (docs/recovery.md)',
    )
  const [older] = noted.flatMap((mark) => {
    const reason = reasonToRecover(mark, found)
    if (reason === null || (reason === 'other_timeline' && hasAllSince(mark, found, said))) return []
    return [{ mark, reason, found: seen }]
  })
  const after = older !== undefined && (await beginAfter(deps, older)) ? await see(deps) : seen
  const { number, reason } = after.epoch
  if (inRecovery(after.epoch))
    log.error(
      { lasting: 'in recovery', epoch: number, because: reason },
      'the database is older than what this gateway did with it: it is in recovery, and moves no money until two operators resume (gateway recovery status)',
    )
  return after
}

/** What was said of the promotions since the notes of this gateway, where it stopped in order and was away at them. */
async function saidSince(
  { words }: RecoveryDeps,
  noted: readonly Mark[],
  { place, epoch }: Seen,
): Promise<readonly PromotionWord[]> {
  const found = { ...place, epoch: epoch.number }
  const before = noted.filter((mark) => mark.isStopped && reasonToRecover(mark, found) === 'other_timeline')
  if (before.length === 0) return []
  return wordsSince(words, { systemId: place.systemId, timeline: Math.min(...before.map(({ timeline }) => timeline)) })
}

/**
 * Begins the next epoch, also where the database came back in a recovery: what was compared and said there was before what is lost now,
 * and its number was used. False where the books have nothing that could be lost.
 */
async function beginAfter(
  { books, epochs }: Pick<RecoveryDeps, 'books' | 'epochs'>,
  { mark, reason, found }: Loss,
): Promise<boolean> {
  if (!(await isUsed(books))) return false
  await epochs.begin(Math.max(mark.epoch, found.epoch.number) + 1, reason, mark, found.place)
  return true
}

type Looking = Pick<RecoveryDeps, 'session' | 'place' | 'epochs'>

async function see({ session, place, epochs }: Looking, first: Parameters<Session['send']>[0] = []): Promise<Seen> {
  const [found, epoch] = await Promise.all([session.send([...first, place.read()]), epochs.newest()])
  const row = found.at(-1)?.rows[0]
  if (!row) throw new Error('the database does not say where it stands')
  return { place: placeFrom(row), epoch, gateways: gatewaysFrom(row) }
}

/**
 * Books without any account have done nothing yet that could be lost. Those of all servers: the one that is older may be from before its
 * first account. One that is away may have some.
 */
async function isUsed(books: Session): Promise<boolean> {
  try {
    const [found] = await books.send([anyAccount()])
    return found?.rows[0]?.['any'] === true
  } catch (fault) {
    if (isAway(fault)) return true
    throw fault
  }
}

function refuseOther(before: Seen, now: Seen): void {
  const mark = { ...before.place, epoch: before.epoch.number, isStopped: false }
  const reason = reasonToRecover(mark, { ...now.place, epoch: now.epoch.number })
  if (reason !== null) {
    // Books of another installation lack nothing: whoever starts on them goes by their own marks.
    const isOurs = before.place.installationId === now.place.installationId
    throw new MustStartAgain(
      `The database under this gateway is another one than before (${reason}). Start it again.`,
      isOurs ? { mark, reason, found: now } : null,
    )
  }
  if (inRecovery(now.epoch) && !inRecovery(before.epoch))
    throw new MustStartAgain(`A recovery was begun (${now.epoch.reason}). Start the gateway again.`)
}

/** The write path, which refuses in recovery whatever is more than a draft, and afterwards what the books have forgotten. */
export function standingStill(recovery: Pick<Recovery, 'isOn' | 'wasEver'>, execute: Execute): Execute {
  return <C extends Command>(request: CommandRequest<C>) => {
    const refusal = recovery.isOn() ? refusedInRecovery(request.command) : null
    // Of the many commands that go on, none waits for one more turn.
    if (refusal) return Promise.resolve(refusal)
    return execute(recovery.wasEver() ? { ...request, afterRestore: true } : request)
  }
}
