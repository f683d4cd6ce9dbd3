// How much of everything so many transfers a second take, on paper: from what one of each command was measured to cost
// (measured.json), and from assumptions, each of them named here. Pure; docs/scaling.md is made of it.
import { LANE_COUNT } from '../../src/domain/contract/ids.ts'

/** Microseconds of processor for one of it. */
type Cost = { readonly gatewayUs: number; readonly postgresUs: number }

export type Measured = {
  /** Where and how it was measured. */
  readonly said: string
  readonly create: Cost
  readonly issue: Cost
  readonly pay: Cost & { readonly batchSize: number; readonly perSecond: number }
  /** The same in batches of one. */
  readonly payUnbatched: Cost & { readonly perSecond: number }
  readonly get: Cost
  /** Created, issued, paid, paid out and looked at until it is completed; without webhooks. */
  readonly lifecycle: Cost
  readonly delivery: Cost
  /** Of the load generator, for each request. */
  readonly callerUs: number
  /** Of a transfer that was paid out, without webhooks: written to the log, and kept. */
  readonly walBytes: number
  readonly keptBytes: number
}

export type Assumed = typeof ASSUMED

/** What was not measured, and is taken to be so. */
export const ASSUMED = {
  /** Of a core; above that, waits grow faster than the work done. */
  busyShare: 0.6,
  coresOfNode: 32,
  deliveriesOfTransfer: 3,
  /** PostgreSQL's work on a cluster, of what one server has with the same statements: as payments were measured to take, on three nodes that shared two cores (docs/citus.md). */
  clusterFactor: 1.5,
  /** The most that is allowed for: what is aimed at, and less than all through a coordinator takes. */
  clusterFactorMax: 2.5,
  /** A round trip and a flush of the log, which keep no processor busy. */
  waitUs: 1500,
  /** Requests, replies, webhooks and rails; the log once more for a standby. */
  networkBytes: 25_000,
  secondsOfYear: 31_536_000,
  /** What a disk writes for hours. */
  diskBytesPerSecond: 500_000_000,
  /** An endpoint's calls at once, and how long each takes. */
  callsAtOnce: 4,
  callMs: 50,
}

/** A command of a batch: what the batch costs whatever its size, and what each command in it does. */
export type BatchCost = { readonly batch: Cost; readonly command: Cost }

/** From the same command measured in batches and one by one: two equations with two unknowns. */
export function batchCostOf({ pay, payUnbatched }: Pick<Measured, 'pay' | 'payUnbatched'>): BatchCost {
  const parts = (batched: number, alone: number) => {
    const batchUs = (alone - batched) / (1 - 1 / pay.batchSize)
    return { batchUs, commandUs: alone - batchUs }
  }
  const [gateway, postgres] = [
    parts(pay.gatewayUs, payUnbatched.gatewayUs),
    parts(pay.postgresUs, payUnbatched.postgresUs),
  ]
  return {
    batch: { gatewayUs: gateway.batchUs, postgresUs: postgres.batchUs },
    command: { gatewayUs: gateway.commandUs, postgresUs: postgres.commandUs },
  }
}

/** A request in each of the three writes of a transfer. What its payout needs stands beside them, whatever is batched. */
const WRITES = 3

/** So many commands share a batch where `perSecond` of them come to one place where batches form. At least one. */
export function batchSizeAt(perSecond: number, { batch, command }: BatchCost, waitUs: number): number {
  const busy = (perSecond * (command.gatewayUs + command.postgresUs)) / 1e6
  const gathering = (perSecond * (batch.gatewayUs + batch.postgresUs + waitUs)) / 1e6
  // Half of the callers at a time, of batches of 256.
  return Math.min(128, Math.max(1, busy >= 1 ? 128 : gathering / (1 - busy)))
}

/** Whether batches hold many lanes or one, and whether a process gets all accounts or always the same ones. */
export type Layout = {
  readonly engine: 'one PostgreSQL' | 'a cluster'
  readonly routing: 'any process' | 'by account'
}

export type Estimate = {
  readonly transfersPerSecond: number
  readonly batchSize: number
  /** Of one core each. */
  readonly gatewayProcesses: number
  readonly postgresCores: number
  readonly nodes: number
  readonly lanesOfNode: number
  readonly writingConnections: number
  readonly walBytesPerSecond: number
  readonly keptBytesPerYear: number
  readonly networkBitsPerSecond: number
}

