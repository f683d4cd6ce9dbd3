// Changes of an account that are no contract's: written with their audit entries and their events, in the one order of the
// account's history, and refused to a key that has ended.
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import pg from 'pg'
import { type AccountChange, changeAccount, type Changer, unchanged } from '../../src/app/accounts/changes.ts'
import { type Claim, claimOnce, releaseClaim } from '../../src/app/accounts/kept-replies.ts'
import { Busy } from '../../src/engine/held-line.ts'
import { openWorld } from '../world.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
const { changes } = world.gateway.deps
afterAll(() => world.stop())

type Told = { readonly id: string; readonly type: string; readonly data: { readonly object: { readonly id: string } } }

async function changerOf(owner: typeof caller): Promise<Changer> {
  const { lane, accountId } = owner.account
  const [key] = await world.sql<{ key_id: string }>('select key_id from api_keys where account_id = $1', [accountId])
  const keyId = key?.key_id ?? ''
  return { lane, accountId, keyId, actor: { kind: 'key', id: keyId, address: '192.0.2.7', requestId: 'req_1' } }
}

/** A change that tells of itself. */
function told(id: string): AccountChange<string> {
  const object = { id, livemode: false }
  return {
    statements: [],
    audited: [{ action: 'profile.created', object: { type: 'profile', id }, before: null, after: { name: 'Ana' } }],
    events: [{ type: 'profile.created', object }],
    value: id,
  }
}

// Of objects made up here, so they fit no schema of a reply: read without the check that every other reply passes.
const read = async (url: string): Promise<Record<string, unknown>> => {
  const reply = await world.gateway.app.inject({ method: 'GET', url, headers: { 'x-api-key': caller.apiKey } })
  return reply.json<{ data: Record<string, unknown> }>().data
}

const events = async (url = '/events?limit=100') => (await read(url))['events'] as Told[]

test('a change is told between the contracts, in the order of commit, and the history has no gap', async () => {
  const changer = await changerOf(caller)
  const first = await caller.draft()
  expect(await changeAccount(changes, changer, [], () => told('p1'))).toBe('p1')
  const second = await caller.draft()
  const all = await events()
  expect(all.map(({ type, data }) => [type, data.object.id])).toEqual([
    ['contract.created', first.id],
    ['profile.created', 'p1'],
    ['contract.created', second.id],
  ])
  const middle = all[1]?.id ?? ''
  expect((await read(`/events/${middle}`))['event']).toEqual(all[1])
  const rest = await events(`/events?after=${middle}`)
  expect(rest.map(({ data }) => data.object.id)).toEqual([second.id])
  await world.ledgerHolds()
})

test('its entry in the audit list says who, what, on what and from where', async () => {
  const changer = await changerOf(caller)
  await changeAccount(changes, changer, [], () => told('p2'))
  const [entry] = await world.sql(
    `select actor_kind, actor_id, action, object_type, object_id, address, request_id, before, after
       from audit_entries where object_id = 'p2'`,
  )
  expect(entry).toEqual({
    actor_kind: 'key',
    actor_id: changer.keyId,
    action: 'profile.created',
    object_type: 'profile',
    object_id: 'p2',
    address: '192.0.2.7',
    request_id: 'req_1',
    before: null,
    after: { name: 'Ana' },
  })
})

test('what changes nothing writes nothing, and so does what is refused to a key that has ended', async () => {
  const changer = await changerOf(caller)
  const before = await world.sql('select position from accounts order by account_id')
  expect(await changeAccount(changes, changer, [], () => unchanged('same'))).toBe('same')
  const other = await changerOf(world.other)
  await world.sql('update api_keys set revoked_at = now() where key_id = $1', [other.keyId])
  expect(await changeAccount(changes, other, [], () => told('p3'))).toMatchObject({ code: 'invalid_api_key' })
  expect(await world.sql('select position from accounts order by account_id')).toEqual(before)
})

test('an account that another session holds is waited for, then refused; nothing of it is written meanwhile', async () => {
  const changer = await changerOf(caller)
  const session = new pg.Client(world.lanesOwner)
  await session.connect()
  await session.query('begin')
  await session.query('select 1 from accounts where lane = $1 and account_id = $2 for update', [
    changer.lane,
    changer.accountId,
  ])
  await expect(changeAccount(changes, changer, [], () => told('p5'))).rejects.toBeInstanceOf(Busy)
  const patient = changeAccount(changes, changer, [], () => told('p6'))
  await session.query('commit')
  await session.end()
  expect(await patient).toBe('p6')
  const subjects = (await events()).map(({ data }) => data.object.id)
  expect(subjects.filter((id) => /^p[56]$/.test(id))).toEqual(['p6'])
})

test('a webhook endpoint that is made while a batch holds the account begins at the end of the history, not at its start', async () => {
  const changer = await changerOf(caller)
  await caller.draft()
  const session = new pg.Client(world.lanesOwner)
  await session.connect()
  await session.query('begin')
  await session.query('select 1 from accounts where lane = $1 and account_id = $2 for update', [
    changer.lane,
    changer.accountId,
  ])
  const making = caller.ask('POST', '/webhook-endpoints', { body: { url: 'http://127.0.0.1:9/hook' } })
  // The lock is seen at least once.
  await new Promise((resolve) => setTimeout(resolve, 100))
  await session.query('commit')
  await session.end()
  const { data } = await making
  const { id } = data['webhook_endpoint'] as { id: string }
  const [row] = await world.sql<{ since: string; position: string }>(
    `select e.since_position as since, a.position from webhook_endpoints e join accounts a on a.lane = e.lane and a.account_id = e.account_id
      where e.id = $1`,
    [id],
  )
  expect(row?.since).toBe(row?.position)
})

test('whoever lost the claim of their idempotency key writes nothing, and what was made is noted under it', async () => {
  const changer = await changerOf(caller)
  const key = { keyHash: randomUUID(), fingerprint: randomUUID() }
  const claim = (await claimOnce(world.gateway.deps, caller.account, key, 'refused')) as Claim
  // Somebody else took it over: this one stood still for longer than a minute.
  const late = { ...claim, claim: 'another' }
  const before = await events()
  await expect(changeAccount(changes, { ...changer, claim: late }, [], () => told('p4'))).rejects.toThrow(
    'division by zero',
  )
  expect(await events()).toEqual(before)
  expect(await changeAccount(changes, { ...changer, claim }, [], () => told('p5'))).toBe('p5')
  await releaseClaim(world.gateway.deps, claim, 'failed')
  expect(await claimOnce(world.gateway.deps, caller.account, key, 'refused')).toMatchObject({
    code: 'idempotency_reply_lost',
  })
  const goesOn = await claimOnce(world.gateway.deps, caller.account, key, 'goes on')
  expect(goesOn).toMatchObject({ carriedOut: 'p5' })
  // What failed before it changed anything is judged anew.
  const other = { keyHash: randomUUID(), fingerprint: randomUUID() }
  await releaseClaim(
    world.gateway.deps,
    (await claimOnce(world.gateway.deps, changer, other, 'refused')) as Claim,
    'failed',
  )
  expect(await claimOnce(world.gateway.deps, changer, other, 'refused')).toMatchObject({ carriedOut: null })
})
