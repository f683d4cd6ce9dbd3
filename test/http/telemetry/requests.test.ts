// GET /requests and its stream: what an account is told of its own requests, what it is never told, and how little is kept.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { openRequestLog, type RequestRecord } from '../../../src/platform/telemetry/request-log.ts'
import { type Caller, openWorld } from '../../world.ts'
import { joined } from '../members/people.ts'

type Told = {
  id: string
  operation: string
  route: string
  status: number
  code: string | null
  contract: string | null
  key: string | null
  replayed: boolean
  command: { verb: string; batch_size: number } | null
  trace: string | null
}

const world = await openWorld({ undoSeconds: 3600 })
const { caller } = world
afterAll(() => world.stop())

const list = async (who: Caller, query = '') =>
  (await who.ask('GET', `/requests${query}`)).data as unknown as { requests: Told[]; next: string | null }

describe('the latest requests of an account', () => {
  test('say what was asked, what became of it, and which contract it was about', async () => {
    const own = await world.newCaller()
    const { id } = await own.draft()
    const early = await own.ask('PUT', `/contracts/transfer/${id}/pay`)
    const issued = await own.ask('PUT', `/contracts/transfer/${id}/issue`, { headers: { 'idempotency-key': 'once' } })
    const again = await own.ask('PUT', `/contracts/transfer/${id}/issue`, { headers: { 'idempotency-key': 'once' } })
    await own.ask('GET', `/contracts/transfer/${id}`)
    const { requests } = await list(own)
    expect(requests.map(({ operation, status, code }) => [operation, status, code])).toEqual([
      ['transfers.get', 200, null],
      ['transfers.issue', 200, null],
      ['transfers.issue', 200, null],
      ['transfers.pay', 409, 'contract_not_issued'],
      ['transfers.create', 200, null],
    ])
    expect(requests.map(({ contract }) => contract)).toEqual([id, id, id, id, id])
    expect(requests.map(({ replayed }) => replayed)).toEqual([false, true, false, false, false])
    expect(requests.map(({ command }) => command?.verb ?? null)).toEqual([
      null,
      'issue',
      'issue',
      'pay',
      'create_transfer',
    ])
    expect(requests.every(({ key }) => key === own.keyId)).toBe(true)
    expect(requests.map((each) => each.id)).toEqual(
      expect.arrayContaining([early, issued, again].map(({ headers }) => headers['request-id'])),
    )
    expect(requests.every(({ trace }) => trace === null)).toBe(true)
  })

  test('are found by each filter, page by page', async () => {
    const own = await world.newCaller()
    const { id } = await own.draft()
    const refused = await own.ask('PUT', `/contracts/transfer/${id}/pay`)
    await own.ask('GET', '/wallets')
    const ids = async (query: string) => (await list(own, query)).requests.map(({ operation }) => operation)
    expect(await ids('?status=4xx')).toEqual(['transfers.pay'])
    expect(await ids('?method=POST')).toEqual(['transfers.create'])
    expect(await ids('?method=PUT&status=4xx')).toEqual(['transfers.pay'])
    expect(await ids('?status=409')).toEqual(['transfers.pay'])
    expect(await ids('?status=404')).toEqual([])
    expect(await ids('?code=contract_not_issued')).toEqual(['transfers.pay'])
    expect(await ids(`?contract=${id}`)).toEqual(['transfers.pay', 'transfers.create'])
    expect(await ids('?operation=wallets.list')).toEqual(['wallets.list'])
    expect(await ids(`?id=${refused.headers['request-id']}`)).toEqual(['transfers.pay'])
    expect(await ids('?since=2000-01-01')).toHaveLength(3)
    expect(await ids('?since=2999-01-01')).toEqual([])
    const paged = await own.all<Told>('/requests', 'requests', 1)
    expect(paged.map(({ operation }) => operation)).toEqual(['wallets.list', 'transfers.pay', 'transfers.create'])
    expect((await own.ask('GET', '/requests?status=9')).error.param).toBe('status')
    expect((await own.ask('GET', '/requests?statsu=4xx')).error.message).toContain('Did you mean status?')
  })

  test('are those of the account alone', async () => {
    const [one, other] = [await world.newCaller(), await world.newCaller({ lane: caller.account.lane })]
    const { id } = await one.draft()
    await other.ask('GET', `/contracts/transfer/${id}`)
    expect((await list(one, `?contract=${id}`)).requests.map(({ operation }) => operation)).toEqual([
      'transfers.create',
    ])
    expect((await list(other)).requests.map(({ operation, status }) => [operation, status])).toEqual([
      ['transfers.get', 404],
    ])
  })

  test('leave out what a page reads for somebody who is signed in, but not what they do, nor what is refused', async () => {
    const own = await world.newCaller()
    const person = await joined(world, own, 'owner')
    await person.ask('GET', '/wallets')
    await person.ask('GET', '/contracts/transfer/nothing')
    await person.ask('POST', '/contracts/transfer', { body: { amount: 1, currency: 'PHP' } })
    const { requests } = await list(own)
    expect(requests.map(({ operation, status }) => [operation, status])).toEqual([
      ['transfers.create', 200],
      ['transfers.get', 404],
    ])
  })

  test('hold nothing of what was sent', async () => {
    const own = await world.newCaller()
    await own.ask('POST', '/contracts/transfer?note=CANARYQ', {
      body: { amount: 1, currency: 'PHP', description: 'CANARYB', recipient: { name: 'CANARYN' } },
      headers: { 'user-agent': 'CANARYU', 'x-canary': 'CANARYH', 'idempotency-key': 'CANARYK' },
    })
    await own.ask('GET', '/contracts/transfer/CANARYP')
    const { text } = await own.ask('GET', '/requests')
    expect(text).toContain('transfers.create')
    expect(text).not.toContain('CANARY')
    expect(text).not.toContain(own.apiKey)
  })
})

