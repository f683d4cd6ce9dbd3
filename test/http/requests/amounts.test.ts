// Amounts through the API: what is sent is what is stored, shown, priced and charged; what cannot be is refused, never
// rounded.
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { openWorld } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
afterAll(() => world.stop())

/** The body as text, so that the number goes over the wire as it is written here. */
const draftText = (amount: string, currency: string) => `{"amount":${amount},"currency":"${currency}"}`

test.each([
  ['0.07', 'PHP', '7'],
  ['19.99', 'PHP', '1999'],
  ['4.35', 'PHP', '435'],
  ['1.10', 'PHP', '110'],
  ['0.1e1', 'PHP', '100'],
  ['100', 'PHP', '10000'],
  ['999999999999.99', 'PHP', '99999999999999'],
  ['1234', 'JPY', '1234'],
  ['1e3', 'JPY', '1000'],
  ['1.234', 'KWD', '1234'],
  ['0.001', 'KWD', '1'],
  ['19.99', 'php', '1999'],
])('%s %s is kept as %s minor units and comes back as it was', async (amount, currency, minor) => {
  const { status, data } = await caller.ask('POST', '/contracts/transfer', { body: draftText(amount, currency) })
  expect(status).toBe(200)
  const contract = data['contract'] as { id: string; amount: number; currency: string }
  expect(contract).toMatchObject({ amount: Number(amount), currency: currency.toUpperCase() })
  const [row] = await world.sql<{ amount_minor: string }>('select amount_minor from contracts where id = $1', [
    contract.id,
  ])
  expect(row?.amount_minor).toBe(minor)
  expect((await caller.get(contract.id)).amount).toBe(Number(amount))
})

test.each([
  ['1e-7', 'PHP', 'more decimals than PHP has (2)'],
  ['0.001', 'PHP', 'more decimals than PHP has (2)'],
  ['1.5', 'JPY', 'more decimals than JPY has (0)'],
  ['1.2345', 'KWD', 'more decimals than KWD has (3)'],
  ['0.30000000000000004', 'PHP', 'more than 15 significant digits'],
  ['9007199254740993', 'PHP', 'above 999,999,999,999.99'],
  ['1000000000000', 'PHP', 'above 999,999,999,999.99'],
  ['0', 'PHP', 'above 0'],
  ['-0', 'PHP', 'above 0'],
  ['-5', 'PHP', 'above 0'],
])('%s %s is refused: %s', async (amount, currency, words) => {
  const { status, error } = await caller.ask('POST', '/contracts/transfer', { body: draftText(amount, currency) })
  expect({ status, ...error }).toMatchObject({ status: 400, code: 'invalid_amount', param: 'amount' })
  expect(error.message).toContain(words)
})

const UNPAID = '01932c07-4b5e-7c31-9d0a-6f2b8e4a1c55'

/** What every operation that takes an amount says of one: its status, and the code and parameter of a refusal. */
async function saidOf(amount: string): Promise<unknown[][]> {
  const draft = await caller.draft()
  const asked = [
    ['POST', '/contracts/transfer', draftText(amount, 'PHP')],
    ['POST', '/contracts/payment', draftText(amount, 'PHP')],
    ['POST', '/channels/compare', draftText(amount, 'PHP')],
    ['PATCH', `/contracts/transfer/${draft.id}`, `{"amount":${amount}}`],
    ['POST', `/contracts/payment/${UNPAID}/refunds`, `{"amount":${amount}}`],
  ] as const
  return Promise.all(
    asked.map(async ([method, url, body]) => {
      const { status, body: reply } = await caller.ask(method, url, { body })
      const { code = null, param = null } = (reply['error'] ?? {}) as { code?: string; param?: string }
      return [status, code, param]
    }),
  )
}

test.each(['100.000000000000001', '99.999999999999999999', '0.0700000000000000001', '1e-400'])(
  '%s has more digits than a number keeps, and is refused everywhere',
  async (amount) => {
    expect(await saidOf(amount)).toEqual(Array.from({ length: 5 }, () => [400, 'invalid_amount', 'amount']))
    const { error } = await caller.ask('POST', '/contracts/transfer', { body: draftText(amount, 'PHP') })
    expect(error.message).toContain(`${amount}, which is more than the 15 significant digits`)
  },
)

test.each(['1000000000000000000000e-19', '100.0000000000000000000000', '1e2', '10000E-2'])(
  '%s is 100, however it is written',
  async (amount) => {
    expect(await saidOf(amount)).toEqual([
      ...Array.from({ length: 4 }, () => [200, null, null]),
      [404, 'contract_not_found', 'id'],
    ])
  },
)

test('the digits of a preview that is sent along count too, and of no text', async () => {
  const contract = await caller.issued({ amount: 100 })
  const near = `{"preview":{"amount":${contract.preview.amount}00000000000000001,"fees":{"total":0.10000000000000000001}}}`
  const { status, error } = await caller.ask('PUT', `/contracts/transfer/${contract.id}/pay`, { body: near })
  expect(status).toBe(400)
  expect((error.errors ?? []).map(({ code, param }) => [code, param])).toEqual([
    ['invalid_preview_amount', 'preview.amount'],
    ['invalid_preview_fees_total', 'preview.fees.total'],
  ])
  expect((await caller.get(contract.id)).status).toBe('issued')
  const body = `{"amount":5,"currency":"PHP","description":"100.000000000000001, 1e400"}`
  const written = await caller.ask('POST', '/contracts/transfer', { body })
  expect(written.data['contract']).toMatchObject({ description: '100.000000000000001, 1e400' })
})

