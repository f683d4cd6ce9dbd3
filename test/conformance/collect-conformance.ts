// The suite that every connector must pass that brings money in, as plain named checks that throw: a test runner of any
// kind can run them. It must not know any single connector; a bench brings the connector, its rail and a payer.
import type { Collection, CollectOrder, NextAction } from '../../src/domain/channel/collection.ts'
import type { Absence, Outcome, SendOrder } from '../../src/domain/channel/outcome.ts'
import { type Collects, type Connector, findsReceipts, refundsPayments } from '../../src/connectors/connector.ts'
import { closedAddress, DOUBTFUL_ANSWERS, overheard } from './untrusted-rail.ts'

type Collecting = Connector & Collects

/** A connector with its real rail, a payer in front of it, and the rail's own books to compare with. */
export type CollectBench = {
  readonly connector: Collecting
  /** A new order over this amount, never asked before, which waits for a payer. */
  order(amountDecimal: string): CollectOrder
  /** Amounts at which the rail opens an attempt and does not answer well. */
  readonly lostAnswers: readonly string[]
  /** The same for refunds; empty where the rail has none. */
  readonly lostRefundAnswers: readonly string[]
  /** The smallest and the largest amount, at least. */
  readonly limits: readonly string[]
  /** Does as the payer is told. */
  pay(next: NextAction): Promise<void>
  /** By the rail's own books: how many attempts there are under a reference, and what came in and went back. */
  truth(order: CollectOrder): Promise<{ attempts: number; paidMinor: bigint; refundedMinor: bigint }>
  /** The same connector, pointed at another address. */
  pointedAt(baseUrl: string): Collecting
}

export type CollectCheck = { readonly name: string; run(): Promise<void> }

/** The checks, all on the one bench: each makes orders of its own. */
export function collectConformance(bench: () => CollectBench): CollectCheck[] {
  return Object.entries({ ...CHECKS, ...REFUND_CHECKS }).map(([name, check]) => ({ name, run: () => check(bench()) }))
}

type Checks = Readonly<Record<string, (bench: CollectBench) => Promise<void>>>

/** Whether the rail itself knows our reference before anybody paid: a code that is only shown is not known to it. */
const isKnownToRail = ({ connector }: CollectBench) => connector.describe().acceptsReference

