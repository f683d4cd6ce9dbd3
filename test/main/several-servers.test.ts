// Lanes on two PostgreSQLs, each a database of its own: what tenants and operators see, what a server that is away takes along, and
// which server is refused.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openOrigins } from '../../src/app/accounts/origins.ts'
import { signInByOidc } from '../../src/app/members/oidc.ts'
import { isRefusal } from '../../src/domain/contract/refusals.ts'
import { replaceOrigins } from '../../src/store/accounts/origins.ts'
import { accountsByLane } from '../../src/store/operator/sizes.ts'
import { frozenChannels } from '../../src/store/operator/channels.ts'
import { listAccounts } from '../../src/store/accounts/admin.ts'
import {
  asOperatorOf,
  laneServerAt,
  openAuditSession,
  openPlannedSession,
  ownedDatabase,
} from '../../src/main/database/database.ts'
import { explain } from '../../src/cli/faults.ts'
import { joinServer } from '../../src/main/database/joining.ts'
import { prepareServer } from '../../src/main/database/prepare.ts'
import { LoginRefused, onLogin } from '../../src/main/database/logins.ts'
import {
  checkServers,
  faultOfOne,
  lanesByServer,
  lanesSaidOtherwise,
  otherServers,
  seePlacement,
  unlessAway,
} from '../../src/main/database/servers.ts'
import { sealKeysHere } from '../../src/main/database/sealing-keys.ts'
import { openOperatorLanes } from '../../src/main/operator/operator-lanes.ts'
import { MigrationRefused } from '../../src/platform/migration-files.ts'
import { DatabaseUnavailable, type Statement } from '../../src/platform/db.ts'
import { MANY_LANES } from '../../src/platform/scope.ts'
import { OnTwoServers } from '../../src/platform/servers/spread-session.ts'
import { noteKeyUses } from '../../src/store/accounts/keys.ts'
import { asAnother, EAST, namedAs, urlOf, whileAway } from '../rig/servers/other-server.ts'
import { joined, newEmail, type Person } from '../http/members/people.ts'
import { makeEndpoint } from '../http/webhooks/webhook-world.ts'
import { STEPS } from '../rig/receiver/endpoints.ts'
import { type Caller, newDatabase, openWorld, type World } from '../world.ts'

let world: World
let home: Caller
let east: Caller
beforeAll(async () => {
  world = await openWorld({ lanesElsewhere: EAST })
  home = await world.newCaller({ lane: 17 })
  east = await world.newCaller({ lane: 200 })
})
afterAll(() => world.stop())

const lanesOf = async (sql: World['sql'], table: string) =>
  (await sql<{ lane: number }>(`select distinct lane from ${table} order by lane`)).map(({ lane }) => lane)

test('accounts of either server pay, and every row of theirs is on the server of their lane', async () => {
  for (const caller of [home, east]) {
    const { id } = await caller.paid()
    expect(await world.settle(id)).toBe('completed')
    expect((await caller.get(id)).status).toBe('completed')
  }
  for (const table of ['accounts', 'contracts', 'contract_versions', 'ledger', 'jobs', 'idempotency_keys']) {
    expect(
      (await lanesOf(world.sql, table)).filter((lane) => lane >= 128),
      table,
    ).toEqual([])
    expect(
      (await lanesOf(world.sqlElsewhere, table)).filter((lane) => lane < 128),
      table,
    ).toEqual([])
  }
  expect(await lanesOf(world.sqlElsewhere, 'ledger')).toContain(200)
  await world.ledgerHolds()
})

test('money goes from an account of one server to one of the other, exactly once', async () => {
  const wallet = await east.wallet('PHP')
  const before = wallet.available
  const { id } = await home.paid({ channel: 'wallet', recipient: { wallet: wallet.id } })
  expect(await world.settle(id)).toBe('completed')
  await expect.poll(async () => (await east.wallet('PHP')).available).toBe(before + 100)
  await world.ledgerHolds()
})

