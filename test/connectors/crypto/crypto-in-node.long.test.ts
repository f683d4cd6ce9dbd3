// The node is a stranger: away, slow to agree, behind, or lying. The watcher waits then; it never leaves a block out, and
// asks no more of the node the more addresses there are.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Fault, type FaultyNode, startFaultyNode } from '../../rig/faulty-node.ts'
import { CONFIRMATIONS, openReceivers, type Receivers } from './crypto-in-stage.ts'

/** Of a watcher that meets a node that hangs; any other gives the node the time that a busy machine takes. */
const HASTY_MS = 1000
const TIMEOUT_MS = 5000

let receivers: Receivers
let node: FaultyNode
let spoilt: string[] = []
beforeAll(async () => {
  receivers = await openReceivers()
  node = await startFaultyNode(receivers.chain.url)
})
afterAll(async () => {
  await node.close()
  await receivers.close()
})
afterEach(() => heal())

function spoil(method: string, fault: Fault): void {
  spoilt.push(method)
  node.spoil(method, fault)
}

function heal(): void {
  for (const method of spoilt) node.spoil(method, null)
  spoilt = []
}

const watched = (asset: 'coin' | 'token', timeoutMs = TIMEOUT_MS) =>
  receivers.watcher(asset, { url: node.url, timeoutMs })
const before = (how: Fault['how']): Fault => ({ when: 'before', how })

const FAULTS: [string, Fault][] = [
  ['hangs', before('hangs')],
  ['resets', before('resets')],
  ['answers 502', before('fails')],
  ['answers a page', before({ body: '<html>welcome</html>' })],
  ['refuses', before({ error: { code: -32000, message: 'header not found' } })],
  ['answers null', before({ result: null })],
  ['answers an empty thing', before({ result: {} })],
  ['answers a list of nothing in particular', before({ result: [{}] })],
]
const READ = {
  coin: ['eth_chainId', 'eth_getBlockByNumber', 'eth_getBlockByHash', 'eth_getTransactionReceipt'],
  token: ['eth_chainId', 'eth_getBlockByNumber', 'eth_getLogs'],
} as const

describe.each(['coin', 'token'] as const)('in the %s', (asset) => {
  test.each(FAULTS)('a node that %s is waited for, whichever call it is; nothing is missed', async (_, fault) => {
    const { chain, follow, told } = receivers
    const following = watched(asset, HASTY_MS)
    await follow(following)
    const { order, address, units } = await receivers.attempt(asset)
    await chain.pay(asset, address, units)
    await chain.mine(CONFIRMATIONS)
    for (const method of READ[asset]) {
      spoil(method, fault)
      expect(await following.look(), method).toMatchObject({ kind: 'waits' })
      heal()
    }
    expect(await receivers.statuses(order)).toEqual([])
    await follow(watched(asset))
    expect(told(order)).toHaveLength(1)
  })

  test('a node that fails at every second call is followed all the same, far behind, too', async () => {
    const { chain, told, round, watcher } = receivers
    const flaky = await startFlakyNode(chain.url)
    const { order, address, units } = await receivers.attempt(asset)
    await chain.mine(25)
    await chain.pay(asset, address, units)
    await chain.mine(10)
    const following = watcher(asset, { url: flaky.url })
    for (let rounds = 0; rounds < 100 && told(order).length === 0; rounds++) await round(following)
    expect(told(order)).toHaveLength(1)
    await flaky.close()
  })
})

test('a slow node is asked for less at a time, and caught up with', async () => {
  const { chain, told, round, watcher } = receivers
  const slow = await startFlakyNode(chain.url, 25)
  const { order, address, units } = await receivers.attempt('token')
  await chain.mine(10)
  await chain.pay('token', address, units)
  await chain.mine(CONFIRMATIONS)
  const following = watcher('token', { url: slow.url, timeoutMs: 300 })
  expect(await following.look()).toMatchObject({ kind: 'waits' })
  for (let rounds = 0; rounds < 60 && told(order).length === 0; rounds++) await round(following)
  expect(told(order)).toHaveLength(1)
  await slow.close()
})

