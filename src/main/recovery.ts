// The recovery of this process: where its marks are, its figure, and the work that begins when it is not, or no longer, on.
import { MustStartAgain, openRecovery, type Recovery } from '../app/recoveries/recovery.ts'
import { followEpochs, openEpochs } from '../app/recoveries/epochs.ts'
import { openPromotions } from '../app/recoveries/promotion.ts'
import type { Placed } from '../app/recoveries/placed.ts'
import type { Session } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Standing } from '../platform/postgres/standing.ts'
import { countMark, placeFrom, readPlace } from '../store/operator/epochs.ts'
import { type Loop, startLoop } from '../workers/loop.ts'
import type { Config } from './config/config.ts'
import { openLookSession, openPlannedSession } from './database/database.ts'
import type { Database } from './database/opened.ts'
import { HOME } from '../store/operator/lane-servers.ts'
import { MARK_MS, markDirectories, openMarkFiles } from './database/mark.ts'
import { followNodes, type NodeRecoveries } from './database/node-recoveries.ts'
import type { SeenWays } from './database/node-ways.ts'
import { type AbsentServers, openAbsentServers } from './database/absent-servers.ts'
import { presentServers } from './database/servers.ts'

export type StandingDatabase = Database & { readonly standing: Standing }

export type RecoveryParts = {
  readonly session: Session
  readonly database: StandingDatabase
  /** The nodes of a cluster that requests go straight to. */
  readonly nodes: SeenWays | null
  readonly metrics: Metrics
  readonly monotonicMs: () => number
  readonly log: Log
}

/** `anew`: all that this process has must begin anew. */
export type FollowedRecovery = Recovery & {
  readonly nodes: NodeRecoveries | null
  readonly absent: AbsentServers
  /** Whether a look has found, at any server or node, that all must begin anew: as in a recovery no money is moved. */
  readonly hasEnded: () => boolean
  readonly anew: ReturnType<typeof reasonToStartAgain>
}

function reasonToStartAgain() {
  let resolved: (why: string) => void = () => undefined
  const why = new Promise<string>((resolve) => (resolved = resolve))
  const lost = new AbortController()
  return {
    /** Resolves once it must, with why. */
    why,
    /** Aborted where whatever this process knows is of another database, or a recovery was begun: nothing more is to be done here. */
    lost: lost.signal,
    lose: () => lost.abort(),
    tell: ({ message }: MustStartAgain) => resolved(message),
    /** A server that was away at the start is there: what goes on is as right as before. */
    tellOfServer: resolved,
  }
}

const PLACE: Placed = { read: readPlace, count: countMark }

/** Begins a recovery where the database, or a server or node that has lanes of it, is older than its marks. Throws MarkUnreadable. */
export async function buildRecovery(
  config: Pick<Config, 'dataDir' | 'markDir' | 'mode' | 'durability' | 'laneServers'>,
  { session: reader, metrics, log, database, nodes: ways, ...given }: RecoveryParts,
): Promise<FollowedRecovery> {
  const directories = markDirectories(config)
  const servers = presentServers(database).map(([name, server]) => {
    const standing = standingOf(server)
    const session = name === HOME ? reader : openPlannedSession(server)
    return { name, standing, session, look: openLookSession(server, standing) }
  })
  const [home, ...others] = servers
  if (!home) throw new Error('a database has a server')
  for (const each of others) await followEpochs(home.session, each.session)
  const otherSessions = others.map(({ session }) => session)
  const anew = reasonToStartAgain()
  const epochs = openEpochs(home.session, otherSessions)
  const openOne = (own: (typeof servers)[number]) => {
    const { name, standing, session, look } = own
    // What took over answers none but who looks at it.
    const [atHome, ...elsewhere] = servers.map((each) => (each === own ? each.look : each.session))
    const looking = openEpochs(atHome ?? look, elsewhere)
    const promotions = openPromotions({ ...given, epochs: looking, look, words: look, place: PLACE, standing, log })
    const marks = openMarkFiles(directories, name)
    return openRecovery({
      ...given,
      onEnded: anew.lose,
      session,
      books: reader,
      place: PLACE,
      epochs,
      marks,
      standing,
      promotions,
      words: session,
      log,
    })
  }
  const followed = { ...given, onEnded: anew.lose, home: home.session, database, epochs, directories, log }
  const nodes = ways && followNodes({ ...followed, ways, installationId: await installationOf(home.session) })
  await nodes?.open()
  const recovery = await openTogether(() => Promise.all(servers.map(openOne)))
  const hasEnded = () => anew.lost.aborted
  // Home's word: epochs are known there, and a server that is away has not heard the newest.
  const isOn = () => hasEnded() || recovery.isOn()
  const help = '1 while the gateway is in recovery (gateway recovery status).'
  metrics.gauge('gateway_recovery', help, () => Number(isOn()))
  const absent = openAbsentServers(database, config, log)
  const stop = async () => {
    await absent.stop()
    await recovery
      .stop()
      .catch((fault: unknown) => log.warn({ err: fault }, 'the mark does not say that the gateway stopped'))
    await nodes?.stop()
    await Promise.all([...servers.map(({ look }) => look), ...otherSessions].map((each) => each.close()))
  }
  return { ...recovery, isOn, hasEnded, stop, nodes, absent, anew }
}

