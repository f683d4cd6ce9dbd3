// The InstaPay rail of the sandbox provider: what it answers to a credit transfer, and that none is executed twice.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advance, askCredit, call, openProvider, pacs008, parsed, sendCredit, truth, wordOf } from './rails.ts'

let provider: Awaited<ReturnType<typeof openProvider>>
let url: string
let orders = 0
const newId = () => `E2E-${(orders += 1)}`

beforeAll(async () => {
  provider = await openProvider()
  url = provider.url
})
afterAll(() => provider.close())

/** amount, account, the answer now and when asked, what the books say */
const STORIES: [string, string, string, string | null, object][] = [
  ['100.00', '001234567890', 'ACSC', null, { status: 'completed', executions: 1 }],
  ['50000.00', '001234567890', 'ACSC', null, { status: 'completed', executions: 1 }],
  ['50000.01', '001234567890', 'RJCT', 'AM02', { status: 'refused', executions: 0 }],
  ['100.11', '001234567890', 'ACSP', null, { status: 'accepted', executions: 0 }],
  ['100.00', 'sandbox-late', 'ACSP', null, { status: 'accepted', executions: 0 }],
  ['100.21', '001234567890', 'RJCT', 'AC04', { status: 'refused', executions: 0 }],
  ['100.22', '001234567890', 'RJCT', 'AC01', { status: 'refused', executions: 0 }],
  ['100.00', 'sandbox-invalid-account', 'RJCT', 'AC01', { status: 'refused', executions: 0 }],
  ['100.51', '001234567890', 'ACSC', null, { status: 'completed', executions: 1 }],
]

test.each(STORIES)('%s to %s is %s %s', async (amount, account, status, code, books) => {
  const id = newId()
  expect(wordOf(await sendCredit(url, pacs008(id, amount, { account })))).toEqual({ status, code, amount })
  expect(wordOf(await askCredit(url, id))).toEqual({ status, code, amount })
  expect(await truth(url, 'instapay', id)).toMatchObject(books)
})

test('the books know the order as it came', async () => {
  const id = newId()
  await sendCredit(url, pacs008(id, '12.50', { bank: 'landbank', name: 'Øyvind <b>' }))
  expect(await truth(url, 'instapay', id)).toMatchObject({
    rail: 'instapay',
    reference: id,
    amount: '12.50',
    currency: 'PHP',
    bank: 'landbank',
    name: 'Øyvind <b>',
    history: [{ status: 'completed', code: null }],
  })
})

test('another currency, and a payee without a name, are refused', async () => {
  expect(wordOf(await sendCredit(url, pacs008(newId(), '1.00', {}, 'USD')))).toMatchObject({ code: 'AM03' })
  expect(wordOf(await sendCredit(url, pacs008(newId(), '1.00', { name: null })))).toMatchObject({ code: 'BE04' })
})

describe('at most once', () => {
  test('the same order again gets the same answer, in any message', async () => {
    const id = newId()
    const answers = await Promise.all(Array.from({ length: 50 }, () => sendCredit(url, pacs008(id))))
    expect(new Set(answers.map((said) => JSON.stringify(wordOf(said)))).size).toBe(1)
    expect(await truth(url, 'instapay', id)).toMatchObject({ status: 'completed', executions: 1 })
  })

  test.each([
    ['amount', '100.01', {}],
    ['account', '100.00', { account: '999' }],
    ['bank', '100.00', { bank: 'landbank' }],
    ['name', '100.00', { name: 'Ben' }],
  ])('another %s under the same EndToEndId is DUPL and moves nothing', async (_, amount, payee) => {
    const id = newId()
    await sendCredit(url, pacs008(id))
    expect(wordOf(await sendCredit(url, pacs008(id, amount, payee)))).toEqual({ status: 'RJCT', code: 'DUPL', amount })
    expect(wordOf(await askCredit(url, id))).toMatchObject({ status: 'ACSC', amount: '100.00' })
    expect(await truth(url, 'instapay', id)).toMatchObject({ amount: '100.00', executions: 1 })
  })

  test.each([
    ['31', 1],
    ['32', 0],
    ['41', 1],
    ['42', 0],
    ['43', 1],
  ])('a fault on the wire (.%s) happens once, and the money moves once', async (ending, executed) => {
    const id = newId()
    const first = await sendCredit(url, pacs008(id, `7.${ending}`), 300).catch(() => null)
    expect(first?.status ?? 500).toBe(500)
    const asked = await askCredit(url, id)
    expect(asked.status).toBe(executed === 1 ? 200 : 404)
    expect((await truth(url, 'instapay', id))?.executions ?? 0).toBe(executed)
    expect(wordOf(await sendCredit(url, pacs008(id, `7.${ending}`)))).toMatchObject({ status: 'ACSC' })
    expect(await truth(url, 'instapay', id)).toMatchObject({ executions: 1 })
  })
})

