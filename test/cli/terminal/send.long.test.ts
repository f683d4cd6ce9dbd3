// transfers send: one command that asks, pays and waits; the same again is the same transfer. Short ids, lists, tables and times
// beside it, on the same gateway.
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import { type GatewayProcess, openGatewayProcess } from '../../rig/gateway-process.ts'
import { type Fate, openUnsteadyProxy } from '../../rig/unsteady-proxy.ts'
import { programOf, runBeside } from '../background.ts'

vi.setConfig({ testTimeout: 120_000 })
const CHANNELS = SHIPPED_CHANNELS.map((channel) =>
  channel.undo_seconds > 0 ? { ...channel, undo_seconds: 1 } : channel,
)
let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await openGatewayProcess({ channels: CHANNELS }, {})
  gateway.launch()
  await gateway.ready()
}, 120_000)
afterAll(() => gateway.remove())

type Contract = {
  readonly id: string
  readonly status: string
  readonly recipient: Readonly<Record<string, string | null>>
  readonly deliverable: Readonly<Record<string, string | null>>
}

const run = (...words: readonly string[]) => gateway.inThread(...words)
function done(...words: readonly string[]): string {
  const { status, stdout, stderr } = run(...words)
  expect(status, `${words.join(' ')}\n${stdout}${stderr}`).toBe(0)
  return stdout
}
const contractOf = (...words: readonly string[]) =>
  (JSON.parse(done(...words, '--json')) as { contract: Contract }).contract
const available = () => {
  const { wallets } = JSON.parse(done('wallets', 'list', '--currency', 'PHP', '--json')) as {
    wallets: { available: number }[]
  }
  return wallets[0]?.available ?? 0
}
const TO = ['--channel', 'sandbox', '--to-name', 'Ana Cruz', '--to-wallet', '0012345678']
const SEND = ['transfers', 'send', '--amount', '1500', '--currency', 'PHP', ...TO]

test('it makes, issues, pays and waits; the same key or reference is the same transfer, and pays once', () => {
  const before = available()
  const sent = contractOf(...SEND, '--reference', 'salary-1', '--wait', '--yes')
  expect(sent.status).toBe('completed')
  expect(contractOf(...SEND, '--reference', 'salary-1', '--wait', '--yes').id).toBe(sent.id)
  expect(available()).toBe(before - 1517.5)
  const other = run(...SEND.with(3, '1600'), '--reference', 'salary-1', '--yes')
  expect([other.status, other.stderr]).toEqual([1, expect.stringMatching(/code idempotency_key_reused|HTTP 4/)])
  expect(available()).toBe(before - 1517.5)
})

/** A command on a road where these are the fates of what is read once the transfer was paid, in order. */
async function onRoad(fates: readonly Fate[], words: readonly string[]) {
  const left = [...fates]
  let isPaid = false
  const road = await openUnsteadyProxy(gateway.url, (_, path) => {
    if (isPaid) return left.shift() ?? 'passes'
    isPaid = path.endsWith('/pay')
    return 'passes'
  })
  const env = { GATEWAY_URL: road.url, GATEWAY_API_KEY: gateway.dev().api_key, XDG_CONFIG_HOME: gateway.dataDir }
  const sent = runBeside(programOf(gateway), env, words)
  const status = await sent.ended
  await road.close()
  return { status, ...sent.said }
}

test('a gateway that is away while a transfer is waited for is said once, and waited for', async () => {
  // Each look tries three times: two looks, and a part of one.
  const cuts = Array.from({ length: 7 }, (): Fate => 'is cut before it arrives')
  const { status, out, err } = await onRoad(cuts, [...SEND, '--idempotency-key', 'away-1', '--wait', '--yes', '--json'])
  expect([status, out]).toEqual([0, expect.stringContaining('"completed"')])
  expect(err.match(/still asking/g)).toHaveLength(1)
})

test('what ends the wait before the transfer has ended names the transfer, and how to go on with it', async () => {
  const gone: Fate = { status: 404, body: 'default backend' }
  const { status, out } = await onRoad([gone], [...SEND, '--idempotency-key', 'away-2', '--wait', '--yes', '--json'])
  const { id } = contractOf(...SEND, '--idempotency-key', 'away-2', '--wait', '--yes')
  expect([status, JSON.parse(out)]).toEqual([
    1,
    { error: expect.objectContaining({ contract_id: id, status: 'paid', idempotency_key: 'away-2' }) as object },
  ])
})

