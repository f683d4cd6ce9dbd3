// What takes workers, a rail and payers: transfers that arrive, fail and come back, payments that are paid, refunded and returned,
// and webhooks that are delivered. The events of all of it are the examples of the document's webhooks.
import { createHmac } from 'node:crypto'
import { genuine } from '../../../webhooks/receiver-corpus.ts'
import { press } from '../../../sandbox/payers.ts'
import { advance, control, type Json } from '../../../sandbox/rails.ts'
import { CALLBACK_SECRET, idIn, NOBODY, seen, type Stage } from '../stage.ts'
import { SALARY } from './transfers.ts'

type Event = { readonly id: string; readonly type: string; readonly data: { readonly object: { readonly id: string } } }
type Id = { readonly id: string }

/** Waits for an event about something, and keeps it. */
async function told({ played, world }: Stage, type: string, { id }: Id): Promise<Event> {
  const event = await seen(`${type} of ${id}`, async () => {
    const all = await world.caller.all<Event>('/events', 'events')
    return all.find((each) => each.type === type && each.data.object.id === id)
  })
  played.event(event)
  return event
}

/** Issued and paid; what becomes of it is in its amount (docs/sandbox.md). */
async function sent({ world }: Stage, amount: number): Promise<Id> {
  const { id } = await world.caller.paid({ ...SALARY, amount })
  return { id }
}

export async function transfersAtWork(stage: Stage): Promise<void> {
  const { played, world } = stage
  const { ask } = played
  // Who decides by hand what becomes of a failure can try it again.
  await ask('accounts.update', { body: { settings: { refunds_at_once: false, returns_at_once: false } } })
  const arrived = await sent(stage, 1500)
  await told(stage, 'contract.completed', arrived)
  await ask('transfers.cancel', { params: arrived, body: {} })
  await ask('transfers.attempts', { params: arrived })
  await ask('transfers.attempts', { params: NOBODY })
  const failed = await sent(stage, 1500.21)
  await told(stage, 'contract.transfer_failed', failed)
  await ask('transfers.retry', { params: failed, body: {} })
  const bounced = await sent(stage, 1500.51)
  await told(stage, 'contract.completed', bounced)
  await advance(world.sandboxUrl, 10)
  await told(stage, 'contract.returned', bounced)
  await held(stage)
  await verified(stage)
  const brief = await world.caller.issued({ ...SALARY, expires_in: 1 })
  await told(stage, 'contract.expired', brief)
}

/** Issued, and held by a policy until a member approves it. */
async function held(stage: Stage): Promise<void> {
  const { ask, issued } = stage.world.caller
  const body = { name: 'An approval', then: { kind: 'approvals', count: 1, role: 'approver' } }
  const policy = idIn(await ask('POST', '/policies', { body }), 'policy')
  await told(stage, 'contract.approval_requested', await issued(SALARY))
  await ask('DELETE', `/policies/${policy.id}`)
}

/** Issued, and its recipient's name verified. */
async function verified(stage: Stage): Promise<void> {
  const contract = await stage.world.caller.issued(SALARY)
  await stage.world.caller.ask('POST', '/verifications', { body: { kind: 'name', contract: contract.id } })
  await told(stage, 'contract.verification_completed', contract)
}

const ORDER = { currency: 'PHP', description: 'Coffee, two bags', channel: 'gcash' }

/** A payment whose payer has seen the page of the rail and agreed. */
async function agreed({ world }: Stage, amount: number): Promise<Id> {
  const { ask } = world.caller
  const opened = idIn(await ask('POST', '/contracts/payment', { body: { ...ORDER, amount } }), 'contract')
  const chosen = await ask('PUT', `/contracts/payment/${opened.id}/pay`, { body: { type: 'gcash' } })
  await press((chosen.data['contract'] as { next_action: { url: string } }).next_action.url, 'pay')
  return opened
}

