// What an operator says about a transfer: decided under the account's lock, kept with its evidence in the same
// transaction, and one story whatever the rail says at the same moment.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContractResult } from '../../src/engine/command-request.ts'
import { resolveTransfer, settleAccount } from '../../src/app/operator/operator-actions.ts'
import type { Command } from '../../src/domain/contract/command.ts'
import type { Outcome } from '../../src/domain/channel/outcome.ts'
import { isRefusal, type Refusal } from '../../src/domain/contract/refusals.ts'
import { openKeyedSession, openPlannedSession } from '../../src/main/database/database.ts'
import type { Session } from '../../src/platform/db.ts'
import { type Caller, openWorld, type World } from '../world.ts'

const CONNECTOR = { notFoundFinalAfterMs: 1000, dedupeLifetimeMs: null, inquiry: true }
const DEED = { operator: 'Ana', evidence: 'letter of the bank, ticket 4711' }

let world: World
let reader: Session
let writer: Session
beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  reader = openPlannedSession(world.operators)
  // A connection of the operator's own beside the gateway's.
  writer = openKeyedSession(world.operators)
})
afterAll(async () => {
  await world.ledgerHolds()
  await Promise.all([reader.close(), writer.close()])
  await world.stop()
})

function deps() {
  const { channels, nowMs, randomHex } = world.gateway.deps
  return { reader, writer, channels, ids: { nowMs, randomHex } }
}
const resolve = (id: string, as: 'delivered' | 'failed', deed = DEED) => resolveTransfer(deps(), id, as, deed)
const codeOf = (answer: ContractResult | Refusal) => (isRefusal(answer) ? answer.code : answer.contract.status)

function command(caller: Caller, asked: Command): Promise<unknown> {
  const { lane, accountId } = caller.account
  return world.gateway.deps.execute({ lane, accountId, keyId: null, idempotency: null, command: asked })
}

const word = (caller: Caller, id: string, kind: Outcome['kind'], fence: number | null = 1) => {
  const outcome = { kind, reason: 'r', code: 'c', message: 'm', providerId: null } as Outcome
  return command(caller, { verb: 'report', id, number: 1, channelId: 'sandbox', fence, outcome, connector: CONNECTOR })
}

/** A paid contract that was sent, and what the rail has said of it so far. */
async function sent(caller: Caller, ...said: Outcome['kind'][]): Promise<string> {
  const { id } = await caller.paid()
  await command(caller, { verb: 'submit', id, leaseMs: 60_000, connector: CONNECTOR })
  for (const kind of said) await word(caller, id, kind)
  return id
}

const actionsOn = (target: string) =>
  world.sql('select operator, action, evidence from operator_actions where target = $1 order by at', [target])
const trailOf = async (caller: Caller, id: string) => (await caller.get(id)).activities.map(({ type }) => type)

describe('resolved', () => {
  test.each<[said: Outcome['kind'], as: 'delivered' | 'failed', ends: string, trail: string[]]>([
    ['unknown', 'delivered', 'completed', ['transfer_unknown', 'resolved', 'completed']],
    ['accepted', 'delivered', 'completed', ['transfer_accepted', 'resolved', 'completed']],
    ['unknown', 'failed', 'cancelled', ['transfer_unknown', 'resolved', 'transfer_failed', 'refunded', 'cancelled']],
    ['accepted', 'failed', 'cancelled', ['transfer_accepted', 'resolved', 'transfer_failed', 'refunded', 'cancelled']],
  ])('%s as %s, it is %s, once, with the evidence on the record', async (said, as, ends, trail) => {
    const { caller } = world
    const id = await sent(caller, said)
    expect(codeOf(await resolve(id, as))).toBe(ends)
    const { activities } = await caller.get(id)
    expect(activities.map(({ type }) => type).slice(4)).toEqual(trail)
    const line = activities.find(({ type }) => type === 'resolved')
    expect(line?.resource.data).toEqual({ as, ...DEED })
    expect(await actionsOn(id)).toEqual([{ ...DEED, action: `resolve as ${as}` }])
    for (const again of ['delivered', 'failed'] as const)
      expect(codeOf(await resolve(id, again))).toBe('transfer_not_open')
    expect(await actionsOn(id)).toHaveLength(1)
  })

  test('as failed where the account refunds by hand, it can be tried again or said to be delivered after all', async () => {
    const caller = await world.newCaller()
    await settleAccount(deps(), caller.account, { refundsAtOnce: false }, 'Ana')
    const [one, two] = [await sent(caller, 'unknown'), await sent(caller, 'unknown')]
    expect(codeOf(await resolve(one, 'failed'))).toBe('paid')
    expect(codeOf(await resolve(one, 'failed'))).toBe('transfer_not_open')
    expect((await caller.ask('PUT', `/contracts/transfer/${one}/retry`)).status).toBe(200)
    expect(codeOf(await resolve(one, 'delivered'))).toBe('transfer_not_open')
    await resolve(two, 'failed')
    expect(codeOf(await resolve(two, 'delivered'))).toBe('completed')
    expect(await actionsOn(two)).toHaveLength(2)
  })

  test('as failed where the account has it tried again, it is, with the operator’s word before it', async () => {
    const caller = await world.newCaller()
    await settleAccount(deps(), caller.account, { retries: 1 }, 'Ana')
    const id = await sent(caller, 'unknown')
    expect(codeOf(await resolve(id, 'failed'))).toBe('paid')
    expect((await trailOf(caller, id)).slice(5)).toEqual(['resolved', 'transfer_failed', 'transfer_retried'])
  })

  test('a call whose worker is gone can be resolved, one that is under way cannot', async () => {
    const id = await sent(world.caller)
    expect(codeOf(await resolve(id, 'delivered'))).toBe('transfer_not_open')
    await world.sql(`update jobs set due_at = now() - interval '1 second' where contract_id = $1`, [id])
    expect(codeOf(await resolve(id, 'delivered'))).toBe('completed')
  })

  test('is refused for what is not open, and leaves no trace', async () => {
    const { caller } = world
    const ids = [
      (await caller.draft()).id,
      (await caller.issued()).id,
      (await caller.paid()).id,
      await sent(caller, 'delivered'),
      await sent(caller, 'failed'),
    ]
    for (const id of ids) expect(codeOf(await resolve(id, 'failed')), id).toBe('transfer_not_open')
    for (const id of ['01890000-0000-7000-8000-000000000001', 'nonsense'])
      expect(codeOf(await resolve(id, 'failed'))).toBe('contract_not_found')
    for (const id of ids) expect(await actionsOn(id)).toEqual([])
  })

  test('a card number in the evidence is masked wherever it is kept', async () => {
    const id = await sent(world.caller, 'unknown')
    await resolve(id, 'failed', { operator: 'Ana', evidence: 'card 4242 4242 4242 4242 was charged' })
    const kept = JSON.stringify([await world.caller.get(id), await actionsOn(id)])
    expect(kept).not.toContain('4242 4242')
    expect(kept).toContain('[card ending 4242]')
  })
})

