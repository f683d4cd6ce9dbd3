// The wall between accounts: every route of the document against every kind of id and credential. A route without a row
// fails. What belongs to another account looks like what does not exist, byte for byte, and is never touched.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Method, openWorld, type Reply, type Sent } from '../../world.ts'
import { eventId } from '../../../src/domain/contract/ids.ts'
import { SCOPES } from '../../../src/domain/account/scopes.ts'
import { connectedTo } from '../../rig/servers/other-server.ts'
import { draft, type Opened, openPayment, payment } from './tenant-contracts.ts'
import { APPROVAL_ROUTES, OPERATION_ROUTES, SESSION_ROUTES, SIGN_IN_ROUTES } from './tenant-members.ts'
import { type Row, tenantRows, wallet } from './tenant-rows.ts'

const world = await openWorld({ undoSeconds: 3600 })
const { caller, other } = world
// What a worker would do by itself would be seen as a change.
await world.sql('update accounts set returns_at_once = false')
const books = await connectedTo(world.lanesOwner)
afterAll(async () => {
  await books.end()
  await world.stop()
})

const ROWS = tenantRows(world)
const NAMES = Object.keys(ROWS)
/** What a provider's signature proves (callbacks.test.ts, receiver.test.ts). */
const SIGNED = ['POST /channels/{id}/callbacks', 'POST /webhooks']
const named = (wanted: (row: Row) => boolean) => NAMES.filter((name) => wanted(ROWS[name]!))

const ABSENT = '01890000-0000-7000-8000-000000000001'
const MALFORMED = [
  'x',
  '1',
  "' or 1=1",
  ABSENT.toUpperCase(),
  `${ABSENT}0`,
  ABSENT.replaceAll('-', ''),
  '00000000-0000-0000-0000-000000000000',
  eventId(ABSENT, 1),
  '..%2f..',
  '%00',
]

/** Asks a route with an id and headers, without any other credential than they hold. */
async function ask(name: string, id: string, headers: Record<string, string>): Promise<Reply> {
  const [method, path = ''] = name.split(' ') as [Method, string?]
  const { body, endless, query = '' } = ROWS[name]!
  if (endless && (await isOpened(path, headers))) return OPENED
  const sent: Sent = { headers, ...(body === undefined ? {} : { body }) }
  const [outer = '', inner = 'dlv_1_0'] = id.split('/')
  const named = path
    .replace('{id}', encodeURIComponent(outer).replaceAll('%25', '%'))
    .replace(/\{\w+\}/, encodeURIComponent(inner))
  const reply = await world.ask(method, named + query, sent)
  if (reply.status < 400) seen = null
  return reply
}

const OPENED: Reply = { status: 200, headers: {}, text: '', body: {}, data: {}, error: undefined as never }

/** Whether a stream is opened. Nobody reads on; it ends with the world. */
async function isOpened(url: string, headers: Record<string, string>): Promise<boolean> {
  const response = await world.gateway.app.inject({ method: 'GET', url, headers, payloadAsStream: true })
  response.stream().destroy()
  return response.statusCode === 200
}

const keyOf = ({ apiKey }: Caller) => ({ 'x-api-key': apiKey })
async function idFor(name: string, owner: Caller): Promise<string> {
  seen = null
  return (await ROWS[name]?.id?.(owner)) ?? ''
}
/** One for all who may do nothing with it: each of them proves that it stays as it is. */
const kept = new Map<string, Promise<string>>()
function keptFor(name: string, owner: Caller): Promise<string> {
  const key = `${owner.account.accountId} ${name}`
  const id = kept.get(key) ?? idFor(name, owner)
  kept.set(key, id)
  return id
}
const withoutId = ({ status, text, headers }: Reply) => ({
  status,
  type: headers['content-type'],
  text: text.replace(/req_[0-9a-z]+/, 'req'),
})
const coded = ({ status, error }: Reply) => [status, error.code]

test('both accounts are on one lane: nothing but the account keeps them apart', () => {
  expect(other.account.lane).toBe(caller.account.lane)
  expect(other.account.accountId).not.toBe(caller.account.accountId)
})

test('every route of the document has a row, and every row a route', () => {
  expect(world.routes.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
    [...NAMES, ...SIGNED, ...SESSION_ROUTES, ...SIGN_IN_ROUTES, ...OPERATION_ROUTES, ...APPROVAL_ROUTES].toSorted(),
  )
})

test.each(NAMES)('%s: one’s own is found', async (name) => {
  expect((await ask(name, await idFor(name, caller), keyOf(caller))).status).toBe(200)
})

