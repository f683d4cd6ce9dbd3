// Payment contracts from the command line against a real gateway: as the merchant, as the payer, as the operator; and the
// events of money that comes in, made for real.
import { createHmac } from 'node:crypto'
import jsqr from 'jsqr'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SHIPPED_CHANNELS } from '../../src/connectors/catalogue.ts'
import { type GatewayProcess, openGatewayProcess } from '../rig/gateway-process.ts'

type Contract = {
  readonly id: string
  readonly status: string
  readonly checkout_url: string
  readonly refunds: readonly object[]
}
let gateway: GatewayProcess

// Money is given back without the time to change one's mind.
const CHANNELS = SHIPPED_CHANNELS.map((channel) => ({ ...channel, undo_seconds: 0 }))

beforeAll(async () => {
  gateway = await openGatewayProcess({ channels: CHANNELS }, { LOG_LEVEL: 'warn' })
  gateway.launch()
  await gateway.ready()
}, 120_000)
vi.setConfig({ testTimeout: 120_000 })
afterAll(async () => gateway.remove())

/** Words with spaces stand in quotes. */
const run = (line: string) =>
  gateway.inThread(...[...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? ''))

function printed(line: string): string {
  const { status, stdout, stderr } = run(line)
  expect(status, `${line}\n${stdout}${stderr}`).toBe(0)
  return stdout
}

const json = <T>(line: string): T => JSON.parse(printed(`${line} --json`)) as T
const contractOf = (line: string) => json<{ contract: Contract }>(`payments ${line}`).contract

function refused(code: number, line: string): string {
  const { status, stdout, stderr } = run(line)
  expect(status, `${line}\n${stdout}${stderr}`).toBe(code)
  expect(stderr).not.toMatch(/^\s+at /m)
  return stderr
}

async function becomes(id: string, contract: object): Promise<void> {
  const url = `${gateway.url}/contracts/payment/${id}`
  await vi.waitFor(
    async () => {
      const reply = await fetch(url, { headers: { 'x-api-key': gateway.dev().api_key } })
      expect(await reply.json()).toMatchObject({ data: { contract } })
    },
    { timeout: 30_000, interval: 100 },
  )
}

test('a contract is opened, paid by its payer with nothing but checkout_url, refunded in part, and shown whole', async () => {
  expect(printed('channels list')).toMatch(
    /^CHANNEL +MODE +MOVED BY +NAME +PAYS OUT +BRINGS IN[\s\S]*^wallet +TEST, live +this gateway [\s\S]*^qrph +TEST +the sandbox provider +QR Ph +- +PHP +\d+ +at work$/m,
  )
  expect(refused(1, 'payments create')).toMatch(
    /^2 things are wrong:\n {2}amount: .*\n {2}currency: .*\n {2}code missing_amount/,
  )
  const create = 'payments create --amount 500 --currency PHP --description Coffee --reference order-17'
  const text = printed(create)
  expect(text).toMatch(
    /mode +TEST: no real money[\s\S]*status +issued[\s\S]*channel +the payer chooses[\s\S]*reference +order-17[\s\S]*checkout +http/,
  )
  const [id = '', url = ''] = [/contract +(\S+)/, /checkout +(\S+)/].map((pattern) => pattern.exec(text)?.[1])
  // No key is sent along: this one would be refused.
  const paid = printed(`payments pay --checkout-url ${url} --method gcash --mobile 09171234567 --api-key none`)
  expect(paid).toMatch(/payer pays +PHP 500\.00[\s\S]*The payer goes on here, until/)
  // What it costs the merchant is no affair of the payer's.
  expect(paid).not.toMatch(/fee|you get/)
  const page = /http\S+\/payer\/gcash\/\S+/.exec(paid)?.[0] ?? ''
  await fetch(page, { method: 'POST', body: new URLSearchParams({ action: 'pay' }), redirect: 'manual' })
  await becomes(id, { status: 'paid' })
  expect(printed(`payments watch ${id}`)).toMatch(
    /A way to pay was chosen[\s\S]*Paid: PHP 500\.00[\s\S]*The contract is paid\./,
  )
  const refund = `payments refund --yes ${id} --amount 100 --reason "one bag was torn" --idempotency-key return-17`
  const transferId = /transfers watch (\S+)/.exec(printed(refund))?.[1]
  expect(contractOf(refund.slice('payments '.length)).refunds).toMatchObject([{ transfer_id: transferId }])
  expect(printed(`transfers watch ${transferId}`)).toContain('The contract is completed.')
  const whole = printed(`payments get ${id}`)
  for (const words of [
    /received +PHP 500\.00/,
    /refunded +PHP 100\.00/,
    /settles +20/,
    /1 +gcash +succeeded/,
    /refund +done/,
  ])
    expect(whole).toMatch(words)
  expect(whole).toContain('Refunded to the payer')
  expect(printed('payments list --status paid --channel gcash --reference order-17')).toMatch(
    /CONTRACT[\s\S]*paid +PHP 500\.00 +PHP 500\.00 +gcash +order-17/,
  )
  expect(refused(1, `payments refund --yes ${id} --amount 400.01`)).toContain('code refund_exceeds_payment')
  expect(refused(1, `payments return --yes ${id}`)).toContain('code nothing_in_suspense')
})

