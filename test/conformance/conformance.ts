// The suite that every connector to an outside rail must pass, as plain named checks that throw: a test runner of any
// kind can run them. It must not know any single connector; a bench brings the connector and its rail.
import type { Absence, Outcome, SendOrder } from '../../src/domain/channel/outcome.ts'
import { type Connector, recalls } from '../../src/connectors/connector.ts'
import { closedAddress, DOUBTFUL_ANSWERS, overheard } from './untrusted-rail.ts'

/** What a rail must be able to play; a connector's bench makes an order for each. */
export type ConformanceCase =
  | 'delivered'
  | 'accepted'
  | 'refused'
  | 'timeout_after'
  | 'timeout_before'
  | 'error_after'
  | 'reset_after'

/** A connector with its real rail, and the rail's own books to compare with. */
export type ConformanceBench = {
  readonly connector: Connector
  /** What the rail says at once to a good order, where it is not `delivered` yet: a batch rail settles later. */
  readonly firstWord?: 'accepted'
  /** A new order, never sent before, that drives the rail into the case. */
  order(situation: ConformanceCase): SendOrder
  /** How often the rail moved the money of a reference by its own books; null when it never saw the reference. */
  executionsOf(reference: string): Promise<number | null>
  /** The same connector, pointed at another address. */
  pointedAt(baseUrl: string): Connector
  close(): Promise<void>
}

/** How a rail can be told to answer about one reference: broken off in the middle, or wrongly to inquiries. */
export type RailPlay = { readonly wire: 'garbage' } | { readonly inquiry: 'not_found' | 'error' | 'hang' }

/** A connector to a provider over HTTP that can be told what to play. */
export type RailBench = ConformanceBench & {
  /** Until the returned function is called. */
  play(reference: string, play: RailPlay): Promise<() => Promise<void>>
  /** Good orders, new ones, over the smallest and the largest amount that the rail takes. */
  readonly limits: readonly SendOrder[]
  /** The amount of a reference as the rail has it in its books, in major units with all decimals. */
  amountOf(reference: string): Promise<string | null>
}

export type ConformanceCheck = { readonly name: string; run(): Promise<void> }

/** The checks, each on a bench of its own. */
export function conformance(open: () => Promise<ConformanceBench>): ConformanceCheck[] {
  return checksOn(CHECKS, open)
}

/** The same and those of a provider's whims. */
export function railConformance(open: () => Promise<RailBench>): ConformanceCheck[] {
  return [...conformance(open), ...checksOn(RAIL_CHECKS, open)]
}

type Checks<Bench> = Readonly<Record<string, (bench: Bench) => Promise<void>>>

function checksOn<Bench extends ConformanceBench>(
  checks: Checks<Bench>,
  open: () => Promise<Bench>,
): ConformanceCheck[] {
  return Object.entries(checks).map(([name, check]) => ({
    name,
    async run() {
      const bench = await open()
      try {
        await check(bench)
      } finally {
        await bench.close()
      }
    },
  }))
}

