// Statements of a wallet: JSON by pages, CSV and camt.053, which three readers of the format take alike; a wallet at a moment, and
// its entries by what they are about.
import fc from 'fast-check'
import { CashManagementEndOfDayReport } from 'iso20022.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { minorDigits } from '../../../src/domain/money/currencies.ts'
import { camt053Entry, closeCamt053, openCamt053 } from '../../../src/formats/iso20022/camt053-stream.ts'
import { readCamt053 } from '../../../src/formats/iso20022/camt053.ts'
import { dayIn, endOfDay, startOfDay } from '../../../src/platform/days.ts'
import type { StatementReply } from '../../../src/wire/wallets/statements.ts'
import type { Wire } from '../../../src/wire/shapes.ts'
import { schemaFaults } from '../../iso20022/schema-faults.ts'
import { type Caller, openWorld, type Reply } from '../../world.ts'

type Statement = Wire<typeof StatementReply>['data']['statement']
type Entry = {
  readonly sequence: number
  readonly debit: string
  readonly credit: string
  readonly contract_id: string | null
}

const world = await openWorld()
afterAll(() => world.stop())

let by: Caller
let id: string
let contract: string
let debit: number
const NASTY = '=1+1 <Müller & Söhne>, "Größe" \u0007 ]]> émoji 🎉'
const coded = ({ status, error }: Reply) => `${status} ${error.code} ${error.param}`
const ask = (path: string) => by.ask('GET', `/wallets/${id}${path}`)
const statement = async (query = '') => (await ask(`/statement${query}`)).data['statement'] as Statement
const file = async (query: string, headers: Record<string, string> = {}) =>
  world.gateway.app.inject({
    method: 'GET',
    url: `/wallets/${id}/statement${query}`,
    headers: { 'x-api-key': by.apiKey, ...headers },
  })

beforeAll(async () => {
  by = await world.newCaller({ funds: {} })
  id = (await by.wallet('PHP')).id
  for (let i = 1; i <= 8; i++)
    await by.ask('POST', `/wallets/${id}/topups`, { body: { amount: (10_001 * i) / 100, reference: `=topup ${i}` } })
  const paid = await by.paid({ amount: 50, description: NASTY })
  contract = paid.id
  debit = paid.preview.amount
  await world.settle(contract)
  await by.cancel(
    (
      await by.paid({
        amount: 70,
        channel: 'instapay',
        recipient: { name: 'Ana Reyes', wallet: '000123456789', tag: 'BNORPHMM' },
      })
    ).id,
  )
})

test('opening and the lines make the closing; pages are of one statement', async () => {
  const whole = await statement('?limit=100')
  const sum = whole.lines.reduce((minor, { amount }) => minor + Math.round(amount * 100), 0)
  expect(whole.opening).toEqual({ available: 0, held: 0, in_transit: 0, pending: 0, suspense: 0 })
  expect(Math.round(whole.closing.available * 100)).toBe(sum)
  expect(whole.lines).toHaveLength(8 + 1 + 2)
  expect(whole.lines[8]).toMatchObject({
    account: 'held',
    amount: -debit,
    contract_id: contract,
    counterparty: 'Ana Reyes',
    transaction_id: expect.stringMatching(/^txn_\d+$/),
  })
  const first = await ask('/statement?limit=6')
  const next = first.data['next'] as string
  await by.ask('POST', `/wallets/${id}/topups`, { body: { amount: 1 } })
  const rest = await ask(`/statement?limit=6&after=${encodeURIComponent(next)}`)
  const parts = [first, rest].map(({ data }) => data['statement'] as Statement)
  expect(parts.flatMap(({ lines }) => lines)).toEqual(whole.lines)
  expect(parts[1]).toMatchObject({ from: parts[0]?.from, to: parts[0]?.to, closing: parts[0]?.closing })
  expect(rest.data['next']).toBe(null)
})

test('a wallet at the moment of each line is what the line says, and a statement that ends there agrees', async () => {
  const { lines } = await statement('?limit=100')
  for (const { created_at: at } of lines) {
    // What was booked before the moment: a millisecond later it counts.
    const moment = new Date(Date.parse(at) + 1).toISOString()
    const last = lines.findLast((line) => line.created_at <= at)
    const { wallet, at: told } = (await ask(`?at=${moment}`)).data as {
      wallet: { available: number; held: number }
      at: string
    }
    const upTo = await statement(`?from=2020-01-01&to=${moment}`)
    expect([wallet.available, told, upTo.closing.available]).toEqual([
      last?.available_after,
      moment,
      last?.available_after,
    ])
    expect(upTo.closing.held).toBe(wallet.held)
  }
  expect((await ask('?at=2020-01-01')).data['wallet']).toMatchObject({ available: 0, held: 0 })
})

