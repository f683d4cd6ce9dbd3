// The sandbox provider beside a gateway, and a stranger on the same machine: another user, a page of the web, a process that took
// its old port. None of them learns a secret, and none of them can tell the gateway what became of money.
import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkshop, type Ready, SERVICE_USER, type Started, STRANGER, type Workshop } from '../../rig/starts.ts'

const REAL = 'whsec_dGhlIHNlY3JldCBvZiBhIHJlYWwgYmFuaw=='
const REAL_KEY = 'the-key-of-a-real-wallet'

let workshop: Workshop
let dataDir: string
let run: Started
let ready: Ready
let sandboxUrl: string
let token: string

beforeAll(async () => {
  workshop = openWorkshop()
  dataDir = workshop.directory('data', SERVICE_USER)
  chmodSync(dataDir, 0o755)
  // As an earlier release left it: for everybody to read.
  const books = join(dataDir, 'sandbox')
  mkdirSync(books)
  chmodSync(books, 0o755)
  const journal = join(books, 'sandbox.jsonl')
  writeFileSync(journal, '')
  chmodSync(journal, 0o644)
  if (SERVICE_USER !== undefined) spawnSync('chown', ['-R', `${SERVICE_USER}:${SERVICE_USER}`, books])
  const settings = {
    GATEWAY_DATA_DIR: dataDir,
    GATEWAY_CALLBACK_SECRETS: `instapay=${REAL}`,
    // A real one without its address: the sandbox plays Maya, and must not be shown it.
    GATEWAY_MAYA_API_KEY: REAL_KEY,
    GATEWAY_SEALING_KEYS: Buffer.alloc(32, 5).toString('base64'),
  }
  run = workshop.run(settings, ['start', '--json'], SERVICE_USER)
  ready = await run.ready()
  sandboxUrl = String(ready.dev?.['sandbox_url'])
  token = String(ready.dev?.['sandbox_token'])
}, 180_000)
afterAll(() => workshop.close())

type Said = { readonly status: number; readonly text: string }

/** By Node's own client, which sends whatever Host it is told. */
function ask(method: string, path: string, headers: Record<string, string>, body = ''): Promise<Said> {
  const { hostname, port } = new URL(sandboxUrl)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, (answer) => {
      let text = ''
      answer.on('data', (bytes: Buffer) => (text += bytes.toString()))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    sent.on('error', reject)
    if (method === 'POST') sent.write(body)
    sent.end()
  })
}

const JSON_TYPE = { 'content-type': 'application/json' }
const CONTROL = [
  ['POST', '/scenarios'],
  ['DELETE', '/scenarios/scn_1'],
  ['GET', '/clock'],
  ['POST', '/clock'],
  ['GET', '/callbacks'],
  ['POST', '/callbacks'],
  ['DELETE', '/callbacks/rcv_1'],
  ['GET', '/payment-receivers'],
  ['POST', '/payment-receivers'],
  ['DELETE', '/payment-receivers/1'],
  ['GET', '/books'],
  ['GET', '/instapay/books'],
  ['GET', '/gcash/collections'],
  ['GET', '/qrph/collections'],
] as const

test.each(CONTROL)('%s %s is for the token of this start', async (method, path) => {
  for (const authorization of ['', 'Bearer wrong', `Bearer ${token}x`, `Basic ${token}`]) {
    const { status, text } = await ask(method, path, { ...JSON_TYPE, ...(authorization && { authorization }) }, '{}')
    expect({ status, code: (JSON.parse(text) as { code: string }).code }).toEqual({
      status: 401,
      code: 'token_required',
    })
    expect(text).not.toContain(token)
  }
})

test('with the token, what is no JSON by its type is refused, as a form of a page would be', async () => {
  const authorization = `Bearer ${token}`
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])
    expect(await ask('POST', '/clock', { authorization, 'content-type': type }, '{"advance_seconds":1}')).toMatchObject(
      {
        status: 415,
      },
    )
  expect(await ask('POST', '/clock', { authorization, ...JSON_TYPE }, '{"advance_seconds":1}')).toMatchObject({
    status: 200,
  })
})

