// Events as they happen, at the command line: gateway listen delivers them to a receiver that both signature libraries
// stand guard for, gateway events tail shows them, and neither loses one when the gateway goes and comes back.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { newSecret } from '../../sdk/src/signature.ts'
import { type GatewayProcess, openGatewayProcess } from '../rig/gateway-process.ts'
import { type Background, programOf, runBeside } from './background.ts'
import { correct, openReceiver, type Receiver } from './receiver.ts'

let gateway: GatewayProcess
let receiver: Receiver
/** Follows events with a key that does not live on. */
let revoked: Background

beforeAll(async () => {
  gateway = await openGatewayProcess({}, { LOG_LEVEL: 'warn' })
  gateway.launch()
  await gateway.ready()
  receiver = await openReceiver(newSecret(), correct)
  const { api_key: key } = gateway.dev().other_account
  revoked = runBeside(programOf(gateway), { GATEWAY_URL: gateway.url, GATEWAY_API_KEY: key }, ['events', 'tail'])
  await revoked.says('Following events')
  gateway.inThread('keys', 'revoke', '--yes', /^gck_test_([^_]+)_/.exec(key)?.[1] ?? '')
}, 120_000)
afterAll(async () => {
  await receiver.close()
  await gateway.remove()
})
beforeEach(() => {
  receiver.received.length = 0
})

const known = () => ({ GATEWAY_URL: gateway.url, GATEWAY_API_KEY: gateway.dev().api_key })
const beside = (...words: string[]): Background => runBeside(programOf(gateway), known(), words)
/** What ends by itself needs no process; the receiver of the test goes on meanwhile. */
const ended = (words: readonly string[], env = {}) => gateway.thread().runBeside({ words, env: { ...known(), ...env } })

async function trigger(event: string): Promise<string> {
  const { status, stdout, stderr } = await ended(['trigger', event, '--json'])
  expect(status, stderr).toBe(0)
  return (JSON.parse(stdout) as { contract_id: string }).contract_id
}

/** The secret is told at the start; the receiver goes by it from then on. */
async function listening(...words: string[]): Promise<Background> {
  const run = beside('listen', '--json', ...words)
  await run.says('"listening"')
  return run
}

function secretOf(run: Background): string {
  const [start] = run.lines() as { listening: { secret: string } }[]
  return start?.listening.secret ?? ''
}

test('listen delivers with the headers of a delivery, with the same secret at each start, and ends with Ctrl-C', async () => {
  const run = await listening('--forward-to', receiver.url, '--print')
  receiver.secret = secretOf(run)
  const id = await trigger('paid')
  await run.says(/contract\.paid/)
  expect(await run.interrupt()).toBe(0)
  const types = ['contract.created', 'contract.issued', 'contract.paid']
  expect(receiver.received.map(({ event, isGenuine }) => [event.type, isGenuine])).toEqual(
    types.map((type) => [type, true]),
  )
  const told = run.lines().slice(1)
  expect(told).toMatchObject(types.map((type) => ({ type, contract_id: id, outcome: 'delivered', status_code: 200 })))
  // The body is the event as it was told, and the headers are those of the first try.
  const [first] = receiver.received
  expect(told[0]?.['event']).toEqual(first?.event)
  expect(first?.headers).toMatchObject({
    'content-type': 'application/json',
    'accept-encoding': 'identity',
    'user-agent': expect.stringMatching(/^gateway-contracts\/\d/) as string,
    'webhook-id': first?.event.id,
    'webhook-attempt': '1',
  })
  const again = await listening('--forward-to', receiver.url)
  expect(again.lines()[0]).toEqual(run.lines()[0])
  expect(await again.interrupt()).toBe(0)
})