describe('an id', () => {
  const withId = named((row) => row.id !== undefined && row.access !== 'open')

  test.each(withId)('%s: another account’s looks like one that does not exist, and stays as it is', async (name) => {
    const foreign = await keptFor(name, other)
    await untouched(other, async () => {
      const [absent, theirs] = [await ask(name, ABSENT, keyOf(caller)), await ask(name, foreign, keyOf(caller))]
      expect(withoutId(theirs)).toEqual(withoutId(absent))
      expect(theirs.status).toBe(404)
    })
  })

  test.each(withId)('%s: under an idempotency key too', async (name) => {
    const foreign = await idFor(name, other)
    const keyed = { ...keyOf(caller), 'idempotency-key': `tenants ${name}` }
    expect(withoutId(await ask(name, foreign, keyed))).toEqual(withoutId(await ask(name, ABSENT, keyOf(caller))))
    expect((await ask(name, foreign, keyOf(other))).status).toBe(200)
  })

  test.each(withId)('%s: what is no id does not exist either', async (name) => {
    const absent = await ask(name, ABSENT, keyOf(caller))
    for (const id of MALFORMED) expect(withoutId(await ask(name, id, keyOf(caller))), id).toEqual(withoutId(absent))
  })

  test.each(withId.filter((name) => !ROWS[name]?.anyKind))('%s: one of another kind does not exist', async (name) => {
    const kinds = { '/contracts': wallet, '/wallets': draft }
    const another = await kinds[name.includes('/contracts') ? '/contracts' : '/wallets'](caller)
    expect((await ask(name, another, keyOf(caller))).status).toBe(404)
  })
})

describe('a credential', () => {
  let bad: Record<string, [Record<string, string>, string]>
  let token: string

  beforeAll(async () => {
    const [revoked, expired] = [await world.withKey(caller, {}), await world.withKey(caller, { expiresInSeconds: 1 })]
    await world.sql('update api_keys set revoked_at = now() where key_id = $1', [revoked.keyId])
    await world.sql(`update api_keys set expires_at = now() - interval '1 second' where key_id = $1`, [expired.keyId])
    const { body } = await caller.ask('POST', '/oauth/token', { body: { grant_type: 'client_credentials' } })
    token = String(body['access_token'])
    bad = {
      wrong: [{ 'x-api-key': `${caller.apiKey.slice(0, -1)}!` }, 'invalid_api_key'],
      revoked: [keyOf(revoked), 'invalid_api_key'],
      expired: [keyOf(expired), 'invalid_api_key'],
    }
  })

  const guarded = named((row) => row.access !== 'open')

  test.each(guarded)('%s: none is 401, and so is a wrong, a revoked and an expired key', async (name) => {
    const id = await keptFor(name, caller)
    const expected = ROWS[name]!.access === 'key' ? 'api_key_required' : 'credentials_required'
    await untouched(caller, async () => {
      expect(coded(await ask(name, id, {}))).toEqual([401, expected])
      for (const [kind, [headers, code]] of Object.entries(bad))
        expect(coded(await ask(name, id, headers)), kind).toEqual([401, code])
    })
  })

  test.each(named((row) => row.scope !== null))('%s: a key with every scope but its own is 403', async (name) => {
    const narrow = await world.withKey(caller, { scopes: SCOPES.filter((scope) => scope !== ROWS[name]!.scope) })
    const id = await keptFor(name, caller)
    await untouched(caller, async () => {
      expect(coded(await ask(name, id, keyOf(narrow)))).toEqual([403, 'scope_missing'])
    })
  })

  test.each(guarded)('%s: a bearer token reads where tokens may read, and is not enough elsewhere', async (name) => {
    const id = await keptFor(name, caller)
    const mayRead = ROWS[name]!.access === 'key or token'
    await untouched(caller, async () => {
      const answer = await ask(name, id, { authorization: `Bearer ${token}` })
      expect(answer.status).toBe(mayRead ? 200 : 401)
      const code = (answer.body['error'] as { code: string } | undefined)?.code
      expect(code).toBe(mayRead ? undefined : 'api_key_required')
    })
  })

  test.each(named((row) => row.access === 'key or token' && row.id !== undefined))(
    '%s: a bearer token sees nothing of another account',
    async (name) => {
      const headers = { authorization: `Bearer ${token}` }
      const [absent, theirs] = [await ask(name, ABSENT, headers), await ask(name, await keptFor(name, other), headers)]
      expect(withoutId(theirs)).toEqual(withoutId(absent))
      expect(theirs.status).toBe(404)
    },
  )

  test.each(named((row) => row.access === 'open'))('%s: none is needed', async (name) => {
    expect((await ask(name, await idFor(name, caller), {})).status).toBe(200)
  })
})