type Wallet = { readonly id: string; readonly available: number }
type Cut = { readonly error: { readonly contract_id: string; readonly idempotency_key: string } }

test('a move whose payment loses its answer names its transfer and its key; with that key the money moves once', async () => {
  const made = done('wallets', 'create', '--currency', 'PHP', '--label', 'Savings', '--json')
  const { id: savings } = (JSON.parse(made) as { wallet: Wallet }).wallet
  const { wallets } = JSON.parse(done('wallets', 'list', '--currency', 'PHP', '--json')) as { wallets: Wallet[] }
  const { id: main } = wallets.find(({ id }) => id !== savings) ?? { id: 'none' }
  const road = await openUnsteadyProxy(gateway.url, (_, path) =>
    path.endsWith('/pay') ? 'loses its answer' : 'passes',
  )
  const env = { GATEWAY_URL: road.url, GATEWAY_API_KEY: gateway.dev().api_key, XDG_CONFIG_HOME: gateway.dataDir }
  const move = ['wallets', 'move', main, savings, '25', '--yes', '--json']
  const cut = runBeside(programOf(gateway), env, move)
  expect(await cut.ended).toBe(1)
  await road.close()
  const { error } = JSON.parse(cut.said.out) as Cut
  expect(cut.said.err).toContain(`--idempotency-key ${error.idempotency_key}`)
  const again = JSON.parse(done(...move, '--idempotency-key', error.idempotency_key)) as { contract: Contract }
  expect(again.contract).toMatchObject({ id: error.contract_id, status: 'completed' })
  expect(JSON.parse(done('wallets', 'get', savings, '--json'))).toMatchObject({ wallet: { available: 25 } })
  // What was asked for is shown with its price and its way, and nobody is asked where nobody is.
  expect(run('wallets', 'move', main, savings, '1').stderr).toContain('Give --yes')
})

test('whoever watches a contract goes on where the gateway was away meanwhile', async () => {
  const { id } = contractOf('transfers', 'create', ...SEND.slice(2))
  done('transfers', 'issue', id)
  const left = ['passes', ...Array.from({ length: 7 }, (): Fate => 'is cut before it arrives')] as Fate[]
  const road = await openUnsteadyProxy(gateway.url, () => left.shift() ?? 'passes')
  const env = { GATEWAY_URL: road.url, GATEWAY_API_KEY: gateway.dev().api_key, XDG_CONFIG_HOME: gateway.dataDir }
  const watching = runBeside(programOf(gateway), env, ['transfers', 'watch', id])
  await watching.says('still asking')
  done('transfers', 'pay', id, '--yes')
  const status = await watching.ended
  await road.close()
  expect([status, watching.said.out]).toEqual([0, expect.stringContaining('The contract is completed.')])
})

test('a mandate is taken off a key by an option of its own', () => {
  const mandate = JSON.stringify({ limits: [{ currency: 'PHP', total: 100 }] })
  const scopes = ['--scopes', 'contracts:read']
  const made = done('api-keys', 'create', '--name', 'Bounded', ...scopes, '--mandate', mandate, '--json')
  const { key } = JSON.parse(made) as { key: { readonly id: string; readonly mandate: unknown } }
  expect(key.mandate).not.toBeNull()
  const freed = done('api-keys', 'update', key.id, '--without-mandate', '--json')
  expect(JSON.parse(freed)).toMatchObject({ key: { id: key.id, mandate: null } })
})

test('nobody is asked where nobody is: without --yes nothing is made, and nothing paid', () => {
  const before = available()
  const { status, stderr } = run(...SEND, '--reference', 'unasked')
  expect([status, stderr]).toEqual([2, expect.stringContaining('Give --yes')])
  expect([available(), done('transfers', 'list', '--reference', 'unasked')]).toEqual([before, 'none\n'])
  expect(contractOf(...SEND, '--reference', 'unasked', '--yes').status).toBe('paid')
})

