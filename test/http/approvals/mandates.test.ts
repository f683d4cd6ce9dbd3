// Mandates that ask for approvals: what a key pays alone, what waits for a member, who that is, and what nobody approves. An account
// without policies is asked as one with them is.
import { afterAll, expect, test } from 'vitest'
import { callerOf } from '../../world-caller.ts'
import { type Caller, openWorld, type Reply } from '../../world.ts'
import { type Fields, holderIn, keyIn, make, type Made } from '../accounts/key-stage.ts'
import { coded, joined, type Person } from '../members/people.ts'
import { asks } from './policies.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

const account = await world.newCaller({ funds: { PHP: 1_000_000_00n } })
const owner = await joined(world, account, 'owner')
const approver = await joined(world, account, 'approver')
const stranger = await joined(world, world.other, 'owner')
const holder = holderIn(world)

const SCOPES = ['contracts:read', 'contracts:write', 'transfers:issue', 'transfers:pay', 'transfers:cancel']
const mandateOf = (above: number | null, total = 100_000) => ({
  limits: [{ currency: 'PHP', total, approval_above: above }],
})
/** A key that the owner made: they stand behind it. */
const agent = (above: number | null, more: Fields = {}) =>
  make(owner, { name: 'Agent', scopes: SCOPES, mandate: mandateOf(above), ...more })
const url = (id: string, verb: string) => `/contracts/transfer/${id}/${verb}`
const pay = (made: Made, id: string) => holder(made).ask('PUT', url(id, 'pay'))

type Shown = {
  id: string
  status: string
  approval: { status: string; terms_hash: string; who: string; required: object[] } | null
}
const shown = ({ data }: Reply) => data['contract'] as Shown
const look = async (id: string, caller: Caller = account) => shown(await caller.ask('GET', `/contracts/transfer/${id}`))
const approve = (by: Person, { id, approval }: Shown) =>
  by.ask('PUT', url(id, 'approve'), { body: { terms_hash: approval?.terms_hash } })
const BODY = { currency: 'PHP', channel: 'sandbox', recipient: { name: 'Ana', wallet: '000123456789' } }

/** Made and issued by the key itself. */
async function issuedBy(made: Made, amount: number): Promise<Shown> {
  const drafted = await holder(made).ask('POST', '/contracts/transfer', { body: { ...BODY, amount } })
  const issued = await holder(made).ask('PUT', url(shown(drafted).id, 'issue'))
  if (issued.status !== 200) throw new Error(issued.text)
  return look(shown(issued).id)
}

test('up to the mark, fee included, the key pays alone; a centavo above it a member is asked, and then it pays', async () => {
  const made = await agent(110.5)
  const small = await issuedBy(made, 100)
  expect([small.approval, (await pay(made, small.id)).status]).toEqual([null, 200])
  const large = await issuedBy(made, 100.01)
  expect(large.approval).toMatchObject({
    status: 'waiting',
    required: [{ policy: null, mandate: { key: made.key.id, name: 'Agent' }, count: 1, role: null, given: 0 }],
    who: '1 more member who may approve and did not make it (mandate of the API key “Agent”).',
  })
  const refused = await pay(made, large.id)
  expect(coded(refused)).toEqual([409, 'approval_required'])
  expect(refused.error.message).toContain('(mandate of the API key “Agent”)')
  const [queued] = (await approver.ask('GET', '/approvals?status=waiting&mine=true')).data['approvals'] as Fields[]
  expect(queued).toMatchObject({ contract: { id: large.id }, asked_by: { id: made.key.id }, policies: [], lacking: 1 })
  const explained = await account.ask('GET', `/contracts/transfer/${large.id}/explain`)
  expect(JSON.stringify(explained.data)).toContain('The mandate of the API key “Agent” asks for a member')
  expect((await approve(approver, large)).status).toBe(200)
  expect(shown(await pay(made, large.id)).status).toBe('paid')
  const rolled = await owner.ask('POST', `/keys/${made.key.id}/roll`, { body: {} })
  expect(keyIn(rolled)).toMatchObject({ mandate: { limits: [{ approval_above: 110.5 }] } })
})

test('who made the key does not approve what it made; neither does a key, nor somebody of elsewhere; nor other terms', async () => {
  const made = await agent(0)
  const [one, other] = [await issuedBy(made, 10), await issuedBy(made, 20)]
  expect(coded(await approve(owner, one))).toEqual([403, 'approver_is_maker'])
  expect(coded(await approve(stranger, one))).toEqual([404, 'contract_not_found'])
  expect(coded(await approve(approver, { ...one, approval: other.approval }))).toEqual([409, 'terms_changed'])
  const byKey = await holder(made).ask('PUT', url(one.id, 'approve'), {
    body: { terms_hash: one.approval?.terms_hash },
  })
  expect(coded(byKey)).toEqual([401, 'session_required'])
  expect((await approve(approver, other)).status).toBe(200)
  // What was approved is that contract and no other.
  expect(coded(await pay(made, one.id))).toEqual([409, 'approval_required'])
  expect((await pay(made, other.id)).status).toBe(200)
})

