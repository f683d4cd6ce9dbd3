// The wall around operations: what each route answers to nobody, to keys, to those of other accounts, and to those of the account
// whose role does not operate. A route without a row fails (test/http/callers/tenants.test.ts).
import { afterAll, expect, test } from 'vitest'
import type { Method } from '../../world.ts'
import { OPERATION_ROUTES } from '../callers/tenant-members.ts'
import { coded, joined } from '../members/people.ts'
import { openStage } from './operations-stage.ts'

const stage = await openStage()
const { world, operator, approver, owner, stranger } = stage
const viewer = await joined(world, world.caller, 'viewer')
const developer = await joined(world, world.caller, 'developer')
afterAll(() => stage.stop())

const ABSENT = '01890000-0000-7000-8000-000000000001'
const TABLES = ['resolutions', 'operator_actions', 'channel_freezes', 'reconciliations']
const stateOf = () => Promise.all(TABLES.map((table) => world.sql(`select * from ${table} t order by t::text`)))

const rows = OPERATION_ROUTES.map((name) => {
  const [method = '', path = ''] = name.split(' ')
  return { name, method: method as Method, path: path.replace('{id}', ABSENT).replace('{channel}', 'sandbox') }
})

test.each(rows)('$name: nobody, a key and a token have to sign in', async ({ method, path }) => {
  const before = await stateOf()
  const token = await world.caller.ask('POST', '/oauth/token', { body: { grant_type: 'client_credentials' } })
  const { access_token: bearer } = JSON.parse(token.text) as { access_token: string }
  for (const headers of [{}, { 'x-api-key': world.caller.apiKey }, { authorization: `Bearer ${bearer}` }])
    expect(coded(await world.ask(method, path, { headers }))).toEqual([401, 'session_required'])
  expect(await stateOf()).toEqual(before)
})

test.each(rows)('$name: who does not operate lacks the scope', async ({ method, path }) => {
  const before = await stateOf()
  for (const each of [stranger, viewer, developer])
    expect(coded(await each.ask(method, path))).toEqual([403, 'scope_missing'])
  expect(await stateOf()).toEqual(before)
})

test.each(rows.filter(({ method }) => method !== 'GET'))(
  '$name: a page of another origin is refused, whoever is signed in',
  async ({ method, path }) => {
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const reply = await owner.ask(method, path, { headers })
    expect(coded(reply)).toEqual([403, 'cross_site_request'])
    expect(reply.headers['access-control-allow-origin']).toBeUndefined()
  },
)

test.each(rows)('$name: an owner is let in; an operator proposes, an approver confirms', async ({ method, path }) => {
  const isOf = { read: method === 'GET', approve: /\/(approve|reject|recovery\/resume)$/.test(path) }
  const statuses = await Promise.all(
    [owner, operator, approver].map(async (each) => (await each.ask(method, path)).status),
  )
  expect(statuses.map((status) => status === 403)).toEqual([false, isOf.approve, !isOf.read && !isOf.approve])
})
