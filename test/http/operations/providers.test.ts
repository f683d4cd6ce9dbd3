// What providers said, over HTTP: events that no contract fits are taken in again, and a day's statement is held against the books.
import { afterAll, expect, test } from 'vitest'
import type { Reply } from '../../world.ts'
import { coded } from '../members/people.ts'
import { openStage } from './operations-stage.ts'

const stage = await openStage()
const { world, merchant, operator, approver } = stage
afterAll(async () => {
  await world.ledgerHolds()
  await stage.stop()
})

type Event = { id: string; account_id: string; status: string; reason: string | null; contract_id: string | null }
const event = (id: string, minutes: number, account = merchant.account) =>
  world.sql(
    `insert into payment_events (lane, account_id, id, type, at, body, status, reason)
     values ($1, $2, $3, 'payment.succeeded', now() - make_interval(mins => $4), $5, 'needs_review', 'no contract fits it')`,
    [account.lane, account.accountId, id, minutes, JSON.stringify({ id, type: 'payment.succeeded', data: {} })],
  )

async function events(limit = 100): Promise<Event[]> {
  const found: Event[] = []
  let next: string | null = null
  do {
    const after: string = next === null ? '' : `&after=${next}`
    const { data }: Reply = await operator.ask('GET', `/operations/payment-events?limit=${limit}${after}`)
    found.push(...(data['events'] as Event[]))
    next = data['next'] as string | null
  } while (next !== null)
  return found
}

test('events of all accounts that wait, newest first, a page at a time', async () => {
  expect(await events()).toEqual([])
  for (const [place, id] of ['a', 'b', 'c', 'd'].entries()) await event(`evt-${id}`, place)
  await event('evt-e', 9, world.other.account)
  const found = await events()
  expect(found.map(({ id }) => id)).toEqual(['evt-a', 'evt-b', 'evt-c', 'evt-d', 'evt-e'])
  expect(found.at(-1)).toMatchObject({ account_id: world.other.account.accountId, reason: 'no contract fits it' })
  expect((await events(2)).map(({ id }) => id)).toEqual(found.map(({ id }) => id))
  expect(coded(await operator.ask('GET', '/operations/payment-events?after=1'))).toEqual([400, 'invalid_after'])
})

test('one is taken by somebody who may, of the account that is named, and with evidence', async () => {
  const take = (id: string, body: object, by = operator) =>
    by.ask('PUT', `/operations/payment-events/${id}/take`, { body })
  const { accountId } = merchant.account
  const deed = { account_id: accountId, evidence: 'statement of the provider, line 7' }
  expect(coded(await take('evt-x', deed))).toEqual([404, 'event_not_found'])
  expect(coded(await take('evt-e', deed))).toEqual([404, 'event_not_found'])
  const contract_id = (await merchant.draft()).id
  expect(coded(await take('evt-a', { ...deed, contract_id }))).toEqual([404, 'contract_not_found'])
  expect(coded(await take('evt-a', { account_id: accountId }))).toEqual([400, 'missing_evidence'])
  expect(coded(await take('evt-a', deed, approver))).toEqual([403, 'scope_missing'])
  const reply = await take('evt-a', deed)
  expect(reply.data).toMatchObject({ id: 'evt-a', contract_id: null })
  const [record] = await world.sql(`select operator, evidence from operator_actions where target = 'evt-a'`)
  expect(record).toEqual({ operator: operator.email, evidence: deed.evidence })
})

type Reconciliation = {
  id: string
  channel: string
  fits: boolean
  findings: { kind: string; amount: string | null }[]
}
const reconcile = (channel: string, day?: string) =>
  operator.ask('POST', '/operations/reconciliations', { body: { channel, ...(day && { day }) } })
const oneOf = ({ data }: Reply) => data['reconciliation'] as Reconciliation

test('a day of a channel is compared, kept, listed and read line by line', async () => {
  const made = oneOf(await reconcile('instapay'))
  expect(made).toMatchObject({ channel: 'instapay', fits: true, findings: [] })
  expect(oneOf(await approver.ask('GET', `/operations/reconciliations/${made.id}`))).toEqual(made)
  const findings = JSON.stringify([
    {
      kind: 'extra',
      line: 'sent',
      reference: 'theirs',
      contractId: null,
      amountDecimal: '12.50',
      currency: 'PHP',
      why: 'not ours',
      acknowledged: false,
    },
    { kind: 'mended', reference: 'ours' },
  ])
  const id = '7fffffff-0000-7000-8000-000000000001'
  await world.sql(
    `insert into reconciliations (id, channel_id, day, matched, findings) values ($1, 'maya', '2026-03-01', 3, $2)`,
    [id, findings],
  )
  const { data } = await operator.ask('GET', '/operations/reconciliations?limit=1')
  const [newest] = data['reconciliations'] as Reconciliation[]
  expect(newest).toMatchObject({ id, fits: false, findings: [{ kind: 'extra', amount: '12.50' }, { kind: 'mended' }] })
  expect(data['next']).toBe(id)
  const ofInstapay = await operator.ask('GET', '/operations/reconciliations?channel=instapay')
  expect((ofInstapay.data['reconciliations'] as Reconciliation[]).map((each) => each.id)).toEqual([made.id])
})

test('what cannot be compared is said', async () => {
  expect(coded(await reconcile('nowhere'))).toEqual([404, 'channel_not_found'])
  expect(coded(await reconcile('sandbox'))).toEqual([400, 'invalid_channel'])
  expect(coded(await reconcile('instapay', '2099-01-01'))).toEqual([400, 'invalid_day'])
  expect(coded(await reconcile('instapay', 'yesterday'))).toEqual([400, 'invalid_day'])
  const absent = '01890000-0000-7000-8000-000000000001'
  for (const id of [absent, 'x'])
    expect(coded(await operator.ask('GET', `/operations/reconciliations/${id}`))).toEqual([
      404,
      'reconciliation_not_found',
    ])
})
