// Webhook endpoints, deliveries and events at the command line, against a real gateway and a real receiver.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newSecret, sign } from '../../sdk/src/signature.ts'
import { SHIPPED_CHANNELS } from '../../src/connectors/catalogue.ts'
import { type GatewayProcess, openGatewayProcess, ownerConnection } from '../rig/gateway-process.ts'
import { programOf, runBeside } from './background.ts'
import { correct, openReceiver, type Receiver } from './receiver.ts'

const CHANNELS = SHIPPED_CHANNELS.map((channel) =>
  channel.id === 'sandbox' ? { ...channel, undo_seconds: 1 } : channel,
)
// Some commands are processes of their own, and many share few processors.
vi.setConfig({ testTimeout: 120_000 })
let gateway: GatewayProcess
let receiver: Receiver
/** What the receiver does now. */
let receive = correct

beforeAll(async () => {
  gateway = await openGatewayProcess({ channels: CHANNELS }, { LOG_LEVEL: 'warn' })
  gateway.launch()
  await gateway.ready()
  receiver = await openReceiver(newSecret(), (received, before) => receive(received, before))
}, 120_000)
afterAll(async () => {
  await receiver.close()
  await gateway.remove()
})

type Ran = { readonly code: number | null; readonly out: string; readonly err: string }

const known = () => ({ GATEWAY_URL: gateway.url, GATEWAY_API_KEY: gateway.dev().api_key })

/** In a thread, while the receiver of the test goes on. */
async function run(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const { status, stdout, stderr } = await gateway.thread().runBeside({ words, env: { ...known(), ...env } })
  return { code: status, out: stdout, err: stderr }
}

/** In a process of its own: several at a time, and what is piped into them. */
async function inProcess(
  words: readonly string[],
  { input = '', ...env }: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const beside = runBeside(programOf(gateway), { ...known(), ...env }, words, input)
  const code = await beside.ended
  return { code, ...beside.said }
}

/** What a command that succeeds prints with --json. */
const json = <T>(...words: string[]): Promise<T> => printed(run, words)

async function printed<T>(by: typeof run, words: readonly string[]): Promise<T> {
  const { code, out, err } = await by([...words, '--json'])
  expect(code, `${words.join(' ')}\n${out}${err}`).toBe(0)
  return JSON.parse(out) as T
}

/** Repeats a command until it prints what is waited for. */
async function jsonUntil<T>(isThere: (printed: T) => boolean, ...words: string[]): Promise<T> {
  for (const until = Date.now() + 20_000; Date.now() < until; await sleep(200)) {
    const printed = await json<T>(...words)
    if (isThere(printed)) return printed
  }
  throw new Error(`${words.join(' ')} never printed it`)
}

type Endpoint = {
  readonly id: string
  readonly status: string
  readonly url: string
  readonly events: readonly string[]
  readonly secret: string | null
  readonly secrets: readonly object[]
  readonly bearer_token: string | null
}
type One = { readonly webhook_endpoint: Endpoint }
type Deliveries = {
  readonly deliveries: { id: string; event_id: string; status: string; replay: number; tries: number }[]
}
type Triggered = { readonly contract_id: string; readonly events: { id: string; type: string }[] }