test('what is asked about every lane is answered by both, in one order', async () => {
  const reader = openPlannedSession(world.operators)
  try {
    const [accounts, counted] = await reader.send([listAccounts(), accountsByLane()])
    const ids = accounts?.rows.map((row) => row['account_id'])
    for (const { account } of [home, east, world.caller, world.other]) expect(ids).toContain(account.accountId)
    const times = (accounts?.rows ?? []).map((row) => Number(row['created_at']))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(counted?.rows.map((row) => row['lane'])).toEqual(expect.arrayContaining([17, 200]))
  } finally {
    await reader.close()
  }
})

test('a lane is named by an account that there is, with where it is and whom its move is about', async () => {
  const [reader, auditor] = [openPlannedSession(world.operators), openAuditSession(world.operators)]
  const sealKeys = () => sealKeysHere(null, world.config.dataDir)
  const ids = { nowMs: Date.now, randomHex: () => 'ab'.repeat(10) }
  const lanes = openOperatorLanes({ database: world.operators, reader, auditor, sealKeys, ids })
  try {
    const { accountId } = east.account
    const standing = { lane: 200, node: 'east', lanes: [200], accounts: 1 }
    expect(await lanes.laneNow({ accountId })).toEqual(standing)
    expect(await lanes.laneNow({ lane: 200 })).toEqual(standing)
    expect(await lanes.laneNow({ lane: 17 })).toMatchObject({ node: 'home', accounts: 1 })
    // Its digits name the same lane.
    const nobodys = `${accountId.slice(0, 24)}${'0'.repeat(12)}`
    expect(await lanes.laneNow({ accountId: nobodys })).toBeNull()
  } finally {
    await Promise.all([reader.close(), auditor.close()])
  }
})

test('a configuration that says other lanes of a server than it has is told so, with what it has', () => {
  const said = (lanes: readonly number[]) => lanesSaidOtherwise(world.database, [namedAs(world.database.owner, lanes)])
  expect(said(EAST)).toEqual([])
  // A server that is named without lanes says nothing of them.
  expect(said([])).toEqual([])
  expect(said([7, ...EAST])).toEqual([{ server: 'east', said: '7, 128-255', has: '128-255' }])
  expect(said([3, 200])).toEqual([{ server: 'east', said: '3, 200', has: '128-255' }])
})

test('rows of accounts of both servers are written and read together, each where it is', async () => {
  const { deps } = world.gateway
  const uses = [home, east].map(({ account, keyId }) => ({
    lane: account.lane,
    accountId: account.accountId,
    keyId,
    day: '2001-02-03',
  }))
  await world.sql('update api_keys set last_used_on = null')
  await world.sqlElsewhere('update api_keys set last_used_on = null')
  const [noted] = await deps.reader.send([noteKeyUses(MANY_LANES, uses)])
  expect(noted?.rowCount).toBe(2)
  for (const [sql, { keyId }] of [
    [world.sql, home],
    [world.sqlElsewhere, east],
  ] as const)
    expect(await sql(`select last_used_on::text as day from api_keys where key_id = $1`, [keyId])).toEqual([
      { day: '2001-02-03' },
    ])
})

test('a transaction that would be on two servers is refused, and nothing of it is written', async () => {
  const { reader } = world.gateway.deps
  const put = (caller: Caller): Statement => ({
    name: 'put_day',
    text: 'update api_keys k set last_used_on = $3::date where k.lane = $1 and k.key_id = $2',
    values: [caller.account.lane, caller.keyId, '2002-02-02'],
  })
  const both = { statements: [put(home), put(east)], value: null }
  await expect(reader.transaction([], () => both)).rejects.toBeInstanceOf(OnTwoServers)
  await expect(
    reader.transaction([put(home)], () => ({ statements: [put(east)], value: null })),
  ).rejects.toBeInstanceOf(OnTwoServers)
  for (const sql of [world.sql, world.sqlElsewhere])
    expect(await sql(`select 1 from api_keys where last_used_on = '2002-02-02'`)).toEqual([])
})

