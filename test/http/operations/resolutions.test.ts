// How people resolve an outcome over HTTP: alone up to a limit, by two above it, once, and by nobody else.
import { afterAll, expect, test } from 'vitest'
import type { Reply } from '../../world.ts'
import { coded, joined, type Person } from '../members/people.ts'
import { openStage, report, unknown } from './operations-stage.ts'

const stage = await openStage()
const { world, merchant, operator, approver, owner, stranger } = stage
afterAll(async () => {
  await world.ledgerHolds()
  await stage.stop()
})

type Resolution = { id: string; status: string; contract_id: string; decided_by: { email: string } | null }
const EVIDENCE = 'letter of the bank, ticket 4711'
const propose = (by: Person, contract_id: string, as = 'delivered') =>
  by.ask('POST', '/operations/resolutions', { body: { contract_id, as, evidence: EVIDENCE } })
const resolutionOf = ({ data }: Reply) => data['resolution'] as Resolution
const approve = (by: Person, id: string) => by.ask('PUT', `/operations/resolutions/${id}/approve`)
const reject = (by: Person, id: string, reason = 'not what the bank says') =>
  by.ask('PUT', `/operations/resolutions/${id}/reject`, { body: { reason } })
const waiting = async (amount = 50_001) => {
  const contractId = await unknown(stage, amount)
  return { contractId, ...resolutionOf(await propose(operator, contractId)) }
}
const statusOf = async (id: string) => (await merchant.get(id)).status
const actionsOn = (target: string) =>
  world.sql('select operator, approved_by, action, evidence from operator_actions where target = $1', [target])

test('up to the limit one person is enough, and is named in history and records', async () => {
  const id = await unknown(stage, 50_000)
  const reply = await propose(operator, id)
  expect(resolutionOf(reply)).toMatchObject({ status: 'applied', amount: 50_000, decided_by: null })
  expect(await statusOf(id)).toBe('completed')
  const line = (await merchant.get(id)).activities.find(({ type }) => type === 'resolved')
  expect(line?.resource.data).toEqual({ as: 'delivered', evidence: EVIDENCE, operator: operator.email })
  expect(await actionsOn(id)).toEqual([
    { operator: operator.email, approved_by: null, action: 'resolve as delivered', evidence: EVIDENCE },
  ])
})

test('above it a second person confirms, and both are named', async () => {
  const { id, status, contractId } = await waiting()
  expect(status).toBe('waiting')
  expect(await statusOf(contractId)).toBe('paid')
  const reply = await approve(approver, id)
  expect(resolutionOf(reply)).toMatchObject({ status: 'applied', decided_by: { email: approver.email } })
  expect(await statusOf(contractId)).toBe('completed')
  const line = (await merchant.get(contractId)).activities.find(({ type }) => type === 'resolved')
  expect(line?.resource.data).toMatchObject({ operator: operator.email, approved_by: approver.email })
  expect(await actionsOn(contractId)).toMatchObject([{ operator: operator.email, approved_by: approver.email }])
  expect(coded(await approve(owner, id))).toEqual([409, 'resolution_not_waiting'])
  expect(coded(await reject(owner, id))).toEqual([409, 'resolution_not_waiting'])
})

test('a currency without a limit always needs two', async () => {
  const id = await unknown(stage, 1, 'USD')
  expect(resolutionOf(await propose(operator, id)).status).toBe('waiting')
})

test('nobody confirms what they proposed, under whichever account', async () => {
  const contractId = await unknown(stage, 60_000)
  const { id } = resolutionOf(await propose(owner, contractId))
  expect(coded(await approve(owner, id))).toEqual([403, 'second_person_required'])
  const sister = await world.newCaller()
  await world.sql('update accounts set operates = true where account_id = $1', [sister.account.accountId])
  const sameOwner = await joined(world, sister, 'owner', owner.email)
  expect(coded(await approve(sameOwner, id))).toEqual([403, 'second_person_required'])
  expect(await statusOf(contractId)).toBe('paid')
  expect(resolutionOf(await reject(owner, id)).status).toBe('rejected')
  expect(await statusOf(contractId)).toBe('paid')
})

