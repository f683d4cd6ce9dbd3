// Builds everything from a configuration; the only file that knows every concrete piece.
import type { FastifyInstance } from 'fastify'
import type { AddressInfo } from 'node:net'
import { crashAt, passOn } from '../engine/crash-points.ts'
import type { SealKeys } from '../app/seals/heads.ts'
import { openCallerBook } from '../app/accounts/callers.ts'
import { bindChannelModes, type OfferedChannel, openChannelBook } from '../app/operator/channel-book.ts'
import { openCheckoutTokens } from '../app/payments/checkout-tokens.ts'
import type { Deps } from '../app/deps.ts'
import { openBrands } from '../app/accounts/brands.ts'
import { openKeyUses } from '../app/accounts/key-uses.ts'
import { type Loop, startLoop } from '../workers/loop.ts'
import { type Recovery, standingStill } from '../app/recoveries/recovery.ts'
import { openMerchants } from '../app/accounts/merchants.ts'
import { openRestored } from '../app/accounts/restored.ts'
import { openOrigins } from '../app/accounts/origins.ts'
import { openScheduleRounds } from '../app/schedules/runs.ts'
import { openContractReads } from '../engine/reads.ts'
import { openReceiverBook } from '../app/accounts/receiver-secrets.ts'
import type { PaymentDeps } from '../app/payments/payment-deps.ts'
import { payersTransfer } from '../app/payments/wallet-payments.ts'
import { openSignals, type Signals } from '../app/webhooks/signals.ts'
import { newStopping, servedOn, type StopManner } from '../http/connections/drain.ts'
import { buildServer } from '../http/server.ts'
import type { Session } from '../platform/db.ts'
import type { Engine } from '../platform/citus/distribution.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { openOutbound, type Outbound } from '../platform/outbound.ts'
import { openStanding } from '../platform/postgres/standing.ts'
import { scheduleBackups } from './backups/schedule.ts'
import { type Bound, boundAt, type Config, Misconfigured } from './config/config.ts'
import { buildConnectors, type ConnectorParts, openNotedConnectors } from './channels/connectors.ts'
import { chainWatches } from './channels/crypto-channels.ts'
import {
  openAuditSession,
  openKeyedSession,
  openPruneSession,
  openReader,
  readSessions,
  writerSessions,
} from './database/database.ts'
import type { Database } from './database/opened.ts'
import { recognisedEngine } from './database/engine.ts'
import { eachServer } from './database/servers.ts'
import { type FollowedPlaces, followLanePlaces } from './database/lane-places.ts'
import { offeredChannels, sandboxOf } from './channels/offered-channels.ts'
import { buildRecovery, followRecovery, type StandingDatabase } from './recovery.ts'
import type { Peers } from './processes/peers.ts'
import { buildOwnProcess, followProcesses } from './processes/own-process.ts'
import { openReadiness } from './readiness.ts'
import { readSealingKeys, sealSigner } from './database/sealing-keys.ts'
import { openSandbox, type ProviderAt } from './sandbox/sandbox-control.ts'
import { openWatching, type Watching } from './telemetry/watching.ts'
import { callbackDeps } from './callbacks.ts'
import { followers } from './followers.ts'
import { limitsOf } from './limits.ts'
import { buildMembers } from './members.ts'
import { newIds } from './new-ids.ts'
import { openOperations } from './operator/operations.ts'
import { watchVerifications } from './telemetry/verifications.ts'
import { openBells } from './looking.ts'
import { watchSchema } from './schema-watch.ts'
import { buildSearch, type SearchParts } from './search.ts'
import { buildWebhooks, type Webhooks } from './webhooks.ts'
import { IN_FLIGHT_PER_CHANNEL, startWorkers, writeUses } from './workers.ts'
import type { OwnProcess } from '../app/jobs/own-process.ts'
import { openFreezes } from '../app/jobs/freezes.ts'
import { openWriters, type Writers } from '../engine/writers.ts'

export type Gateway = {
  readonly app: FastifyInstance
  readonly deps: Deps
  readonly inRecovery: () => boolean
  /** The figures of this process, as Prometheus text. */
  readonly figures: () => Promise<string>
  /** Listens where the configuration says; from then on links are built from the address that was really bound. */
  readonly listen: () => Promise<Bound & { readonly publicUrl: string }>
  /** Resolves when the database is another one than it began with, or a recovery was begun: all must begin anew; with why. */
  readonly mustStartAgain: Promise<string>
  /** Resolves when a newer release has changed the schema so that this one must end; with the migration's name. */
  readonly outdated: Promise<string>
  /** Starts the workers: sending, sweeping, polling rail events. */
  readonly startWorkers: () => void
  /** Serves on for a while if it listens, then takes nothing new, finishes what is in flight, closes the database. */
  readonly stop: (manner?: StopManner) => Promise<void>
  /** Its row in the table of processes. */
  readonly processId: string
  /** Another process has died: its lanes are free at once. */
  readonly noteGone: (processId: string) => Promise<void>
}

