// The wall between test and live beneath the domain: what the database takes from the gateway's own login, what a start
// refuses, and what work a channel's workers find.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChannelConfig } from '../../src/domain/channel/config.ts'
import type { Config } from '../../src/main/config/config.ts'
import { offeredChannels, playerOf } from '../../src/main/channels/offered-channels.ts'
import { buildGateway } from '../../src/main/assemble.ts'
import { openLog } from '../../src/platform/log.ts'
import { dueJobs } from '../../src/store/jobs/jobs.ts'
import { openModes } from '../http/callers/modes-stage.ts'
import { callerOf } from '../world-caller.ts'
import { openClient } from '../world-client.ts'

const { world, TEST, LIVE } = await openModes()
const { accountId: test0, lane } = TEST.caller.account
const { accountId: live0 } = LIVE.caller.account
let app: pg.Client
beforeAll(async () => {
  app = new pg.Client(world.lanesLogin)
  await app.connect()
})
afterAll(async () => {
  await app.end()
  await world.stop()
})

/** The SQLSTATE that a statement ends with, undone in any case; null for none. */
async function fault(client: pg.Client, text: string, values: readonly unknown[] = []): Promise<string | null> {
  await client.query('begin')
  try {
    await client.query(text, [...values])
    return null
  } catch (error) {
    return (error as pg.DatabaseError).code ?? 'none'
  } finally {
    await client.query('rollback')
  }
}
const FOREIGN = '23503'
const UNIQUE = '23505'
const DENIED = '42501'

describe('the gateway’s own login', () => {
  const attempt = `insert into jobs (lane, account_id, contract_id, kind, number, channel_id, reference, status, livemode)
                   values ($1, $2, gen_random_uuid(), 'payout', 1, $3, 'x', 'queued', $4)`
  const job = `insert into jobs (lane, account_id, contract_id, kind, channel_id, status, livemode)
               values ($1, $2, gen_random_uuid(), 'collection', $3, 'queued', $4)`

  test.each([
    ['an attempt', attempt],
    ['a payer’s choice', job],
  ])(
    'writes %s of its channel’s mode, and none of the other, nor on a channel that nobody offered',
    async (_, text) => {
      expect(await fault(app, text, [lane, test0, 'sandbox', false])).toBeNull()
      expect(await fault(app, text, [lane, live0, 'instapay', true])).toBeNull()
      for (const livemode of [true, false]) expect(await fault(app, text, [lane, live0, 'wallet', livemode])).toBeNull()
      expect(await fault(app, text, [lane, live0, 'sandbox', true])).toBe(FOREIGN)
      expect(await fault(app, text, [lane, test0, 'instapay', false])).toBe(FOREIGN)
      expect(await fault(app, text, [lane, live0, 'nowhere', true])).toBe(FOREIGN)
    },
  )

  test.each([
    [
      'a wallet',
      `insert into wallets (lane, account_id, id, currency, livemode) values ($1, $2, gen_random_uuid(), 'XAF', $3)`,
    ],
    [
      'a key',
      `insert into api_keys (lane, account_id, key_id, secret_hash, name, scopes, livemode)
       values ($1, $2, 'abcdef', sha256('x'), 'x', '{}', $3)`,
    ],
    [
      'a webhook endpoint',
      `insert into webhook_endpoints (lane, account_id, id, url, events, api_version, in_flight_max, status, secrets_sealed,
                                      bearer_sealed, sealing_key_id, since_position, livemode)
       values ($1, $2, gen_random_uuid(), 'https://x', '{*}', 'x', 1, 'enabled', '[]', 'x', 'x', 0, $3)`,
    ],
  ])('gives an account no %s of the other mode', async (_, text) => {
    expect(await fault(app, text, [lane, test0, false])).toBeNull()
    expect(await fault(app, text, [lane, live0, true])).toBeNull()
    expect(await fault(app, text, [lane, test0, true])).toBe(FOREIGN)
    expect(await fault(app, text, [lane, live0, false])).toBe(FOREIGN)
  })

  test('turns no account, channel, chain or key of a chain round, and gives none a second mode', async () => {
    for (const table of ['account_modes', 'channel_modes', 'chain_modes']) {
      expect(await fault(app, `update ${table} set livemode = not livemode`), table).toBe(DENIED)
      expect(await fault(app, `delete from ${table}`), table).toBe(DENIED)
      expect(await fault(app, `truncate ${table} cascade`), table).toBe(DENIED)
    }
    expect(await fault(app, 'update accounts set livemode = not livemode')).toBe(DENIED)
    const second = 'insert into channel_modes (channel_id, livemode) values ($1, $2)'
    expect(await fault(app, second, ['sandbox', true])).toBe(UNIQUE)
    expect(await fault(app, second, ['instapay', false])).toBe(UNIQUE)
    const account = 'insert into account_modes (lane, account_id, livemode) values ($1, $2, $3)'
    expect(await fault(app, account, [lane, test0, true])).toBe(UNIQUE)
  })

  test('not even the owner turns an account round that has anything', async () => {
    const owner = new pg.Client(world.lanesOwner)
    await owner.connect()
    try {
      expect(await fault(owner, 'update accounts set livemode = not livemode')).toBe(FOREIGN)
      expect(await fault(owner, 'update account_modes set livemode = not livemode')).toBe(FOREIGN)
    } finally {
      await owner.end()
    }
  })
})

