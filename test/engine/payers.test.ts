// What a batch looks up of whoever paid before: nothing where no policy asks, and what one asks for with the policies themselves. Each
// round trip more is one for which the account is held. So it is for accounts whose policies were written before it was kept what they ask.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SHIPPED_CHANNELS } from '../../src/connectors/catalogue.ts'
import type { Command } from '../../src/domain/contract/command.ts'
import type { Outcome } from '../../src/domain/channel/outcome.ts'
import { TRANSFER_MOVES } from '../../src/domain/transfer/move-table.ts'
import { RULED, type Verb } from '../../src/engine/command-table.ts'
import { executeBatch } from '../../src/engine/execute.ts'
import { type Decide, openSession, type Session } from '../../src/platform/db.ts'
import { holderIn, make, rolled } from '../http/accounts/key-stage.ts'
import { joined } from '../http/members/people.ts'
import { DENY, policiesOf } from '../http/policies/policy-stage.ts'
import { type Caller, openWorld, type World } from '../world.ts'

const CONNECTOR = { notFoundFinalAfterMs: 1000, dedupeLifetimeMs: null, inquiry: true }
const SANDBOX = { ...SHIPPED_CHANNELS.find((channel) => channel.id === 'sandbox')!, undo_seconds: 0 }
const SECOND = { ...SANDBOX, id: 'second', name: 'Second', connector: 'sandbox' }
const FAILED: Outcome = { kind: 'failed', code: 'c', message: 'm' }

let world: World
let session: Session
beforeAll(async () => {
  world = await openWorld({ workers: 'resting', config: { channels: [SANDBOX, SECOND] } })
  session = openSession({ connection: world.lanesLogin, parameters: {} })
})
afterAll(async () => {
  await world.ledgerHolds()
  await session.close()
  await world.stop()
})

/** Executes one command; in how many round trips. */
async function tripsOf({ account: { lane, accountId } }: Caller, command: Command): Promise<number> {
  let trips = 1
  const next =
    <T>(decide: Decide<T>): Decide<T> =>
    (loaded) => {
      trips += 1
      const decided = decide(loaded)
      return 'load' in decided ? { ...decided, decide: next(decided.decide) } : decided
    }
  const counting: Session = { ...session, transaction: (load, decide) => session.transaction(load, next(decide)) }
  const request = { lane, accountId, keyId: null, idempotency: null, command }
  await executeBatch(counting, world.gateway.deps.channels, { kind: 'one lane', lane }, [request])
  return trips
}

/** An account whose transfers go by the second channel when the first fails, and two of its keys: one was rolled into the other. */
async function withKeys() {
  const caller = await world.newCaller()
  const change = "update accounts set refunds_at_once = 'true', fallback_channels = '{second}' where account_id = $1"
  await world.sql(change, [caller.account.accountId])
  const person = await joined(world, caller, 'admin')
  const first = await make(person, { scopes: ['contracts:read', 'transfers:pay'] })
  return { caller, first, second: await rolled(first, person) }
}

const BY_SECOND = { field: 'channel', op: 'in', values: ['second'] }
const sumBy = (by: string) => ({ field: 'sum', by, window: 'day', op: 'above', value: 1_000_000, currency: 'PHP' })
const named = (keyId: string) => ({ field: 'key', op: 'in', values: [keyId] })

const fromBefore = (accountId: string) =>
  world.sql("update accounts set policies_look_at = (policies_look_at::jsonb - 'payers')::json where account_id = $1", [
    accountId,
  ])

describe.each([
  ['of an account of today', () => Promise.resolve([])],
  ['of one whose policies were written before', fromBefore],
])('policies %s', (_account, age) => {
  test.each([
    ['ask nothing about keys', () => [sumBy('account')], 3, 2],
    ['name a key', (keyId: string) => [named(keyId), BY_SECOND], 3, 1],
    ['count by key', () => [sumBy('key')], 4, 2],
  ])('that %s', async (_what, whenOf, trips, attempts) => {
    const { caller, first, second } = await withKeys()
    await policiesOf(caller).make({ name: 'Some', when: whenOf(first.key.id), then: DENY })
    const { id } = await caller.issued({ amount: 60, currency: 'PHP' })
    const paid = await holderIn(world)(second).ask('PUT', `/contracts/transfer/${id}/pay`, { body: {} })
    expect(paid.status, paid.text).toBe(200)
    await age(caller.account.accountId)
    expect(await tripsOf(caller, { verb: 'submit', id, leaseMs: 60_000, connector: CONNECTOR })).toBe(2)
    const said = { number: 1, channelId: 'sandbox', fence: 1, outcome: FAILED, connector: CONNECTOR } as const
    expect(await tripsOf(caller, { verb: 'report', id, ...said })).toBe(trips)
    // Where the first key may not pay by the second channel, what the other one paid does not go by it.
    expect((await caller.get(id)).transfer.attempts).toBe(attempts)
  })
})

test('each command by which money that was counted comes back is one of those that know who paid', () => {
  const verbs: ReadonlySet<string> = RULED satisfies ReadonlySet<Verb>
  const back = TRANSFER_MOVES.filter(
    ({ from, to }) => to === 'cancelled' && ['paid', 'completed', 'returned'].includes(String(from)),
  )
  expect(back.length).toBeGreaterThan(0)
  expect(back.filter(({ verb }) => !verbs.has(verb))).toEqual([])
})
