// The examples of the OpenAPI document are a run of a real gateway: played again, it says the same as docs/examples.json.
// npm run examples writes the file anew. What differs from run to run is taken out of it (test/rig/examples/steady.ts).
import { Ajv2020 } from 'ajv/dist/2020.js'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRecorder, type Recorder } from '../rig/examples/recorder.ts'
import { openWorld, type Reply, type World } from '../world.ts'

const RECIPIENT = { name: 'Maria Santos', mobile: '+639171234567', wallet: '000123456789', country: 'PH' }
const SALARY = {
  amount: 1500,
  currency: 'PHP',
  channel: 'sandbox',
  recipient: RECIPIENT,
  description: 'October salary',
  deliverable: { type: 'salary', reference_id: 'payroll-2026-10-0042' },
}
const NOBODY = { id: '01932c07-4b5e-7c31-9d0a-6f2b8e4a1c55' }

let world: World
let played: Recorder
beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  played = openRecorder(world)
})
afterAll(() => world.stop())

const idIn = (reply: Reply, member: string) => ({ id: (reply.data[member] as { readonly id: string }).id })

async function transfers(): Promise<void> {
  const { ask } = played
  const first = idIn(await ask('transfers.create', { body: SALARY }), 'contract')
  await ask('transfers.create', { body: { amount: 1500 } })
  await ask('transfers.update', { params: first, body: { amount: 1600 } })
  await ask('transfers.pay', { params: first, body: {} })
  await ask('transfers.issue', { params: first, body: {} })
  await ask('transfers.update', { params: first, body: { amount: 1700 } })
  await ask('transfers.issue', { params: NOBODY, body: {} })
  await ask('transfers.pay', { params: first, body: {} })
  await ask('transfers.get', { params: first })
  await ask('transfers.get', { params: NOBODY })
  await ask('transfers.list', { query: { status: 'paid', limit: '10' } })
  await ask('transfers.list', { query: { limit: '1000' } })
  await ask('transfers.activities', { params: first })
  await ask('transfers.explain', { params: first })
  await ask('transfers.retry', { params: first, body: {} })
  const second = idIn(await ask('transfers.create', { body: SALARY }), 'contract')
  await ask('transfers.cancel', { params: second, body: { reason: 'Ordered twice.' } })
  await ask('transfers.pay', { params: second, body: {} })
  const dear = idIn(await ask('transfers.create', { body: { ...SALARY, amount: 90_000_000 } }), 'contract')
  await ask('transfers.issue', { params: dear, body: {} })
}

async function payments(): Promise<void> {
  const { ask } = played
  const body = {
    amount: 500,
    currency: 'PHP',
    description: 'Coffee, two bags',
    deliverable: { type: 'order', reference_id: 'order-17' },
    return_url: 'https://shop.example.com/thanks',
  }
  const opened = idIn(await ask('payments.create', { body }), 'contract')
  await ask('payments.create', { body: { amount: -1, currency: 'PHP' } })
  await ask('payments.pay', { params: opened, body: { type: 'gcash', gcash: { mobile: '09171234567' } } })
  await ask('payments.pay', { params: opened, body: { type: 'cash' } })
  await ask('payments.get', { params: opened })
  await ask('payments.get', { params: NOBODY })
  await ask('payments.list', { query: { status: 'issued' } })
  await ask('payments.activities', { params: opened })
  await ask('payments.refund', { params: opened, body: { amount: 100, reason: 'One bag was torn.' } })
  await ask('payments.return', { params: opened, body: {} })
  await ask('payments.save_payer', { params: opened, body: {} })
  const other = idIn(await ask('payments.create', { body }), 'contract')
  await ask('payments.cancel', { params: other, body: { reason: 'Out of stock.' } })
}

async function people(): Promise<void> {
  const { ask } = played
  const profile = { name: 'Maria Santos', email: 'maria.santos@example.com', mobile: '+639171234567', country: 'PH' }
  const made = idIn(await ask('profiles.create', { body: profile }), 'profile')
  await ask('profiles.update', { params: made, body: { name: 'Maria Santos-Cruz' } })
  const place = { channel: 'sandbox', recipient: { wallet: '000123456789' } }
  const saved = idIn(await ask('destinations.create', { params: made, body: place }), 'destination')
  const destination = { id: made.id, destination: saved.id }
  await ask('destinations.update', { params: destination, body: { recipient: { wallet: '000987654321' } } })
  await ask('profiles.get', { params: made })
  await ask('profiles.get', { params: NOBODY })
  await ask('profiles.list', { query: { email: 'maria.santos@example.com' } })
  await ask('profiles.versions', { params: made })
  await ask('destinations.archive', { params: destination })
  await ask('profiles.archive', { params: made })
  await ask('profiles.update', { params: made, body: { name: 'Maria' } })
  await ask('profiles.restore', { params: made })
  const invited = idIn(await ask('members.invite', { body: { email: 'ben@example.com', role: 'viewer' } }), 'member')
  await ask('members.invite', { body: { email: 'ben@example.com', role: 'king' } })
  await ask('members.get', { params: invited })
  await ask('members.list', { query: { removed: 'true' } })
  await ask('members.update', { params: invited, body: { name: 'Ben Reyes' } })
  await ask('members.remove', { params: invited })
}