test('every number is kept or refused: none becomes another one', async () => {
  const digits = fc.stringMatching(/^(0|[1-9]\d{0,8})(\.\d{1,24})?(e-?[0-9])?$/)
  await fc.assert(
    fc.asyncProperty(digits, async (amount) => {
      const { status, data } = await caller.ask('POST', '/channels/compare', { body: draftText(amount, 'KWD') })
      const drafted = await caller.ask('POST', '/contracts/transfer', { body: draftText(amount, 'KWD') })
      expect(drafted.status).toBe(status)
      if (status === 400) return
      expect(data['channels']).toBeInstanceOf(Array)
      const kept = drafted.data['contract'] as { id: string }
      const [row] = await world.sql<{ same: boolean }>(
        'select amount_minor = $2::numeric * 1000 as same from contracts where id = $1',
        [kept.id, amount],
      )
      expect(row?.same, amount).toBe(true)
    }),
    { numRuns: 150 },
  )
})

test.each(['1e400', '-1e400', '"5"', 'true', '[]', '{}', 'null'])('%s is no amount', async (amount) => {
  const { status, error } = await caller.ask('POST', '/contracts/transfer', { body: draftText(amount, 'PHP') })
  expect({ status, ...error }).toMatchObject({ status: 400, code: 'invalid_amount', param: 'amount' })
})

test.each(['.5', '5.', '+5', '0x10', '1_000', 'NaN', 'Infinity', '05'])('%s is not JSON', async (amount) => {
  const { status, error } = await caller.ask('POST', '/contracts/transfer', { body: draftText(amount, 'PHP') })
  expect({ status, ...error }).toMatchObject({ status: 400, code: 'malformed_json', param: 'body' })
})

test.each(['XXX', 'BTC', 'CHF', 'BHD'])('%s is not taken here, and the refusal says what is', async (currency) => {
  const { status, error } = await caller.ask('POST', '/contracts/transfer', { body: draftText('5', currency) })
  expect({ status, ...error }).toMatchObject({ status: 400, code: 'invalid_currency', param: 'currency' })
  expect(error.message).toContain('PHP, USD, EUR')
})

describe('the preview is what is charged', () => {
  test.each([
    // 0.5 % + 10, at most 250.
    [0.07, 'PHP', 10, 10.07],
    [19.99, 'PHP', 10.1, 30.09],
    [1000, 'PHP', 15, 1015],
    [48_000.01, 'PHP', 250, 48_250.01],
    [100_000, 'PHP', 250, 100_250],
    [4.35, 'USD', 0.27, 4.62],
  ])('%d %s costs %d on top: the debit is %d', async (amount, currency, fee, debit) => {
    const before = await caller.balance(currency)
    const contract = await caller.paid({ amount, currency })
    expect(contract.preview).toMatchObject({
      amount: debit,
      receive_amount: amount,
      fees: { total: fee, covered: true },
    })
    const after = await caller.balance(currency)
    expect(Math.round((before - after) * 100)).toBe(Math.round(debit * 100))
    expect(contract.activities.at(-1)?.summary).toContain(`${currency} `)
  })

  test('a fee that is not covered is taken out of the amount', async () => {
    const fees = { PHP: { fees: { fixed: 15 } } }
    const uncovered = {
      id: 'uncovered',
      connector: 'sandbox',
      service: 'payment',
      name: 'U',
      description: 'U',
      covered: false,
      undo_seconds: 5,
      currencies: fees,
      recipient: [],
    }
    const own = await openWorld({ workers: 'resting', config: { channels: [uncovered] } })
    const contract = await own.caller.paid({ channel: 'uncovered', amount: 100 })
    expect(contract.preview).toMatchObject({ amount: 100, receive_amount: 85, fees: { total: 15, covered: false } })
    expect(await own.caller.wallet('PHP')).toMatchObject({ available: 999_900, held: 100 })
    const swallowed = await own.caller.draft({ channel: 'uncovered', amount: 15 })
    expect(swallowed.preview).toMatchObject({ valid: false, messages: [{ code: 'invalid_amount', type: 'error' }] })
    await own.ledgerHolds()
    await own.stop()
  })

  test('a wallet that lacks one centavo pays nothing, one that has it pays all', async () => {
    const poor = await world.newCaller({ funds: { PHP: 110_49n } })
    const contract = await poor.issued({ amount: 100 })
    const { status, error } = await poor.ask('PUT', `/contracts/transfer/${contract.id}/pay`)
    expect({ status, ...error }).toMatchObject({
      status: 402,
      type: 'payment_error',
      code: 'insufficient_funds',
      param: 'source',
    })
    expect(error.message).toContain('PHP 0.01 is lacking')
    expect((await poor.get(contract.id)).status).toBe('issued')
    const exact = await world.newCaller({ funds: { PHP: 110_50n } })
    await exact.paid({ amount: 100 })
    expect(await exact.wallet('PHP')).toMatchObject({ available: 0, held: 110.5 })
    await world.ledgerHolds()
  })
})
