// What the connectors that bring money in make of what a rail plays, and of answers that a stranger could give.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Collection, CollectOrder } from '../../src/domain/channel/collection.ts'
import type { Absence } from '../../src/domain/channel/outcome.ts'
import { shortReference } from '../../src/domain/contract/ids.ts'
import { overheard } from '../conformance/untrusted-rail.ts'
import { readQrph } from '../../src/connectors/qrph/code.ts'
import { openOutbound, type Outbound } from '../../src/platform/outbound.ts'
import { advance, control, openProvider } from '../sandbox/rails.ts'
import {
  benchOf,
  collectOrder,
  type Collecting,
  type KindName,
  KINDS,
  MERCHANT,
  pay,
  truthOf,
} from './collect-bench.ts'
import { patient } from './patience.ts'

let provider: Awaited<ReturnType<typeof openProvider>>
let outbound: Outbound

beforeAll(async () => {
  provider = await openProvider()
  outbound = patient(openOutbound()).outbound
})
afterAll(async () => {
  await outbound.close()
  await provider.close()
})

const connectorOf = (name: KindName) => benchOf(name, provider.url, outbound).connector

async function paidBy(name: KindName, order: CollectOrder, action = 'pay'): Promise<Response | null> {
  const opened = await connectorOf(name).collect(order)
  if (opened.kind !== 'open' || !opened.nextAction) throw new Error(`not open: ${JSON.stringify(opened)}`)
  return pay(provider.url, opened.nextAction, action)
}

const moneyOf = (found: Collection | Absence) => (found.kind === 'succeeded' ? found.money.amountDecimal : found)

describe.each<KindName>(['gcash', 'maya', 'card', 'qrph'])('%s plays', (name) => {
  const isCode = name === 'qrph'
  const word = (code: string) => (name === 'gcash' || name === 'maya' ? code.toUpperCase() : code)

  test('a payment that takes its time, to either end', async () => {
    const [late, failing] = [collectOrder(name, '50.11'), collectOrder(name, '50.12')]
    for (const order of [late, failing]) {
      await paidBy(name, order)
      expect(await connectorOf(name).checkCollection(order)).toMatchObject({ kind: 'open', status: 'processing' })
      expect(await connectorOf(name).voidCollection(order, Date.now())).toBe('refused')
    }
    await advance(provider.url, 4)
    expect(await connectorOf(name).checkCollection(late)).toMatchObject({ kind: 'succeeded' })
    // A code may be paid by another bank yet.
    const end = isCode ? { kind: 'open', status: 'pending' } : { kind: 'failed', code: word('payment_failed') }
    expect(await connectorOf(name).checkCollection(failing)).toMatchObject(end)
  })

  const endings = [
    ['.21', 'pay', 'payment_declined'],
    ['.00', 'decline', 'payer_declined'],
    ['.00', 'cancel', 'payer_cancelled'],
  ] as const
  // Nobody is asked about a code: who does not want to pay it does not scan it.
  test.each(isCode ? endings.slice(0, 1) : endings)('%s: %s is %s', async (ending, action, code) => {
    const order = collectOrder(name, `50${ending}`)
    await paidBy(name, order, action)
    const end = isCode ? { kind: 'open', status: 'pending' } : { kind: 'failed', code: word(code) }
    expect(await connectorOf(name).checkCollection(order)).toMatchObject(end)
  })

  test.each([
    ['50.63', '49.63'],
    ['50.64', '51.64'],
  ])('of %s that were asked for %s came in', async (asked, came) => {
    const order = collectOrder(name, asked)
    await paidBy(name, order)
    expect(moneyOf(await connectorOf(name).checkCollection(order))).toBe(came)
  })

  test('money comes in after the attempt was voided', async () => {
    const order = collectOrder(name, '50.65')
    await connectorOf(name).collect(order)
    const voided = await connectorOf(name).voidCollection(order, Date.now())
    const { kind } = await connectorOf(name).checkCollection(order)
    expect([voided, kind]).toEqual(['voided', isCode ? 'open' : 'failed'])
    // A code is still in somebody's hands.
    await (isCode ? paidBy(name, order) : advance(provider.url, 3))
    expect(moneyOf(await connectorOf(name).checkCollection(order))).toBe('50.65')
  })

  test('an attempt ends when it expires, however far the clock of the rail was moved before', async () => {
    const order = collectOrder(name, '50.00', { expiresAt: Date.now() + 86_400_000 })
    await advance(provider.url, 2 * 86_400)
    expect(await connectorOf(name).collect(order)).toMatchObject({ kind: 'open' })
    await advance(provider.url, 86_400)
    expect(await connectorOf(name).checkCollection(order)).toMatchObject({ kind: isCode ? 'open' : 'failed' })
  })
})