test('a node that is behind what was seen changes nothing', async () => {
  const { chain, follow, told } = receivers
  const following = watched('token')
  const { order, address, units } = await receivers.attempt('token')
  const old = await chain.client.request({ method: 'eth_getBlockByNumber', params: ['latest', false] } as never)
  await chain.pay('token', address, units)
  await chain.mine(CONFIRMATIONS - 1)
  await follow(following)
  spoil('eth_getBlockByNumber', before({ result: old }))
  expect(await following.look()).toEqual({ kind: 'looked', blocks: 0, progress: [], doubt: null })
  await follow(watched('token'))
  expect(await receivers.statuses(order)).toEqual(['seen'])
  heal()
  await chain.mine()
  await follow(following)
  expect(told(order)).toHaveLength(1)
})

test('a head that is only claimed confirms nothing', async () => {
  const { chain, follow, told } = receivers
  const following = watched('token')
  const { order, address, units } = await receivers.attempt('token')
  await chain.pay('token', address, units)
  await chain.mine()
  await follow(receivers.watcher('token'))
  const tip = (await chain.client.request({
    method: 'eth_getBlockByNumber',
    params: ['latest', false],
  } as never)) as object
  spoil('eth_getBlockByNumber', before({ result: { ...tip, number: '0xffffff' } }))
  expect(await following.look()).toMatchObject({ kind: 'waits' })
  heal()
  expect(told(order)).toEqual([])
  await chain.mine(CONFIRMATIONS)
  await follow(following)
  expect(told(order)).toHaveLength(1)
})

describe('an answer about something else is none', () => {
  type Log = Record<string, unknown> & { readonly topics: readonly string[] }
  const LIES: [string, (log: Log) => Log][] = [
    ['of another block', (log) => ({ ...log, blockHash: `0x${'cd'.repeat(32)}` })],
    ['of another token', (log) => ({ ...log, address: `0x${'12'.repeat(20)}` })],
    ['of another event', (log) => ({ ...log, topics: [`0x${'ab'.repeat(32)}`, ...log.topics.slice(1)] })],
    ['that was taken back', (log) => ({ ...log, removed: true })],
    ['without an amount', (log) => ({ ...log, data: '0x' })],
    ['to no address', (log) => ({ ...log, topics: [...log.topics.slice(0, 2), `0x${'ff'.repeat(32)}`] })],
  ]
  test.each(LIES)('a log %s', async (_, lie) => {
    const { chain, follow, told } = receivers
    await follow(receivers.watcher('token'))
    const { order, address, units } = await receivers.attempt('token')
    const hash = await chain.pay('token', address, units)
    await chain.mine()
    const { logs } = (await chain.client.request({
      method: 'eth_getTransactionReceipt',
      params: [hash],
    } as never)) as { logs: Log[] }
    spoil('eth_getLogs', before({ result: logs.map(lie) }))
    const following = watched('token')
    expect(await following.look()).toMatchObject({ kind: 'waits' })
    heal()
    await chain.mine(CONFIRMATIONS)
    await follow(following)
    expect(told(order)).toHaveLength(1)
  })

  test('a transaction that failed is in its block and brought nothing', async () => {
    const { chain, follow, told } = receivers
    await follow(receivers.watcher('coin'))
    const { order, address, units } = await receivers.attempt('coin')
    const hash = await chain.pay('coin', address, units)
    await chain.mine()
    const receipt = (await chain.client.request({
      method: 'eth_getTransactionReceipt',
      params: [hash],
    } as never)) as object
    spoil('eth_getTransactionReceipt', before({ result: { ...receipt, status: '0x0' } }))
    // Its coins are not there either, as far as this node tells.
    spoil('eth_getBalance', before({ result: '0x0' }))
    const following = watched('coin')
    await follow(following)
    expect(await receivers.statuses(order)).toEqual([])
    await chain.mine(CONFIRMATIONS)
    await follow(following)
    expect(told(order)).toEqual([])
  })
})

