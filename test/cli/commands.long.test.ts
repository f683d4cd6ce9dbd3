// The command line against a real gateway: the demo, what an operator does, what a script relies on; and the gateway
// outlives its database server.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SHIPPED_CHANNELS } from '../../src/connectors/catalogue.ts'
import { type GatewayProcess, openGatewayProcess, ownerConnection } from '../rig/gateway-process.ts'

/** What commands print: only the members that the tests go on with. The rest is compared whole. */
type Printed = {
  readonly contract: { readonly id: string }
  readonly events: readonly { readonly type: string }[]
  readonly entries: readonly { readonly debit: string; readonly credit: string; readonly amount: number }[]
  readonly payment: { readonly contract: object; readonly entries: Printed['entries'] } | null
  readonly wallet_before: { readonly available: number; readonly held: number }
  readonly wallet_after: { readonly available: number; readonly held: number }
  readonly wallets: readonly { readonly id: string }[]
  readonly keys: readonly { readonly name: string; readonly state: string }[]
  readonly account_id: string
  readonly key_id: string
  readonly api_key: string
  readonly contracts: readonly object[]
}
// Some commands are processes of their own, and many share few processors.
vi.setConfig({ testTimeout: 120_000 })
const CHANNELS = SHIPPED_CHANNELS.map((channel) =>
  channel.undo_seconds > 0 ? { ...channel, undo_seconds: 1 } : channel,
)
let gateway: GatewayProcess

beforeAll(async () => {
  gateway = await openGatewayProcess({ channels: CHANNELS }, { LOG_LEVEL: 'warn' })
  gateway.launch()
  await gateway.ready()
}, 120_000)
afterAll(async () => gateway.remove())

const wordsOf = (line: string) => line.split(' ').filter((word) => word !== '')
const run = (line: string) => gateway.inThread(...wordsOf(line))
const inProcess: typeof run = (line) => gateway.command(...wordsOf(line))
const beside = (line: string) => gateway.commandBeside(...wordsOf(line))

/** Runs a command that must succeed; what it printed with --json. */
function json(line: string, by = run): Printed {
  const { status, stdout, stderr } = by(`${line} --json`)
  expect(status, `${line}\n${stdout}${stderr}`).toBe(0)
  return JSON.parse(stdout) as Printed
}

/** Runs a command that must fail with the exit code; what it said, which is never a stack. */
const refused = (code: number, line: string, by = run): string => saidOfFailure(code, line, by(line))

function saidOfFailure(code: number, line: string, { status, stdout, stderr }: ReturnType<typeof run>): string {
  expect(status, `${line}\n${stdout}${stderr}`).toBe(code)
  expect(stderr).not.toMatch(/^\s+at /m)
  return stderr
}

async function create(apiKey: string): Promise<number> {
  const body = JSON.stringify({ amount: 5, currency: 'PHP' })
  // Commands sleep this thread: a connection that is kept may have ended meanwhile, unseen.
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', connection: 'close' }
  return (await fetch(`${gateway.url}/contracts/transfer`, { method: 'POST', headers, body })).status
}

test('find and resources: what people know of a contract leads to it, and an id says what it names', () => {
  const account = ['--to-name', 'Norma dela Cruz', '--to-wallet', '000555777']
  const made = gateway.inThread('transfers', 'create', '--amount', '77', '--currency', 'PHP', ...account, '--json')
  const { id } = (JSON.parse(made.stdout) as Printed).contract as { id: string }
  const found = gateway.inThread('find', 'Norma dela Cruz').stdout.trim().split('\n')
  expect(found).toHaveLength(2)
  expect(found[1]).toMatch(
    new RegExp(`^transfer +${id} +recipient.name +Transfer of PHP 77.00 to Norma dela Cruz, draft$`),
  )
  expect(run('find 5777 --csv').stdout).toBe(
    `type,id,fields,summary\r\ntransfer,${id},recipient.wallet,"Transfer of PHP 77.00 to Norma dela Cruz, draft"\r\n`,
  )
  expect(run(`resources ${id}`).stdout).toContain(`/contracts/transfer/${id}`)
  expect(run('resources').stdout).toMatch(/^currencies +[0-9a-f]{16} /m)
  expect(run('resources versions --csv').stdout).toBe('version,is_current\r\n2026-11-01,yes\r\n')
  expect(refused(1, 'resources nothing')).toContain('GET /resources')
  expect(refused(2, 'find norma --type wallet')).toContain('--type')
})