test('an endpoint is made, shown, changed, tested, rolled, paused, resumed and deleted', async () => {
  receive = correct
  const created = await json<One>(
    'webhooks',
    'create',
    '--url',
    receiver.url,
    '--events',
    'paid,completed',
    '--description',
    'Shop',
  )
  const { id, secret, bearer_token: bearer } = created.webhook_endpoint
  expect(created.webhook_endpoint).toMatchObject({ status: 'enabled', events: ['contract.paid', 'contract.completed'] })
  receiver.secret = secret ?? ''
  expect((await json<{ webhook_endpoints: Endpoint[] }>('webhooks', 'list')).webhook_endpoints).toMatchObject([
    { id, secret: null },
  ])

  receiver.received.length = 0
  expect(await json('webhooks', 'test', id, '--type', 'completed')).toMatchObject({
    delivery_test: { delivered: true, status_code: 200, response_body: '{}' },
  })
  expect(receiver.received).toMatchObject([{ isGenuine: true, event: { type: 'contract.completed' } }])
  expect(receiver.received[0]?.headers.authorization).toBe(`Bearer ${bearer}`)

  const rolled = (await json<One>('webhooks', 'roll-secret', id, '--overlap', '1h')).webhook_endpoint
  expect(rolled.secret).not.toBe(secret)
  expect(rolled.secrets).toHaveLength(2)
  // The receiver still goes by the old one.
  await json('webhooks', 'test', id)
  receiver.secret = rolled.secret ?? ''
  await json('webhooks', 'test', id)

  const updated = await json<One>('webhooks', 'update', id, '--events', '*', '--in-flight-max', '2')
  expect(updated.webhook_endpoint).toMatchObject({ events: ['*'], in_flight_max: 2, description: 'Shop', secret: null })
  expect(await json('webhooks', 'pause', id)).toMatchObject({ webhook_endpoint: { status: 'paused' } })
  expect(await json('webhooks', 'resume', id)).toMatchObject({ webhook_endpoint: { status: 'enabled' } })
  const off = await json<One>('webhooks', 'update', id, '--status', 'disabled')
  expect(off.webhook_endpoint).toMatchObject({ status: 'disabled', disabled_because: 'caller' })
  const shown = await run(['webhooks', 'get', id])
  expect(shown.out).toMatch(/status +disabled \(it was switched off\)[\s\S]*events +all[\s\S]*signs with +…/)
  expect(shown.out).not.toContain(rolled.secret)
  expect(await json('webhooks', 'delete', '--yes', id)).toMatchObject({ webhook_endpoint: { status: 'deleted' } })
  const gone = await run(['webhooks', 'get', id])
  expect([gone.code, gone.err]).toEqual([1, expect.stringContaining('code webhook_endpoint_not_found')])
})

test('people are shown the secret once, with a word that it is once', async () => {
  const { out } = await run(['webhooks', 'create', '--url', receiver.url])
  expect(out).toMatch(/secret +whsec_\S{44}\n[\s\S]*bearer token +whb_[\s\S]*shown this once/)
  const id = /endpoint +([0-9a-f-]{36})/.exec(out)?.[1] ?? ''
  expect((await run(['webhooks', 'list'])).out).toMatch(new RegExp(`${id} +TEST +enabled +${receiver.url} +all `))
  expect(out).toMatch(/events +all\n +not sent +none\n/)
  await json('webhooks', 'update', id, '--events', 'issued,paid')
  expect((await run(['webhooks', 'list'])).out).toMatch(
    new RegExp(`${id} +TEST +enabled +${receiver.url} +issued,paid `),
  )
  await json('webhooks', 'delete', '--yes', id)
  expect((await run(['webhooks', 'list'])).out).toBe('none\n')
})

