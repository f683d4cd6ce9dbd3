// What a key may have sent to a webhook endpoint, and what the audit list keeps of it.
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../../world.ts'
import { endpointOf, URL_OF_NOBODY } from './webhook-world.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
afterAll(() => world.stop())

test('a key has nothing sent that it may not read itself, and reads it nowhere else either', async () => {
  const manager = await world.withKey(caller, { scopes: ['webhooks:manage', 'wallets:read', 'events:read'] })
  const made = endpointOf(await manager.ask('POST', '/webhook-endpoints', { body: { url: URL_OF_NOBODY } }))
  expect(made.events).toContain('contract.paid')
  expect(made.events_not_sent).toEqual(expect.arrayContaining(['key.created', 'member.joined', 'profile.created']))
  const body = { events: ['key.created'] }
  for (const [method, path] of [
    ['POST', '/webhook-endpoints'],
    ['PATCH', `/webhook-endpoints/${made.id}`],
  ] as const) {
    const { status, error } = await manager.ask(method, path, { body: { url: URL_OF_NOBODY, ...body } })
    expect([status, error.code, error.param]).toEqual([403, 'scope_missing', 'events'])
  }
})

test('what is done to an endpoint is in the audit list, without a secret', async () => {
  const made = endpointOf(await caller.ask('POST', '/webhook-endpoints', { body: { url: URL_OF_NOBODY } }))
  await caller.ask('PATCH', `/webhook-endpoints/${made.id}`, { body: { description: 'Books' } })
  await caller.ask('PUT', `/webhook-endpoints/${made.id}/pause`)
  await caller.ask('PUT', `/webhook-endpoints/${made.id}/pause`)
  await caller.ask('POST', `/webhook-endpoints/${made.id}/roll-secret`)
  await caller.ask('DELETE', `/webhook-endpoints/${made.id}`)
  const entries = await world.sql<{ action: string; before: unknown; after: object }>(
    'select action, before, after from audit_entries where object_id = $1 order by id',
    [made.id],
  )
  expect(entries.map(({ action }) => action)).toEqual(
    ['created', 'updated', 'updated', 'secret_rolled', 'deleted'].map((verb) => `webhook_endpoint.${verb}`),
  )
  expect(entries[1]).toMatchObject({ before: { description: null }, after: { description: 'Books' } })
  expect(entries[2]).toMatchObject({ before: { status: 'enabled' }, after: { status: 'paused' } })
  expect(JSON.stringify(entries)).not.toContain('whsec_')
  expect(JSON.stringify(entries)).not.toContain(made.bearer_token)
})