describe('refunds', () => {
  test.each<KindName>(['gcash', 'maya', 'card'])('of %s that take their time, or are refused', async (name) => {
    const { connector } = benchOf(name, provider.url, outbound)
    const order = collectOrder(name, '100.00')
    await paidBy(name, order)
    const found = await connector.checkCollection(order)
    if (found.kind !== 'succeeded') throw new Error(JSON.stringify(found))
    const refund = (number: number, amountDecimal: string) => ({
      ...order,
      reference: `${order.reference.slice(0, 32)}90${number}`,
      amountDecimal,
      amountMinor: BigInt(amountDecimal.replace('.', '')),
      recipient: {},
      refundOf: found.money.id,
      pays: null,
      notAfter: null,
    })
    const [late, refused] = [refund(1, '10.11'), refund(2, '10.22')]
    expect(await connector.send(late)).toMatchObject({ kind: 'accepted' })
    expect(await connector.check(late.reference, late)).toMatchObject({ kind: 'accepted' })
    await advance(provider.url, 4)
    expect(await connector.check(late.reference, late)).toMatchObject({ kind: 'delivered' })
    expect(await connector.send(refused)).toMatchObject({ kind: 'failed' })
    expect(await connector.check(refused.reference, refused)).toMatchObject({ kind: 'failed' })
    expect(await truthOf(provider.url, name, order)).toMatchObject({ refundedMinor: 1011n })
    // Sent for a payment that is not the one of the answer.
    const strange = { ...late, refundOf: 'another' }
    expect(await connector.send(strange)).toMatchObject({ kind: 'unknown' })
    expect(await connector.check(late.reference, strange)).toMatchObject({ kind: 'unknown' })
  })
})

describe('card', () => {
  const withToken = (secret: string | null, amount = '70.00', currency = 'PHP') =>
    collectOrder('card', amount, { currency, method: { kind: 'card', details: {}, secret } })

  test('a card whose bank agrees is paid at once, and shows its last digits', async () => {
    const order = withToken('tok_visa')
    const answer = await connectorOf('card').collect(order)
    expect(answer).toMatchObject({ kind: 'succeeded', shown: { brand: 'visa', last4: '4242', expiry: '12/34' } })
    expect(await connectorOf('card').checkCollection(order)).toEqual(answer)
    expect(await truthOf(provider.url, 'card', order)).toMatchObject({ attempts: 1, paidMinor: 7000n })
  })

  test.each([
    ['tok_declined', 'card_declined'],
    ['tok_insufficient', 'insufficient_funds'],
    ['tok_nobody', 'token_not_found'],
  ])('%s is %s', async (token, code) => {
    const order = withToken(token)
    expect(await connectorOf('card').collect(order)).toMatchObject({ kind: 'failed', code })
    expect(await truthOf(provider.url, 'card', order)).toMatchObject({ paidMinor: 0n })
  })

  test('without a token nothing is asked of the processor', async () => {
    const order = withToken(null)
    const requests = await overheard(
      (baseUrl) => KINDS.card.at(outbound, baseUrl),
      async (connector) => expect(await (connector as Collecting).collect(order)).toMatchObject({ kind: 'unknown' }),
    )
    expect(requests).toEqual([])
  })

  test('a token of a number is used once; again with the same reference it is the same payment', async () => {
    const card = { number: '4242 4242 4242 4242', exp_month: 1, exp_year: 2031, cvc: '123' }
    const { id } = await control(provider.url, 'POST', '/card/v1/tokens', card)
    const order = withToken(String(id))
    const answer = await connectorOf('card').collect(order)
    expect(answer).toMatchObject({ kind: 'succeeded', shown: { last4: '4242', expiry: '01/31' } })
    expect(await connectorOf('card').collect(order)).toEqual(answer)
    expect(await connectorOf('card').collect(withToken(String(id)))).toMatchObject({
      kind: 'failed',
      code: 'token_already_used',
    })
  })

  test('yen have no decimals', async () => {
    const order = withToken('tok_visa', '1000', 'JPY')
    expect(moneyOf(await connectorOf('card').collect(order))).toBe('1000')
  })
})

