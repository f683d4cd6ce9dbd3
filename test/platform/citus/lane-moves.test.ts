// Lanes are moved between the nodes of a cluster while a gateway works on them: no request fails, and nothing of the history or of
// the webhooks is missing. On one PostgreSQL it is refused. On a cluster: npm run test:citus (docs/citus.md). Between PostgreSQLs:
// test/main/database/lane-server-moves.long.test.ts.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAuditSession, openPlannedSession } from '../../../src/main/database/database.ts'
import { sealKeysHere } from '../../../src/main/database/sealing-keys.ts'
import { openOperatorLanes, type OperatorLanes } from '../../../src/main/operator/operator-lanes.ts'
import { NEAR, newEndpoint, untilServed } from '../../rig/receiver/endpoints.ts'
import { type Receiver, startReceiver } from '../../rig/receiver/receiver.ts'
import { type Caller, openWorld, READY, type World } from '../../world.ts'
import { callerOf } from '../../world-caller.ts'

const isCluster = process.env['TEST_ON_CITUS'] === 'yes'
const DEED = { operator: 'Ana Cruz', evidence: 'a new node, ticket 4711' }
const CALLERS = 4
const TOLD_WITHIN_MS = 90_000
// Two copies of some seventy tables, on a machine that has other work.
const WITHIN_MS = 400_000

let world: World
let receiver: Receiver
let operator: OperatorLanes
/** The same account at a second gateway. */
let neighbour: Caller
const sessions: { close: () => Promise<void> }[] = []

beforeAll(async () => {
  world = await openWorld({ config: NEAR, lanesElsewhere: [] })
  receiver = await startReceiver()
  operator = openOperatorLanes(lanesDeps())
  const beside = await world.beside()
  neighbour = callerOf(beside, world.caller.account, { keyId: world.caller.keyId, text: world.caller.apiKey })
  sessions.push({ close: beside.stop })
})
afterAll(async () => {
  for (const each of sessions) await each.close()
  await world.stop()
  await receiver.stop()
})

function lanesDeps() {
  const { operators, config } = world
  const [reader, auditor] = [openPlannedSession(operators), openAuditSession(operators)]
  sessions.push(reader, auditor)
  const ids = { nowMs: Date.now, randomHex: () => randomBytes(10).toString('hex') }
  const sealKeys = () => sealKeysHere(config.sealingKeys, config.dataDir)
  return { database: operators, reader, auditor, sealKeys, ids }
}

const placeOf = async (lane: number) => {
  const group = (await operator.lanes()).find(({ lanes }) => lanes.includes(lane))
  if (!group) throw new Error(`lane ${lane} is nowhere`)
  return group
}
const otherNode = async (node: string) =>
  (await operator.lanes()).find((group) => group.node !== node)?.node ?? 'there is one node'

test.skipIf(isCluster)('on one PostgreSQL there is nowhere to move to', async () => {
  const wanted = { lane: 1, to: '10.0.0.3:5432' }
  await expect(operator.lanes()).rejects.toThrow('on one PostgreSQL')
  await expect(operator.moveLane(wanted, DEED, () => undefined)).rejects.toThrow('on one PostgreSQL')
})

test.runIf(isCluster)('a move that cannot be is refused, and says why', async () => {
  const { lane } = world.caller.account
  const { node } = await placeOf(lane)
  const to = (place: string) => operator.moveLane({ lane, to: place }, DEED, () => undefined)
  await expect(to('10.0.0.3:5432')).rejects.toThrow(`There are: `)
  await expect(to(node)).rejects.toThrow(`Lane ${lane} is on ${node} already`)
  await expect(
    openOperatorLanes({ ...lanesDeps(), database: { ...world.operators, owner: null } }).lanes(),
  ).rejects.toThrow('GATEWAY_OWNER_DATABASE_URL')
  expect(await world.sql(`select 1 from operator_actions where action = 'move lanes'`)).toEqual([])
})

