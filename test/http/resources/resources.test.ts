// Reference data: every data set says what the table says by which the gateway works, fits its own schema, and is sent once for
// as long as it stands. And what an id names: of one's own, and as far as one's scopes go.
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import { ALL_EVENT_TYPES, scopesToRead } from '../../../src/domain/account/events.ts'
import { ROLES, scopesOf } from '../../../src/domain/account/roles.ts'
import { SCOPES, type Scope } from '../../../src/domain/account/scopes.ts'
import { activityId, eventId } from '../../../src/domain/contract/ids.ts'
import { REFUSALS } from '../../../src/domain/contract/refusals.ts'
import { CURRENCIES, digitsOf } from '../../../src/domain/money/currencies.ts'
import { PAYMENT_MOVES } from '../../../src/domain/payment/move-table.ts'
import { isCountry } from '../../../src/domain/text/countries.ts'
import { TRANSFER_MOVES } from '../../../src/domain/transfer/move-table.ts'
import { isBic } from '../../../src/formats/iso20022/banks.ts'
import { statusOf } from '../../../src/http/errors.ts'
import { keyUuid } from '../../../src/platform/credentials.ts'
import { API_VERSION } from '../../../src/wire/api.ts'
import { type Caller, openWorld } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
const { caller, other } = world
afterAll(() => world.stop())

type Item = Record<string, unknown>
type DataSet = { name: string; version: string; schema: Item; items: Item[]; href: string; description: string }
const dataSet = async (name: string) => (await caller.ask('GET', `/resources/${name}`)).data['resource'] as DataSet
const itemsOf = async (name: string) => (await dataSet(name)).items

const NAMES = 'currencies countries banks statuses moves errors events holidays versions scopes roles'.split(' ')

