// Moves of lanes between servers that are interrupted, at each word that is said to home: the lane is where it was or where it was to go,
// as a whole, and its account goes on.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lostLanes } from '../../src/app/jobs/moved-lanes.ts'
import { settleMove } from '../../src/main/operator/server-moves.ts'
import { ANCHOR } from '../../src/platform/citus/distribution.ts'
import { removeLane } from '../../src/platform/postgres/lane-rows.ts'
import type { Session, Statement } from '../../src/platform/db.ts'
import { decideMove } from '../../src/store/operator/lane-moves.ts'
import { loseLane } from '../rig/servers/lost-lane.ts'
import { openUnheardMoves } from '../rig/servers/unheard-move.ts'
import { openTwoServers, type TwoServers } from '../rig/servers/two-servers.ts'
import type { Caller, World } from '../world.ts'

const LANE = 200

let servers: TwoServers
let world: World
let caller: Caller
beforeAll(async () => {
  servers = await openTwoServers()
  world = servers.world
  caller = await world.newCaller({ lane: LANE })
  await world.settle((await caller.paid()).id)
}, 60_000)
afterAll(() => servers.stop())

const ids = { nowMs: Date.now, randomHex: () => 'cd'.repeat(10) }

/** Meets whatever is said to home. `isIt`: it says this. */
type Meet = <T>(isIt: boolean, say: () => Promise<T>) => Promise<T>

function meeting(name: string, meet: Meet): (session: Session) => Session {
  const met = <T>(statements: readonly Statement[], say: () => Promise<T>) =>
    meet(
      statements.some((each) => each.name === name),
      say,
    )
  return (session) => ({
    ...session,
    send: (statements) => met(statements, () => session.send(statements)),
    transaction: async (load, decide) => {
      if (load.length > 0) return session.transaction(load, decide)
      const decided = decide([])
      const statements = 'load' in decided ? decided.load : decided.statements
      return met(statements, () => session.transaction([], () => decided))
    },
  })
}

/** Dies when it says this, before or after home has heard it: from then on it says nothing more. */
function dying(name: string, when: 'before' | 'after'): (session: Session) => Session {
  let isDead = false
  return meeting(name, async (isIt, say) => {
    if (isIt && when === 'before') isDead = true
    if (isDead) throw new Error('it died')
    const said = await say()
    if (!isIt) return said
    isDead = true
    throw new Error('it died')
  })
}

const rows = async (sql: World['sql']) =>
  (await sql<{ n: number }>('select count(*)::int as n from contract_versions where lane = $1', [LANE]))[0]?.n ?? 0
const whereItIs = async () => {
  const [home, east] = [await rows(world.sql), await rows(world.sqlElsewhere)]
  expect(Math.min(home, east), `rows of the lane are on both servers: ${home}, ${east}`).toBe(0)
  return home > 0 ? 'home' : 'east'
}

const DEATHS = [
  ['hold_moving_lane', 'before', 'given_up'],
  ['hold_moving_lane', 'after', 'given_up'],
  ['count_not_holding', 'before', 'given_up'],
  ['decide_lane_move', 'before', 'given_up'],
  ['decide_lane_move', 'after', 'given_up'],
  ['place_moved_lane', 'before', 'moved'],
] as const

for (const [name, when, how] of DEATHS)
  test(`whoever moves it dies ${when} ${name}: it is ${how}`, async () => {
    const from = await whereItIs()
    const to = from === 'home' ? 'east' : 'home'
    await expect(servers.moveLane(LANE, to, dying(name, when))).rejects.toThrow('it died')
    const settled = await servers.asOperator((database, reader) => settleMove({ database, reader, ids }))
    expect(settled).toMatchObject({ lane: LANE, from, to, how })
    expect(await whereItIs()).toBe(how === 'moved' ? to : from)
    const { id } = await caller.paid()
    expect(await world.settle(id)).toBe('completed')
    await world.ledgerHolds()
  }, 60_000)

test('two commands do not move lanes at once', async () => {
  const to = (await whereItIs()) === 'home' ? 'east' : 'home'
  const moves = await Promise.allSettled([servers.moveLane(LANE, to), servers.moveLane(LANE, to)])
  expect(moves.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(moves.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))).toEqual([
    expect.stringMatching(/Another command moves a lane/),
  ])
  expect(await whereItIs()).toBe(to)
}, 60_000)

