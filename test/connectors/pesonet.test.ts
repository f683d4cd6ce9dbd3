// PESONet against the provider's own process: files of orders, what is believed of the reports on them, and the suite of
// every rail with files of one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pesonetConnector } from '../../src/connectors/pesonet/pesonet.ts'
import type { Outcome, SendOrder } from '../../src/domain/channel/outcome.ts'
import { readPain001 } from '../../src/formats/iso20022/pain001.ts'
import { type FileStatusReport, writePain002 } from '../../src/formats/iso20022/pain002.ts'
import { schemaFaults } from '../iso20022/schema-faults.ts'
import type { ReportedTransfer } from '../../src/formats/iso20022/statuses.ts'
import { heard, heardBy, manilaDay, openRail, type Rail, requestOf, type Said, TIMEOUT_MS } from './rail-bench.ts'
import { conformanceOf, newsStories, noticeStories, statementStories } from './rail-stories.ts'

const RECIPIENT = { name: 'Ana Peña & Sons', wallet: '0012-3456-7890', tag: 'BOPIPHMM' }
const PAYER = { debtorName: 'Gateway', debtorBank: { bic: 'MBTCPHMM' }, debtorAccount: '990000000001' }
const DAY_MS = 86_400_000
const WORDS = { accountClosed: 'AC04', returned: 'AC04', afterReturn: 'delivered', firstWord: 'accepted' } as const

let nowMs = Date.now()
let rail: Rail<ReturnType<typeof pesonetConnector>>
beforeAll(async () => {
  rail = await openRail({
    name: 'pesonet',
    connectorAt: (outbound, baseUrl) =>
      pesonetConnector({ ...PAYER, outbound, baseUrl, timeoutMs: TIMEOUT_MS, nowMs: () => nowMs }),
    recipient: RECIPIENT,
    limits: ['0.01', '50000.01', '999999999999.99'],
    firstWord: 'accepted',
  })
  // Settled as soon as anybody looks, instead of at five in the afternoon.
  await rail.script({ settle_after_seconds: 0 })
})
afterAll(() => rail.close())

conformanceOf(() => rail)
newsStories(() => rail, WORDS)
noticeStories(() => rail, 'pesonet', WORDS)
statementStories(() => rail)

const fileIn = (request: string) => Buffer.from(request.slice(request.indexOf('<?xml')))
const kindsOf = (outcomes: ReadonlyMap<string, Outcome>, orders: readonly SendOrder[]) =>
  orders.map(({ reference }) => outcomes.get(reference)?.kind ?? null)

let files = 0
const newFile = () => `file-${(files += 1)}`