test('what rows of before do not say is added up', async () => {
  const before = await statement('?limit=100')
  await world.sql(
    `update ledger set held_after_minor = null, in_transit_after_minor = null, pending_after_minor = null, suspense_after_minor = null
      where wallet_id = $1`,
    [id],
  )
  for (const { created_at: to } of before.lines) {
    const moment = new Date(Date.parse(to) + 1).toISOString()
    const sums = await world.sql<{ held: string }>(
      `select coalesce(sum(case when credit = 'held' then amount_minor when debit = 'held' then -amount_minor end), 0) as held
         from ledger where wallet_id = $1 and at < $2`,
      [id, moment],
    )
    expect((await statement(`?from=2020-01-01&to=${moment}`)).closing.held).toBe(Number(sums[0]?.held) / 100)
  }
})

test.each<[string, string, string]>([
  ['a moment that has not come', '?at=2999-01-01T00:00:00Z', '400 invalid_at at'],
  ['a moment that is none', '?at=yesterday', '400 invalid_at at'],
  ['an end that has not come', '/statement?to=2999-01-01T00:00:00Z', '400 invalid_to to'],
  ['a beginning that has not come', '/statement?from=2999-01-01', '400 invalid_from from'],
  ['a period that ends before it begins', '/statement?from=2026-02-01&to=2026-01-01', '400 invalid_from from'],
  ['a day before the one it begins with', '/statement?from=2026-02-02&to=2026-02-01', '400 invalid_from from'],
  ['another format', '/statement?format=pdf', '400 invalid_format format'],
  ['a cursor of its own making', '/statement?after=1', '400 invalid_after after'],
  ['a cursor into the future', '/statement?after=1.0.99999999999999', '400 invalid_after after'],
  ['another parameter', '/statement?until=2026-01-01', '400 unknown_parameter until'],
])('%s is refused, by name', async (_, path, expected) => {
  expect(coded(await ask(path))).toBe(expected)
})

test('entries are found by contract, by ledger account and by time', async () => {
  const all = await by.all<Entry>(`/wallets/${id}/entries`, 'entries')
  const found = (query: string) => by.all<Entry>(`/wallets/${id}/entries?${query}`, 'entries', 2)
  expect(await found(`contract_id=${contract}`)).toEqual(all.filter((each) => each.contract_id === contract))
  expect(await found('account=held')).toEqual(all.filter(({ debit, credit }) => [debit, credit].includes('held')))
  expect((await found('account=external')).length).toBeGreaterThan(7)
  expect(await found('to=2020-01-01')).toEqual([])
  expect(await found('from=2020-01-01')).toEqual(all)
  expect(await found(`contract_id=${id}`)).toEqual([])
  expect(coded(await ask("/entries?account='"))).toBe('400 invalid_account account')
})

test('as CSV, with opening and closing; a text that a spreadsheet would run is none there', async () => {
  const { closing, lines } = await statement('?limit=100')
  for (const reply of [await file('?format=csv'), await file('', { accept: 'text/csv' })]) {
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
    const rows = reply.payload.trimEnd().split('\r\n')
    expect(rows).toHaveLength(1 + 1 + lines.length + 1)
    expect(rows[1]).toMatch(/^opening,0,[^,]+,,PHP,0\.00,/)
    expect(rows.at(-1)).toContain(`,,PHP,${closing.available.toFixed(2)},`)
    expect(reply.payload).toContain('"\'=1+1 <Müller & Söhne>, ""Größe""')
  }
})

