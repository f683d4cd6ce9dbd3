// The switch of payouts: for one channel or all of them, nothing new is sent; what has been sent is asked about, payments come in,
// and what waits leaves when it is switched on again. Real workers and a real provider.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import { pauseAtStart } from '../../../src/app/operator/payout-pauses.ts'
import { control } from '../../sandbox/rails.ts'
import { coded } from '../members/people.ts'
import { openStage, type Stage } from './operations-stage.ts'

const SANDBOX = { ...SHIPPED_CHANNELS.find((channel) => channel.id === 'sandbox')!, undo_seconds: 0 }
const SECOND = { ...SANDBOX, id: 'second', name: 'Second', connector: 'sandbox' }

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ workers: 'running', config: { channels: [SANDBOX, SECOND, ...OTHERS] } })
})
afterAll(async () => {
  await stage.world.ledgerHolds()
  await stage.stop()
})

const OTHERS = SHIPPED_CHANNELS.filter(({ id }) => id === 'wallet' || id === 'gcash')
const WITHIN = { timeout: 60_000, interval: 50 }

type Payouts = {
  state: string
  pauses: { channel: string | null; operator: string; evidence: string }[]
  waiting: { channel: string; payouts: number }[]
}
const turn = async (to: 'pause' | 'resume', channel?: string, by = stage.operator) =>
  by.ask('PUT', `/operations/payouts/${to}`, {
    body: { evidence: 'ticket 4711', ...(channel === undefined ? {} : { channel }) },
  })
const seen = async () => (await stage.approver.ask('GET', '/operations/payouts')).data['payouts'] as Payouts

/** Until the workers have seen which of them pay nothing out. */
async function workersSee(paused: Readonly<Record<string, 0 | 1>>): Promise<void> {
  const figures = async () => {
    const lines = (await stage.world.gateway.figures()).split('\n')
    return Object.fromEntries(
      Object.keys(paused).map((id) => [
        id,
        Number(lines.find((line) => line.startsWith(`gateway_payouts_paused{channel="${id}"}`))?.split(' ')[1]),
      ]),
    )
  }
  await expect.poll(figures, WITHIN).toEqual(paused)
}

const standing = async (id: string) => (await stage.merchant.get(id)).transfer.status
const summaryOf = async (id: string) =>
  (await stage.merchant.ask('GET', `/contracts/transfer/${id}/explain`)).data['explanation'] as Record<string, unknown>

test('a paused channel sends nothing new while another one does, and what waits leaves when it goes on', async () => {
  const { world, merchant, operator } = stage
  expect((await turn('pause', 'sandbox')).status).toBe(200)
  await workersSee({ sandbox: 1, second: 0 })
  const waits = await merchant.paid({ amount: 100 })
  const passes = await merchant.paid({ amount: 100, channel: 'second' })
  expect(await world.settle(passes.id)).toBe('completed')
  expect(await standing(waits.id)).toBe('queued')
  expect(await summaryOf(waits.id)).toMatchObject({
    summary: expect.stringContaining('paused payouts') as string,
    waits_for: 'operator',
    by: null,
    cancel_now: 'refunds all of it, the fee included',
  })
  expect(JSON.stringify(await summaryOf(waits.id))).not.toContain('4711')
  expect(await seen()).toMatchObject({
    state: 'paused',
    pauses: [{ channel: 'sandbox', operator: operator.email, evidence: 'ticket 4711' }],
    waiting: [{ channel: 'sandbox', payouts: 1 }],
  })
  // Again, by somebody else: the first word stays.
  expect((await turn('pause', 'sandbox', stage.owner)).status).toBe(200)
  expect((await seen()).pauses).toMatchObject([{ operator: operator.email }])
  expect((await turn('resume', 'sandbox')).status).toBe(200)
  expect(await world.settle(waits.id)).toBe('completed')
  const records = await world.sql(`select operator, action from operator_actions where target = 'sandbox' order by at`)
  expect(records).toEqual([
    { operator: operator.email, action: 'pause payouts' },
    { operator: operator.email, action: 'resume payouts' },
  ])
})

test('all paused: what has been sent ends, payments come in, what waits can be cancelled; each pause goes by itself', async () => {
  const { world, merchant } = stage
  // Accepted, and done three seconds later by the provider's clock, which is moved.
  const open = await merchant.paid({ amount: 100.11 })
  await expect.poll(() => standing(open.id), WITHIN).toBe('accepted')
  await turn('pause', 'second')
  await turn('pause')
  await workersSee({ sandbox: 1, second: 1, wallet: 1 })
  const [one, two] = [await merchant.paid({ amount: 100 }), await merchant.paid({ amount: 100, channel: 'second' })]
  const due = await merchant.ask('POST', '/contracts/payment', { body: { amount: 100, currency: 'PHP' } })
  const { id: paymentId } = due.data['contract'] as { id: string }
  const begun = await merchant.ask('PUT', `/contracts/payment/${paymentId}/pay`, { body: { type: 'gcash', gcash: {} } })
  expect(begun.status).toBe(200)
  await control(world.sandboxUrl, 'POST', '/clock', { advance_seconds: 10 })
  expect(await world.settle(open.id)).toBe('completed')
  expect((await merchant.cancel(one.id)).status).toBe('cancelled')
  await turn('resume')
  expect((await seen()).pauses.map(({ channel }) => channel)).toEqual(['second'])
  await workersSee({ sandbox: 0, second: 1, wallet: 0 })
  const after = await merchant.paid({ amount: 100 })
  expect(await world.settle(after.id)).toBe('completed')
  expect(await standing(two.id)).toBe('queued')
  await turn('resume', 'second')
  expect(await world.settle(two.id)).toBe('completed')
  expect(await seen()).toMatchObject({ state: 'on', pauses: [] })
})

test('a start without payouts pauses them once, and one who may not write switches nothing', async () => {
  const { world, merchant, operator, approver, stranger } = stage
  await pauseAtStart(world.gateway.deps.reader)
  await pauseAtStart(world.gateway.deps.reader)
  expect((await seen()).pauses).toMatchObject([{ channel: null, operator: 'GATEWAY_PAYOUTS=off' }])
  expect(coded(await turn('resume', undefined, approver))).toEqual([403, 'scope_missing'])
  expect(coded(await turn('resume', undefined, stranger))).toEqual([403, 'scope_missing'])
  expect((await merchant.ask('PUT', '/operations/payouts/resume', { body: { evidence: 'mine' } })).status).toBe(401)
  expect(coded(await turn('pause', 'pigeon'))).toEqual([404, 'channel_not_found'])
  expect(coded(await turn('resume', 'pigeon'))).toEqual([404, 'channel_not_found'])
  expect((await operator.ask('PUT', '/operations/payouts/pause', { body: {} })).status).toBe(400)
  expect((await seen()).pauses).toHaveLength(1)
  await turn('resume')
  expect((await seen()).state).toBe('on')
})
