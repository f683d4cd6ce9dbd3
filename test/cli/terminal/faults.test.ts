// What a person is told of a database that cannot be worked with: which one it is, and what to mend.
import pg from 'pg'
import { expect, test } from 'vitest'
import { explain } from '../../../src/cli/faults.ts'
import { SchemaBehind } from '../../../src/main/database/prepare.ts'
import { LoginRefused } from '../../../src/main/database/logins.ts'
import { ServerFault, withServer } from '../../../src/main/database/server-fault.ts'
import { DatabaseUnavailable } from '../../../src/platform/db.ts'
import { MigrationRefused } from '../../../src/platform/migration-files.ts'
import { PooledByTransaction, StandbyFound } from '../../../src/platform/postgres/hosts.ts'

function sqlFault(code: string, message = 'said by PostgreSQL'): Error {
  const fault = new pg.DatabaseError(message, message.length, 'error')
  fault.code = code
  return fault
}
const networkFault = (code: string) => Object.assign(new Error(`connect ${code}`), { code })
const EAST = 'The database of the server east (GATEWAY_LANES_FILE)'
const EAST_SAYS = 'The server east of GATEWAY_LANES_FILE: '

test.each([
  [networkFault('ECONNREFUSED'), 'cannot be reached (ECONNREFUSED). Start it, or mend'],
  [networkFault('ENOTFOUND'), 'cannot be reached (ENOTFOUND). Start it, or mend'],
  [new AggregateError([networkFault('ECONNREFUSED')]), 'cannot be reached (ECONNREFUSED). Start it, or mend'],
  [new Error('timeout expired'), 'cannot be reached (ETIMEDOUT). Start it, or mend'],
  [new DatabaseUnavailable('lost', 'nothing done', networkFault('ECONNRESET')), 'cannot be reached (ECONNRESET).'],
  [sqlFault('28P01'), 'refuses the password. Mend'],
  [sqlFault('28000'), 'refuses the user. Mend'],
  [sqlFault('3D000'), 'does not exist. Create it (createdb), or name another.'],
  [sqlFault('53300'), 'has no connection left. Raise max_connections'],
  [sqlFault('26000', 'prepared statement "a" does not exist'), 'a pooler before it gives each transaction another'],
  [sqlFault('42P05', 'prepared statement "a" already exists'), 'a pooler before it gives each transaction another'],
  [sqlFault('42501', 'denied'), 'the user lacks a right (denied).'],
  [sqlFault('XX999'), 'This should not happen'],
])('%s is said of the database that it is of', (fault, words) => {
  const [home, east] = [explain(fault), explain(new ServerFault('east', fault))]
  expect(home.message).toContain(words)
  expect(home.message).toMatch(/^(The database of DATABASE_URL[ :]|This should not happen)/)
  expect(east).toMatchObject({ code: home.code, message: expect.stringContaining(words) })
  expect(east.message.startsWith(EAST), east.message).toBe(true)
  expect(east.message).not.toMatch(/DATABASE_URL|embedded/)
})

test.each([
  [
    new MigrationRefused('not_durable', 'The server can lose acknowledged money: fsync off. Turn that on.'),
    'not_durable',
    'The server can lose acknowledged money: fsync off. Turn that on.',
  ],
  [new PooledByTransaction('DATABASE_URL leads to a pooler'), 'database_login', 'database_url leads to a pooler'],
  [
    new LoginRefused('Put the login in GATEWAY_OWNER_DATABASE_URL or GATEWAY_OPERATOR_DATABASE_URL.'),
    'database_login',
    'Put the login in owner_database_url or operator_database_url.',
  ],
  [new SchemaBehind('It lacks 0001_ledger.sql.'), 'schema_behind', 'It lacks 0001_ledger.sql.'],
  [new StandbyFound('It is a standby.'), 'database_login', 'It is a standby.'],
])('%s: a refusal of a server beside home names it, and the fields of its file', (fault, code, words) => {
  expect(explain(fault)).toMatchObject({ code, message: fault.message })
  expect(explain(new ServerFault('east', fault))).toMatchObject({ code, message: `${EAST_SAYS}${words}` })
})

test('a fault of home stays as it is, and one that says of which server it is, too', async () => {
  const fault = networkFault('ECONNREFUSED')
  const failing = (thrown: Error) => () => Promise.reject(thrown)
  await expect(withServer('home', failing(fault))).rejects.toBe(fault)
  const ofWest = new ServerFault('west', fault)
  await expect(withServer('east', failing(ofWest))).rejects.toBe(ofWest)
  await expect(withServer('east', failing(fault))).rejects.toMatchObject({ server: 'east', cause: fault })
})