test('the workers of a channel find attempts of its mode alone', async () => {
  const { id } = await TEST.caller.paid(TEST.draft)
  await world.sql('update jobs set due_at = now() where contract_id = $1', [id])
  const found = async (livemodes: readonly boolean[]) => {
    const [result] = await world.gateway.deps.reader.send([
      dueJobs('sandbox', livemodes, 'all', { lanes: [TEST.caller.account.lane], notOf: [], limit: 10 }),
    ])
    return (result?.rows ?? []).map((row) => row['contract_id'])
  }
  expect(await found([false])).toContain(id)
  expect(await found([false, true])).toContain(id)
  expect(await found([true])).toEqual([])
  expect(await found([])).toEqual([])
})

/** What a start says that is refused. */
async function refusal(changes: Partial<Config>, sandboxUrl: string | null = world.sandboxUrl): Promise<string> {
  const provider = sandboxUrl === null ? null : { url: sandboxUrl, token: null }
  const gateway = buildGateway({ ...world.config, ...changes }, world.database, provider, openLog('fatal'))
  return gateway.then(
    async (built) => {
      await built.stop()
      return ''
    },
    (error: Error) => `${error.name}: ${error.message}`,
  )
}
const { rails, channels } = world.config
const declared = (id: string, mode: 'test' | 'live') =>
  channels.map((each) => (each.id === id ? { ...each, mode } : each))

