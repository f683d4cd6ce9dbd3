// While a lane is held on its way to another server, what is asked of it waits, and nothing else does: not what waited for the same batch.
// And what decides by all lanes waits with it.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOrigins } from '../../../src/app/accounts/origins.ts'
import { openMoveFollower } from '../../../src/app/jobs/lane-moves.ts'
import { membersOf } from '../../../src/app/members/sign-in.ts'
import { DatabaseUnavailable } from '../../../src/platform/db.ts'
import { openLog } from '../../../src/platform/log.ts'
import { ALL_LANES } from '../../../src/domain/contract/ids.ts'
import { type ContractReads, openContractReads } from '../../../src/engine/reads.ts'
import { passOn } from '../../../src/engine/crash-points.ts'
import { openWriters, type Writers } from '../../../src/engine/writers.ts'
import { openKeyedSession, openPlannedSession, writerSessions } from '../../../src/main/database/database.ts'
import { NO_NODES } from '../../../src/main/database/node-ways.ts'
import type { Database } from '../../../src/main/database/opened.ts'
import { lanesOf, otherServers, seePlacement } from '../../../src/main/database/servers.ts'
import { openMetrics } from '../../../src/platform/metrics.ts'
import type { HeldLanes } from '../../../src/platform/servers/held-lanes.ts'
import { listedOrigins, replaceOrigins } from '../../../src/store/accounts/origins.ts'
import { membersWithEmail } from '../../../src/store/members/members.ts'
import { connectedTo, EAST, OTHER_SERVER } from '../../rig/servers/other-server.ts'
import { type Caller, openWorld, type World } from '../../world.ts'

let world: World
let moving: Caller
let beside: Caller
let database: Database
let held: HeldLanes
beforeAll(async () => {
  world = await openWorld({ lanesElsewhere: EAST, workers: 'resting' })
  moving = await world.newCaller({ lane: 200 })
  beside = await world.newCaller({ lane: 150 })
  const { others, ...home } = world.database
  if (!others) throw new Error('the world has no second server')
  // As a gateway of its own knows it: nobody releases the lane but the test.
  const own = otherServers(others.servers)
  database = { ...home, others: own }
  held = own.placement.held
  await seePlacement(database)
})
afterAll(() => world.stop())

/** One writer to each server, as each gateway has some of. */
function writersOf(): Writers {
  const channels = { ...world.gateway.deps.channels, isFrozen: () => false }
  const sizes = { writers: 1, batchMax: 100, queueMax: 100 }
  const beside = { channels, metrics: openMetrics(), crashPoint: passOn, onWritten: () => undefined }
  return openWriters({ ...sizes, ...beside, lanes: lanesOf(database), ...writerSessions(database, NO_NODES) })
}

const readsOf = (): ContractReads => openContractReads(() => openKeyedSession(database), 100, lanesOf(database))

/** Whether it was answered. */
function watched(asked: Promise<unknown>) {
  let isAnswered = false
  void asked.then(
    () => (isAnswered = true),
    () => undefined,
  )
  return () => isAnswered
}

test('what waits for a batch when a lane is held goes without what is asked of that lane', async () => {
  const [drafts, own] = [
    [await moving.draft(), await beside.draft()],
    [moving, beside],
  ]
  const keys = drafts.map(({ id }, place) => ({ lane: 0, accountId: '', ...own[place]?.account, id }))
  const [writers, reads] = [writersOf(), readsOf()]
  try {
    const issue = keys.map(({ lane, accountId, id }) =>
      writers.execute({
        lane,
        accountId,
        keyId: null,
        idempotency: null,
        command: { verb: 'issue', id, preview: null },
      }),
    )
    const read = keys.map(({ lane, accountId, id }) => reads.submit({ lane, accountId, id }))
    // All of it waits for its batch at this moment.
    const holding = held.hold(200)
    const waiting = [issue[0], read[0]].map((each) => watched(each as Promise<unknown>))
    expect(await issue[1]).toMatchObject({ contract: { id: drafts[1]?.id, status: 'issued' } })
    expect(await read[1]).toMatchObject({ id: drafts[1]?.id })
    // Nothing of the lane was sent, so that its move has nothing to wait for.
    await holding
    expect(waiting.map((isAnswered) => isAnswered())).toEqual([false, false])
    held.release()
    expect(await issue[0]).toMatchObject({ contract: { id: drafts[0]?.id, status: 'issued' } })
    expect(await read[0]).toMatchObject({ id: drafts[0]?.id })
  } finally {
    held.release()
    await Promise.all([writers.drain(), reads.drain()])
    await Promise.all([writers.close(), reads.close()])
  }
})

