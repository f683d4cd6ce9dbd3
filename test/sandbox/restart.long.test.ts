// The sandbox provider's rails through crashes and restarts: executions, files, scenarios and unconfirmed callbacks stay.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { mountSmallDisk } from '../rig/chaos/small-disk.ts'
import { compileProvider, newFolder, type Provider, spawnProvider } from '../connectors/provider.ts'
import {
  advance,
  askCredit,
  call,
  control,
  pacs008,
  pain001,
  parsed,
  script,
  sendCredit,
  sendFile,
  truth,
  wordOf,
  wordsOf,
  type Item,
} from './rails.ts'

let program: string
let folder: string
const folders: string[] = []

beforeAll(() => {
  program = compileProvider()
  folders.push(dirname(program))
})
beforeEach(() => {
  folder = newFolder()
  folders.push(folder)
})
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true })
})

const start = () => spawnProvider(program, folder)

async function restarted(provider: Provider): Promise<Provider> {
  await provider.end('SIGKILL')
  return start()
}

test('what InstaPay answered before kill -9 is executed once, however often it is sent again', async () => {
  const answered: string[] = []
  const ids = Array.from({ length: 300 }, (_, index) => `E2E-${index}`)
  let provider = await start()
  for (let round = 0; round < 3; round += 1) {
    const before = answered.length
    const sending = ids.slice(round * 100, round * 100 + 100).map(async (id) => {
      const said = await sendCredit(provider.url, pacs008(id)).catch(() => null)
      if (said?.status === 200) answered.push(id)
    })
    await expect.poll(() => answered.length, { interval: 1 }).toBeGreaterThan(before)
    const { url } = provider
    provider = await restarted(provider)
    expect(provider.url).not.toBe(url)
    await Promise.all(sending)
  }
  for (const id of answered)
    expect(wordOf(await askCredit(provider.url, id)), `${id} was answered`).toMatchObject({ status: 'ACSC' })
  for (const id of ids) await sendCredit(provider.url, pacs008(id))
  const { orders } = (await control(provider.url, 'GET', '/instapay/books')) as { orders: { executions: number }[] }
  expect(orders).toHaveLength(300)
  expect(orders.filter(({ executions }) => executions !== 1)).toEqual([])
  await provider.end('SIGTERM')
})

test('a file that was cut off by a crash is there with all its items or not at all', async () => {
  const items = (name: string) => Array.from({ length: 500 }, (_, index): Item => [`${name}-${index}`])
  let provider = await start()
  for (const name of ['A', 'B', 'C']) {
    const text = pain001(name, items(name))
    const sending = sendFile(provider.url, name, text).catch(() => null)
    await new Promise((resolve) => setTimeout(resolve, 25))
    provider = await restarted(provider)
    const answered = await sending
    const asked = await call(provider.url, 'GET', `/pesonet/files/${name}`)
    expect([200, answered ? 200 : 404]).toContain(asked.status)
    const ends = await Promise.all([0, 499].map((index) => truth(provider.url, 'pesonet', `${name}-${index}`)))
    expect(ends.map((entry) => entry !== null)).toEqual(Array(2).fill(asked.status === 200))
    expect(Object.values(wordsOf(await sendFile(provider.url, name, text)).items)).toEqual(Array(500).fill('ACCP'))
  }
  await advance(provider.url, 5 * 86_400)
  const { orders } = (await control(provider.url, 'GET', '/pesonet/books')) as { orders: { executions: number }[] }
  expect(orders.filter(({ executions }) => executions !== 1)).toEqual([])
  expect(orders).toHaveLength(1_500)
  await provider.end('SIGTERM')
})

test('scenarios and what they counted, the clock, and what waits go on after a crash', async () => {
  let provider = await start()
  await script(provider.url, { rail: 'instapay', verdict: 'refused', times: 2 })
  await script(provider.url, { match: { reference: 'hidden' }, inquiry: 'not_found' })
  const gone = await script(provider.url, { outage: '503' })
  await control(provider.url, 'DELETE', `/scenarios/${gone}`)
  await advance(provider.url, 3_600)
  const before = String((await control(provider.url, 'GET', '/clock'))['now'])
  expect(wordOf(await sendCredit(provider.url, pacs008('one')))).toMatchObject({ status: 'RJCT' })

  provider = await restarted(provider)
  expect(wordOf(await sendCredit(provider.url, pacs008('two')))).toMatchObject({ status: 'RJCT' })
  expect(wordOf(await sendCredit(provider.url, pacs008('hidden', '1.11')))).toMatchObject({ status: 'ACSP' })
  expect((await askCredit(provider.url, 'hidden')).status).toBe(404)
  expect(Date.parse(String((await control(provider.url, 'GET', '/clock'))['now']))).toBeGreaterThan(Date.parse(before))

  provider = await restarted(provider)
  await advance(provider.url, 10)
  expect(await truth(provider.url, 'instapay', 'hidden')).toMatchObject({ status: 'completed', executions: 1 })
  expect(await script(provider.url, { rail: 'maya', inquiry: 'truth' })).not.toBe(gone)
  await provider.end('SIGTERM')
})