describe('a start', () => {
  test('is refused where a channel that the database knows moves money of the other mode now', async () => {
    const live = { url: 'https://maya.example', mode: 'live' } as const
    expect(await refusal({ rails: { ...rails, maya: live } })).toBe(
      'Misconfigured: channel maya: it moves live money now, and in this database it has moved TEST money so far. Give production a database of its own, or the channel another id with "connector": "maya"',
    )
    const test = { url: null, mode: 'test' } as const
    expect(await refusal({ rails: { ...rails, gcash: test, card: test } })).toMatch(
      /channel gcash: it moves TEST money now, and in this database it has moved live money so far[^]*\nchannel card: /,
    )
    const other = { ...channelNamed('maya'), id: 'maya-live', connector: 'maya' }
    const renamed = channels.map((each) => (each.id === 'maya' ? other : each))
    expect(await refusal({ rails: { ...rails, maya: live }, channels: renamed })).toBe('')
  })

  test.each<[string, 'test' | 'live', RegExp]>([
    [
      'maya',
      'live',
      /^Misconfigured: channel maya: "mode" is live, but the sandbox provider moves none\. Give the rail its real address \(GATEWAY_MAYA_URL\)/,
    ],
    [
      'instapay',
      'test',
      /^Misconfigured: channel instapay: "mode" is test, but 127\.0\.0\.1:\d+ moves real money\. Where that is a test environment, set GATEWAY_INSTAPAY_MODE=test/,
    ],
    ['sandbox', 'live', /^Misconfigured: channel sandbox: "mode" is live, but the sandbox moves no money/],
    [
      'wallet',
      'live',
      /^Misconfigured: channel wallet: "mode" is live, but it moves money between wallets of either mode/,
    ],
  ])('is refused where the file takes %s for %s', async (id, mode, words) => {
    expect(await refusal({ channels: declared(id, mode) })).toMatch(words)
    expect(await refusal({ channels: declared('pesonet', 'test') })).toBe('')
  })

  test.each([
    ['qrph', 'refunds'],
    ['maya', 'hosted'],
  ] as const)('is refused where the file says that of %s which its connector cannot: %s', async (id, power) => {
    const saying = (name: string, value: boolean) =>
      channels.map((each) =>
        each.id === name && each.collect ? { ...each, collect: { ...each.collect, [power]: value } } : each,
      )
    expect(await refusal({ channels: saying(id, true) })).toBe(
      `Misconfigured: channel ${id}: "collect.${power}" is true, but connector ${id} cannot do that. Leave it out`,
    )
    expect(await refusal({ channels: saying(id, false) })).toBe('')
    expect(await refusal({ channels: saying('card', true) })).toBe('')
  })

  test('without a sandbox provider offers what moves real money, and shows old contracts as they were', async () => {
    const { id } = await TEST.caller.issued(TEST.draft)
    const production = await buildGateway(world.config, world.database, null, openLog('fatal'))
    await production.app.ready()
    try {
      const client = openClient(production.app)
      const { account, keyId, apiKey } = TEST.caller
      const tester = callerOf(client, account, { keyId, text: apiKey })
      const offered = async (key: string) => {
        const { data } = await client.ask('GET', '/channels', { headers: { 'x-api-key': key } })
        return (data['channels'] as { id: string }[]).map((each) => each.id).sort()
      }
      expect(await offered(LIVE.caller.apiKey)).toEqual(['card', 'gcash', 'instapay', 'wallet'])
      expect(await offered(apiKey)).toEqual(['wallet'])
      expect((await tester.get(id)).channel).toMatchObject({ id: 'sandbox', name: 'Sandbox' })
      const paid = await tester.ask('PUT', `/contracts/transfer/${id}/pay`)
      expect([paid.status, paid.error.code, paid.error.param]).toEqual([409, 'requirements_not_met', 'channel'])
      expect(paid.error.message).toContain('Channel sandbox is no longer offered. Cancel the contract')
      const draft = await tester.ask('POST', '/contracts/transfer', { body: TEST.draft })
      expect([draft.status, draft.error.code]).toEqual([400, 'invalid_channel'])
    } finally {
      await production.stop()
    }
  })
})

test('who moves a channel’s money is said without a path, a user or a secret', () => {
  const url = 'https://user:secret@gcash.example:8443/v1/secret'
  const config = { ...world.config, rails: { ...rails, gcash: { url, mode: 'live' as const } } }
  expect(playerOf(config, channelNamed('gcash'))).toBe('gcash.example:8443')
  expect(playerOf(config, channelNamed('maya'))).toBe('the sandbox provider')
  expect(offeredChannels(config, 'no sandbox').map(({ config: { id } }) => id)).toEqual([
    'wallet',
    'instapay',
    'gcash',
    'card',
  ])
})

function channelNamed(id: string): ChannelConfig {
  const found = channels.find((each) => each.id === id)
  if (!found) throw new Error(`no channel ${id}`)
  return found
}
