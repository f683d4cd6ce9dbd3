// The switch of payouts and payers who would pay from a wallet: no money leaves by a payment either, whoever has the key, and what was
// under way in that moment is held or has gone, whole. A real pause, by a person, and real workers.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joined, type Person } from '../../members/people.ts'
import { contractIn, openPayStage, type PaymentBody, type Wire } from '../payments-stage.ts'

const stage = await openPayStage()
const { world, open, asPayer, get, until, choose } = stage
const { caller, other } = world

let operator: Person
beforeAll(async () => {
  await world.sql('update accounts set operates = true where account_id = $1', [caller.account.accountId])
  operator = await joined(world, caller, 'operator')
})
afterAll(() => stage.close())

const WITHIN = { timeout: 60_000, interval: 50 }
const codeOf = ({ body }: Wire) => (body['error'] as { code: string } | undefined)?.code

async function turn(to: 'pause' | 'resume', channel: string | null): Promise<void> {
  const body = { evidence: 'payments that nobody made, ticket 4711', ...(channel !== null && { channel }) }
  const { status, text } = await operator.ask('PUT', `/operations/payouts/${to}`, { body })
  if (status !== 200) throw new Error(`${to}: ${status} ${text}`)
}

/** Until this gateway has seen whether payouts of the channel between wallets are paused. */
async function seen(paused: 0 | 1): Promise<void> {
  const line = `gateway_payouts_paused{channel="wallet"} ${paused}`
  await expect.poll(async () => (await world.gateway.figures()).split('\n').includes(line), WITHIN).toBe(true)
}

async function pay(payment: PaymentBody): Promise<Wire> {
  const wallet = { wallet_id: (await other.wallet('PHP')).id }
  const body = { type: 'wallet', wallet }
  return asPayer(payment, 'PUT', `/contracts/payment/${payment.id}/pay`, body, { 'x-api-key': other.apiKey })
}

const transfersFor = async ({ id }: PaymentBody) =>
  (await other.ask('GET', `/contracts/transfer?reference_id=${id}`)).data['contracts']

test.each([null, 'wallet'])('with a pause of %s a wallet pays nothing, and after it pays', async (channel) => {
  const before = [await other.balance('PHP'), await caller.balance('PHP')] as const
  const opened = await open()
  await turn('pause', channel)
  await seen(1)
  const refused = await pay(opened)
  expect([refused.status, codeOf(refused)]).toEqual([503, 'channel_unavailable'])
  expect(refused.text).toContain('Payouts are paused')
  expect(await get(opened.id)).toMatchObject({ status: 'issued', amount_received: 0, attempts: [] })
  expect(await transfersFor(opened)).toEqual([])
  expect(await other.wallet('PHP')).toMatchObject({ available: before[0], held: 0, in_transit: 0 })
  // Money still comes in.
  expect(await choose(opened, { type: 'gcash' })).toMatchObject({ status: 'issued', attempts: [{ type: 'gcash' }] })
  await turn('resume', channel)
  await seen(0)
  expect((await pay(opened)).status).toBe(200)
  expect((await until(opened.id, ({ status }) => status === 'completed')).amount_received).toBe(100)
  expect([await other.balance('PHP'), await caller.balance('PHP')]).toEqual([before[0] - 100, before[1] + 100])
})

test('what is paid already is answered as it is, and a frozen channel is refused likewise', async () => {
  const [paid, opened] = [await open(), await open()]
  expect((await pay(paid)).status).toBe(200)
  await turn('pause', null)
  await seen(1)
  const again = await pay(paid)
  expect(contractIn({ ...again, data: again.body['data'] as Record<string, unknown> }).status).toBe('completed')
  await turn('resume', null)
  await seen(0)
  await operator.ask('POST', '/operations/freezes', { body: { channel: 'wallet', reason: 'ticket 4711' } })
  await expect.poll(() => world.gateway.deps.channels.isFrozen?.('wallet'), WITHIN).toBe(true)
  const refused = await pay(opened)
  expect([refused.status, codeOf(refused)]).toEqual([503, 'channel_unavailable'])
  expect((await get(opened.id)).attempts).toEqual([])
  await operator.ask('DELETE', '/operations/freezes/wallet', { body: { evidence: 'ticket 4711 is closed' } })
  await expect.poll(() => world.gateway.deps.channels.isFrozen?.('wallet'), WITHIN).toBe(false)
})

test('paused while payers pay: each has paid, or waits with all of it held, or was refused with none', async () => {
  for (let round = 0; round < 3; round++) {
    const before = [await other.balance('PHP'), await caller.balance('PHP')] as const
    const first = await tryFour()
    const paying = untilRefused()
    await turn('pause', null)
    const tried = [...first, ...(await paying)]
    const states = await Promise.all(tried.map(({ id }) => get(id)))
    const done = states.filter(({ status }) => status === 'completed').length
    const { available, held } = await other.wallet('PHP')
    expect([available + held, await caller.balance('PHP')]).toEqual([before[0] - 100 * done, before[1] + 100 * done])
    expect(new Set(tried.map(({ said }) => said))).toEqual(new Set(['taken', 'channel_unavailable']))
    await turn('resume', null)
    await seen(0)
    const taken = tried.filter(({ said }) => said === 'taken')
    await Promise.all(taken.map(({ id }) => until(id, ({ status }) => status === 'completed')))
    const rest = await Promise.all(tried.filter((each) => !taken.includes(each)).map(({ id }) => get(id)))
    expect(rest.map(({ status, attempts }) => [status, attempts])).toEqual(rest.map(() => ['issued', []]))
    expect([await other.balance('PHP'), (await other.wallet('PHP')).held, await caller.balance('PHP')]).toEqual([
      before[0] - 100 * taken.length,
      0,
      before[1] + 100 * taken.length,
    ])
  }
})

type Tried = { readonly id: string; readonly said: string }

/** Four payers at once. */
async function tryFour(): Promise<Tried[]> {
  const opened = await Promise.all(Array.from({ length: 4 }, () => open()))
  const replies = await Promise.all(opened.map(pay))
  return opened.map(({ id }, place) => ({ id, said: codeOf(replies[place] as Wire) ?? 'taken' }))
}

/** Four more, again and again, until one is refused. */
async function untilRefused(): Promise<Tried[]> {
  const tried: Tried[] = []
  while (tried.every(({ said }) => said === 'taken')) tried.push(...(await tryFour()))
  return tried
}
