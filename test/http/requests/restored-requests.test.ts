// After a restore: a request that the books have forgotten, and whose order a recovery found at the provider, is known by its key.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contractUuid, keyDigestIn } from '../../../src/domain/contract/ids.ts'
import { profilesOf } from '../profiles/profile-stage.ts'
import { type Caller, openWorld, READY, type World } from '../../world.ts'

let world: World
let other: Caller
beforeAll(async () => {
  world = await openWorld({})
  other = await world.newCaller()
  await world.sql(
    `insert into epochs (number, reason, proposed_by, proposed_at, resumed_by, resumed_at)
     values (2, 'declared', 'ana', now(), 'ben', now())`,
  )
})
afterAll(() => world.stop())

const PATH = '/contracts/transfer'
const keyed = (caller: Caller, key: string, body: object = READY) =>
  caller.ask('POST', PATH, { body, headers: { 'idempotency-key': key } })

let tries = 0
/** A request is taken, an older order of its key is adopted, and its answer is forgotten. */
async function lost(found = 'now()', body: object = READY) {
  const { caller } = world
  const { lane, accountId } = caller.account
  const key = `order-${++tries}`
  const { contract } = (await keyed(caller, key, body)).data as { contract: { id: string } }
  const owner = { lane, accountId }
  const adopted = contractUuid(owner, Date.now() - 60_000, '0'.repeat(17), keyDigestIn(contract.id))
  await world.sql(
    `insert into adopted_orders (lane, account_id, contract_id, reference, epoch, channel_id, amount_minor, currency, found_at)
     values ($1, $2, $3, 'x', 2, 'sandbox', 1000, 'PHP', ${found})`,
    [lane, accountId, adopted],
  )
  await world.sql('delete from idempotency_keys where account_id = $1', [accountId])
  return { key, id: contract.id, adopted }
}

test('the same request is refused with the contract that it led to, and so is the draft that it made meanwhile', async () => {
  const { caller } = world
  let it = await lost()
  // Until the gateway has seen that there was a restore.
  const refusal = async () => {
    it = await lost()
    return (await keyed(caller, it.key)).status
  }
  await expect.poll(refusal, { timeout: 30_000 }).toBe(409)
  for (const refused of [await keyed(caller, it.key), await caller.ask('PUT', `${PATH}/${it.id}/issue`)])
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { code: 'restored_request', message: expect.stringContaining(it.adopted) } },
    })
})

test('so is one that would be refused by now for another reason', async () => {
  const profiles = profilesOf(world.caller)
  const { id } = await profiles.make()
  const body = { amount: 100, currency: 'PHP', recipient: { profile: id } }
  const { key, adopted } = await lost('now()', body)
  await profiles.archive(id)
  expect(await keyed(world.caller, key, body)).toMatchObject({
    status: 409,
    body: { error: { code: 'restored_request', contract_id: adopted } },
  })
})

test('another key, another account and a key that would be forgotten by now are new requests', async () => {
  const { key } = await lost()
  expect((await keyed(world.caller, `${key} again`)).status).toBe(200)
  expect((await keyed(other, key)).status).toBe(200)
  const old = await lost(`now() - interval '8 days'`)
  expect((await keyed(world.caller, old.key)).status).toBe(200)
})
