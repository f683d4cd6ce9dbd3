// The audit list: who did what, filtered, page by page, as JSON and as CSV, and of nobody else's account.
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../../world.ts'
import { make } from './key-stage.ts'

const world = await openWorld({ workers: 'resting' })
const { caller, other } = world
afterAll(() => world.stop())

type Entry = {
  readonly id: string
  readonly at: string
  readonly actor: { readonly type: string; readonly id: string; readonly address: string | null }
  readonly action: string
  readonly object: { readonly type: string; readonly id: string }
  readonly before: unknown
  readonly after: unknown
}

const entries = (query = '') => caller.all<Entry>(`/audit${query}`, 'entries', 3)

test('is filtered by actor, object, action and time, newest first, page by page', async () => {
  const made = [await make(caller, { name: 'a' }), await make(caller, { name: 'b' })]
  const second = await world.withKey(caller, {})
  await second.ask('PATCH', `/keys/${made[0]?.key.id}`, { body: { name: '=cmd|"x",\n1' } })
  await caller.ask('DELETE', `/keys/${made[1]?.key.id}`)
  await make(other, { name: 'theirs' })
  const all = await entries()
  expect(all.map(({ action }) => action)).toEqual(['key.revoked', 'key.updated', 'key.created', 'key.created'])
  expect(all.map(({ at }) => at)).toEqual(
    all
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  )
  expect(all[1]).toMatchObject({
    actor: { type: 'key', id: second.keyId, address: '127.0.0.1' },
    object: { type: 'key', id: made[0]?.key.id },
    before: { name: 'a' },
    after: { name: '=cmd|"x",\n1' },
  })
  const ids = (found: readonly Entry[]) => found.map(({ id }) => id)
  expect(ids(await entries(`?actor=${second.keyId}`))).toEqual([all[1]?.id])
  expect(ids(await entries(`?object=${made[1]?.key.id}`))).toEqual([all[0]?.id, all[2]?.id])
  expect(ids(await entries('?action=key.created'))).toEqual([all[2]?.id, all[3]?.id])
  expect(ids(await entries(`?from=${all[1]?.at}`)).slice(0, 2)).toEqual([all[0]?.id, all[1]?.id])
  expect(await entries('?to=2020-01-01')).toEqual([])
  expect(ids(await entries(`?actor=${caller.keyId}&action=key.created&object=${made[0]?.key.id}`))).toEqual([
    all[3]?.id,
  ])
})

test('as CSV has every entry in one text, and no formula', async () => {
  await world.sql(
    `insert into audit_entries (lane, account_id, id, at, actor_kind, actor_id, action, object_type, object_id)
     select $1, $2, gen_random_uuid(), now(), 'operator', '=1+1', 'wallet.funded', 'wallet', n::text from generate_series(1, 1203) n`,
    [caller.account.lane, caller.account.accountId],
  )
  const many = await world.gateway.app.inject({ url: '/audit?format=csv', headers: { 'x-api-key': caller.apiKey } })
  expect([many.statusCode, many.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  const lines = many.body.split('\r\n').slice(1, -1)
  expect(lines).toHaveLength(1203 + 4)
  expect(new Set(lines.map((line) => line.slice(0, 36))).size).toBe(1203 + 4)
  expect(lines.some((line) => line.includes(`,operator,'=1+1,`))).toBe(true)
  const few = await world.gateway.app.inject({
    url: '/audit?action=key.updated',
    headers: { 'x-api-key': caller.apiKey, accept: 'text/csv' },
  })
  expect(few.body).toContain('"{""name"":""=cmd|\\""x\\"",\\n1""}"')
})

test.each([
  ['?after=x', 'invalid_after'],
  ['?action=Key', 'invalid_action'],
  ['?from=yesterday', 'invalid_from'],
  ['?format=xml', 'invalid_format'],
  ['?who=me', 'unknown_parameter'],
])('%s is refused as %s', async (query, code) => {
  expect((await caller.ask('GET', `/audit${query}`)).error.code).toBe(code)
})
