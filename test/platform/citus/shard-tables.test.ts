// What is asked of one shard is asked of its own tables: the texts, and on a cluster (npm run test:citus) what keeps the shard in its place
// meanwhile, and what becomes of what is asked after it has moved.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openKeyedSession, openPlannedSession } from '../../../src/main/database/database.ts'
import { lanePlacesAt, type ShardPlace } from '../../../src/main/database/engine.ts'
import { type Shard, withTables } from '../../../src/platform/citus/shard-tables.ts'
import type { Session } from '../../../src/platform/db.ts'
import { type Scope, scoped } from '../../../src/platform/scope.ts'
import { compareNodes, seeNodes } from '../../rig/citus/compared-ways.ts'
import { openWorld, type World } from '../../world.ts'

// As the statement was sent, and as the cluster words what it plans.
const IN_THE_SHARD: unknown = expect.stringMatching(/ from accounts_\d+ a /)
const BY_THE_CLUSTER: unknown = expect.stringMatching(/ FROM public\.accounts_\d+ a /)
const isCluster = process.env['TEST_ON_CITUS'] === 'yes'

describe('a text in the names of a shard', () => {
  const tables = new Map([
    ['accounts', 'accounts_7'],
    ['jobs', 'jobs_9'],
  ])
  test.each([
    ['select a.name from accounts a where a.lane = 1', 'select a.name from accounts_7 a where a.lane = 1'],
    ['select 1 from accounts as a', 'select 1 from accounts_7 as a'],
    ['select accounts.name from accounts', 'select accounts.name from accounts_7 as accounts'],
    [
      'select (select 1 from accounts) from jobs where true',
      'select (select 1 from accounts_7 as accounts) from jobs_9 as jobs where true',
    ],
    [
      'from x left join accounts a on a.id = x.id join jobs on true',
      'from x left join accounts_7 a on a.id = x.id join jobs_9 as jobs on true',
    ],
    ['update accounts set name = $1', 'update accounts_7 as accounts set name = $1'],
    ['update accounts a set name = $1', 'update accounts_7 a set name = $1'],
    ['insert into jobs (lane) select 1', 'insert into jobs_9 as jobs (lane) select 1'],
    ['insert into jobs as j (lane) values (1)', 'insert into jobs_9 as j (lane) values (1)'],
    ['delete from\n  jobs\n using accounts', 'delete from\n  jobs_9 as jobs\n using accounts_7 as accounts'],
    ['select 1 from jobs j for no key update of j', 'select 1 from jobs_9 j for no key update of j'],
    ['select * from old_jobs o join accounts_of x on true', 'select * from old_jobs o join accounts_of x on true'],
    [
      'select extract(epoch from jobs.due_at), 1 is distinct from jobs.id',
      'select extract(epoch from jobs.due_at), 1 is distinct from jobs.id',
    ],
    ['do update set jobs = jobs.jobs', 'do update set jobs = jobs.jobs'],
  ])('%s', (text, named) => {
    expect(withTables(text, tables)).toBe(named)
  })
})