async function money(): Promise<void> {
  const { ask } = played
  await ask('wallets.list', { query: { currency: 'PHP' } })
  const made = idIn(await ask('wallets.create', { body: { currency: 'PHP', label: 'Salaries' } }), 'wallet')
  await ask('wallets.create', { body: { currency: 'pesos' } })
  await ask('wallets.top_up', { params: made, body: { amount: 5000, reference: 'opening' } })
  await ask('wallets.update', { params: made, body: { low_balance: 1000 } })
  await ask('wallets.update', { params: made, body: { status: 'closed' } })
  await ask('wallets.get', { params: made })
  await ask('wallets.get', { params: NOBODY })
  await ask('wallets.entries', { params: made, query: { limit: '5' } })
  await ask('wallets.statement', { params: made, query: { from: '2026-10-01', to: '2026-10-31' } })
}

async function account(): Promise<void> {
  const { ask } = played
  await ask('accounts.me')
  await ask('accounts.me', { headers: { 'x-api-key': 'gck_test_wrong' } })
  await ask('accounts.update', { body: { name: 'Kape Manila', time_zone: 'Asia/Manila' } })
  const body = { name: 'Reports', scopes: ['contracts:read', 'events:read'] }
  const made = await ask('keys.create', { body })
  const key = idIn(made, 'key')
  const weak = { 'x-api-key': String(made.data['api_key']) }
  await ask('keys.create', { body, headers: weak })
  await ask('transfers.create', { body: SALARY, headers: weak })
  await ask('keys.get', { params: key })
  await ask('keys.get', { params: { id: 'aaaaaaaaaa' } })
  await ask('keys.update', { params: key, body: { name: 'Monthly reports' } })
  const rolled = idIn(await ask('keys.roll', { params: key, body: {} }), 'key')
  await ask('keys.revoke', { params: rolled })
  await ask('tokens.create', { body: { grant_type: 'client_credentials' } })
  await ask('tokens.create', { body: { grant_type: 'password' } })
  await ask('usage.get', { query: { from: '2026-10-05', to: '2026-10-05' } })
}

async function hooks(): Promise<void> {
  const { ask } = played
  const body = { url: 'http://127.0.0.1:4000/hooks', events: ['contract.completed'] }
  const made = idIn(await ask('webhook_endpoints.create', { body }), 'webhook_endpoint')
  await ask('webhook_endpoints.create', { body: { url: 'ftp://example.com' } })
  await ask('webhook_endpoints.list')
  await ask('webhook_endpoints.get', { params: made })
  await ask('webhook_endpoints.get', { params: NOBODY })
  await ask('webhook_endpoints.update', { params: made, body: { description: 'The shop' } })
  await ask('webhook_endpoints.roll_secret', { params: made, body: {} })
  await ask('webhook_endpoints.pause', { params: made })
  await ask('webhook_endpoints.resume', { params: made })
  await ask('webhook_endpoints.deliveries', { params: made })
  await ask('webhook_endpoints.delete', { params: made })
}

async function facts(): Promise<void> {
  const { ask } = played
  await ask('keys.list')
  await ask('audit.list', { query: { limit: '5' } })
  await ask('requests.list', { query: { limit: '3' } })
  await ask('search.find', { query: { q: 'Maria', type: 'profile' } })
  await ask('channels.list')
  await ask('channels.get', { params: { id: 'sandbox' } })
  await ask('channels.get', { params: { id: 'pigeon' } })
  await ask('channels.policy', { params: { id: 'sandbox' } })
  await ask('resources.list')
  await ask('resources.get', { params: { id: 'roles' } })
  await ask('resources.get', { params: { id: 'weather' } })
  await ask('health.live')
  const told = await ask('events.list', { query: { limit: '100' } })
  const events = told.data['events'] as { readonly id: string; readonly type: string }[]
  for (const event of events) played.event(event)
  await ask('events.get', { params: { id: events[0]?.id ?? '' } })
  await ask('events.get', { params: { id: 'evt_none' } })
}

test('a run of a gateway says what docs/examples.json says', async () => {
  for (const play of [transfers, payments, people, money, account, hooks, facts]) await play()
  await expect(played.text()).toMatchFileSnapshot('../../docs/examples.json')
})

test('every example of the document fits its shape', () => {
  const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as object
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'api')
  const places: string[][] = []
  const visit = (value: unknown, place: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return
    if ('schema' in value && 'example' in value) places.push([...place])
    else for (const [name, member] of Object.entries(value)) visit(member, [...place, name])
  }
  visit(document, [])
  expect(places.length).toBeGreaterThan(100)
  for (const place of places) {
    const { example } = place.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], document) as {
      readonly example: unknown
    }
    const isParameter = place.includes('parameters')
    const pointer = [...place, 'schema'].map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
    const fits = isParameter || ajv.compile({ $ref: `api#/${encodeURI(pointer)}` })(example)
    expect([place.join(' '), fits]).toEqual([place.join(' '), true])
  }
})
