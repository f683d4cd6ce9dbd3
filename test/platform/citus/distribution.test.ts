// What of the schema is spread over a cluster follows from the schema itself; here it is held against one PostgreSQL.
// On a cluster: npm run test:citus (docs/citus.md).
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openKeyedSession } from '../../../src/main/database/database.ts'
import { distributeDatabase, prepareDatabase } from '../../../src/main/database/prepare.ts'
import { engineAt, lanePlacesAt } from '../../../src/main/database/engine.ts'
import { namedAs } from '../../rig/servers/other-server.ts'
import { openWorld, type World } from '../../world.ts'

// Whoever adds a table without a lane decides where it lives, and says so here: a table that a tenant's rows point to, or that is
// joined with them, belongs on every node of a cluster (src/main/database/engine.ts).
const ON_EVERY_NODE = ['channel_modes', 'operator_actions']
const ON_THE_COORDINATOR = `
  chain_addresses chain_cursors chain_keys chain_modes chain_payments chain_sends channel_freezes channel_versions epochs
  installation lane_moves lane_servers payout_pauses processes promotions proofs rail_event_positions reconciliations recovery_channels recovery_lines
  schema_migrations screening_entries screening_lists seal_keys write_probes`
  .trim()
  .split(/\s+/)

let world: World
beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
})
afterAll(() => world.stop())

test('each table is a tenant’s by its first column, or its place is decided', async () => {
  const rows = await world.sql<{ name: string }>(
    `select c.relname::text as name from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum = 1
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname <> 'lane' order by 1`,
  )
  expect(rows.map(({ name }) => name)).toEqual([...ON_EVERY_NODE, ...ON_THE_COORDINATOR].sort())
})

test('no key of a tenant’s table is without its lane', async () => {
  const keys = await world.sql(
    `select i.indexrelid::regclass::text as name from pg_index i
       join pg_class c on c.oid = i.indrelid
       join pg_attribute a on a.attrelid = c.oid and a.attnum = 1 and a.attname = 'lane'
      where c.relnamespace = 'public'::regnamespace and i.indisunique and not (1 = any(i.indkey))`,
  )
  expect(keys).toEqual([])
})

test('a tenant’s rows point to their own lane, or to a table that every node has', async () => {
  const pointed = await world.sql<{ name: string }>(
    `select distinct k.confrelid::regclass::text as name from pg_constraint k
       join pg_attribute a on a.attrelid = k.conrelid and a.attnum = 1 and a.attname = 'lane'
      where k.contype = 'f' and not (1 = any(k.conkey)) order by 1`,
  )
  expect(pointed.map(({ name }) => name)).toEqual(ON_EVERY_NODE)
})

test.skipIf(process.env['TEST_ON_CITUS'] === 'yes')('one PostgreSQL distributes nothing, and says so', async () => {
  const { database, config } = world
  const refused = { code: 'not_distributing', message: expect.stringContaining('on one PostgreSQL') }
  await expect(distributeDatabase(database, config, 4, () => undefined)).rejects.toMatchObject(refused)
  await expect(distributeDatabase({ ...database, owner: null }, config, 4, () => undefined)).rejects.toThrow(
    'GATEWAY_OWNER_DATABASE_URL',
  )
  expect(await engineAt(database.login)).toBe('postgresql')
})

test.runIf(process.env['TEST_ON_CITUS'] === 'yes')('a cluster is recognised, and spread already', async () => {
  const { database } = world
  const config = { durability: 'allow', laneServers: [] } as const
  expect(await engineAt(database.login)).toBe('citus')
  expect((await distributeDatabase(database, config, 4, () => undefined)).distributed).toEqual([])
  const places = await lanePlacesAt(openKeyedSession(database))
  expect(places).toHaveLength(4)
  expect(new Set(places.map(({ node }) => node)).size).toBe(2)
  expect(places.flatMap(({ lanes }) => lanes).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 256 }, (_, lane) => lane),
  )
  await world.sql(
    'create table wanderers (lane int not null, account_id uuid not null, primary key (lane, account_id))',
  )
  const after = await distributeDatabase(database, config, 4, () => undefined)
  expect(after.distributed).toEqual(['wanderers'])
})

test.runIf(process.env['TEST_ON_CITUS'] === 'yes')('what is in more than one place is found out', async () => {
  const { foundOut } = await import('../../rig/citus/recorder.ts')
  expect(await foundOut()).toEqual([])
  const session = openKeyedSession(world.database)
  const values = [`{${Array.from({ length: 256 }, (_, lane) => lane).join()}}`]
  await session.send([{ name: 'count', text: 'select count(*) from wallets w where w.lane = any($1::int[])', values }])
  expect(await foundOut()).toEqual(['count: 4'])
  const text = 'update api_keys k set last_used_on = k.last_used_on where k.lane = any($1::int[])'
  await session.transaction([], () => ({ statements: [{ name: 'touch', text, values }], value: null }))
  await session.close()
  expect(await foundOut()).toEqual(['touch: 4', expect.stringMatching(/^committed in two phases: touch/)])
})

test.runIf(process.env['TEST_ON_CITUS'] === 'yes')(
  'a cluster is refused as the home of several servers, and is told to spread nothing',
  async () => {
    const { database } = world
    const alone = { durability: 'allow', laneServers: [] } as const
    const several = { ...alone, laneServers: [namedAs(database.owner, [200])] }
    const quietly = () => undefined
    const refused = { code: 'is_distributing' }
    await expect(prepareDatabase(database, several, quietly)).rejects.toMatchObject(refused)
    await expect(distributeDatabase(database, several, 4, quietly)).rejects.toMatchObject(refused)
    // Lanes are on others already, and nobody named them.
    await world.sql(`insert into lane_servers (server, lane) values ('east', 200)`)
    await expect(prepareDatabase(database, alone, quietly)).rejects.toMatchObject(refused)
    await expect(distributeDatabase(database, alone, 4, quietly)).rejects.toMatchObject(refused)
    await world.sql('delete from lane_servers')
    await prepareDatabase(database, alone, quietly)
  },
)
