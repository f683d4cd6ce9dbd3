// What every rail of the provider must tell alike: what happened later, and the statement of the day. The words of a rail
// are handed in.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { ParsesCallbacks, FetchesStatements, PollsEvents, Connector } from '../../src/connectors/connector.ts'
import { railConformance } from '../conformance/conformance.ts'
import type { SendOrder } from '../../src/domain/channel/outcome.ts'
import {
  type Balance,
  type Entry,
  type EntryTransfer,
  type Statement,
  writeCamt053,
} from '../../src/formats/iso20022/camt053.ts'
import { TOKEN } from './provider.ts'
import { heardBy, manilaDay, type Rail, type Said } from './rail-bench.ts'

type Telling = Connector & PollsEvents & ParsesCallbacks & FetchesStatements

type Words = {
  /** How the rail names an account that closed. */
  readonly accountClosed: string
  /** How it names money that came back for it. */
  readonly returned: string
  /** What an inquiry says after a return: a rail of the standard has other messages for it, and says settled. */
  readonly afterReturn: 'delivered' | 'returned'
  /** What the first answer to an order that completes is. */
  readonly firstWord: 'delivered' | 'accepted'
}

export function conformanceOf(rail: () => Rail<Telling>): void {
  describe('conformance', () => {
    const checks = railConformance(() => rail().bench())
    // Each check throws when the connector does not hold it.
    test.each(checks.map((check) => [check.name, check] as const))('%s', async (_, check) => {
      await expect(check.run()).resolves.toBeUndefined()
    })
  })
}

/** To its end: a list may come in pages. */
async function allNews(connector: PollsEvents, from: number) {
  const outcomes: Record<string, string[]> = {}
  let position = from
  for (;;) {
    const page = await connector.pollEvents(position)
    if (page.items.length === 0) return { outcomes, position }
    position = page.position
    for (const { reference, outcome } of page.items)
      outcomes[reference] = [
        ...(outcomes[reference] ?? []),
        'code' in outcome ? `${outcome.kind} ${outcome.code}` : outcome.kind,
      ]
  }
}

export function newsStories(rail: () => Rail<Telling>, words: Words): void {
  describe('news', () => {
    test('late completions, refusals and bounces are told once, in the words of the rail', async () => {
      const { connector, order, advance } = rail()
      const before = await allNews(connector, 0)
      const [late, refused, bounce] = [order('7.11'), order('7.53'), order('7.51')]
      for (const each of [late, refused]) expect((await connector.send(each)).kind).toBe('accepted')
      expect((await connector.send(bounce)).kind).toBe(words.firstWord)
      await advance(10)
      const { outcomes, position } = await allNews(connector, before.position)
      expect(outcomes[late.reference]).toEqual(['delivered'])
      expect(outcomes[refused.reference]).toEqual([`failed ${words.accountClosed}`])
      expect(outcomes[bounce.reference]?.at(-1)).toBe(`returned ${words.returned}`)
      expect(await connector.pollEvents(position)).toEqual({ items: [], position })

      const kinds = await Promise.all([late, refused, bounce].map((each) => connector.check(each.reference, each)))
      expect(kinds.map(({ kind }) => kind)).toEqual(['delivered', 'failed', words.afterReturn])
    })

    const event = { number: 8, reference: 'r', id: 'i', status: 'completed', code: null, message: null }
    const list = (...events: object[]): Said => json({ events, next: 99 })
    const nothing = { items: [], position: 7 }
    test.each<[string, Said, unknown]>([
      [
        'an event',
        list(event),
        { items: [{ reference: 'r', outcome: { kind: 'delivered', providerId: 'i' } }], position: 8 },
      ],
      ['an unknown status', list({ ...event, status: 'gone' }), kindOf('unknown')],
      ['a refusal nobody has read about', list({ ...event, status: 'refused', code: 'NEW' }), kindOf('unknown')],
      ['a refusal without a code', list({ ...event, status: 'refused' }), kindOf('unknown')],
      ['an event without a reference', list({ ...event, reference: null }), { items: [], position: 8 }],
      ['an empty list', list(), nothing],
      ['an event that was told before', list({ ...event, number: 7 }), nothing],
      ['numbers that fall', list({ ...event, number: 9 }, event), nothing],
      ['a number that is a text', list({ ...event, number: '8' }), nothing],
      ['a list with a hole', list(event, null as unknown as object), nothing],
      ['no list', json({ next: 99 }), nothing],
      ['a broken text', { ...list(event), body: '{"events":[' }, nothing],
      ['another type', { ...list(event), type: 'text/html' }, nothing],
      ['an error', { ...list(event), status: 500 }, nothing],
      ['a redirect', { ...list(event), status: 302 }, nothing],
    ])('%s', async (_, said, told) => {
      expect(await heardBy(rail(), said, (connector) => connector.pollEvents(7))).toEqual(told)
    })
  })
}

