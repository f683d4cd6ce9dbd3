// The sandbox provider in each of its scenarios, and its connector: the words it may use for them, and the suite that
// every connector passes.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCENARIOS } from '../../sandbox/scenarios.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { type ConformanceCase, conformance } from '../conformance/conformance.ts'
import { sandboxConnector } from '../../src/connectors/sandbox/sandbox.ts'
import type { SendOrder } from '../../src/domain/channel/outcome.ts'
import { openOutbound } from '../../src/platform/outbound.ts'
import { patient } from './patience.ts'
import { ask, newFolder, orderOf } from './provider.ts'

const TIMEOUT_MS = 400

const folder = newFolder()
const { outbound } = patient(openOutbound())
let sandbox: Awaited<ReturnType<typeof startSandbox>>
let nextOrder = 0

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, dataDir: folder })
})
afterAll(async () => {
  await outbound.close()
  await sandbox.close()
  rmSync(folder, { recursive: true })
})

const connectorAt = (baseUrl: string) => sandboxConnector({ outbound, baseUrl, timeoutMs: TIMEOUT_MS })

function newOrder(amountDecimal: string, wallet: string | null = null, currency = 'PHP'): SendOrder {
  nextOrder += 1
  return {
    reference: `gw_${randomUUID()}`,
    amountMinor: BigInt(amountDecimal.replace('.', '')),
    amountDecimal,
    currency,
    channelId: 'sandbox',
    recipient: { name: `Ana ${nextOrder}`, wallet },
    description: null,
    quote: null,
    refundOf: null,
    pays: null,
    notAfter: null,
  }
}

async function truthOf(reference: string) {
  const { status, body } = await ask(sandbox.url, 'GET', `/transfers/${reference}`)
  return status === 404 ? null : { status: body['status'], code: body['code'], executions: body['executions'] }
}

/** ending, name, first answer of the connector, inquiry after it, answer when sent again, the provider's truth at last */
const STORIES: [string, string, string, string, string, object][] = [
  ['00', 'completes', 'delivered', 'delivered', 'delivered', { status: 'completed', code: null, executions: 1 }],
  ['11', 'late', 'accepted', 'accepted', 'accepted', { status: 'accepted', code: null, executions: 0 }],
  ['21', 'account-closed', 'failed', 'failed', 'failed', { status: 'refused', code: 'account_closed', executions: 0 }],
  [
    '22',
    'invalid-account',
    'failed',
    'failed',
    'failed',
    { status: 'refused', code: 'invalid_account', executions: 0 },
  ],
  ['31', 'timeout-after', 'unknown', 'delivered', 'delivered', { status: 'completed', code: null, executions: 1 }],
  ['32', 'timeout-before', 'unknown', 'not_found', 'delivered', { status: 'completed', code: null, executions: 1 }],
  ['41', 'error-after', 'unknown', 'delivered', 'delivered', { status: 'completed', code: null, executions: 1 }],
  ['42', 'error-before', 'unknown', 'not_found', 'delivered', { status: 'completed', code: null, executions: 1 }],
  ['43', 'reset-after', 'unknown', 'delivered', 'delivered', { status: 'completed', code: null, executions: 1 }],
  ['51', 'bounce', 'delivered', 'delivered', 'delivered', { status: 'completed', code: null, executions: 1 }],
  ['52', 'stuck', 'accepted', 'accepted', 'accepted', { status: 'accepted', code: null, executions: 0 }],
  ['53', 'refused-later', 'accepted', 'accepted', 'accepted', { status: 'accepted', code: null, executions: 0 }],
]

describe('scenarios', () => {
  test('every scenario has a story', () => {
    expect(STORIES.map(([, name]) => name)).toEqual(SCENARIOS.map(({ name }) => name))
  })

  for (const [ending, name, sent, checked, again, truth] of STORIES) {
    const ways = { 'by amount': newOrder(`100.${ending}`), 'by account': newOrder('100.21', `sandbox-${name}`) }
    test.each(Object.entries(ways))(`${name} %s`, async (_, order) => {
      const connector = connectorAt(sandbox.url)
      expect(await connector.send(order)).toMatchObject({ kind: sent })
      expect(await connector.check(order.reference, order)).toMatchObject({ kind: checked })
      expect(await connector.send(order)).toMatchObject({ kind: again })
      expect(await truthOf(order.reference)).toEqual(truth)
    })
  }

  test.each([
    ['JPY', '1021', 'refused'],
    ['JPY', '2100', 'completed'],
    ['KWD', '1.021', 'refused'],
    ['KWD', '1.210', 'completed'],
    ['PHP', '0.21', 'refused'],
    ['PHP', '121.5', 'completed'],
    ['PHP', '121.77', 'completed'],
  ])('the ending is that of the minor units: %s %s', async (currency, amount, status) => {
    const { body } = await ask(sandbox.url, 'POST', '/transfers', orderOf(randomUUID(), amount, null, currency))
    expect(body['status']).toBe(status)
  })

  test('an account that names no scenario leaves the choice to the amount', async () => {
    const { body } = await ask(sandbox.url, 'POST', '/transfers', orderOf(randomUUID(), '1.21', 'sandbox-nonsense'))
    expect(body['code']).toBe('account_closed')
  })

  test('the list that is published, the table in the code and the page are one', async () => {
    const { body } = await ask(sandbox.url, 'GET', '/scenarios')
    const page = readFileSync('docs/sandbox.md', 'utf8')
    expect(body['scenarios']).toHaveLength(SCENARIOS.length)
    for (const { name, ending, summary } of SCENARIOS) {
      expect(body['scenarios']).toContainEqual({ name, wallet: `sandbox-${name}`, amount_ends_in: ending, summary })
      expect(page).toContain(`| ${ending === null ? 'any other' : `.${ending}`} | \`sandbox-${name}\` | ${summary} |`)
    }
  })
})

