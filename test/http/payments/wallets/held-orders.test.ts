// Whatever happens to a payment whose money is held, in whichever order: the money is in one place, nobody is told that the payer did not
// pay while it is held, and in the end the contract is paid, or the payer has all of it. What workers do is done step by step.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SHIPPED_CHANNELS } from '../../../../src/connectors/catalogue.ts'
import { openLog } from '../../../../src/platform/log.ts'
import { openScheduler } from '../../../../src/workers/scheduler.ts'
import { type Dice, diceOf, newSeed } from '../../../rig/dice.ts'
import { type Caller, openWorld } from '../../../world.ts'
import { policiesOf } from '../../policies/policy-stage.ts'
import { tokenOf, type PaymentBody } from '../payments-stage.ts'

const channels = SHIPPED_CHANNELS.filter(({ id }) => id === 'wallet' || id === 'gcash')
const world = await openWorld({ workers: 'resting', config: { channels, callTimeoutMs: 1000, leaseMs: 5000 } })
const { caller } = world
const { deps } = world.gateway
const scheduler = openScheduler({ ...deps, ...deps.payments, inFlightPerChannel: 8, log: openLog('fatal') })

let payer: Caller
beforeAll(async () => {
  payer = await world.newCaller({ lane: 7 })
  await policiesOf(payer).make({ name: 'Later', then: { kind: 'delay', seconds: 3600 } })
})
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

type Held = { readonly id: string; readonly token: string; readonly transferId: string; readonly done: string[] }

const STORIES = 24
const STEPS = 5

async function held(): Promise<Held> {
  const { data } = await caller.ask('POST', '/contracts/payment', { body: { amount: 100, currency: 'PHP' } })
  const payment = data['contract'] as PaymentBody
  const token = tokenOf(payment)
  const wallet = { wallet_id: (await payer.wallet('PHP')).id }
  const reply = await choose(payment.id, token, { type: 'wallet', wallet })
  if (reply.status !== 200) throw new Error(`not begun but ${reply.status}: ${reply.text}`)
  const found = await payer.ask('GET', `/contracts/transfer?reference_id=${payment.id}`)
  const [transfer] = found.data['contracts'] as { id: string }[]
  return { id: payment.id, token, transferId: transfer?.id ?? '', done: [] }
}

const choose = (id: string, token: string, body: unknown) =>
  world.ask('PUT', `/contracts/payment/${id}/pay`, {
    body,
    headers: { authorization: `Bearer ${token}`, 'x-api-key': payer.apiKey },
  })

const seen = async ({ id }: Held) =>
  (await caller.ask('GET', `/contracts/payment/${id}`)).data['contract'] as PaymentBody

/** Whatever is due of a contract is done, as if its time had come. */
async function work(contractId: string): Promise<void> {
  await world.sql('update jobs set due_at = now() where contract_id = $1 and due_at is not null', [contractId])
  await scheduler.round([caller.account.lane, payer.account.lane])
  await scheduler.settled()
}

const STEP: Readonly<Record<string, (held: Held) => Promise<unknown>>> = {
  'the payment is looked at': ({ id }) => work(id),
  'the transfer leaves': ({ transferId }) => work(transferId),
  'the payer cancels': ({ transferId }) => payer.ask('DELETE', `/contracts/transfer/${transferId}`),
  'the merchant cancels': ({ id }) => caller.ask('DELETE', `/contracts/payment/${id}`),
  'the payer chooses GCash': ({ id, token }) => choose(id, token, { type: 'gcash' }),
}

/** What the two have, wherever it is. */
async function money(): Promise<number> {
  const sums = await world.sql<{ minor: string }>(
    `select sum(available_minor + held_minor + in_transit_minor + pending_minor + suspense_minor)::text as minor from wallets
      where currency = 'PHP' and account_id = any($1)`,
    [[caller.account.accountId, payer.account.accountId]],
  )
  return Number(sums[0]?.minor)
}

test('in any order the money is in one place, and the word about it is true', { timeout: 300_000 }, async () => {
  const seed = newSeed()
  const before = await payer.balance('PHP')
  const total = await money()
  const stories = await Promise.all(Array.from({ length: STORIES }, held))
  const about = (held: Held) => `seed ${seed}: ${held.done.join(', ')}`
  for (const [place, story] of stories.entries()) {
    const dice = diceOf(seed).part(String(place))
    for (let step = 0; step < STEPS; step++) await goOn(story, dice)
    expect(await money(), about(story)).toBe(total)
  }
  for (const { transferId, id } of stories) for (const each of [transferId, id, transferId, id]) await work(each)
  const paid = (await Promise.all(stories.map(ended))).filter((each) => each === 'completed').length
  const { available, held: stillHeld } = await payer.wallet('PHP')
  expect([available, stillHeld], `seed ${seed}`).toEqual([before - 100 * paid, 0])
  expect(await money()).toBe(total)

  async function goOn(story: Held, dice: Dice): Promise<void> {
    const name = dice.pick(Object.keys(STEP))
    story.done.push(name)
    await STEP[name]?.(story)
    const [{ activities }, { status }] = [await seen(story), await payer.get(story.transferId)]
    const isHeld = status === 'paid'
    const failed = activities.filter(({ type }) => type === 'attempt_failed').length
    expect(isHeld && failed > 0, about(story)).toBe(false)
  }

  /** The transfer as it ended: where its money went, the contract is paid by it, and by nothing else. */
  async function ended(story: Held): Promise<string> {
    const [{ status, amount_received: received }, transfer] = [await seen(story), await payer.get(story.transferId)]
    expect(['completed', 'cancelled'], about(story)).toContain(transfer.status)
    expect([status === 'completed', received], about(story)).toEqual(
      transfer.status === 'completed' ? [true, 100] : [false, 0],
    )
    return transfer.status
  }
})