/** For waits, limits and caches: it never jumps when the clock is set. */
const monotonicMs = () => performance.now()
const clock = { nowMs: () => Date.now(), monotonicMs }

const FREEZES_MS = 1000
// Reports on files and statements of a day are long.
const RAIL_REPLY_BYTES_MAX = 8 << 20

/**
 * Builds the gateway with the channels that something moves money for: without a sandbox provider none that it would play.
 * Throws {@link Misconfigured}, also where the database knows a channel with the other mode.
 */
export async function buildGateway(
  configured: Config,
  found: Database,
  provider: ProviderAt | null,
  log: Log,
  peers: Peers | null = null,
): Promise<Gateway> {
  const database: StandingDatabase = await eachServer(found, (server) => ({ ...server, standing: openStanding() }))
  const offered = offeredChannels(configured, sandboxOf(provider))
  const engine = await recognisedEngine(database, log)
  const config = { ...configured, channels: offered.map((each) => each.config) }
  const watch = await openWatching(config, log, peers)
  const [signals, state] = [openSignals(), newStopping()]
  const address = { baseUrl: config.publicUrl }
  const grounds = { config, engine, offered, database, provider, watch, signals, peers, log, address }
  const { deps, parts, ends } = await wireUp(grounds)
  const readiness = openReadiness(database, { ...clock, log, state, recovery: parts.recovery })
  parts.own.onReach(readiness.unreached)
  const app = await buildServer({
    deps,
    signals,
    settings: { currencies: new Set(config.currencies), console: config.console },
    presenter: parts.presenter,
    ...limitsOf(config, deps, monotonicMs),
    doors: config.doors,
    state,
    recovery: parts.recovery,
    readiness: readiness.ask,
    watch,
    log,
  })
  const work = openWork({ config, database, watch, log }, deps.reader, parts)
  return {
    app,
    deps,
    outdated: work.outdated,
    mustStartAgain: parts.recovery.anew.why,
    inRecovery: parts.recovery.isOn,
    figures: watch.metrics.text,
    listen: async () => {
      await app.listen({ host: config.host, port: config.port })
      const bound = boundAt(config.host, (app.server.address() as AddressInfo).port)
      if (!config.publicUrlIsSaid) address.baseUrl = bound.url
      return { ...bound, publicUrl: address.baseUrl }
    },
    startWorkers: work.start,
    processId: parts.own.id,
    noteGone: parts.own.noteGone,
    stop: async (manner = 'for good') => {
      Object.assign(state, { stopping: true, manner })
      if (app.server.listening && manner === 'for good')
        await servedOn(config.doors.drainSeconds, parts.recovery.anew.lost)
      await app.close()
      await work.stop()
      await ends()
      await readiness.close()
      await watch.stop()
    },
  }
}

type Parts = Awaited<ReturnType<typeof wireUp>>['parts']

/** All that goes on without a request, from its start on. */
function openWork(
  { config, database, watch, log }: Pick<Grounds, 'config' | 'database' | 'watch' | 'log'>,
  reader: Session,
  parts: Parts,
) {
  const { own, recovery } = parts
  const kept = { ...watch, ...own, isInRecovery: recovery.isOn, monotonicMs, log }
  const backups = scheduleBackups(config, database, kept)
  const schema = watchSchema(reader, log)
  const stops: (() => Promise<void>)[] = []
  const begin = () => {
    const begun = [watchFreezes(parts, log), ...(config.role === 'api' ? [] : [beginWork(parts)])]
    return () => Promise.all(begun.map((stop) => stop()))
  }
  return {
    outdated: schema.outdated,
    start: () => {
      stops.push(followProcesses(own, log).stop, backups.start(), schema.start().stop)
      stops.push(followRecovery(recovery, begin, log).stop)
    },
    stop: async () => {
      await Promise.all(stops.map((stop) => stop()))
    },
  }
}

/** Begins the work in lanes; what ends it again. */
function beginWork({ working, writers, webhooks, search, bells }: Parts) {
  const workers = startWorkers(working)
  writers.onDue((lane) => workers.tell('jobs', lane))
  bells.onWork(workers)
  webhooks.start()
  search.start()
  return workers.stop
}

/** Who is asked for a payment knows that a channel stands still, and in which versions there are any, whether or not anything is due. */
function watchFreezes({ working: { freezes, channels } }: Parts, log: Log) {
  const round = () => Promise.all([freezes.look(), channels.look()]).then(() => 0)
  return startLoop({ name: 'freezes', round, idleMs: FREEZES_MS, log }).stop
}