export function noticeStories(rail: () => Rail<Telling>, name: string, words: Words): void {
  describe('a callback', () => {
    const object = { rail: name, reference: 'r', amount: '100.50', currency: 'PHP', code: null, message: null }
    const money = { reference: 'r', amountDecimal: '100.50', currency: 'PHP' }
    const { accountClosed, returned } = words

    test.each<[string, object, unknown]>([
      ['completed', { status: 'completed' }, { ...money, outcome: { kind: 'delivered', providerId: null } }],
      ['completed, in fewer digits', { status: 'completed', amount: '100.5' }, expect.objectContaining(money)],
      ['accepted', { status: 'accepted' }, { ...money, outcome: { kind: 'accepted', providerId: null } }],
      ['refused', { status: 'refused', code: accountClosed }, { ...money, outcome: ending('failed', accountClosed) }],
      ['returned', { status: 'returned', code: returned }, { ...money, outcome: ending('returned', returned) }],
      ['refused for nobody knows what', { status: 'refused', code: 'NEW' }, { ...money, outcome: doubt }],
      ['nothing that has a meaning', { status: 'gone' }, { ...money, outcome: doubt }],
      ['something of another rail', { status: 'completed', rail: 'sandbox' }, null],
      ['no reference', { status: 'completed', reference: null }, null],
      ['no amount', { status: 'completed', amount: undefined }, null],
      ['an amount that is a number', { status: 'completed', amount: 100.5 }, null],
      ['an amount that no peso has', { status: 'completed', amount: '100.505' }, null],
      ['no currency', { status: 'completed', currency: 7 }, null],
    ])('says %s', (_, change, heard) => {
      expect(rail().connector.parseCallback({ ...object, ...change })).toEqual(heard)
    })
  })
}

const doubt = { kind: 'unknown', reason: expect.any(String) as string }
const ending = (kind: string, code: string) => ({ kind, code, message: '' })

function kindOf(kind: string) {
  return { items: [{ reference: 'r', outcome: expect.objectContaining({ kind }) }], position: 8 }
}

const json = (body: unknown): Said => ({ status: 200, type: 'application/json', body: JSON.stringify(body) })

const balance = (amountDecimal: string, day = '2026-07-01'): Balance => ({
  amountDecimal,
  currency: 'PHP',
  direction: 'credit',
  day,
})
const part = (amountDecimal: string, endToEndId: string): EntryTransfer => ({
  endToEndId,
  amount: { amountDecimal, currency: 'PHP' },
  returned: null,
  isReturn: false,
})
const entry = (amountDecimal: string, change: Partial<Entry> = {}): Entry => ({
  reference: null,
  amountDecimal,
  currency: 'PHP',
  direction: 'debit',
  status: 'BOOK',
  bookedOn: '2026-07-01',
  isReversal: false,
  isReturn: false,
  transfers: [],
  ...change,
})
const CLOSED = { code: 'AC04', proprietary: null, info: [] }
/** A batch of two, and one that came back: its amount is said by the entry alone. */
const ENTRIES: readonly Entry[] = [
  entry('50.00', { transfers: [part('30.00', 'one'), part('20.00', 'two')] }),
  entry('5.00', {
    direction: 'credit',
    transfers: [{ endToEndId: 'three', amount: null, returned: CLOSED, isReturn: false }],
  }),
]
const TRUTH: Statement = {
  messageId: 'T1',
  createdAt: '2026-07-02T00:00:00Z',
  statementId: 'S1',
  account: '990000000001',
  opening: balance('100.00'),
  closing: balance('55.00'),
  entries: ENTRIES,
}
const line = (kind: string, amountDecimal: string, reference: string): Line => ({
  reference,
  kind,
  amountDecimal,
  currency: 'PHP',
})