test('what the mandate does not let leave at all, nobody is asked to approve', async () => {
  const made = await agent(50, { mandate: mandateOf(50, 100) })
  const beyond = await issuedBy(made, 500)
  expect(beyond.approval).toBeNull()
  expect(coded(await pay(made, beyond.id))).toEqual([403, 'mandate_exceeded'])
})

test('a mark that is lowered later holds for what was issued before; a key without one, and a member, are not asked', async () => {
  const made = await agent(null)
  const issued = await issuedBy(made, 100)
  const path = `/keys/${made.key.id}`
  expect((await owner.ask('PATCH', path, { body: { mandate: mandateOf(100) } })).status).toBe(200)
  expect(coded(await pay(made, issued.id))).toEqual([409, 'approval_required'])
  expect((await look(issued.id)).approval).toMatchObject({ status: 'waiting' })
  expect(coded(await holder(made).ask('PATCH', path, { body: { mandate: mandateOf(null) } }))).toEqual([
    403,
    'scope_missing',
  ])
  expect((await account.ask('PUT', url(issued.id, 'pay'))).status).toBe(200)
})

test('an account with policies asks for both, and one member counts for both', async () => {
  const house = await world.newCaller({ funds: { PHP: 1_000_000_00n } })
  await asks(world, house, [{ count: 1, role: null }])
  const made = await make(house, { name: 'Agent', scopes: SCOPES, mandate: mandateOf(100) })
  const member = await joined(world, house, 'approver')
  const { id } = await house.issued({ amount: 5000 })
  expect(coded(await pay(made, id))).toEqual([409, 'approval_required'])
  const asked = await look(id, house)
  expect(asked.approval?.required).toMatchObject([
    { policy: { name: 'Large transfers 1' }, mandate: null },
    { policy: null, mandate: { name: 'Agent' } },
  ])
  expect((await approve(member, asked)).status).toBe(200)
  expect((await pay(made, id)).status).toBe(200)
})

test('what a member approved who was removed since is lacking when it is paid', async () => {
  const made = await agent(0)
  const leaving = await joined(world, account, 'approver')
  const issued = await issuedBy(made, 10)
  expect((await approve(leaving, issued)).status).toBe(200)
  expect((await owner.ask('DELETE', `/members/${leaving.id}`)).status).toBe(200)
  expect(coded(await pay(made, issued.id))).toEqual([409, 'approval_required'])
})

test('a trial says what the mandate asks, of the key that is named', async () => {
  const made = await agent(100)
  const trial = async (key: string | undefined, amount: number) => {
    const body = { draft: { ...BODY, amount }, ...(key && { key }) }
    const { data } = await account.ask('POST', '/policies/evaluate', { body })
    return data['evaluation'] as { decision: string; approvals: object[] }
  }
  expect(await trial(made.key.id, 100)).toMatchObject({
    decision: 'needs',
    approvals: [{ policy: null, mandate: { key: made.key.id }, count: 1, given: 0 }],
  })
  expect(await trial(made.key.id, 80)).toMatchObject({ decision: 'allowed', approvals: [] })
  expect(await trial(undefined, 100)).toMatchObject({ decision: 'allowed', approvals: [] })
})

test('200 pays at once over two gateways: what was not approved stays, what is small or approved never passes the total', async () => {
  const second = await world.beside()
  const made = await agent(200, { mandate: mandateOf(200, 10_000) })
  const amounts = Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? 100 : 300))
  const issued: Shown[] = []
  for (const amount of amounts) issued.push(await issuedBy(made, amount))
  const approved = issued.filter(({ approval }) => approval !== null).slice(0, 40)
  for (const each of approved) expect((await approve(approver, each)).status).toBe(200)
  const doors = [holder(made), callerOf(second, account.account, { keyId: made.key.id, text: made.apiKey })]
  const replies = await Promise.all(
    issued.map(({ id }, i) => (doors[i % 2] as Pick<Caller, 'ask'>).ask('PUT', url(id, 'pay'))),
  )
  const paid = new Set(replies.flatMap((reply) => (reply.status === 200 ? [shown(reply).id] : [])))
  const waiting = issued.filter((each) => each.approval !== null && !approved.includes(each))
  expect(waiting.filter(({ id }) => paid.has(id))).toEqual([])
  for (const reply of replies.filter(({ status }) => status !== 200))
    expect(['approval_required', 'mandate_exceeded']).toContain(reply.error.code)
  const { mandate } = keyIn(await holder(made).ask('GET', '/keys/current')) as unknown as {
    mandate: { limits: { spent: number; remaining: number; transfers: number }[] }
  }
  const [limit] = mandate.limits
  expect(limit?.transfers).toBe(paid.size)
  expect(limit?.spent).toBeLessThanOrEqual(10_000)
  // What is left is less than the smallest of them takes.
  expect(limit?.remaining).toBeLessThan(110.5)
  await second.stop()
}, 180_000)
