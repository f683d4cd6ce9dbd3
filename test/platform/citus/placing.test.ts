// Tables are put on the nodes of a cluster by whoever comes first, and by the next where that one was ended: nothing of what was there before
// stays behind. On a cluster: npm run test:citus (docs/citus.md).
import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { spread } from '../../../src/main/database/engine.ts'
import { onLogin } from '../../../src/main/database/logins.ts'
import { migrate } from '../../../src/platform/migrate.ts'
import { fillFromDump } from '../../rig/released/dump.ts'

const SHARDS = 4
const quietly = () => undefined

/** A database of the cluster with what a release left, and nothing on the nodes. */
async function undistributed(): Promise<pg.ClientConfig> {
  const connection = (await (await fetch(`${inject('databaseDesk')}/empty`)).json()) as pg.ClientConfig
  await fillFromDump(connection, readFileSync('test/released/0.1.0/data.sql', 'utf8'))
  await migrate({ connection, directory: 'db/migrations', log: quietly, mode: 'apply' })
  return connection
}

const asked = async <T extends pg.QueryResultRow>(connection: pg.ClientConfig, text: string) =>
  onLogin(connection, async (client) => (await client.query<T>(text)).rows)

/** The tables that are distributed and have rows in the coordinator's own files. */
const leftBehind = async (connection: pg.ClientConfig) => {
  const rows = await asked<{ name: string }>(
    connection,
    `select logicalrelid::text as name from pg_dist_partition where partmethod = 'h' and pg_relation_size(logicalrelid) > 0`,
  )
  return rows.map(({ name }) => name)
}

const counts = (connection: pg.ClientConfig) =>
  asked(connection, `select (select count(*) from lanes) as lanes, (select count(*) from ledger) as rows`)

describe.runIf(process.env['TEST_ON_CITUS'] === 'yes')('on a cluster', () => {
  test('what is ended behind its first table goes on, and leaves no rows behind', { timeout: 300_000 }, async () => {
    const connection = await undistributed()
    const before = await counts(connection)
    const endAfterLanes = (line: string) => {
      if (line.startsWith('lanes is')) throw new Error('ended')
    }
    await expect(spread(connection, SHARDS, endAfterLanes)).rejects.toThrow('ended')
    expect(await leftBehind(connection)).toEqual(['lanes'])
    expect(await spread(connection, SHARDS, quietly)).toContain('ledger')
    expect(await leftBehind(connection)).toEqual([])
    expect(await counts(connection)).toEqual(before)
    expect(await spread(connection, SHARDS, quietly)).toEqual([])
  })

  test('two that come at once both end well, and one of them has done it', { timeout: 300_000 }, async () => {
    const connection = await undistributed()
    const before = await counts(connection)
    const moved = await Promise.all([0, 1].map(() => spread(connection, SHARDS, quietly)))
    expect(moved.map((names) => names.includes('ledger')).toSorted()).toEqual([false, true])
    expect(moved.map(({ length }) => length)).toContain(0)
    expect([await leftBehind(connection), await counts(connection)]).toEqual([[], before])
  })
})