test('whoever settles a move dies, too: the next one ends it, and a move that was given up can be decided no more', async () => {
  const from = await whereItIs()
  const to = from === 'home' ? 'east' : 'home'
  await expect(servers.moveLane(LANE, to, dying('count_not_holding', 'after'))).rejects.toThrow('it died')
  const settle = (through: (session: Session) => Session) =>
    servers.asOperator((database, reader) => settleMove({ database, reader: through(reader), ids }))
  await expect(settle(dying('undo_lane_move', 'after'))).rejects.toThrow('it died')
  const [move] = await world.sql<{ id: string; state: string }>(
    'select id, state from lane_moves where ended_at is null',
  )
  expect(move?.state).toBe('undoing')
  const decided = await servers.asOperator((_, reader) => reader.send([decideMove(move?.id ?? '')]))
  expect(decided[0]?.rows).toEqual([])
  expect(await settle((session) => session)).toMatchObject({ how: 'given_up' })
  expect(await whereItIs()).toBe(from)
  await caller.paid()
}, 60_000)

test('nothing is left of a move that ended: it begins again', async () => {
  const to = (await whereItIs()) === 'home' ? 'east' : 'home'
  expect(await servers.moveLane(LANE, to)).toMatchObject({ to, findings: [] })
  expect(await whereItIs()).toBe(to)
  for (const sql of [world.sql, world.sqlElsewhere])
    expect(
      await sql(`select pubname as name from pg_publication union all select subname from pg_subscription
                 union all select slot_name from pg_replication_slots`),
    ).toEqual([])
}, 60_000)

/** A recovery that began and ended, as a server knows it. */
const EPOCH = `insert into epochs (number, reason, proposed_by, proposed_at, resumed_by, resumed_at)
  values ($1, 'declared', 'ana', now(), 'ben', now())`

test.each([
  [2, 'before the copy begins', 'begin_lane_move'],
  [3, 'while it is copied', 'hold_moving_lane'],
] as const)(
  'a recovery (epoch %s) that is known on one of the two servers alone keeps the lane where it is: %s',
  async (epoch, _, name) => {
    const from = await whereItIs()
    const to = from === 'home' ? 'east' : 'home'
    const begins = meeting(name, async (isIt, say) => {
      if (isIt) await world.sql(EPOCH, [epoch])
      return say()
    })
    await expect(servers.moveLane(LANE, to, begins)).rejects.toThrow(/Start a gateway once/)
    expect(await whereItIs()).toBe(from)
    // A gateway that starts tells each server.
    await world.sqlElsewhere(EPOCH, [epoch])
    expect(await servers.moveLane(LANE, to)).toMatchObject({ to, findings: [] })
  },
  60_000,
)

test('a recovery that begins while the lane is on neither server is noted where it comes to', async () => {
  const from = await whereItIs()
  const to = from === 'home' ? 'east' : 'home'
  const begins = meeting('decide_lane_move', async (isIt, say) => {
    const said = await say()
    if (isIt) for (const sql of [world.sql, world.sqlElsewhere]) await sql(EPOCH, [4])
    return said
  })
  expect(await servers.moveLane(LANE, to, begins)).toMatchObject({ to, findings: [] })
  const noted = await (to === 'home' ? world.sql : world.sqlElsewhere)(
    `select p.epoch, p.position = a.position as is_here from accounts a
       join epoch_positions p on p.lane = a.lane and p.account_id = a.account_id where a.account_id = $1`,
    [caller.account.accountId],
  )
  expect(noted).toEqual([{ epoch: 4, is_here: true }])
}, 60_000)

/** Home as a restore leaves it that goes back to before the lane was moved: it says that the lane is where it came from. */
async function restoreHome(lane: number, saysOn: 'home' | 'east', move: 'copying' | null): Promise<void> {
  await world.sql('delete from lane_servers where lane = $1', [lane])
  await world.sql('insert into lane_servers (server, lane) values ($1, $2)', [saysOn, lane])
  const to = saysOn === 'home' ? 'east' : 'home'
  if (move === null) return
  await world.sql(
    'insert into lane_moves (id, lane, from_server, to_server, state) values (gen_random_uuid(), $1, $2, $3, $4)',
    [lane, saysOn, to, move],
  )
}

/** Gateways at work hear within seconds where a lane is that was never held. */
async function goesOn(): Promise<void> {
  const asked = async () => (await caller.ask('GET', '/wallets')).status
  await expect.poll(asked, { timeout: 20_000 }).toBe(200)
  await world.settle((await caller.paid()).id)
}