test('what was refused is listed with its tries, and replayed: one event, all that were missed, a stretch of time', async () => {
  const { webhook_endpoint: endpoint } = await json<One>('webhooks', 'create', '--url', receiver.url, '--events', '*')
  const { id } = endpoint
  receiver.secret = endpoint.secret ?? ''
  receive = () => ({ status: 503, body: 'not\tnow\x1b[2J' })
  const { events } = await json<Triggered>('trigger', 'issued')
  const [created, issued] = events.map((event) => event.id)
  const waiting = await jsonUntil<Deliveries>(
    ({ deliveries }) => deliveries.length === 2,
    'webhooks',
    'deliveries',
    id,
    '--status',
    'pending',
  )
  const first = waiting.deliveries.find((each) => each.event_id === created)
  const tries = await run(['webhooks', 'attempts', id, first?.id ?? ''])
  // What a receiver answers must not move the cursor.
  expect(tries.out).toMatch(/^ {2}1 .*refused {2}HTTP 503 .*\n {5}not now \[2J\n/)
  const failed = await inProcess(['webhooks', 'test', id])
  expect([failed.code, failed.out]).toEqual([1, expect.stringMatching(/^Not taken: refused {2}HTTP 503/)])

  receive = correct
  receiver.received.length = 0
  const resent = await json<{ replays: object[] }>('events', 'resend', created ?? '')
  expect(resent.replays).toMatchObject([{ endpoint_id: id, events: 1 }])
  const isDelivered = ({ deliveries }: Deliveries) =>
    deliveries.some((each) => each.replay === 1 && each.status === 'delivered')
  await jsonUntil(isDelivered, 'webhooks', 'deliveries', id, '--event', created ?? '')
  expect(receiver.received).toMatchObject([{ isGenuine: true, headers: { 'webhook-id': created } }])

  expect(await json('webhooks', 'replay', id, '--event', issued ?? '')).toMatchObject({
    replay: { number: 2, events: 1 },
  })
  expect((await run(['webhooks', 'replay', id, '--from', '1h'])).out).toMatch(
    /^Replay 3: \d+ events are on the way\.\n$/,
  )
  expect(await json('webhooks', 'replay', id, '--missed')).toMatchObject({ replay: { number: 4 } })
  const told = await run(['events', 'get', issued ?? ''])
  expect(told.out).toMatch(new RegExp(`type +contract\\.issued[\\s\\S]*${id} +dlv_\\d+_\\d`))
  const two = await run(['webhooks', 'replay', id, '--missed', '--from', '1h'])
  expect([two.code, two.err]).toEqual([1, expect.stringContaining('in one way')])
  await json('webhooks', 'delete', '--yes', id)
  const nobody = await run(['events', 'resend', created ?? ''])
  expect([nobody.code, nobody.err]).toEqual([1, expect.stringContaining('gateway webhooks create')])
})

test.concurrent.each([
  ['created', ['created']],
  ['contract.updated', ['created', 'updated']],
  ['issued', ['created', 'issued']],
  ['paid', ['created', 'issued', 'paid']],
  ['completed', ['created', 'issued', 'paid', 'completed']],
  ['cancelled', ['created', 'issued', 'cancelled']],
  ['expired', ['created', 'issued', 'expired']],
  ['returned', ['created', 'issued', 'paid', 'completed', 'returned']],
])('trigger %s makes it happen', async (event, types) => {
  const { contract_id: id, events } = await printed<Triggered>(inProcess, ['trigger', event])
  expect(events.map(({ type }) => type)).toEqual(types.map((type) => `contract.${type}`))
  // It is there in the feed, and not only in the command's words.
  const last = events.at(-1)
  const shown = await json<{ event: object }>('events', 'get', last?.id ?? '')
  expect(shown.event).toMatchObject({ type: last?.type, sequence: types.length, data: { object: { id } } })
})

test('trigger transfer_failed needs an account whose refunds are by hand, and says so', async () => {
  const { account_id: account, api_key: key } = gateway.dev().other_account
  const asOther = ['trigger', 'transfer_failed', '--api-key', key]
  const refused = await run(asOther)
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('refunds are by hand')])
  expect(refused.out).toContain('contract.cancelled')
  const owner = new pg.Client(ownerConnection(gateway.dataDir))
  await owner.connect()
  await owner.query('update accounts set refunds_at_once = false where account_id = $1', [account])
  await owner.end()
  const { out } = await run([...asOther, '--json'])
  expect((JSON.parse(out) as Triggered).events.at(-1)?.type).toBe('contract.transfer_failed')
})

test.each([
  [['trigger', 'paid', '--api-key', 'gck_live_x'], 1, /no test key/],
  [['trigger', 'payed'], 2, /Choose from created, updated/],
  [['trigger', 'returned', '--amount', '100', '--channel', 'wallet'], 1, /missing|invalid|not/i],
  [['trigger', 'paid', '--currency', 'JPY'], 1, /code insufficient_funds/],
  [['webhooks', 'create'], 2, /--url/],
  [['webhooks', 'create', '--url', 'shop.example'], 2, /whole address/],
  [['webhooks', 'create', '--url', 'https://192.168.0.1/x'], 1, /code invalid_url, param url, HTTP 400/],
  [['webhooks', 'get', 'nonsense'], 2, /begins or ends with/],
  [['webhooks', 'attempts', '0198c0de-0000-7a2b-8000-0123456789ab', '17'], 2, /dlv_17_0/],
  [['webhooks', 'replay', '0198c0de-0000-7a2b-8000-0123456789ab', '--from', 'yesterday'], 2, /how long ago/],
  [['webhooks', 'list', '--url', 'http://127.0.0.1:9'], 1, /No client calls port 9/],
])('%j is told in a sentence', async (words, code, said) => {
  const ran = await run(words)
  expect([ran.code, ran.err]).toEqual([code, expect.stringMatching(said)])
  expect(ran.err).not.toMatch(/^\s+at /m)
})

