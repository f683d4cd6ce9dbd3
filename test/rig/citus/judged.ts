// The judges of a run on a cluster: what callers were told against the gateway's books, the provider's, the receivers' and those of
// every node. Each finding is a sentence.
import { setTimeout as sleep } from 'node:timers/promises'
import { askForAll, type Contract } from '../caller.ts'
import { type GatewayProcess, rowsFrom } from '../gateway-process.ts'
import { mismatchesOfAll, providerBooks, type Wallet } from '../match.ts'
import { untilEnded } from '../sagas/disturbed.ts'
import type { Story } from '../sagas/stories.ts'
import type { Cluster } from './cluster.ts'
import { preparedAt } from './node-faults.ts'
import type { Stage } from './stage.ts'
import { FUNDED_MAJOR } from './tenants.ts'

export type Judgement = {
  readonly findings: readonly string[]
  readonly contracts: Readonly<Record<string, number>>
  readonly executions: number
  readonly deliveries: number
}

const RECOVERED_WITHIN_MS = 20_000
const TOLD_WITHIN_MS = 60_000
const POLL_MS = 200

/** Waits until every gateway is ready and no contract is on its way; what did not come to that. */
export async function untilHealed({ gateways, gateway, tenants }: Stage, withinMs: number): Promise<string[]> {
  const found: string[] = []
  for (const each of gateways) {
    if (!each.isUp()) found.push(`a gateway has ended, at ${each.url}`)
    else await each.ready().catch((fault: unknown) => found.push(String(fault)))
  }
  for (const { caller, name } of tenants.payers)
    found.push(...(await untilEnded(caller, gateway.dev(), withinMs)).map((each) => `${name}: ${each}`))
  return found
}

/** Everything that does not fit together. */
export async function judged(
  stage: Stage,
  database: string,
  told: ReadonlyMap<string, readonly Story[]>,
): Promise<Judgement> {
  const { gateway, tenants } = stage
  const payers = await Promise.all(
    tenants.payers.map(async ({ name, caller }) => ({
      name,
      stories: told.get(name) ?? [],
      fundedMajor: FUNDED_MAJOR,
      contracts: await askForAll<Contract>(caller, '/contracts/transfer', 'contracts'),
      events: await askForAll<EventBody>(caller, '/events', 'events'),
      wallets: await askForAll<Wallet>(caller, '/wallets', 'wallets'),
    })),
  )
  const received = await Promise.all(
    tenants.payees.map(({ caller }) => askForAll<Wallet>(caller, '/wallets', 'wallets')),
  )
  const provider = await providerBooks(gateway.dev())
  const contracts: Record<string, number> = {}
  for (const { status } of payers.flatMap((each) => each.contracts)) contracts[status] = (contracts[status] ?? 0) + 1
  const webhooks = await undelivered(
    stage,
    new Map(payers.map(({ events }, i) => [tenants.payers[i]?.accountId ?? '', events])),
  )
  return {
    findings: [
      ...mismatchesOfAll(payers, received.flat(), provider),
      ...webhooks.findings,
      ...(await leftPrepared(stage.cluster, database)),
      ...(await partedActions(stage, database)),
      ...(await verified(gateway)),
    ],
    contracts,
    executions: provider.transfers.reduce((sum, { executions }) => sum + executions, 0),
    deliveries: webhooks.deliveries,
  }
}

type EventBody = Parameters<typeof mismatchesOfAll>[0][number]['events'][number]

/** Every event of a contract has come to the account's receiver. */
async function undelivered(
  { receiver }: Stage,
  feeds: ReadonlyMap<string, readonly EventBody[]>,
): Promise<{ findings: string[]; deliveries: number }> {
  for (const end = performance.now() + TOLD_WITHIN_MS; ; await sleep(POLL_MS)) {
    const findings: string[] = []
    const arrivals = await receiver.arrivals()
    for (const [accountId, events] of feeds) {
      const came = new Set(arrivals.filter(({ path }) => path === `/${accountId}`).map(({ id }) => id))
      const lacks = events.filter(({ id, type }) => type.startsWith('contract.') && !came.has(id))
      if (lacks.length > 0)
        findings.push(`${accountId}: ${lacks.length} events were not delivered, such as ${lacks[0]?.id}`)
    }
    if (findings.length === 0 || performance.now() > end) return { findings, deliveries: arrivals.length }
  }
}

/** Transactions that still wait to hear how they end. */
async function leftPrepared({ coordinator, workers }: Cluster, database: string): Promise<string[]> {
  for (const end = performance.now() + RECOVERED_WITHIN_MS; ; await sleep(POLL_MS)) {
    const nodes = [coordinator, ...workers]
    const counts = await Promise.all(nodes.map((each) => preparedAt(each, database)))
    if (counts.every((count) => count === 0)) return []
    if (performance.now() > end)
      return nodes.flatMap(({ name }, i) =>
        counts[i] === 0 ? [] : [`${counts[i]} transactions are left prepared at ${name}`],
      )
  }
}

/** What an operator did is on every node and in the account, or nowhere. */
async function partedActions({ cluster, owner }: Stage, database: string): Promise<string[]> {
  const nodes = [cluster.coordinator, ...cluster.workers]
  const counts = await Promise.all(
    nodes.map((each) =>
      rowsFrom<{ n: number }>(each.superuser(database), 'select count(*)::int as n from operator_actions'),
    ),
  )
  const found =
    new Set(counts.map(([row]) => row?.n)).size === 1 ? [] : [`operators' actions by node: ${JSON.stringify(counts)}`]
  const named = await rowsFrom<{ account_id: string }>(
    owner,
    `select a.account_id from accounts a
       join lateral (select o.evidence from operator_actions o
                      where o.target = a.account_id::text and o.action = 'account settings' order by o.id desc limit 1) o on true
      where o.evidence::jsonb->>'name' <> a.name`,
  )
  return [...found, ...named.map(({ account_id: id }) => `${id} is not named as its operator's last action says`)]
}

/** The gateway's own proofs. */
async function verified(gateway: GatewayProcess): Promise<string[]> {
  const { status, stdout, stderr } = await gateway.besideInThread('verify', '--json')
  return status === 0 ? [] : [`gateway verify ended with ${status}: ${stdout} ${stderr}`]
}
