// The chaos run: a list of faults (faults.ts) done to one, two or three gateways at work, their PostgreSQL and their provider.
// Several may be at work at once. Whoever ends is started again; then all heals by itself (disturbed.ts).
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Cut, type DatabaseRoad, openDatabaseRoad } from './database-road.ts'
import { diceOf } from '../dice.ts'
import type { GatewayChild } from '../gateway-child.ts'
import { freezeAll, type GatewayProcess, ownerConnection, rowsFrom, type Victim } from '../gateway-process.ts'
import { addDatabaseClock, setDatabaseClock, type ShiftedClocks, withShiftedClocks } from './shifted-clocks.ts'
import {
  type Disturbed,
  type DisturbedOptions,
  disturbedReport,
  type LoadFigures,
  runDisturbed,
} from '../sagas/disturbed.ts'
import { type Fault, faultsText, nameOfGateway } from './faults.ts'

export type ChaosOptions = DisturbedOptions & { readonly faults: readonly Fault[]; readonly gateways: number }

type Measured = {
  readonly gateways: number
  readonly faults: readonly Fault[]
  /** What was done of each kind; what met nobody (a COMMIT that did not come) is not counted. */
  readonly done: Readonly<Record<string, number>>
  readonly recoveredMsMax: number
}
export type ChaosFigures = LoadFigures & Measured

/** Room for the log of a busy minute; what is full of it is full at once. */
const DISK = '600m'
const CUT_WITHIN_MS = 5000
const JUMPED_MS = 4000
/** What is left of the load when the last fault is over. */
const TAIL_MS = 1500
const BACK_WITHIN_MS = 120_000
const RETRY_MS = 200
const START_AGAIN_MS = 500

const isClock = ({ kind }: Fault) => kind.includes('clock')
const isDisk = ({ kind }: Fault) => kind === 'full-disk'

/** Runs load and faults, heals, and compares. Throws only where the gateway could not be run at all. */
export function runChaos(options: ChaosOptions): Promise<ChaosFigures> {
  const { faults } = options
  return withShiftedClocks(faults.some(isClock), (clocks) => {
    const settings = clocks?.settings ?? {}
    const diskSize = faults.some(isDisk) ? { diskSize: DISK } : {}
    return runDisturbed({ ...options, settings, ...diskSize }, (gateway, _dice, _load, beside) =>
      disturb({ gateway, gateways: [gateway.child, ...beside], clocks }, options),
    )
  })
}

type Stage = {
  readonly gateway: GatewayProcess
  readonly gateways: readonly GatewayChild[]
  readonly clocks: ShiftedClocks | null
}
type Prepared = Stage & { readonly road: DatabaseRoad | null; readonly owner: pg.ClientConfig }

async function disturb(stage: Stage, { faults }: ChaosOptions): Promise<Disturbed<Measured>> {
  const owner = ownerConnection(stage.gateway.dataDir)
  const needsRoad = faults.some(({ kind }) => kind.startsWith('cut-') || kind === 'slow')
  const socket = join(String(owner.host), `.s.PGSQL.${owner.port}`)
  const prepared: Prepared = { ...stage, owner, road: needsRoad ? await openDatabaseRoad(socket) : null }
  const done: Record<string, number> = {}
  const findings: string[] = []
  let recoveredMsMax = 0
  let supervising: NodeJS.Timeout | undefined
  try {
    if (stage.clocks) await addDatabaseClock(owner)
    if (needsRoad) await endSessions(owner)
    await allReady(stage.gateways)
    supervising = setInterval(() => startAgain(stage.gateways), START_AGAIN_MS)
    const from = performance.now()
    const atWork = faults.map(async (fault) => {
      await sleep(Math.max(0, fault.atSeconds * 1000 - (performance.now() - from)))
      if (!(await doTo(prepared, fault))) return
      done[fault.kind] = (done[fault.kind] ?? 0) + 1
    })
    const ends = await Promise.allSettled(atWork)
    for (const end of ends) if (end.status === 'rejected') findings.push(`a fault could not be done: ${end.reason}`)
    recoveredMsMax = await untilBack(stage.gateways)
    await sleep(TAIL_MS)
  } finally {
    clearInterval(supervising)
    await prepared.road?.close()
  }
  return { figures: { gateways: stage.gateways.length, faults, done, recoveredMsMax }, findings }
}

