// What a bank's statement says of our orders, as banks write it: money that came back is back however it is marked, and what takes
// back a credit is no payout. And what each comes to where the books are compared, day by day and in a recovery.
import { describe, expect, test } from 'vitest'
import type { TakenOrder } from '../../src/connectors/connector.ts'
import {
  compareStatement,
  dayFrom,
  dayText,
  type Line,
  type Stand,
  standOf,
} from '../../src/domain/channel/reconcile.ts'
import { attemptReference } from '../../src/domain/contract/ids.ts'
import { answerTo } from '../../src/domain/recovery/compare.ts'
import { ordersIn } from '../../src/domain/recovery/listed.ts'
import type { Entry } from '../../src/formats/iso20022/camt053.ts'
import { ask, paidContract } from '../rig/model/one-contract.ts'
import { bankEntry, bankStatement, linesIn } from './bank-statements.ts'

const DAY = '2026-03-31'
const OURS = attemptReference('0189abcd-0000-7000-8000-000000000001', 1)
const CLOSED = { code: 'AC04', proprietary: null, info: [] }

const debit = bankEntry('debit', OURS)
const credit = (endToEndId: string | null, changes: Partial<Entry> = {}) => bankEntry('credit', endToEndId, changes)
const back = credit(OURS, { isReversal: true, isReturn: true })
const part = { endToEndId: 'E2E-1', amount: null, returned: null, isReturn: false }

const read = async (entries: readonly Entry[]) => linesIn(bankStatement(DAY, entries), DAY)
const shown = (lines: readonly TakenOrder[] | null) => lines?.map(({ kind, reference }) => [kind, reference])

describe('a credit', () => {
  test.each<[what: string, entry: Entry]>([
    ['with a reason of return', credit('E2E-1', { transfers: [{ ...part, returned: CLOSED }] })],
    ['that is a reversal', credit('E2E-1', { isReversal: true })],
    ['coded as a return', credit('E2E-1', { isReturn: true })],
    ['of which a transfer is coded as a return', credit('E2E-1', { transfers: [{ ...part, isReturn: true }] })],
  ])('%s came back', async (_, entry) => {
    expect(shown(await read([entry]))).toEqual([['returned', 'E2E-1']])
  })

  test('under a reference of ours came back, marked or not', async () => {
    expect(shown(await read([credit(OURS)]))).toEqual([['returned', OURS]])
    expect(shown(await read([credit(null, { reference: OURS, transfers: [] })]))).toEqual([['returned', OURS]])
    const marks = (await read([credit(OURS), back, debit]))?.map(({ isUnmarked }) => isUnmarked)
    expect(marks).toEqual([true, undefined, undefined])
  })

  test('of somebody else, under no reference of ours, is a deposit', async () => {
    expect(await read([credit('INVOICE-7'), credit(null, { transfers: [] })])).toEqual([])
  })

  test.each([
    ['1', [['returned', 'E2E-1']]],
    ['false', []],
    ['0', []],
    ['maybe', undefined],
  ])('whose reversal is said as %s', async (written, lines) => {
    const text = bankStatement(DAY, [credit('E2E-1', { isReversal: true })])
    expect(shown(await linesIn(text.replace('<RvslInd>true<', `<RvslInd>${written}<`), DAY))).toEqual(lines)
  })

  test('that was cancelled at our request came back; a code of the bank’s own says nothing', async () => {
    const text = bankStatement(DAY, [credit('E2E-1', { isReturn: true })])
    expect(shown(await linesIn(text.replace('>RRTN<', '>RPCR<'), DAY))).toEqual([['returned', 'E2E-1']])
    const own = text.replace(/<BkTxCd>.*?<\/BkTxCd>/, '<BkTxCd><Prtry><Cd>RRTN</Cd></Prtry></BkTxCd>')
    expect(await linesIn(own, DAY)).toEqual([])
  })
})

