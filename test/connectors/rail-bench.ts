// A rail of the sandbox provider, played by a real process of its own, as the connectors of outside rails are tried on it:
// its books, its clock and its scenarios, and a stranger in its place.
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { dirname } from 'node:path'
import { expect } from 'vitest'
import type { Connector } from '../../src/connectors/connector.ts'
import type { ConformanceCase, RailBench, RailPlay } from '../conformance/conformance.ts'
import { overheard } from '../conformance/untrusted-rail.ts'
import type { SendOrder } from '../../src/domain/channel/outcome.ts'
import { openOutbound, type Outbound } from '../../src/platform/outbound.ts'
import { patient } from './patience.ts'
import { ask, compileProvider, newFolder, spawnProvider, TOKEN } from './provider.ts'

// Waited for in full by the scenarios that hang, and by nothing else: patience.ts.
export const TIMEOUT_MS = 1_000

const AMOUNTS: Record<ConformanceCase, string> = {
  delivered: '100.00',
  accepted: '100.52',
  refused: '100.21',
  timeout_after: '100.31',
  timeout_before: '100.32',
  error_after: '100.41',
  reset_after: '100.43',
}

type RailKind<T extends Connector> = {
  readonly name: 'instapay' | 'pesonet' | 'gcash' | 'maya'
  readonly connectorAt: (outbound: Outbound, baseUrl: string) => T
  readonly recipient: SendOrder['recipient']
  /** The smallest and the largest amount, at least. */
  readonly limits: readonly string[]
  readonly firstWord?: 'accepted'
}

export type Rail<T extends Connector> = {
  readonly url: string
  readonly outbound: Outbound
  readonly connector: T
  at(baseUrl: string): T
  order(amountDecimal: string, change?: Partial<SendOrder>): SendOrder
  /** What the provider has in its books under a reference; null when it never came there. */
  truth(reference: string): Promise<Record<string, unknown> | null>
  /** Posts a scenario of this rail; the function ends it. */
  script(scenario: object): Promise<() => Promise<void>>
  advance(seconds: number): Promise<void>
  bench(): Promise<RailBench>
  close(): Promise<void>
}

export async function openRail<T extends Connector>(kind: RailKind<T>): Promise<Rail<T>> {
  const program = compileProvider()
  const books = newFolder()
  const provider = await spawnProvider(program, books)
  const { outbound, posted } = patient(openOutbound())
  const { url } = provider
  const at = (baseUrl: string) => kind.connectorAt(outbound, baseUrl)
  const order = (amountDecimal: string, change: Partial<SendOrder> = {}) => newOrder(kind, amountDecimal, change)
  const truth = async (reference: string) => {
    const { status, body } = await ask(url, 'GET', `/${kind.name}/books/${reference}`)
    return status === 404 ? null : body
  }
  const script = async (scenario: object) => {
    const { status, body } = await ask(url, 'POST', '/scenarios', { rail: kind.name, ...scenario })
    expect([status, body]).toEqual([200, { id: expect.any(String) }])
    const over = posted(scenario)
    return async () => {
      over()
      await fetch(`${url}/scenarios/${String(body['id'])}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${TOKEN}` },
      })
    }
  }
  const connector = at(url)
  return {
    url,
    outbound,
    connector,
    at,
    order,
    truth,
    script,
    advance: async (seconds) => void (await ask(url, 'POST', '/clock', { advance_seconds: seconds })),
    bench: async () => ({
      connector,
      pointedAt: at,
      ...(kind.firstWord ? { firstWord: kind.firstWord } : {}),
      order: (situation) => order(AMOUNTS[situation]),
      executionsOf: async (reference) => executionsIn(await truth(reference)),
      amountOf: async (reference) => ((await truth(reference))?.['amount'] as string | undefined) ?? null,
      play: (reference, play: RailPlay) => script({ match: { reference }, ...play }),
      limits: kind.limits.map((amount) => order(amount)),
      close: async () => {},
    }),
    async close() {
      await outbound.close()
      await provider.end('SIGTERM')
      for (const folder of [dirname(program), books]) rmSync(folder, { recursive: true })
    },
  }
}

function newOrder<T extends Connector>(
  { name, recipient }: RailKind<T>,
  amountDecimal: string,
  change: Partial<SendOrder>,
): SendOrder {
  return {
    // As the gateway makes them: 35 characters, all that the standard leaves for one.
    reference: `${randomUUID().replaceAll('-', '')}001`,
    amountMinor: BigInt(amountDecimal.replace('.', '')),
    amountDecimal,
    currency: 'PHP',
    channelId: name,
    recipient,
    description: 'Rice <5 kg> & fish',
    quote: null,
    refundOf: null,
    pays: null,
    notAfter: null,
    ...change,
  }
}

function executionsIn(truth: Record<string, unknown> | null): number | null {
  return truth && Number(truth['executions'])
}

/** The one request that a channel made, head and body, where nobody answers it well. */
export async function requestOf<T extends Connector>(rail: Rail<T>, use: (connector: T) => Promise<unknown>) {
  const [request, ...others] = await overheard(rail.at, (connector) => use(connector as T))
  expect(others).toEqual([])
  return request ?? ''
}

export type Said = { readonly status: number; readonly type: string; readonly body: string }

/** What a channel makes of one and the same answer to all it asks. */
export async function heardBy<T extends Connector, R>(rail: Rail<T>, said: Said, use: (connector: T) => Promise<R>) {
  let result: R | undefined
  const answer = (response: ServerResponse) =>
    response.writeHead(said.status, said.type === '' ? {} : { 'content-type': said.type }).end(said.body)
  await overheard(
    rail.at,
    async (connector) => {
      result = await use(connector as T)
    },
    (_, response) => void answer(response),
  )
  return result
}

/** What it makes of it when it sends an order, and when it asks about it. */
export async function heard<T extends Connector>(rail: Rail<T>, order: SendOrder, said: Said) {
  const outcomes = await heardBy(rail, said, async (connector) => [
    await connector.send(order),
    await connector.check(order.reference, order),
  ])
  return outcomes?.map(({ kind }) => kind)
}

/** The day in Manila, as statements name it. */
export function manilaDay(atMs = Date.now()): string {
  return new Date(atMs + 8 * 3_600_000).toISOString().slice(0, 10)
}
