// One process with everything: database, API and workers, and in development the sandbox provider beside them. Stops in order.
import { existsSync, mkdirSync } from 'node:fs'
import { lostLanes, wordsOfLost } from '../app/jobs/moved-lanes.ts'
import { pauseAtStart } from '../app/operator/payout-pauses.ts'
import type { Session } from '../platform/db.ts'
import { type Log, openLog } from '../platform/log.ts'
import { type Bound, type Config, listeningAt } from './config/config.ts'
import { keepDatabase, openDatabase } from './database/database.ts'
import type { Database } from './database/opened.ts'
import { prepareDatabase } from './database/prepare.ts'
import { lanesSaidOtherwise } from './database/servers.ts'
import { type Development, prepareDevelopment } from './development.ts'
import type { StopManner } from '../http/connections/drain.ts'
import { openFunds } from './operator/funding.ts'
import { clearUpSooner } from './memory.ts'
import { openMetricsDoor } from './metrics-door.ts'
import type { Peers } from './processes/peers.ts'
import type { Place } from './processes/place.ts'
import { givenProvider, openProvider, type Provider } from './sandbox/provider.ts'
import { withPlayedSecrets } from './sandbox/sandbox-callbacks.ts'
import { buildGateway, type Gateway } from './assemble.ts'

export type Running = {
  /** How this machine reaches it. */
  readonly url: string
  /** How all others reach it; links in replies begin with it. */
  readonly publicUrl: string
  /** Where figures are served without a key; null for nowhere. */
  readonly metricsUrl: string | null
  /** Null in production. */
  readonly development: (Development & { readonly sandboxUrl: string }) | null
  /** Whether it has begun in recovery: it moves no money until operators end that. */
  readonly inRecovery: boolean
  /** Resolves when it must end, for a newer release has changed the schema; with the migration's name. */
  readonly outdated: Promise<string>
  readonly log: Log
  readonly stop: (manner?: StopManner) => Promise<void>
}

/** One process with a whole gateway. */
export type RunningGateway = Running & Pick<Bound, 'port'> & Pick<Gateway, 'processId' | 'noteGone'>

/** Where root starts it, the database's unprivileged user must pass; no other user may list what is in it. */
const DIRECTORY_MODE = process.getuid?.() === 0 ? 0o711 : 0o700

/** Where one of several processes stands, and how it speaks with the others. */
export type Seat = { readonly place: Place; readonly peers: Peers }

/**
 * Starts all of it and resolves when it is ready. `say` gets what takes long. Only for a mode that is decided. Where the database
 * under it turns out to be another one, it stops in order and begins anew, as a new process would: nothing is left in memory
 * of what was lost. `seat` is for one of several processes; the only one has none.
 */
export async function startGateway(
  config: Config,
  say: (line: string) => void,
  seat: Seat | null = null,
): Promise<RunningGateway> {
  const first = await startOnce(config, say, seat)
  // That payouts are paused was said of the start: whoever has let them go on since is not overruled by what begins anew.
  const again: Config = { ...listeningAt(config, first), payouts: 'on' }
  let current: Promise<Started> = Promise.resolve(first)
  let isStopping = false
  let tellOutdated: (name: string) => void = () => undefined
  const outdated = new Promise<string>((resolve) => (tellOutdated = resolve))
  const follow = (started: Started) => {
    void started.outdated.then(tellOutdated)
    void started.mustStartAgain.then((why) => {
      if (isStopping) return
      started.log.error({ because: why }, 'everything begins anew')
      // Where it cannot, the process ends: whoever starts it again finds the fault.
      current = started.stop().then(() => startOnce(again, say, seat))
      void current.then(follow)
    })
  }
  follow(first)
  const stop = async (manner?: StopManner) => {
    isStopping = true
    await (await current).stop(manner)
  }
  return { ...first, outdated, stop, noteGone: async (id) => (await current).noteGone(id) }
}

type Started = RunningGateway & Pick<Gateway, 'mustStartAgain'>

