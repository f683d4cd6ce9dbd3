// A node is a stranger: it hangs, resets, answers garbage or lies, and no word of it but a plain one counts. Before the
// claim that is not_sent, after it unknown, and never failed; the money moves once whatever was said.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Connector } from '../../../src/connectors/connector.ts'
import { type ConformanceBench, type ConformanceCase, conformance } from '../../conformance/conformance.ts'
import type { Outcome, SendOrder } from '../../../src/domain/channel/outcome.ts'
import { type Fault, type FaultyNode, startFaultyNode } from '../../rig/faulty-node.ts'
import { openPayers, type Order, type Payer, type Payers } from './crypto-payers.ts'

// So long that no machine is too busy to stay within it; where a node hangs, the deadline grows from a short one.
const PATIENT_MS = 60_000
const SHORT_MS = [400, 2_000, 10_000, 50_000] as const

let payers: Payers
let node: FaultyNode
const spoilt = new Set<string>()
beforeAll(async () => {
  payers = await openPayers()
  node = await startFaultyNode(payers.chain.url)
})
afterAll(async () => {
  await node.close()
  await payers.close()
})
afterEach(() => heal())

const newPayer = () => payers.newPayer({ url: node.url, timeoutMs: PATIENT_MS })
const patienceFor = ({ how }: Fault) => (how === 'hangs' ? SHORT_MS[0] : PATIENT_MS)

/** Nothing of the order is in the book, so that no byte of it can ever have gone to a node, nor will. */
const isUnclaimed = async ({ reference }: SendOrder) => (await payers.book.find(reference)).send === null

/**
 * Sends with a deadline that comes after the claim, however busy the machine is. One that came before it says not_sent, and
 * that must be true: a second payment would follow from a wrong one.
 */
async function sentPastTheClaim({ beside }: Payer, order: Order): Promise<Outcome> {
  for (const timeoutMs of SHORT_MS) {
    const outcome = await beside({ timeoutMs }).send(order)
    if (outcome.kind !== 'not_sent') return outcome
    expect(await isUnclaimed(order)).toBe(true)
  }
  throw new Error('the claim was never reached')
}

function spoil(method: string, fault: Fault): void {
  spoilt.add(method)
  node.spoil(method, fault)
}

function heal(): void {
  for (const method of spoilt) node.spoil(method, null)
  spoilt.clear()
}

const READ_BEFORE_CLAIM = [
  'eth_chainId',
  'eth_getBlockByNumber',
  'eth_getTransactionCount',
  'eth_getBalance',
  'eth_call',
  'eth_maxPriorityFeePerGas',
  'eth_estimateGas',
]
const READ_BY_CHECK = [
  'eth_chainId',
  'eth_getBlockByNumber',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_getTransactionByHash',
]

const before = (how: Fault['how']): Fault => ({ when: 'before', how })
const FAULTS: [string, Fault][] = [
  ['hangs', before('hangs')],
  ['resets', before('resets')],
  ['answers 502', before('fails')],
  ['answers nothing', before({ body: '' })],
  ['answers a page', before({ body: '<html>welcome</html>' })],
  ['answers another call', before({ body: '{"jsonrpc":"2.0","id":9999,"result":"0x1"}' })],
  ['answers without a result', before({ body: '{"jsonrpc":"2.0","id":1}' })],
  ['refuses', before({ error: { code: -32000, message: 'execution reverted' } })],
  ['refuses in no known form', before({ error: { code: '3', message: 'execution reverted' } as never })],
  ['answers words', before({ result: 'latest' })],
  ['answers a number', before({ result: 12 })],
  ['answers more than 256 bits', before({ result: `0x1${'0'.repeat(64)}` })],
  ['answers an empty thing', before({ result: {} })],
]