test('the demo goes both ways, and its ledger rows are the debit of the preview, and what came in less the refund', () => {
  const { contract, events, entries, payment, wallet_before: before, wallet_after: after } = json('demo')
  expect(contract).toMatchObject({ status: 'completed', preview: { amount: 1517.5, receive_amount: 1500 } })
  const types = ['created', 'updated', 'issued', 'paid', 'completed'].map((each) => `contract.${each}`)
  expect(events.map((event) => event.type)).toEqual(types)
  expect(entries.map(({ debit, credit, amount }) => [debit, credit, amount])).toEqual([
    ['available', 'held', 1517.5],
    ['held', 'clearing:sandbox', 1500],
    ['held', 'fee_revenue', 17.5],
  ])
  expect(before.available - after.available).toBe(1517.5)
  expect(after.held).toBe(before.held)
  const refunds = [{ from: 'payment', amount: 100, status: 'done' }]
  expect(payment?.contract).toMatchObject({ status: 'paid', amount_received: 500, refunds })
  expect(payment?.entries.map(({ debit, credit, amount }) => [debit, credit, amount])).toEqual([
    ['clearing:gcash', 'pending', 487.5],
    ['clearing:gcash', 'fee_revenue', 12.5],
    ['pending', 'held', 100],
    ['held', 'clearing:gcash', 100],
  ])
})

test('the demo tells its story to people', () => {
  const { status, stdout } = inProcess('demo')
  expect(status).toBe(0)
  for (const words of [
    '(missing_channel)',
    'PHP 1,517.50',
    'Sent to the channel',
    'contract.completed',
    'fee_revenue',
    'Paid: PHP 500.00',
    'contract.refunded',
    'PHP 100.00 went back',
  ])
    expect(stdout).toContain(words)
  // Standard output is no terminal here.
  expect(stdout).not.toContain('\x1b[')
})

test('an operator makes an account, funds it once for each reference, and gives it a key with few rights', () => {
  const { account_id: id, wallets } = json('accounts create --name Reyes --currencies php,JPY')
  const fund = `accounts fund --yes --account ${id} --currency PHP --amount 100.5 --reference deposit-17`
  expect(json(fund)).toMatchObject({ credited: true, available_minor: '10050' })
  expect(json(fund)).toMatchObject({ credited: false, available_minor: '10050' })
  expect(refused(1, fund.replace('100.5', '5'))).toContain('deposit-17 stands for PHP 100.50 from external')
  expect(refused(2, 'accounts create --name \u00a0')).toContain('not blank')
  expect(refused(2, `keys create --account ${id} --name \u00a0`)).toContain('not blank')
  const byWallet = json(`accounts fund --yes --wallet ${wallets[0]!.id} --amount 1`)
  expect(byWallet).toMatchObject({ credited: true, available_minor: '10150' })
  expect(refused(1, `accounts fund --yes --account ${id} --currency JPY --amount 0.5`)).toContain('no amount of JPY')
  expect(refused(2, 'accounts fund --yes --amount 1')).toContain('--wallet')
  expect(run('accounts list').stdout).toContain('PHP 101.50')
  const key = json(`keys create --account ${id} --name Reader --scopes contracts:read,wallets:read --expires 30d`)
  const words = refused(1, `transfers create --amount 1 --currency PHP --api-key ${key.api_key}`)
  expect(words).toMatch(/scope contracts:write[\s\S]*code scope_missing.*HTTP 403, request req_/)
  expect(json(`transfers list --api-key ${key.api_key}`)).toEqual({ contracts: [], next: null })
})

