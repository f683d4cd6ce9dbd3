// What an operator does from the command line about money that is stuck, beside a gateway at work: explained, tried again,
// resolved, reconciled with the provider's real statement; with exit codes that a script can go by.
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SHIPPED_CHANNELS } from '../../src/connectors/catalogue.ts'
import { dayAt, dayText } from '../../src/domain/channel/reconcile.ts'
import { type GatewayProcess, openGatewayProcess, ownerConnection } from '../rig/gateway-process.ts'

const CHANNELS = SHIPPED_CHANNELS.filter(({ id }) => id === 'sandbox' || id === 'instapay').map((channel) => ({
  ...channel,
  undo_seconds: 0,
}))
let gateway: GatewayProcess
let account: string

beforeAll(async () => {
  gateway = await openGatewayProcess({ channels: CHANNELS }, { LOG_LEVEL: 'warn' })
  gateway.launch()
  await gateway.ready()
  account = gateway.dev().account_id
}, 120_000)
vi.setConfig({ testTimeout: 120_000 })
afterAll(async () => gateway.remove())

/** Words with spaces stand in quotes. */
const wordsOf = (line: string) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '')
const run = (line: string) => gateway.inThread(...wordsOf(line))
const inProcess: typeof run = (line) => gateway.command(...wordsOf(line))

/** Runs a command that must end with the exit code; what it printed with --json. */
function json(line: string, code = 0, by = run): Record<string, unknown> {
  const { status, stdout, stderr } = by(`${line} --json`)
  expect(status, `${line}\n${stdout}${stderr}`).toBe(code)
  return JSON.parse(stdout) as Record<string, unknown>
}

function refused(code: number, line: string, by = run): string {
  const { status, stdout, stderr } = by(line)
  expect(status, `${line}\n${stdout}${stderr}`).toBe(code)
  expect(stderr).not.toMatch(/^\s+at /m)
  return stderr
}

async function scripted(body: object): Promise<void> {
  const { sandbox_url: provider, sandbox_token: token } = gateway.dev()
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const url = `${provider}/scenarios`
  expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status).toBe(200)
}

const IN_PESOS = '--currency PHP --to-name "Ana Reyes"'

/** A paid contract, as far as its transfer has come to this. */
async function paid(draft: string, transfer: string): Promise<string> {
  const { id } = json(`transfers create ${IN_PESOS} ${draft}`)['contract'] as { id: string }
  json(`transfers issue ${id}`)
  json(`transfers pay --yes ${id}`)
  await becomes(id, transfer)
  return id
}

/** Waits at the API, which costs less than a process each time, and looks from the command line when it is there. */
async function becomes(id: string, transfer: string): Promise<void> {
  const url = `${gateway.url}/contracts/transfer/${id}`
  const contract = { transfer: { status: transfer } }
  await vi.waitFor(
    async () => {
      const reply = await fetch(url, { headers: { 'x-api-key': gateway.dev().api_key } })
      expect(await reply.json()).toMatchObject({ data: { contract } })
    },
    { timeout: 30_000, interval: 50 },
  )
  expect(json(`transfers get ${id}`)['contract']).toMatchObject(contract)
}

test('an account’s settings are shown and changed, and what cannot be is refused', () => {
  const settings = `accounts settings ${account}`
  const before = {
    account_id: account,
    name: expect.any(String),
    time_zone: 'UTC',
    default_currency: null,
    refund_at_once: true,
    retries: 0,
    fallback: [],
    return_suspense: true,
    transfer_expires_in: null,
    payment_expires_in: null,
    cors_origins: [],
    sites: [],
    // The first development account.
    operates: true,
  }
  expect(json(settings)).toEqual(before)
  const change = `${settings} --refund-at-once no --retries 2 --fallback instapay,sandbox --return-suspense no`
  const after = {
    ...before,
    refund_at_once: false,
    retries: 2,
    fallback: ['instapay', 'sandbox'],
    return_suspense: false,
  }
  expect(json(change)).toEqual(after)
  expect(json(settings)).toEqual(after)
  expect(run(settings).stdout).toMatch(
    /refund at once +no[\s\S]*retries +2[\s\S]*fallback +instapay, sandbox[\s\S]*return suspense +no/,
  )
  expect(json(`${settings} --retries 0 --fallback ""`)).toEqual({ ...after, retries: 0, fallback: [] })
  expect(refused(1, `${settings} --fallback nowhere`)).toContain('No channel has the id nowhere')
  expect(refused(2, `${settings} --retries 6`)).toContain('0 to 5')
  expect(refused(2, `${settings} --refund-at-once maybe`)).toContain('yes, no')
  expect(refused(1, 'accounts settings 01890000-0000-7000-8000-000000000001')).toContain('No account')
})