test('a server that is away keeps its own lanes waiting and no others', async () => {
  const { id } = await east.issued()
  await world.sql('update accounts set operates = true where account_id = $1', [home.account.accountId])
  const operator = await joined(world, home, 'operator')
  await whileAway(world.sqlElsewhere, world.sql, async () => {
    const refused = await east.ask('PUT', `/contracts/transfer/${id}/pay`)
    expect(refused.status, refused.text).toBe(503)
    const paid = await home.paid()
    expect(await world.settle(paid.id)).toBe('completed')
    // What operators do at home goes on: to pause payouts may be just what is wanted now.
    const reader = openPlannedSession(await asOperatorOf(world.database))
    expect(await reader.send([frozenChannels()])).toHaveLength(1)
    await reader.close()
    for (const turn of ['pause', 'resume'] as const) {
      const body = { evidence: 'ticket 4711' }
      const { status, text } = await operator.ask('PUT', `/operations/payouts/${turn}`, { body })
      expect(status, text).toBe(200)
    }
  })
  let status = 0
  for (const until = Date.now() + 20_000; status !== 200 && Date.now() < until; await sleep(100))
    status = (await east.ask('PUT', `/contracts/transfer/${id}/pay`)).status
  expect(status).toBe(200)
  await expect.poll(async () => (await east.get(id)).status, { timeout: 20_000 }).toBe('completed')
  await world.ledgerHolds()
})

test('without home, accounts of other servers pay all the same', async () => {
  const { id } = await east.issued()
  await whileAway(world.sql, world.sqlElsewhere, async () => {
    await east.pay(id)
    expect((await home.ask('GET', '/wallets')).status).toBe(503)
    // Or those who share requests out would send it none.
    expect((await world.ask('GET', '/readyz')).status).toBe(200)
    await expect.poll(async () => (await east.get(id)).status, { timeout: 20_000 }).toBe('completed')
  })
  const back = async () => (await home.ask('GET', '/wallets')).status
  await expect.poll(back, { timeout: 20_000 }).toBe(200)
})

test('while a server is away, members of accounts of the others sign in, and no wrong password counts', async () => {
  const [ana, ben] = [await joined(world, home, 'viewer'), await joined(world, east, 'viewer')]
  const email = newEmail()
  const [here, there] = [await joined(world, home, 'viewer', email), await joined(world, east, 'viewer', email)]
  const signIn = async (who: Person, changed: object = {}) => {
    const right = { email: who.email, password: who.password, code: who.recoveryCodes[0] }
    const { status, body } = await world.ask('POST', '/sessions', { body: { ...right, ...changed } })
    return [status, (body as { error?: { code: string } }).error?.code ?? 'signed in']
  }
  const failures = async ({ id }: Person) =>
    (await world.sql<{ failures: number }>('select failures from members where id = $1', [id]))[0]?.failures
  const byOidc = async (who: Person) => {
    const [person, place] = [
      { email: who.email, isVerified: true },
      { address: null, requestId: null },
    ]
    const result = await signInByOidc(world.gateway.deps.members, person, null, place)
    return isRefusal(result) ? result.code : result.member.id
  }
  const [away, wrong] = [[503, 'database_unavailable'], { password: 'none of the right words' }]
  await whileAway(world.sqlElsewhere, world.sql, async () => {
    expect(await signIn(ana)).toEqual([200, 'signed in'])
    expect(await byOidc(ana)).toBe(ana.id)
    // Where all accounts cannot be looked at, nobody can say that it is wrong.
    for (const [who, said] of [
      [ana, wrong],
      [ben, {}],
      [ben, wrong],
    ] as const)
      expect(await signIn(who, said)).toEqual(away)
    await expect(byOidc(ben)).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(await failures(ana)).toBe(0)
    // Of the account that is meant its own server can.
    const [atHome, atEast] = [{ account: home.account.accountId }, { account: east.account.accountId }]
    expect(await signIn(ana, { ...wrong, ...atHome })).toEqual([401, 'sign_in_failed'])
    expect(await failures(ana)).toBe(1)
    expect(await signIn(there, atEast)).toEqual(away)
    expect(await signIn(here)).toEqual([200, 'signed in'])
  })
  await expect.poll(() => signIn(there), { timeout: 20_000 }).toEqual([409, 'account_required'])
})

