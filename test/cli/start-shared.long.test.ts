// Two gateways on one data directory: one sandbox provider over one journal, whoever comes first and whoever ends first.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DevFile } from '../../src/main/development.ts'
import { openWorkshop, type Ready, type Started, type Workshop } from '../rig/starts.ts'

let workshop: Workshop
let dataDir: string
const devFile = () => JSON.parse(readFileSync(join(dataDir, 'dev.json'), 'utf8')) as DevFile
const providers = () => workshop.processesOf(dataDir).filter((line) => line.includes('sandbox/server.js'))

beforeAll(() => {
  workshop = openWorkshop()
  dataDir = join(workshop.folder, 'data')
})
afterAll(() => workshop.close())

const start = () => workshop.run({ GATEWAY_DATA_DIR: dataDir }, ['start', '--json'])

/** Pays a contract out by the sandbox, to its end. */
async function paysOut({ url }: Ready): Promise<string> {
  const headers = { 'x-api-key': devFile().api_key, 'content-type': 'application/json' }
  const ask = async (method: string, path: string, body?: object) => {
    const reply = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    return ((await reply.json()) as { data: { contract: { id: string; status: string } } }).data.contract
  }
  const recipient = { name: 'Ana Cruz', wallet: '0012345678' }
  const { id } = await ask('POST', '/contracts/transfer', {
    amount: 10,
    currency: 'PHP',
    channel: 'sandbox',
    recipient,
  })
  await ask('PUT', `/contracts/transfer/${id}/issue`)
  await ask('PUT', `/contracts/transfer/${id}/pay`)
  const status = async () => (await ask('GET', `/contracts/transfer/${id}`)).status
  await expect.poll(status, { timeout: 30_000 }).toBe('completed')
  return id
}

test('a second one shares the provider of the first, is told so, and goes on when the first ends', async () => {
  const first = start()
  const one = await first.ready()
  const { sandbox_url: sandboxUrl, sandbox_token: token } = devFile()
  const second = start()
  const two = await second.ready()
  expect(two.notes).toEqual([expect.stringMatching(/Another gateway .*sandbox provider/)])
  expect(two.url).not.toBe(one.url)
  expect(devFile()).toMatchObject({ base_url: one.url, pid: first.child.pid })
  expect(two.dev).toMatchObject({ sandbox_url: sandboxUrl, sandbox_token: token })
  // Scripts go on finding the one that was there.
  expect(devFile().base_url).toBe(one.url)
  expect(providers()).toHaveLength(1)
  const [before] = providers()
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  await expect.poll(providers, { timeout: 30_000 }).toEqual([expect.not.stringContaining(before ?? '')])
  // At the same address, with the same token and the same books.
  const clock = () =>
    fetch(`${sandboxUrl}/clock`, { headers: { authorization: `Bearer ${token}` } }).then(
      (reply) => reply.status,
      () => 0,
    )
  await expect.poll(clock, { timeout: 30_000 }).toBe(200)
  await paysOut(two)
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe(0)
  expect(workshop.processesOf(dataDir)).toEqual([])
}, 240_000)

test('three that start at the same moment have one between them', async () => {
  const all: Started[] = [start(), start(), start()]
  const ready = await Promise.all(all.map((each) => each.ready()))
  expect(new Set(ready.map(({ dev }) => dev?.['sandbox_url'])).size).toBe(1)
  expect(providers()).toHaveLength(1)
  for (const { child } of all) child.kill('SIGTERM')
  expect(await Promise.all(all.map(({ ended }) => ended))).toEqual([0, 0, 0])
  expect(workshop.processesOf(dataDir)).toEqual([])
}, 240_000)

test('a provider whose gateway was killed is neither shared for long nor doubled', async () => {
  const first = start()
  await first.ready()
  first.child.kill('SIGKILL')
  await first.ended
  const second = start()
  const two = await second.ready()
  await paysOut(two)
  expect(providers()).toHaveLength(1)
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe(0)
}, 240_000)

test('one with a provider elsewhere leaves the file of the one that runs alone; the file of one that was killed is taken over', async () => {
  const first = start()
  const one = await first.ready()
  const before = readFileSync(join(dataDir, 'dev.json'), 'utf8')
  // Nothing is shared but the directory and its database.
  const elsewhere = { GATEWAY_DATA_DIR: dataDir, SANDBOX_URL: 'http://127.0.0.1:2' }
  const second = workshop.run(elsewhere, ['start', '--json'])
  const two = await second.ready()
  expect(two.notes?.[0]).toMatch(/Another gateway runs on this data directory/)
  expect(readFileSync(join(dataDir, 'dev.json'), 'utf8')).toBe(before)
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe(0)
  first.child.kill('SIGKILL')
  await first.ended
  const third = start()
  const three = await third.ready()
  expect(devFile()).toMatchObject({ base_url: three.url, pid: third.child.pid })
  expect(devFile().account_id).toBe(one.dev?.['account_id'])
  third.child.kill('SIGTERM')
  expect(await third.ended).toBe(0)
}, 240_000)