describe('what happens later', () => {
  test('late completions and bounces come with the clock, in the order they were due, and are listed once', async () => {
    const { body: before } = await ask(sandbox.url, 'GET', '/events?after=0')
    const [bounce, late, stuck] = [newOrder('7.51'), newOrder('7.11'), newOrder('7.52')]
    const connector = connectorAt(sandbox.url)
    for (const order of [bounce, late, stuck]) await connector.send(order)
    await ask(sandbox.url, 'POST', '/clock', { advance_seconds: 10 })

    expect(await truthOf(late.reference)).toEqual({ status: 'completed', code: null, executions: 1 })
    expect(await connector.check(late.reference, late)).toMatchObject({ kind: 'delivered' })
    const returned = { status: 'returned', code: 'account_closed_later', executions: 1 }
    expect(await truthOf(bounce.reference)).toEqual(returned)
    expect(await connector.check(bounce.reference, bounce)).toMatchObject({
      kind: 'returned',
      code: 'account_closed_later',
    })
    expect(await connector.send(bounce)).toMatchObject({ kind: 'returned' })
    expect(await truthOf(stuck.reference)).toEqual({ status: 'accepted', code: null, executions: 0 })

    const { body } = await ask(sandbox.url, 'GET', `/events?after=${String(before['next'])}`)
    const events = body['events'] as { number: number; reference: string; status: string; at: string }[]
    const ours = events.filter(({ reference }) => [bounce.reference, late.reference].includes(reference))
    expect(ours.map(({ status }) => status)).toEqual(['completed', 'returned'])
    expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => Number(before['next']) + 1 + index))
    expect((await ask(sandbox.url, 'GET', `/events?after=${String(body['next'])}`)).body['events']).toEqual([])

    const page = await connector.pollEvents(Number(before['next']))
    const told = page.items.filter(({ reference }) => [bounce.reference, late.reference].includes(reference))
    expect(told.map(({ outcome }) => outcome.kind)).toEqual(['delivered', 'returned'])
    expect(await connector.pollEvents(page.position)).toEqual({ items: [], position: page.position })

    await ask(sandbox.url, 'POST', '/clock', { advance_seconds: 86_400 })
    expect(await truthOf(stuck.reference)).toEqual({ status: 'completed', code: null, executions: 1 })
  })

  test('a late completion needs no help', async () => {
    const order = newOrder('8.11')
    await connectorAt(sandbox.url).send(order)
    await expect.poll(() => truthOf(order.reference), { timeout: 30_000 }).toMatchObject({ status: 'completed' })
  })

  test('what is accepted can be recalled until it completed, and then never moves', async () => {
    const connector = connectorAt(sandbox.url)
    const [recalled, late] = [newOrder('9.52'), newOrder('9.11')]
    for (const order of [recalled, late]) await connector.send(order)
    expect(await connector.recall(recalled.reference)).toBe('recalled')
    expect(await connector.recall(recalled.reference)).toBe('recalled')
    await ask(sandbox.url, 'POST', '/clock', { advance_seconds: 90_000 })
    expect(await truthOf(recalled.reference)).toEqual({ status: 'recalled', code: 'recalled', executions: 0 })
    expect(await connector.check(recalled.reference, recalled)).toMatchObject({ kind: 'failed', code: 'recalled' })
    expect(await connector.recall(late.reference)).toBe('refused')
    // The order may still be under way to the provider: that it is not there yet refuses nothing.
    expect(await connector.recall('never-sent')).toBe('unknown')
  })
})