describe('reference data', () => {
  test('is listed, each with its version', async () => {
    const { data } = await caller.ask('GET', '/resources')
    const listed = data['resources'] as DataSet[]
    expect(listed.map(({ name }) => name)).toEqual([...NAMES, 'channels'])
    for (const { name, version, href } of listed.slice(0, -1)) {
      expect(href).toBe(`/resources/${name}`)
      expect((await dataSet(name)).version).toBe(version)
    }
    expect(listed.at(-1)).toMatchObject({ href: '/channels', version: null })
  })

  test.each(NAMES)('%s: every item fits the schema that comes with it, and no other does', async (name) => {
    const { schema, items } = await dataSet(name)
    const fits = new Ajv({ strict: false }).compile(schema)
    expect(items.length).toBeGreaterThan(0)
    for (const item of items) expect([fits(item), fits.errors], JSON.stringify(item)).toEqual([true, null])
    expect(fits({})).toBe(false)
    for (const item of items)
      expect(Object.keys(item).toSorted()).toEqual(Object.keys(schema['properties'] as Item).toSorted())
  })

  test('says what the tables say', async () => {
    const currencies = await itemsOf('currencies')
    expect(currencies.map(({ code, digits }) => [code, digits])).toEqual(
      CURRENCIES.map((code) => [code, digitsOf(code)]),
    )
    expect(currencies).toContainEqual({ code: 'PHP', name: 'Philippine Peso', digits: 2, enabled: true })
    const countries = await itemsOf('countries')
    expect(countries.every(({ code }) => isCountry(code as string))).toBe(true)
    expect(countries).toContainEqual({ code: 'PH', name: 'Philippines' })
    const moves = [...TRANSFER_MOVES, ...PAYMENT_MOVES]
    expect((await itemsOf('moves')).map(({ of: _, ...move }) => move)).toEqual(moves)
    const errors = await itemsOf('errors')
    const coded = Object.entries(REFUSALS).map(([code, { type, when }]) => [code, type, statusOf(code), when])
    expect(errors.slice(2).map(({ code, type, status, when }) => [code, type, status, when])).toEqual(coded)
    const events = await itemsOf('events')
    expect(events.map(({ type, scopes }) => [type, scopes])).toEqual(
      ALL_EVENT_TYPES.map((type) => [type, scopesToRead(type)]),
    )
    expect((await itemsOf('scopes')).map(({ scope }) => scope)).toEqual([...SCOPES])
    const roles = await itemsOf('roles')
    expect(roles.map(({ role, scopes }) => [role, new Set(scopes as string[])])).toEqual(
      ROLES.map((role) => [role, scopesOf(role)]),
    )
    expect(await itemsOf('versions')).toEqual([{ version: API_VERSION, is_current: true }])
    const windows = SHIPPED_CHANNELS.flatMap((channel) => channel.windows?.holidays ?? [])
    expect((await itemsOf('holidays')).map(({ date }) => date)).toEqual([...new Set(windows)].toSorted())
  })

  test('statuses: those that nothing leads out of are ends', async () => {
    const ends = (await itemsOf('statuses')).filter((each) => each['is_end'] === true)
    expect(ends.map((each) => `${each['of'] as string} ${each['status'] as string}`)).toEqual([
      'transfer cancelled',
      'transfer expired',
      'payment completed',
      'payment cancelled',
      'payment expired',
    ])
  })

  test('banks: each code is a BIC of the Philippines, which the channels named take', async () => {
    for (const { code, bic, rails } of await itemsOf('banks')) {
      expect([isBic(bic as string), (bic as string).slice(4, 6), code]).toEqual([true, 'PH', bic])
      for (const rail of rails as string[]) {
        const body = {
          amount: 100,
          currency: 'PHP',
          channel: rail,
          recipient: { name: 'A B', wallet: '00012345', tag: code },
        }
        const { preview } = (await caller.draft(body)) as unknown as { preview: { messages: { type: string }[] } }
        expect(preview.messages.filter(({ type }) => type === 'error')).toEqual([])
      }
    }
  }, 180_000)

  test('events: a sample is an event as the feed shows it', async () => {
    await caller.paid()
    const [event] = (await caller.ask('GET', '/events')).data['events'] as Item[]
    for (const { type, sample } of await itemsOf('events')) {
      const shown = sample as Item & { data: { object: Item } }
      expect([type, Object.keys(shown)]).toEqual([shown['type'], Object.keys(event!)])
      expect([shown['livemode'], shown.data.object['livemode']]).toEqual([false, false])
    }
  })

  test('is sent again only where it changed', async () => {
    const first = await caller.ask('GET', '/resources/currencies')
    const etag = first.headers['etag'] as string
    expect(etag).toBe(`"${(first.data['resource'] as DataSet).version}"`)
    expect(first.headers['cache-control']).toBe('private, max-age=300')
    const again = (tag: string) => caller.ask('GET', '/resources/currencies', { headers: { 'if-none-match': tag } })
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const { status, text, headers } = await again(tag)
      expect([status, text, headers['etag']], tag).toEqual([304, '', etag])
    }
    expect((await again('"x"')).status).toBe(200)
    const euros = await world.beside({ currencies: ['EUR'] })
    const elsewhere = await euros.ask('GET', '/resources/currencies', {
      headers: { 'x-api-key': caller.apiKey, 'if-none-match': etag },
    })
    expect([elsewhere.status, elsewhere.headers['etag'] === etag]).toEqual([200, false])
    await euros.stop()
  })

  test('is for any credential, and for none without', async () => {
    const blind = await world.withKey(caller, { scopes: [] })
    expect((await blind.ask('GET', '/resources/scopes')).status).toBe(200)
    expect((await world.ask('GET', '/resources/scopes')).status).toBe(401)
    for (const name of ['Scopes', 'scope', 'channel', 'toString', '__proto__', 'scopes '])
      expect((await caller.ask('GET', `/resources/${encodeURIComponent(name)}`)).status, name).toBe(404)
  })
})