test('a code says what the acquirer and the payer need, and the payer is told by the rail', async () => {
  const order = collectOrder('qrph', '80.50')
  const opened = await connectorOf('qrph').collect(order)
  const next = opened.kind === 'open' ? opened.nextAction : null
  if (next?.type !== 'display_qr') throw new Error(JSON.stringify(opened))
  const reference = shortReference(order.contractId, 1)
  expect(readQrph(next.data)).toMatchObject({
    amountDecimal: '80.50',
    reference,
    isDynamic: true,
    merchantId: MERCHANT.merchantId,
  })
  const payer = { name: 'Ana', wallet: '987654321', tag: 'BNORPHMM' }
  await control(provider.url, 'POST', '/qrph/pay', { code: next.data, payer })
  expect(await connectorOf('qrph').checkCollection(order)).toMatchObject({
    kind: 'succeeded',
    money: { amountDecimal: '80.50', currency: 'PHP', payer: { channelId: 'instapay', recipient: payer } },
  })
})

test.each<[KindName, Partial<CollectOrder>, string]>([
  ['gcash', { currency: 'USD' }, 'wrong_currency'],
  ['maya', { currency: 'USD' }, 'wrong_currency'],
  ['qrph', { currency: 'USD' }, 'wrong_currency'],
  ['qrph', { amountDecimal: '10000000000.00', amountMinor: 1_000_000_000_000n }, 'amount_too_large'],
])('%s: an order with %o never leaves', async (name, change, code) => {
  const order = collectOrder(name, '1.00', change)
  expect(await connectorOf(name).collect(order)).toMatchObject({ kind: 'failed', code })
  expect(await truthOf(provider.url, name, order)).toMatchObject({ attempts: 0 })
})