test('a role does its own half alone; strangers, keys and nobody do none', async () => {
  const { id, contractId } = await waiting()
  expect(coded(await approve(operator, id))).toEqual([403, 'scope_missing'])
  expect(coded(await propose(approver, contractId))).toEqual([403, 'scope_missing'])
  const viewer = await joined(world, world.caller, 'viewer')
  for (const each of [viewer, stranger]) {
    expect(coded(await approve(each, id))).toEqual([403, 'scope_missing'])
    expect(coded(await reject(each, id))).toEqual([403, 'scope_missing'])
    expect(coded(await propose(each, contractId))).toEqual([403, 'scope_missing'])
    expect(coded(await each.ask('GET', '/operations/resolutions'))).toEqual([403, 'scope_missing'])
    expect(coded(await each.ask('GET', `/operations/resolutions/${id}`))).toEqual([403, 'scope_missing'])
    expect(coded(await each.ask('GET', '/operations/transfers'))).toEqual([403, 'scope_missing'])
  }
  for (const headers of [{}, { 'x-api-key': world.caller.apiKey }])
    expect(coded(await world.ask('GET', '/operations/transfers', { headers }))).toEqual([401, 'session_required'])
  expect(await statusOf(contractId)).toBe('paid')
})

test('a second proposal waits for the first; what is no open transfer is refused', async () => {
  const { contractId } = await waiting()
  expect(coded(await propose(owner, contractId))).toEqual([409, 'resolution_exists'])
  expect(coded(await propose(operator, (await merchant.draft()).id))).toEqual([409, 'transfer_not_open'])
  const absent = '01890000-0000-7000-8000-000000000001'
  expect(coded(await propose(operator, absent))).toEqual([404, 'contract_not_found'])
  expect(coded(await approve(approver, absent))).toEqual([404, 'resolution_not_found'])
  expect(coded(await approve(approver, 'nonsense'))).toEqual([404, 'resolution_not_found'])
  for (const evidence of ['', '   ', 'x'.repeat(2001), 7])
    expect(
      (
        await operator.ask('POST', '/operations/resolutions', {
          body: { contract_id: contractId, as: 'failed', evidence },
        })
      ).status,
    ).toBe(400)
})

test('what the channel says meanwhile wins: the proposal is overtaken', async () => {
  for (const said of ['failed', 'accepted'] as const) {
    const { id, contractId } = await waiting()
    await report(stage, merchant, contractId, said)
    const before = await statusOf(contractId)
    expect(coded(await approve(approver, id))).toEqual([409, 'resolution_overtaken'])
    expect(await statusOf(contractId)).toBe(before)
    expect(await actionsOn(contractId)).toEqual([])
  }
})

test('after 72 hours it has expired', async () => {
  const { id, contractId } = await waiting()
  await world.sql(`update resolutions set expires_at = now() - interval '1 second' where id = $1`, [id])
  expect(coded(await approve(approver, id))).toEqual([409, 'resolution_not_waiting'])
  const listed = await operator.ask('GET', '/operations/resolutions?status=expired')
  expect((listed.data['resolutions'] as Resolution[]).map((each) => [each.id, each.status])).toEqual([[id, 'expired']])
  // And another one can be proposed.
  expect(resolutionOf(await propose(operator, contractId)).status).toBe('waiting')
})

test('whoever loses the role, the session or the account’s trust a moment before does nothing', async () => {
  const { id, contractId } = await waiting()
  const leaving = await joined(world, world.caller, 'approver')
  expect((await leaving.ask('GET', '/operations/transfers')).status).toBe(200)
  await world.sql(`update members set role = 'viewer' where id = $1`, [leaving.id])
  expect(coded(await approve(leaving, id))).toEqual([403, 'scope_missing'])
  await world.sql(`update members set role = 'approver' where id = $1`, [leaving.id])
  await world.sql('update accounts set operates = false where account_id = $1', [world.caller.account.accountId])
  expect(coded(await approve(leaving, id))).toEqual([403, 'scope_missing'])
  await world.sql('update accounts set operates = true where account_id = $1', [world.caller.account.accountId])
  await world.sql(`update api_keys set revoked_at = now() where member_id = $1`, [leaving.id])
  expect(coded(await approve(leaving, id))).toEqual([401, 'invalid_session'])
  expect(await statusOf(contractId)).toBe('paid')
})

test('pages of resolutions, newest first, hold each once', async () => {
  const seen: string[] = []
  let next: string | null = null
  do {
    const after: string = next === null ? '' : `&after=${next}`
    const { data }: Reply = await operator.ask('GET', `/operations/resolutions?limit=2${after}`)
    seen.push(...(data['resolutions'] as Resolution[]).map(({ id }) => id))
    next = data['next'] as string | null
  } while (next !== null)
  const all = await world.sql<{ id: string }>('select id from resolutions order by id desc')
  expect(seen).toEqual(all.map(({ id }) => id))
  expect(coded(await operator.ask('GET', '/operations/resolutions?after=x'))).toEqual([400, 'invalid_after'])
})