describe('as camt.053', () => {
  test('three readers of the format agree with the JSON', async () => {
    const { opening, closing, lines } = await statement('?limit=100')
    const reply = await file('', { accept: 'application/xml' })
    expect(reply.headers['content-type']).toBe('application/xml; charset=utf-8')
    const bytes = Buffer.from(reply.payload)
    // The schema of the standard, by libxml2.
    expect(schemaFaults('camt.053.001.08', bytes)).toEqual([])
    // Our own reader, which reads banks' statements.
    const own = readCamt053(bytes)
    if (!('message' in own)) throw new Error(JSON.stringify(own))
    const { message } = own
    expect([message.opening.amountDecimal, message.closing.amountDecimal]).toEqual([
      opening.available.toFixed(2),
      closing.available.toFixed(2),
    ])
    expect(message.entries.map(({ amountDecimal, direction }) => `${direction} ${amountDecimal}`)).toEqual(
      lines.map(({ amount }) => `${amount < 0 ? 'debit' : 'credit'} ${Math.abs(amount).toFixed(2)}`),
    )
    expect(message.entries[8]?.transfers[0]?.endToEndId).toBe(contract.replaceAll('-', ''))
    // Somebody else's.
    const { statements } = CashManagementEndOfDayReport.fromXML(reply.payload)
    const theirs = statements[0]!
    expect(
      theirs.balances.map(({ type, amount, creditDebitIndicator }) => [type, Math.round(amount), creditDebitIndicator]),
    ).toEqual([
      ['OPBD', Math.round(opening.available * 100), 'credit'],
      ['CLBD', Math.round(closing.available * 100), 'credit'],
    ])
    expect(
      theirs.entries.map(
        (
          { amount, creditDebitIndicator }, // It counts in floats.
        ) => Math.round(creditDebitIndicator === 'debit' ? -amount : amount),
      ),
    ).toEqual(lines.map(({ amount }) => Math.round(amount * 100)))
  })

  test('any text, amount and currency gives a valid message whose sum is right', () => {
    const MONTH = {
      from: '2026-10-01T00:00:00.000Z',
      to: '2026-11-01T00:00:00.000Z',
      createdAt: '2026-11-01T00:00:00.000Z',
    }
    const entry = fc.record({
      minor: fc.bigInt({ min: 1n, max: 10n ** 14n }),
      direction: fc.constantFrom('credit' as const, 'debit' as const),
      text: fc.oneof(fc.string({ unit: 'binary', maxLength: 600 }), fc.string({ maxLength: 40 }), fc.constant(NASTY)),
    })
    fc.assert(
      fc.property(fc.constantFrom('PHP', 'JPY', 'KWD'), fc.array(entry, { maxLength: 6 }), (currency, entries) => {
        const amount = (minor: bigint) => ({ amountDecimal: decimal(minor, minorDigits(currency) ?? 0), currency })
        const opening = entries.reduce((sum, { minor }) => sum + minor, 0n)
        const closing = entries.reduce(
          (sum, { minor, direction }) => sum + (direction === 'credit' ? minor : -minor),
          opening,
        )
        const head = openCamt053({
          ...MONTH,
          id: 'stmt-1',
          account: '0198c0de00007a2b80000123456789ab',
          name: entries[0]?.text ?? null,
          opening: { ...amount(opening), day: '2026-10-01' },
          closing: { ...amount(closing), day: '2026-10-31' },
        })
        const texts = entries.map(({ minor, direction, text }, i) =>
          camt053Entry({
            ...amount(minor),
            number: i + 1,
            direction,
            bookedOn: '2026-10-15',
            servicerReference: text,
            endToEndId: null,
            remittance: text,
            details: text,
          }),
        )
        const bytes = Buffer.from(head + texts.join('') + closeCamt053())
        expect(schemaFaults('camt.053.001.08', bytes)).toEqual([])
        const read = readCamt053(bytes)
        expect('message' in read && read.message.closing.amountDecimal).toBe(amount(closing).amountDecimal)
        expect('message' in read && read.message.entries.map((each) => each.amountDecimal)).toEqual(
          entries.map(({ minor }) => amount(minor).amountDecimal),
        )
      }),
      { numRuns: 40 },
    )
  })
})

test('days are of the account’s time zone: they begin and end there, also where clocks change', async () => {
  expect(new Date(startOfDay('2026-11-01', 'Asia/Manila')).toISOString()).toBe('2026-10-31T16:00:00.000Z')
  expect(new Date(startOfDay('2026-03-29', 'Europe/Berlin')).toISOString()).toBe('2026-03-28T23:00:00.000Z')
  expect(endOfDay('2026-03-29', 'Europe/Berlin') - startOfDay('2026-03-29', 'Europe/Berlin')).toBe(23 * 3_600_000)
  const zones = fc.constantFrom(
    'UTC',
    'Asia/Manila',
    'Europe/Berlin',
    'America/New_York',
    'Pacific/Chatham',
    'Asia/Kathmandu',
  )
  fc.assert(
    fc.property(zones, fc.integer({ min: 0, max: 4_000_000_000_000 }), (zone, atMs) => {
      const day = dayIn(atMs, zone)
      expect(startOfDay(day, zone) <= atMs && atMs < endOfDay(day, zone)).toBe(true)
    }),
  )
  await world.sql(`update accounts set time_zone = 'Asia/Manila' where account_id = $1`, [by.account.accountId])
  expect(await statement('?from=2026-10-01&to=2026-10-31')).toMatchObject({
    from: '2026-09-30T16:00:00.000Z',
    to: '2026-10-31T16:00:00.000Z',
  })
  await world.sql(`update accounts set time_zone = 'UTC' where account_id = $1`, [by.account.accountId])
})

const decimal = (minor: bigint, digits: number): string => {
  const text = minor.toString().padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