describe('before the claim', () => {
  test.each(FAULTS)('a node that %s is sent nothing, whichever call it is', async (_, fault) => {
    const { address, connector, beside } = await newPayer()
    const spoilt = beside({ timeoutMs: patienceFor(fault) })
    for (const method of READ_BEFORE_CLAIM) {
      spoil(method, fault)
      const order = payers.order()
      expect(await spoilt.send(order), method).toMatchObject({ kind: 'not_sent' })
      expect(await isUnclaimed(order)).toBe(true)
      expect(await spoilt.check(order.reference, order), method).toEqual({ kind: 'not_found' })
      heal()
    }
    const order = payers.order()
    expect(await connector.send(order)).toMatchObject({ kind: 'accepted' })
    expect((await payers.book.find(order.reference)).send).toMatchObject({ nonce: 0, sender: address })
  })

  test('whenever the deadline comes: not_sent and not_found are true, and nothing else is said of what was claimed', async () => {
    const payer = await newPayer()
    const met = new Set<string>()
    for (const timeoutMs of [1, 2, 3, 5, 8, 12, 16, 20, 25, 30, 40, 50, 75, 100, 200, 400, PATIENT_MS]) {
      const order = payers.order()
      const { kind } = await payer.beside({ timeoutMs }).send(order)
      met.add(kind)
      expect(await isUnclaimed(order), `${kind} within ${timeoutMs} ms`).toBe(kind === 'not_sent')
      const checked = await payer.beside({ timeoutMs }).check(order.reference, order)
      expect(checked.kind === 'not_found', `${checked.kind} within ${timeoutMs} ms`).toBe(await isUnclaimed(order))
      expect(['accepted', 'unknown', 'not_found']).toContain(checked.kind)
    }
    expect([...met]).toEqual(expect.arrayContaining(['not_sent', 'accepted']))
    await payers.finalise()
  })

  test('a node of another chain is sent nothing', async () => {
    const { connector } = await newPayer()
    spoil('eth_chainId', before({ result: '0x1' }))
    expect(await connector.send(payers.order())).toEqual({
      kind: 'not_sent',
      reason: `the node serves chain 1, not ${payers.chain.chainId}`,
    })
  })

  test.each([
    ['fees beyond reason', 'eth_maxPriorityFeePerGas', '0xde0b6b3a7640000'],
    ['gas beyond reason', 'eth_estimateGas', '0xffffffff'],
  ])('%s are not signed for', async (_, method, result) => {
    const { connector } = await newPayer()
    spoil(method, before({ result }))
    expect(await connector.send(payers.order())).toMatchObject({ kind: 'not_sent' })
    expect(node.calls.slice(-8)).not.toContain('eth_sendRawTransaction')
  })

  test('the reason never holds the address of the node, which may hold a secret', async () => {
    const { beside } = await newPayer()
    const outcome = await beside({ url: 'http://127.0.0.1:9/v3/secret' }).send(payers.order())
    expect(outcome).toMatchObject({ kind: 'not_sent', reason: expect.not.stringMatching(/secret|127/) as string })
  })
})

