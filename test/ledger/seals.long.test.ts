// Seals by processes: gateways that are killed -9 in the midst of sealing, two that seal the same history at once, and what an
// operator and whoever holds a receipt ask of the command line, with the exit codes that scripts go by.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DevFile } from '../../src/main/development.ts'
import { ownerConnection } from '../rig/gateway-process.ts'
import { openWorkshop, type Ready, type Started, type Workshop } from '../rig/starts.ts'

let workshop: Workshop
let dataDir: string
beforeAll(() => {
  workshop = openWorkshop()
  dataDir = join(workshop.folder, 'data')
})
afterAll(() => workshop.close())

const WITHIN = { timeout: 60_000, interval: 50 }
const devFile = () => JSON.parse(readFileSync(join(dataDir, 'dev.json'), 'utf8')) as DevFile
const start = () => workshop.run({ GATEWAY_DATA_DIR: dataDir }, ['start', '--json'])

type Ran = { readonly status: number | null; readonly out: string; readonly err: string }
async function run(...words: string[]): Promise<Ran> {
  const { said, ended } = workshop.run({ GATEWAY_DATA_DIR: dataDir }, words)
  const status = await ended
  return { status, ...said }
}

async function made({ url }: Ready, count: number): Promise<string[]> {
  const headers = { 'x-api-key': devFile().api_key ?? '', 'content-type': 'application/json' }
  const recipient = { name: 'Ana Cruz', wallet: '0012345678' }
  const body = JSON.stringify({ amount: 10, currency: 'PHP', channel: 'sandbox', recipient, description: 'Rent' })
  const make = async () => {
    const reply = await fetch(`${url}/contracts/transfer`, { method: 'POST', headers, body })
    return ((await reply.json()) as { data: { contract: { id: string } } }).data.contract.id
  }
  return Promise.all(Array.from({ length: count }, make))
}

async function asOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(ownerConnection(dataDir))
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    // A server that stops with its last gateway has ended it already.
    await client.end().catch(() => undefined)
  }
}

/** While it lasts no seal can be written, and whoever writes one waits in the midst of its transaction. It ends with the connection. */
const withoutSeals = (work: (waiting: () => Promise<number>) => Promise<void>) =>
  asOwner(async (client) => {
    await client.query('begin')
    await client.query('lock table seals in exclusive mode')
    await work(async () => {
      const { rows } = await client.query(
        `select count(distinct l.pid)::int as count from pg_locks l
          where l.relation = 'seals'::regclass and l.mode = 'RowExclusiveLock' and not l.granted`,
      )
      return rows[0].count as number
    })
  })

/** How far the books are sealed: nothing waits, and the seals of each account are counted without a gap. */
const chains = () =>
  asOwner(async (client) => {
    const { rows } = await client.query(
      `select (select coalesce(sum(a.position), 0) - coalesce((select sum(length(s.leaves) / 32) from seals s), 0) from accounts a)::int as unsealed,
              (select count(*) from (select 1 from seals group by lane, account_id having count(*) <> max(number)) x)::int as gaps,
              (select count(*) from seals)::int as seals`,
    )
    return rows[0] as { readonly unsealed: number; readonly gaps: number; readonly seals: number }
  })
const isSealed = () => expect.poll(chains, WITHIN).toMatchObject({ unsealed: 0, gaps: 0 })

/** One that was killed counts as there for some seconds more, and lanes are shared with it. */
const living = () =>
  asOwner(async (client) => {
    const { rows } = await client.query('select count(*)::int as count from processes where alive_until > now()')
    return rows[0].count as number
  })

const die = async ({ child, ended }: Started) => {
  child.kill('SIGKILL')
  await ended
}
const leave = async ({ child, ended }: Started) => {
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
}

test('killed -9 in the midst of sealing, again and again: the chain goes on from what was committed', async () => {
  for (let kill = 0; kill < 3; kill++) {
    const gateway = start()
    const ready = await gateway.ready()
    await withoutSeals(async (waiting) => {
      await made(ready, 5)
      await expect.poll(waiting, WITHIN).toBeGreaterThan(0)
      await die(gateway)
    })
  }
  const gateway = start()
  await gateway.ready()
  await isSealed()
  const verified = await run('verify')
  expect([verified.status, verified.out]).toEqual([0, expect.stringContaining('The books hold.')])
  await expect.poll(living, WITHIN).toBe(1)
  await leave(gateway)
}, 240_000)

test('two gateways that write the same seal at once make one chain', async () => {
  const one = start()
  const first = await one.ready()
  // Neither hears of the other, as for a moment when one has just begun: both work on every lane.
  await asOwner((client) => client.query('revoke select on processes from gateway_app'))
  const two = start()
  await two.ready()
  await isSealed()
  const before = await chains()
  await withoutSeals(async (waiting) => {
    await made(first, 5)
    await expect.poll(waiting, WITHIN).toBe(2)
  })
  await made(first, 20)
  await isSealed()
  expect((await chains()).seals).toBeGreaterThan(before.seals)
  const verified = await run('verify')
  expect([verified.status, verified.out]).toEqual([0, expect.stringContaining('The books hold.')])
  await asOwner((client) => client.query('grant select on processes to gateway_app'))
  await Promise.all([leave(one), leave(two)])
}, 240_000)

test('gateway seals and gateway receipts say what holds and what does not, in words and exit codes', async () => {
  const gateway = start()
  const ready = await gateway.ready()
  const [id = ''] = await made(ready, 1)
  await isSealed()
  const at = (name: string) => join(workshop.folder, name)

  const key = await run('seals', 'key', '--json')
  const { public_key: publicKey } = JSON.parse(key.out) as { readonly public_key: string }
  expect(key.status).toBe(0)
  const heads = await run('seals', 'heads', '--json')
  writeFileSync(at('heads.json'), heads.out)
  const check = await run('seals', 'check', at('heads.json'))
  expect([check.status, check.out]).toEqual([0, expect.stringContaining('The books go on')])
  const nonsense = await run('seals', 'check', at('data/dev.json'))
  expect([nonsense.status, nonsense.err]).toEqual([1, expect.stringContaining('does not hold heads of seals')])

  const receipt = await run('receipts', 'get', id)
  expect([receipt.status, receipt.err]).toEqual([0, ''])
  writeFileSync(at('receipt.json'), receipt.out)
  const believed = await run('receipts', 'verify', at('receipt.json'), '--key', publicKey)
  expect([believed.status, believed.out]).toEqual([0, expect.stringContaining(id)])
  const unasked = await run('receipts', 'verify', at('receipt.json'))
  expect([unasked.status, unasked.out, unasked.err]).toEqual([
    2,
    '',
    expect.stringContaining('say which key you trust with --key'),
  ])
  const strange = await run('receipts', 'verify', at('receipt.json'), '--key', Buffer.alloc(32, 1).toString('base64'))
  expect(strange.status).toBe(1)
  writeFileSync(at('forged.json'), receipt.out.replaceAll('Ana Cruz', 'Eve Cruz'))
  const forged = await run('receipts', 'verify', at('forged.json'), '--key', publicKey)
  expect(forged.status).toBe(1)

  await asOwner((client) => client.query(`update seals set text = replace(text, '"number":1,', '"number":2,')`))
  const verified = await run('verify')
  expect([verified.status, verified.out]).toEqual([1, expect.stringContaining('does not hold: seal.')])
  await asOwner((client) => client.query('delete from seals'))
  const cut = await run('seals', 'check', at('heads.json'))
  expect([cut.status, cut.out]).toEqual([1, expect.stringContaining('the books end before it')])
  await leave(gateway)
}, 240_000)