/** Does one fault from its beginning to its end. False where there was nobody to do it to. */
async function doTo(stage: Prepared, { kind, amount }: Fault): Promise<boolean> {
  const [verb = '', ...rest] = kind.split('-')
  const whom = rest.join('-')
  if (verb === 'kill') return killed(stage, whom)
  if (verb === 'freeze') return frozen(stage, whom, amount ?? 0)
  if (verb === 'cut') return stage.road?.cutNext(whom as Cut, CUT_WITHIN_MS) ?? false
  if (kind === 'slow') return stage.road === null ? false : stage.road.beSlow(amount ?? 0).then(() => true)
  if (kind === 'full-disk') return filled(stage, amount ?? 0)
  return jumped(stage, kind, amount ?? 0)
}

async function killed({ gateway, gateways }: Prepared, whom: string): Promise<boolean> {
  const child = gateways.find((_, index) => nameOfGateway(index) === whom)
  if (!child) return gateway.kill(whom as Victim)
  if (!child.isUp()) return false
  await child.end('SIGKILL')
  return true
}

async function frozen({ gateway, gateways }: Prepared, whom: string, forMs: number): Promise<boolean> {
  const child = gateways.find((_, index) => nameOfGateway(index) === whom)
  if (!child) return gateway.freeze(whom as Victim, forMs)
  const pid = child.pid()
  return pid !== undefined && freezeAll([pid], forMs)
}

async function filled({ gateway, owner }: Prepared, forMs: number): Promise<boolean> {
  const { disk } = gateway
  if (disk === null) return false
  disk.fill()
  await sleep(forMs)
  disk.free()
  // The log of before is not needed any more: the disk is small, and checkpoints are far apart.
  await rowsFrom(owner, 'checkpoint').catch(() => undefined)
  return true
}

async function jumped({ clocks, owner }: Prepared, kind: string, hours: number): Promise<boolean> {
  const set = async (to: number) => {
    if (kind !== 'database-clock') clocks?.setGateways(to)
    if (kind !== 'gateway-clock') await untilDone(() => setDatabaseClock(owner, to))
  }
  await set(hours)
  await sleep(JUMPED_MS)
  await set(0)
  return true
}

/** A server that is starting, or has no room, takes it a little later. */
async function untilDone(what: () => Promise<void>): Promise<void> {
  for (const until = performance.now() + BACK_WITHIN_MS; ; await sleep(RETRY_MS)) {
    try {
      return await what()
    } catch (fault) {
      if (performance.now() > until) throw fault
    }
  }
}

/** As a supervisor does: whoever was killed, or ended at his start because the disk was full or the database away. */
function startAgain(gateways: readonly GatewayChild[]): void {
  for (const each of gateways) if (!each.isUp()) each.launch()
}

async function untilBack(gateways: readonly GatewayChild[]): Promise<number> {
  const from = performance.now()
  for (const each of gateways) await untilDone(async () => void (await each.ready()))
  return performance.now() - from
}

const allReady = (gateways: readonly GatewayChild[]) => Promise.all(gateways.map((each) => each.ready()))

/** So that all sessions go along the road from now on. */
const endSessions = (owner: pg.ClientConfig) =>
  rowsFrom(owner, 'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()')

/** The figures as a person reads them. */
export function chaosReport(figures: ChaosFigures): string {
  const { gateways, faults, done, recoveredMsMax, findings } = figures
  const repeat = findings.length === 0 ? [] : [`  again: --gateways ${gateways} --faults ${faultsText(faults)}`]
  const report = disturbedReport(
    `chaos run, seed ${figures.seed}: ${faults.length} faults, ${gateways} gateways, ${figures.seconds.toFixed(1)} s; done ${JSON.stringify(done)}`,
    `ready again ${Math.round(recoveredMsMax)} ms after the last fault`,
    figures,
  )
  return [report, ...repeat].join('\n')
}

/** The faults of a seed's list have dice of their own. */
export const faultDice = (seed: number) => diceOf(seed).part('faults')