test('a live wallet is funded from a clearing account by two people with evidence, and verify lists it', () => {
  const { account_id: id, wallets } = json('accounts create --name Bank --currencies PHP --live')
  const wallet = wallets[0]!.id
  const simple = `accounts fund --yes --wallet ${wallet} --amount 5000 --reference BDO-17`
  const whole = `${simple} --from bdo-settlement --evidence statement-line-17 --by Ana`
  expect(refused(1, simple)).toMatch(
    /This wallet is live[\s\S]*--from, --evidence, --by, --approved-by and --reference/,
  )
  expect(refused(2, whole)).toContain('--approved-by')
  expect(refused(1, `${whole} --approved-by ana`)).toContain('Two different people')
  expect(refused(2, `${whole} --approved-by Ben --from wallet`)).toContain('bdo-settlement')
  expect(json(`${whole} --approved-by Ben`)).toMatchObject({ credited: true, livemode: true })
  expect(json(`${whole} --approved-by Ben`)).toMatchObject({ credited: false })
  expect(refused(1, `${whole.replace('bdo-settlement', 'bpi')} --approved-by Ben`)).toContain(
    'from clearing:bdo-settlement',
  )
  const verdict = json('verify') as unknown as { holds: boolean; live_credits: Record<string, unknown>[] }
  expect(verdict.holds).toBe(true)
  expect(verdict.live_credits).toEqual([
    expect.objectContaining({
      row: `${wallet}/1`,
      account_id: id,
      amount_minor: '500000',
      from: 'bdo-settlement',
      operator: 'Ana',
      approved_by: 'Ben',
      evidence: 'statement-line-17',
    }),
  ])
  expect(run('verify').stdout).toMatch(
    /live wallets[\s\S]*PHP 5,000\.00 +bdo-settlement[\s\S]*Ana +Ben[\s\S]*The books hold/,
  )
})

test('a key is rolled with an overlap, and revoked at once', async () => {
  const { account_id: account } = gateway.dev().other_account
  const first = json(`keys create --account ${account} --name Shop`)
  const second = json(`keys roll ${first.key_id} --overlap 1h`)
  expect(await Promise.all([create(first.api_key), create(second.api_key)])).toEqual([200, 200])
  const states = () => {
    const { keys } = json(`keys list --account ${account}`)
    return keys.filter((key) => key.name === 'Shop').map((key) => key.state)
  }
  expect(states()).toEqual(['active', 'active'])
  json(`keys revoke --yes ${first.key_id}`)
  expect(await create(first.api_key)).toBe(401)
  json(`keys roll ${second.key_id} --overlap 0s`)
  expect(await create(second.api_key)).toBe(401)
  expect(states()).toEqual(['revoked', 'revoked', 'active'])
  expect(refused(1, `keys revoke --yes ${first.key_id}`)).toContain('No live key')
  expect(run('keys list').stdout).not.toContain(first.api_key)
})

test('a contract is made, mended, issued, paid, cancelled and watched from the command line', () => {
  const { contract } = json('transfers create --amount 100.52 --currency php --reference r-1 --expires-in 2h')
  const valid = false
  expect(contract).toMatchObject({ currency: 'PHP', deliverable: { reference_id: 'r-1' }, preview: { valid } })
  const { id } = contract
  expect(refused(1, `transfers issue ${id}`)).toContain('code requirements_not_met')
  json(`transfers update ${id} --channel sandbox --to-name Ana --to-wallet sandbox-stuck`)
  json(`transfers issue ${id}`)
  json(`transfers pay --yes ${id}`)
  expect(json('transfers list --reference r-1 --limit 1').contracts).toMatchObject([{ id, status: 'paid' }])
  expect(json(`transfers cancel ${id} --reason twice`)).toMatchObject({ cancellation: { reason: 'twice' } })
  const ends = /Draft created[\s\S]*Paid: PHP 111\.02[\s\S]*Refunded[\s\S]*cancelled\.\n$/
  const { status, stdout } = run(`transfers watch ${id}`)
  expect(stdout).toMatch(ends)
  // A script that goes on after it must not take a transfer that came to nothing for one that arrived.
  expect(status).toBe(1)
  expect(run(`transfers get ${id}`).stdout).toMatch(/refunded +PHP 111\.02/)
})