describe('a file', () => {
  test('is valid by its schema, and its sum is that of its items to the last digit', async () => {
    const orders = ['0.01', '0.02', '999999999999.99', '1234.50'].map((amount) => rail.order(amount))
    const bytes = fileIn(await requestOf(rail, (connector) => connector.sendFile('file-of-four', orders)))
    expect(schemaFaults('pain.001.001.09', bytes)).toEqual([])
    expect(bytes.toString()).toContain('<NbOfTxs>4</NbOfTxs><CtrlSum>1000000001234.52</CtrlSum>')
    const reading = readPain001(bytes)
    expect(reading).toMatchObject({
      message: {
        messageId: 'file-of-four',
        currency: 'PHP',
        executeOn: manilaDay(nowMs),
        debtorAccount: '990000000001',
        items: orders.map(({ reference: endToEndId, amountDecimal }) => ({
          endToEndId,
          amountDecimal,
          creditorAccount: '0012-3456-7890',
          remittance: 'Rice <5 kg> & fish',
          creditorBank: { bic: 'BOPIPHMM' },
        })),
      },
    })
  })

  test('has an outcome for each item, and each is settled once', async () => {
    const orders = ['1.00', '1.21', '1.22', '1.52', '1.01'].map((amount) => rail.order(amount))
    const outcomes = await rail.connector.sendFile(newFile(), orders)
    expect(kindsOf(outcomes, orders)).toEqual(['accepted', 'failed', 'failed', 'accepted', 'accepted'])
    expect(outcomes.get(orders[2]?.reference ?? '')).toMatchObject({ code: 'AC01' })
    const truths = await Promise.all(orders.map(({ reference }) => rail.truth(reference)))
    expect(truths.map((truth) => truth?.['executions'])).toEqual([1, 0, 0, 0, 1])
  })

  test('that is sent again is the same file, also on another day', async () => {
    const [file, orders] = [newFile(), [rail.order('2.00'), rail.order('2.21')]]
    expect(kindsOf(await rail.connector.sendFile(file, orders), orders)).toEqual(['accepted', 'failed'])
    expect(kindsOf(await rail.connector.sendFile(file, orders), orders)).toEqual(['delivered', 'failed'])
    nowMs += DAY_MS
    expect(kindsOf(await rail.connector.sendFile(file, orders), orders)).toEqual(['delivered', 'failed'])
    nowMs -= DAY_MS
    expect(await rail.truth(orders[0]?.reference ?? '')).toMatchObject({ executions: 1 })
  })

  test('with an item of an earlier one does not move its money again, nor says it failed', async () => {
    const [known, fresh] = [rail.order('3.00'), rail.order('3.01')]
    await rail.connector.sendFile(newFile(), [known])
    const outcomes = await rail.connector.sendFile(newFile(), [known, fresh])
    expect(kindsOf(outcomes, [known, fresh])).toEqual(['unknown', 'accepted'])
    expect(await rail.connector.check(known.reference, known)).toMatchObject({ kind: 'delivered' })
    expect(await rail.truth(known.reference)).toMatchObject({ executions: 1 })
  })

  test('under a known name with other items says nothing about those that are not in the first', async () => {
    const [file, first, second] = [newFile(), rail.order('3.00'), rail.order('3.01')]
    await rail.connector.sendFile(file, [first])
    const outcomes = await rail.connector.sendFile(file, [first, second])
    expect(kindsOf(outcomes, [first, second])).toEqual(['delivered', null])
    expect(await rail.truth(second.reference)).toBeNull()
  })

  test('does without the items that no bank could take, and they fail', async () => {
    const good = rail.order('4.00')
    const bad = [
      rail.order('4.01', { recipient: { ...RECIPIENT, wallet: null } }),
      rail.order('4.02', { recipient: { ...RECIPIENT, tag: 'B'.repeat(36) } }),
      rail.order('4.03', { currency: 'USD' }),
    ]
    const outcomes = await rail.connector.sendFile(newFile(), [...bad, good])
    expect(kindsOf(outcomes, [...bad, good])).toEqual(['failed', 'failed', 'failed', 'accepted'])
    for (const { reference } of bad) expect(await rail.truth(reference)).toBeNull()
    expect(kindsOf(await rail.connector.sendFile(newFile(), bad), bad)).toEqual(['failed', 'failed', 'failed'])
  })

  test('of a thousand items at once', async () => {
    const orders = Array.from({ length: 1_000 }, (_, index) => rail.order(`${index + 1}.00`))
    const { outbound, url, connector } = rail
    const patient = pesonetConnector({ ...PAYER, outbound, baseUrl: url, timeoutMs: 20_000, nowMs: () => nowMs })
    const outcomes = await patient.sendFile(newFile(), orders)
    expect(new Set(kindsOf(outcomes, orders))).toEqual(new Set(['accepted']))
    const last = orders.at(-1) as SendOrder
    expect(await connector.check(last.reference, last)).toMatchObject({ kind: 'delivered' })
  })

  test('whose answer is lost leaves all its items unknown, and each is found', async () => {
    const orders = [rail.order('5.31'), rail.order('5.00')]
    expect(kindsOf(await rail.connector.sendFile(newFile(), orders), orders)).toEqual(['unknown', 'unknown'])
    for (const order of orders)
      expect(await rail.connector.check(order.reference, order)).toMatchObject({ kind: 'delivered' })
  })
})