const CHECKS: Checks<ConformanceBench> = {
  'an order is delivered, and the rail saw its reference': async (bench) => {
    const order = bench.order('delivered')
    expectKind(await bench.connector.send(order), firstWord(bench))
    expectKind(await bench.connector.check(order.reference, order), 'delivered')
    await expectExecutions(bench, order, 1)
  },
  'an order that was sent again moves the money once': async (bench) => {
    const order = bench.order('delivered')
    await Promise.all([bench.connector.send(order), bench.connector.send(order)])
    expectKind(await bench.connector.send(order), 'delivered')
    await expectExecutions(bench, order, 1)
  },
  'another amount under a known reference is unknown, and moves nothing': async (bench) => {
    const order = bench.order('delivered')
    await bench.connector.send(order)
    const other = { ...order, amountMinor: order.amountMinor * 2n, amountDecimal: doubled(order.amountDecimal) }
    expectKind(await bench.connector.send(other), 'unknown')
    expectKind(await bench.connector.check(order.reference, other), 'unknown')
    await expectExecutions(bench, order, 1)
  },
  'a definite refusal is failed, for the sender and for an inquiry': async (bench) => {
    const order = bench.order('refused')
    expectKind(await bench.connector.send(order), 'failed')
    expectKind(await bench.connector.check(order.reference, order), 'failed')
    await expectExecutions(bench, order, 0)
  },
  'an accepted order is accepted, and an inquiry says so': async (bench) => {
    const order = bench.order('accepted')
    expectKind(await bench.connector.send(order), 'accepted')
    expectKind(await bench.connector.check(order.reference, order), 'accepted')
  },
  'a timeout after the money moved is unknown; the inquiry finds it': (bench) => doubtThenTruth(bench, 'timeout_after'),
  'an error after the money moved is unknown; the inquiry finds it': (bench) => doubtThenTruth(bench, 'error_after'),
  'a reset after the money moved is unknown; the inquiry finds it': (bench) => doubtThenTruth(bench, 'reset_after'),
  'a timeout before anything happened is unknown; sent again, the money moves once': async (bench) => {
    const order = bench.order('timeout_before')
    expectKind(await bench.connector.send(order), 'unknown')
    expectKind(await bench.connector.check(order.reference, order), 'not_found')
    expectKind(await bench.connector.send(order), firstWord(bench))
    await expectExecutions(bench, order, 1)
  },
  'a rail that refuses connections was sent nothing; an inquiry there is unknown': async (bench) => {
    const connector = bench.pointedAt(await closedAddress())
    const order = bench.order('delivered')
    expectKind(await connector.send(order), 'not_sent')
    expectKind(await connector.check(order.reference, order), 'unknown')
    if (recalls(connector)) expectEqual(await connector.recall(order.reference), 'unknown', 'recall')
  },
  'an inquiry about a reference that never was finds nothing': async (bench) => {
    const order = bench.order('delivered')
    expectKind(await bench.connector.check(order.reference, order), 'not_found')
    expectEqual(await bench.executionsOf(order.reference), null, 'executions in the books of the rail')
  },
  'the reference is in the request itself': async (bench) => {
    const order = bench.order('delivered')
    const requests = await overheard(bench.pointedAt, (connector) => connector.send(order))
    expect(requests.length === 1, `one request was expected, ${requests.length} came`)
    expect(requests[0]?.includes(order.reference) === true, 'the request does not name the reference')
  },
  'an answer that is no plain answer is unknown, and is not asked again': async (bench) => {
    for (const [status, body] of DOUBTFUL_ANSWERS) {
      const order = bench.order('delivered')
      const requests = await overheard(
        bench.pointedAt,
        async (connector) => {
          expectKind(await connector.send(order), 'unknown')
          expectKind(await connector.check(order.reference, order), 'unknown')
          if (recalls(connector)) expectEqual(await connector.recall(order.reference), 'unknown', 'recall')
        },
        (_, response) => response.writeHead(status, { location: '/elsewhere' }).end(body),
      )
      const calls = recalls(bench.connector) ? 3 : 2
      expect(requests.length === calls, `${requests.length} requests for ${calls} calls, at status ${status}`)
    }
  },
  'a connection that dies before any answer is unknown': async (bench) => {
    const order = bench.order('delivered')
    await overheard(
      bench.pointedAt,
      async (connector) => expectKind(await connector.send(order), 'unknown'),
      (request) => request.socket.destroy(),
    )
  },
  'a recalled order has failed, and its money never moves': async (bench) => {
    const { connector } = bench
    expectEqual(recalls(connector), connector.describe().recall, 'describe().recall')
    if (!recalls(connector)) return
    const order = bench.order('accepted')
    await connector.send(order)
    expectEqual(await connector.recall(order.reference), 'recalled', 'recall')
    expectKind(await connector.check(order.reference, order), 'failed')
    expectKind(await connector.send(order), 'failed')
    await expectExecutions(bench, order, 0)
  },
  'a delivered order is not recalled': async (bench) => {
    const { connector } = bench
    if (!recalls(connector)) return
    const order = bench.order('delivered')
    await connector.send(order)
    expectEqual(await connector.recall(order.reference), 'refused', 'recall')
    expectKind(await connector.check(order.reference, order), 'delivered')
  },
}