test('a chain that was rewritten deeper than what is final is not followed, and nothing is told twice', async () => {
  const { chain, follow, told } = receivers
  const { order, address, units } = await receivers.attempt('token')
  const hash = await chain.pay('token', address, units)
  const raw = await chain.client.request({ method: 'eth_getRawTransactionByHash', params: [hash] } as never)
  await chain.mine(CONFIRMATIONS)
  const following = watched('token')
  await follow(following)
  expect(told(order)).toHaveLength(1)
  const [cursor] = await receivers.sql<{ block: string; block_hash: string }>(
    `select block, block_hash from chain_cursors where asset <> 'coin'`,
  )
  const before = await chain.client.getBlock({ blockNumber: BigInt(cursor?.block ?? 0) - 1n })
  await chain.reorg(CONFIRMATIONS)
  // Another one goes before it in its new block, so that its event has another number there.
  await chain.payNothing(address)
  await chain.client.sendRawTransaction({ serializedTransaction: raw as never })
  await chain.mine(CONFIRMATIONS)
  const { logs } = await chain.client.getTransactionReceipt({ hash })
  expect(logs.map(({ logIndex }) => logIndex)).toEqual([1])
  for (const each of [following, watched('token')])
    expect(await each.look()).toEqual({
      kind: 'waits',
      reason: expect.stringContaining('was rewritten deeper') as string,
    })
  // What docs/crypto.md tells the operator to do.
  await receivers.sql(`update chain_cursors set block = $1, block_hash = $2 where asset <> 'coin'`, [
    before.number,
    before.hash,
  ])
  await follow(following)
  expect(told(order)).toHaveLength(1)
  expect(await receivers.statuses(order)).toEqual(['reported'])
  // The coin's cursor stands on the old chain as well.
  await receivers.sql(`update chain_cursors set block = $1, block_hash = $2 where asset = 'coin'`, [
    before.number,
    before.hash,
  ])
})

test('ten thousand addresses cost the node nothing: four calls for a block', async () => {
  const { chain, follow, told, sql } = receivers
  await sql(
    `insert into chain_addresses (reference, network, asset, address, fingerprint, key_index, expires_at, balance_block)
     select 'filler' || a.asset || i, $1, a.asset, '0x' || md5(a.asset || i) || '00000000', 'ffffffffffffffff', i + a.first,
            now() + interval '1 hour', case when a.asset = 'coin' then 0 end
       from generate_series(1, 5000) i, (values ('coin', 0), ($2, 5000)) a (asset, first)
         on conflict do nothing`,
    [`eip155:${chain.chainId}`, chain.token.toLowerCase()],
  )
  const { order, address, units } = await receivers.attempt('token')
  const [token, coin] = [watched('token'), watched('coin')]
  await follow(token)
  await follow(coin)
  await chain.pay('token', address, units)
  await chain.mine()
  const callsOf = async (look: () => Promise<unknown>) => {
    const from = node.calls.length
    await look()
    return node.calls.slice(from)
  }
  expect(await callsOf(token.look)).toEqual([
    'eth_chainId',
    'eth_getBlockByNumber',
    'eth_getBlockByNumber',
    'eth_getLogs',
  ])
  const counts = ['eth_getBalance', 'eth_getTransactionCount']
  const calls = await callsOf(coin.look)
  expect(calls.filter((method) => !counts.includes(method))).toEqual([
    'eth_chainId',
    'eth_getBlockByNumber',
    'eth_getBlockByNumber',
    'eth_getBlockByHash',
  ])
  // A few at a time are counted for what contracts pay.
  expect(calls.filter((method) => counts.includes(method)).length).toBeLessThanOrEqual(2 * 16)
  await sql(`update chain_addresses set balance_block = null where reference like 'filler%'`)
  await chain.mine(CONFIRMATIONS)
  await follow(token)
  expect(told(order)).toHaveLength(1)
})

test('a node that cannot count coins at a block is followed; that it cannot is said', async () => {
  const { chain, follow, told } = receivers
  const following = watched('coin')
  await follow(following)
  const { order, address, units } = await receivers.attempt('coin')
  await chain.payByContract(address, units)
  spoil('eth_getBalance', before({ error: { code: -32602, message: 'invalid params' } }))
  await chain.mine()
  expect(await following.look()).toMatchObject({
    kind: 'looked',
    blocks: 1,
    doubt: expect.stringContaining('invalid params') as string,
  })
  heal()
  await chain.mine(CONFIRMATIONS)
  await follow(following)
  expect(told(order).map((payment) => payment.units)).toEqual([units])
})

/** Every second call fails, or each takes its time. */
async function startFlakyNode(
  realUrl: string,
  delayMs?: number,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  let calls = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (delayMs === undefined && calls++ % 2 === 0) return void response.writeHead(502).end()
      const body = Buffer.concat(chunks)
      const answer = async () => {
        const reply = await fetch(realUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
        response.end(await reply.text())
      }
      setTimeout(() => void answer(), delayMs ?? 0)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
