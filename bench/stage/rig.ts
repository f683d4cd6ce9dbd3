// One gateway on a database of its own, with accounts, keys, money, and issued contracts that wait to be paid.
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { createAccount, createApiKey } from '../../src/app/accounts/accounts.ts'
import { SCOPES } from '../../src/domain/account/scopes.ts'
import { openSession, type Session } from '../../src/platform/db.ts'
import type { Canned } from './bare-process.ts'
import { DRAFT } from '../load/requests.ts'
import type { Databases } from './databases.ts'
import { fundWallets, type Original, type Owner, type Seeded, seedIssued, settleTables } from './seed.ts'
import { type GatewayWish, type Server, startGatewayProcess } from './servers.ts'
import type { Stage } from './stage.ts'

export type Payer = Owner & { readonly key: string }

export type Rig = {
  readonly server: Server
  readonly wish: GatewayWish
  /** The owner's connection to the gateway's database. */
  readonly client: pg.Client
  /** The account that creates, and whose one wallet pays. */
  readonly big: Payer
  readonly many: readonly Payer[]
  readonly original: Original
  /** Replies of this gateway to the requests of the bench. */
  readonly canned: Canned
  /** A file of issued contracts of these payers, not paid yet: at least `count`. `new`: written for it, and none that were adopted. */
  readonly unpaid: (payers: readonly Payer[], count: number, age?: Age) => Promise<UnpaidList>
  /** Has existing contracts paid before any that are written for it. */
  readonly adopt: (payers: readonly Payer[], contracts: readonly Seeded[]) => void
}

export type Age = 'any' | 'new'

/** A list file for the load generator. What was used of it is taken off, the rest serves the next window. */
export type UnpaidList = { readonly path: string; readonly take: (used: number) => void }

const PAYERS = 64
const FUNDS_MINOR = 1_000_000_000_000_000n

export async function openRig(
  stage: Stage,
  databases: Databases,
  wish: Omit<GatewayWish, 'databaseUrl'>,
): Promise<Rig> {
  const { url: databaseUrl } = await databases.open(wish.name)
  const owner = { connectionString: databaseUrl }
  const server = await startGatewayProcess(stage, { ...wish, databaseUrl })
  const client = new pg.Client(owner)
  await client.connect()
  stage.onStrike(() => client.end())
  // The original belongs to no payer, so that it is never paid and stays what it was copied for.
  const [author, big, ...many] = await payersOf(owner)
  if (!author || !big) throw new Error('no accounts were made')
  await fundWallets(client, [author, big, ...many], FUNDS_MINOR)
  const { original, canned } = await sampled(server, author)
  return {
    server,
    wish: { ...wish, databaseUrl },
    client,
    big,
    many,
    original,
    canned,
    ...unpaidLists(stage, client, original, wish.name),
  }
}

async function payersOf(connection: pg.ClientConfig): Promise<Payer[]> {
  const session: Session = openSession({ connection, parameters: {} })
  const ids = { nowMs: Date.now, randomHex: () => randomBytes(10).toString('hex') }
  const payers: Payer[] = []
  try {
    for (let i = 0; i < PAYERS + 2; i++) {
      const account = await createAccount(session, ids, {
        name: `Payer ${i}`,
        livemode: false,
        currencies: [DRAFT.currency],
      })
      const { lane, accountId } = account
      const key = { name: 'Bench', livemode: false, scopes: SCOPES, expiresInSeconds: null }
      payers.push({ lane, accountId, key: (await createApiKey(session, account, key)).text })
    }
  } finally {
    await session.close()
  }
  return payers
}

/** Sends one contract through the API: what seeding copies, and what the bare server repeats. */
async function sampled(server: Server, payer: Payer): Promise<{ original: Original; canned: Canned }> {
  const headers = { 'x-api-key': payer.key, 'content-type': 'application/json' }
  const call = async (method: string, path: string, body: string | null): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${server.port}/contracts/transfer${path}`, { method, headers, body })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text
  }
  const contract = async (): Promise<{ id: string; created: string }> => {
    const created = await call('POST', '', JSON.stringify(DRAFT))
    const { id } = (JSON.parse(created) as { data: { contract: { id: string } } }).data.contract
    await call('PUT', `/${id}/issue`, '{}')
    return { id, created }
  }
  const { id, created } = await contract()
  const { id: paidId } = await contract()
  const canned = {
    create: created,
    get: await call('GET', `/${id}`, null),
    pay: await call('PUT', `/${paidId}/pay`, '{}'),
  }
  const { lane, accountId } = payer
  return { original: { lane, accountId, contractId: id, referenceId: DRAFT.deliverable.reference_id }, canned }
}

function unpaidLists(stage: Stage, client: pg.Client, original: Original, name: string): Pick<Rig, 'unpaid' | 'adopt'> {
  const pools = new Map<string, readonly Seeded[]>()
  const poolOf = (payers: readonly Payer[], age: Age) => [age, ...payers.map((payer) => payer.accountId)].join()
  let files = 0
  return {
    adopt: (payers, contracts) => void pools.set(poolOf(payers, 'any'), contracts),
    unpaid: async (payers, count, age = 'any') => {
      const pool = poolOf(payers, age)
      let left = pools.get(pool) ?? []
      if (left.length < count) {
        left = [...left, ...(await seedIssued(client, original, payers, count - left.length))]
        await settleTables(client)
      }
      const path = join(stage.directory, `${name}-${++files}.list`)
      writeList(path, payers, left.slice(0, count))
      return { path, take: (used) => void pools.set(pool, left.slice(used)) }
    },
  }
}

/** A list file: an id and the key of its account on each line. */
export function writeList(path: string, payers: readonly Payer[], contracts: readonly Seeded[]): void {
  const keys = new Map(payers.map((payer) => [payer.accountId, payer.key]))
  writeFileSync(path, contracts.map(({ id, accountId }) => `${id} ${keys.get(accountId)}\n`).join(''))
}