describe('a debit', () => {
  test.each<[what: string, changes: Partial<Entry>]>([
    ['that is a reversal', { isReversal: true }],
    ['coded as a return', { isReturn: true }],
    ['with a reason of return', { transfers: [{ ...part, endToEndId: OURS, returned: CLOSED }] }],
  ])('%s takes back a credit: it is none of our orders, and not passed over', async (_, changes) => {
    const lines = await read([bankEntry('debit', OURS, changes)])
    expect(lines).toMatchObject([{ kind: 'sent', reference: `reversal of ${OURS}`, note: expect.any(String) }])
  })

  test('that is pending is accepted, unless it takes back a credit', async () => {
    const entries = [debit, bankEntry('debit', OURS, { isReversal: true })]
    const pending = entries.map((entry) => ({ ...entry, status: 'PDNG' }))
    expect(shown(await read(pending))).toEqual([['accepted', OURS]])
  })

  test('that was booked twice and reversed once went once; one that was reversed came back', async () => {
    const reversal = credit(OURS, { isReversal: true })
    expect(shown(await read([debit, reversal, debit]))).toEqual([['sent', OURS]])
    expect(shown(await read([debit, reversal]))).toEqual([
      ['sent', OURS],
      ['returned', OURS],
    ])
    // A return is a payment of its own, and says nothing of how often the order was booked.
    const returned = credit(OURS, { isReturn: true })
    expect(shown(await read([debit, debit, returned]))).toHaveLength(3)
    const other = credit(OURS, { isReversal: true, amountDecimal: '1.00' })
    expect(shown(await read([debit, debit, other]))).toHaveLength(3)
    const foreign = [bankEntry('debit', 'FEE'), bankEntry('debit', 'FEE'), credit('FEE', { isReversal: true })]
    expect(shown(await read(foreign))).toHaveLength(3)
  })
})

describe('what the books make of it', () => {
  const CONNECTOR = { notFoundFinalAfterMs: 1000, dedupeLifetimeMs: null, inquiry: true }
  const paid = (outcomes: readonly ('delivered' | 'returned')[]) => {
    const one = paidContract(false)
    const { id } = one.contract
    const { number, channelId } = one.attempt!
    for (const kind of outcomes) {
      const outcome = kind === 'returned' ? { kind, code: 'c', message: 'm' } : { kind, providerId: null }
      ask(one, { verb: 'report', id, number, channelId, fence: null, outcome, connector: CONNECTOR })
    }
    return one.contract
  }
  /** Debit, and credit that is marked by its code and its indicator alone. */
  const statementOf = async (contract: ReturnType<typeof paid>, entries: readonly Entry[]) => {
    const stand = standOf(contract, 1)!
    const named = entries.map((entry) => ({
      ...entry,
      amountDecimal: `${stand.amountMinor / 100n}.${String(stand.amountMinor % 100n).padStart(2, '0')}`,
      transfers: [{ ...part, endToEndId: stand.reference }],
    }))
    return { stand, lines: (await read(named))! }
  }

  test.each<[books: ('delivered' | 'returned')[], reported: string[]]>([
    [[], ['delivered', 'returned']],
    [['delivered'], ['returned']],
  ])('a day of an attempt after %j: %j is reported', async (books, reported) => {
    const { stand, lines } = await statementOf(paid(books), [debit, back])
    const day = dayFrom(DAY)!
    const known = new Map([[stand.reference, { ...stand, deliveredAtMs: Date.parse(`${DAY}T04:00:00Z`) }]])
    const stated = [{ day, lines: lines as readonly Line[] }]
    const found = compareStatement({ day, channelId: 'rail', stated, known, ours: [], dayIs: 'over' })
    expect(found.statedOutcomes.map(({ outcomes }) => outcomes)).toEqual([reported])
    expect(found.discrepancies.filter(({ kind }) => kind === 'extra')).toEqual([])
  })

  test('a return that the bank takes back is an extra line, and completes nothing', async () => {
    const { stand, lines } = await statementOf(paid([]), [bankEntry('debit', OURS, { isReversal: true })])
    const day = dayFrom(DAY)!
    const known = new Map([[stand.reference, stand]])
    const stated = [{ day, lines: lines as readonly Line[] }]
    const found = compareStatement({ day, channelId: 'rail', stated, known, ours: [], dayIs: 'over' })
    expect(found).toMatchObject({ statedOutcomes: [], discrepancies: [{ kind: 'extra' }] })
  })

  test.each<[books: ('delivered' | 'returned')[], answer: object]>([
    [[], { kind: 'report', outcomes: ['delivered', 'returned'] }],
    [['delivered'], { kind: 'report', outcomes: ['returned'] }],
    [['delivered', 'returned'], { kind: 'matched' }],
  ])('an order in a recovery after %j', async (books, answer) => {
    const contract = paid(books)
    const { stand, lines } = await statementOf(contract, [debit, back])
    const { reference, contractId, number, amountMinor, currency } = stand
    const ended = lines.at(-1)!.kind
    expect(
      answerTo(contract, { reference, contractId, number, channelId: 'rail', ended, amountMinor, currency }),
    ).toEqual(answer)
  })
})