test('a code of QR Ph stands on the terminal as it is in the answer, and can be read from there', () => {
  const text = printed('payments create --amount 750 --currency PHP --method qr --expires-in 15m')
  expect(text).toContain(`paste its text at ${gateway.dev().sandbox_url}/payer/qrph`)
  expect(text).toContain('scans this with the app of any bank or e-wallet')
  const drawn = text.split('\n').flatMap((line) => (/^ {2}[█▀▄ ]{40,}$/.test(line) ? [line.slice(2)] : []))
  expect(readQr(drawn)).toBe(/^ {2}(0002\S+)$/m.exec(text)?.[1])
})

/** Without colours a block is light, as on a dark terminal. */
function readQr(lines: readonly string[]): string | undefined {
  const SCALE = 4
  const rows = lines.flatMap((line) => [
    line.split('').map((block) => block === '█' || block === '▀'),
    line.split('').map((block) => block === '█' || block === '▄'),
  ])
  const width = (rows[0]?.length ?? 0) * SCALE
  const pixels = new Uint8ClampedArray(width * rows.length * SCALE * 4)
  for (let i = 0; i < pixels.length / 4; i += 1) {
    const isLight = rows[Math.floor(i / width / SCALE)]?.[Math.floor((i % width) / SCALE)]
    pixels.fill(isLight ? 255 : 0, i * 4, i * 4 + 3)
    pixels[i * 4 + 3] = 255
  }
  return jsqr.default(pixels, width, rows.length * SCALE, { inversionAttempts: 'dontInvert' })?.data
}

test('a wallet of another account pays at once, and a declined card leaves the contract open', async () => {
  const { id, checkout_url: url } = contractOf('create --amount 20 --currency PHP')
  expect(refused(1, `payments pay ${id} --method card --token tok_declined`)).toContain('code payment_declined')
  const { api_key: key } = gateway.dev().other_account
  const reply = await fetch(`${gateway.url}/wallets`, { headers: { 'x-api-key': key } })
  const { data } = (await reply.json()) as { data: { wallets: { id: string; currency: string }[] } }
  const wallet = data.wallets.find((each) => each.currency === 'PHP')?.id
  const pay = `payments pay --yes --checkout-url ${url} --method wallet --wallet ${wallet}`
  expect(refused(1, pay)).toContain('cannot pay its own contract')
  expect(contractOf(`${pay.slice('payments '.length)} --api-key ${key}`).status).toBe('completed')
})

test('what is open at a rail is closed by a cancel', () => {
  const { id } = contractOf('create --amount 20 --currency PHP --method maya')
  expect(printed(`payments cancel ${id} --reason "ordered twice"`)).toMatch(
    /status +cancelled[\s\S]*cancellation +\w+, ordered twice/,
  )
})