/** What so many transfers a second take, each read once and told of by webhooks. */
export function estimate(
  measured: Measured,
  transfersPerSecond: number,
  { engine, routing }: Layout,
  assumed: Assumed = ASSUMED,
  clusterFactor = assumed.clusterFactor,
): Estimate {
  const cost = batchCostOf(measured)
  const factor = engine === 'a cluster' ? clusterFactor : 1
  let processes = 1
  let batchSize = 1
  // Fewer commands for each process make smaller batches, which cost more, which takes more processes: until it settles.
  for (let round = 0; round < 200; round++) {
    batchSize = batchSizeAt((transfersPerSecond * WRITES) / placesOf(engine, routing, processes), cost, assumed.waitUs)
    const busy = (transfersPerSecond * perTransfer(measured, cost, batchSize, assumed).gatewayUs) / 1e6
    const next = Math.max(1, Math.ceil(busy / assumed.busyShare))
    if (next === processes) break
    processes = Math.ceil((processes + next) / 2)
  }
  const { postgresUs } = perTransfer(measured, cost, batchSize, assumed)
  const postgresCores = Math.max(1, Math.ceil((transfersPerSecond * postgresUs * factor) / 1e6 / assumed.busyShare))
  const nodes = Math.ceil(postgresCores / assumed.coresOfNode)
  return {
    transfersPerSecond,
    batchSize,
    gatewayProcesses: processes,
    postgresCores,
    nodes,
    lanesOfNode: Math.ceil(LANE_COUNT / nodes),
    writingConnections: processes,
    walBytesPerSecond: transfersPerSecond * measured.walBytes,
    keptBytesPerYear: transfersPerSecond * measured.keptBytes * assumed.secondsOfYear,
    networkBitsPerSecond: transfersPerSecond * assumed.networkBytes * 8,
  }
}

/** How many batches form beside each other: one in each process, or one for each lane that a process is asked for. */
function placesOf(engine: Layout['engine'], routing: Layout['routing'], processes: number): number {
  if (engine === 'one PostgreSQL') return processes
  return routing === 'any process' ? processes * LANE_COUNT : Math.max(processes, LANE_COUNT)
}

/** Of one transfer with all that belongs to it, where its writes are in batches of this size. */
function perTransfer(measured: Measured, cost: BatchCost, batchSize: number, assumed: Assumed): Cost {
  const of = (who: keyof Cost) => {
    const { create, issue, pay, get, lifecycle, delivery } = measured
    const writes = create[who] + issue[who] + pay[who]
    const payout = lifecycle[who] - writes - get[who]
    const batches = WRITES * cost.batch[who] * (1 / batchSize - 1 / pay.batchSize)
    return writes + batches + payout + get[who] + assumed.deliveriesOfTransfer * delivery[who]
  }
  return { gatewayUs: of('gatewayUs'), postgresUs: of('postgresUs') }
}

/** What ends first whatever is added elsewhere, and at how many a second. */
export type Wall = {
  readonly what: string
  readonly perSecond: number
  readonly unit: 'payments' | 'transfers' | 'deliveries'
}

export function wallsOf(measured: Measured, assumed: Assumed = ASSUMED): Wall[] {
  const cost = batchCostOf(measured)
  const whole = perTransfer(measured, cost, measured.pay.batchSize, assumed)
  const perCore = (us: number) => (assumed.busyShare * 1e6) / us
  const lockedUs = cost.command.postgresUs + (cost.batch.postgresUs + assumed.waitUs) / 128
  const ofNode = perCore(whole.postgresUs) * assumed.coresOfNode
  return [
    {
      what: `one endpoint that answers in ${assumed.callMs} ms`,
      perSecond: (assumed.callsAtOnce * 1000) / assumed.callMs,
      unit: 'deliveries',
    },
    { what: 'one wallet, whose row is locked by one batch at a time', perSecond: 1e6 / lockedUs, unit: 'payments' },
    { what: 'one process of the gateway', perSecond: perCore(whole.gatewayUs), unit: 'transfers' },
    {
      what: `the log on a disk of ${assumed.diskBytesPerSecond / 1e6} MB/s`,
      perSecond: assumed.diskBytesPerSecond / measured.walBytes,
      unit: 'transfers',
    },
    { what: 'one PostgreSQL', perSecond: ofNode, unit: 'transfers' },
    { what: 'one node of a cluster, and so one lane', perSecond: ofNode / assumed.clusterFactor, unit: 'transfers' },
    {
      what: 'one coordinator that everything passes, if it does half of what a cluster adds',
      perSecond: (ofNode * 2) / (assumed.clusterFactorMax - 1),
      unit: 'transfers',
    },
    {
      what: `${LANE_COUNT} lanes, each alone on a node, in full batches`,
      perSecond: (ofNode * LANE_COUNT) / assumed.clusterFactor,
      unit: 'transfers',
    },
  ]
}