test('late ones settle or are refused by the clock, and the list of events says so', async () => {
  const [late, refused, back] = [newId(), newId(), newId()]
  await sendCredit(url, pacs008(late, '3.11'))
  await sendCredit(url, pacs008(refused, '3.53'))
  await sendCredit(url, pacs008(back, '3.51'))
  await advance(url, 10)
  expect(wordOf(await askCredit(url, late))).toMatchObject({ status: 'ACSC' })
  expect(wordOf(await askCredit(url, refused))).toMatchObject({ status: 'RJCT', code: 'AC04' })
  // What was settled stays settled: the return is a payment of its own.
  expect(wordOf(await askCredit(url, back))).toMatchObject({ status: 'ACSC' })
  expect(await truth(url, 'instapay', back)).toMatchObject({ status: 'returned', executions: 1, returns: 1 })
  const { body } = parsed(await call(url, 'GET', '/instapay/events?after=0'))
  const events = (body['events'] as Record<string, unknown>[]).filter((event) =>
    [late, refused, back].includes(String(event['reference'])),
  )
  expect(events.map(({ reference, status, code, amount }) => [reference, status, code, amount])).toEqual([
    [late, 'completed', null, '3.11'],
    [refused, 'refused', 'AC04', '3.53'],
    [back, 'returned', 'AC04', '3.51'],
  ])
  expect(parsed(await call(url, 'GET', '/events?after=0')).body['events']).toEqual([])
})

test('a recall is always too late', async () => {
  const id = newId()
  await sendCredit(url, pacs008(id, '1.52'))
  for (const each of [id, 'never-sent']) {
    const said = parsed(await call(url, 'POST', `/instapay/credit-transfers/${each}/recall`))
    expect([said.status, said.body['code']]).toEqual([409, 'too_late'])
  }
  expect(await truth(url, 'instapay', id)).toMatchObject({ status: 'accepted' })
})

const WHOLE = pacs008('E2E-BROKEN')

test.each([
  ['no XML', 'nonsense', 'text outside'],
  ['JSON', '{}', 'text outside'],
  ['nothing', '', 'no XML document'],
  ['cut off', WHOLE.slice(0, -20), ''],
  ['another message', WHOLE.replace('pacs.008.001.08', 'pacs.008.001.02'), 'namespace'],
  ['without EndToEndId', WHOLE.replace(/<EndToEndId>.*<\/EndToEndId>/, ''), 'PmtId/EndToEndId is missing'],
  ['with a long EndToEndId', WHOLE.replace('E2E-BROKEN', 'x'.repeat(36)), 'PmtId/EndToEndId is not'],
  ['without an account', WHOLE.replace(/<CdtrAcct>.*<\/CdtrAcct>/, ''), 'CdtrAcct'],
  ['without a bank', WHOLE.replace(/<CdtrAgt>.*<\/CdtrAgt>/, ''), 'CdtrAgt'],
  ['with three decimals', WHOLE.replace('100.00', '100.001'), 'IntrBkSttlmAmt is no amount'],
  ['with a debt', WHOLE.replace('100.00', '-100.00'), 'IntrBkSttlmAmt is no amount'],
  ['without a currency', WHOLE.replace(/ Ccy="PHP"/, ''), 'IntrBkSttlmAmt has no currency'],
  ['with a false count', WHOLE.replace('<NbOfTxs>1', '<NbOfTxs>2'), 'NbOfTxs'],
  ['with a DOCTYPE', WHOLE.replace('<Document', '<!DOCTYPE x [<!ENTITY e "1">]><Document'), 'no element'],
  ['with an entity', WHOLE.replace('Gateway', '&e;'), '&e; is no character'],
])('a message %s is refused by naming what is wrong, and leaves no trace', async (_, message, fault) => {
  const { status, body } = parsed(await sendCredit(url, message))
  expect([status, body['code']]).toEqual([400, 'invalid_message'])
  expect(body['message']).toContain(fault)
  expect(await truth(url, 'instapay', 'E2E-BROKEN')).toBeNull()
})

test('what nobody sent is 404 not_found', async () => {
  const { status, body } = parsed(await askCredit(url, 'never-sent'))
  expect([status, body['code']]).toEqual([404, 'not_found'])
})
