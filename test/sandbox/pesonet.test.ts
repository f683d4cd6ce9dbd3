// The PESONet rail of the sandbox provider: files, their reports, settlement by the clock of Manila, and no item twice.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { settlementAfter } from '../../sandbox/text/manila.ts'
import {
  advance,
  call,
  control,
  openProvider,
  pain001,
  parsed,
  script,
  sendFile,
  truth,
  wordsOf,
  type Item,
} from './rails.ts'

let provider: Awaited<ReturnType<typeof openProvider>>
let url: string
let files = 0
let file: string

beforeAll(async () => {
  provider = await openProvider()
  url = provider.url
})
afterAll(() => provider.close())
beforeEach(() => {
  file = `FILE-${(files += 1)}`
})

const id = (name: string) => `${file}-${name}`
const report = async (name: string) => wordsOf(await call(url, 'GET', `/pesonet/files/${name}`))
const send = async (name: string, items: readonly Item[]) => wordsOf(await sendFile(url, name, pain001(name, items)))

test('each item has its own word; the accepted ones settle later, once', async () => {
  const scenario = await script(url, { rail: 'pesonet', settle_after_seconds: 60 })
  const items: Item[] = [
    [id('good')],
    [id('closed'), '100.21'],
    [id('wrong'), '100.22'],
    [id('nameless'), '100.00', { name: null }],
    [id('fails'), '100.00', { account: 'sandbox-refused-later' }],
    [id('back'), '100.51'],
  ]
  const said = await send(file, items)
  expect(said).toEqual({
    group: 'PART',
    items: {
      [id('good')]: 'ACCP',
      [id('closed')]: 'RJCT AC04',
      [id('wrong')]: 'RJCT AC01',
      [id('nameless')]: 'RJCT BE04',
      [id('fails')]: 'ACCP',
      [id('back')]: 'ACCP',
    },
  })
  expect(await truth(url, 'pesonet', id('good'))).toMatchObject({ status: 'accepted', executions: 0 })
  await advance(url, 61)
  expect((await report(file)).items).toMatchObject({
    [id('good')]: 'ACSC',
    [id('fails')]: 'ACCP',
    [id('back')]: 'ACSC',
  })
  await advance(url, 10)
  expect((await report(file)).items).toMatchObject({ [id('good')]: 'ACSC', [id('fails')]: 'RJCT AC04' })
  expect(await truth(url, 'pesonet', id('good'))).toMatchObject({ status: 'completed', executions: 1 })
  expect(await truth(url, 'pesonet', id('fails'))).toMatchObject({ status: 'refused', executions: 0 })
  expect(await truth(url, 'pesonet', id('back'))).toMatchObject({ status: 'returned', executions: 1, returns: 1 })
  await control(url, 'DELETE', `/scenarios/${scenario}`)
})

test('without a scenario, the settlement is that of the next banking day in Manila', async () => {
  const { now } = await control(url, 'GET', '/clock')
  const settlesMs = settlementAfter(Date.parse(String(now)))
  await send(file, [[id('one')]])
  await advance(url, (settlesMs - Date.parse(String(now))) / 1_000 - 60)
  expect((await report(file)).items).toEqual({ [id('one')]: 'ACCP' })
  await advance(url, 120)
  expect((await report(file)).items).toEqual({ [id('one')]: 'ACSC' })
})

test.each([
  ['2026-07-01T14:59:59+08:00', '2026-07-01T17:00:00+08:00'],
  ['2026-07-01T15:00:00+08:00', '2026-07-02T17:00:00+08:00'],
  ['2026-07-02T23:59:00Z', '2026-07-03T17:00:00+08:00'],
  ['2026-07-03T16:00:00+08:00', '2026-07-06T17:00:00+08:00'],
  ['2026-07-04T09:00:00+08:00', '2026-07-06T17:00:00+08:00'],
  ['2026-12-31T15:00:00+08:00', '2027-01-01T17:00:00+08:00'],
])('what comes in at %s settles at %s', (from, to) => {
  expect(settlementAfter(Date.parse(from))).toBe(Date.parse(to))
})

test('the same file again is the same report; another one under its MsgId is refused', async () => {
  const first = pain001(file, [[id('one')], [id('two'), '2.21']])
  const said = await Promise.all(Array.from({ length: 20 }, () => sendFile(url, file, first)))
  expect(new Set(said.map((each) => JSON.stringify(wordsOf(each)))).size).toBe(1)
  expect(await truth(url, 'pesonet', id('one'))).toMatchObject({ envelope: file, status: 'accepted' })

  const other = parsed(await sendFile(url, file, pain001(file, [[id('three')]])))
  expect([other.status, other.body['code']]).toEqual([409, 'message_mismatch'])
  expect(await truth(url, 'pesonet', id('three'))).toBeNull()
})