describe('at most once', () => {
  test('a hundred copies at the same moment move the money once, and are answered alike', async () => {
    const order = orderOf(randomUUID())
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(sandbox.url, 'POST', '/transfers', order)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await truthOf(order.reference)).toMatchObject({ executions: 1 })
  })

  test.each([
    ['amount', { amount: '100.01' }],
    ['currency', { currency: 'USD' }],
    ['recipient', { recipient: { name: 'Ben', wallet: null } }],
  ])('a reference with another %s is refused and moves nothing', async (_, change) => {
    const order = orderOf(randomUUID())
    await ask(sandbox.url, 'POST', '/transfers', order)
    const { status, body } = await ask(sandbox.url, 'POST', '/transfers', { ...order, ...change })
    expect([status, body['code']]).toEqual([409, 'reference_mismatch'])
    expect(await truthOf(order.reference)).toMatchObject({ executions: 1 })
  })

  test('the books list every reference and what moved in each currency', async () => {
    const [one, two] = [orderOf(randomUUID(), '1.000', null, 'BHD'), orderOf(randomUUID(), '2.551', null, 'BHD')]
    for (const order of [one, two]) await ask(sandbox.url, 'POST', '/transfers', order)
    await ask(sandbox.url, 'POST', '/clock', { advance_seconds: 6 })
    const { body } = await ask(sandbox.url, 'GET', '/books')
    expect(body['totals']).toMatchObject({ BHD: { executions: 2, executed_minor: '3551', returned_minor: '2551' } })
    const listed = body['transfers'] as { reference: string; executions: number }[]
    expect(listed.find(({ reference }) => reference === two.reference)).toMatchObject({ executions: 1 })
  })
})

const GOOD = orderOf('bad-order')

test.each([
  ['no JSON', 'nonsense'],
  ['no reference', { ...GOOD, reference: '' }],
  ['a reference with a blank', { ...GOOD, reference: 'a b' }],
  ['a number for money', { ...GOOD, amount: 100 }],
  ['nothing', { ...GOOD, amount: '0.00' }],
  ['a debt', { ...GOOD, amount: '-1.00' }],
  ['too many decimals', { ...GOOD, amount: '1.001' }],
  ['decimals where there are none', { ...GOOD, amount: '1.0', currency: 'JPY' }],
  ['a currency in small letters', { ...GOOD, currency: 'php' }],
  ['a recipient that is a list', { ...GOOD, recipient: ['Ana'] }],
])('an order with %s is refused before anything is written', async (_, body) => {
  const { status, body: problem } = await ask(sandbox.url, 'POST', '/transfers', body)
  expect([status, problem['code']]).toEqual([400, 'invalid_request'])
  expect(await truthOf('bad-order')).toBeNull()
})

test.each([
  ['POST', '/transfers', { ...GOOD, description: 'x'.repeat(70_000) }, 413],
  ['POST', '/clock', { advance_seconds: -1 }, 400],
  ['POST', '/clock', { advance_seconds: 'soon' }, 400],
  ['GET', '/events?after=soon', undefined, 400],
  ['GET', '/transfers/%ff', undefined, 404],
  ['GET', '/nowhere', undefined, 404],
  ['GET', '/healthz', undefined, 200],
] as const)('%s %s', async (method, path, body, status) => {
  expect((await ask(sandbox.url, method, path, body)).status).toBe(status)
})

describe('the connector believes nothing', () => {
  const order = newOrder('100.00')
  const truth = { id: 'x', reference: order.reference, amount: '100.00', currency: 'PHP', status: 'completed' }
  const answered = async (status: number, body: unknown) => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(status).end(JSON.stringify(body)))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    const connector = connectorAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const [sent, checked] = [await connector.send(order), await connector.check(order.reference, order)]
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    return [sent.kind, checked.kind]
  }

  test.each([
    ['the truth', 200, truth, 'delivered'],
    ['another reference', 200, { ...truth, reference: 'other' }, 'unknown'],
    ['another amount', 200, { ...truth, amount: '100.01' }, 'unknown'],
    ['an amount that is a number', 200, { ...truth, amount: 100 }, 'unknown'],
    ['another currency', 200, { ...truth, currency: 'USD' }, 'unknown'],
    ['a new status', 200, { ...truth, status: 'done' }, 'unknown'],
    ['a known refusal', 200, { ...truth, status: 'refused', code: 'account_closed', message: 'no' }, 'failed'],
    ['a refusal nobody has read about', 200, { ...truth, status: 'refused', code: 'new_code' }, 'unknown'],
    ['a refusal without a code', 200, { ...truth, status: 'refused' }, 'unknown'],
    ['a refusal of the request', 400, { ...truth, status: 'refused', code: 'account_closed' }, 'unknown'],
    ['a truth with a status of doubt', 500, truth, 'unknown'],
  ])('%s', async (_, status, body, kind) => {
    expect(await answered(status, body)).toEqual([kind, kind])
  })
})

const AMOUNTS: Record<ConformanceCase, string> = {
  delivered: '100.00',
  accepted: '100.52',
  refused: '100.21',
  timeout_after: '100.31',
  timeout_before: '100.32',
  error_after: '100.41',
  reset_after: '100.43',
}

describe('conformance', () => {
  const checks = conformance(async () => ({
    connector: connectorAt(sandbox.url),
    order: (situation) => newOrder(AMOUNTS[situation]),
    async executionsOf(reference) {
      const truth = await truthOf(reference)
      return truth && Number(truth.executions)
    },
    pointedAt: connectorAt,
    close: async () => {},
  }))
  // Each check throws when the connector does not hold it.
  test.each(checks.map((check) => [check.name, check] as const))('%s', async (_, check) => {
    await expect(check.run()).resolves.toBeUndefined()
  })
})