test('so it is with what waits for an account that somebody else holds', async () => {
  const drafts = [await moving.draft(), await beside.draft()]
  const owner = world.database.others?.servers.get(OTHER_SERVER)?.owner
  if (!owner) throw new Error('the world has no second server')
  const somebody = await connectedTo(owner)
  const writers = writersOf()
  try {
    await somebody.query('begin')
    await somebody.query('select from accounts where lane = any($1) for update', [[200, 150]])
    const issue = [moving, beside].map(({ account: { lane, accountId } }, place) =>
      writers.execute({
        lane,
        accountId,
        keyId: null,
        idempotency: null,
        command: { verb: 'issue', id: drafts[place]?.id ?? '', preview: null },
      }),
    )
    // Both stand in line, behind one turn that waits for the account of the first.
    await sleep(100)
    const isAnswered = watched(issue[0] as Promise<unknown>)
    const holding = held.hold(200)
    await sleep(350)
    await somebody.query('commit')
    expect(await issue[1]).toMatchObject({ contract: { id: drafts[1]?.id, status: 'issued' } })
    await holding
    expect(isAnswered()).toBe(false)
    held.release()
    expect(await issue[0]).toMatchObject({ contract: { id: drafts[0]?.id, status: 'issued' } })
  } finally {
    held.release()
    await somebody.end()
    await writers.drain()
    await writers.close()
  }
})

test('a lane is let go again when its move is given up, while what was sent to it is still under way', async () => {
  const [moveId, processId] = [randomUUID(), randomUUID()]
  const [session, slow] = [openKeyedSession(database), openPlannedSession(database)]
  const see = () => seePlacement(database)
  const round = openMoveFollower({ session, processId, held, see, log: openLog('fatal') })
  await world.sql(
    `insert into processes (id, host, pid, role, version, alive_until)
     values ($1, 'here', 1, 'all', '0', now() + interval '1 minute')`,
    [processId],
  )
  const holds = async () =>
    (await world.sql(`select 1 from processes where id = $1 and holds = $2`, [processId, moveId])).length
  const sent = slow.send([{ name: 'slow', text: 'select pg_sleep(4) from lanes l where l.lane = $1', values: [200] }])
  const isAnswered = watched(sent)
  try {
    await world.sql(
      `insert into lane_moves (id, lane, from_server, to_server, state, held_until)
       values ($1, 200, 'east', 'home', 'held', now() + interval '30 seconds')`,
      [moveId],
    )
    expect(await round()).toBe(1)
    expect([held.has(200), await holds()]).toEqual([true, 0])
    await world.sql(`update lane_moves set held_until = null, state = 'given_up', ended_at = now() where id = $1`, [
      moveId,
    ])
    expect(await round()).toBe(0)
    expect([held.has(200), isAnswered()]).toEqual([false, false])

    await world.sql(
      `update lane_moves set held_until = now() + interval '30 seconds', state = 'held', ended_at = null where id = $1`,
      [moveId],
    )
    await round()
    expect([held.has(200), isAnswered(), await holds()]).toEqual([true, false, 0])
    await sent
    await round()
    expect(await holds()).toBe(1)
  } finally {
    await world.sql('delete from lane_moves where id = $1', [moveId])
    await world.sql('delete from processes where id = $1', [processId])
    held.release()
    await Promise.all([session.close(), slow.close()])
  }
}, 20_000)

