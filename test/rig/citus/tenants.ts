// Accounts on a cluster, some on each worker: a payer and those whom it pays lie on one node, so that the death of another is
// nothing to them. How long each request took is noted, with where its account lies.
import type pg from 'pg'
import { openSession } from '../../../src/platform/db.ts'
import { laneOf } from '../../../src/domain/contract/ids.ts'
import { lanePlacesAt } from '../../../src/main/database/engine.ts'
import { type Caller, openCaller } from '../caller.ts'
import type { GatewayProcess } from '../gateway-process.ts'
import type { Receiver } from '../receiver/receiver.ts'
import { inTurn } from '../sagas/disturbed.ts'

/** One request: when it was sent, how long it took, and how it was answered; 0 where it was not. */
export type Timed = { readonly atMs: number; readonly tookMs: number; readonly status: number }

export type Tenant = {
  readonly name: string
  readonly accountId: string
  readonly lane: number
  /** The worker that has its rows, as the cluster calls it. */
  readonly node: string
  readonly caller: Caller
  readonly timed: Timed[]
}

export type Payer = Tenant & { readonly pays: string }

export type Tenants = {
  readonly payers: readonly Payer[]
  /** One on each worker. */
  readonly payees: readonly Tenant[]
  readonly close: () => Promise<void>
}

export const FUNDED_MAJOR = 100_000_000
const CONNECTIONS = 8

type Installation = {
  readonly gateway: GatewayProcess
  readonly urls: readonly string[]
  readonly owner: pg.ClientConfig
  /** Told of all events of each payer, at a path that is the account's id. */
  readonly receiver: Receiver
}

/** Makes so many payers and one payee on each of the workers. */
export async function openTenants(at: Installation, nodes: readonly string[], payersEach: number): Promise<Tenants> {
  const nodeOf = await nodesByLane(at.owner)
  const byNode = new Map<string, Tenant[]>(nodes.map((node) => [node, []]))
  const enough = payersEach + 1
  while ([...byNode.values()].some((has) => has.length < enough)) {
    const accountId = await newAccount(at.gateway)
    const node = nodeOf(laneOf(accountId))
    const has = byNode.get(node)
    if (has === undefined || has.length >= enough) continue
    has.push(await tenantOf(at, accountId, node))
  }
  const payees = [...byNode.values()].map(([first]) => first as Tenant)
  const payers: Payer[] = []
  for (const [payee, ...others] of byNode.values())
    for (const each of others) payers.push({ ...each, pays: await walletOf((payee as Tenant).caller) })
  for (const each of payers) await prepare(at, each)
  return {
    payers,
    payees,
    close: async () => void (await Promise.all([...payers, ...payees].map(({ caller }) => caller.close()))),
  }
}

/** Where lanes lie now. */
async function nodesByLane(owner: pg.ClientConfig): Promise<(lane: number) => string> {
  const session = openSession({ connection: owner, parameters: {} })
  try {
    const places = await lanePlacesAt(session)
    return (lane) => places.find(({ lanes }) => lanes.includes(lane))?.node ?? 'nowhere'
  } finally {
    await session.close()
  }
}

async function newAccount(gateway: GatewayProcess): Promise<string> {
  const words = ['accounts', 'create', '--name', 'Tenant', '--currencies', 'PHP', '--json']
  return said<{ account_id: string }>(gateway, words).then((made) => made.account_id)
}

async function said<T>(gateway: GatewayProcess, words: readonly string[]): Promise<T> {
  const { status, stdout, stderr } = await gateway.besideInThread(...words)
  if (status !== 0) throw new Error(`gateway ${words.join(' ')} ended with ${status}: ${stdout} ${stderr}`)
  return JSON.parse(stdout) as T
}

async function tenantOf({ gateway, urls }: Installation, accountId: string, node: string): Promise<Tenant> {
  const words = ['keys', 'create', '--account', accountId, '--name', 'Tenant', '--json']
  const key = await said<{ api_key: string }>(gateway, words)
  const timed: Timed[] = []
  const callers = urls.map((url) => openCaller(url, key.api_key, CONNECTIONS))
  const lane = laneOf(accountId)
  return { name: `account ${accountId}`, accountId, lane, node, caller: timing(inTurn(callers), timed), timed }
}

function timing(caller: Caller, timed: Timed[]): Caller {
  return {
    ...caller,
    ask: async (...asked) => {
      const atMs = performance.now()
      const note = (status: number) => timed.push({ atMs, tookMs: performance.now() - atMs, status })
      try {
        const reply = await caller.ask(...asked)
        note(reply.status)
        return reply
      } catch (fault) {
        note(0)
        throw fault
      }
    },
  }
}

async function prepare({ gateway, receiver }: Installation, { accountId, caller }: Payer): Promise<void> {
  // Ahead of the money, so that it is told of all.
  const made = await caller.ask('POST', '/webhook-endpoints', { url: `${receiver.url}/${accountId}`, events: ['*'] })
  if (made.status !== 200) throw new Error(`no endpoint for ${accountId}: ${made.status} ${made.code}`)
  const funds = ['--account', accountId, '--currency', 'PHP', '--amount', String(FUNDED_MAJOR), '--json']
  await said(gateway, ['accounts', 'fund', '--yes', ...funds])
}

async function walletOf(caller: Caller): Promise<string> {
  const { data } = await caller.ask('GET', '/wallets')
  const [wallet] = data['wallets'] as { id: string }[]
  if (!wallet) throw new Error('an account has no wallet')
  return wallet.id
}