test('an item known from an earlier file is DUPL and not executed again', async () => {
  const scenario = await script(url, { rail: 'pesonet', settle_after_seconds: 5 })
  await send(file, [[id('one')]])
  await advance(url, 6)
  const again = `${file}-again`
  expect(await send(again, [[id('one')], [id('two')]])).toEqual({
    group: 'PART',
    items: { [id('one')]: 'RJCT DUPL', [id('two')]: 'ACCP' },
  })
  await advance(url, 6)
  expect((await report(again)).items).toEqual({ [id('one')]: 'RJCT DUPL', [id('two')]: 'ACSC' })
  expect((await report(file)).items).toEqual({ [id('one')]: 'ACSC' })
  expect(await truth(url, 'pesonet', id('one'))).toMatchObject({ executions: 1 })
  await control(url, 'DELETE', `/scenarios/${scenario}`)
})

test('an item named twice in one file is executed once', async () => {
  const twice = pain001(file, [[id('one')], [id('two')]]).replace(id('two'), id('one'))
  expect((await sendFile(url, file, twice)).text.match(/DUPL/g)).toHaveLength(1)
  await advance(url, 5 * 86_400)
  expect(await truth(url, 'pesonet', id('one'))).toMatchObject({ executions: 1 })
})

test('one item can be asked about by itself', async () => {
  await send(file, [[id('one')], [id('two'), '100.21']])
  expect(wordsOf(await call(url, 'GET', `/pesonet/items/${id('one')}`)).items).toEqual({ [id('one')]: 'ACCP' })
  expect(wordsOf(await call(url, 'GET', `/pesonet/items/${id('two')}`)).items).toEqual({ [id('two')]: 'RJCT AC04' })
  for (const path of ['/pesonet/items/never', '/pesonet/files/never']) {
    const { status, body } = parsed(await call(url, 'GET', path))
    expect([status, body['code']]).toEqual([404, 'not_found'])
  }
})

test.each([
  ['32', 'hangs', false],
  ['42', 'is answered 500', false],
  ['41', 'is answered 500', true],
  ['43', 'is reset', true],
])('a file with an item of .%s %s at first, and none of it is executed twice', async (ending, _, isDone) => {
  const text = pain001(file, [[id('one')], [id('two'), `5.${ending}`]])
  const options = { headers: { 'content-type': 'application/xml' }, body: text, timeoutMs: 300 }
  const first = await call(url, 'PUT', `/pesonet/files/${file}`, options).catch(() => null)
  expect(first?.status ?? 500).toBe(500)
  expect((await call(url, 'GET', `/pesonet/files/${file}`)).status).toBe(isDone ? 200 : 404)
  expect(wordsOf(await sendFile(url, file, text)).group).toBe('ACCP')
  await advance(url, 5 * 86_400)
  for (const name of ['one', 'two'])
    expect(await truth(url, 'pesonet', id(name))).toMatchObject({ status: 'completed', executions: 1 })
})

test('a file of 2,000 items is one report', async () => {
  const items = Array.from({ length: 2_000 }, (_, index): Item => [id(String(index)), `1.${index % 2 ? '00' : '21'}`])
  const said = await send(file, items)
  expect(Object.keys(said.items)).toHaveLength(2_000)
  expect(Object.values(said.items).filter((word) => word === 'RJCT AC04')).toHaveLength(1_000)
})

const WHOLE = pain001('BROKEN', [['BROKEN-1'], ['BROKEN-2', '0.50']])

test.each([
  ['of another MsgId', WHOLE.replaceAll('>BROKEN<', '>OTHER<'), 'GrpHdr/MsgId'],
  ['with a false count', WHOLE.replace('<NbOfTxs>2', '<NbOfTxs>3'), 'NbOfTxs'],
  ['with a false sum', WHOLE.replace('<CtrlSum>100.5', '<CtrlSum>100.6'), 'CtrlSum'],
  ['without items', WHOLE.replace(/<CdtTrfTxInf>.*<\/CdtTrfTxInf>/s, ''), 'CdtTrfTxInf'],
  ['cut off', WHOLE.slice(0, -10), ''],
])('a file %s is refused as a whole', async (_, text, fault) => {
  const { status, body } = parsed(await sendFile(url, 'BROKEN', text))
  expect([status, body['code']]).toEqual([400, 'invalid_message'])
  expect(body['message']).toContain(fault)
  expect(await truth(url, 'pesonet', 'BROKEN-1')).toBeNull()
})

test('items in another currency are refused one by one', async () => {
  const said = wordsOf(await sendFile(url, file, pain001(file, [[id('one')]], 'USD')))
  expect(said).toEqual({ group: 'RJCT', items: { [id('one')]: 'RJCT AM03' } })
})