describe('after the claim', () => {
  const BROADCASTS: [string, Fault][] = [
    ...FAULTS.map(([name, fault]): [string, Fault] => [name, fault]),
    ...FAULTS.filter(([name]) => name !== 'refuses').map(([name, fault]): [string, Fault] => [
      `${name} after it took the transaction`,
      { ...fault, when: 'after' },
    ]),
    ['names another transaction', { when: 'after', how: { result: `0x${'ab'.repeat(32)}` } }],
  ]

  test.each(BROADCASTS)('a node that %s: unknown, then the truth; paid once', async (_, fault) => {
    const payer = await newPayer()
    const { address, connector } = payer
    const order = payers.order()
    spoil('eth_sendRawTransaction', fault)
    const sent = fault.how === 'hangs' ? await sentPastTheClaim(payer, order) : await connector.send(order)
    expect(sent).toMatchObject({ kind: 'unknown' })
    heal()
    expect(await connector.send(order)).toMatchObject({ kind: 'accepted' })
    await payers.finalise()
    expect(await connector.check(order.reference, order)).toMatchObject({ kind: 'delivered' })
    expect(await payers.received(order)).toBe(order.units)
    expect(await payers.chain.nonce(address)).toBe(1)
  })

  test.each([
    ['already known', -32000],
    ['nonce too low', -32000],
    ['OldNonce, Current state nonce: 1', -32010],
    ['a sentence that nobody has read', 3],
  ])('"%s" of a node that has the transaction is accepted', async (message, code) => {
    const { connector } = await newPayer()
    const order = payers.order()
    spoil('eth_sendRawTransaction', { when: 'after', how: { error: { code, message } } })
    expect(await connector.send(order)).toMatchObject({ kind: 'accepted' })
    await payers.finalise()
    expect(await connector.send(order)).toMatchObject({ kind: 'delivered' })
    expect(await payers.received(order)).toBe(order.units)
  })

  test.each(FAULTS)('an inquiry at a node that %s is unknown, and ends nothing', async (_, fault) => {
    const { connector, beside } = await newPayer()
    const spoilt = beside({ timeoutMs: patienceFor(fault) })
    const order = payers.order()
    await connector.send(order)
    for (const method of READ_BY_CHECK) {
      spoil(method, fault)
      expect(await spoilt.check(order.reference, order), method).toMatchObject({ kind: 'unknown' })
      heal()
    }
    await payers.finalise()
    for (const method of READ_BY_CHECK.slice(0, 4)) {
      spoil(method, fault)
      expect(await spoilt.check(order.reference, order), method).toMatchObject({ kind: 'unknown' })
      heal()
    }
    expect((await payers.book.find(order.reference)).send).toMatchObject({ status: 'open' })
    expect(await connector.check(order.reference, order)).toMatchObject({ kind: 'delivered' })
  })

  test('a node that is not there says nothing about an order in the book', async () => {
    const { connector, beside } = await newPayer()
    const order = payers.order()
    await connector.send(order)
    const blind = beside({ url: 'http://127.0.0.1:9' })
    expect(await blind.check(order.reference, order)).toMatchObject({ kind: 'unknown' })
    expect(await blind.send(order)).toMatchObject({ kind: 'unknown' })
    await payers.finalise()
  })
})

describe('a receipt that is not plainly ours ends nothing', () => {
  const LIES: [string, (receipt: Record<string, unknown>) => unknown, string][] = [
    ['of another transaction', (receipt) => ({ ...receipt, transactionHash: `0x${'ab'.repeat(32)}` }), 'unknown'],
    [
      'of a block that is not on the chain',
      (receipt) => ({ ...receipt, blockHash: `0x${'cd'.repeat(32)}` }),
      'unknown',
    ],
    ['of a block that is not there yet', (receipt) => ({ ...receipt, blockNumber: '0xffffff' }), 'unknown'],
    [
      'that failed on another chain',
      (receipt) => ({ ...receipt, status: '0x0', blockHash: `0x${'cd'.repeat(32)}` }),
      'unknown',
    ],
    ['with a new status', (receipt) => ({ ...receipt, status: '0x2' }), 'unknown'],
    ['without a status', ({ status: _, ...receipt }) => receipt, 'unknown'],
    ['without logs', ({ logs: _, ...receipt }) => receipt, 'unknown'],
    ['with no log of ours', (receipt) => ({ ...receipt, logs: [] }), 'unknown'],
    ['with a log that is none', (receipt) => ({ ...receipt, logs: [null] }), 'unknown'],
    ['as it is', (receipt) => receipt, 'delivered'],
  ]
  const LOGS: [string, Record<string, unknown>][] = [
    ['of another token', { address: `0x${'12'.repeat(20)}` }],
    ['of another amount', { data: `0x${'0'.repeat(63)}1` }],
    ['of another event', { topics: [`0x${'ab'.repeat(32)}`] }],
  ]
  const lies: typeof LIES = [
    ...LIES,
    ...LOGS.map(([name, change]): (typeof LIES)[number] => [
      `with a log ${name}`,
      (receipt) => ({ ...receipt, logs: (receipt['logs'] as object[]).map((log) => ({ ...log, ...change })) }),
      'unknown',
    ]),
  ]

  test.each(lies)('%s', async (_, lie, kind) => {
    const { connector } = await newPayer()
    const order = payers.order()
    const sent = await connector.send(order)
    await payers.finalise()
    const params = ['providerId' in sent ? sent.providerId : '']
    const receipt = await payers.chain.client.request({ method: 'eth_getTransactionReceipt', params } as never)
    spoil('eth_getTransactionReceipt', before({ result: lie(receipt as unknown as Record<string, unknown>) }))
    expect(await connector.check(order.reference, order)).toMatchObject({ kind })
    heal()
    expect(await connector.check(order.reference, order)).toMatchObject({ kind: 'delivered' })
  })

  test('a node that is behind only says less', async () => {
    const { connector } = await newPayer()
    const order = payers.order()
    await connector.send(order)
    const old = await payers.chain.client.request({
      method: 'eth_getBlockByNumber',
      params: ['latest', false],
    } as never)
    await payers.finalise()
    spoil('eth_getBlockByNumber', before({ result: old }))
    expect(['accepted', 'unknown']).toContain((await connector.check(order.reference, order)).kind)
    heal()
    expect(await connector.check(order.reference, order)).toMatchObject({ kind: 'delivered' })
  })
})

