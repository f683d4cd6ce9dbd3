// InstaPay against the provider's own process: what is on the wire, what is believed, and the suite of every rail.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { instapayConnector } from '../../src/connectors/instapay/instapay.ts'
import { BANK_REFUSALS } from '../../src/connectors/bank.ts'
import { type BankStatusReport, writePacs002 } from '../../src/formats/iso20022/pacs002.ts'
import { readPacs008 } from '../../src/formats/iso20022/pacs008.ts'
import { schemaFaults } from '../iso20022/schema-faults.ts'
import type { ReportedTransfer } from '../../src/formats/iso20022/statuses.ts'
import { heard, openRail, type Rail, requestOf, type Said, TIMEOUT_MS } from './rail-bench.ts'
import { conformanceOf, newsStories, noticeStories, statementStories } from './rail-stories.ts'

const RECIPIENT = { name: 'Ana Peña & Sons', wallet: '0012-3456-7890', tag: 'BOPIPHMM' }
const SETTINGS = { timeoutMs: TIMEOUT_MS, debtorName: 'Gateway <Inc.>', debtorBank: { bic: 'MBTCPHMM' } }
const WORDS = {
  accountClosed: 'AC04',
  returned: 'AC04',
  afterReturn: 'delivered',
  firstWord: 'delivered',
} as const

let rail: Rail<ReturnType<typeof instapayConnector>>
beforeAll(async () => {
  rail = await openRail({
    name: 'instapay',
    connectorAt: (outbound, baseUrl) => instapayConnector({ ...SETTINGS, outbound, baseUrl, nowMs: Date.now }),
    recipient: RECIPIENT,
    limits: ['0.01', '1.00', '49999.99', '50000.00'],
  })
})
afterAll(() => rail.close())

conformanceOf(() => rail)
newsStories(() => rail, WORDS)
noticeStories(() => rail, 'instapay', WORDS)
statementStories(() => rail)

const messageIn = (request: string) => Buffer.from(request.slice(request.indexOf('<?xml')))

describe('the message', () => {
  test('is valid by its schema and says exactly what was ordered', async () => {
    const order = rail.order('12345.07')
    const bytes = messageIn(await requestOf(rail, (connector) => connector.send(order)))
    expect(schemaFaults('pacs.008.001.08', bytes)).toEqual([])
    const reading = readPacs008(bytes)
    expect(reading).toMatchObject({
      message: {
        messageId: order.reference,
        transfers: [
          {
            endToEndId: order.reference,
            uetr: expect.stringMatching(
              /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
            ) as string,
            amountDecimal: '12345.07',
            currency: 'PHP',
            debtor: { name: 'Gateway <Inc.>' },
            debtorBank: { bic: 'MBTCPHMM' },
            creditorBank: { bic: 'BOPIPHMM' },
            creditor: { name: 'Ana Peña & Sons' },
            creditorAccount: '0012-3456-7890',
            remittance: 'Rice <5 kg> & fish',
          },
        ],
      },
    })
  })

  test('names its transfer alike at every try, and every transfer otherwise', async () => {
    const [order, other] = [rail.order('1.00'), rail.order('1.00')]
    const uetrs = []
    for (const each of [order, order, other]) {
      const reading = readPacs008(messageIn(await requestOf(rail, (connector) => connector.send(each))))
      uetrs.push('message' in reading && reading.message.transfers[0]?.uetr)
    }
    expect(uetrs[0]).toBe(uetrs[1])
    expect(uetrs[0]).not.toBe(uetrs[2])
  })

  test.each([
    ['a long name', { ...RECIPIENT, name: 'ñ'.repeat(500) }],
    [
      'everything known',
      { ...RECIPIENT, email: 'ana@example.com', mobile: '+639171234567', country: 'PH', address: 'x '.repeat(400) },
    ],
    ['a code of the clearing house', { ...RECIPIENT, tag: 'LANDBANK' }],
    ['controls in the name', { ...RECIPIENT, name: 'A\u0000n\u001ba\ud800' }],
  ])('is valid and taken with %s', async (_, recipient) => {
    const order = rail.order('1.00', { recipient, description: 'é'.repeat(1000) })
    const bytes = messageIn(await requestOf(rail, (connector) => connector.send(order)))
    expect(schemaFaults('pacs.008.001.08', bytes)).toEqual([])
    expect(await rail.connector.send(order)).toMatchObject({ kind: 'delivered' })
    expect(await rail.truth(order.reference)).toMatchObject({ account: recipient.wallet, bank: recipient.tag })
  })

  test.each([
    ['no account', { ...RECIPIENT, wallet: null }, 'invalid_account'],
    ['an account that is too long', { ...RECIPIENT, wallet: '1'.repeat(35) }, 'invalid_account'],
    ['no bank', { ...RECIPIENT, tag: null }, 'invalid_bank'],
    ['a bank that is too long', { ...RECIPIENT, tag: 'B'.repeat(36) }, 'invalid_bank'],
  ])('never leaves with %s', async (_, recipient, code) => {
    const order = rail.order('1.00', { recipient })
    expect(await rail.connector.send(order)).toMatchObject({ kind: 'failed', code })
    expect(await rail.truth(order.reference)).toBeNull()
  })

  test('never leaves in another currency', async () => {
    const order = rail.order('1.00', { currency: 'USD' })
    expect(await rail.connector.send(order)).toMatchObject({ kind: 'failed', code: 'wrong_currency' })
    expect(await rail.truth(order.reference)).toBeNull()
  })
})