describe('an id', () => {
  const IDS: Record<string, { id: string; scope: Scope; line: Item }> = {}

  beforeAll(async () => {
    const { id } = await caller.paid({ deliverable: { reference_id: 'R1' } })
    const fields = { url: 'http://127.0.0.1:9/hook', events: ['contract.paid'] }
    const made = await caller.ask('POST', '/webhook-endpoints', { body: fields })
    const endpoint = (made.data['webhook_endpoint'] as { id: string }).id
    await world.sql(
      `insert into deliveries (lane, account_id, endpoint_id, position, status, tries, created_at, updated_at)
       select lane, account_id, id, 1, 'delivered', 1, now(), now() from webhook_endpoints where id = $1`,
      [endpoint],
    )
    const { data } = await caller.ask('POST', '/profiles', { body: { type: 'person', name: 'Ana', reference: 'HR 1' } })
    const profile = (data['profile'] as { id: string }).id
    const wallet = await caller.wallet('PHP')
    const entries = (await caller.ask('GET', `/wallets/${wallet.id}/entries`)).data['entries'] as Item[]
    const contract = `/contracts/transfer/${id}`
    const put = (name: string, named: string, scope: Scope, type: string, href: string, summary: RegExp) => {
      IDS[name] = {
        id: named,
        scope,
        line: { type, id: named, href, summary: expect.stringMatching(summary), livemode: false },
      }
    }
    put('contract', id, 'contracts:read', 'transfer', contract, /^Transfer of PHP .*, paid \(R1\)$/)
    put(
      'activity',
      activityId(id, 0, 1),
      'contracts:read',
      'activity',
      `${contract}/activities`,
      /^created: Transfer of/,
    )
    put('event', eventId(id, 1), 'events:read', 'event', `/events/${eventId(id, 1)}`, /^contract.created: Transfer of/)
    put(
      'delivery',
      'dlv_1_0',
      'webhooks:manage',
      'delivery',
      `/webhook-endpoints/${endpoint}/deliveries/dlv_1_0/attempts`,
      /^Delivery of/,
    )
    put('endpoint', endpoint, 'webhooks:manage', 'webhook_endpoint', `/webhook-endpoints/${endpoint}`, /127.*enabled/)
    put('wallet', wallet.id, 'wallets:read', 'wallet', `/wallets/${wallet.id}`, /^PHP wallet.*available$/)
    put(
      'transaction',
      entries[0]!['transaction_id'] as string,
      'wallets:read',
      'transaction',
      contract,
      /^Ledger transaction: /,
    )
    put('profile', profile, 'profiles:read', 'profile', `/profiles/${profile}`, /^Ana \(HR 1\)$/)
    put(
      'own profile',
      caller.account.profileId,
      'profiles:read',
      'profile',
      `/profiles/${caller.account.profileId}`,
      /./,
    )
    put('key', caller.keyId, 'accounts:read', 'key', `/keys/${caller.keyId}`, /^API key .*active$/)
    const invited = await caller.ask('POST', '/members', { body: { email: 'ana@shop.example', role: 'viewer' } })
    const member = (invited.data['member'] as { id: string }).id
    put('member', member, 'accounts:read', 'member', `/members/${member}`, /^ana@shop.example, viewer, invited$/)
    put('account', caller.account.accountId, 'accounts:read', 'account', '/accounts/me', /./)
  })

  const KINDS = 'contract activity event delivery endpoint wallet transaction profile key member account'.split(' ')

  test.each([...KINDS, 'own profile'])('of a %s says what it is and where', async (kind) => {
    const { id, line } = IDS[kind]!
    const { data } = await caller.ask('GET', `/resources/${id}`)
    expect(data['resource']).toEqual(line)
  })

  test('that stands for a key names the key', async () => {
    const { data } = await caller.ask('GET', `/resources/${keyUuid(caller.keyId)}`)
    expect(data['resource']).toEqual(IDS['key']!.line)
  })

  test.each(KINDS)('of a %s does not exist for another account, nor without its scope', async (kind) => {
    const { id, scope } = IDS[kind]!
    const asked = async (who: Caller) => {
      const { status, text } = await who.ask('GET', `/resources/${id}`)
      return [status, text.replace(/req_[0-9a-z]+/, '')]
    }
    const absent = await caller.ask('GET', '/resources/01890000-0000-7000-8000-000000000001')
    const nothing = [404, absent.text.replace(/req_[0-9a-z]+/, '')]
    const narrow = await world.withKey(caller, { scopes: SCOPES.filter((each) => each !== scope) })
    expect([await asked(other), await asked(narrow)]).toEqual([nothing, nothing])
  })

  test('of another contract does not exist for a token of one', async () => {
    const body = { grant_type: 'client_credentials', contract_id: IDS['contract']!.id }
    const { body: token } = await caller.ask('POST', '/oauth/token', { body })
    const headers = { authorization: `Bearer ${token['access_token'] as string}` }
    const asked = async (id: string) => (await world.ask('GET', `/resources/${id}`, { headers })).status
    expect([await asked(IDS['contract']!.id), await asked((await caller.draft()).id)]).toEqual([200, 404])
  })
})
