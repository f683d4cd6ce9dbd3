// A server becomes one of the installation: which lanes it may begin with, what an interruption leaves, which database is not taken for a
// server that has joined, and which releases work beside it no more.
import type pg from 'pg'
import { beforeEach, expect, test } from 'vitest'
import { verifyBooks } from '../../../src/app/operator/verify.ts'
import { asOperatorOf, openAuditSession, ownedDatabase } from '../../../src/main/database/database.ts'
import { joinServer } from '../../../src/main/database/joining.ts'
import { onLogin } from '../../../src/main/database/logins.ts'
import type { Database, OwnedDatabase } from '../../../src/main/database/opened.ts'
import { pendingMigrations } from '../../../src/main/database/prepare.ts'
import { otherServers, seePlacement } from '../../../src/main/database/servers.ts'
import { breakingSince } from '../../../src/platform/migrate.ts'
import { migrateTo } from '../../rig/released/dump.ts'
import { asAnother, EAST, joinOther, namedAs, OTHER_SERVER } from '../../rig/servers/other-server.ts'
import { newDatabase } from '../../world.ts'

const WEST = EAST.filter((lane) => lane >= 200)
/** The last schema that knows of home alone. */
const ALONE = 44

let home: OwnedDatabase
let east: pg.ClientConfig
beforeEach(async () => {
  home = ownedDatabase(await newDatabase())
  east = await freshDatabase()
})

async function freshDatabase(): Promise<pg.ClientConfig> {
  const owner = await newDatabase()
  await asAnother(owner)
  return owner
}

const asOwner = async (owner: pg.ClientConfig, text: string, values: unknown[] = []) =>
  (await onLogin(owner, (client) => client.query<Record<string, unknown>>(text, values))).rows

const placed = () =>
  asOwner(home.owner, `select server, count(*)::int as lanes from lane_servers group by server order by server`)

/** As a command or a start without the owners' logins works. */
const withoutOwner = (database: Database): Database => ({ ...database, owner: null })

test('a server that joins takes no lane that another one has', async () => {
  await joinOther(home, east, EAST)
  const west = await freshDatabase()
  const joins = (lanes: readonly number[]) => joinServer(home, namedAs(west, lanes, 'west'), ownedDatabase(west))
  await expect(joins([3, ...WEST])).rejects.toMatchObject({
    code: 'server_not_joined',
    message: expect.stringMatching(/lanes 200-255 on the server east\b.*gateway lanes move/) as string,
  })
  expect(await placed()).toEqual([{ server: 'east', lanes: 128 }])
  // One that was moved home, and has no accounts, is home's like any other.
  await asOwner(home.owner, `update lane_servers set server = 'home' where lane = 200`)
  await joins([3, 200])
  expect(await placed()).toEqual([
    { server: 'east', lanes: 127 },
    { server: 'west', lanes: 2 },
  ])
})

test('a join that was interrupted is done by the next call, or its lanes go to another server', async () => {
  const other = ownedDatabase(east)
  const lost = { ...other, owner: { ...east, database: 'nowhere' } }
  await expect(joinServer(home, namedAs(east, EAST), lost)).rejects.toThrow(/nowhere/)
  expect(await placed()).toEqual([{ server: 'east', lanes: 128 }])
  const west = await freshDatabase()
  await joinServer(home, namedAs(west, [200], 'west'), ownedDatabase(west))
  await joinServer(home, namedAs(east, [128]), other)
  expect(await asOwner(east, 'select server from installation')).toEqual([{ server: 'east' }])
})

test('the server knows who it is before home does: home learns it by its owner, before any work', async () => {
  const { database } = await joinOther(home, east, EAST)
  const server = database.others?.servers.get(OTHER_SERVER)
  if (!server) throw new Error('there is no second server')
  await asOwner(home.owner, `update lane_servers set since = 'infinity'`)
  const wanted = namedAs(east, EAST)
  await expect(joinServer(withoutOwner(home), wanted, withoutOwner(server))).rejects.toThrow(/gateway migrate/)
  await joinServer(home, wanted, server)
  await joinServer(withoutOwner(home), wanted, withoutOwner(server))
  expect(await asOwner(home.owner, `select 1 from lane_servers where since = 'infinity'`)).toEqual([])
})