test.runIf(isCluster)(
  'a shard moves under load: no request fails, and all is told',
  async () => {
    const { lane } = world.caller.account
    const endpoint = await newEndpoint(world.caller, `${receiver.url}/moved`)
    const before = await placeOf(lane)
    const to = await otherNode(before.node)
    const steps: string[] = []
    const load = atWork()
    const moved = await operator.moveLane({ lane, to }, DEED, ({ doing }) => void steps.push(doing))
    await load.finish()

    expect(load.failed).toEqual([])
    expect(moved).toEqual({ from: before.node, to, lanes: before.lanes, findings: [] })
    expect(steps).toEqual(expect.arrayContaining(['proving the books', 'moving']))
    expect((await placeOf(lane)).node).toBe(to)
    const actions = await world.sql(
      `select operator, target, evidence from operator_actions where action = 'move lanes'`,
    )
    expect(actions).toEqual([{ ...DEED, target: `shard of lane ${lane} to ${to}` }])
    for (const id of load.paid) expect(await world.settle(id)).toBe('completed')
    await untilServed(world.caller, [endpoint.id], TOLD_WITHIN_MS)
    await allIsTold()
    await world.ledgerHolds()
  },
  WITHIN_MS,
)

test.runIf(isCluster)(
  'a move that is interrupted leaves all where it was, and the next one moves it',
  async () => {
    const { lane } = world.caller.account
    const before = await placeOf(lane)
    const to = await otherNode(before.node)
    const load = atWork()
    const broken: Promise<void>[] = []
    const asked = operator.moveLane({ lane, to }, DEED, ({ doing }) => {
      if (doing === 'moving') broken.push(endMoves())
    })
    await expect(asked).rejects.toThrow(/terminat/)
    await Promise.all(broken)
    expect(await placeOf(lane)).toMatchObject({ node: before.node, lanes: before.lanes })

    const moved = await operator.moveLane({ lane, to }, DEED, () => undefined)
    await load.finish()
    expect(moved).toEqual({ from: before.node, to, lanes: before.lanes, findings: [] })
    expect(load.failed).toEqual([])
    await allIsTold()
    await world.ledgerHolds()
  },
  WITHIN_MS,
)

/** Callers of one account who pay and read one after another, each request once, at two gateways: neither is told of moves. */
function atWork() {
  const failed: string[] = []
  const paid: string[] = []
  let finishing = false
  const work = async (caller: Caller) => {
    while (!finishing) {
      const contract = await caller.paid({ ...READY, description: 'under way' }).catch((fault: unknown) => {
        failed.push(String(fault))
        return null
      })
      if (contract) {
        paid.push(contract.id)
        const read = await caller.ask('GET', `/contracts/transfer/${contract.id}`)
        if (read.status !== 200) failed.push(`read: ${read.status} ${read.text}`)
      }
      const listed = await caller.ask('GET', '/contracts/transfer?limit=5')
      if (listed.status !== 200) failed.push(`list: ${listed.status} ${listed.text}`)
    }
  }
  const all = Promise.all(Array.from({ length: CALLERS }, (_, i) => work(i % 2 === 0 ? world.caller : neighbour)))
  return {
    failed,
    paid,
    finish: async () => {
      await sleep(500)
      finishing = true
      await all
    },
  }
}

/** The history of the account has no gap, and its receiver was told of each step that it asked for. */
async function allIsTold(): Promise<void> {
  const { accountId } = world.caller.account
  const gaps = await world.sql(
    `select a.position, count(h.position)::int as steps from accounts a
       join account_steps h on h.lane = a.lane and h.account_id = a.account_id
      where a.lane = $1 and a.account_id = $2 group by a.position having count(h.position) <> a.position`,
    [world.caller.account.lane, accountId],
  )
  expect(gaps).toEqual([])
  const events = await world.caller.all<{ id: string; type: string }>('/events', 'events')
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  const came = new Set<string>()
  const steps = events.filter(({ type }) => ['contract.paid', 'contract.completed'].includes(type))
  await expect
    .poll(
      async () => {
        for (const { id } of await receiver.arrivals('/moved')) came.add(id)
        return steps.filter(({ id }) => !came.has(id)).length
      },
      { timeout: TOLD_WITHIN_MS },
    )
    .toBe(0)
}

/** Ends the session that moves, as soon as it does. */
async function endMoves(): Promise<void> {
  const { host, port, database } = world.database.owner as pg.ClientConfig
  const superuser = new pg.Client({ host, port, database, user: 'postgres' })
  await superuser.connect()
  try {
    for (let ended = 0; ended === 0; await sleep(20)) {
      const { rows } = await superuser.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where query like 'select citus_move_shard_placement%' and state = 'active'`,
      )
      ended = rows.length
    }
  } finally {
    await superuser.end()
  }
}