test('pages of accounts of the others go on while a server is away, also where it was never seen', async () => {
  const { reader } = world.gateway.deps
  const [shop, store] = ['https://shop.example', 'https://store.example']
  await reader.send(replaceOrigins(home.account, [shop]))
  await reader.send(replaceOrigins(east.account, [store]))
  let nowMs = 0
  const origins = openOrigins(
    reader,
    () => nowMs,
    () => lanesByServer(world.database).map(({ lanes }) => lanes),
  )
  const listed = async () => {
    nowMs += 60_000
    return [...(await origins.accountsOf(shop)), ...(await origins.accountsOf(store))]
  }
  const [atHome, atEast] = [home.account.accountId, east.account.accountId]
  await whileAway(world.sqlElsewhere, world.sql, async () => expect(await listed()).toEqual([atHome]))
  await expect.poll(listed, { timeout: 20_000 }).toEqual([atHome, atEast])
  await whileAway(world.sqlElsewhere, world.sql, async () => {
    await reader.send(replaceOrigins(home.account, []))
    // Of the one that is away what was seen last counts, beside what the other one says now.
    expect(await listed()).toEqual([atEast])
  })
})

test('without home, webhooks of accounts of other servers are delivered, and what was done is written', async () => {
  const arrived: string[] = []
  let isHeldBack = true
  const heldBack: (() => void)[] = []
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      arrived.push(String(request.headers['webhook-id']))
      const answer = () => response.setHeader('content-type', 'application/json').end('{}')
      if (isHeldBack) heldBack.push(answer)
      else answer()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  // Home was away until just now: who meets a connection that broke then is told to try again.
  const endpoint = await vi.waitFor(() => makeEndpoint(east, { url, events: STEPS }), { timeout: 20_000 })
  const delivered = () =>
    world.sqlElsewhere('select status from deliveries where endpoint_id = $1 order by position', [endpoint.id])
  const { id } = await east.issued()
  await expect.poll(() => arrived.length, { timeout: 20_000 }).toBe(1)
  await whileAway(world.sql, world.sqlElsewhere, async () => {
    isHeldBack = false
    for (const answer of heldBack) answer()
    // What was under way as home died.
    await expect.poll(delivered, { timeout: 20_000 }).toEqual([{ status: 'delivered' }])
    await east.pay(id)
    await expect.poll(delivered, { timeout: 20_000 }).toEqual(Array(3).fill({ status: 'delivered' }))
  })
  receiver.close()
  const back = async () => (await home.ask('GET', '/wallets')).status
  await expect.poll(back, { timeout: 20_000 }).toBe(200)
})

test('a server that answers with a refusal is not one that is away', async () => {
  const refusals = [new LoginRefused('no such login'), new MigrationRefused('newer_schema', 'it is newer')]
  for (const refusal of refusals) await expect(unlessAway(Promise.reject(refusal), 'is left out')).rejects.toBe(refusal)
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  expect(await unlessAway(Promise.reject(away), 'is left out')).toBeNull()
  await expect(unlessAway(Promise.reject(away), 'is a fault')).rejects.toBe(away)
})

