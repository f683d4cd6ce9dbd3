// A session is good wherever an API key is, and for what its role may: every operation of the document, by an owner and by a viewer.
import { afterAll, expect, test } from 'vitest'
import { scopesOf } from '../../../src/domain/account/roles.ts'
import { openWorld, type Method } from '../../world.ts'
import { tenantRows } from '../callers/tenant-rows.ts'
import { coded, joined, type Person } from './people.ts'

const world = await openWorld({ undoSeconds: 3600 })
await world.sql('update accounts set returns_at_once = false')
const { caller } = world
afterAll(() => world.stop())

const owner = await joined(world, caller, 'owner')
const viewer = await joined(world, caller, 'viewer')

// Those of single keys end all keys but a few of their account, sessions among them, to have room.
const ROWS = Object.entries(tenantRows(world)).filter(
  ([name, row]) => row.scope !== null && row.endless === undefined && !name.includes('/keys/{id}'),
)

/** Rows act for who made their command, and nobody else adds any. */
const OWN_ONLY = 'POST /commands/{id}/rows'

async function ownCommand(person: Person): Promise<string> {
  const { data } = await person.ask('POST', '/commands', { body: { type: 'transfers.payout' } })
  return (data['command'] as { id: string }).id
}

async function ask(person: Person, name: string, row: (typeof ROWS)[number][1]) {
  const [method, path = ''] = name.split(' ') as [Method, string?]
  const isOwn = name === OWN_ONLY && person === owner
  const [outer = '', inner = 'dlv_1_0'] = (isOwn ? await ownCommand(person) : ((await row.id?.(caller)) ?? '')).split(
    '/',
  )
  const url = path.replace('{id}', outer).replace(/\{\w+\}/, inner)
  return person.ask(method, url, row.body === undefined ? {} : { body: row.body })
}

test.each(ROWS)('%s: an owner may, and a viewer what a viewer may', async (name, row) => {
  const mayView = row.scope !== null && scopesOf('viewer').has(row.scope)
  const seen = await ask(viewer, name, row)
  expect(seen.status === 200 ? [200, ''] : coded(seen)).toEqual(mayView ? [200, ''] : [403, 'scope_missing'])
  expect((await ask(owner, name, row)).status).toBe(200)
})