const CHECKS: Checks = {
  'an attempt says what the payer does next, and an inquiry says the same': async (bench) => {
    const order = bench.order('100.00')
    const next = nextOf(await bench.connector.collect(order))
    expectEqual(nextOf(await asked(bench, order)), next, 'next action')
    expectEqual(next.type === 'display_address' ? '' : next.expiresAt, order.expiresAt, 'end of the next action')
  },
  'an attempt that is asked for again, also at once, is the same attempt': async (bench) => {
    const order = bench.order('100.00')
    const answers = await Promise.all([1, 2, 3].map(() => bench.connector.collect(order)))
    answers.push(await bench.connector.collect(order))
    for (const answer of answers) expectEqual(nextOf(answer), nextOf(answers[0]), 'next action')
    await expectAttempts(bench, order)
  },
  'money that came in is exact, and has the same id however often it is asked about': async (bench) => {
    const order = bench.order('1234.56')
    const money = await paid(bench, order)
    expectEqual([money.amountDecimal, money.currency], ['1234.56', order.currency], 'money')
    const again = await asked(bench, order)
    expectEqual(again.kind === 'succeeded' && again.money, money, 'money, asked again')
    if (isKnownToRail(bench)) expectKind(await bench.connector.collect(order), 'succeeded')
    expectEqual((await bench.truth(order)).paidMinor, order.amountMinor, 'money in the books of the rail')
  },
  'the smallest and the largest amount come in to the last digit': async (bench) => {
    expect(bench.limits.length >= 2, 'a rail has a smallest and a largest amount')
    for (const amount of bench.limits) {
      const order = bench.order(amount)
      expectEqual((await paid(bench, order)).amountDecimal, amount, 'money')
      expectEqual((await bench.truth(order)).paidMinor, order.amountMinor, 'money in the books of the rail')
    }
  },
  'an attempt whose answer was lost is unknown, is found, and is opened once': async (bench) => {
    await Promise.all(
      bench.lostAnswers.map(async (amount) => {
        const order = bench.order(amount)
        expectKind(await bench.connector.collect(order), 'unknown')
        expectKind(await asked(bench, order), 'open')
        nextOf(await bench.connector.collect(order))
        await expectAttempts(bench, order)
      }),
    )
  },
  'another amount under a known reference is unknown': async (bench) => {
    if (!isKnownToRail(bench)) return
    const order = bench.order('100.00')
    await bench.connector.collect(order)
    const other = { ...order, amountMinor: order.amountMinor * 2n, amountDecimal: '200.00' }
    expectKind(await bench.connector.collect(other), 'unknown')
    expectKind(await asked(bench, other), 'unknown')
    await expectAttempts(bench, order)
  },
  'what never came to the rail is absent': async (bench) => {
    expectKind(await asked(bench, bench.order('100.00')), isKnownToRail(bench) ? 'not_found' : 'open')
  },
  'what was voided is, however often, and stays so': async (bench) => {
    const order = bench.order('100.00')
    await bench.connector.collect(order)
    expectEqual(await bench.connector.voidCollection(order, Date.now()), 'voided', 'void')
    expectEqual(await bench.connector.voidCollection(order, Date.now()), 'voided', 'void again')
    if (!isKnownToRail(bench)) return
    expectKind(await asked(bench, order), 'failed')
    expectKind(await bench.connector.collect(order), 'failed')
    await expectAttempts(bench, order)
  },
  'what was paid is not voided': async (bench) => {
    const order = bench.order('100.00')
    await paid(bench, order)
    expectEqual(await bench.connector.voidCollection(order, Date.now()), 'refused', 'void')
    expectKind(await asked(bench, order), 'succeeded')
  },
  'what never came to the rail is voided only where nobody can open it any more': async (bench) => {
    const order = bench.order('100.00')
    const answer = await bench.connector.voidCollection(order, Date.now())
    expect(answer !== 'refused', `nobody paid, and it is ${answer}`)
    if (answer === 'voided' && isKnownToRail(bench)) expectKind(await bench.connector.collect(order), 'failed')
    expectEqual((await bench.truth(order)).paidMinor, 0n, 'money in the books of the rail')
  },
  'one payment is found by its id, with its amount and who paid; another id is absent': async (bench) => {
    const { connector } = bench
    if (!findsReceipts(connector)) return
    const order = bench.order('1234.56')
    expectEqual((await connector.findReceipt(order, 'no such payment')).kind, 'not_found', 'before anybody paid')
    const money = await paid(bench, order)
    expect(money.payer !== null, 'the rail says who paid')
    expectEqual(await connector.findReceipt(order, money.id), { kind: 'received', money }, 'the payment')
    expectEqual((await connector.findReceipt(order, `${money.id}x`)).kind, 'not_found', 'another id')
    expectEqual((await connector.findReceipt(bench.order('1.00'), money.id)).kind, 'not_found', 'of another order')
  },
  'whose a payment is, is told by the reference that it was made under': async (bench) => {
    const { connector } = bench
    expectEqual(refundsPayments(connector), connector.describeCollect().refunds, 'whoever refunds says whose')
    if (!refundsPayments(connector)) return
    const [order, other] = [bench.order('100.00'), bench.order('100.00')]
    const under = async (id: string, { reference }: CollectOrder) =>
      (await connector.paymentUnder({ id, reference })).kind
    expectEqual(await under('no such payment', order), 'not_found', 'before anybody paid')
    const [money, theirs] = [await paid(bench, order), await paid(bench, other)]
    expectEqual(await under(money.id, order), 'found', 'its own')
    expectEqual(await under(theirs.id, order), 'not_found', 'of another')
    await connector.send(refundOf(order, money.id, '30.00'))
    expectEqual(await under(money.id, order), 'found', 'after a part went back')
    await connector.send(refundOf(order, money.id, '70.00'))
    expectEqual(await under(money.id, order), 'found', 'after all of it went back')
  },
  'where nobody listens nothing was sent, and nothing is known': async (bench) => {
    const [away, order] = [bench.pointedAt(await closedAddress()), bench.order('100.00')]
    if (isKnownToRail(bench)) expectKind(await away.collect(order), 'not_sent')
    expectKind(await away.checkCollection(order), 'unknown')
    if (findsReceipts(away)) expectEqual((await away.findReceipt(order, 'payment')).kind, 'unknown', 'one payment')
    if (isKnownToRail(bench)) expectEqual(await away.voidCollection(order, Date.now()), 'unknown', 'void')
    const claimed = { id: 'payment', reference: order.reference }
    if (refundsPayments(away)) expectEqual((await away.paymentUnder(claimed)).kind, 'unknown', 'whose')
    const refund = refundOf(order, 'payment', '1.00')
    if (away.describeCollect().refunds) expectKind(await away.send(refund), 'not_sent')
  },
  'an answer that proves nothing is unknown': async (bench) => {
    const order = bench.order('100.00')
    const refund = refundOf(order, 'payment', '1.00')
    for (const [status, body] of DOUBTFUL_ANSWERS)
      await overheard(
        bench.pointedAt,
        async (untrusted) => {
          const connector = untrusted as Collecting
          if (isKnownToRail(bench)) expectKind(await connector.collect(order), 'unknown', body)
          expectKind(await connector.checkCollection(order), 'unknown', body)
          if (findsReceipts(connector))
            expectEqual((await connector.findReceipt(order, 'payment')).kind, 'unknown', `one payment, ${body}`)
          if (isKnownToRail(bench))
            expectEqual(await connector.voidCollection(order, Date.now()), 'unknown', `void, ${body}`)
          if (!connector.describeCollect().refunds) return
          const claimed = { id: 'payment', reference: order.reference }
          if (refundsPayments(connector))
            expectEqual((await connector.paymentUnder(claimed)).kind, 'unknown', `whose, ${body}`)
          expectKind(await connector.send(refund), 'unknown', body)
          expectKind(await connector.check(refund.reference, refund), 'unknown', body)
        },
        (_, response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(body),
      )
  },
}

const REFUND_CHECKS: Checks = {
  'parts of a payment go back, each once, and never more than came in': async (bench) => {
    const order = bench.order('100.00')
    const money = await paid(bench, order)
    const { connector } = bench
    const [first, rest, more] = ['30.05', '69.95', '0.01'].map((amount) => refundOf(order, money.id, amount))
    if (!first || !rest || !more) return
    if (!connector.describeCollect().refunds) {
      expectKind(await connector.send(first), 'failed')
      return
    }
    expectKind(await connector.check(first.reference, first), 'not_found')
    await Promise.all([connector.send(first), connector.send(first)])
    expectKind(await connector.send(first), 'delivered')
    expectKind(await connector.check(first.reference, first), 'delivered')
    expectEqual((await bench.truth(order)).refundedMinor, 3005n, 'refunded in the books of the rail')
    expectKind(await connector.send({ ...first, amountMinor: 1n, amountDecimal: '0.01' }), 'unknown')
    expectKind(await connector.send(rest), 'delivered')
    expectKind(await connector.send(more), 'failed')
    expectKind(await connector.check(more.reference, more), 'failed')
    expectEqual((await bench.truth(order)).refundedMinor, order.amountMinor, 'refunded in the books of the rail')
  },
  'a refund whose answer was lost is unknown, is found, and goes back once': async (bench) => {
    const order = bench.order('500.00')
    const money = await paid(bench, order)
    for (const amount of bench.lostRefundAnswers) {
      const before = (await bench.truth(order)).refundedMinor
      const refund = refundOf(order, money.id, amount)
      expectKind(await bench.connector.send(refund), 'unknown')
      expectKind(await bench.connector.check(refund.reference, refund), 'delivered')
      expectKind(await bench.connector.send(refund), 'delivered')
      const after = (await bench.truth(order)).refundedMinor
      expectEqual(after - before, refund.amountMinor, 'refunded in the books of the rail')
    }
  },
  'what is no refund never leaves by a rail without payouts, and nothing goes back of what nobody paid': async (
    bench,
  ) => {
    const order = bench.order('100.00')
    const refund = refundOf(order, 'no_such_payment', '1.00')
    expectKind(await bench.connector.send(refund), 'failed')
  },
}

let refunds = 0

function refundOf(order: CollectOrder, payment: string, amountDecimal: string): SendOrder {
  refunds += 1
  return {
    reference: `${order.reference.slice(0, 32)}${String(500 + (refunds % 500))}`,
    amountMinor: BigInt(amountDecimal.replace('.', '')),
    amountDecimal,
    currency: order.currency,
    channelId: order.channelId,
    recipient: {},
    description: null,
    quote: null,
    refundOf: payment,
    pays: null,
    notAfter: null,
  }
}

/** What the payer paid, as an inquiry finds it. */
async function paid(bench: CollectBench, order: CollectOrder) {
  await bench.pay(nextOf(await bench.connector.collect(order)))
  const found = await asked(bench, order)
  if (found.kind !== 'succeeded') throw new Error(`expected succeeded, got ${JSON.stringify(found)}`)
  return found.money
}

function asked(bench: CollectBench, order: CollectOrder): Promise<Collection | Absence> {
  return bench.connector.checkCollection(order)
}

function nextOf(answer: Collection | Absence | undefined): NextAction {
  const next = answer?.kind === 'open' && answer.status === 'pending' ? answer.nextAction : null
  if (!next) throw new Error(`expected something for the payer to do, got ${JSON.stringify(answer)}`)
  return next
}

async function expectAttempts(bench: CollectBench, order: CollectOrder): Promise<void> {
  const { attempts } = await bench.truth(order)
  expectEqual(attempts, isKnownToRail(bench) ? 1 : 0, 'attempts in the books of the rail')
}

type Kind = (Collection | Outcome | Absence)['kind']

function expectKind(answer: { readonly kind: Kind }, kind: Kind, about = ''): void {
  expect(answer.kind === kind, `expected ${kind}, got ${JSON.stringify(answer)} ${about}`)
}

function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const [one, other] = [actual, expected].map((value) => JSON.stringify(value, bigintsAsText))
  expect(one === other, `${what}: expected ${other}, got ${one}`)
}

function bigintsAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

function expect(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}
