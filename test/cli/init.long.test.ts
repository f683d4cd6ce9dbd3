// gateway init sets a production up, from nothing to a key that works, and can be run again at any point of it; gateway
// doctor --production then says of each thing whether it is right.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkshop, SERVICE_USER, type Settings, STRANGER, type Workshop } from '../rig/starts.ts'

let workshop: Workshop
let dataDir: string
let keyFile: string
beforeAll(() => {
  workshop = openWorkshop()
  dataDir = workshop.directory('production', SERVICE_USER)
  keyFile = join(dataDir, 'first.key')
})
afterAll(() => workshop.close())

const SEALING_KEY = Buffer.alloc(32, 9).toString('base64')
const whole = (): Settings => ({
  GATEWAY_MODE: 'production',
  GATEWAY_PUBLIC_URL: 'https://pay.example.com',
  GATEWAY_DATABASE: 'embedded',
  GATEWAY_SEALING_KEYS: SEALING_KEY,
  GATEWAY_DATA_DIR: dataDir,
})

type Step = { readonly step: string; readonly state: string; readonly said: string; readonly mend: string | null }
type Printed = {
  readonly complete: boolean
  readonly account_id: string | null
  readonly api_key?: string
  readonly steps: readonly Step[]
  readonly missing: readonly string[]
}

async function run(settings: Settings, ...words: string[]) {
  const { said, ended } = workshop.run(settings, words, SERVICE_USER)
  const code = await ended
  return { code, ...said }
}

async function init(code: number, settings: Settings, ...words: string[]): Promise<Printed> {
  const { out, err, code: is } = await run(settings, 'init', ...words, '--json')
  expect(is, out + err).toBe(code)
  return JSON.parse(out) as Printed
}

const states = ({ steps }: Printed) => Object.fromEntries(steps.map(({ step, state }) => [step, state]))
const OWNER = ['--account', 'Reyes Trading', '--owner-name', 'Ana Cruz', '--owner-email', 'ana@example.com']