// Processes that do nothing to one another run at the same time.
test.concurrent.each([
  [2, 'transfers get nonsense', /argument 'id'/],
  [2, 'transfers create --amount 1e3', /plain decimal/],
  [2, 'keys create --name x', /--account/],
  [2, 'frobnicate', /unknown command/],
  [2, '', /Usage: gateway/],
  [1, 'transfers create --amount 1', /code missing_currency, param currency, HTTP 400/],
  [1, 'transfers list --url http://127.0.0.1:2', /No key is known for http:\/\/127.0.0.1:2 \(--url\)/],
  [1, 'transfers list --api-key gck_test_x --url http://127.0.0.1:2', /No gateway answers .*ECONNREFUSED/],
])('exit code %i: %s', async (code, line, said) => {
  expect(saidOfFailure(code, line, await beside(line))).toMatch(said)
})

test.concurrent.each([
  'transfers list',
  'payments list',
  'events list',
  'webhooks list',
  'accounts list',
  'keys list',
  'channels freezes',
  'migrate --dry-run',
])('%s ends its process by itself', async (line) => {
  expect(await beside(line)).toMatchObject({ status: 0 })
})

test('every command explains itself, and --json answers failures with JSON', () => {
  const { stdout } = run('--help')
  for (const name of ['start', 'demo', 'transfers', 'accounts', 'keys', 'migrate', 'verify', 'bench']) {
    expect(stdout).toContain(`  ${name}`)
    expect(run(`${name} --help`)).toMatchObject({ status: 0 })
  }
  const failure = run('transfers create --amount 1 --json')
  expect(failure.status).toBe(1)
  const error = { type: 'invalid_request_error', code: 'missing_currency', param: 'currency' }
  expect(JSON.parse(failure.stdout)).toMatchObject({ error })
  expect(json('migrate --dry-run')).toMatchObject({ applied: [], pending: [] })
})

test('verify proves the books of a gateway at work, and exits 1 naming what was tampered with', async () => {
  const steal = (minor: number) => {
    const change = `update wallets set available_minor = available_minor + $1 where account_id = $2 and currency = 'USD'`
    return asOwner(change, [minor, gateway.dev().account_id])
  }
  await steal(7)
  const { status, stdout } = inProcess('verify')
  await steal(-7)
  expect(status).toBe(1)
  expect(stdout).toMatch(/does not hold: wallet\.available = ledger\n {2}wallet [0-9a-f-]{36}, account [0-9a-f-]{36}/)
  expect(stdout).toMatch(/available_minor is 10000007, its rows come to 10000000/)
  expect(json('verify')).toMatchObject({ holds: true, findings: [], lanes: 256 })
})

async function asOwner(sql: string, values: readonly unknown[]): Promise<unknown[]> {
  const owner = new pg.Client(ownerConnection(gateway.dataDir))
  await owner.connect()
  const { rows } = await owner.query<Record<string, unknown>>(sql, [...values])
  await owner.end()
  return rows
}

test('PostgreSQL killed under the gateway comes back by itself, and work goes on', async () => {
  const { api_key: key } = gateway.dev()
  const draft = 'transfers create --amount 1 --currency PHP --channel sandbox --to-name Ana --to-wallet 1'
  const { id } = json(draft).contract
  json(`transfers issue ${id}`)
  json(`transfers pay --yes ${id}`)
  expect(await gateway.kill('postgres')).toBe(true)
  const logged = () => readFileSync(gateway.logPath, 'utf8').split('PostgreSQL died and is started again')[1] ?? ''
  const seen = new Set<number>()
  const back = async () => {
    const status = await create(key)
    seen.add(status)
    // What was killed may answer for a moment longer.
    expect([status, logged()]).toEqual([200, expect.stringContaining('PostgreSQL started')])
  }
  await vi.waitFor(back, { timeout: 30_000, interval: 20 })
  expect([...seen].toSorted()).toEqual([200, 503])
  // The worker finds the paid contract by itself once the database is there again.
  expect(run(`transfers watch ${id}`).stdout).toContain('completed')
  const sessions = `select count(*)::int as sessions from pg_stat_activity where application_name like $1`
  // Reader, keyed reader, writer, up to two of the webhooks, the one that follows the history, and the one that looks for work: none was
  // opened twice on the way.
  const [open] = (await asOwner(sessions, ['gateway %'])) as { sessions: number }[]
  expect(open?.sessions).toBeGreaterThanOrEqual(3)
  expect(open?.sessions).toBeLessThanOrEqual(7)
})