const day = dayFrom(DAY)!
const noonMs = Date.parse(`${DAY}T04:00:00Z`)
const out = (outcome: 'open' | 'delivered', daysAgo = 1): Stand => ({
  ...standOf(paidContract(false).contract, 1)!,
  reference: OURS,
  outcome,
  sentAtMs: noonMs - daysAgo * 86_400_000,
  deliveredAtMs: outcome === 'open' ? null : noonMs - daysAgo * 86_400_000,
})

/** Entries of the day before, of the day, and of the day after. */
const statedAs = async (...days: readonly Entry[][]) =>
  Promise.all(
    days.map(async (entries, index) => {
      const each = day - 1 + index
      const lines = await linesIn(bankStatement(dayText(each), entries), dayText(each))
      return { day: each, lines: lines as readonly Line[] }
    }),
  )
const NONE: ReadonlyMap<string, Stand> = new Map()

describe('what went again after it came back', () => {
  const reversal = credit(OURS, { isReversal: true })
  const returned = credit(OURS, { isReturn: true })
  const undone = bankEntry('debit', OURS, { isReversal: true })

  const EXTRA = ['extra', 'sent', OURS]
  const DIFFERS = ['differs', 'returned', OURS]
  const UNDONE = ['extra', 'sent', `reversal of ${OURS}`]
  test.each<[what: string, stand: Stand, days: Entry[][], found: string[][]]>([
    ['a debit booked anew on the day after', out('delivered'), [[debit], [reversal, debit]], [EXTRA, DIFFERS]],
    ['the same, while the books have it open', out('open'), [[debit], [debit, reversal]], [EXTRA, DIFFERS]],
    ['one whose first booking is not stated', out('delivered', 5), [[], [reversal, debit]], [EXTRA, DIFFERS]],
    ['a debit booked anew on the day after its reversal', out('delivered'), [[debit], [reversal], [debit]], [DIFFERS]],
    ['a return that the bank takes back', out('delivered'), [[debit], [returned, undone]], [UNDONE, DIFFERS]],
    ['one of an order that was long ago', out('delivered', 5), [[], [undone, returned]], [UNDONE, DIFFERS]],
    ['one that it takes back on the day after', out('delivered'), [[debit], [returned], [undone]], [DIFFERS]],
  ])('is with the payee, and for a person to look at: %s', async (_, stand, days, expected) => {
    const stated = await statedAs(...days)
    const known = new Map([[OURS, stand]])
    const found = compareStatement({ day, channelId: 'rail', stated, known, ours: [], dayIs: 'over' })
    expect(found.statedOutcomes).toEqual([])
    expect(found.discrepancies.map(({ kind, line, reference }) => [kind, line, reference])).toEqual(expected)
  })

  const other = bankEntry('debit', OURS, { amountDecimal: '1.00' })
  test.each<[what: string, days: Entry[][]]>([
    ['as often as it went', [[debit], [reversal, debit], [reversal]]],
    ['and what went is over another amount', [[debit], [reversal, other]]],
  ])('is back where it came back %s', async (_, days) => {
    const stated = await statedAs(...days)
    const known = new Map([[OURS, out('delivered')]])
    const found = compareStatement({ day, channelId: 'rail', stated, known, ours: [], dayIs: 'over' })
    expect(found.statedOutcomes.map(({ outcomes }) => outcomes)).toEqual([['returned']])
    const [order] = ordersIn(
      'rail',
      stated.flatMap(({ lines }) => lines),
      NONE,
      day - 1,
    )
    expect(order).toMatchObject({ ended: 'returned', amountMinor: 10_000n })
  })

  test.each<[what: string, days: Entry[][]]>([
    ['booked anew', [[debit], [reversal, debit]]],
    ['whose return the bank took back', [[debit], [returned, undone]]],
  ])('is one order in a recovery, and sent: one %s', async (_, days) => {
    const lines = (await statedAs(...days)).flatMap(({ lines: of }) => of)
    for (const each of [lines, lines.toReversed()])
      expect(ordersIn('rail', each, NONE, day - 1)).toMatchObject([
        { reference: OURS, ended: 'sent', amountMinor: 10_000n },
      ])
  })

  test.each<[what: string, stand: Stand, days: Entry[][], ended: string]>([
    ['booked anew, is with the payee', out('delivered', 5), [[], [reversal, debit]], 'sent'],
    ['whose return the bank took back, is', out('delivered', 5), [[], [returned, undone]], 'sent'],
    ['that came back, is back', out('delivered', 5), [[returned]], 'returned'],
    ['whose debit is listed, is back', out('delivered', 1), [[debit], [returned]], 'returned'],
    ['that the bank booked a day later, is back', out('delivered', 2), [[debit], [returned]], 'returned'],
    [
      'that the bank booked after a weekend, is back',
      out('delivered', 0),
      [[], [], [], [debit], [returned]],
      'returned',
    ],
    ['that is open, is none of before', out('open', 5), [[debit, returned]], 'returned'],
  ])('in a recovery, of an order that was delivered before the list begins: one %s', async (_, stand, days, ended) => {
    const lines = (await statedAs(...days)).flatMap(({ day, lines: of }) => of.map((line) => ({ ...line, day })))
    const known = new Map([[OURS, stand]])
    for (const each of [lines, lines.toReversed()])
      expect(ordersIn('rail', each, known, day - 1)).toMatchObject([{ reference: OURS, ended }])
  })
})