test('a callback that was not confirmed is told after a restart, with the same id', async () => {
  const heard: { id: unknown; status: number }[] = []
  let answer = 500
  const receiver: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      heard.push({ id: (JSON.parse(Buffer.concat(chunks).toString()) as { id: unknown }).id, status: answer })
      response.writeHead(answer).end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', () => resolve()))
  let provider = await start()
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  await control(provider.url, 'POST', '/callbacks', { url, secret: 's' })
  await sendCredit(provider.url, pacs008('late', '1.11'))
  await advance(provider.url, 5)
  await expect.poll(() => heard.length).toBeGreaterThan(0)

  provider = await restarted(provider)
  answer = 200
  await expect.poll(() => heard.at(-1)?.status, { timeout: 30_000 }).toBe(200)
  expect(new Set(heard.map(({ id }) => id))).toEqual(new Set(['evt_instapay_1']))
  // The confirmation itself is in the journal as soon as anything after it is.
  await advance(provider.url, 1)
  const count = heard.length
  provider = await restarted(provider)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(heard).toHaveLength(count)
  expect(await provider.end('SIGTERM')).toBe(0)
  receiver.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
})

test('a journal of the first version is read', async () => {
  const createdAtMs = Date.now()
  const transfer = {
    id: 'sbx_0000000001',
    amount: '100.00',
    currency: 'PHP',
    channel: 'sandbox',
    createdAtMs,
    recipientHash: 'x',
    code: null,
    message: null,
  }
  const later = { afterMs: 3_600_000, status: 'completed' }
  const lines = [
    { transfer: { ...transfer, reference: 'done', status: 'completed', executions: 1, later: null } },
    { transfer: { ...transfer, reference: 'stuck', status: 'accepted', executions: 0, later } },
    { transfer: { ...transfer, reference: 'recalled', status: 'accepted', executions: 0, later } },
    { faultOf: 'faulty' },
    { move: { reference: 'recalled', status: 'recalled', code: 'recalled', message: '', atMs: createdAtMs + 1 } },
    { clockShiftMs: 60_000 },
  ]
  writeFileSync(join(folder, 'sandbox.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const provider = await start()
  const ask = async (reference: string) => parsed(await call(provider.url, 'GET', `/transfers/${reference}`)).body
  expect(await ask('done')).toMatchObject({ id: 'sbx_0000000001', status: 'completed', executions: 1 })
  expect(await ask('recalled')).toMatchObject({ status: 'recalled', executions: 0 })
  expect(await ask('stuck')).toMatchObject({ status: 'accepted', channel: 'sandbox' })
  await advance(provider.url, 3_600)
  expect(await ask('stuck')).toMatchObject({ status: 'completed', executions: 1 })
  expect(await ask('recalled')).toMatchObject({ status: 'recalled', executions: 0 })
  await provider.end('SIGTERM')
})

test('a provider whose disk is full ends, and what it answered before is there when it starts again', async ({
  skip,
}) => {
  const disk = mountSmallDisk(join(folder, 'small'), '2m')
  if (disk === null) return skip('no small disk can be mounted here')
  try {
    const place = join(folder, 'small')
    const answered: string[] = []
    const send = async (url: string, id: string) => {
      const said = await sendCredit(url, pacs008(id)).catch(() => null)
      if (said?.status === 200) answered.push(id)
      return said?.status === 200
    }
    let provider = await spawnProvider(program, place)
    await send(provider.url, 'BEFORE')
    disk.fill()
    // The last page of the journal has some room.
    let sent = 0
    while (await send(provider.url, `WHILE-${sent}`)) if (++sent > 100) throw new Error('the disk is not full')
    await expect.poll(() => call(provider.url, 'GET', '/').catch(() => 'gone'), { timeout: 30_000 }).toBe('gone')
    expect(await provider.end('SIGTERM')).toBe(1)
    disk.free()
    provider = await spawnProvider(program, place)
    for (const id of answered) expect(wordOf(await askCredit(provider.url, id))).toMatchObject({ status: 'ACSC' })
    await send(provider.url, `WHILE-${sent}`)
    const { orders } = (await control(provider.url, 'GET', '/instapay/books')) as { orders: { executions: number }[] }
    expect(orders.map(({ executions }) => executions)).toEqual(answered.map(() => 1))
    await provider.end('SIGTERM')
  } finally {
    disk.remove()
  }
})