test.each(['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:80', '10.0.0.1', '0.0.0.0', '[::2]'])(
  'a page that was led here by the name %s gets nothing, whatever it asks',
  async (host) => {
    for (const path of ['/scenarios', '/payer/qrph', '/transfers/x', '/clock', '/healthz'])
      expect(await ask('GET', path, { host, authorization: `Bearer ${token}` })).toMatchObject({ status: 421 })
  },
)

test('rails, the list of scenarios and payers need no token', async () => {
  const { port } = new URL(sandboxUrl)
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`])
    for (const path of ['/scenarios', '/payer/qrph', '/healthz', '/instapay/events'])
      expect(await ask('GET', path, { host })).toMatchObject({ status: 200 })
})

test('the provider has no secret but those of this start, in its books or around it', () => {
  const texts = [...filesOf(join(dataDir, 'sandbox'))].map((path) => readFileSync(path, 'utf8')).join('\n')
  expect(texts).toContain('"rails":["instapay"]')
  for (const secret of [REAL, REAL_KEY, Buffer.alloc(32, 5).toString('base64')]) expect(texts).not.toContain(secret)
  const [process] = workshop.processesOf(dataDir).filter((line) => line.includes('sandbox/server.js'))
  expect(process).not.toContain(token)
  const pid = String(process).trim().split(' ')[0] ?? ''
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
  expect(environment).toContain('SANDBOX_TOKEN=')
  expect(environment).not.toMatch(/GATEWAY_|DATABASE_URL/)
})

test('its files are 0600 in directories of 0700, those of an earlier release too', () => {
  const books = join(dataDir, 'sandbox')
  expect(statSync(books).mode & 0o777).toBe(0o700)
  for (const path of filesOf(books)) expect([path, statSync(path).mode & 0o077]).toEqual([path, 0])
  for (const name of ['dev.json']) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600)
})

test.skipIf(STRANGER === undefined)(
  'another user of the machine reads nothing there, and forges nothing with what can be read (needs root)',
  async () => {
    const words = (command: string) => {
      const { stdout } = spawnSync('sh', ['-c', command], {
        ...(STRANGER === undefined ? {} : { uid: STRANGER, gid: STRANGER }),
        cwd: '/',
        encoding: 'utf8',
      })
      return stdout
    }
    // What there is to read at all.
    const read = words(`cat $(find ${dataDir} -type f -readable 2>/dev/null) /dev/null 2>/dev/null; ps -A -o args=`)
    expect(words(`find ${dataDir}/sandbox -type f 2>/dev/null`)).toBe('')
    for (const secret of [token, REAL, String(ready.dev?.['api_key']), String(ready.dev?.['webhook_secret'])])
      expect(read).not.toContain(secret)
    // Every word of it, as the secret that a bank signs with.
    const body = JSON.stringify({
      id: 'evt_1',
      type: 'transfer.failed',
      created_at: 1,
      data: { object: { rail: 'instapay', reference: 'x', status: 'refused', amount: '1.00', currency: 'PHP' } },
    })
    const t = Math.floor(Date.now() / 1000)
    for (const secret of new Set(['', ...read.split(/\s+/).slice(0, 500)])) {
      const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
      const reply = await fetch(`${ready.url}/channels/instapay/callbacks`, {
        method: 'POST',
        headers: { ...JSON_TYPE, 'service-signature': `t=${t},v1=${v1}` },
        body,
      })
      expect(reply.status).toBe(401)
    }
  },
  60_000,
)

test('both the configured secret and the one of this start are believed', async () => {
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'transfer.completed',
    created_at: 1,
    data: { object: { rail: 'instapay', reference: 'x' } },
  })
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', REAL).update(`${t}.${body}`).digest('hex')
  const headers = { ...JSON_TYPE, 'service-signature': `t=${t},v1=${v1}` }
  const reply = await fetch(`${ready.url}/channels/instapay/callbacks`, { method: 'POST', headers, body })
  expect(reply.status).toBe(200)
})

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