describe.runIf(isCluster)('on a cluster', () => {
  let world: World
  let reader: Session
  let owner: pg.Client
  beforeAll(async () => {
    world = await openWorld({ workers: 'resting' })
    reader = openPlannedSession(world.database)
    owner = new pg.Client(world.database.owner)
    await owner.connect()
  })
  afterAll(async () => {
    await Promise.all([reader.close(), owner.end()])
    await world.stop()
  })

  /** Ways to the nodes as a gateway has them that looks when it is told to. */
  async function seen() {
    const { ways, said } = await seeNodes(reader, world.database.login)
    await compareNodes(ways)
    const told = { looks: 0 }
    ways.onLookSoon(() => told.looks++)
    const see = async () => ways.seeShards(await lanePlacesAt(reader))
    await see()
    return { ways, told, see, said }
  }
  const placeOf = async (lane: number): Promise<ShardPlace & { shard: Shard }> => {
    const found = (await lanePlacesAt(reader)).find(({ lanes }) => lanes.includes(lane))
    if (!found?.shard) throw new Error(`the shard of lane ${lane} cannot be named`)
    return { ...found, shard: found.shard }
  }
  const groups = async () => (await lanePlacesAt(reader)).map(({ lanes }) => lanes)
  const at = async (node: string): Promise<pg.Client> => {
    const [host = '', port] = node.split(':')
    const client = new pg.Client({ ...world.database.login, host, port: Number(port) })
    await client.connect()
    return client
  }
  const move = async (lane: number) => {
    const { node, shard } = await placeOf(lane)
    await owner.query(
      `select citus_move_shard_placement($1::bigint, f.nodeid, t.nodeid, 'force_logical')
         from pg_dist_node f, pg_dist_node t
        where f.nodename || ':' || f.nodeport = $2 and t.groupid > 0 and t.nodeid <> f.nodeid`,
      [shard.id, node],
    )
  }
  const oneLane = (lane: number): Scope => ({ kind: 'one lane', lane })
  const whatIsAsked = scoped(
    'what_is_asked',
    `-- every lane: what was in one shard may be in two
     select current_query() as text, a.name from accounts a where a.account_id = $1 and $lane(a)`,
  )
  const rename = scoped('rename_in_shard', 'update accounts a set name = $2 where a.account_id = $1 and $lane(a)')

  test('every table of a tenant has a name in each shard, under which the node has it', async () => {
    const { lane } = world.caller.account
    const { node, shard } = await placeOf(lane)
    const [spread] = await world.sql<{ n: number }>(
      `select count(*)::int as n from pg_dist_partition where partmethod = 'h'`,
    )
    expect([shard.tables.size, shard.tables.get('contracts')]).toEqual([
      spread?.n,
      expect.stringMatching(/^contracts_\d+$/),
    ])
    const client = await at(node)
    for (const table of shard.tables.values())
      expect((await client.query('select to_regclass($1) as found', [table])).rows).toEqual([{ found: table }])
    await client.end()
  })

  test('nobody but gateways may hold a shard, on any node', async () => {
    const rows = await world.sql<{ result: string }>(
      `select r.result from run_command_on_all_nodes($$ select string_agg(f || ' ' || r || ' ' || has_function_privilege(r, f, 'execute'), ', ')
         from unnest(array['hold_shard(bigint)', 'has_shard(bigint)']) f, unnest(array['public', 'gateway_app']) r $$) r`,
    )
    expect(rows.length).toBe(3)
    for (const { result } of rows)
      expect(result.split(', ').toSorted()).toEqual(
        ['has', 'hold'].flatMap((name) => [
          `${name}_shard(bigint) gateway_app true`,
          `${name}_shard(bigint) public false`,
        ]),
      )
  })

  test('statements of one shard are sent to its node in its names, and all others as they are', async () => {
    const { ways } = await seen()
    const { lane, accountId } = world.caller.account
    const { node, lanes, shard } = await placeOf(lane)
    const session = openKeyedSession(world.database, ways.wayTo(node))
    const textOf = async (scope: Scope) =>
      String((await session.send([whatIsAsked(scope, [accountId])]))[0]?.rows[0]?.['text'])
    const named = shard.tables.get('accounts')
    expect(await textOf(oneLane(lane))).toContain(` from ${named} a `)
    expect(await textOf({ kind: 'lanes together', lanes })).toContain(` from ${named} a `)
    const written = await session.transaction([whatIsAsked(oneLane(lane), [accountId])], ([found]) => ({
      statements: [rename(oneLane(lane), [accountId, 'Named in a shard'])],
      value: String(found?.rows[0]?.['text']),
    }))
    expect(written).toContain(` from ${named} a `)
    const [account] = await world.sql('select name from accounts where account_id = $1', [accountId])
    expect(account).toEqual({ name: 'Named in a shard' })

    // Lanes of two shards, which a batch holds where they were in one before; and a node that does not have the lane.
    const [other = 0] = (await groups()).find((group) => !group.includes(lane)) ?? []
    const apart: Scope = { kind: 'lanes together', lanes: [lane, other] }
    const [found] = await session.send([whatIsAsked(apart, [accountId])])
    expect([found?.rows.length, found?.rows[0]?.['text']]).toEqual([1, BY_THE_CLUSTER])
    const nowhere = openKeyedSession(world.database, ways.wayTo('10.0.0.9:5432'))
    const [there] = await nowhere.send([whatIsAsked(oneLane(lane), [accountId])])
    expect(there?.rows.length).toBe(1)
    await Promise.all([session.close(), nowhere.close()])
  })

  test('a batch whose later statements name a lane of another shard is undone, and begun anew at the coordinator', async () => {
    const { ways, told } = await seen()
    const { lane, accountId } = world.caller.account
    const { node } = await placeOf(lane)
    const [other = 0] = (await groups()).find((group) => !group.includes(lane)) ?? []
    const session = openKeyedSession(world.database, ways.wayTo(node))
    const texts: string[] = []
    await session.transaction([whatIsAsked(oneLane(lane), [accountId])], ([found]) => {
      texts.push(String(found?.rows[0]?.['text']))
      return { statements: [rename(oneLane(other), [accountId, 'In no shard'])], value: null }
    })
    expect(texts).toEqual([IN_THE_SHARD, BY_THE_CLUSTER])
    expect(told.looks).toBe(1)
    await session.close()
  })

  test('a move waits for the transaction that holds the shard; then the old node has it no more, and what comes there is answered by the coordinator', async () => {
    const { ways, told, see } = await seen()
    const { lane, accountId } = world.caller.account
    const before = await placeOf(lane)
    const holder = await at(before.node)
    await holder.query('begin')
    await holder.query('select hold_shard($1::bigint)', [before.shard.id])
    let isMoved = false
    const moving = move(lane).then(() => {
      isMoved = true
    })
    const { node: first } = before
    const watcher = await at(first)
    const waits = async () =>
      (await watcher.query(`select from pg_locks where locktype = 'advisory' and not granted`)).rows.length
    await expect.poll(waits, { timeout: 60_000, interval: 100 }).toBeGreaterThan(0)
    await holder.query(
      `update ${before.shard.tables.get('accounts')} set name = 'Written under a move' where account_id = $1`,
      [accountId],
    )
    await sleep(300)
    // A read waits for no move, and is not answered by a node that may have lost the shard.
    const [asked] = (await watcher.query('select has_shard($1::bigint) as here', [before.shard.id])).rows
    expect([isMoved, asked]).toEqual([false, { here: false }])
    await holder.query('commit')
    await moving

    expect((await placeOf(lane)).node).not.toBe(first)
    await expect(holder.query('select hold_shard($1::bigint)', [before.shard.id])).rejects.toMatchObject({
      code: 'GS001',
    })
    expect((await watcher.query('select has_shard($1::bigint) as here', [before.shard.id])).rows).toEqual([
      { here: false },
    ])

    // The gateway has not looked since.
    const session = openKeyedSession(world.database, ways.wayTo(first))
    const reading = openKeyedSession(world.database, ways.wayTo(first))
    const [read] = await reading.send([whatIsAsked(oneLane(lane), [accountId])])
    expect(read?.rows).toEqual([{ name: 'Written under a move', text: BY_THE_CLUSTER }])
    let decided = 0
    await session.transaction([whatIsAsked(oneLane(lane), [accountId])], () => {
      decided++
      return { statements: [rename(oneLane(lane), [accountId, 'Written after a move'])], value: null }
    })
    expect([decided, told.looks]).toEqual([1, 2])
    const [account] = await world.sql('select name from accounts where account_id = $1', [accountId])
    expect(account).toEqual({ name: 'Written after a move' })
    await see()
    const there = openKeyedSession(world.database, ways.wayTo((await placeOf(lane)).node))
    const [after] = await there.send([whatIsAsked(oneLane(lane), [accountId])])
    expect(after?.rows).toEqual([{ name: 'Written after a move', text: IN_THE_SHARD }])
    await Promise.all([session.close(), reading.close(), there.close(), holder.end(), watcher.end()])
    await world.ledgerHolds()
  }, 120_000)

  test('without the functions that hold a shard nothing is named, and all goes through the coordinator', async () => {
    const { ways, see, said } = await seen()
    const { lane, accountId } = world.caller.account
    const { node } = await placeOf(lane)
    await owner.query('alter function hold_shard(bigint) rename to hold_shard_no_more')
    try {
      expect((await lanePlacesAt(reader)).every(({ shard }) => shard === null)).toBe(true)
      for (let i = 0; i < 2; i++) await see()
      expect(said).toEqual([expect.stringContaining('run gateway migrate')])
      const session = openKeyedSession(world.database, ways.wayTo(node))
      const [found] = await session.send([whatIsAsked(oneLane(lane), [accountId])])
      expect(found?.rows[0]?.['text']).toEqual(BY_THE_CLUSTER)
      await session.close()
    } finally {
      await owner.query('alter function hold_shard_no_more(bigint) rename to hold_shard')
    }
  })
})
