// The provider's books through crashes: what was answered is there afterwards, and only once.
import { appendFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBooks } from '../../sandbox/books/books.ts'
import { SCENARIOS } from '../../sandbox/scenarios.ts'
import { ask, compileProvider, newFolder, orderOf, type Provider, spawnProvider } from './provider.ts'

let program: string
const folders: string[] = []

beforeAll(() => {
  program = compileProvider()
  folders.push(dirname(program))
})
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

function booksFolder(): string {
  const folder = newFolder()
  folders.push(folder)
  return folder
}

const journalOf = (folder: string) => join(folder, 'sandbox.jsonl')
const references = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name}-${index}`)

async function executionsOf(provider: Provider): Promise<Record<string, number>> {
  const { body } = await ask(provider.url, 'GET', '/books')
  const transfers = body['transfers'] as { reference: string; executions: number }[]
  return Object.fromEntries(transfers.map(({ reference, executions }) => [reference, executions]))
}

test('what was answered before kill -9 is in the books afterwards, executed once', async () => {
  const folder = booksFolder()
  const answered: string[] = []
  for (let round = 0; round < 3; round += 1) {
    const provider = await spawnProvider(program, folder)
    const before = answered.length
    const sending = references(400, `round-${round}`).map(async (reference) => {
      const answer = await ask(provider.url, 'POST', '/transfers', orderOf(reference)).catch(() => null)
      if (answer?.status === 200) answered.push(reference)
    })
    await expect.poll(() => answered.length, { interval: 1 }).toBeGreaterThan(before)
    await provider.end('SIGKILL')
    await Promise.all(sending)
  }
  const provider = await spawnProvider(program, folder)
  for (const reference of answered) await ask(provider.url, 'POST', '/transfers', orderOf(reference))
  const executions = await executionsOf(provider)
  expect(answered.filter((reference) => executions[reference] !== 1)).toEqual([])
  expect(Object.values(executions).filter((count) => count > 1)).toEqual([])
  await provider.end('SIGTERM')
})

test('accepted orders, faults that fired, recalls, the clock and the list of events survive a crash', async () => {
  const folder = booksFolder()
  const first = await spawnProvider(program, folder)
  for (const order of [orderOf('late', '1.11'), orderOf('stuck', '1.52')])
    await ask(first.url, 'POST', '/transfers', order)
  expect((await ask(first.url, 'POST', '/transfers', orderOf('before', '1.42'))).status).toBe(500)
  await ask(first.url, 'POST', '/transfers/stuck/recall')
  await ask(first.url, 'POST', '/clock', { advance_seconds: 4 })
  // After the step of the clock, so that the provider has five seconds to start again before this comes back.
  await ask(first.url, 'POST', '/transfers', orderOf('back', '1.51'))
  const eventsBefore = (await ask(first.url, 'GET', '/events?after=0')).body
  expect(eventsBefore['events']).toHaveLength(1)
  const nowBefore = (await ask(first.url, 'POST', '/clock', { advance_seconds: 0.001 })).body['now'] as string
  await first.end('SIGKILL')

  const second = await spawnProvider(program, folder)
  expect((await ask(second.url, 'GET', '/events?after=0')).body).toEqual(eventsBefore)
  expect((await ask(second.url, 'GET', '/transfers/stuck')).body).toMatchObject({ status: 'recalled', executions: 0 })
  expect((await ask(second.url, 'POST', '/transfers', orderOf('before', '1.42'))).body['status']).toBe('completed')
  const now = (await ask(second.url, 'POST', '/clock', { advance_seconds: 5 })).body['now'] as string
  expect(Date.parse(now)).toBeGreaterThanOrEqual(Date.parse(nowBefore) + 5_000)
  expect((await ask(second.url, 'GET', '/transfers/back')).body).toMatchObject({ status: 'returned', executions: 1 })
  expect((await ask(second.url, 'GET', '/events?after=1')).body['events']).toMatchObject([
    { number: 2, reference: 'back' },
  ])
  await second.end('SIGKILL')
})

test('a line that a crash tore is cut off wherever it was torn, and the books go on', async () => {
  const folder = booksFolder()
  const whole = await spawnProvider(program, folder)
  for (const reference of ['one', 'two']) await ask(whole.url, 'POST', '/transfers', orderOf(reference))
  await whole.end('SIGTERM')
  const text = readFileSync(journalOf(folder))
  const firstLineBytes = text.indexOf('\n') + 1
  for (let bytes = firstLineBytes; bytes < text.length; bytes += 1) {
    writeFileSync(journalOf(folder), text)
    truncateSync(journalOf(folder), bytes)
    const books = await openBooks(folder)
    expect(books.entriesOf('sandbox').map(({ reference }) => reference)).toEqual(['one'])
    await books.close()
    expect(statSync(journalOf(folder)).size).toBe(firstLineBytes)
  }
  writeFileSync(journalOf(folder), text)
  appendFileSync(journalOf(folder), '{"transfer":{"refer')
  const provider = await spawnProvider(program, folder)
  await ask(provider.url, 'POST', '/transfers', orderOf('three'))
  await provider.end('SIGKILL')
  const again = await spawnProvider(program, folder)
  expect(await executionsOf(again)).toEqual({ one: 1, two: 1, three: 1 })
  await again.end('SIGTERM')
})

test('a journal longer than one piece is read whole; one that is damaged inside is refused', async () => {
  const folder = booksFolder()
  const books = await openBooks(folder)
  const payee = { account: null, bank: null, name: 'é'.repeat(300) }
  const order = { rail: 'sandbox', amount: '1.00', currency: 'PHP', envelope: null, digest: '', ...payee } as const
  const plan = { verdict: SCENARIOS[0]!.verdict, later: [] }
  for (const reference of references(6_000, 'long')) books.execute({ ...order, reference }, plan)
  await books.close()
  expect(statSync(journalOf(folder)).size).toBeGreaterThan(1 << 20)
  const again = await openBooks(folder)
  expect(again.entriesOf('sandbox').map(({ reference }) => reference)).toEqual(references(6_000, 'long'))
  await again.close()

  writeFileSync(journalOf(folder), `{"transfer":\n${readFileSync(journalOf(folder), 'utf8')}`)
  await expect(openBooks(folder)).rejects.toThrow('damaged')
})

test('signals and a lost parent end it cleanly, while a caller is being held', async () => {
  const folder = booksFolder()
  for (const stop of ['SIGTERM', 'SIGINT', 'parent'] as const) {
    const provider = await spawnProvider(program, folder)
    const held = ask(provider.url, 'POST', '/transfers', orderOf(`held-${stop}`, '1.31')).catch(() => 'cut off')
    await expect.poll(() => executionsOf(provider)).toMatchObject({ [`held-${stop}`]: 1 })
    expect(await (stop === 'parent' ? provider.orphan() : provider.end(stop))).toBe(0)
    expect(await held).toBe('cut off')
  }
})
