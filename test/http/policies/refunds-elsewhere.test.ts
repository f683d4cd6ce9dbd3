// Money of a payment that goes to anybody but its payer is a transfer: every policy has its say about it, and it counts in every limit.
// What goes back to the payer is held up by none, and counts in none.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { diceOf } from '../../rig/dice.ts'
import { control } from '../../sandbox/rails.ts'
import { press } from '../../sandbox/payers.ts'
import type { Caller, Reply } from '../../world.ts'
import { joined } from '../members/people.ts'
import { openPayStage, type PaymentBody } from '../payments/payments-stage.ts'
import { DENY, policiesOf, told } from './policy-stage.ts'

const stage = await openPayStage()
const { world, open, choose, ends, until } = stage
const { caller } = world
afterAll(() => stage.close())
const mine = policiesOf(caller)
const { lane, accountId } = caller.account

const PAYER = { name: 'Ben Cruz', wallet: '000777666555', tag: 'BOPIPHMM' }
const back = { channel: 'instapay', recipient: PAYER }
let strangers = 0
/** To somebody whom nothing was paid to before. */
const elsewhere = () => {
  const wallet = `0001112${String(++strangers).padStart(5, '0')}`
  return { channel: 'instapay', recipient: { name: 'Mal Lory', wallet, tag: 'BOPIPHMM' } }
}

/** Paid by a QR code, by an account that the rail tells of. */
async function paid(amount = 1_000): Promise<PaymentBody> {
  const code = await choose(await open({ amount }), { type: 'qr' })
  await control(world.sandboxUrl, 'POST', '/qrph/pay', { code: code.next_action?.data, payer: PAYER })
  return ends(code.id, 'completed')
}

/** Paid with another amount than was asked for: PHP 101.64 wait for a person. */
async function stray(): Promise<PaymentBody> {
  const returnsAtOnce = (how: boolean) =>
    world.sql('update accounts set returns_at_once = $2 where account_id = $1', [accountId, how])
  await returnsAtOnce(false)
  try {
    const waiting = await choose(await open({ amount: 100.64, channel: 'gcash' }), { type: 'gcash' })
    await press(waiting.next_action?.url, 'pay')
    return await until(waiting.id, ({ amount_in_suspense: amount }) => amount > 0)
  } finally {
    await returnsAtOnce(true)
  }
}

const VERBS = { refund: { path: 'refunds', come: paid }, return: { path: 'returns', come: stray } } as const

type Sender = Pick<Caller, 'ask'>
const send = ({ id }: PaymentBody, verb: keyof typeof VERBS, body: object, by: Sender = caller): Promise<Reply> =>
  by.ask('POST', `/contracts/payment/${id}/${VERBS[verb].path}`, { body })
const refund = (payment: PaymentBody, body: object, by?: Sender) => send(payment, 'refund', body, by)

/** What the account’s policies have counted so far. */
const counted = () =>
  world.sql('select meter, steps from policy_meters where lane = $1 and account_id = $2 order by meter', [
    lane,
    accountId,
  ])
const pockets = async () => {
  const { available, pending } = (await caller.wallet('PHP')) as unknown as { available: number; pending: number }
  return { available, pending }
}

const inForce: string[] = []
/** In force until the test has ended, or archives it. */
async function rule(policy: object): Promise<string> {
  const { id } = await mine.make(policy)
  inForce.push(id)
  return id
}
afterEach(async () => {
  for (const id of inForce.splice(0)) await mine.archive(id)
})

const above = (field: object) => ({ name: 'Limit', when: [{ op: 'above', window: 'day', ...field }], then: DENY })
const sumAbove = (by: string, value: number) => above({ field: 'sum', by, value, currency: 'PHP' })

const POLICIES = {
  'denies all': [{ name: 'Nothing', then: DENY }, 403, 'policy_denied', null],
  'denies new recipients': [
    { name: 'New', when: [{ field: 'recipient.new', within_days: 3 }], then: DENY },
    403,
    'policy_denied',
    'recipient',
  ],
  'denies a bank abroad': [
    { name: 'Abroad', when: [{ field: 'recipient.country', op: 'in', values: ['SG'] }], then: DENY },
    403,
    'policy_denied',
    'recipient.country',
  ],
  'limits the sum of a day': [sumAbove('account', 50), 403, 'policy_denied', 'amount'],
  'wants approvals': [
    { name: 'Two see it', then: { kind: 'approvals', count: 2 } },
    409,
    'approval_required',
    'recipient',
  ],
  'wants a verification': [
    { name: 'Screened', then: { kind: 'verification', verification: 'list' } },
    409,
    'verification_required',
    'recipient',
  ],
} as const