async function installationOf(home: Session): Promise<string> {
  const [found] = await home.send([readPlace()])
  const row = found?.rows[0]
  if (!row) throw new Error('the database does not say which books it has')
  return placeFrom(row).installationId
}

function standingOf({ standing }: Database): Standing {
  if (!standing) throw new Error('a gateway at work knows which server it works with')
  return standing
}

/** The recoveries of several servers as one: what one of them begins is begun for all. */
async function openTogether(open: () => Promise<readonly Recovery[]>): Promise<Recovery> {
  let all = await open()
  // One has begun an epoch, and others looked before.
  if (new Set(all.map(({ epoch }) => epoch())).size > 1) all = await open()
  const [home] = all
  if (!home) throw new Error('a database has a server')
  return {
    ...home,
    look: async () => {
      const looked = await Promise.allSettled(all.map(({ look }) => look()))
      const faults = looked.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []))
      // A server that is away must not hide that another one is a different one.
      const worst = faults.find((fault) => fault instanceof MustStartAgain) ?? faults[0]
      if (worst !== undefined) throw worst
    },
    stop: async () => {
      const stopped = await Promise.allSettled(all.map(({ stop }) => stop()))
      for (const each of stopped) if (each.status === 'rejected') throw each.reason
    },
  }
}

/**
 * Begins the work when the gateway is not in recovery, or not any more; and keeps its mark. `begin` says what ends the work again: that
 * is done at once where the gateway must begin anew, for what is due by books that are past must not be paid.
 */
export function followRecovery(recovery: FollowedRecovery, begin: () => () => Promise<unknown>, log: Log): Loop {
  const { lost, tell, tellOfServer } = recovery.anew
  let work: (() => Promise<unknown>) | null = null
  let isStopping = false
  const round = async () => {
    const fault = await recovery.look().then(nothing, (thrown: unknown) => ({ thrown }))
    if (fault?.thrown instanceof MustStartAgain) tell(fault.thrown)
    // Where one of several servers is away, the work of the others begins all the same.
    else if (work === null && !isStopping && !recovery.isOn()) work = onceOnly(begin())
    if (fault) throw fault.thrown
    return 0
  }
  // The stop that follows waits for the same, and meets its faults.
  lost.addEventListener('abort', () => void work?.().catch(() => undefined))
  recovery.nodes?.start(tell)
  recovery.absent.start(tellOfServer)
  const loop = startLoop({ name: 'recovery', round, idleMs: MARK_MS, log })
  const stop = async () => {
    isStopping = true
    await Promise.all([loop.stop(), work?.()])
  }
  return { ...loop, stop }
}

const nothing = () => null

function onceOnly<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  return () => (running ??= run())
}