async function startOnce(config: Config, say: (line: string) => void, seat: Seat | null): Promise<Started> {
  if (config.mode === null) throw new Error('a gateway is started in development or in production')
  clearUpSooner()
  const place = seat?.place ?? null
  makeDataDir(config)
  const log = place === null ? openLog(config.logLevel) : openLog(config.logLevel).child({ process: place.number })
  const undo: ((manner?: StopManner) => Promise<void>)[] = []
  const stop = async (manner?: StopManner) => {
    for (const step of undo.splice(0).reverse()) await step(manner)
  }
  try {
    // Beside the database, which takes longer.
    const starting = place === null ? openProvider(config, log) : Promise.resolve(givenProvider(place.provider))
    // Checked below; a database that fails first is the reason that is reported.
    starting.catch(() => undefined)
    undo.push(async () => (await starting.catch(() => null))?.stop())
    const database = keepDatabase(await openDatabase(config, say, 'start'), config, log)
    undo.push(database.stop)
    await prepareDatabase(database, config, say, 'is left out')
    // Of several processes the first says it for all.
    if (place?.isFirst ?? true) warnOfOtherLanes(database, config, log)
    const provider = await starting
    const gateway = await buildGateway(
      withPlayedSecrets(config, provider.played),
      database,
      provider.at,
      log,
      seat?.peers,
    )
    undo.push(gateway.stop)
    if (place?.isFirst ?? true) await warnOfLostLanes(gateway.deps.reader, log)
    const metricsUrl = await openMetrics(config, gateway.figures, undo)
    // Before anybody can ask for a payment from a wallet, which waits for no worker.
    if (config.payouts === 'off') await pauseAtStart(gateway.deps.reader)
    const { url, port, publicUrl } = config.role === 'worker' ? nowhere(config) : await gateway.listen()
    const development = await developmentOf({ config, gateway, database, provider, publicUrl, place })
    gateway.startWorkers()
    if (development) await provider.register(development, url)
    const { outdated, mustStartAgain, processId, noteGone } = gateway
    const inRecovery = gateway.inRecovery()
    const reached = { url, port, publicUrl, metricsUrl, development, inRecovery }
    return { ...reached, outdated, mustStartAgain, processId, noteGone, log, stop }
  } catch (fault) {
    await stop()
    throw fault
  }
}

function warnOfOtherLanes(database: Database, { laneServers }: Config, log: Log): void {
  for (const each of lanesSaidOtherwise(database, laneServers))
    log.warn(
      each,
      'GATEWAY_LANES_FILE says other lanes of this server than it has: a change there moves none. To move them: gateway lanes move. To have no warning, write there what it has, or leave lanes out',
    )
}

/** The others are served: whoever reads this brings the rows back, and until then nobody is told that an account is not there. */
async function warnOfLostLanes(reader: Session, log: Log): Promise<void> {
  for (const lost of await lostLanes(reader)) log.error(lost, `a lane is missing: ${wordsOfLost(lost)}`)
}

/** A process that only works in lanes listens at no port; links lead where others listen. */
const nowhere = ({ port, publicUrl }: Config) => ({ url: publicUrl, port, publicUrl })

/** Ours from the beginning; one that was there keeps the modes that its owner gave it. */
export function makeDataDir({ dataDir }: Pick<Config, 'dataDir'>): void {
  if (!existsSync(dataDir)) mkdirSync(dataDir, { recursive: true, mode: DIRECTORY_MODE })
}

type Parts = {
  readonly config: Config
  readonly gateway: Gateway
  readonly database: Database
  readonly provider: Provider
  readonly publicUrl: string
  readonly place: Place | null
}

/** Null in production, and where another process of the same start has prepared it. */
async function developmentOf(parts: Parts): Promise<Running['development']> {
  const { config, gateway, database, provider, publicUrl, place } = parts
  if (config.mode !== 'development' || place?.isFirst === false) return null
  const { url: sandboxUrl, token: sandboxToken } = provider.at ?? { url: '', token: null }
  const consoleUrl = config.console === 'on' ? `${publicUrl}/console/` : null
  const places = { baseUrl: publicUrl, consoleUrl, sandboxUrl, sandboxToken, pid: place?.supervisorPid ?? process.pid }
  const made = await prepareDevelopment(gateway.deps, config.currencies, config.dataDir, places, () =>
    openFunds(database),
  )
  return { ...made, sandboxUrl }
}

/** Serves the figures without a key where the configuration says so. */
export async function openMetrics(
  { metrics: { host, port } }: Config,
  figures: () => Promise<string>,
  undo: (() => Promise<void>)[],
): Promise<string | null> {
  if (port === null) return null
  const door = await openMetricsDoor(host, port, figures)
  undo.push(door.stop)
  return door.url
}