describe('believes nothing', () => {
  type Answer = Readonly<Record<string, unknown>>

  /** The kinds of an opening and of an inquiry that get this very answer; in a list where the rail answers so. */
  async function heard(name: KindName, order: CollectOrder, text: string, list: string): Promise<string[]> {
    const kinds: string[] = []
    await overheard(
      (baseUrl) => KINDS[name].at(outbound, baseUrl),
      async (connector) => {
        const collecting = connector as Collecting
        kinds.push((await collecting.collect(order)).kind, (await collecting.checkCollection(order)).kind)
      },
      (request, response) => {
        const body = request.method === 'GET' ? list : text
        response.writeHead(200, { 'content-type': 'application/json' }).end(body)
      },
    )
    return kinds
  }

  const page = 'https://wallet.example/pay/1'
  const both = (kind: string) => [kind, kind]

  const gcash = (order: CollectOrder): Answer => ({
    result: { status: 'S', code: 'SUCCESS', message: '' },
    paymentId: 'p1',
    requestId: order.reference,
    amount: { currency: 'PHP', value: '10000' },
    paidAmount: { currency: 'PHP', value: '9900' },
    checkoutUrl: page,
  })
  const waiting = { result: { status: 'U', code: 'WAITING_FOR_PAYER' } }
  const failed = (code: unknown) => ({ result: { status: 'F', code } })

  test.each<[string, Answer, string]>([
    ['the truth', {}, 'succeeded'],
    ['another reference', { requestId: 'x' }, 'unknown'],
    ['another amount asked', { amount: { currency: 'PHP', value: '10001' } }, 'unknown'],
    ['another currency asked', { amount: { currency: 'USD', value: '10000' } }, 'unknown'],
    ['nothing paid', { paidAmount: null }, 'unknown'],
    ['zero paid', { paidAmount: { currency: 'PHP', value: '0' } }, 'unknown'],
    ['a debt paid', { paidAmount: { currency: 'PHP', value: '-1' } }, 'unknown'],
    ['no payment', { paymentId: null }, 'unknown'],
    ['another code of success', { result: { status: 'S', code: 'OK' } }, 'unknown'],
    ['waiting', waiting, 'open'],
    ['waiting, on no page', { ...waiting, checkoutUrl: null }, 'unknown'],
    ['waiting, on a script', { ...waiting, checkoutUrl: 'javascript:alert(1)' }, 'unknown'],
    ['waiting, on a page with a name in it', { ...waiting, checkoutUrl: 'https://a:b@wallet.example' }, 'unknown'],
    ['in process', { result: { status: 'U', code: 'PAYMENT_IN_PROCESS' } }, 'open'],
    ['unknown to itself', { result: { status: 'U', code: 'UNKNOWN_EXCEPTION' } }, 'unknown'],
    ['a known failure', failed('PAYER_CANCELLED'), 'failed'],
    ['a failure nobody has read about', failed('NEW'), 'unknown'],
    ['a failure that is a list', failed(['PAYER_CANCELLED']), 'unknown'],
    ['another order under the reference', failed('REPEAT_REQ_INCONSISTENT'), 'unknown'],
    ['an absence that says all is well', failed('ORDER_NOT_EXIST'), 'unknown'],
  ])('gcash: %s', async (_, change, kind) => {
    const order = collectOrder('gcash', '100.00')
    const text = JSON.stringify({ ...gcash(order), ...change })
    expect(await heard('gcash', order, text, text)).toEqual(both(kind))
  })

  const maya = (order: CollectOrder, change: Answer, value: string) =>
    JSON.stringify({
      checkoutId: 'c1',
      paymentId: 'p1',
      requestReferenceNumber: order.reference,
      status: 'COMPLETED',
      redirectUrl: page,
      totalAmount: { value: 'VALUE', currency: 'PHP' },
      paidAmount: { value: 99.5, currency: 'PHP' },
      ...change,
    }).replace('"VALUE"', value)

  test.each<[string, Answer, string, string]>([
    ['the truth', {}, '100.00', 'succeeded'],
    ['the truth in fewer digits', {}, '100', 'succeeded'],
    ['an amount that only a float takes for ours', {}, '100.00000000000000001', 'unknown'],
    ['an amount that is a text', {}, '"100.00"', 'unknown'],
    ['another reference', { requestReferenceNumber: 'x' }, '100', 'unknown'],
    ['nothing paid', { paidAmount: null }, '100', 'unknown'],
    ['no payment', { paymentId: null }, '100', 'unknown'],
    ['created', { status: 'CREATED' }, '100', 'open'],
    ['created, on a file', { status: 'CREATED', redirectUrl: 'file:///etc/passwd' }, '100', 'unknown'],
    ['pending', { status: 'PENDING' }, '100', 'open'],
    ['a known failure', { status: 'FAILED', error: { code: 'PAYER_DECLINED' } }, '100', 'failed'],
    ['a failure nobody has read about', { status: 'FAILED', error: { code: 'NEW' } }, '100', 'unknown'],
    ['a failure without a word', { status: 'FAILED' }, '100', 'unknown'],
    ['expired', { status: 'EXPIRED' }, '100', 'failed'],
    ['a status nobody has read about', { status: 'DONE' }, '100', 'unknown'],
    ['our own words', { status: 'DONE', kind: 'failed', code: 'x' }, '100', 'unknown'],
  ])('maya: %s', async (_, change, value, kind) => {
    const order = collectOrder('maya', '100.00')
    const text = maya(order, change, value)
    expect(await heard('maya', order, text, `{"data":[${text}]}`)).toEqual(both(kind))
    expect(await heard('maya', order, '[]', `{"data":[${text},${text}]}`)).toEqual(both('unknown'))
  })

  const card = (order: CollectOrder): Answer => ({
    id: 'pi_1',
    status: 'succeeded',
    reference: order.reference,
    amount: 10000,
    amount_received: 9900,
    currency: 'PHP',
    next_action: { redirect_to_url: { url: page } },
    last_error: { code: 'card_declined' },
  })

  test.each<[string, Answer, string]>([
    ['the truth', {}, 'succeeded'],
    ['another reference', { reference: 'x' }, 'unknown'],
    ['another amount', { amount: 10001 }, 'unknown'],
    ['an amount that is a text', { amount: '10000' }, 'unknown'],
    ['another currency', { currency: 'USD' }, 'unknown'],
    ['nothing received', { amount_received: 0 }, 'unknown'],
    ['half a centavo received', { amount_received: 0.5 }, 'unknown'],
    ['no payment', { id: 7 }, 'unknown'],
    ['an action', { status: 'requires_action' }, 'open'],
    ['an action nowhere', { status: 'requires_action', next_action: null }, 'unknown'],
    ['a decline', { status: 'requires_payment_method' }, 'failed'],
    ['a decline for nobody knows what', { status: 'requires_payment_method', last_error: { code: 'new' } }, 'unknown'],
    ['closed', { status: 'canceled' }, 'failed'],
    ['a status nobody has read about', { status: 'done' }, 'unknown'],
    ['our own words', { status: 'done', kind: 'failed', code: 'x' }, 'unknown'],
  ])('card: %s', async (_, change, kind) => {
    const order = collectOrder('card', '100.00')
    const text = JSON.stringify({ ...card(order), ...change })
    expect(await heard('card', order, text, `{"data":[${text}]}`)).toEqual(both(kind))
  })

  test.each([
    ['of this payment', 'ours', 'token_already_used', 'failed'],
    ['of another payment', 'x', 'token_already_used', 'unknown'],
    ['of no payment', undefined, 'token_already_used', 'unknown'],
    ['for a reason nobody has read about', 'ours', 'new', 'unknown'],
  ])('card: a refusal %s', async (_, about, code, kind) => {
    const order = collectOrder('card', '100.00')
    const reference = about === 'ours' ? order.reference : about
    let answer: Collection | undefined
    await overheard(
      (baseUrl) => KINDS.card.at(outbound, baseUrl),
      async (connector) => void (answer = await (connector as Collecting).collect(order)),
      (_request, response) => {
        const body = JSON.stringify({ reference, error: { code, message: '' } })
        response.writeHead(400, { 'content-type': 'application/json' }).end(body)
      },
    )
    expect(answer?.kind).toBe(kind)
  })

  const payment = { id: 'q1', amount: '100.00', currency: 'PHP', status: 'succeeded', payer: null }
  test.each<[string, Answer, string]>([
    ['the truth', {}, 'succeeded'],
    ['another reference', { reference: 'x' }, 'unknown'],
    ['no amount', { amount: null }, 'unknown'],
    ['an amount that no peso has', { amount: '1.005' }, 'unknown'],
    ['no currency', { currency: null }, 'unknown'],
    ['a status nobody has read about', { status: 'gone' }, 'unknown'],
    ['a failure', { status: 'failed' }, 'open'],
  ])('qrph: %s', async (_, change, kind) => {
    const order = collectOrder('qrph', '100.00')
    const reference = shortReference(order.contractId, 1)
    const list = JSON.stringify({ data: [{ ...payment, reference, ...change }] })
    expect(await heard('qrph', order, '{}', list)).toEqual(['open', kind])
  })
})

test.each(['\0', '\ud800'])('of a text that no book can keep, %j, nothing is taken', async (text) => {
  const order = collectOrder('gcash', '100.00')
  const amount = { currency: order.currency, value: String(order.amountMinor) }
  const result = { status: 'F', code: 'PAYMENT_DECLINED', message: `No${text}` }
  const answers: (Collection | Absence)[] = []
  await overheard(
    (url) => benchOf('gcash', url, outbound).connector,
    async (connector) => {
      answers.push(await (connector as Collecting).checkCollection(order))
    },
    (_, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ requestId: order.reference, amount, result }))
    },
  )
  expect(answers).toEqual([{ kind: 'failed', code: 'PAYMENT_DECLINED', message: '' }])
})
