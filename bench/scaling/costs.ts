// What each command costs both sides: processor time of the gateway and of PostgreSQL, log bytes, and how many commands
// shared a batch; in batches as they form, and one by one. The model (model.ts) and the simulation (batching.ts) reckon
// with these figures and with no others.
import { join } from 'node:path'
import { call } from '../deliveries/backlog.ts'
import { createRequest, DRAFT, getRequest, putRequest } from '../load/requests.ts'
import { type Bench, measure, type Window } from '../measure.ts'
import type { Work } from '../plan.ts'
import { BATCHED_PER_SECOND_MAX, type Record } from '../scenarios.ts'
import type { Databases } from '../stage/databases.ts'
import { type Cost, predictionsOf } from './prediction.ts'
import { openRig, type Payer, type Rig, writeList } from '../stage/rig.ts'
import { type Original, seedIssued, settleTables } from '../stage/seed.ts'
import { type Server, startGatewayProcess } from '../stage/servers.ts'
import { stopChild } from '../stage/stage.ts'

export const COSTS = 'costs'

/** Fewer than can be done; what a window leaves over is not used again. */
const UNBATCHED_PER_SECOND_MAX = 2500
/** One by one each waits for all before it: more would not be answered within a short window on a busy machine. */
const UNBATCHED_CONNECTIONS_MAX = 16
const READ_CONTRACTS = 10_000

type Keep = (cost: Cost, round: number) => void
type Step = (round: number, record: Keep) => Promise<void>

/** Creations, issues, payments of one wallet and of 64, reads; then creations and payments in batches of one. */
export async function runCosts(bench: Bench, databases: Databases, record: Record): Promise<void> {
  const rig = await openRig(bench.stage, databases, { name: COSTS, undoSeconds: 3600, batchMax: 256 })
  const alone = await startGatewayProcess(bench.stage, { ...rig.wish, name: 'costs-unbatched', batchMax: 1 })
  const steps = [
    createStep(bench, rig, 'cost-create', rig.server),
    await issueStep(bench, rig),
    payStep(bench, rig, { scenario: 'cost-pay-one', server: rig.server, payers: [rig.big] }),
    payStep(bench, rig, { scenario: 'cost-pay', server: rig.server, payers: rig.many }),
    await getStep(bench, rig),
    createStep(bench, rig, 'cost-create-unbatched', alone),
    payStep(bench, rig, { scenario: 'cost-pay-one-unbatched', server: alone, payers: [rig.big] }),
    payStep(bench, rig, { scenario: 'cost-pay-unbatched', server: alone, payers: rig.many }),
  ]
  const costs: Cost[] = []
  const keep: Keep = (cost, round) => {
    costs.push(cost)
    record(cost, round)
  }
  for (let round = 1; round <= bench.effort.rounds; round++) for (const step of steps) await step(round, keep)
  for (const line of predictionsOf(costs, bench.connections)) bench.say(line)
  for (const server of [rig.server, alone]) await stopChild(server.child)
}

function createStep(bench: Bench, rig: Rig, scenario: string, server: Server): Step {
  const work: Work = { kind: 'same', request: createRequest(rig.big.key) }
  const connections = connectionsTo(bench, rig, server)
  return async (round, record) =>
    void (await measureCost(bench, rig, { scenario, server, work, connections }, round, record))
}

function connectionsTo({ connections }: Bench, rig: Rig, server: Server): number {
  return server === rig.server ? connections : Math.min(connections, UNBATCHED_CONNECTIONS_MAX)
}

/** Drafts of all payers, each issued once. */
async function issueStep(bench: Bench, rig: Rig): Promise<Step> {
  const { contract } = await call(rig, rig.big, 'POST', '/contracts/transfer', DRAFT)
  const { lane, accountId } = rig.big
  const { id: contractId } = contract as { id: string }
  const draft: Original = { lane, accountId, contractId, referenceId: DRAFT.deliverable.reference_id }
  const path = join(bench.stage.directory, 'issues.list')
  const work: Work = { kind: 'listed', request: putRequest('issue', '{key}'), listPath: path, order: 'once' }
  return async (round, record) => {
    writeList(path, rig.many, await seedIssued(rig.client, draft, rig.many, needOf(bench, BATCHED_PER_SECOND_MAX)))
    await settleTables(rig.client)
    await measureCost(bench, rig, { scenario: 'cost-issue', server: rig.server, work }, round, record)
  }
}

type Paying = { readonly scenario: string; readonly server: Server; readonly payers: readonly Payer[] }

function payStep(bench: Bench, rig: Rig, { scenario, server, payers }: Paying): Step {
  const perSecondMax = server === rig.server ? BATCHED_PER_SECOND_MAX : UNBATCHED_PER_SECOND_MAX
  const connections = connectionsTo(bench, rig, server)
  return async (round, record) => {
    const list = await rig.unpaid(payers, needOf(bench, perSecondMax))
    const work: Work = { kind: 'listed', request: putRequest('pay', '{key}'), listPath: list.path, order: 'once' }
    list.take(await measureCost(bench, rig, { scenario, server, work, connections }, round, record))
  }
}

async function getStep(bench: Bench, rig: Rig): Promise<Step> {
  const path = join(bench.stage.directory, 'reads.list')
  writeList(path, rig.many, await seedIssued(rig.client, rig.original, rig.many, READ_CONTRACTS))
  const work: Work = { kind: 'listed', request: getRequest('{key}'), listPath: path, order: 'around' }
  return async (round, record) =>
    void (await measureCost(bench, rig, { scenario: 'cost-get', server: rig.server, work }, round, record))
}

const needOf = ({ effort, measureMs }: Bench, perSecondMax: number) =>
  Math.ceil((perSecondMax * (effort.warmupMs + measureMs)) / 1000)

/** A window with its log bytes and its batches, those of the warm-up included. How far its list was used. */
async function measureCost(bench: Bench, rig: Rig, window: Window, round: number, record: Keep): Promise<number> {
  const [batches, log] = [await batchesOf(window.server, rig.big), await logPosition(rig)]
  const { figure, listUsed } = await measure(bench, window)
  const [after, logAfter] = [await batchesOf(window.server, rig.big), await logPosition(rig)]
  const answered = Object.values(figure.statuses).reduce((sum, count) => sum + count, 0)
  const formed = after.batches - batches.batches
  const cost: Cost = {
    ...figure,
    batch_size: formed === 0 ? null : (after.commands - batches.commands) / formed,
    wal_bytes: (logAfter - log) / answered,
  }
  record(cost, round)
  return listUsed
}

type Batches = { readonly batches: number; readonly commands: number }

/** What a gateway has counted so far, as it tells Prometheus. */
async function batchesOf({ port }: Server, { key }: Payer): Promise<Batches> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { 'x-api-key': key } })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`GET /metrics: ${response.status} ${text}`)
  const figure = (name: string) => {
    const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
    if (found === undefined) throw new Error(`the gateway tells no ${name}`)
    return Number(found)
  }
  return { batches: figure('gateway_batch_size_count'), commands: figure('gateway_batch_size_sum') }
}

/** Bytes written to the log since the server was made. */
async function logPosition({ client }: Rig): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`,
  )
  return Number(rows[0]?.bytes)
}