type Grounds = {
  readonly config: Config
  readonly engine: Engine
  readonly offered: readonly OfferedChannel[]
  readonly database: StandingDatabase
  readonly provider: ProviderAt | null
  readonly watch: Watching
  readonly signals: Signals
  readonly peers: Peers | null
  readonly log: Log
  readonly address: Address
}

/** Where links lead: read whenever one is built, for a port that is chosen by the system is known late. */
type Address = { baseUrl: string }

/** What is read by key: contracts by their ids, and what is remembered of accounts and of those who call. */
function readsByKey({ config, database }: Grounds, reader: Session, { ways, lanes, places }: FollowedPlaces) {
  const at = readSessions(database, ways, reader)
  const books = {
    callers: openCallerBook(reader, at.callers, monotonicMs, lanes),
    keyUses: openKeyUses(reader, Date.now),
    merchantOf: openMerchants(reader, monotonicMs),
    brandOf: openBrands(reader, monotonicMs),
    origins: openOrigins(reader, monotonicMs, places.byNode),
  }
  return { contracts: openContractReads(at.contracts, config.queueMax, lanes), books }
}

/** What use cases may touch, what works beside them, and how all of it is closed, in order. */
async function wireUp(grounds: Grounds) {
  const { config, offered, database, provider, watch, signals, peers, log, address } = grounds
  const reader = openReader(database)
  const own = buildOwnProcess(config, database, { ...watch, log })
  const followed = await followLanePlaces(reader, own, grounds, log)
  const { places, placing, lanes, ways, nodes } = followed
  const crashPoint = config.crashAt === null ? passOn : crashAt(config.crashAt)
  const freezes = openFreezes(reader, monotonicMs)
  const recovery = await buildRecovery(config, { session: reader, database, nodes, ...watch, monotonicMs, log })
  const channels = { ...(await openOffered(reader, offered)), isFrozen: freezes.has, paysNothing: freezes.paysNothing }
  const { sealingKeys, checkout, checkoutUrl, sealing } = signedAt(address, config)
  const presenter = presenterAt(address, channels, checkoutUrl)
  const webhooks = await buildWebhooks(config, { database, presenter, sealingKeys, own, places, watch, log })
  const search = buildSearch(config, { database, channels, sealing, ...own, monotonicMs, log })
  const bells = openBells()
  const onWritten = followers([signals, webhooks, search, bells], peers)
  const queues = { ...config, ...watch, channels, crashPoint, onWritten }
  const writers = openWriters({ ...queues, lanes, ...writerSessions(database, ways) })
  const [outbound, beside] = [openRailClient(config), openSandbox(provider, config)]
  const { contracts, books } = readsByKey(grounds, reader, followed)
  const execute = standingStill(recovery, gaugedQueues(watch.metrics, writers, contracts).execute)
  const credits = { execute, reader, findContract: contracts.submit }
  const calls = await openCalls({ config, provider, outbound, session: reader, crashPoint, log, credits })
  const [ids, sandboxUrl] = [{ ...clock, ...newIds() }, provider?.url ?? null]
  const payments: PaymentDeps = { ...calls, checkout, checkoutUrl, freezes }
  const members = buildMembers(config, { reader, places, webhooks, ...ids, announce: onWritten }, address)
  const deps: Deps = {
    execute,
    contracts,
    reader,
    channels,
    receivers: openReceiverBook(reader, webhooks.deps.sealing, clock),
    webhooks: webhooks.deps,
    ...search.deps,
    changes: members.deps.changes,
    verifications: { wake: bells.wake, tryOut: webhooks.tryVerifier },
    members: members.deps,
    sandbox: beside.sandbox,
    callbacks: callbackDeps({ config, watch, log }, calls.connectors, crashPoint),
    payments,
    operations: openOperations(config, database, { channels, sandboxUrl, sealKeys: sealing.signer, ...ids }),
    ...books,
    ...ids,
  }
  const opened = { execute, reader, ...own, places, placing, channels, watch, log, payments, freezes }
  const working = {
    ...opened,
    onForgotten: deps.callbacks.forgotten,
    deliver: webhooks.serve,
    ...sweeps(database, deps, config, { recovery, sealKeys: sealing.signer }, log),
    ...payments,
    verifying: { ...deps, ...own, ...calls, ...calledBy(webhooks, watch.metrics) },
    commands: { ...deps, presenter, currencies: new Set(config.currencies) },
    watches: await chainWatches({ config, outbound, execute, reader, session: reader, log }),
    ...ids,
  }
  const works = { own, placing, writers, contracts, webhooks, search, recovery, operations: deps.operations }
  const ends = endsOf(works, writeUses(deps.keyUses, log), [members, outbound, reader, contracts, writers, beside])
  return { deps, parts: { writers, webhooks, search, working, presenter, recovery, own, bells }, ends }
}