test('no other database is taken for a server that has joined, whatever is in it', async () => {
  await joinOther(home, east, EAST)
  const blank = await freshDatabase()
  const refusal = {
    code: 'other_server',
    message: expect.stringMatching(/database of east.*lanes 128-255.*Mend its database_url.*backup/) as string,
  }
  const joins = (own: Database, there: Database) => joinServer(own, namedAs(blank, EAST), there)
  const there = ownedDatabase(blank)
  await expect(joins(home, there)).rejects.toMatchObject(refusal)
  await expect(joins(withoutOwner(home), withoutOwner(there))).rejects.toMatchObject(refusal)
  await asOwner(blank, accountOn(3))
  await expect(joins(home, there)).rejects.toMatchObject(refusal)
  expect(await asOwner(blank, 'select server from installation')).toEqual([{ server: null }])
})

test('a release that knows of home alone works beside no server that has joined, and this one does', async () => {
  await migrateTo(home.owner, ALONE)
  const { database } = await joinOther(home, east, EAST)
  const refuseOlder = async () => {
    for (const owner of [home.owner, east])
      await expect(migrateTo(owner, ALONE)).rejects.toMatchObject({ code: 'newer_schema' })
    const { text, values } = breakingSince(ALONE)
    expect(await asOwner(home.owner, text, [...values])).toEqual([{ name: '0045_lane_servers.sql' }])
  }
  await refuseOlder()
  expect((await pendingMigrations(database)).pending).toEqual([])
  // What has joined under an earlier release.
  for (const owner of [home.owner, east]) await asOwner(owner, `update schema_migrations set kind = 'safe'`)
  await joinServer(home, namedAs(east, EAST), ownedDatabase(east))
  await refuseOlder()
})

test('the proofs find accounts of a lane that is on another server, and no copy of one that moves', async () => {
  const { database } = await joinOther(home, east, EAST)
  await asOwner(home.owner, accountOn(200))
  await asOwner(east, accountOn(201))
  const found = async () => {
    // Where lanes are is seen once, by each command.
    const seen = { ...database, others: otherServers(database.others?.servers ?? new Map<string, Database>()) }
    await seePlacement(seen)
    const auditor = openAuditSession(await asOperatorOf(seen))
    const { findings } = await verifyBooks(auditor, () => undefined)
    await auditor.close()
    return findings.map(({ proof, row }) => ({ proof, row }))
  }
  const proof = 'accounts.lane on its server'
  expect(await found()).toEqual([{ proof, row: 'accounts of lane 200 on the server home' }])
  // A home that was restored to before a move: it says that the lane is there.
  await asOwner(home.owner, `delete from lane_servers where lane = 201`)
  expect((await found()).map(({ row }) => row)).toEqual([
    'accounts of lane 200 on the server home',
    'accounts of lane 201 on the server east',
  ])
  // It arrives, and home does not say so yet.
  await asOwner(
    home.owner,
    `insert into lane_moves (id, lane, from_server, to_server, state) values
    (gen_random_uuid(), 201, 'home', 'east', 'decided')`,
  )
  await asOwner(
    home.owner,
    `begin; set local session_replication_role = replica; delete from lanes where lane = 200; commit`,
  )
  expect(await found()).toEqual([])
})

const accountOn = (lane: number) => `with moded as (
    insert into account_modes (lane, account_id, livemode) values (${lane}, gen_random_uuid(), false) returning lane, account_id)
  insert into accounts (lane, account_id, profile_id, name, livemode)
  select lane, account_id, gen_random_uuid(), 'Somebody', false from moded`