test('with nothing said it names everything that is missing, each with its mend, and touches nothing', async () => {
  const printed = await init(1, { GATEWAY_DATA_DIR: dataDir })
  expect(printed).toMatchObject({ complete: false, account_id: null })
  expect(printed.missing).toEqual([
    'GATEWAY_MODE',
    'GATEWAY_PUBLIC_URL',
    'DATABASE_URL',
    'GATEWAY_SEALING_KEYS',
    'database',
  ])
  for (const { mend } of printed.steps) expect(mend).toMatch(/\w+/)
  expect(readdirSync(dataDir)).toEqual([])
  const { out, code } = await run({ GATEWAY_DATA_DIR: dataDir }, 'init')
  expect(code).toBe(1)
  expect(out).toMatch(
    /lacking +GATEWAY_SEALING_KEYS +.*\n +Make one \(openssl rand[\s\S]*Still missing: GATEWAY_MODE, /,
  )
})

test.skipIf(STRANGER === undefined)(
  'root is sent away before the database belongs to the wrong user (needs root)',
  async () => {
    const { said, ended } = workshop.run(whole(), ['init', '--json'])
    expect(await ended).toBe(1)
    expect((JSON.parse(said.out) as Printed).missing).toEqual(['user', 'database'])
    expect(readdirSync(dataDir)).toEqual([])
  },
)

test('step by step: schema, account with its owner, key in a file of its own; each once', async () => {
  const first = await init(1, whole())
  expect(states(first)).toEqual({ configuration: 'already', database: 'done', account: 'lacking' })
  const second = await init(1, whole(), ...OWNER)
  expect(states(second)).toEqual({
    configuration: 'already',
    database: 'already',
    account: 'done',
    owner: 'done',
    key: 'lacking',
  })
  const { out, err } = await run(whole(), 'init', '--key-file', keyFile)
  expect(out).toMatch(/done +key[\s\S]*Nothing is missing/)
  const key = readFileSync(keyFile, 'utf8').trim()
  expect(key).toMatch(/^gck_live_/)
  expect(statSync(keyFile).mode & 0o777).toBe(0o600)
  expect(out + err).not.toContain(key)
  const again = await init(0, whole(), ...OWNER, '--key-file', keyFile, '--show-key')
  expect(states(again)).toEqual({
    configuration: 'already',
    database: 'already',
    account: 'already',
    owner: 'already',
    key: 'already',
  })
  expect(again).toMatchObject({ complete: true, account_id: second.account_id })
  expect(again.api_key).toBeUndefined()
  const listed = await run(whole(), 'accounts', 'list', '--json')
  expect(JSON.parse(listed.out)).toMatchObject({
    accounts: [
      { account_id: second.account_id, livemode: true, owner: { name: 'Ana Cruz', email: 'ana@example.com' } },
    ],
  })
})

test('no key is written over a file that is there, and none is made for it', async () => {
  const keys = async () =>
    (JSON.parse((await run(whole(), 'keys', 'list', '--json')).out) as { keys: { key_id: string; state: string }[] })
      .keys
  const [first] = await keys()
  await run(whole(), 'keys', 'revoke', '--yes', first?.key_id ?? '')
  const { code, err } = await run(whole(), 'init', '--key-file', keyFile)
  expect(code).toBe(2)
  expect(err).toMatch(/is there already/)
  expect((await keys()).map(({ state }) => state)).toEqual(['revoked'])
  const shown = await init(0, whole(), '--show-key')
  expect(shown.api_key).toMatch(/^gck_live_/)
})

test('the production that it made starts, and its key works', async () => {
  const { api_key: key } = JSON.parse(
    (await run(whole(), 'keys', 'create', '--account', await accountId(), '--name', 'Shop', '--json')).out,
  ) as { api_key: string }
  const gateway = workshop.run(whole(), ['start', '--json'], SERVICE_USER)
  const { url } = await gateway.ready()
  const reply = await fetch(`${url}/wallets`, { headers: { 'x-api-key': key } })
  expect(reply.status).toBe(200)
  gateway.child.kill('SIGTERM')
  expect(await gateway.ended).toBe(0)
}, 180_000)

const accountId = async () => (await init(0, whole())).account_id ?? ''

test.each([
  [['init', '--owner-name', 'Ana'], /--owner-name and --owner-email together/],
  [['init', '--account', 'Reyes'], /--owner-name and --owner-email, too/],
  [['doctor'], /address of a receiver, or --production/],
  [['doctor', 'http://127.0.0.1:1/', '--production'], /not both/],
])('%j is used wrongly', async (words, why) => {
  const { code, err } = await run(whole(), ...words)
  expect(code).toBe(2)
  expect(err).toMatch(why)
})

type Check = { readonly check: string; readonly grade: string; readonly said: string; readonly mend: string | null }
async function doctor(code: number, settings: Settings): Promise<readonly Check[]> {
  const { out, err, code: is } = await run(settings, 'doctor', '--production', '--json')
  expect(is, out + err).toBe(code)
  const { checks, ...counts } = JSON.parse(out) as { checks: Check[]; failed: number; passed: number; warned: number }
  expect(counts.failed + counts.passed + counts.warned).toBe(checks.length)
  for (const { grade, mend } of checks) expect(mend === null).toBe(grade === 'pass')
  return checks
}
const failures = (checks: readonly Check[]) => checks.filter(({ grade }) => grade === 'fail').map(({ check }) => check)

test('the doctor passes it, names what it looked at, and fails each thing that was taken away, with its mend', async () => {
  const checks = await doctor(0, whole())
  expect(failures(checks)).toEqual([])
  const looked = new Set(checks.map(({ check }) => check))
  for (const check of [
    'GATEWAY_MODE',
    'user',
    'GATEWAY_PUBLIC_URL',
    'DATABASE_URL',
    'GATEWAY_SEALING_KEYS',
    'GATEWAY_CALLBACK_SECRETS',
    'SANDBOX_URL',
    'GATEWAY_WEBHOOK_ALLOW',
    'figures',
    'rails',
    'schema',
    'database login',
    'durability',
    'clock',
    'note of the database',
    'published lists',
    'backups',
    'sealing keys',
    'accounts',
  ])
    expect(looked).toContain(check)
  const { GATEWAY_MODE: _, ...undecided } = whole()
  expect(failures(await doctor(1, undecided))).toEqual(['GATEWAY_MODE'])
  const http = { ...whole(), GATEWAY_PUBLIC_URL: 'http://pay.example.com', PORT: 'x' }
  expect(failures(await doctor(1, http))).toEqual(['configuration', 'GATEWAY_PUBLIC_URL'])
  const { out } = await run(http, 'doctor', '--production')
  expect(out).toMatch(/fail +GATEWAY_PUBLIC_URL +.*\n +Set it to the https address[\s\S]*2 failed/)
}, 180_000)