export async function paymentsAtWork(stage: Stage): Promise<void> {
  const { ask } = stage.played
  const paid = await agreed(stage, 500)
  await told(stage, 'contract.paid', paid)
  await ask('payments.cancel', { params: paid, body: {} })
  await ask('payments.entries', { params: paid })
  await ask('payments.entries', { params: NOBODY })
  await ask('payments.attempts', { params: paid })
  await ask('payments.attempts', { params: NOBODY })
  await savedPayer(stage)
  await ask('payments.refund', { params: paid, body: { amount: 100, reason: 'One bag was torn.' } })
  await told(stage, 'contract.refunded', paid)
  await ask('payments.refund', { params: paid, body: { amount: 900 } })
  const declined = await agreed(stage, 500.21)
  await told(stage, 'contract.payment_failed', declined)
  const more = await agreed(stage, 500.64)
  await told(stage, 'contract.payment_suspended', more)
  await ask('payments.return', { params: more, body: {} })
  await told(stage, 'contract.payment_returned', more)
}

/** Who pays by a QR code is known by the account that paid. */
async function savedPayer(stage: Stage): Promise<void> {
  const { world, played } = stage
  const body = { amount: 500, currency: 'PHP', description: 'Coffee, two bags' }
  const opened = idIn(await world.caller.ask('POST', '/contracts/payment', { body }), 'contract')
  const chosen = await world.caller.ask('PUT', `/contracts/payment/${opened.id}/pay`, { body: { type: 'qr' } })
  const { data: code } = (chosen.data['contract'] as { readonly next_action: { readonly data: string } }).next_action
  const payer = { name: 'Ben Cruz', wallet: '000777666555', tag: 'BOPIPHMM' }
  await control(world.sandboxUrl, 'POST', '/qrph/pay', { code, payer })
  await told(stage, 'contract.paid', opened)
  await played.ask('payments.save_payer', { params: opened, body: {} })
}

/** What rails and providers tell the gateway, signed. */
export async function reports(stage: Stage): Promise<void> {
  const { world, provider } = stage
  const { ask } = stage.played
  const { contract } = (await world.caller.ask('POST', '/contracts/payment', { body: { ...ORDER, amount: 500 } }))
    .data as { contract: Id }
  const at = Math.floor(Date.now() / 1000)
  const object = { id: 'pi_7', amount: 500, currency: 'PHP', status: 'succeeded', channel: 'gcash' }
  const event = {
    id: 'evt_7',
    type: 'payment_intent.succeeded',
    created_at: at,
    data: { object: { ...object, contract_id: contract.id } },
  }
  const proof = genuine(provider, Buffer.from(JSON.stringify(event)))
  await ask('payment_events.create', { body: event, as: proof })
  await ask('payment_events.create', { body: event, as: { ...proof, 'service-signature': `t=${at},v1=00` } })
  await callbacks(stage)
}

async function callbacks({ world, played: { ask } }: Stage): Promise<void> {
  const { transfer, currency } = await world.caller.paid({ ...SALARY, amount: 1500.52 })
  const report = {
    id: 'evt_1',
    type: 'transfer.accepted',
    created_at: '2026-11-02T02:00:00.000Z',
    data: {
      object: { rail: 'sandbox', reference: transfer.reference, amount: '1500.52', currency, status: 'accepted' },
    },
  }
  const sentBy = (body: Json) => {
    const at = Math.floor(Date.now() / 1000)
    const digest = createHmac('sha256', CALLBACK_SECRET)
      .update(`${at}.${JSON.stringify(body)}`)
      .digest('hex')
    return { 'service-signature': `t=${at},v1=${digest}` }
  }
  await ask('channels.callback', { params: { id: 'sandbox' }, body: report, as: sentBy(report) })
  await ask('channels.callback', { params: { id: 'sandbox' }, body: report, as: {} })
}