test('what payers see of an account is set by its key, and by the operator for any account; a file that is none is refused by its name', () => {
  const set = json('accounts brand --name "Reyes Trading" --logo docs/pictures/payment-page-qr.png --colour #ffd400')
  expect(set['account']).toMatchObject({
    brand: {
      name: 'Reyes Trading',
      logo: expect.stringMatching(/^data:image\/png;base64,/),
      shown: { button: { text: '#000000' } },
    },
  })
  const byOperator = json(`accounts brand --account ${account} --support-phone "(02) 8123 4567" --logo ""`)
  expect(byOperator['account']).toMatchObject({
    id: account,
    brand: { name: 'Reyes Trading', logo: null },
    support: { phone: '+63281234567' },
  })
  expect(json('accounts brand')).toEqual(byOperator)
  expect(refused(1, 'accounts brand --logo README.md')).toContain('README.md: a logo must be a PNG, JPEG or WebP file')
  expect(refused(1, 'accounts brand --logo nothing.png')).toContain('nothing.png cannot be read: ENOENT')
  expect(refused(1, `accounts brand --account ${account} --colour red`)).toContain('brand.colour must be like')
  expect(refused(1, 'accounts brand --account 0198c0de-0000-7a2b-8000-0123456789ab')).toContain('No account has the id')
  expect(json('accounts brand')).toEqual(byOperator)
})

/** Accepts an invitation; the password is stored at its full cost, which worlds of tests save themselves. */
async function accepted(url: string): Promise<void> {
  const body = JSON.stringify({ name: 'Ana Reyes', password: 'four plain words together' })
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(`${url}/accept`, { method: 'POST', headers, body })).status).toBe(200)
  const owner = new pg.Client(ownerConnection(gateway.dataDir))
  await owner.connect()
  const { rows } = await owner.query(`select password from members where email = 'ana@shop.example'`)
  await owner.end()
  expect(rows).toEqual([{ password: expect.stringMatching(/^scrypt\$15\$8\$1\$/) }])
}

test('an owner is invited on the database, and everybody else over HTTP', async () => {
  const first = json(
    `members invite --account ${account} --email Ana@Shop.example --role owner --operator "Ana Cruz"`,
    0,
    inProcess,
  )
  expect(first).toMatchObject({ member: { email: 'ana@shop.example', role: 'owner', status: 'invited' } })
  const { url, token } = first['invitation'] as { url: string; token: string }
  expect(new URL(url).pathname).toBe(`/console/invitations/${token}`)
  await accepted(`${gateway.url}/invitations/${token}`)
  const { member } = json('members invite --email ben@shop.example --role viewer') as { member: { id: string } }
  // The development account operates the gateway: a key makes nobody in it who could.
  expect(refused(1, `members update ${member.id} --role operator`)).toContain('role_not_allowed')
  expect(json(`members update ${member.id} --role developer`)).toMatchObject({ member: { role: 'developer' } })
  expect(json(`members reset --yes ${member.id}`)).toMatchObject({ member: { status: 'invited' } })
  expect(refused(1, 'members invite --email cara@shop.example --role owner')).toContain('role_not_allowed')
  expect(refused(2, 'members invite --email cara --role viewer')).toContain('ana@shop.example')
  expect(json(`members remove --yes ${member.id}`)).toMatchObject({ member: { status: 'removed' } })
  const listed = run('members list').stdout
  expect(listed).toMatch(/owner@development\.example +Development owner +owner +active +authenticator/)
  expect(listed).not.toContain('ben@shop.example')
})

test('a transfer that failed is explained and tried again', async () => {
  await scripted({ rail: 'sandbox', match: { account: 'once-closed' }, times: 1, verdict: 'refused' })
  const id = await paid('--amount 100 --channel sandbox --to-wallet once-closed', 'failed')
  const { stdout } = run(`transfers explain ${id}`)
  expect(stdout).toContain('refused it for good')
  expect(stdout).toMatch(/held +PHP 110\.50[\s\S]*waits for +caller[\s\S]*by +nothing[\s\S]*a cancel now +refunds all/)
  expect(stdout).toContain(`1, failed, through sandbox as ${id.replaceAll('-', '')}001`)
  expect(refused(1, `transfers retry --yes ${id} --channel nowhere`)).toContain('code channel_not_found')
  expect(refused(1, `transfers retry --yes ${id} --channel instapay`)).toContain('code requirements_not_met')
  expect(json(`transfers retry --yes ${id}`)['contract']).toMatchObject({ transfer: { attempts: 2 } })
  await becomes(id, 'delivered')
  expect(json(`transfers explain ${id}`)).toMatchObject({
    explanation: { waits_for: 'nobody', attempt: { number: 2, status: 'delivered', next_at: null } },
  })
  expect(refused(1, `transfers retry --yes ${id}`)).toContain('code transfer_not_failed')
})