test('who may sign in, and which origins are listed, is said with the lane that is held', async () => {
  const { lane, accountId } = moving.account
  await world.gateway.deps.reader.send(replaceOrigins({ lane, accountId }, ['https://shop.example']))
  await world.sqlElsewhere(
    `insert into members (lane, account_id, id, email, role, status, created_at, joined_at)
     values ($1, $2, gen_random_uuid(), 'ana@shop.example', 'owner', 'active', now(), now())`,
    [lane, accountId],
  )
  const session = openPlannedSession(database)
  try {
    await held.hold(200)
    const asked = [membersWithEmail('ana@shop.example', ALL_LANES), listedOrigins(ALL_LANES)].map((each) =>
      session.send([each]),
    )
    const isAnswered = asked.map(watched)
    // What is about whichever lanes there are does not wait.
    const drafts = {
      name: 'some',
      text: 'select 1 from contracts c where c.lane = any($1::int[])',
      values: [[150, 200]],
    }
    expect(await session.send([drafts])).toHaveLength(1)
    expect(isAnswered.map((each) => each())).toEqual([false, false])
    held.release()
    const found = (await Promise.all(asked)).flatMap((results) => results.flatMap(({ rows }) => rows))
    expect(found).toEqual([
      expect.objectContaining({ account_id: accountId, email: 'ana@shop.example' }),
      expect.objectContaining({ account_id: accountId, origin: 'https://shop.example' }),
    ])
  } finally {
    held.release()
    await session.close()
  }
})

test('pages go on by what was listed before while a lane is held', async () => {
  const { lane, accountId } = moving.account
  await world.gateway.deps.reader.send(replaceOrigins({ lane, accountId }, ['https://shop.example']))
  const session = openPlannedSession(database)
  let nowMs = 0
  const origins = openOrigins(
    session,
    () => nowMs,
    () => [ALL_LANES],
  )
  try {
    expect(await origins.accountsOf('https://shop.example')).toEqual(new Set([accountId]))
    await held.hold(200)
    nowMs += 60_000
    expect(await origins.accountsOf('https://shop.example')).toEqual(new Set([accountId]))
    expect(held.has(200)).toBe(true)
  } finally {
    held.release()
    await session.close()
  }
})

test('a lane that is elsewhere than home says keeps no other account’s pages and members out', async () => {
  const { lane, accountId } = moving.account
  await world.gateway.deps.reader.send(replaceOrigins({ lane, accountId }, ['https://shop.example']))
  await world.sqlElsewhere(
    `insert into members (lane, account_id, id, email, role, status, created_at, joined_at)
     values ($1, $2, gen_random_uuid(), 'ben@shop.example', 'owner', 'active', now(), now())`,
    [lane, accountId],
  )
  const session = openPlannedSession(database)
  await world.sqlElsewhere('delete from lanes where lane = 151')
  try {
    const origins = openOrigins(
      session,
      () => 0,
      () => [ALL_LANES],
    )
    expect(await origins.accountsOf('https://shop.example')).toEqual(new Set([accountId]))
    const deps = { reader: session, lanesByNode: () => [ALL_LANES] }
    const { found, fault } = await membersOf(deps, 'ben@shop.example', null)
    expect(found.map(({ member }) => member.accountId)).toEqual([accountId])
    // Nobody can say who is in that lane.
    expect(fault).toBeInstanceOf(DatabaseUnavailable)
    const nobody = await membersOf(deps, 'nobody@shop.example', null)
    expect(nobody).toEqual({ found: [], fault: expect.any(DatabaseUnavailable) as unknown })
  } finally {
    await world.sqlElsewhere('insert into lanes (lane) values (151)')
    await session.close()
  }
})