test('listen tells people what the receiver answered, and how to mend it', async () => {
  const run = beside('listen', '--forward-to', 'http://127.0.0.1:9/webhooks', '--events', 'issued')
  await run.says('Ctrl-C to stop')
  const id = await trigger('issued')
  await run.says(/No connection came about \(ECONNREFUSED\)\. Is the receiver running\?/)
  expect(await run.interrupt()).toBe(0)
  expect(run.said.out).toMatch(new RegExp(`\\d\\d:\\d\\d:\\d\\d {2}contract\\.issued +${id} {2}- `))
  expect(run.said.out).not.toContain('contract.created')
  expect(run.said.out).toMatch(/1 event, 0 of them taken\.\n$/)
})

test('the event stream goes on after the gateway went away and came back, without a gap or a repetition', async () => {
  const run = await listening('--forward-to', receiver.url, '--events', 'created')
  const tail = beside('events', 'tail', '--types', 'created', '--json')
  await tail.says('Following events')
  receiver.secret = secretOf(run)
  const first = await trigger('created')
  await run.says(first)
  await tail.says(first)
  expect(await gateway.stop()).toBe(0)
  await run.says('is opened again in')
  gateway.launch()
  await gateway.ready()
  // Before the listeners are back: the stream must begin where it ended.
  const more = [await trigger('created'), await trigger('created')]
  await run.says(more[1] ?? '')
  await tail.says(more[1] ?? '')
  expect(await Promise.all([run.interrupt(), tail.interrupt()])).toEqual([0, 0])
  const contracts = (lines: Record<string, unknown>[]) => lines.map((line) => line['contract_id'])
  expect(contracts(run.lines().slice(1))).toEqual([first, ...more])
  const objects = tail.lines().map(({ data }) => (data as { object: { id: string } }).object.id)
  expect(objects).toEqual([first, ...more])
  expect(receiver.received.every(({ isGenuine }) => isGenuine)).toBe(true)
}, 180_000)

test('tail begins after a named event, and without a receiver listen only shows', async () => {
  const feed = await ended(['events', 'list', '--limit', '2', '--json'])
  const { events } = JSON.parse(feed.stdout) as { events: { id: string }[] }
  const tail = beside('events', 'tail', '--after', events[0]?.id ?? '', '--json')
  await tail.says(events[1]?.id ?? 'never')
  expect(tail.lines()[0]).toEqual(events[1])
  const shown = await listening('--events', 'created')
  const id = await trigger('created')
  await shown.says(id)
  await Promise.all([tail.interrupt(), shown.interrupt()])
  const created = { type: 'contract.created', contract_id: id, event_id: expect.stringMatching(/^evt_/) as string }
  expect(shown.lines()).toEqual([{ listening: { gateway: gateway.url, events: ['contract.created'] } }, created])
})

test.each([
  [['listen'], { GATEWAY_API_KEY: 'gck_test_wrong' }, 1, /authentication|API key/i],
  [['listen'], { GATEWAY_URL: 'http://127.0.0.1:2' }, 1, /No gateway answers .*ECONNREFUSED/],
  [['listen', '--events', 'payed'], {}, 2, /Choose from created, /],
  [['events', 'tail', '--after', `evt_${'0'.repeat(36)}`], {}, 1, /code invalid_after/],
  [['events', 'get', 'evt_1'], {}, 2, /evt_ and 36 digits/],
])('%j is told in a sentence', async (words, env, code, said) => {
  const known = { GATEWAY_URL: gateway.url, GATEWAY_API_KEY: gateway.dev().api_key }
  const run = runBeside(programOf(gateway), { ...known, ...env }, words)
  expect(await run.ended).toBe(code)
  expect(run.said.err).toMatch(said)
  expect(run.said.err).not.toMatch(/^\s+at /m)
})

test('a key that was revoked ends the stream, and is no endless loop', async () => {
  // The gateway looks at the credential every ten seconds and ends the stream; the next knock is refused.
  await vi.waitFor(() => expect(revoked.child.exitCode).toBe(1), { timeout: 30_000, interval: 100 })
  expect(revoked.said.err).toMatch(/HTTP 401/)
})