test('a transfer that nobody tells about is resolved with evidence, beside the gateway, once', async () => {
  const id = await paid('--amount 100.52 --channel sandbox --to-wallet 1', 'accepted')
  const resolve = `transfers resolve --yes ${id} --as delivered`
  expect(refused(2, resolve)).toContain('--evidence')
  expect(refused(2, `${resolve} --evidence " "`)).toContain('1 to 1000')
  expect(refused(2, `transfers resolve --yes ${id} --as perhaps --evidence letter`)).toContain('delivered, failed')
  const said = json(`${resolve} --evidence "letter of 3 March" --operator Ana`)
  expect(said).toEqual({
    contract_id: id,
    status: 'completed',
    transfer: 'delivered',
    as: 'delivered',
    evidence: 'letter of 3 March',
    operator: 'Ana',
  })
  expect(refused(1, `${resolve} --evidence again`)).toContain('Only a transfer whose outcome is open')
  expect(json(`${resolve} --evidence again`, 1)).toMatchObject({ error: { code: 'transfer_not_open', param: 'id' } })
  expect(run(`transfers get ${id}`).stdout).toMatch(/Resolved by an operator.*letter of 3 March.*operator Ana/)
  expect(json('verify')).toMatchObject({ holds: true })
})

test('the statement of the provider fits; a line that is not ours stops the channel until it is acknowledged', async () => {
  const id = await paid(
    '--amount 250 --channel instapay --to-wallet 001234567890 --data {"recipient":{"tag":"BOPIPHMM"}}',
    'delivered',
  )
  const today = `reconcile --channel instapay --day ${dayText(dayAt(Date.now()))}`
  expect(json(today)).toMatchObject({ fits: true, matched: 1, mended: [], findings: [], frozen: false })
  expect(run(today).stdout).toMatch(/instapay, \d{4}-\d\d-\d\d: 1 lines match, 0 mended\. All of it fits\./)
  expect(json('reconcile --channel instapay')).toMatchObject({ day: dayText(dayAt(Date.now()) - 1), matched: 0 })

  await scripted({ rail: 'instapay', statement: { omit: `${id.replaceAll('-', '')}001` } })
  await scripted({ rail: 'instapay', statement: { extra: { reference: 'stranger', amount: '5.00' } } })
  const result = json(today, 1)
  expect(result).toMatchObject({ fits: false, matched: 0, awaited: 1, frozen: true })
  expect(result['findings']).toMatchObject([
    { kind: 'extra', reference: 'stranger', amount: '5.00', currency: 'PHP', contract_id: null, acknowledged: false },
  ])
  const { freezes } = json('channels freezes') as { freezes: { channel: string; reason: string }[] }
  expect(freezes).toMatchObject([{ channel: 'instapay', reason: expect.stringContaining('stranger') as string }])
  const { channels } = json('channels list') as { channels: { id: string; freeze: unknown }[] }
  expect(channels.filter(({ freeze }) => freeze !== null).map((channel) => channel.id)).toEqual(['instapay'])

  expect(refused(2, 'channels acknowledge instapay')).toContain('--evidence')
  json('channels acknowledge instapay --evidence "reversed, ticket 17"')
  expect(refused(1, 'channels acknowledge instapay --evidence again')).toContain('No frozen channel')
  const { status, stdout } = run(today)
  expect(status).toBe(1)
  expect(stdout).toMatch(/extra {2}sent stranger, PHP 5\.00: no attempt of ours has this reference \(acknowledged\)/)
  expect(run('channels freezes').stdout).toBe('none\n')
})

test.each([
  [1, 'reconcile --channel wallet', /has no statements/],
  [1, 'reconcile --channel nowhere', /No channel has this id/],
  [1, `reconcile --channel instapay --day ${dayText(dayAt(Date.now()) + 2)}`, /not ahead/],
  [2, 'reconcile --channel instapay --day 2026-02-30', /a day such as/],
  [2, 'reconcile', /--channel/],
  [1, 'transfers resolve --yes 01890000-0000-7000-8000-000000000001 --as failed --evidence x', /No contract/],
])('exit code %i: %s', (code, line, said) => {
  expect(refused(code, line)).toMatch(said)
})

test('without a gateway an operator can still resolve, and a provider that is gone proves nothing', async () => {
  const id = await paid('--amount 30.52 --channel sandbox --to-wallet 1', 'accepted')
  expect(await gateway.stop()).toBe(0)
  expect(refused(1, 'reconcile --channel instapay', inProcess)).toContain('could not be had or read')
  const resolve = `transfers resolve --yes ${id} --as failed --evidence "never sent"`
  expect(json(resolve, 0, inProcess)).toMatchObject({ transfer: 'failed' })
  expect(json('verify --parallel 3')).toMatchObject({ holds: true })
})
