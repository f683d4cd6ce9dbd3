// Callbacks of the sandbox provider: signed, repeated until they are confirmed, and played as a scenario says.
import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { advance, call, control, openProvider, pacs008, parsed, script, sendCredit, type Json } from './rails.ts'
import { ask, orderOf } from '../connectors/provider.ts'

type Call = { readonly signature: string; readonly text: string; readonly body: Json; readonly atMs: number }

let provider: Awaited<ReturnType<typeof openProvider>>
let url: string
let server: Server
let calls: Call[]
/** What the receiver answers next; 200 when there is nothing left. */
let answers: number[]

beforeEach(async () => {
  provider = await openProvider()
  url = provider.url
  calls = []
  answers = []
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const signature = String(request.headers['service-signature'])
      calls.push({ signature, text, body: JSON.parse(text) as Json, atMs: Date.now() })
      response.writeHead(answers.shift() ?? 200, { location: '/elsewhere' }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
})
afterEach(async () => {
  await provider.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const register = (secret = 'whsec', rails?: string[]) => {
  const receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return control(url, 'POST', '/callbacks', { url: receiver, secret, ...(rails && { rails }) })
}

/** Sends what happens later, and lets it happen. */
async function happen(...references: string[]): Promise<void> {
  for (const reference of references) await sendCredit(url, pacs008(reference, '5.11'))
  await advance(url, 5)
}

function isSigned({ signature, text }: Call, secret: string): boolean {
  const [, time, given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? []
  expect(Math.abs(Number(time) * 1_000 - Date.now())).toBeLessThan(60_000)
  return given === createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
}

const reference = ({ body }: Call) => ((body['data'] as Json)['object'] as Json)['reference']
const quiet = () => new Promise((resolve) => setTimeout(resolve, 400))

test('each later change is told once, signed, in its own words', async () => {
  await register('whsec')
  for (const [id, amount] of [
    ['late', '5.11'],
    ['fails', '5.53'],
    ['back', '5.51'],
    ['done', '5.00'],
  ] as const)
    await sendCredit(url, pacs008(id, amount))
  await advance(url, 10)
  await expect.poll(() => calls.length).toBe(3)
  await quiet()
  const told = Object.fromEntries(calls.map((each) => [reference(each), each.body]))
  expect(told).toMatchObject({
    late: { id: 'evt_instapay_1', type: 'transfer.completed' },
    fails: { id: 'evt_instapay_2', type: 'transfer.failed', data: { object: { status: 'refused', code: 'AC04' } } },
    back: { id: 'evt_instapay_3', type: 'transfer.returned' },
  })
  expect(told['late']).toEqual({
    id: 'evt_instapay_1',
    type: 'transfer.completed',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    data: {
      object: {
        rail: 'instapay',
        reference: 'late',
        amount: '5.11',
        currency: 'PHP',
        status: 'completed',
        code: null,
        message: null,
      },
    },
  })
  expect(calls.map((each) => [isSigned(each, 'whsec'), isSigned(each, 'other')])).toEqual(
    calls.map(() => [true, false]),
  )
})

test('what is not confirmed is told again, the same but for its signature', async () => {
  await register()
  answers.push(500, 302, 404)
  await happen('late')
  await expect.poll(() => calls.length, { timeout: 30_000 }).toBe(4)
  await quiet()
  expect(calls).toHaveLength(4)
  expect(new Set(calls.map(({ text }) => text)).size).toBe(1)
  expect(calls.every((each) => isSigned(each, 'whsec'))).toBe(true)
  const pauses = calls.slice(1).map(({ atMs }, index) => atMs - (calls[index]?.atMs ?? 0))
  expect(pauses[0]).toBeGreaterThanOrEqual(190)
  expect(pauses[2]).toBeGreaterThan((pauses[0] ?? 0) * 2)
})

test('what happens to one order is told in order, however long the first takes', async () => {
  await register()
  answers.push(500, 500)
  const later = [
    { after_seconds: 1, status: 'accepted' },
    { after_seconds: 2, status: 'completed' },
    { after_seconds: 3, status: 'returned' },
  ]
  await script(url, { later })
  await happen('steps')
  await expect.poll(() => calls.length, { timeout: 30_000 }).toBe(5)
  const types = calls.slice(2).map(({ body }) => body['type'])
  expect(types).toEqual(['transfer.accepted', 'transfer.completed', 'transfer.returned'])
})

test('a receiver hears of its rails only, and of nothing once it is gone', async () => {
  const { id } = await register('whsec', ['sandbox'])
  await happen('not-ours')
  await ask(url, 'POST', '/transfers', orderOf('ours', '1.11'))
  await advance(url, 5)
  await expect.poll(() => calls.map(reference)).toEqual(['ours'])
  expect((await control(url, 'GET', '/callbacks'))['callbacks']).toMatchObject([{ id, rails: ['sandbox'] }])
  expect(JSON.stringify(await control(url, 'GET', '/callbacks'))).not.toContain('whsec')

  answers.push(...Array.from({ length: 100 }, () => 500))
  await ask(url, 'POST', '/transfers', orderOf('unheard', '1.11'))
  await advance(url, 5)
  await expect.poll(() => calls.length).toBeGreaterThan(1)
  await control(url, 'DELETE', `/callbacks/${String(id)}`)
  const count = calls.length
  await quiet()
  await quiet()
  expect(calls.length).toBeLessThanOrEqual(count + 1)
})

test('duplicates, as many as were asked for', async () => {
  await register()
  await script(url, { rail: 'instapay', callbacks: { duplicates: 2 } })
  await happen('late')
  await expect.poll(() => calls.length).toBe(3)
  await quiet()
  expect(calls.map(({ body }) => body['id'])).toEqual(['evt_instapay_1', 'evt_instapay_1', 'evt_instapay_1'])
})

test('dropped ones never come; the list of events has them', async () => {
  await register()
  await script(url, { match: { reference: 'lost' }, callbacks: { drop: true } })
  await happen('lost', 'late')
  await expect.poll(() => calls.map(reference)).toEqual(['late'])
  await quiet()
  expect(calls).toHaveLength(1)
  const { body } = parsed(await call(url, 'GET', '/instapay/events'))
  expect((body['events'] as Json[]).map((event) => event['reference'])).toEqual(['lost', 'late'])
})

test('delayed ones come later in real time', async () => {
  await register()
  await script(url, { callbacks: { delay_seconds: 0.7 } })
  const startedAt = Date.now()
  await happen('late')
  await expect.poll(() => calls.length, { timeout: 30_000 }).toBe(1)
  expect((calls[0]?.atMs ?? 0) - startedAt).toBeGreaterThanOrEqual(690)
})

test('shuffled ones come in disorder, each once', async () => {
  await register()
  await script(url, { callbacks: { shuffle: true } })
  const references = Array.from({ length: 30 }, (_, index) => `order-${index}`)
  await happen(...references)
  await expect.poll(() => calls.length, { timeout: 30_000 }).toBe(30)
  expect(calls.map(reference)).not.toEqual(references)
  expect(new Set(calls.map(reference))).toEqual(new Set(references))
})

test('forged ones say the contrary, and their signature does not hold', async () => {
  await register()
  await script(url, { callbacks: { forged: 2 } })
  await happen('late')
  await expect.poll(() => calls.length).toBe(3)
  expect(calls.map((each) => [each.body['type'], isSigned(each, 'whsec')])).toEqual([
    ['transfer.failed', false],
    ['transfer.failed', false],
    ['transfer.completed', true],
  ])
})

test.each([
  ['no address', { secret: 's' }],
  ['an address of another kind', { url: 'file:///etc/passwd', secret: 's' }],
  ['no secret', { url: 'http://127.0.0.1:1' }],
  ['an unknown rail', { url: 'http://127.0.0.1:1', secret: 's', rails: ['swift'] }],
])('a receiver with %s is refused', async (_, receiver) => {
  const { status, body } = await ask(url, 'POST', '/callbacks', receiver)
  expect([status, body['code']]).toEqual([400, 'invalid_request'])
  expect((await control(url, 'GET', '/callbacks'))['callbacks']).toEqual([])
})
