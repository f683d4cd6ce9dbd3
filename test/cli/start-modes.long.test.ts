// Each start in {development, production, half configured}: what it makes, what it prints, and what it refuses with the mend.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../rig/gateway-child.ts'
import { openWorkshop, SERVICE_USER, type Settings, type Workshop } from '../rig/starts.ts'

let workshop: Workshop
beforeAll(() => {
  workshop = openWorkshop()
})
afterAll(() => workshop.close())

const KEY = Buffer.alloc(32, 9).toString('base64')
const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBwcm92aWRlcg=='
/** InstaPay with a real address; behind a sidecar of this machine, so that nothing leaves it. */
const INSTAPAY = {
  GATEWAY_INSTAPAY_URL: 'http://127.0.0.1:9',
  GATEWAY_DEBTOR_NAME: 'Reyes Trading',
  GATEWAY_DEBTOR_BANK: 'BOPIPHMM',
}
const WHOLE: Settings = {
  GATEWAY_MODE: 'production',
  GATEWAY_PUBLIC_URL: 'https://pay.example.com',
  GATEWAY_DATABASE: 'embedded',
  GATEWAY_SEALING_KEYS: KEY,
}

/** A start that is refused: its exit code is 2, it says why and what to do, and it leaves nothing behind. */
async function refused(settings: Settings, user?: number): Promise<string> {
  const dataDir = join(workshop.folder, `refused-${Math.random().toString(36).slice(2)}`)
  const { said, ended } = workshop.run({ ...settings, GATEWAY_DATA_DIR: dataDir }, ['start'], user)
  expect(await ended).toBe(2)
  expect(said.out).toBe('')
  expect(said.err).not.toMatch(/^\s+at |whsec_|AAAA/m)
  expect(existsSync(dataDir)).toBe(false)
  return said.err
}

describe('without GATEWAY_MODE', () => {
  test.each<[string, Settings, RegExp]>([
    ['a port that others reach', { HOST: '0.0.0.0' }, /HOST is 0\.0\.0\.0/],
    [
      'figures that others reach',
      { GATEWAY_METRICS_PORT: '18099', GATEWAY_METRICS_HOST: '0.0.0.0' },
      /GATEWAY_METRICS_HOST is 0\.0\.0\.0/,
    ],
    ['every address of IPv6', { HOST: '::' }, /HOST is ::/],
    ['a public address', { GATEWAY_PUBLIC_URL: 'https://pay.example.com' }, /GATEWAY_PUBLIC_URL is https:\/\/pay/],
    ['a database elsewhere', { DATABASE_URL: 'postgres://u:p@10.0.0.1/x' }, /DATABASE_URL is on another machine/],
    [
      'a socket beside a host elsewhere',
      { DATABASE_URL: 'postgres://u@localhost/x?host=10.0.0.1' },
      /DATABASE_URL is on another machine/,
    ],
    [
      'a database elsewhere by PGHOST',
      { DATABASE_URL: 'postgres:///x', PGHOST: '10.0.0.1' },
      /DATABASE_URL is on another/,
    ],
    ['a sandbox elsewhere', { SANDBOX_URL: 'http://10.0.0.1:4010' }, /SANDBOX_URL is on another machine/],
    ['a rail with a real address', INSTAPAY, /instapay has a real address \(GATEWAY_INSTAPAY_URL\)/],
  ])('%s is refused, with both mends', async (_, settings, why) => {
    const said = await refused(settings)
    expect(said).toMatch(why)
    expect(said).toMatch(/GATEWAY_MODE=production[\s\S]*gateway init[\s\S]*GATEWAY_<RAIL>_MODE=test/)
  })
})

describe('as development, said so', () => {
  test.each<[string, Settings, RegExp]>([
    ['a port that others reach', { HOST: '0.0.0.0' }, /HOST is 0\.0\.0\.0/],
    ['a rail with a real address', INSTAPAY, /instapay has a real address/],
  ])('%s is refused all the same', async (_, settings, why) => {
    expect(await refused({ GATEWAY_MODE: 'development', ...settings })).toMatch(why)
  })

  test('the accounts, a key, the sandbox and dev.json are there, and links lead to the port that was bound', async () => {
    const dataDir = join(workshop.folder, 'trial')
    const run = workshop.run({ GATEWAY_MODE: 'development', GATEWAY_DATA_DIR: dataDir, GATEWAY_PUBLIC_URL: '' }, [
      'start',
      '--json',
    ])
    const { mode, url, public_url: publicUrl, dev } = await run.ready()
    expect({ mode, publicUrl }).toEqual({ mode: 'development', publicUrl: url })
    expect(dev).toMatchObject({ base_url: url, api_key: expect.stringMatching(/^gck_test_/) })
    expect(new URL(url).port).not.toBe('0')
    const body = JSON.stringify({ amount: 5, currency: 'PHP', channel: 'gcash' })
    const headers = { 'x-api-key': String(dev?.['api_key']), 'content-type': 'application/json' }
    const made = await fetch(`${url}/contracts/payment`, { method: 'POST', headers, body })
    const { contract } = ((await made.json()) as { data: { contract: Record<string, unknown> } }).data
    expect(contract['checkout_url']).toMatch(new RegExp(`^${url}/pay/`))
    expect((await fetch(String(contract['checkout_url']))).status).toBe(200)
    expect(JSON.stringify(contract['channel'])).toContain(`"uri":"${url}/channels/`)
    const channels = await (await fetch(`${url}/channels`, { headers })).text()
    expect(channels).toContain(`"uri":"${url}/channels/`)
    expect(channels).not.toContain(':0/')
    // What is in the directory is for its owner, who may be root: then the database's user comes through, and lists nothing.
    expect(statSync(dataDir).mode & 0o066).toBe(0)
    run.child.kill('SIGTERM')
    expect(await run.ended).toBe(0)
  }, 180_000)
})

