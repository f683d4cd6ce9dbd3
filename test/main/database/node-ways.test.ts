// Requests go straight to the worker that has their lane, where it lets the gateway in and is the one that the coordinator means.
// On a cluster: npm run test:citus (docs/citus.md).
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openKeyedSession, openPlannedSession } from '../../../src/main/database/database.ts'
import { lanePlacesAt } from '../../../src/main/database/engine.ts'
import { NO_NODES } from '../../../src/main/database/node-ways.ts'
import type { Row, Session, Statement } from '../../../src/platform/db.ts'
import type { ServerPlace } from '../../../src/platform/postgres/standing.ts'
import { type Scope, scoped } from '../../../src/platform/scope.ts'
import { compareNodes, seeNodes } from '../../rig/citus/compared-ways.ts'
import { openWorld, READY, type World } from '../../world.ts'
import { callerOf } from '../../world-caller.ts'

const isCluster = process.env['TEST_ON_CITUS'] === 'yes'
const LIST = '/contracts/transfer'

test('on one PostgreSQL there is one way', () => {
  expect(NO_NODES.wayTo('10.0.0.2:5432')).toBeUndefined()
})

describe.runIf(isCluster)('on a cluster', () => {
  let world: World
  let session: Session
  beforeAll(async () => {
    world = await openWorld({ workers: 'resting' })
    session = openPlannedSession(world.database)
  })
  afterAll(async () => {
    await session.close()
    await world.stop()
  })

  // Sessions of gateways, by node: what the coordinator opens for them has a name of Citus's own.
  const sessionsByNode = async () => {
    const rows = await world.sql<{ node: string; sessions: number }>(`
      select n.nodename || ':' || n.nodeport as node, r.result::int as sessions
        from run_command_on_workers($$ select count(*) from pg_stat_activity
               where datname = current_database() and usename = 'gateway_app' and application_name like 'gateway %' $$) r
        join pg_dist_node n on n.nodename = r.nodename and n.nodeport = r.nodeport`)
    return new Map(rows.map(({ node, sessions }) => [node, sessions]))
  }
  const nodeOf = async (lane: number) => {
    const [row] = await world.sql<{ node: string }>(
      `select p.nodename || ':' || p.nodeport as node from pg_dist_shard_placement p
        where p.shardid = get_shard_id_for_distribution_column('lanes', $1::int)`,
      [lane],
    )
    return row?.node ?? 'nowhere'
  }
  const nodes = async () =>
    (
      await world.sql<{ node: string }>(
        `select nodename || ':' || nodeport as node from pg_dist_node where groupid > 0`,
      )
    )
      .map(({ node }) => node)
      .toSorted()

  // In its first history: nothing was promoted here.
  const placeOf = async (node: string): Promise<ServerPlace> => {
    const [row] = await world.sql<{ id: string }>(
      `select r.result as id from run_command_on_all_nodes($$ select system_identifier from pg_control_system() $$) r
         join pg_dist_node n on n.nodeid = r.nodeid where n.nodename || ':' || n.nodeport = $1`,
      [node],
    )
    return { systemId: row?.id ?? '', timeline: 1 }
  }

  /** Ways as they are seen in a network where the coordinator's answers are these; and what is said of them. */
  async function seen(
    user?: string,
    answer: (rows: Row[]) => Row[] = (rows) => rows,
    noted: 'compared' | 'not compared' = 'compared',
  ) {
    const asked = {
      send: async (...sent: Parameters<Session['send']>) =>
        (await session.send(...sent)).map((each) => ({ ...each, rows: answer(each.rows) })),
    }
    const login = { ...world.database.login, ...(user === undefined ? {} : { user }) }
    const { ways, standing, said } = await seeNodes(asked, login)
    if (noted === 'compared') await compareNodes(ways)
    const addressOf = (node: string) => {
      const { host, port } = ways.wayTo(node)?.now().connection ?? {}
      return `${host}:${port}`
    }
    return { ways, addressOf, said, standing, home: `${login.host}:${login.port}` }
  }

  test('a request is worked on by a session at the worker that has its lane', async () => {
    const { caller } = world
    const made = await caller.ask('POST', LIST, { body: READY })
    expect(made.status).toBe(200)
    const at = await sessionsByNode()
    expect(at.get(await nodeOf(caller.account.lane))).toBeGreaterThan(0)
    await world.ledgerHolds()
  })

  test('through the coordinator none is, where that is configured', async () => {
    const before = await sessionsByNode()
    const beside = await world.beside({ citusWorkers: 'through the coordinator' })
    const { account, keyId, apiKey } = world.caller
    const neighbour = callerOf(beside, account, { keyId, text: apiKey })
    expect((await neighbour.issued()).status).toBe('issued')
    expect(await sessionsByNode()).toEqual(before)
    await beside.stop()
  })

  test('each node is reached at its own address', async () => {
    const { addressOf, said } = await seen()
    for (const node of await nodes()) expect(addressOf(node)).toBe(node)
    expect(said).toEqual([])
  })

  test('one that does not let the gateway in is reached through the coordinator, and it is said once why', async () => {
    const { ways, addressOf, said, home } = await seen('nobody_of_this_name')
    const workers = await nodes()
    for (const node of workers) expect(addressOf(node)).toBe(home)
    await ways.look()
    expect(said.filter((line) => line.includes('does not let the gateway in')).length).toBeGreaterThanOrEqual(
      workers.length,
    )
    expect(new Set(said).size).toBe(said.length)
    expect(said.join('')).toContain('role \\"nobody_of_this_name\\" does not exist')
  })

  test('what only the coordinator has a table for is asked there, and whoever needs no such table is not kept from the node', async () => {
    const { ways } = await seen()
    const { lane, accountId } = world.caller.account
    const node = openKeyedSession(world.database, ways.wayTo(await nodeOf(lane)))
    ways.seeShards(await lanePlacesAt(session))
    const scope: Scope = { kind: 'one lane', lane }
    const lists = scoped(
      'lists_here',
      'select (select count(*)::int from screening_lists) as lists from lanes l where $lane(l)',
    )
    const atHome = lists(scope, [])
    const rename = scoped('rename_here', 'update accounts a set name = $2 where a.account_id = $1 and $lane(a)')(
      scope,
      [accountId, 'Renamed once'],
    )
    let decided = 0
    const found = await node.transaction([atHome], ([listed]) => {
      decided++
      return { statements: [rename], value: listed?.rows[0]?.['lists'] }
    })
    expect([found, decided]).toEqual([0, 1])
    const [account] = await world.sql('select name from accounts where lane = $1 and account_id = $2', [
      lane,
      accountId,
    ])
    expect(account).toEqual({ name: 'Renamed once' })
    const wrong: Statement = { name: 'wrong_here', text: 'do $$ begin perform 1 / 0; end $$', values: [] }
    await expect(node.transaction([wrong], () => ({ statements: [], value: null }))).rejects.toMatchObject({
      code: '22012',
    })
    await node.close()
  })

  test('an address that leads to another server from here is not used', async () => {
    const ofTheNext = (rows: Row[]) => rows.map((row, i) => ({ ...row, place: rows[(i + 1) % rows.length]?.['place'] }))
    const { addressOf, home } = await seen(undefined, ofTheNext)
    for (const node of await nodes()) expect(addressOf(node)).toBe(home)
  })

  test('a node in whose place another server is: nothing is sent to its lanes, either way, until it was looked at', async () => {
    let history = 0
    const later = (rows: Row[]) =>
      rows.map((row) => {
        const [systemId, timeline] = String(row['place']).split(' ')
        return { ...row, place: `${systemId} ${Number(timeline) + history}` }
      })
    const { ways, addressOf, said } = await seen(undefined, later)
    const [node = ''] = await nodes()
    const way = ways.wayTo(node)
    const [seat, atHome] = [way?.now().seat, way?.throughCoordinator().seat]
    const [place, home] = [await placeOf(node), { systemId: '1', timeline: 1 }]
    const used = () => [seat?.holds(place), atHome?.holds(home), ways.isSettled(node)]
    expect(used()).toEqual([true, true, true])
    let told = 0
    ways.onLookSoon(() => told++)
    expect(() => seat?.admit({ ...place, timeline: 2 })).toThrow('it took over')
    expect(told).toBe(1)
    expect(used()).toEqual([false, false, false])

    // The coordinator and this address lead to the first one, still or again.
    await ways.look()
    expect(used()).toEqual([true, true, true])

    // The coordinator means the server that took over, and this address still leads to the first.
    history = 1
    await ways.look()
    expect(used()).toEqual([false, false, false])
    expect(addressOf(node)).toBe(node)
    const open = ways.open().find((each) => each.node === node)
    expect([open?.standing.met(), ways.isWhole()]).toEqual([{ ...place, timeline: 2 }, false])

    // It was looked at and has everything.
    open?.standing.workWith({ ...place, timeline: 2 })
    open?.answered(true)
    expect([seat?.holds({ ...place, timeline: 2 }), ...used()]).toEqual([true, false, true, true])
    expect(said.join('')).toContain('another server is in its place')
  })

  test('a node whose server does not answer is worked on no more, until the coordinator or the node itself says that it is the same', async () => {
    const { ways, said } = await seen()
    const [node = ''] = await nodes()
    const open = ways.open().find((each) => each.node === node)
    const isSettled = () => [ways.isSettled(node), ways.isWhole()]
    expect(isSettled()).toEqual([true, true])
    open?.answered(false)
    expect(isSettled()).toEqual([false, false])
    open?.answered(true)
    expect(isSettled()).toEqual([true, true])
    open?.answered(false)
    await ways.look()
    expect(isSettled()).toEqual([true, true])
    const [lost, back] = ['are not worked on until it is known', 'are worked on again']
    expect(said.map((line) => [lost, back].find((words) => line.includes(words)))).toEqual([lost, back, lost, back])
  })

  test('one that the coordinator does not reach, and that was never met, is not worked on either', async () => {
    const { ways } = await seen(undefined, (rows) => rows.map((row) => ({ ...row, place: null })))
    const [node = ''] = await nodes()
    expect([ways.isSettled(node), ways.isWhole(), ways.open()]).toEqual([false, false, []])
  })

  test('a node that was not compared with what was noted of it is sent nothing', async () => {
    const { ways } = await seen(undefined, undefined, 'not compared')
    const [node = ''] = await nodes()
    const seat = ways.wayTo(node)?.now().seat
    expect([seat?.holds(await placeOf(node)), ways.isSettled(node)]).toEqual([false, false])
  })

  test('while it is looked at who took the coordinator’s place, nothing is written at the nodes', async () => {
    const { ways, standing } = await seen()
    const [node = ''] = await nodes()
    const seat = ways.wayTo(node)?.now().seat
    const coordinator: ServerPlace = { systemId: '1', timeline: 1 }
    standing.workWith(coordinator)
    const place = await placeOf(node)
    expect(seat?.holds(place)).toBe(true)
    expect(() => standing.seat().admit({ systemId: '1', timeline: 2 })).toThrow('it took over')
    expect(seat?.holds(place)).toBe(false)
  })
})
