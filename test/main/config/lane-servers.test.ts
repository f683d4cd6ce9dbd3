// GATEWAY_LANES_FILE: what it says is read, and each mistake in it is named with what to write instead. Passwords in it are nobody else's.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { laneServersOf } from '../../../src/main/config/lane-servers.ts'

const URL = 'postgres://gateway_app:secret@10.0.0.2/gateway'
const NORTH = { name: 'north', lanes: '0-2, 7', database_url: URL }
const HOME_URL = 'postgres://gateway_app:secret@10.0.0.1/gateway'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-lanes-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What is read of a file with this text, and the faults. */
function readFile(text: string, mode = 0o600, home: string | undefined = HOME_URL) {
  const path = join(folder, 'lanes.json')
  rmSync(path, { force: true })
  writeFileSync(path, text)
  chmodSync(path, mode)
  const faults: string[] = []
  const env = { GATEWAY_LANES_FILE: path, ...(home === undefined ? {} : { DATABASE_URL: home }) }
  return { servers: laneServersOf(env, faults), faults }
}
const read = (...servers: unknown[]) => readFile(JSON.stringify({ servers }))

test('servers with their lanes and logins', () => {
  const south = { name: 'south', lanes: '128-255', database_url: URL, owner_database_url: HOME_URL }
  expect(read(NORTH, south, { name: 'empty', database_url: URL })).toEqual({
    faults: [],
    servers: [
      { name: 'north', lanes: [0, 1, 2, 7], databaseUrl: URL, ownerDatabaseUrl: null, operatorDatabaseUrl: null },
      {
        name: 'south',
        lanes: Array.from({ length: 128 }, (_, nth) => 128 + nth),
        databaseUrl: URL,
        ownerDatabaseUrl: HOME_URL,
        operatorDatabaseUrl: null,
      },
      { name: 'empty', lanes: [], databaseUrl: URL, ownerDatabaseUrl: null, operatorDatabaseUrl: null },
    ],
  })
})

test.each([
  ['postgres//gateway_app:secret@10.0.0.2/gateway', 'no colon'],
  ['mysql://gateway_app:secret@10.0.0.2/gateway', 'another scheme'],
  ['postgres://gateway_app:secret@10.0.0.2', 'no database'],
  ['postgres://gateway_app:secret@10.0.0.2/', 'an empty database'],
  ['postgres://gateway_app:secret@/gateway', 'no host'],
  ['postgres:///gateway', 'neither host nor login'],
  ['postgres://gateway_app:secret@10.0.0.2:65536/gateway', 'a port that there is not'],
  ['postgres://gateway_app:secret@one,,two/gateway', 'an empty one of several hosts'],
  ['postgres://gateway_app:secret/@10.0.0.2/gateway', 'a password with a slash'],
  ['10.0.0.2', 'an address'],
])('%s is no URL of a database: %s', (url) => {
  for (const field of ['database_url', 'owner_database_url', 'operator_database_url']) {
    const { faults } = read({ ...NORTH, [field]: url })
    expect(faults).toEqual([
      expect.stringContaining(`GATEWAY_LANES_FILE: north: ${field} must be the URL of a PostgreSQL with its host and`),
    ])
    expect(faults.join()).not.toContain('secret')
  }
})

test.each([
  'postgresql://10.0.0.2/gateway',
  'postgres://gateway_app:a%2Fb@one:5432,two:5433/gateway?sslmode=require',
  'postgres://gateway_app@[::1]:5432/gateway',
  'postgres://gateway_app@localhost:5432/gateway?host=%2Ftmp%2Fsocket',
  'postgres:///gateway?host=/tmp/socket',
])('%s is one', (url) => {
  expect(read({ ...NORTH, database_url: url }).faults).toEqual([])
})

test('without the setting there are none, and no fault', () => {
  const faults: string[] = []
  expect(laneServersOf({ DATABASE_URL: HOME_URL }, faults)).toEqual([])
  expect(faults).toEqual([])
})

test.each([
  ['a lane of two servers', [NORTH, { ...NORTH, name: 'south', lanes: '2' }], 'lane 2 is given to north and to south'],
  ['one name twice', [NORTH, { ...NORTH, lanes: '9' }], 'two servers have one name'],
  ['the name of home', [{ ...NORTH, name: 'home' }], 'and not be "home"'],
  ['a lane that there is not', [{ ...NORTH, lanes: '250-256' }], 'north: lanes must be text such as "128-255"'],
  ['lanes the wrong way round', [{ ...NORTH, lanes: '9-3' }], 'north: lanes must be text such as "128-255"'],
  ['lanes as a number', [{ ...NORTH, lanes: 3 }], 'north: lanes must be text such as "128-255"'],
  ['no URL', [{ name: 'north' }], 'north: database_url must be the URL of a PostgreSQL'],
  [
    'a field that is not known',
    [{ ...NORTH, owner_url: URL }],
    'server 1: owner_url is not known; there are name, lanes',
  ],
  ['a login of the owner that is no text', [{ ...NORTH, owner_database_url: 5 }], 'north: owner_database_url must be'],
  [
    'a login of operators that is empty',
    [{ ...NORTH, operator_database_url: '' }],
    'north: operator_database_url must be the URL of a PostgreSQL with its host and database',
  ],
  ['a server that is no object', ['north'], 'server 1 must be an object'],
])('%s is refused', (_, servers, said) => {
  const { faults } = read(...servers)
  expect(faults).toHaveLength(1)
  expect(faults[0]).toContain(`GATEWAY_LANES_FILE: `)
  expect(faults[0]).toContain(said)
  // The file holds passwords.
  expect(faults.join()).not.toContain('secret')
})

test.each([
  ['no JSON', `{"servers": [{"database_url": "${URL}" x]}`, 'cannot be read: it is not JSON'],
  ['no object', '[]', 'must hold a JSON object'],
  ['no list', '{"servers": {}}', 'servers must be a list, each with name, lanes and database_url'],
  ['a word beside servers', '{"servers": [], "extra": 1}', 'GATEWAY_LANES_FILE: extra is not known beside servers'],
])('%s is refused', (_, text, said) => {
  const { faults, servers } = readFile(text)
  expect(servers).toEqual([])
  expect(faults).toEqual([expect.stringContaining(said)])
  expect(faults.join()).not.toContain('secret')
})

test('a file that every user of the machine may read is refused, and so is a file that is not there', () => {
  const text = JSON.stringify({ servers: [NORTH] })
  expect(readFile(text, 0o644).faults).toEqual([
    expect.stringMatching(/every user of this machine may read it: chmod o-rwx/),
  ])
  expect(readFile(text, 0o640).faults).toEqual([])
  const faults: string[] = []
  laneServersOf({ GATEWAY_LANES_FILE: join(folder, 'none.json'), DATABASE_URL: HOME_URL }, faults)
  expect(faults.join()).toContain('cannot be read: ENOENT')
})

test('beside the embedded database there are none', () => {
  expect(readFile(JSON.stringify({ servers: [NORTH] }), 0o600, '').faults).toEqual([
    'GATEWAY_LANES_FILE: home must be a PostgreSQL of your own (DATABASE_URL), not the embedded one',
  ])
})