test('one centavo over the limit of the rail is refused by the rail', async () => {
  const order = rail.order('50000.01')
  expect(await rail.connector.send(order)).toMatchObject({ kind: 'failed', code: 'AM02' })
  expect(await rail.truth(order.reference)).toMatchObject({ status: 'refused', executions: 0 })
})

test.each(['AB08', 'AM05', 'DUPL', 'NARR', 'MS03', 'FOCR'])('a rejection for %s is unknown', async (code) => {
  const order = rail.order('1.00')
  const end = await rail.script({ match: { reference: order.reference }, verdict: 'refused', code })
  expect(await rail.connector.send(order)).toMatchObject({ kind: 'unknown' })
  await end()
})

describe('believes nothing', () => {
  const reason = (code: string | null, proprietary: string | null = null) => ({ code, proprietary, info: [] })

  function report(change: Partial<ReportedTransfer>, original: Partial<BankStatusReport> = {}): Said {
    const { reference } = order()
    const transfer: ReportedTransfer = {
      originalInstructionId: null,
      originalEndToEndId: reference,
      status: 'ACSC',
      reasons: [],
      amount: { amountDecimal: '100.00', currency: 'PHP' },
      ...change,
    }
    const body = writePacs002({
      messageId: 'S1',
      createdAt: '2026-07-01T08:00:00Z',
      originalMessageId: reference,
      originalMessageName: 'pacs.008.001.08',
      groupStatus: null,
      groupReasons: [],
      transfers: [transfer],
      ...original,
    })
    return { status: 200, type: 'application/xml', body }
  }

  const order = () => rail.order('100.00', { reference: 'f'.repeat(32).concat('001') })
  const php = (amountDecimal: string) => ({ amount: { amountDecimal, currency: 'PHP' } })

  test.each<[string, () => Said, string]>([
    ['the truth', () => report({}), 'delivered'],
    [
      'the truth as text/xml with a character set',
      () => ({ ...report({}), type: 'text/xml; charset=UTF-8' }),
      'delivered',
    ],
    ['credited to the creditor', () => report({ status: 'ACCC' }), 'delivered'],
    ['in process', () => report({ status: 'ACSP' }), 'accepted'],
    ['pending', () => report({ status: 'PDNG' }), 'accepted'],
    ['a known rejection', () => report({ status: 'RJCT', reasons: [reason('AC04')] }), 'failed'],
    ['a rejection nobody has read about', () => report({ status: 'RJCT', reasons: [reason('ZZ99')] }), 'unknown'],
    ['a rejection in words of its own', () => report({ status: 'RJCT', reasons: [reason(null, 'AC04')] }), 'unknown'],
    ['a rejection without a reason', () => report({ status: 'RJCT' }), 'unknown'],
    ['two reasons that differ', () => report({ status: 'RJCT', reasons: [reason('AC04'), reason('NARR')] }), 'unknown'],
    ['a status nobody has read about', () => report({ status: 'BLCK' }), 'unknown'],
    ['another reference', () => report({ originalEndToEndId: 'another' }), 'unknown'],
    ['another message', () => report({}, { originalMessageId: 'another' }), 'unknown'],
    ['another amount', () => report(php('100.01')), 'unknown'],
    ['another currency', () => report({ amount: { amountDecimal: '100.00', currency: 'USD' } }), 'unknown'],
    ['no amount', () => report({ amount: null }), 'unknown'],
    ['nothing about a transfer', () => report({}, { transfers: [] }), 'unknown'],
    [
      'a group that is rejected',
      () => report({}, { transfers: [], groupStatus: 'RJCT', groupReasons: [reason('AC04')] }),
      'unknown',
    ],
    ['a text that breaks off', () => ({ ...report({}), body: report({}).body.slice(0, -20) }), 'unknown'],
    [
      'another version',
      () => ({ ...report({}), body: report({}).body.replaceAll('pacs.002.001.10', 'pacs.002.001.12') }),
      'unknown',
    ],
    [
      'a DOCTYPE',
      () => ({ ...report({}), body: report({}).body.replace('<Document', '<!DOCTYPE x><Document') }),
      'unknown',
    ],
    ['another type', () => ({ ...report({}), type: 'text/html' }), 'unknown'],
    ['no type', () => ({ ...report({}), type: '' }), 'unknown'],
    ['a redirect', () => ({ ...report({}), status: 302 }), 'unknown'],
    ['no credentials', () => ({ ...report({}), status: 401 }), 'unknown'],
    ['a conflict', () => ({ ...report({}), status: 409 }), 'unknown'],
    ['too many requests', () => ({ ...report({}), status: 429 }), 'unknown'],
    ['an error with the truth in it', () => ({ ...report({}), status: 500 }), 'unknown'],
    ['a 404 of a proxy', () => ({ status: 404, type: 'text/html', body: '{"code":"not_found"}' }), 'unknown'],
    ['another 404', () => ({ status: 404, type: 'application/json', body: '{"code":"no_such_route"}' }), 'unknown'],
  ])('%s', async (_, said, kind) => {
    expect(await heard(rail, order(), said())).toEqual([kind, kind])
  })

  test.each([...BANK_REFUSALS])('%s is a refusal', async (code) => {
    expect(await heard(rail, order(), report({ status: 'RJCT', reasons: [reason(code)] }))).toEqual([
      'failed',
      'failed',
    ])
  })
})
