// A migrated database of a file's own, for tests of statements over rows that are made at random. Each test begins a transaction, and
// nothing of it is left when it ends.
import pg from 'pg'
import { afterAll, afterEach, beforeAll, inject } from 'vitest'
import { migrate } from '../../../src/platform/migrate.ts'

type RandomRows = {
  /** There from the first test of the file on. */
  readonly client: pg.Client
  /** From here on there may be rows of one table, whatever others they belong to. */
  readonly begin: () => Promise<void>
}

/** Opens the database before the tests of a file, and closes it after them. */
export function randomRows(): RandomRows {
  let client: pg.Client | undefined
  const opened = () => {
    if (!client) throw new Error('the database is opened before the first test')
    return client
  }
  beforeAll(async () => {
    const connection = (await (await fetch(inject('databaseDesk'))).json()) as pg.ClientConfig
    await migrate({ connection, directory: 'db/migrations', log: () => undefined, mode: 'apply' })
    client = new pg.Client(connection)
    await client.connect()
  })
  afterEach(() => opened().query('rollback'))
  afterAll(() => client?.end())
  return {
    get client() {
      return opened()
    },
    begin: async () => {
      await opened().query('begin')
      await opened().query('set local session_replication_role = replica')
    },
  }
}