test.each(
  Object.keys(POLICIES).flatMap((policy) =>
    (['refund', 'return'] as const).map((verb) => [policy as keyof typeof POLICIES, verb] as const),
  ),
)('a policy that %s holds for a %s elsewhere, and for none to the payer', async (kind, verb) => {
  const [policy, status, code, param] = POLICIES[kind]
  const payment = await VERBS[verb].come()
  const amount = verb === 'refund' ? { amount: 60 } : {}
  const { channel, recipient } = elsewhere()
  await rule(policy)
  const before = [await pockets(), await counted()]
  const refused = await send(payment, verb, { ...amount, channel, recipient: { ...recipient, country: 'sg' } })
  expect(told(refused)).toEqual([status, code, param])
  expect(refused.error.message).toContain(`“${policy.name}”`)
  expect([await pockets(), await counted()]).toEqual(before)
  expect((await stage.get(payment.id)).refunds).toEqual([])
  const known = await send(payment, verb, amount)
  expect(known.status, known.text).toBe(200)
  expect(await counted()).toEqual(before[1])
})

test('a return of what is not in suspense is refused as such, whatever place is named', async () => {
  await rule(POLICIES['denies all'][0])
  const payment = await paid()
  expect(told(await send(payment, 'return', elsewhere()))).toEqual([409, 'nothing_in_suspense', 'id'])
})

test('a return that failed goes to the same account once more, and to another one as policies allow it', async () => {
  const code = await choose(await open({ amount: 50 }), { type: 'qr' })
  const pay = { code: code.next_action?.data, payer: PAYER }
  await control(world.sandboxUrl, 'POST', '/qrph/pay', pay)
  await ends(code.id, 'completed')
  // Paid twice, what came last goes back by itself; the sandbox refuses amounts that end in .21.
  await control(world.sandboxUrl, 'POST', '/qrph/pay', { ...pay, amount: '40.21' })
  await until(code.id, ({ refunds, amount_in_suspense: left }) => refunds.at(-1)?.status === 'failed' && left === 40.21)
  await rule(POLICIES['wants approvals'][0])
  const refused = await send(code, 'return', elsewhere())
  expect(told(refused)).toEqual([409, 'approval_required', 'recipient'])
  expect(refused.error.message).toMatch(/give it back to its payer, or have the policy changed/)
  expect(told(await send(code, 'return', {}))[1]).toBe('refund_route_missing')
  const again = await send(code, 'return', back)
  expect(again.status, again.text).toBe(200)
})

test('what waits for nobody says how else it is done', async () => {
  const payment = await paid()
  await rule(POLICIES['wants approvals'][0])
  const unapproved = await refund(payment, { amount: 10, ...elsewhere() })
  expect(unapproved.error.message).toMatch(/2 approvals.*give it back to its payer.*POST \/contracts\/transfer/)
  expect((await refund(payment, { amount: 10, ...back })).status).toBe(200)
})

test('once a recipient is verified it goes, but not by whoever passed it', async () => {
  const { id: list } = (await mine.done('POST', '/verifiers', { kind: 'list', name: 'Not to be paid' })).data[
    'verifier'
  ] as { id: string }
  await mine.done('POST', `/verifiers/${list}/entries`, { entries: [{ name: 'Mal Lory' }] })
  await rule(POLICIES['wants a verification'][0])
  const payment = await paid()
  const place = elsewhere()
  const unverified = await refund(payment, { amount: 10, ...place })
  expect([unverified.status, unverified.error.message]).toEqual([409, expect.stringContaining('POST /verifications')])
  const asked = await mine.done('POST', '/verifications', { kind: 'list', ...place })
  const { id: verification } = asked.data['verification'] as { id: string }
  const standing = async () => {
    const { data } = await caller.ask('GET', `/verifications/${verification}`)
    return (data['verification'] as { status: string }).status
  }
  while ((await standing()) === 'pending') await sleep(20)
  expect(told(await refund(payment, { amount: 10, ...place }))[1]).toBe('verification_required')
  const [ana, ben] = [await joined(world, caller, 'owner'), await joined(world, caller, 'owner')]
  const passed = await ana.ask('PUT', `/verifications/${verification}/pass`, { body: { reason: 'Known.' } })
  expect(passed.status, passed.text).toBe(200)
  expect(told(await refund(payment, { amount: 10, ...place }, ana))[1]).toBe('verification_required')
  const sent = await refund(payment, { amount: 10, ...place }, ben)
  expect(sent.status, sent.text).toBe(200)
})

