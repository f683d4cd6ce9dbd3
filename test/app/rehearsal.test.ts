// What two accounts paid, rehearsed under a policy; and meters that are filled from what was paid before the policy held.
import { afterAll, expect, test } from 'vitest'
import { openBackfill } from '../../src/app/policies/history.ts'
import { activePoliciesOf, rehearse } from '../../src/app/policies/rehearsal.ts'
import type { Condition } from '../../src/domain/policy/condition.ts'
import type { Policy } from '../../src/domain/policy/policy.ts'
import { meterFrom, meterId, loadMeters } from '../../src/store/policies/meters.ts'
import { policyDocument } from '../../src/store/policies/policies.ts'
import { type Caller, openWorld } from '../world.ts'

// Nothing leaves meanwhile, so that what is cancelled comes back at once.
const world = await openWorld({ undoSeconds: 3600 })
afterAll(() => world.stop())
const { deps } = world.gateway

const DAILY: Condition = { field: 'sum', by: 'account', span: 'day', currency: 'PHP', aboveMinor: 250_00n }
const NEW_RECIPIENT: Condition = { field: 'recipient.new', withinDays: 3 }

function denies({ account }: Caller, ...when: Condition[]): Policy {
  const { lane, accountId } = account
  const owned = { lane, accountId, id: deps.newId(lane), livemode: false, status: 'active', version: 1 } as const
  const then = { kind: 'deny', words: 'That is all for today.' } as const
  const times = { createdAt: deps.nowMs(), updatedAt: deps.nowMs() }
  return { ...owned, ...times, name: 'Daily limit', description: null, priority: 100, when, then }
}

const keyOf = ({ account: { lane, accountId } }: Caller) => ({ lane, accountId })
const ASKED = { days: 30, after: null, limit: 100 }
const idsOf = (met: readonly { readonly transfer: { readonly id: string } }[]) => met.map(({ transfer }) => transfer.id)

/** 100 PHP four times, of which the second comes back. */
async function history(caller: Caller): Promise<string[]> {
  const first = await caller.paid()
  const undone = await caller.paid()
  await caller.cancel(undone.id)
  const third = await caller.paid()
  const last = await caller.paid()
  return [first, undone, third, last].map(({ id }) => id)
}

test('a rehearsal denies what would have gone beyond the limit, and sees one account alone', async () => {
  const [ana, ben] = [await world.newCaller(), await world.newCaller()]
  const [, , , last = ''] = await history(ana)
  await ben.paid()
  const found = await rehearse(deps, keyOf(ana), { ...ASKED, policies: [denies(ana, DAILY)] })
  expect(idsOf(found.met)).toEqual([last])
  const [php] = found.currencies
  expect(php).toMatchObject({ currency: 'PHP', paid: { count: 4, sumMinor: 400_00n } })
  expect(php?.denied).toEqual({ count: 1, sumMinor: 100_00n })
  expect(found.policies).toMatchObject([{ applied: 1, met: 1 }])
  const others = await rehearse(deps, keyOf(ben), { ...ASKED, policies: [denies(ben, DAILY)] })
  expect([others.met, others.currencies[0]?.paid.count]).toEqual([[], 1])
})

test('contracts are listed in pages', async () => {
  const caller = await world.newCaller()
  const ids = await history(caller)
  const policies = [denies(caller)]
  const page = await rehearse(deps, keyOf(caller), { ...ASKED, policies, limit: 3 })
  expect([idsOf(page.met), page.hasMore]).toEqual([ids.slice(0, 3), true])
  const rest = await rehearse(deps, keyOf(caller), { ...ASKED, policies, after: ids[2] ?? '' })
  expect([idsOf(rest.met), rest.hasMore]).toEqual([ids.slice(3), false])
})

test('a policy that comes into force counts what was paid before, and what is paid while it does', async () => {
  const caller = await world.newCaller()
  const other = await world.newCaller()
  await history(caller)
  const policy = denies(caller, DAILY)
  const backfill = await openBackfill(deps.reader, keyOf(caller), policy, deps.nowMs())
  const late = await caller.paid()
  expect(late.status).toBe('paid')
  const issued = await caller.issued()
  await deps.changes.serialSession.run((session) =>
    session.transaction(backfill.load, (loaded) => ({
      statements: [...backfill.statements(loaded, []), ...inForce(policy)],
      value: null,
    })),
  )
  expect(await metersOf(caller)).toEqual([[400_00n, 4]])
  expect(await activePoliciesOf(deps, keyOf(caller))).toMatchObject([{ id: policy.id, when: [DAILY] }])
  const refused = await caller.ask('PUT', `/contracts/transfer/${issued.id}/pay`)
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('That is all for today.')])
  expect((await other.paid()).status).toBe('paid')
})

test('what a policy in force counts already is left as it is', async () => {
  const caller = await world.newCaller()
  await history(caller)
  const backfill = await openBackfill(deps.reader, keyOf(caller), denies(caller, DAILY, NEW_RECIPIENT), deps.nowMs())
  expect(backfill.statements([], [])).toHaveLength(1)
  expect(backfill.statements([], [denies(caller, NEW_RECIPIENT), denies(caller, DAILY)])).toEqual([])
})

async function metersOf(caller: Caller) {
  const { lane, accountId } = caller.account
  const meter = meterId({ by: 'account', subject: '', currency: 'PHP', span: 'day' })
  const [found] = await deps.reader.send([loadMeters({ kind: 'one lane', lane }, [{ lane, accountId, meter }])])
  return (found?.rows ?? [])
    .map(meterFrom)
    .map(({ steps }) => [
      steps.reduce((sum, { sumMinor }) => sum + sumMinor, 0n),
      steps.reduce((sum, { count }) => sum + count, 0),
    ])
}

/** As the use case writes a policy. */
function inForce(policy: Policy) {
  const { lane, accountId, id } = policy
  const document = policyDocument(policy)
  return [
    {
      name: 'test_policy',
      text: `insert into policies (lane, account_id, id, version, status) values ($1, $2, $3, 1, 'active')`,
      values: [lane, accountId, id],
    },
    {
      name: 'test_policy_version',
      text: `insert into policy_versions (lane, account_id, policy_id, version, document) values ($1, $2, $3, 1, $4)`,
      values: [lane, accountId, id, document],
    },
    {
      name: 'test_policies_at',
      text: 'update accounts set policies_at = position where lane = $1 and account_id = $2',
      values: [lane, accountId],
    },
  ]
}