/** A wallet with less than its owner wants to see. */
export async function lowWallet(stage: Stage): Promise<void> {
  const { world } = stage
  const made = idIn(await world.caller.ask('POST', '/wallets', { body: { currency: 'PHP', label: 'Rent' } }), 'wallet')
  await world.caller.ask('POST', `/wallets/${made.id}/topups`, { body: { amount: 2000, reference: 'rent' } })
  await world.caller.ask('PATCH', `/wallets/${made.id}`, { body: { low_balance: 1000 } })
  const issued = await world.caller.issued({ ...SALARY, amount: 1500 })
  await world.caller.ask('PUT', `/contracts/transfer/${issued.id}/pay`, { body: { source: made.id } })
  await told(stage, 'wallet.low', made)
}

export async function hooksAtWork(stage: Stage): Promise<void> {
  const { played, world, hooks } = stage
  const { ask } = played
  const body = { url: hooks, events: ['contract.created', 'contract.issued'] }
  const made = idIn(await ask('webhook_endpoints.create', { body }), 'webhook_endpoint')
  const draft = await world.caller.draft(SALARY)
  const event = await told(stage, 'contract.created', draft)
  const opened = await world.caller.ask('POST', '/contracts/payment', { body: { ...ORDER, amount: 500 } })
  const payment = idIn(opened, 'contract')
  const deliveredOf = (path: string) =>
    seen(`a delivery of ${path}`, async () => {
      const { data } = await world.caller.ask('GET', `${path}/deliveries`)
      const all = data['deliveries'] as readonly { readonly id: string; readonly status: string }[]
      return all.find(({ status }) => status === 'delivered')
    })
  const delivery = await deliveredOf(`/contracts/transfer/${draft.id}`)
  await deliveredOf(`/contracts/payment/${payment.id}`)
  await ask('webhook_endpoints.deliveries', { params: made, query: { event: event.id } })
  await ask('webhook_endpoints.deliveries', { params: made, query: { status: 'lost' } })
  await ask('webhook_endpoints.attempts', { params: { ...made, delivery: delivery.id } })
  await ask('webhook_endpoints.attempts', { params: { ...made, delivery: 'dlv_0_0' } })
  await ask('transfers.deliveries', { params: { id: draft.id } })
  await ask('transfers.deliveries', { params: NOBODY })
  await ask('payments.deliveries', { params: payment })
  await ask('payments.deliveries', { params: NOBODY })
  await ask('webhook_endpoints.test', { params: made, body: { type: 'contract.completed' } })
  await ask('webhook_endpoints.test', { params: NOBODY, body: {} })
  await ask('webhook_endpoints.replay', { params: made, body: { events: [event.id] } })
  await ask('webhook_endpoints.replay', { params: made, body: { events: ['evt_none'] } })
  await ask('webhook_endpoints.delete', { params: made })
}

/** How the sandbox is told what is to happen next. */
export async function sandboxAtWork(stage: Stage): Promise<void> {
  const { ask } = stage.played
  const live = await stage.world.newCaller({ livemode: true })
  await ask('sandbox.get')
  await ask('sandbox.get', { as: { 'x-api-key': live.apiKey } })
  const scenario = {
    rail: 'sandbox',
    match: { account: '000123456789' },
    times: 1,
    verdict: 'refused',
    code: 'account_closed',
  }
  await ask('sandbox.script', { body: scenario })
  await ask('sandbox.script', { body: { ...scenario, verdict: 'lost' } })
  await ask('sandbox.reset')
  await ask('sandbox.reset', { as: { 'x-api-key': live.apiKey } })
  await ask('sandbox.move_clock', { body: { advance_seconds: 3600 } })
  await ask('sandbox.move_clock', { body: { advance_seconds: -1 } })
  const { id } = await sent(stage, 1500)
  await told(stage, 'contract.completed', { id })
  await ask('sandbox.orders', { query: { contract_id: id } })
  await ask('sandbox.orders', { query: { rail: 'pigeon' } })
}
