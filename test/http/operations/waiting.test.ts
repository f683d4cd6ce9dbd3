// What waits for an operator, of all accounts: unknown outcomes and money behind a frozen channel, oldest first; and the freezes.
import { afterAll, expect, test } from 'vitest'
import type { Reply } from '../../world.ts'
import { coded } from '../members/people.ts'
import { openStage, report, unknown } from './operations-stage.ts'

const stage = await openStage()
const { world, merchant, operator, approver, stranger } = stage
afterAll(async () => {
  await world.ledgerHolds()
  await stage.stop()
})

type Waiting = { contract_id: string; account_id: string; is_frozen: boolean; explanation: { waits_for: string } }
async function waiting(limit = 100): Promise<Waiting[]> {
  const found: Waiting[] = []
  let next: string | null = null
  do {
    const after: string = next === null ? '' : `&after=${next}`
    const { data }: Reply = await operator.ask('GET', `/operations/transfers?limit=${limit}${after}`)
    found.push(...(data['transfers'] as Waiting[]))
    next = data['next'] as string | null
  } while (next !== null)
  return found
}
const idsOf = (found: readonly Waiting[]) => found.map(({ contract_id: id }) => id)
const freeze = (channel: string, reason = 'the bank says that it pays twice') =>
  operator.ask('POST', '/operations/freezes', { body: { channel, reason } })
const acknowledge = (channel: string) =>
  operator.ask('DELETE', `/operations/freezes/${channel}`, { body: { evidence: 'ticket 4711' } })

test('unknown outcomes of all accounts, oldest first, a page at a time, until they are known', async () => {
  expect(await waiting()).toEqual([])
  const ids: string[] = []
  for (let count = 0; count < 5; count += 1) ids.push(await unknown(stage, 100))
  const found = await waiting()
  expect(idsOf(found)).toEqual(ids)
  expect(found[0]).toMatchObject({
    account_id: merchant.account.accountId,
    account_name: merchant.account.name,
    amount: 100,
    currency: 'PHP',
    channel: 'sandbox',
    is_frozen: false,
    can_be_resolved: true,
  })
  expect(idsOf(await waiting(2))).toEqual(ids)
  for (const id of ids) await report(stage, merchant, id, 'delivered')
  expect(await waiting()).toEqual([])
})

test('a frozen channel: what waits behind it is shown, and it goes on when somebody has looked', async () => {
  const { id } = await merchant.paid()
  expect(await waiting()).toEqual([])
  const made = await freeze('sandbox')
  expect(made.data['freeze']).toMatchObject({ channel: 'sandbox' })
  expect((made.data['freeze'] as { reason: string }).reason).toContain(operator.email)
  expect(coded(await freeze('sandbox'))).toEqual([409, 'channel_frozen'])
  const [only] = await waiting()
  expect(only).toMatchObject({ contract_id: id, is_frozen: true, can_be_resolved: false })
  expect(only?.explanation.waits_for).toBe('operator')
  const listed = await approver.ask('GET', '/operations/freezes')
  expect((listed.data['freezes'] as { channel: string }[]).map(({ channel }) => channel)).toEqual(['sandbox'])
  expect((await acknowledge('sandbox')).status).toBe(200)
  expect(coded(await acknowledge('sandbox'))).toEqual([404, 'channel_not_found'])
  expect(await waiting()).toEqual([])
  const records = await world.sql(`select operator, action from operator_actions where target = 'sandbox' order by at`)
  expect(records).toEqual([
    { operator: operator.email, action: 'freeze' },
    { operator: operator.email, action: 'acknowledge' },
  ])
})

test('a channel that contradicts itself: shown until somebody has understood it', async () => {
  const id = await unknown(stage, 100)
  const close = (by = operator) =>
    by.ask('PUT', `/operations/transfers/${id}/close`, { body: { evidence: 'the bank paid twice, ticket 4712' } })
  expect(coded(await close())).toEqual([404, 'review_not_found'])
  await report(stage, merchant, id, 'delivered')
  expect(await waiting()).toEqual([])
  await report(stage, merchant, id, 'failed', 1)
  const [only] = await waiting()
  expect(only).toMatchObject({ contract_id: id, is_contradicted: true, can_be_resolved: false })
  expect(only?.explanation.waits_for).toBe('operator')
  expect(coded(await close(approver))).toEqual([403, 'scope_missing'])
  expect((await close()).status).toBe(200)
  expect(coded(await close())).toEqual([404, 'review_not_found'])
  expect(await waiting()).toEqual([])
  const records = await world.sql('select operator, action from operator_actions where target = $1', [id])
  expect(records).toEqual([{ operator: operator.email, action: 'close review' }])
})

test('a freeze needs a channel, a reason, and somebody who may', async () => {
  expect(coded(await freeze('nowhere'))).toEqual([404, 'channel_not_found'])
  expect(coded(await freeze('sandbox', '  '))).toEqual([400, 'invalid_reason'])
  const body = { channel: 'sandbox', reason: 'because' }
  expect(coded(await approver.ask('POST', '/operations/freezes', { body }))).toEqual([403, 'scope_missing'])
  expect(coded(await stranger.ask('POST', '/operations/freezes', { body }))).toEqual([403, 'scope_missing'])
  const headers = { 'x-api-key': world.caller.apiKey }
  expect(coded(await world.ask('POST', '/operations/freezes', { headers, body }))).toEqual([401, 'session_required'])
  expect(coded(await operator.ask('GET', '/operations/transfers?after=1'))).toEqual([400, 'invalid_after'])
})