test('a draft takes pairs of one’s own, and is changed only where it stands as it was read', () => {
  const { contract } = json('transfers create --amount 5 --currency PHP --metadata order=17 --metadata note=a=b')
  expect(contract).toMatchObject({ metadata: { order: '17', note: 'a=b' }, version: 1 })
  const { id } = contract
  expect(json(`transfers update ${id} --metadata order=18 --if-match 1`)).toMatchObject({
    contract: { metadata: { order: '18', note: 'a=b' }, version: 2 },
  })
  expect(refused(1, `transfers update ${id} --description late --if-match 1`)).toContain('precondition_failed')
  expect(refused(2, `transfers update ${id} --metadata order`)).toContain('order=17')
  const { stdout } = run(`transfers get ${id}`)
  expect(stdout).toContain('metadata')
  expect(stdout).toMatch(/version 2[\s\S]*Draft updated: metadata.order/)
})

test('an account’s list of origins is set, shown, and takes none but origins', () => {
  const { account_id: account } = json('accounts create --name Shop --currencies PHP')
  expect(json(`accounts settings ${account} --cors-origins https://shop.example,http://localhost:5173`)).toMatchObject({
    cors_origins: ['https://shop.example', 'http://localhost:5173'],
  })
  expect(refused(1, `accounts settings ${account} --cors-origins shop.example`)).toContain('is no origin')
  expect(run(`accounts settings ${account}`).stdout).toContain('https://shop.example')
})

test('someone is saved with a way to pay them, found, paid by a draft, exported and archived', () => {
  const saved = run('profiles create --name Ana --mobile 09171234567 --reference c-1 --metadata team=north')
  const id = /profile +([0-9a-f-]{36})/.exec(saved.stdout)?.[1] ?? saved.stderr
  const again = run('profiles create --name Ann --mobile +639171234567')
  expect([again.status, again.stderr]).toEqual([0, expect.stringContaining(`Ana (${id}) has the same mobile`)])
  const added = run(`profiles destinations add ${id} --channel sandbox --to-wallet 0012345678 --label salary`)
  expect([added.status, added.stdout]).toEqual([0, expect.stringMatching(/sandbox +0012345678 +salary +default/)])
  expect(run('profiles list --mobile 0917-123-4567').stdout).toMatch(/Ana +\+639171234567 +c-1 +sandbox/)
  expect(run(`profiles versions ${id}`).stdout.split('\n')).toHaveLength(4)
  const csv = run('profiles list --csv').stdout.split('\r\n')
  expect(csv[0]).toMatch(/^id,type,status,name,.*,destination\.channel,destination\.wallet/)
  expect(csv.find((line) => line.startsWith(id))).toMatch(/,Ana,,\+639171234567,.*,sandbox,0012345678,,$/)
  const draft = run(`transfers create --amount 100 --currency PHP --profile ${id}`)
  expect([draft.status, draft.stdout]).toEqual([0, expect.stringMatching(`by profile +${id} \\(version 2\\)`)])
  expect(run('profiles get me').stdout).toContain('your own')
  expect(run(`profiles archive ${id} --if-match 1`).stderr).toContain('it stands at version 2')
  expect(run(`profiles archive ${id}`).stdout).toMatch(/status +archived \(version 3\)/)
  expect(refused(1, `transfers create --amount 100 --currency PHP --profile ${id}`)).toContain('No profile of yours')
  expect(run(`profiles restore ${id}`).status).toBe(0)
  expect(refused(2, 'profiles get x')).toContain('or "me"')
})

test('stopped, it has left no process behind, and an operator can still look at the books', async () => {
  expect(await gateway.stop()).toBe(0)
  const running = () => {
    const listed = spawnSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).stdout.split('\n')
    return listed.filter((line) => line.includes(gateway.dataDir))
  }
  expect(running()).toEqual([])
  // The server is started for the command and stopped after it.
  expect(json('verify', inProcess)).toMatchObject({ holds: true })
  expect(running()).toEqual([])
  expect(refused(1, 'transfers list')).toContain('No gateway answers')
})