describe('believes nothing', () => {
  const order = () => rail.order('100.00', { reference: 'f'.repeat(32).concat('001') })
  const reason = (code: string | null, proprietary: string | null = null) => ({ code, proprietary, info: [] })

  function item(change: Partial<ReportedTransfer> = {}): ReportedTransfer {
    return {
      originalInstructionId: null,
      originalEndToEndId: order().reference,
      status: 'ACSC',
      reasons: [],
      amount: { amountDecimal: '100.00', currency: 'PHP' },
      ...change,
    }
  }

  function report(items: readonly ReportedTransfer[], original: Partial<FileStatusReport> = {}): Said {
    const { reference } = order()
    const body = writePain002({
      messageId: 'S1',
      createdAt: '2026-07-01T08:00:00Z',
      originalMessageId: reference,
      originalMessageName: 'pain.001.001.09',
      groupStatus: null,
      groupReasons: [],
      payments: [{ originalPaymentId: 'P1', status: null, reasons: [], items }],
      ...original,
    })
    return { status: 200, type: 'application/xml', body }
  }

  const truth = () => report([item()])
  const rejected = { groupStatus: 'RJCT', groupReasons: [reason('AC04')] }

  test.each<[string, () => Said, string]>([
    ['the truth', truth, 'delivered'],
    ['accepted', () => report([item({ status: 'ACCP' })]), 'accepted'],
    ['a known rejection', () => report([item({ status: 'RJCT', reasons: [reason('AC01')] })]), 'failed'],
    ['a copy of an earlier item', () => report([item({ status: 'RJCT', reasons: [reason('DUPL')] })]), 'unknown'],
    [
      'a rejection in words of its own',
      () => report([item({ status: 'RJCT', reasons: [reason(null, 'AC01')] })]),
      'unknown',
    ],
    ['a rejection without a reason', () => report([item({ status: 'RJCT' })]), 'unknown'],
    ['a status nobody has read about', () => report([item({ status: 'PART' })]), 'unknown'],
    ['another reference', () => report([item({ originalEndToEndId: 'another' })]), 'unknown'],
    ['another amount', () => report([item({ amount: { amountDecimal: '1.00', currency: 'PHP' } })]), 'unknown'],
    ['another currency', () => report([item({ amount: { amountDecimal: '100.00', currency: 'USD' } })]), 'unknown'],
    ['no amount', () => report([item({ amount: null })]), 'unknown'],
    ['no items', () => report([]), 'unknown'],
    [
      'a rejection and an arrival of the same',
      () => report([item({ status: 'RJCT', reasons: [reason('AC01')] }), item()]),
      'unknown',
    ],
    ['a file that is rejected, and no word on its items', () => report([], rejected), 'unknown'],
    ['a text that breaks off', () => ({ ...truth(), body: truth().body.slice(0, -20) }), 'unknown'],
    ['another message', () => ({ ...truth(), body: truth().body.replaceAll('pain.002', 'pain.003') }), 'unknown'],
    ['another type', () => ({ ...truth(), type: 'application/json' }), 'unknown'],
    ['no credentials', () => ({ ...truth(), status: 401 }), 'unknown'],
    ['a redirect', () => ({ ...truth(), status: 307 }), 'unknown'],
    ['an error with the truth in it', () => ({ ...truth(), status: 503 }), 'unknown'],
    ['a 404 of a proxy', () => ({ status: 404, type: 'text/html', body: 'not_found' }), 'unknown'],
  ])('%s', async (_, said, kind) => {
    expect(await heard(rail, order(), said())).toEqual([kind, kind])
  })

  test('a report on another file says nothing about ours', async () => {
    const said = report([item()], { originalMessageId: 'another' })
    expect(await heardBy(rail, said, (connector) => connector.send(order()))).toMatchObject({ kind: 'unknown' })
  })

  test('an item that the report leaves out has no outcome', async () => {
    const other = rail.order('100.00')
    const file = () => report([item()], { originalMessageId: 'f-1' })
    const outcomes = await heardBy(rail, file(), (connector) => connector.sendFile('f-1', [order(), other]))
    expect(kindsOf(outcomes ?? new Map(), [order(), other])).toEqual(['delivered', null])
  })
})