test('payments and refunds elsewhere share one limit; what came back, and ways back, are not in it', async () => {
  const dice = diceOf(20_261_130)
  const LIMIT = 500
  const place = elsewhere()
  const policy = await rule(sumAbove('recipient', LIMIT))
  const payment = await paid(20_000)
  const ways = { pay: 0, elsewhere: 0, back: 0, denied: 0 }
  const counting = new Set<string>()
  const last = async () => (await stage.get(payment.id)).refunds.at(-1)?.transfer_id ?? ''
  const ask = async (way: 'pay' | 'elsewhere' | 'back', amount: number): Promise<Reply> => {
    if (way !== 'pay') return refund(payment, { amount, ...(way === 'back' ? dice.pick([back, {}]) : place) })
    const { id } = await caller.issued({ amount, currency: 'PHP', ...place })
    const reply = await caller.ask('PUT', `/contracts/transfer/${id}/pay`, { body: {} })
    if (reply.status === 200) counting.add(id)
    return reply
  }
  let spent = 0
  for (let asked = 0; asked < 60; asked++) {
    const way = dice.pick(['pay', 'elsewhere', 'back'] as const)
    // The sandbox refuses amounts that end in .21: then all of it comes back.
    const amount = way === 'elsewhere' ? dice.pick([15, 40, 40.21]) : dice.pick([15, 40])
    const reply = await ask(way, amount)
    const isDenied = way !== 'back' && spent + amount > LIMIT
    expect([asked, reply.status, reply.text.includes('policy_denied')]).toEqual([asked, isDenied ? 403 : 200, isDenied])
    ways[isDenied ? 'denied' : way] += 1
    if (isDenied || way === 'back') continue
    if (way === 'elsewhere') counting.add(await last())
    if (amount === 40.21) await until(payment.id, ({ refunds }) => refunds.at(-1)?.status === 'failed')
    else spent += amount
  }
  expect(Math.min(...Object.values(ways))).toBeGreaterThan(2)
  // The history says the same to a policy that begins to count now, and to a rehearsal.
  await mine.archive(policy)
  await rule(sumAbove('recipient', spent + 15))
  expect((await refund(payment, { amount: 15.01, ...place })).status).toBe(403)
  expect((await refund(payment, { amount: 15, ...place })).status).toBe(200)
  counting.add(await last())
  const nothing = { name: 'Nothing', when: [{ field: 'channel', op: 'in', values: ['instapay'] }], then: DENY }
  const { data } = await mine.done('POST', '/policies/rehearse', { policy: nothing, alone: true, limit: 500 })
  const { contracts } = data['rehearsal'] as { contracts: { contract: string; recipient: string }[] }
  const met = contracts.map(({ contract }) => contract)
  expect(met).toEqual(expect.arrayContaining([...counting]))
  const backs = (await stage.get(payment.id)).refunds.filter(({ transfer_id: id }) => !counting.has(id))
  expect(backs.filter(({ transfer_id: id }) => met.includes(id))).toEqual([])
})

test('a return elsewhere counts with the refunds to the same recipient', async () => {
  const place = elsewhere()
  await rule(sumAbove('recipient', 150))
  const [first, payment] = [await stray(), await paid()]
  const returned = await send(first, 'return', place)
  expect(returned.status, returned.text).toBe(200)
  expect(told(await refund(payment, { amount: 48.37, ...place }))).toEqual([403, 'policy_denied', 'amount'])
  expect((await refund(payment, { amount: 48.36, ...place })).status).toBe(200)
})

test('of payments and refunds elsewhere at once as many pass as fit', async () => {
  const place = elsewhere()
  await rule(sumAbove('recipient', 100))
  const payment = await paid()
  const issued = await Promise.all(
    Array.from({ length: 10 }, () => caller.issued({ amount: 10, currency: 'PHP', ...place })),
  )
  const replies = await Promise.all(
    issued.flatMap(({ id }) => [
      caller.ask('PUT', `/contracts/transfer/${id}/pay`, { body: {} }),
      refund(payment, { amount: 10, ...place }),
    ]),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(10)
  expect((await refund(payment, { amount: 10, ...back })).status).toBe(200)
})

test('a limit for each key counts it for the key that asked; a recipient is one however the number is written', async () => {
  const [one, other] = [await world.withKey(caller, {}), await world.withKey(caller, {})]
  const policy = await rule(sumAbove('key', 50))
  const payment = await paid()
  const sends = async (by: Caller, amount: number) => (await refund(payment, { amount, ...elsewhere() }, by)).status
  expect([await sends(one, 40), await sends(other, 40.21), await sends(one, 11)]).toEqual([200, 200, 403])
  await until(payment.id, ({ refunds }) => refunds.at(-1)?.status === 'failed')
  expect([await sends(other, 50), await sends(other, 1), await sends(one, 10)]).toEqual([200, 403, 200])
  await mine.archive(policy)
  await rule(sumAbove('recipient', 50))
  const mobile = (number: string) => ({ channel: 'gcash', recipient: { name: 'Mal Lory', mobile: number } })
  expect((await refund(payment, { amount: 40, ...mobile('0917 555 0199') })).status).toBe(200)
  expect((await refund(payment, { amount: 40, ...mobile('+639175550199') })).status).toBe(403)
})

test('a delay holds it back, and until then it can be cancelled', async () => {
  await rule({ name: 'Later', then: { kind: 'delay', seconds: 3600 } })
  const payment = await paid()
  const before = await pockets()
  const late = await refund(payment, { amount: 60, ...elsewhere() })
  expect(late.status, late.text).toBe(200)
  const [waiting] = (await stage.get(payment.id)).refunds
  await mine.done('DELETE', `/contracts/transfer/${waiting?.transfer_id}`)
  expect((await until(payment.id, ({ refunds }) => refunds[0]?.status === 'failed')).amount_refunded).toBe(0)
  expect(await pockets()).toEqual(before)
  const now = await refund(payment, { amount: 60, ...back })
  expect(now.status, now.text).toBe(200)
  await until(payment.id, ({ refunds }) => refunds[1]?.status === 'done')
})
