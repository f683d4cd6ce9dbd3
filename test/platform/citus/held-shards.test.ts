// A session that comes straight to a worker holds a shard there, and nothing at the coordinator: so does a gateway that is frozen, and a
// commit that waits for its standby. What changes tables asks for the shard in short tries, and whoever is in other lanes is served
// between them. On a cluster: npm run test:citus (docs/citus.md).
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openPlannedSession } from '../../../src/main/database/database.ts'
import { lanePlacesAt, spread } from '../../../src/main/database/engine.ts'
import { migrate } from '../../../src/platform/migrate.ts'
import { type Caller, openWorld, type World } from '../../world.ts'

const MIGRATIONS = 'db/migrations'

describe.runIf(process.env['TEST_ON_CITUS'] === 'yes')('while a shard is held on its worker', () => {
  let world: World
  let served: Caller
  let holder: pg.Client
  let accounts: string
  beforeAll(async () => {
    world = await openWorld({ workers: 'resting' })
    const reader = openPlannedSession(world.database)
    const places = await lanePlacesAt(reader)
    await reader.close()
    const held = places[0]!
    accounts = held.shard?.tables.get('accounts') ?? 'none'
    served = await world.newCaller({ lane: places.at(-1)!.lanes[0]! })
    const [host = '', port] = held.node.split(':')
    holder = new pg.Client({ ...world.database.owner, host, port: Number(port) })
    await holder.connect()
    // As nodes have it where nobody has configured anything: the kit's say otherwise.
    const [here] = await world.sql<{ name: string }>('select quote_ident(current_database()) as name')
    await world.sql(`alter database ${here?.name} set citus.propagate_set_commands = 'none'`)
  })
  afterAll(async () => {
    await holder.end()
    await world.stop()
  })

  /** What is made of `work`, for which the shard becomes free when it has tried again and others were served. */
  async function patiently<T>(work: (log: (line: string) => void) => Promise<T>): Promise<T> {
    const said: string[] = []
    await holder.query('begin')
    await holder.query(`update ${accounts} set name = name`)
    const working = work((line) => said.push(line))
    try {
      await expect.poll(() => said.join('\n'), { timeout: 10_000 }).toMatch(/: a table is locked.*, trying again/)
      for (let times = 0; times < 3; times++) expect((await served.pay((await served.issued()).id)).status).toBe('paid')
    } finally {
      await holder.query('rollback')
      await working.catch(() => undefined)
    }
    return working
  }

  test('a migration tries again, and is applied when it is free', { timeout: 120_000 }, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'gateway-held-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const names = readdirSync(MIGRATIONS)
    for (const name of names) copyFileSync(join(MIGRATIONS, name), join(directory, name))
    const next = `${String(names.length + 1).padStart(4, '0')}_held.sql`
    writeFileSync(join(directory, next), '-- safe\nalter table accounts add column held_once text;\n')
    const connection = world.database.owner
    const { applied } = await patiently((log) => migrate({ connection, directory, log, mode: 'apply' }))
    expect(applied).toEqual([next])
  })

  test('a table is placed in short tries, beside those that it names', { timeout: 120_000 }, async () => {
    await world.sql(`create table held_rows (lane int not null, account_id uuid not null, primary key (lane, account_id),
      foreign key (lane, account_id) references accounts)`)
    expect(await patiently((log) => spread(world.database.owner, null, log))).toEqual(['held_rows'])
  })
})