describe('the stream', () => {
  test('tells of each request as it is answered, and goes on after the last one', async () => {
    const base = await world.listen()
    const own = await world.newCaller()
    const first = await following(base, own)
    await own.draft()
    await own.ask('GET', '/wallets')
    await first.has(2)
    expect(first.told.map(({ operation }) => operation)).toEqual(['transfers.create', 'wallets.list'])
    first.cut()
    await own.ask('GET', '/channels')
    const again = await following(base, own, first.told[1]?.id)
    await again.has(1)
    expect(again.told.map(({ operation }) => operation)).toEqual(['channels.list'])
    again.cut()
  })

  test('ends with its key', async () => {
    const base = await world.listen().catch(() => world.gateway.app.listeningOrigin)
    const own = await world.withKey(caller, {})
    const stream = await following(base, own)
    await world.sql('update api_keys set revoked_at = now() where key_id = $1', [own.keyId])
    await stream.ended
    expect(stream.told.filter(({ key }) => key === own.keyId)).toEqual([])
  })
})

test('what is kept is bounded: of each account, and in all, the quiet ones first', () => {
  const log = openRequestLog({ ofAccount: 3, inAll: 5 })
  const add = (account: string, id: string) => log.add(account, { id } as RequestRecord)
  const ids = (account: string) => log.of(account).map(({ id }) => id)
  for (const id of ['1', '2', '3', '4']) add('a', id)
  expect(ids('a')).toEqual(['2', '3', '4'])
  add('b', '5')
  add('b', '6')
  expect([ids('a'), ids('b')]).toEqual([
    ['2', '3', '4'],
    ['5', '6'],
  ])
  add('c', '7')
  expect([ids('a'), ids('b'), ids('c')]).toEqual([[], ['5', '6'], ['7']])
})

/** Reads the stream as it comes. */
async function following(base: string, { apiKey }: Caller, lastEventId?: string) {
  const stop = new AbortController()
  const last = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const response = await fetch(`${base}/requests/stream`, {
    headers: { 'x-api-key': apiKey, ...last },
    signal: stop.signal,
  })
  expect(response.status).toBe(200)
  const told: Told[] = []
  const read = async () => {
    let text = ''
    const words = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      const parts = (text + words.decode(chunk as Uint8Array, { stream: true })).split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const data = /^data: (.*)$/m.exec(part)?.[1]
        if (data !== undefined) told.push(JSON.parse(data) as Told)
      }
    }
  }
  const ended = read().catch(() => undefined)
  return {
    told,
    ended,
    cut: () => stop.abort(),
    has: async (count: number) => {
      for (const until = Date.now() + 30_000; told.length < count && Date.now() < until; ) await sleep(20)
      expect(told.length).toBe(count)
    },
  }
}