describe('as production, by a user of its own', () => {
  test('everything that is missing is named at once, each with its mend', async () => {
    const said = await refused(
      {
        GATEWAY_MODE: 'production',
        ...INSTAPAY,
        SANDBOX_URL: 'http://127.0.0.1:4010',
        GATEWAY_WEBHOOK_ALLOW: '10.0.0.0/8,0.0.0.0/0,::/0,128.0.0.0/1,64:ff9b::/96',
        GATEWAY_CRASH_AT: 'before a batch is committed',
        GATEWAY_MAYA_API_KEY: 'the-key-of-a-wallet',
        PORT: 'x',
      },
      SERVICE_USER,
    )
    for (const words of [
      'PORT must be',
      /GATEWAY_PUBLIC_URL is missing\. .*https/,
      /No database is named\. .*DATABASE_URL.*GATEWAY_DATABASE=embedded/,
      /GATEWAY_SEALING_KEYS is missing\. .*openssl rand/,
      /GATEWAY_CALLBACK_SECRETS has none for instapay.*instapay=…/,
      /SANDBOX_URL is set.*Leave it out/,
      'GATEWAY_WEBHOOK_ALLOW has 0.0.0.0/0,',
      'GATEWAY_WEBHOOK_ALLOW has ::/0,',
      'GATEWAY_WEBHOOK_ALLOW has 128.0.0.0/1,',
      'GATEWAY_WEBHOOK_ALLOW has 64:ff9b::/96,',
      /GATEWAY_CRASH_AT is set/,
      /GATEWAY_MAYA_API_KEY is set, and GATEWAY_MAYA_URL is not.*Set GATEWAY_MAYA_URL/,
    ])
      expect(said).toMatch(words)
    expect(said).not.toContain('10.0.0.0/8')
    expect(said).not.toContain('as root')
  })

  test.each<[string, Settings, RegExp]>([
    ['a public address without TLS', { GATEWAY_PUBLIC_URL: 'http://pay.example.com' }, /and not over https/],
    ['a sealing key that is none', { GATEWAY_SEALING_KEYS: 'short' }, /GATEWAY_SEALING_KEYS must be/],
    ['two databases', { DATABASE_URL: 'postgres://u@127.0.0.1/x' }, /leave one of them out/],
    ['a live rail without its secret', INSTAPAY, /GATEWAY_CALLBACK_SECRETS has none for instapay/],
  ])('%s is refused', async (_, settings, why) => {
    const said = await refused({ ...WHOLE, ...settings }, SERVICE_USER)
    expect(said).toMatch(why)
  })

  test.skipIf(SERVICE_USER === undefined)('root is refused, with the mend (needs root)', async () => {
    expect(await refused(WHOLE)).toMatch(/runs as root\. Start it as a user of its own/)
  })

  test('a whole one starts without a sandbox, an account, a key or dev.json', async () => {
    const dataDir = workshop.directory('production', SERVICE_USER)
    const metricsPort = await freePort()
    const settings = {
      ...WHOLE,
      ...INSTAPAY,
      GATEWAY_CALLBACK_SECRETS: `instapay=${SECRET}`,
      GATEWAY_DATA_DIR: dataDir,
      GATEWAY_METRICS_PORT: String(metricsPort),
    }
    const run = workshop.run(settings, ['start', '--json'], SERVICE_USER)
    const { mode, url, public_url: publicUrl, dev, live_rails: live, metrics_url: figures } = await run.ready()
    expect({ mode, publicUrl, dev, live }).toEqual({
      mode: 'production',
      publicUrl: 'https://pay.example.com',
      dev: undefined,
      live: ['instapay'],
    })
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect(run.said.out + run.said.err).not.toContain('gck_')
    expect(workshop.processesOf(dataDir).filter((line) => line.includes('sandbox'))).toEqual([])
    expect(readdirSync(dataDir).filter((name) => /dev\.json|sandbox|sealing/.test(name))).toEqual([])
    // Figures: at a port of their own, and at the gateway's only for a key.
    expect(figures).toBe(`http://127.0.0.1:${metricsPort}/metrics`)
    expect(await (await fetch(String(figures))).text()).toMatch(/^process_heap_bytes \d+$/m)
    expect((await fetch(`http://127.0.0.1:${metricsPort}/healthz`)).status).toBe(404)
    expect((await fetch(`${url}/metrics`)).status).toBe(401)
    const listed = workshop.run(settings, ['accounts', 'list', '--json'], SERVICE_USER)
    expect(await listed.ended).toBe(0)
    expect(JSON.parse(listed.said.out)).toEqual({ accounts: [] })
    run.child.kill('SIGTERM')
    expect(await run.ended).toBe(0)
  })

  test('what it prints for people has no key either', async () => {
    const dataDir = join(workshop.folder, 'production')
    const run = workshop.run({ ...WHOLE, GATEWAY_DATA_DIR: dataDir }, ['start'], SERVICE_USER)
    await expect.poll(() => run.said.out, { timeout: 180_000 }).toContain('Ctrl-C to stop')
    expect(run.said.out).toMatch(/in production[\s\S]*none: only money between wallets moves[\s\S]*gateway init/)
    expect(run.said.out).not.toMatch(/gck_|dev\.json|sandbox|curl/)
    run.child.kill('SIGTERM')
    expect(await run.ended).toBe(0)
  }, 180_000)
})