// What was begun is settled first, and then the lane is there already.
test.each([
  [null, /^(home to east|east to home)$/],
  ['copying', /is on (home|east) already/],
] as const)(
  'home was restored to before the lane was moved (its move: %s): the only copy is found where it is, and stays',
  async (move, said) => {
    const from = await whereItIs()
    const to = from === 'home' ? 'east' : 'home'
    await servers.moveLane(LANE, to)
    const before = [await rows(world.sql), await rows(world.sqlElsewhere)]
    await restoreHome(LANE, from, move)
    expect(await servers.moveLane(LANE, to).then((done) => `${done.from} to ${done.to}`, String)).toMatch(said)
    expect([await rows(world.sql), await rows(world.sqlElsewhere)]).toEqual(before)
    await goesOn()
    await world.ledgerHolds()
  },
  60_000,
)

test.each([null, 'copying'] as const)(
  'home was restored with the lane itself (its move: %s): both copies stay, and nothing is moved over either',
  async (move) => {
    if ((await whereItIs()) !== 'east') await servers.moveLane(LANE, 'east')
    const before = await rows(world.sqlElsewhere)
    await world.sql('insert into lanes (lane) values ($1) on conflict do nothing', [LANE])
    const byHand = await openUnheardMoves(world)
    await byHand.copyHome(LANE)
    await restoreHome(LANE, 'home', move)
    await expect(servers.moveLane(LANE, 'east')).rejects.toThrow(/^Both home and east have lane 200\./)
    expect(await rows(world.sqlElsewhere)).toBe(before)
    const [open] = await world.sql('select 1 from lane_moves where ended_at is null')
    expect(open).toBeUndefined()
    // As the document tells: home has it no more, and is told where it is.
    await world.sql(
      `begin; set local session_replication_role = replica; delete from lanes where lane = ${LANE}; commit`,
    )
    await servers.moveLane(LANE, 'east')
    // What is left at home is removed before the lane is to come back.
    await removeLane({ on: byHand.home, lane: LANE, anchor: ANCHOR })
    await byHand.close()
    expect(await whereItIs()).toBe('east')
    await goesOn()
  },
  60_000,
)

test('a server that came back from before a lane was moved to it does not have it, and it is not moved on from there', async () => {
  const mover = await world.newCaller({ lane: 30 })
  await world.settle((await mover.paid()).id)
  const lost = () => servers.asOperator(async (_, reader) => (await lostLanes(reader)).map(({ lane }) => lane))
  const noted = async (sql: World['sql']) =>
    (await sql<{ at: string }>('select came_at::text as at from lanes where lane = 30'))[0]?.at
  await servers.moveLane(30, 'east')
  // Home came back older, and notes what an earlier move of it has done.
  await restoreHome(30, 'home', null)
  await servers.moveLane(30, 'east')
  expect(await lost()).toEqual([])
  const bringBack = await loseLane(world, 30)
  expect(await lost()).toEqual([30])
  await expect(servers.moveLane(30, 'home')).rejects.toThrow(/^east is from before lane 30 came to it/)
  expect(await lost()).toEqual([30])
  await bringBack()
  const [{ at } = { at: '' }] = await world.sql<{ at: string }>(
    `select came_at::text as at from lane_moves where lane = 30 and state = 'moved' order by ended_at desc limit 1`,
  )
  await world.sqlElsewhere('update lanes set came_at = $1 where lane = 30', [at])
  expect(await lost()).toEqual([])
  expect(await servers.moveLane(30, 'home')).toMatchObject({ from: 'east', to: 'home', findings: [] })
  expect(await noted(world.sql)).toMatch(/^20/)
  await world.settle((await mover.paid()).id)
}, 60_000)

test('a process that is alive and does not let go of the lane keeps it where it is', async () => {
  const from = await whereItIs()
  const id = randomUUID()
  const says = () =>
    world.sql(
      `insert into processes (id, host, pid, role, version, alive_until)
       values ($1, 'elsewhere', 1, 'all', '0', now() + interval '6 seconds')
       on conflict (id) do update set alive_until = excluded.alive_until`,
      [id],
    )
  await says()
  const saying = setInterval(() => void says(), 1000)
  const moved = servers.moveLane(LANE, from === 'home' ? 'east' : 'home').finally(() => clearInterval(saying))
  await expect(moved).rejects.toThrow(/1 of the processes at work/)
  expect(await whereItIs()).toBe(from)
  await caller.paid()
}, 60_000)