describe('a credit under a reference of ours that nothing marks', () => {
  const plain = credit(OURS)
  const peso = credit(OURS, { amountDecimal: '1.00' })
  const returned = credit(OURS, { isReturn: true })
  const out1 = out('delivered')
  const compared = async (stands: readonly Stand[], days: readonly Entry[][], ours: readonly Stand[] = []) => {
    const known = new Map(stands.map((stand) => [stand.reference, stand]))
    const stated = await statedAs(...days)
    return compareStatement({ day, channelId: 'rail', stated, known, ours, dayIs: 'over' })
  }

  test.each<[what: string, stands: Stand[], days: Entry[][], outcomes: string[][]]>([
    ['of nobody', [], [[], [plain]], []],
    ['of another channel', [{ ...out1, channelId: 'other' }], [[], [plain]], []],
    ['of one that failed', [{ ...out1, outcome: 'failed' }], [[], [plain]], []],
    ['of one that came back long ago', [{ ...out('delivered', 9), outcome: 'returned' }], [[], [plain]], []],
    ['over another amount', [out1], [[debit], [peso]], []],
    ['a day after one that came back', [out1], [[debit, returned], [plain]], []],
    ['beside one that is marked', [out1], [[debit], [plain, returned]], [['returned']]],
    ['twice on a day', [out1], [[debit], [plain, plain]], [['returned']]],
    ['after a peso', [out1], [[debit, peso], [returned]], [['returned']]],
  ])('is passed over as a deposit: %s', async (_, stands, days, outcomes) => {
    const found = await compared(stands, days)
    expect(found.discrepancies).toEqual([])
    expect(found.statedOutcomes.map((each) => each.outcomes)).toEqual(outcomes)
  })

  test.each<[stand: Stand, outcomes: string[]]>([
    [out1, ['returned']],
    [out('open'), ['delivered', 'returned']],
  ])('came back where the order is out', async (stand, outcomes) => {
    expect(await compared([stand], [[], [plain]])).toMatchObject({ statedOutcomes: [{ outcomes }], discrepancies: [] })
  })

  test('proves no return that the books have over another amount', async () => {
    const done: Stand = { ...out('delivered', 0), outcome: 'returned', returnedAtMs: noonMs }
    const missing = async (entry: Entry) => (await compared([done], [[], [debit, entry]], [done])).discrepancies
    expect(await missing(peso)).toMatchObject([{ kind: 'missing', line: 'returned' }])
    expect(await missing(plain)).toEqual([])
  })

  test.each<[what: string, stands: Stand[], entries: Entry[], ends: string[]]>([
    ['of nobody', [], [plain], []],
    ['of another channel', [{ ...out1, channelId: 'other' }], [plain], []],
    ['of one that failed', [{ ...out1, outcome: 'failed' }], [plain], []],
    ['over another amount than the debit', [out1], [debit, peso], ['sent']],
    ['beside one that is marked, of a debit booked twice', [out1], [debit, debit, plain, returned], ['sent']],
    ['of one that is out', [out1], [plain], ['returned']],
    ['whose debit is listed', [], [debit, plain], ['returned']],
  ])('in a recovery: %s', async (_, stands, entries, ends) => {
    const known = new Map(stands.map((stand) => [stand.reference, stand]))
    for (const lines of [(await read(entries))!, (await read(entries))!.toReversed()])
      expect(ordersIn('rail', lines, known, day - 1).map(({ ended }) => ended)).toEqual(ends)
  })
})

