// Play money reaches no real rail, and a real contract none that the sandbox plays: what a payer, a caller and the rails' own
// books see of it, with workers at work.
import { afterAll, describe, expect, test } from 'vitest'
import { openWorld } from '../../world.ts'
import { control } from '../../sandbox/rails.ts'
import { eventOf, makeProvider, tell } from '../payments/receiver-world.ts'
import { drafted, openModes, type Side } from './modes-stage.ts'

const { world, TEST, LIVE } = await openModes('running')
// Here no rail has an address of its own: the sandbox plays them all.
const played = await openWorld()
const real: Side = { ...LIVE, world: played, caller: await played.newCaller({ livemode: true }) }
afterAll(() => Promise.all([world.stop(), played.stop()]))

/** What the books of a rail say that it was asked to pay. */
async function booked(at: string, rail: string): Promise<unknown[]> {
  const { orders } = await control(at, 'GET', `/${rail}/books`)
  return orders as unknown[]
}
type Opened = { readonly id: string; readonly checkout_url: string }
async function openPayment({ caller }: Side, fields: object = {}): Promise<Opened> {
  const { data } = await caller.ask('POST', '/contracts/payment', { body: { amount: 500, currency: 'PHP', ...fields } })
  return data['contract'] as Opened
}
async function pageOf({ world: at }: Side, { checkout_url: url }: Opened, query = ''): Promise<string> {
  const reply = await at.gateway.app.inject({ method: 'GET', url: new URL(url).pathname + query })
  expect(reply.statusCode).toBe(200)
  return reply.payload
}

describe('a live rail', () => {
  test('takes nothing of a test key: neither 50,000 at once nor a draft that is turned to it', async () => {
    const before = await booked(world.sandboxUrl, 'instapay')
    const body = { ...LIVE.draft, amount: 50_000 }
    const reply = await TEST.caller.ask('POST', '/contracts/transfer', { body })
    expect([reply.status, reply.error]).toMatchObject([
      409,
      {
        type: 'conflict_error',
        code: 'channel_not_in_mode',
        param: 'channel',
        message:
          'Channel instapay moves live money, and this is a TEST contract. Choose one of: sandbox, wallet, pesonet, maya.',
      },
    ])
    const id = await drafted(TEST)
    const turned = await TEST.caller.ask('PATCH', `/contracts/transfer/${id}`, { body: LIVE.draft })
    expect([turned.status, turned.error.code]).toEqual([409, 'channel_not_in_mode'])
    expect(await booked(world.sandboxUrl, 'instapay')).toEqual(before)
  })

  test('pays for a live key', async () => {
    const before = await booked(world.sandboxUrl, 'instapay')
    const { id, livemode } = await LIVE.caller.paid(LIVE.draft)
    expect(livemode).toBe(true)
    expect(await world.settle(id)).toBe('completed')
    expect((await booked(world.sandboxUrl, 'instapay')).length).toBe(before.length + 1)
    await world.ledgerHolds()
  })
})

describe('a rail that the sandbox plays', () => {
  test('pays nobody for a live contract: there is no draft on it, so that none ends completed', async () => {
    for (const channel of ['gcash', 'instapay', 'sandbox', 'maya']) {
      const reply = await real.caller.ask('POST', '/contracts/transfer', { body: { ...LIVE.draft, channel } })
      expect([reply.status, reply.error.code]).toEqual([409, 'channel_not_in_mode'])
      expect(reply.error.message).toBe(
        `Channel ${channel} moves TEST money, and this is a live contract. Choose one of: wallet.`,
      )
    }
  })

  test('makes no live contract paid with tok_visa, nor with any other way that it plays', async () => {
    const payment = await openPayment(real)
    const token = payment.checkout_url.split('/').at(-1)
    const headers = { authorization: `Bearer ${token}` }
    const ways = [{ type: 'card', card: { token: 'tok_visa' } }, { type: 'gcash' }, { type: 'maya' }, { type: 'qr' }]
    for (const body of ways) {
      const reply = await played.ask('PUT', `/contracts/payment/${payment.id}/pay`, { headers, body })
      expect([reply.status, reply.error.code, reply.error.param]).toEqual([409, 'channel_not_in_mode', 'payment.type'])
    }
    const page = await pageOf(real, payment)
    expect(page).not.toMatch(/tok_visa|GCash|Maya|QR Ph/)
    expect((await real.caller.ask('GET', `/contracts/payment/${payment.id}`)).data['contract']).toMatchObject({
      livemode: true,
      status: 'issued',
      attempts: [],
    })
  })

  test('is not among the ways of a live contract’s page, where the live ones are', async () => {
    const page = await pageOf(LIVE, await openPayment(LIVE))
    expect(page).toContain('GCash')
    expect(page).not.toMatch(/Maya|QR Ph|tok_visa/)
    const ours = await pageOf(TEST, await openPayment(TEST))
    expect(ours).toMatch(/Maya[\s\S]*QR Ph/)
    expect(ours).not.toContain('GCash')
  })
})

test.each([
  ['', 'TEST: no real money'],
  ['?lang=fil', 'TEST: walang totoong pera'],
])(
  'the page of a test contract says so (%s), in its title too, and that of a live one does not',
  async (query, words) => {
    const [test, live] = [await openPayment(TEST), await openPayment(LIVE)]
    const ours = await pageOf(TEST, test, query)
    expect(ours).toContain(`<p class="test">${words}</p>`)
    expect(ours).toMatch(/<title>TEST – /)
    expect(await pageOf(LIVE, live, query)).not.toContain('TEST')
  },
)

test('an event that names a channel of the other mode books nothing: a person has to look at it', async () => {
  for (const [side, other] of [
    [TEST, LIVE],
    [LIVE, TEST],
  ] as const) {
    const payment = await openPayment(side)
    const provider = await makeProvider(world, side.caller, { livemode: side.word === 'live' })
    const event = eventOf({ contract_id: payment.id, amount: 500, channel: other.collects })
    expect((await tell(world, provider, event)).status).toBe(200)
    const [row] = await world.sql('select status, reason, amount_minor from payment_events where id = $1', [
      event['id'],
    ])
    const is = side.word === 'live' ? 'moves TEST money, and this is a live' : 'moves live money, and this is a TEST'
    expect(row).toEqual({
      status: 'needs_review',
      amount_minor: null,
      reason: `channel ${other.collects} ${is} contract`,
    })
    const { data } = await side.caller.ask('GET', `/contracts/payment/${payment.id}`)
    expect(data['contract']).toMatchObject({ status: 'issued', amount_received: 0 })
  }
  await world.ledgerHolds()
})