test.each([
  ['payment_failed', ['issued', 'payment_failed']],
  ['payment_returned --channel maya', ['issued', 'payment_suspended', 'payment_returned']],
  ['refunded', ['issued', 'paid', 'refunded']],
])('trigger %s', (words, types) => {
  const { events } = json<{ events: { type: string }[] }>(`trigger ${words}`)
  expect(events.map((event) => event.type)).toEqual(types.map((type) => `contract.${type}`))
})

test('money in suspense stays where the operator says so, and goes back as soon as it may', async () => {
  const settings = `accounts settings ${gateway.dev().account_id} --return-suspense`
  expect(json(`${settings} no`)).toMatchObject({ return_suspense: false })
  const { contract_id: id } = json<{ contract_id: string }>('trigger payment_suspended')
  const suspended = printed(`payments get ${id}`)
  expect(suspended).toMatch(/received +PHP 101\.64[\s\S]*in suspense +PHP 101\.64/)
  expect(suspended).not.toContain('GOES BACK')
  expect(json(`${settings} yes`)).toMatchObject({ return_suspense: true })
  await becomes(id, { amount_in_suspense: 0, refunds: [{ from: 'suspense', amount: 101.64, status: 'done' }] })
})

test('what no contract fits is shown to the operator, of one account or of all', async () => {
  const { webhook_key: key, webhook_secret: secret, account_id: account } = gateway.dev()
  const object = {
    id: 'pi_nobody',
    amount: 12.5,
    currency: 'PHP',
    status: 'succeeded',
    channel: 'gcash',
    reference: 'x',
  }
  const now = Math.floor(Date.now() / 1000)
  const body = JSON.stringify({ id: 'evt_lost', type: 'payment_intent.succeeded', created_at: now, data: { object } })
  const signature = createHmac('sha256', secret).update(`${now}.${body}`).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'x-api-key': key,
    'service-signature': `t=${now},v1=${signature}`,
  }
  expect((await fetch(`${gateway.url}/webhooks`, { method: 'POST', headers, body })).status).toBe(200)
  const { events } = json<{ events: object[] }>(`payments unallocated --account ${account}`)
  const known = { id: 'evt_lost', status: 'unmatched', account_id: account, contract_id: null, reason: null, body }
  expect(events).toMatchObject([known])
  expect(printed('payments unallocated')).toMatch(
    /unmatched +payment_intent\.succeeded +evt_lost .*waits for a contract that fits it/,
  )
  expect(refused(1, 'payments unallocated --account 01890000-0000-7000-8000-000000000001')).toContain('No account')
  const contract = json<{ contract: { id: string } }>('payments create --amount 12.5 --currency PHP').contract.id
  const taking = `payments take --yes evt_lost --account ${account} --contract ${contract} --operator Ana --evidence ticket-4711`
  expect(printed(taking)).toMatch(/its money is booked\.\nThe contract \S+ is (paid|completed)\./)
  expect(refused(1, taking)).toContain('gateway payments unallocated')
})

const ID = '01890000-0000-7000-8000-000000000001'

test.each([
  [2, 'payments create --token x', /--token goes with --method card/],
  [1, 'payments create --amount 500 --currency PHP --method card --token 4242424242424242', /never accepted/],
  [2, 'payments pay --method gcash', /--checkout-url/],
  [2, `payments pay ${ID} --method wallet --wallet ${ID}`, /--checkout-url and the key/],
  [2, 'payments pay --checkout-url http://127.0.0.1/pay/x --method qr', /checkout_url of a payment contract/],
  [1, `payments pay ${ID} --method qr`, /code contract_not_found/],
  [1, 'trigger payment_failed --channel qrph', /through gcash or maya/],
])('exit code %i: %s', (code, line, said) => {
  expect(refused(code, line)).toMatch(said)
})
