// Statements of the sandbox provider's rails: they are the books, day by day of Manila, but for what scenarios change.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dayOf, startOfDay } from '../../sandbox/text/manila.ts'
import { readCamt053 } from '../../src/formats/iso20022/camt053.ts'
import {
  advance,
  call,
  control,
  gcash,
  maya,
  openProvider,
  pacs008,
  pain001,
  parsed,
  script,
  sendCredit,
  sendFile,
  valid,
} from './rails.ts'

let provider: Awaited<ReturnType<typeof openProvider>>
let url: string
let orders = 0
const newId = () => `ORDER-${(orders += 1)}`

beforeAll(async () => {
  provider = await openProvider()
  url = provider.url
})
afterAll(() => provider.close())

const nowMs = async () => Date.parse(String((await control(url, 'GET', '/clock'))['now']))
const today = async () => dayOf(await nowMs())

/** Each test has a day of its own, from its very beginning. */
beforeEach(async () => {
  const now = await nowMs()
  await advance(url, ((startOfDay(dayOf(now)) ?? 0) + 86_400_000 - now) / 1_000)
})

async function statement(rail: string, day: string) {
  const said = await call(url, 'GET', `/${rail}/statements/${day}`)
  const { opening, closing, entries } = valid('camt.053.001.08', readCamt053, said)
  const lines = entries.map(({ transfers, amountDecimal, direction, bookedOn }) => {
    const [transfer] = transfers
    const why = transfer?.returned ? (transfer.returned.code ?? transfer.returned.proprietary) : null
    return [transfer?.endToEndId, direction, amountDecimal, why, bookedOn]
  })
  return { opening: opening.amountDecimal, closing: closing.amountDecimal, lines }
}

const minor = (decimal: string) => BigInt(decimal.replace('.', ''))

test.each(['instapay', 'pesonet', 'gcash', 'maya'])(
  '%s: what went out and came back, and nothing else',
  async (rail) => {
    const [done, refused, back] = [newId(), newId(), newId()]
    const settles = await script(url, { rail: 'pesonet', settle_after_seconds: 1 })
    const day = await today()
    for (const [id, amount] of [
      [done, '100.10'],
      [refused, '100.21'],
      [back, '7.51'],
    ] as const) {
      const payee = { mobile: '+639171234567', name: 'Ana' }
      const amountMinor = { currency: 'PHP', value: String(minor(amount)) }
      if (rail === 'instapay') await sendCredit(url, pacs008(id, amount))
      else if (rail === 'pesonet') await sendFile(url, `F-${id}`, pain001(`F-${id}`, [[id, amount]]))
      else if (rail === 'gcash')
        await gcash(url, 'POST', '/gcash/v1/payouts', { requestId: id, payee, amount: amountMinor })
      else {
        const recipient = `{"type":"MOBILE","value":"+639171234567"}`
        const total = `{"value":${amount},"currency":"PHP"}`
        const body = `{"requestReferenceNumber":"${id}","recipient":${recipient},"totalAmount":${total}}`
        await maya(url, 'POST', '/maya/disbursements', body, { 'idempotency-key': id })
      }
    }
    await advance(url, 10)
    const why = { instapay: 'AC04', pesonet: 'AC04', gcash: 'PAYOUT_RETURNED', maya: 'DISBURSEMENT_RETURNED' }[rail]
    const { opening, closing, lines } = await statement(rail, day)
    expect(lines).toEqual([
      [done, 'debit', '100.10', null, day],
      [back, 'debit', '7.51', null, day],
      [back, 'credit', '7.51', why, day],
    ])
    expect(minor(opening) - minor(closing)).toBe(10_010n)

    const { totals } = (await control(url, 'GET', `/${rail}/books`)) as {
      totals: Record<string, Record<string, string>>
    }
    const moved = BigInt(totals['PHP']?.['executed_minor'] ?? 0) - BigInt(totals['PHP']?.['returned_minor'] ?? 0)
    expect(minor('1000000000.00') - minor(closing)).toBe(moved)
    await control(url, 'DELETE', `/scenarios/${settles}`)
  },
)

test('days are those of Manila, and one opens where the last one closed', async () => {
  const [evening, morning] = [newId(), newId()]
  const first = await today()
  await advance(url, 86_390)
  await sendCredit(url, pacs008(evening, '1.00'))
  await advance(url, 20)
  await sendCredit(url, pacs008(morning, '2.00'))
  const second = await today()
  expect(second).not.toBe(first)
  const [one, two] = [await statement('instapay', first), await statement('instapay', second)]
  expect([one.lines, two.lines]).toEqual([
    [[evening, 'debit', '1.00', null, first]],
    [[morning, 'debit', '2.00', null, second]],
  ])
  expect(two.opening).toBe(one.closing)
})

test('scenarios leave a line out, or add one', async () => {
  const [kept, left] = [newId(), newId()]
  for (const id of [kept, left]) await sendCredit(url, pacs008(id, '3.00'))
  const day = await today()
  const truth = await statement('instapay', day)
  const omits = await script(url, { rail: 'instapay', statement: { omit: left } })
  const adds = await script(url, { rail: 'instapay', statement: { extra: { reference: 'STRANGER', amount: '9.99' } } })
  const played = await statement('instapay', day)
  expect(played.lines.map(([id, , amount]) => [id, amount])).toEqual([
    [kept, '3.00'],
    ['STRANGER', '9.99'],
  ])
  expect(minor(played.opening) - minor(played.closing)).toBe(300n + 999n)
  expect((await statement('maya', day)).lines).toEqual([])
  for (const id of [omits, adds]) await control(url, 'DELETE', `/scenarios/${id}`)
  expect(await statement('instapay', day)).toEqual(truth)
})

test.each([
  ['/instapay/statements/2026-02-30', 400],
  ['/instapay/statements/today', 400],
  ['/instapay/statements/2999-01-01', 404],
  ['/sandbox/statements/2026-01-01', 404],
])('%s is %i', async (path, status) => {
  expect(parsed(await call(url, 'GET', path)).status).toBe(status)
})