const RAIL_CHECKS: Checks<RailBench> = {
  'an answer that breaks off is unknown; the inquiry finds the order': async (bench) => {
    const order = bench.order('delivered')
    await bench.play(order.reference, { wire: 'garbage' })
    await doubtThenTruthOf(bench, order)
  },
  'an inquiry that finds nothing for a while is an absence; sent again, the money moves once': async (bench) => {
    const order = bench.order('timeout_after')
    const end = await bench.play(order.reference, { inquiry: 'not_found' })
    expectKind(await bench.connector.send(order), 'unknown')
    expectKind(await bench.connector.check(order.reference, order), 'not_found')
    await bench.connector.send(order)
    expectKind(await bench.connector.check(order.reference, order), 'not_found')
    await end()
    expectKind(await bench.connector.check(order.reference, order), 'delivered')
    await expectExecutions(bench, order, 1)
  },
  'an inquiry that fails or hangs is unknown': async (bench) => {
    const order = bench.order('delivered')
    await bench.connector.send(order)
    for (const inquiry of ['error', 'hang'] as const) {
      const end = await bench.play(order.reference, { inquiry })
      expectKind(await bench.connector.check(order.reference, order), 'unknown')
      await end()
    }
    expectKind(await bench.connector.check(order.reference, order), 'delivered')
  },
  'the smallest and the largest amount are in the books of the rail to the last digit': async (bench) => {
    expect(bench.limits.length >= 2, 'a rail has a smallest and a largest amount')
    for (const order of bench.limits) {
      expectKind(await bench.connector.send(order), firstWord(bench))
      expectKind(await bench.connector.check(order.reference, order), 'delivered')
      expectEqual(await bench.amountOf(order.reference), order.amountDecimal, 'amount in the books of the rail')
      await expectExecutions(bench, order, 1)
    }
  },
}

function doubtThenTruth(bench: ConformanceBench, situation: ConformanceCase): Promise<void> {
  return doubtThenTruthOf(bench, bench.order(situation))
}

async function doubtThenTruthOf(bench: ConformanceBench, order: SendOrder): Promise<void> {
  expectKind(await bench.connector.send(order), 'unknown')
  expectKind(await bench.connector.check(order.reference, order), 'delivered')
  await bench.connector.send(order)
  await expectExecutions(bench, order, 1)
}

function firstWord(bench: ConformanceBench): 'delivered' | 'accepted' {
  return bench.firstWord ?? 'delivered'
}

function doubled(amountDecimal: string): string {
  const digits = amountDecimal.split('.')[1]?.length ?? 0
  const minor = String(BigInt(amountDecimal.replace('.', '')) * 2n).padStart(digits + 1, '0')
  return digits === 0 ? minor : `${minor.slice(0, -digits)}.${minor.slice(-digits)}`
}

async function expectExecutions(bench: ConformanceBench, order: SendOrder, executions: number): Promise<void> {
  expectEqual(await bench.executionsOf(order.reference), executions, 'executions in the books of the rail')
}

function expectKind(outcome: Outcome | Absence, kind: (Outcome | Absence)['kind']): void {
  expect(outcome.kind === kind, `expected ${kind}, got ${JSON.stringify(outcome)}`)
}

function expectEqual<T>(actual: T, expected: T, what: string): void {
  expect(actual === expected, `${what}: expected ${String(expected)}, got ${String(actual)}`)
}

function expect(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}