describe('a payer’s token', () => {
  const bearer = ({ checkout_url: url }: Opened) => ({ authorization: `Bearer ${url.split('/').at(-1)}` })
  const reads = 'GET /contracts/payment/{id}'
  const pays = 'PUT /contracts/payment/{id}/pay'
  /** One for all routes where its token is none: each of them proves that it stays as it is. */
  let open: Opened
  beforeAll(async () => {
    open = await openPayment(caller)
    seen = null
  })

  test.each([reads, pays])('%s: is enough for its own contract', async (name) => {
    const mine = await openPayment(caller)
    const { status, data } = await ask(name, mine.id, bearer(mine))
    expect([status, (data['contract'] as Opened).id]).toEqual([200, mine.id])
  })

  test.each([reads, pays])('%s: is for no other contract, whoever owns it', async (name) => {
    const mine = await openPayment(caller)
    for (const id of [await payment(caller), await payment(other), await draft(caller), ABSENT]) {
      const before = [await stateOf(caller), await stateOf(other)]
      expect(coded(await ask(name, id, bearer(mine)))).toEqual([403, 'token_not_for_contract'])
      expect([await stateOf(caller), await stateOf(other)]).toEqual(before)
    }
  })

  test.each(named((row) => row.access !== 'open').filter((name) => name !== reads && name !== pays))(
    '%s: is no credential',
    async (name) => {
      const id = ROWS[name]?.id === payment ? open.id : await keptFor(name, caller)
      await untouched(caller, async () => {
        expect((await ask(name, id, bearer(open))).status).toBe(401)
      })
    },
  )

  test('with a letter changed is none', async () => {
    const mine = await openPayment(caller)
    const last = mine.checkout_url.at(-2) === 'A' ? 'B' : 'A'
    const forged = { ...mine, checkout_url: `${mine.checkout_url.slice(0, -2)}${last}${mine.checkout_url.at(-1)}` }
    for (const name of [reads, pays]) expect((await ask(name, mine.id, bearer(forged))).status).toBe(401)
  })
})

test('the two kinds share ids and nothing else: only a cancel finds either', async () => {
  const [transferId, paymentId] = [await draft(caller), await payment(caller)]
  for (const name of named((row) => row.id !== undefined && row.access !== 'open')) {
    const isPayment = name.includes('/contracts/payment/')
    if (name.startsWith('DELETE ') || !(isPayment || name.includes('/contracts/transfer/'))) continue
    const answer = await ask(name, isPayment ? transferId : paymentId, keyOf(caller))
    expect([name, ...coded(answer)]).toEqual([name, 404, 'contract_not_found'])
  }
})

test('the lists of one account hold nothing of the other', async () => {
  const theirs = new Set((await rowsOf(other)).flatMap(({ rows }) => rows.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []))
  expect(theirs.size).toBeGreaterThan(10)
  const mine = [
    JSON.stringify(await caller.all('/contracts/transfer', 'contracts')),
    JSON.stringify(await caller.all('/contracts/payment', 'contracts')),
    JSON.stringify(await caller.all('/events', 'events')),
    JSON.stringify(await caller.all('/profiles', 'profiles')),
    JSON.stringify(await caller.all('/schedules', 'schedules')),
    JSON.stringify((await caller.ask('GET', '/wallets')).data),
    JSON.stringify((await caller.ask('GET', '/webhook-endpoints')).data),
  ]
  const found = mine.flatMap((text) => text.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []).filter((id) => theirs.has(id))
  expect(found).toEqual([])
  await world.ledgerHolds()
})

/** Made by this test itself, and what workers follow the account with. */
const BEHIND = [
  'search_terms',
  'search_progress',
  'figures',
  'figures_progress',
  'contract_matters',
  'seals',
  'seal_progress',
]
const LEFT_OUT = ['api_keys', 'access_tokens', 'webhook_progress', ...BEHIND]
/** When workers look at a collection is their affair. */
const MOVED_BY_WORKERS: Readonly<Record<string, string>> = { jobs: `- 'due_at' - 'fence' - 'tries'` }

type OfTable = { readonly table_name: string; readonly rows: string }

const STATE = await everyTable((name) => {
  const moved = MOVED_BY_WORKERS[name]
  const row = moved === undefined ? 't::text' : `(to_jsonb(t) ${moved})::text`
  return `concat(count(*), ' rows, ', sum(hashtextextended(${row}, 0)))`
})

/** What was last seen of an account, while nobody has made or changed anything since. */
let seen: { readonly accountId: string; readonly state: OfTable[] } | null = null

/** Does what may change nothing of an account, and proves that. A look over all tables is what takes long here: two in a row share one. */
async function untouched(owner: Caller, work: () => Promise<void>): Promise<void> {
  const { accountId } = owner.account
  const before = seen?.accountId === accountId ? seen.state : await stateOf(owner)
  await work()
  const after = await stateOf(owner)
  expect(after).toEqual(before)
  seen = { accountId, state: after }
}

/** Of every table that there is how many rows the account owns, and a sum over what is in them. */
async function stateOf({ account }: Caller): Promise<OfTable[]> {
  // By its name it is planned once: planning a look over every table takes longer than the look, and there are thousands.
  return (await books.query<OfTable>({ name: 'state', text: STATE, values: [account.accountId] })).rows
}

/** All of those rows. */
async function rowsOf({ account }: Caller): Promise<OfTable[]> {
  const all = await everyTable(() => `coalesce(json_agg(t), '[]')::text`)
  return (await books.query<OfTable>(all, [account.accountId])).rows
}

/** A statement over the rows of one account in every table that there is. */
async function everyTable(shown: (table: string) => string): Promise<string> {
  const { rows: owned } = await books.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and c.column_name = 'account_id' and t.table_type = 'BASE TABLE' order by 1`,
  )
  const parts = owned
    .filter(({ name }) => !LEFT_OUT.includes(name))
    .map(({ name }) => `select '${name}' as table_name, ${shown(name)} as rows from ${name} t where account_id = $1`)
  return parts.join(' union all ')
}