test('an entry for several orders is each of them, whether their amounts stand alone or among their details', async () => {
  const amounts = [
    ['0189abcd000070008000000000000002001', '60.00'],
    ['0189abcd000070008000000000000003001', '40.00'],
  ] as const
  const transfers = amounts.map(([endToEndId, amountDecimal]) => ({
    endToEndId,
    amount: { amountDecimal, currency: 'PHP' },
    returned: null,
    isReturn: false,
  }))
  const text = bankStatement(DAY, [bankEntry('debit', null, { transfers })])
  const own = /(<TxDtls>.*?)(<Amt Ccy="PHP">[\d.]+<\/Amt>)/g
  const detailed = text.replace(own, '$1<AmtDtls><TxAmt>$2</TxAmt></AmtDtls>')
  expect(detailed).not.toBe(text)
  for (const each of [text, detailed])
    expect(
      (await linesIn(each, DAY))?.map(({ kind, reference, amountDecimal }) => [kind, reference, amountDecimal]),
    ).toEqual(amounts.map(([reference, amountDecimal]) => ['sent', reference, amountDecimal]))
  // One alone is worth its entry: what its details say may be without the charges.
  const [first] = transfers
  const alone = bankStatement(DAY, [bankEntry('debit', null, { transfers: first ? [{ ...first, amount: null }] : [] })])
  const charged = alone.replace('</Refs>', '</Refs><AmtDtls><TxAmt><Amt Ccy="PHP">99.00</Amt></TxAmt></AmtDtls>')
  expect(charged).not.toBe(alone)
  expect((await linesIn(charged, DAY))?.map(({ amountDecimal }) => amountDecimal)).toEqual(['100.00'])
})
