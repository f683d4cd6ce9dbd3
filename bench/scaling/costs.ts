// What each command costs both sides: processor time of the gateway and of PostgreSQL, log bytes, and how many commands
// shared a batch; in batches as they form, and one by one. The model (model.ts) and the simulation (batching.ts) reckon
// with these figures and with no others.
import { join } from 'node:path'
import { call } from '../deliveries/backlog.ts'
import { DRAFT, putRequest } from '../load/requests.ts'
import { type Bench, measure, type Window } from '../measure.ts'
import type { Work } from '../plan.ts'
import {
  BATCHED_PER_SECOND_MAX,
  createStep,
  getStep,
  neededFor,
  type Once,
  payStep,
  type Record,
  type Run,
  seedRead,
  severalName,
  startSeveral,
  startUnbatched,
  UNBATCHED_PER_SECOND_MAX,
} from '../scenarios.ts'
import type { Databases } from '../stage/databases.ts'
import { type CostFigure, PAY_MANY, PAY_ONE, predictionsOf } from './prediction.ts'
import { openRig, type Payer, type Rig, writeList } from '../stage/rig.ts'
import { type Original, seedIssued, settleTables } from '../stage/seed.ts'
import type { Server } from '../stage/servers.ts'
import { stopChild } from '../stage/stage.ts'

export const COSTS = 'costs'

/** One by one each waits for all before it: more would not be answered within a short window on a busy machine. */
const UNBATCHED_CONNECTIONS_MAX = 16

/**
 * Creations, issues, payments of one wallet and of 64, reads; then creations and payments in batches of one, and payments by a gateway of
 * several processes where they are asked for.
 */
export async function runCosts(bench: Bench, databases: Databases, record: Record): Promise<void> {
  const rig = await openRig(bench.stage, databases, { name: COSTS, undoSeconds: 3600, batchMax: 256 })
  const alone = await startUnbatched(bench, rig)
  const several = bench.processes > 1 ? await startSeveral(bench, rig) : null
  const costs: CostFigure[] = []
  const run: Run = async (of, window, round, tell) => {
    const { cost, listUsed } = await measureCost(of, rig, window)
    costs.push(cost)
    tell(cost, round)
    return listUsed
  }
  const few = { ...bench, connections: Math.min(bench.connections, UNBATCHED_CONNECTIONS_MAX) }
  const pay = (scenario: string, payers: readonly Payer[], server = rig.server) => {
    const [{ connections }, perSecondMax] = [bench, BATCHED_PER_SECOND_MAX]
    return payStep(bench, rig, { scenario, server, payers, connections, perSecondMax }, run)
  }
  const payAlone = (scenario: string, payers: readonly Payer[]) => {
    const [{ connections }, perSecondMax] = [few, UNBATCHED_PER_SECOND_MAX]
    return payStep(few, rig, { scenario, server: alone, payers, connections, perSecondMax }, run)
  }
  const steps = [
    createStep(bench, rig, 'cost-create', run),
    await issueStep(bench, rig, run),
    pay(PAY_ONE, [rig.big]),
    pay(PAY_MANY, rig.many),
    getStep(bench, rig, 'cost-get', await seedRead(rig), run),
    createStep(few, { ...rig, server: alone }, 'cost-create-unbatched', run),
    payAlone('cost-pay-one-unbatched', [rig.big]),
    payAlone('cost-pay-unbatched', rig.many),
    ...(several
      ? [pay(severalName(PAY_ONE, bench), [rig.big], several), pay(severalName(PAY_MANY, bench), rig.many, several)]
      : []),
  ]
  for (let round = 1; round <= bench.effort.rounds; round++) for (const step of steps) await step(round, record)
  for (const line of predictionsOf(costs, bench)) bench.say(line)
  for (const server of [rig.server, alone, several]) if (server) await stopChild(server.child)
}

/** Drafts of all payers, each issued once. */
async function issueStep(bench: Bench, rig: Rig, run: Run): Promise<Once> {
  const { contract } = await call(rig, rig.big, 'POST', '/contracts/transfer', DRAFT)
  const { lane, accountId } = rig.big
  const { id: contractId } = contract as { id: string }
  const draft: Original = { lane, accountId, contractId, referenceId: DRAFT.deliverable.reference_id }
  const path = join(bench.stage.directory, 'issues.list')
  const work: Work = { kind: 'listed', request: putRequest('issue', '{key}'), listPath: path, order: 'once' }
  return async (round, record) => {
    writeList(path, rig.many, await seedIssued(rig.client, draft, rig.many, neededFor(bench, BATCHED_PER_SECOND_MAX)))
    await settleTables(rig.client)
    await run(bench, { scenario: 'cost-issue', server: rig.server, work }, round, record)
  }
}

type MeasuredCost = { readonly cost: CostFigure; readonly listUsed: number }

/** A window with its log bytes and its batches, those of the warm-up included. */
async function measureCost(bench: Bench, rig: Rig, window: Window): Promise<MeasuredCost> {
  const [batches, log] = [await batchesOf(window.server, rig.big), await logPosition(rig)]
  const { figure, listUsed } = await measure(bench, window)
  const [after, logAfter] = [await batchesOf(window.server, rig.big), await logPosition(rig)]
  const answered = Object.values(figure.statuses).reduce((sum, count) => sum + count, 0)
  const formed = after.batches - batches.batches
  const cost: CostFigure = {
    ...figure,
    batch_size: formed === 0 ? null : (after.commands - batches.commands) / formed,
    wal_bytes: (logAfter - log) / answered,
  }
  return { cost, listUsed }
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