type Works = {
  readonly placing: Pick<Loop, 'stop'>
  readonly writers: Writers
  readonly contracts: Deps['contracts']
  readonly webhooks: Webhooks
  readonly search: SearchParts
  readonly recovery: Recovery
  readonly own: OwnProcess
  readonly operations: Deps['operations']
}

/** Finishes what is under way, then notes that it stopped here, then lets go of everything. */
function endsOf(works: Works, uses: Pick<Loop, 'stop'>, opened: readonly { readonly close: () => Promise<unknown> }[]) {
  return async () => {
    await Promise.all([uses.stop(), works.placing.stop(), works.writers.drain(), works.contracts.drain()])
    await Promise.all([works.webhooks.stop(), works.search.stop(), works.operations?.close()])
    await works.own.end().catch(() => undefined)
    await works.recovery.stop()
    await Promise.all(opened.map((each) => each.close()))
  }
}

/** What calls the verifiers of accounts, and what is counted of all. */
const calledBy = ({ deps: { sealing }, callVerifier }: Webhooks, metrics: Metrics) => ({
  sealing,
  call: callVerifier,
  onRecorded: watchVerifications(metrics),
})

/** What calls rails: connectors for all that goes on, and for one call each; and what wallets pay by, which none has. */
async function openCalls(parts: ConnectorParts) {
  const { crashPoint, config } = parts
  const connectors = await buildConnectors(parts)
  const calls = { connectors, noted: openNotedConnectors(parts), leaseMs: config.leaseMs, crashPoint }
  return { ...calls, payersTransfer: (id: string) => payersTransfer(parts.credits, id) }
}

/** What the keys of the installation vouch for: the payers' addresses, and seals. */
function signedAt(address: Address, config: Config) {
  const sealingKeys = readSealingKeys(config.sealingKeys, config.dataDir)
  const checkout = openCheckoutTokens(sealingKeys)
  const sealing = { signer: sealSigner(sealingKeys), baseUrl: () => address.baseUrl, nowMs: Date.now }
  const checkoutUrl = (contractId: string) => `${address.baseUrl}/pay/${checkout.tokenOf(contractId)}`
  return { sealingKeys, checkout, checkoutUrl, sealing }
}

type Kept = { readonly recovery: Recovery; readonly sealKeys: SealKeys }

/** What is forgotten, proved and watched, in nobody's way; who is told of a restore; and the schedules that are due. */
const sweeps = (database: Database, deps: Deps, config: Config, { recovery, sealKeys }: Kept, log: Log) => ({
  sealKeys,
  config,
  tellRestored: openRestored({ ...deps, epoch: recovery.resumed, onUntold: untold(log) }).round,
  runSchedules: openScheduleRounds({ ...deps, currencies: new Set(config.currencies), log }),
  openLooker: () => openKeyedSession(database),
  openPruner: () => openPruneSession(database),
  openAuditor: () => openAuditSession(database),
})

const untold = (log: Log) => (accountId: string, fault: unknown) =>
  log.error(
    { err: fault, account: accountId },
    'an account could not be told that the gateway was restored; it is tried again',
  )

/** The writers, whose queue is a figure like that of the reads. */
function gaugedQueues(metrics: Metrics, writers: Writers, reads: Pick<Deps['contracts'], 'depth'>): Writers {
  metrics.gauge('gateway_command_queue_depth', 'Commands that wait for a batch.', writers.depth)
  metrics.gauge('gateway_read_queue_depth', 'Contracts that wait to be read.', reads.depth)
  return writers
}

/** The channels on offer, each in the mode that it has for good. Throws {@link Misconfigured}. */
async function openOffered(reader: Deps['reader'], offered: Grounds['offered']): Promise<Deps['channels']> {
  const taken = await bindChannelModes(reader, offered)
  if (taken.length > 0) throw new Misconfigured(taken.join('\n'))
  return openChannelBook(reader, offered)
}

function presenterAt(address: Address, channels: Deps['channels'], checkoutUrl: (contractId: string) => string) {
  return {
    channels,
    get baseUrl() {
      return address.baseUrl
    },
    checkoutUrl,
  }
}

/** Channels may share a host: each call has a connection, polling one more: a rail that hangs blocks no other. */
function openRailClient({ channels }: Config): Outbound {
  const connectionsPerOrigin = channels.length * (IN_FLIGHT_PER_CHANNEL + 1)
  return openOutbound({ connectionsPerOrigin, replyBytesMax: RAIL_REPLY_BYTES_MAX })
}