test('a reader that leaves early is no success of the command', async () => {
  const child = gateway.spawnCommand('transfers', 'list')
  child.stdout?.destroy()
  expect((await once(child, 'exit'))[0]).toBe(141)
})

test('every field of a recipient and of a deliverable is an option; what is lacking is said, and nothing is paid', () => {
  const words =
    '--to-tag BOPIPHMM --to-mobile +639171234567 --to-email ana@shop.example --to-address Manila --to-country PH'
  const about = '--purpose salary --purpose-text November --purpose-details half --reference r-9'
  const made = contractOf('transfers', 'create', ...SEND.slice(2), ...words.split(' '), ...about.split(' '))
  expect(made.recipient).toMatchObject({
    name: 'Ana Cruz',
    wallet: '0012345678',
    tag: 'BOPIPHMM',
    mobile: '+639171234567',
    email: 'ana@shop.example',
    address: 'Manila',
    country: 'PH',
  })
  expect(made.deliverable).toEqual({ type: 'salary', description: 'November', details: 'half', reference_id: 'r-9' })
  const { status, stderr } = run('transfers', 'send', '--amount', '5', '--currency', 'PHP', '--yes')
  expect([status, stderr]).toEqual([1, expect.stringMatching(/nothing was paid[\s\S]*gateway transfers update/)])
})

test('an id is known by its end; several that fit are shown, and none is chosen', () => {
  const [one, two] = [
    contractOf('transfers', 'create', ...SEND.slice(2)),
    contractOf('transfers', 'create', ...SEND.slice(2)),
  ]
  expect(contractOf('transfers', 'get', `…${one.id.slice(-8)}`).id).toBe(one.id)
  expect(contractOf('transfers', 'update', two.id.slice(-10), '--amount', '7').id).toBe(two.id)
  // Ids of one minute begin alike.
  const { status, stderr } = run('transfers', 'get', one.id.slice(0, 6))
  expect([status, stderr]).toEqual([1, expect.stringMatching(/ids fit/)])
  expect(stderr).toContain(two.id)
  expect(run('transfers', 'get', 'ffffffff')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('gateway find'),
  })
  expect(run('transfers', 'get', 'ffff')).toMatchObject({ status: 2 })
})

test('lists go on over their pages: so many, all, as CSV, since a time', () => {
  for (let count = 0; count < 3; count++) contractOf('payments', 'create', '--amount', '5', '--currency', 'PHP')
  const read = (...words: readonly string[]) =>
    JSON.parse(done('transfers', 'list', '--json', ...words)) as { contracts: Contract[]; next: string | null }
  // What was paid without waiting is over: nothing changes between two reads.
  expect(contractOf(...SEND, '--reference', 'unasked', '--wait', '--yes').status).toBe('completed')
  const all = read('--all')
  expect(all.next).toBeNull()
  const first = read('--limit', '1')
  expect([first.contracts.length, first.next]).toEqual([1, all.contracts[0]?.id])
  const [names = '', ...rows] = done('transfers', 'list', '--all', '--csv').trimEnd().split('\r\n')
  expect(names).toMatch(/^id,livemode,status,amount,currency,/)
  expect(rows.map((row) => row.split(',')[0])).toEqual(all.contracts.map(({ id }) => id))
  expect(read('--since', '1h', '--all').contracts).toEqual(all.contracts)
  expect(read('--until', '2020-01-01').contracts).toEqual([])
  expect(done('transfers', 'list', '--until', '2020-01-01')).toBe('none\n')
  const paid = done('events', 'list', '--type', 'paid', '--csv').trimEnd().split('\r\n').slice(1)
  expect(paid.length).toBeGreaterThan(0)
  for (const row of paid) expect(row).toContain('contract.paid')
  const one = all.contracts[0]?.id ?? ''
  const about = done('events', 'list', '--contract', one.slice(-12), '--csv').trimEnd().split('\r\n').slice(1)
  for (const row of about) expect(row).toContain(one)
  expect(run('transfers', 'list', '--since', 'noon')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('24h'),
  })
})

test('times say their zone, and with --utc they are in UTC', () => {
  const words = ['transfers', 'list', '--limit', '1']
  expect(done(...words, '--utc')).toMatch(/ \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ\n$/)
  expect(done(...words)).toMatch(/ \d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d\d:\d\d\n$/)
})