test('signatures are made and judged without a gateway, from a file or a pipe, byte for byte', async () => {
  const secret = newSecret()
  const body = '{"name":"Ñiño"}\n'
  const nowhere = { GATEWAY_URL: 'http://127.0.0.1:9' }
  const made = await inProcess(['webhooks', 'sign', '--secret', secret, '--id', 'evt_1', '--timestamp', '1793520000'], {
    input: body,
    ...nowhere,
  })
  const headers = sign({ id: 'evt_1', timestampSeconds: 1_793_520_000, body, secrets: [secret] })
  expect(made.out).toBe(
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join(''),
  )
  const file = join(gateway.dataDir, '..', 'body.json')
  writeFileSync(file, body)
  const judge = (...words: string[]) =>
    run(['webhooks', 'verify', '--secret', secret, '--file', file, ...words], nowhere)
  const service = ['--header', headers['service-signature']]
  const standard = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].flatMap((name) => [
    '--header',
    `${name.toUpperCase()}: ${headers[name as keyof typeof headers]}`,
  ])
  const at = ['--at', '1793520010']
  for (const words of [service, standard, [...service, ...standard]])
    expect(await judge(...words, ...at)).toMatchObject({ code: 0, out: 'valid  signed at 2026-11-01T08:00:00.000Z\n' })
  expect(await judge(...service, '--at', '1793520301')).toMatchObject({
    code: 1,
    out: expect.stringContaining('more than 300 s old'),
  })
  expect(await judge(...service, '--at', '1793510000')).toMatchObject({
    code: 1,
    out: expect.stringContaining('ahead'),
  })
  expect(await judge(...standard.slice(0, 4), ...at)).toMatchObject({
    code: 1,
    out: expect.stringContaining('missing'),
  })
  expect(await judge('--header', 't=1', ...at)).toMatchObject({
    code: 1,
    out: expect.stringContaining('form t=<seconds>'),
  })
  expect(await judge('--header', 'Host: x', ...at)).toMatchObject({
    code: 1,
    err: expect.stringContaining('is a signature'),
  })
  const touched = await inProcess(['webhooks', 'verify', '--secret', secret, ...service, ...at, '--json'], {
    input: body.trimEnd(),
    ...nowhere,
  })
  expect([touched.code, JSON.parse(touched.out)]).toEqual([1, { valid: false, reason: 'mismatch' }])
  expect(await judge('--secret', 'whsec_x', ...service)).toMatchObject({ code: 2 })
})

test('the demo shows its webhooks as they arrive, verified, and leaves no endpoint behind', async () => {
  type Shown = { webhooks: { type: string; verified: boolean; after_ms: number }[]; events: { type: string }[] }
  const { webhooks, events } = await json<Shown>('demo')
  expect(webhooks.map(({ type }) => type).toSorted()).toEqual(events.map(({ type }) => type).toSorted())
  for (const { verified, after_ms: afterMs } of webhooks) {
    expect(verified).toBe(true)
    expect(afterMs).toBeGreaterThanOrEqual(0)
    expect(afterMs).toBeLessThan(60_000)
  }
  const { out } = await run(['demo'])
  expect(out).toMatch(/webhook {2}contract\.completed +\d+ ms after the change, signature verified/)
  expect(await json('webhooks', 'list')).toMatchObject({ webhook_endpoints: [] })
})

test('where an endpoint is refused, the demo listens to the event stream and says why', async () => {
  const scopes =
    'contracts:read,contracts:write,transfers:issue,transfers:pay,transfers:cancel,payments:refund,wallets:read,events:read'
  const made = gateway.inThread(
    'keys',
    'create',
    '--account',
    gateway.dev().account_id,
    '--name',
    'Demo',
    '--scopes',
    scopes,
    '--json',
  )
  const { api_key: key } = JSON.parse(made.stdout) as { api_key: string }
  const { code, out } = await run(['demo'], { GATEWAY_API_KEY: key })
  expect(code).toBe(0)
  expect(out).toMatch(/GET \/events\/stream\n.*scope webhooks:manage/)
  expect(out).toMatch(/event {4}contract\.completed +\d+ ms after the change\n/)
})

test('every new command explains itself with examples', async () => {
  for (const name of ['events', 'webhooks', 'listen', 'trigger', 'doctor']) {
    const { code, out } = await run([name, '--help'])
    expect([code, out]).toEqual([0, expect.stringContaining(`Usage: gateway ${name}`)])
  }
  expect((await run(['webhooks', 'create', '--help'])).out).toContain('Examples:')
  expect(readFileSync(gateway.logPath, 'utf8')).not.toMatch(/"level":(50|60)/)
})