test('a server whose name is another one’s, that nobody named, or whose database is another installation’s is refused', async () => {
  const others = world.database.others
  const server = others?.servers.get('east')
  if (!others || !server) throw new Error('the world has no second server')
  await expect(seePlacement(ownedDatabase(world.database.owner))).rejects.toMatchObject({ code: 'server_not_named' })
  await expect(seePlacement(server)).rejects.toMatchObject({ code: 'not_home' })
  const swapped = {
    ...world.database,
    others: otherServers(new Map([['east', ownedDatabase(world.database.owner)]])),
  }
  await expect(checkServers(swapped, 'is left out')).rejects.toMatchObject({ code: 'other_server' })

  // Operators are not kept from the other servers by one that is not there.
  const named = {
    ...namedAs(world.database.owner, []),
    databaseUrl: 'postgres://127.0.0.1:1/away',
    ownerDatabaseUrl: null,
  }
  const away = otherServers(new Map([['east', await laneServerAt({ mode: 'production' }, named, 'is left out')]]))
  away.absent.add('east')
  expect((await asOperatorOf({ ...world.database, others: away })).others?.absent).toContain('east')

  const used = await newDatabase()
  await asAnother(used)
  await onLogin(used, (client) => client.query(ACCOUNT))
  const joined = joinServer(world.database, namedAs(used, [], 'west'), ownedDatabase(used))
  await expect(joined).rejects.toThrow(/has accounts/)

  const fresh = await newDatabase()
  await asAnother(fresh)
  const refusalOf = (lanes: readonly number[]) =>
    joinServer(world.database, namedAs(fresh, lanes, 'west'), ownedDatabase(fresh)).then(
      () => 'it was taken',
      (fault: Error) => fault.message,
    )
  // The world's own gateway says every two seconds that it is at work, and then that is the reason.
  const withoutIt = async () => {
    await world.sql(`update processes set alive_until = now()`)
    return refusalOf([17])
  }
  await expect.poll(withoutIt).toMatch(/lane 17 has accounts already/)
  await world.sql(`update processes set alive_until = now() + interval '6 seconds'`)
  expect(await refusalOf([])).toMatch(/no gateway may be at work/)
})

test('a fault of a server beside home is told of that server', async () => {
  const { owner } = world.database
  const wordsOf = (work: Promise<unknown>) =>
    work.then(
      () => 'nothing failed',
      (fault: unknown) => explain(fault).message,
    )
  const config = { mode: 'development', durability: 'refuse' } as const
  const opened = (databaseUrl: string) =>
    laneServerAt(config, { ...namedAs(owner, []), databaseUrl, ownerDatabaseUrl: null }, 'is a fault')
  expect(await wordsOf(opened('postgres://127.0.0.1:1/gateway'))).toBe(
    'The database of the server east (GATEWAY_LANES_FILE) cannot be reached (ECONNREFUSED). Start it, or mend its URLs in that file.',
  )
  expect(await wordsOf(opened(urlOf({ ...owner, database: 'nowhere' })))).toMatch(
    /^The database of the server east \(GATEWAY_LANES_FILE\) does not exist/,
  )
  // The servers of tests write without waiting for the disk.
  const server = world.database.others?.servers.get('east')
  if (!server) throw new Error('the world has no second server')
  const preparing = prepareServer(world.database, server, namedAs(owner, []), config, () => undefined)
  expect(await wordsOf(preparing)).toMatch(
    /^The server east of GATEWAY_LANES_FILE: The server can lose acknowledged money: fsync/,
  )
  await whileAway(world.sqlElsewhere, world.sql, async () => {
    const lost = new DatabaseUnavailable('lost', 'nothing done', new Error('timeout expired'))
    expect(explain(await faultOfOne(world.database, lost)).message).toMatch(/^The database of the server east/)
  })
})

const ACCOUNT = `with moded as (
    insert into account_modes (lane, account_id, livemode) values (3, gen_random_uuid(), false) returning lane, account_id)
  insert into accounts (lane, account_id, profile_id, name, livemode)
  select lane, account_id, gen_random_uuid(), 'Somebody', false from moded`