/** A chain knows no references and is asked before it is told, so these mean something else here; see above. */
const OTHERWISE = [
  'a timeout before anything happened is unknown; sent again, the money moves once',
  'a rail that refuses connections was sent nothing; an inquiry there is unknown',
  'the reference is in the request itself',
  'an answer that is no plain answer is unknown, and is not asked again',
  'a connection that dies before any answer is unknown',
]

describe('conformance', () => {
  const checks = conformance(openBench)
  const [ours, otherwise] = [true, false].map((is) => checks.filter(({ name }) => OTHERWISE.includes(name) !== is))
  test('what means something else here is named', () => {
    expect(otherwise?.map(({ name }) => name)).toEqual(OTHERWISE)
  })
  // Each check throws when the connector does not hold it.
  test.each((ours ?? []).map((check) => [check.name, check] as const))('%s', async (_, check) => {
    await expect(check.run()).resolves.toBeUndefined()
  })
})

/** Blocks come by themselves on a chain; here the bench lets them pass after each call, but for orders that must wait. */
async function openBench(): Promise<ConformanceBench> {
  const payer = await newPayer()
  const orders = new Map<string, { order: Order; situation: ConformanceCase }>()
  const faults: Partial<Record<ConformanceCase, Fault>> = {
    timeout_after: { when: 'after', how: 'hangs' },
    error_after: { when: 'after', how: 'fails' },
    reset_after: { when: 'after', how: 'resets' },
  }
  const refusing = payers.order()
  await payers.chain.setManner(refusing.to, 'reverting')
  return {
    connector: withBlocks(payer, (reference) => orders.get(reference)?.situation ?? 'delivered', faults),
    order: (situation) => {
      const order = situation === 'refused' ? { ...payers.order({ to: refusing.to }) } : payers.order()
      orders.set(order.reference, { order, situation })
      return order
    },
    executionsOf: async (reference) => {
      const known = orders.get(reference)
      if (!known || (await payers.book.find(reference)).send === null) return null
      return Number((await payers.received(known.order)) / known.order.units)
    },
    pointedAt: (url) => payer.beside({ url }),
    close: async () => heal(),
  }
}

function withBlocks(
  payer: Payer,
  situationOf: (reference: string) => ConformanceCase,
  faults: Partial<Record<ConformanceCase, Fault>>,
): Connector {
  const { connector } = payer
  const final = async (order: SendOrder, outcome: Outcome): Promise<Outcome> => {
    if (outcome.kind !== 'accepted' || situationOf(order.reference) === 'accepted') return outcome
    await payers.finalise()
    return (await connector.check(order.reference, order)) as Outcome
  }
  return {
    describe: connector.describe,
    send: async (order) => {
      const fault = faults[situationOf(order.reference)]
      if (fault) spoil('eth_sendRawTransaction', fault)
      const outcome = await (fault?.how === 'hangs' ? sentPastTheClaim(payer, order as Order) : connector.send(order))
      heal()
      return final(order, outcome)
    },
    check: async (reference, order) => {
      const outcome = await connector.check(reference, order)
      return outcome.kind === 'not_found' ? outcome : final(order, outcome)
    },
  }
}