describe('an operator and a rail that say otherwise', () => {
  const ORDERS = ['the operator first', 'the rail first', 'at once'] as const
  const CASES = ORDERS.flatMap((order) =>
    (['delivered', 'failed'] as const).flatMap((as) =>
      (['delivered', 'failed'] as const).map((said) => [order, as, said] as const),
    ),
  )
  test.each(CASES)('%s: one says %s, the other %s, and it is one story', async (order, as, said) => {
    const { caller } = world
    const before = await caller.balance('PHP')
    const rounds = order === 'at once' ? 10 : 1
    let refunds = 0
    for (let round = 0; round < rounds; round += 1) {
      const id = await sent(caller, 'unknown')
      // The word of an inquiry that was under way when the operator spoke.
      await world.sql(`update jobs set due_at = now() - interval '1 second' where contract_id = $1`, [id])
      await command(caller, { verb: 'inquire', id, leaseMs: 60_000, connector: CONNECTOR })
      const speak = { operator: () => resolve(id, as), rail: () => word(caller, id, said, 2) }
      let answer: ContractResult | Refusal
      if (order === 'at once') [answer] = await Promise.all([speak.operator(), speak.rail()])
      else if (order === 'the rail first') {
        await speak.rail()
        answer = await speak.operator()
      } else {
        answer = await speak.operator()
        await speak.rail()
      }
      const wasFirst = !isRefusal(answer)
      expect(order === 'at once' || wasFirst === (order === 'the operator first')).toBe(true)
      const { status, activities } = await caller.get(id)
      expect(status).toBe((wasFirst ? as : said) === 'delivered' ? 'completed' : 'cancelled')
      const types = activities.map(({ type }) => type)
      expect(types.includes('resolved')).toBe(wasFirst)
      expect(types.includes('outcome_disputed')).toBe(wasFirst && as !== said)
      expect(types.filter((type) => type === 'completed' || type === 'refunded')).toHaveLength(1)
      expect(await actionsOn(id)).toHaveLength(wasFirst ? 1 : 0)
      if (status === 'cancelled') refunds += 1
    }
    const spent = Math.round((before - (await caller.balance('PHP'))) * 100)
    expect(spent).toBe((rounds - refunds) * 11_050)
  })
})

test('settings are changed one by one, and each change is on the record', async () => {
  const { account } = await world.newCaller()
  expect(await settleAccount(deps(), account, {}, 'Ana')).toMatchObject({
    refundsAtOnce: true,
    retries: 0,
    fallbackChannels: [],
    returnsAtOnce: true,
    corsOrigins: [],
    sites: [],
  })
  await settleAccount(deps(), account, { retries: 2 }, 'Ana')
  const fallbackChannels = ['instapay', 'sandbox']
  expect(await settleAccount(deps(), account, { fallbackChannels }, 'Ben')).toMatchObject({
    refundsAtOnce: true,
    retries: 2,
    fallbackChannels,
    returnsAtOnce: true,
    corsOrigins: [],
    sites: [],
  })
  expect(await actionsOn(account.accountId)).toEqual([
    { operator: 'Ana', action: 'account settings', evidence: '{"retries":2}' },
    { operator: 'Ben', action: 'account settings', evidence: JSON.stringify({ fallbackChannels }) },
  ])
  const nobody = { lane: 0, accountId: '01890000-0000-7000-8000-000000000001' }
  expect(await settleAccount(deps(), nobody, { retries: 1 }, 'Ana')).toBeNull()
  expect(await actionsOn(nobody.accountId)).toEqual([])
})

test('what was written down can be changed by nobody but the owner of the database', async () => {
  for (const text of ['update operator_actions set evidence = $1', 'delete from operator_actions where evidence = $1'])
    await expect(reader.send([{ name: text.slice(0, 6), text, values: [text] }])).rejects.toThrow('permission denied')
})