type Line = { reference: string; kind: string; amountDecimal: string; currency: string }

export function statementStories(rail: () => Rail<Telling>): void {
  describe('statement', () => {
    const statementOf = async (order: SendOrder) =>
      ((await rail().connector.fetchStatement(await today())) as readonly Line[] | null)
        ?.filter(({ reference }) => reference === order.reference)
        .map(({ kind, amountDecimal, currency }) => [kind, amountDecimal, currency])

    const today = async () => {
      const response = await fetch(`${rail().url}/clock`, { headers: { authorization: `Bearer ${TOKEN}` } })
      return manilaDay(Date.parse(((await response.json()) as { now: string }).now))
    }

    test('what went out and what came back, as the books have it', async () => {
      const { connector, order, advance } = rail()
      const [paid, bounced, refused, waiting] = [order('31.07'), order('31.51'), order('31.21'), order('31.52')]
      for (const each of [paid, bounced, refused, waiting]) await connector.send(each)
      await advance(10)
      expect(await statementOf(paid)).toEqual([['sent', '31.07', 'PHP']])
      expect(await statementOf(bounced)).toEqual([
        ['sent', '31.51', 'PHP'],
        ['returned', '31.51', 'PHP'],
      ])
      expect(await statementOf(refused)).toEqual([])
      // Pending on the day that is running.
      expect(await statementOf(waiting)).toEqual([['accepted', '31.52', 'PHP']])
    })

    test('a line that is missing and one too many are there to be found', async () => {
      const { connector, order, script, advance } = rail()
      const [omitted, strange] = [order('32.07'), order('32.08')]
      await connector.send(omitted)
      await advance(1)
      const ends = [
        await script({ statement: { omit: omitted.reference } }),
        await script({ statement: { extra: { reference: strange.reference, amount: '32.08' } } }),
      ]
      expect(await statementOf(omitted)).toEqual([])
      expect(await statementOf(strange)).toEqual([['sent', '32.08', 'PHP']])
      for (const end of ends) await end()
      expect(await statementOf(omitted)).toHaveLength(1)
    })

    test.each<[string, Partial<Statement>, Partial<Said>, unknown]>([
      [
        'the truth',
        {},
        {},
        [line('sent', '30.00', 'one'), line('sent', '20.00', 'two'), line('returned', '5.00', 'three')],
      ],
      ['no entries', { closing: balance('100.00'), entries: [] }, {}, []],
      [
        'entries that are not booked',
        { entries: [...ENTRIES, entry('9.00', { status: 'PDNG' })] },
        {},
        expect.any(Array),
      ],
      [
        'a deposit of our own',
        { closing: balance('56.00'), entries: [...ENTRIES, entry('1.00', { direction: 'credit' })] },
        {},
        expect.any(Array),
      ],
      [
        'a line without a reference',
        { closing: balance('99.00'), entries: [entry('1.00')] },
        {},
        [line('sent', '1.00', 'NOTPROVIDED')],
      ],
      ['balances that the lines do not make up', { closing: balance('55.01') }, {}, null],
      ['a line that was cut out', { entries: ENTRIES.slice(1) }, {}, null],
      ['another day', { closing: balance('55.00', '2026-07-02') }, {}, null],
      [
        'a batch whose parts are not the whole',
        { entries: [entry('50.00', { transfers: [part('30.00', 'one')] }), ...ENTRIES.slice(1)] },
        {},
        null,
      ],
      ['two currencies', { closing: { ...balance('55.00'), currency: 'USD' } }, {}, null],
      ['another type', {}, { type: 'text/html' }, null],
      ['an error', {}, { status: 500 }, null],
      ['a text that breaks off', {}, { body: writeCamt053(TRUTH).slice(0, -20) }, null],
    ])('%s', async (_, change, said, lines) => {
      const truth = { status: 200, type: 'application/xml', body: writeCamt053({ ...TRUTH, ...change }) }
      const read = await heardBy(rail(), { ...truth, ...said }, (connector) => connector.fetchStatement('2026-07-01'))
      expect(read).toEqual(lines)
    })

    test('a day that has not begun has none, nor has what is no day', async () => {
      expect(await rail().connector.fetchStatement('2999-01-01')).toBeNull()
      expect(await rail().connector.fetchStatement(`../events?after=${randomUUID()}`)).toBeNull()
    })
  })
}
