// A resume sets back what was reported of payments on chains: of the servers that lack it or cannot say, however much that is, and behind
// what is new.
import { expect, onTestFinished, test } from 'vitest'
import { unreportedPayments, paymentIsPutOff } from '../../../src/app/crypto/chain-addresses.ts'
import { resume } from '../../../src/app/operator/resume.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { attemptReference, contractUuid } from '../../../src/domain/contract/ids.ts'
import { openPlannedSession } from '../../../src/main/database/database.ts'
import { connectedTo, EAST, whileAway } from '../../rig/servers/other-server.ts'
import { openWorld, type World } from '../../world.ts'

const ASSET = { network: 'eip155:31337', asset: `0x${'0'.repeat(40)}` } as const
const HASH = `0x${'a'.repeat(64)}`

type Status = 'final' | 'reported'

async function openStage(lanesElsewhere: readonly number[]) {
  const world = await openWorld({ lanesElsewhere, workers: 'resting' })
  const reader = openPlannedSession(world.operators)
  onTestFinished(async () => {
    await reader.close()
    await world.stop()
  })
  let addresses = 0
  /** An address of an account in the lane, to which so many payments came in that were reported hours ago. */
  const paid = async (lane: number, many: number, hours: number, status: Status = 'reported'): Promise<string> => {
    const { account } = await world.newCaller({ lane })
    const id = contractUuid(account, Date.now(), world.gateway.deps.randomHex(), null)
    const reference = attemptReference(id, 1)
    addresses += 1
    await world.sql(
      `insert into chain_addresses (reference, network, asset, address, fingerprint, key_index, expires_at)
       values ($1, $2, $3, $4, $5, $6, now())`,
      [
        reference,
        ASSET.network,
        ASSET.asset,
        `0x${addresses.toString(16).padStart(40, '0')}`,
        'f'.repeat(16),
        addresses,
      ],
    )
    await world.sql(
      `insert into chain_payments (id, network, asset, reference, units, block, block_hash, status, reported_at, updated_at)
       select $1 || '/' || n, $2, $3, $1, 1, 7, $4, $5, case when $5 = 'reported' then w.at end, w.at
         from generate_series(1, $6::int) n, lateral (select now() - $7 * interval '1 hour' - n * interval '1 second' as at) w`,
      [reference, ASSET.network, ASSET.asset, HASH, status, many, hours],
    )
    return reference
  }
  const statuses = async (reference: string) => {
    const rows = await world.sql<{ status: string }>(
      'select distinct p.status from chain_payments p where p.reference = $1',
      [reference],
    )
    return rows.map(({ status }) => status)
  }
  const recovered = async (number: number): Promise<void> => {
    await world.sql(`insert into epochs (number, reason) values ($1, 'declared')`, [number])
    const { channels, nowMs, randomHex } = world.gateway.deps
    const desk = { reader, ids: { nowMs, randomHex }, channels }
    const without = channels.all().map(({ id }) => id)
    for (const operator of ['ana', 'ben'])
      expect(isRefusal(await resume(desk, { operator, evidence: 'ticket 4711' }, without))).toBe(false)
    expect(await world.sql('select number from epochs where resumed_at is null')).toEqual([])
  }
  return { world, reader, paid, statuses, recovered }
}

// A cluster has no servers beside home.
const hasServers = process.env['TEST_ON_CITUS'] !== 'yes'

test.skipIf(!hasServers)(
  'of a server that is away all is set back, and of one that is there what it may lack',
  async () => {
    const { world, paid, statuses, recovered } = await openStage(EAST)
    const [home, east] = [await paid(17, 3, 5), await paid(200, 3, 5)]
    const late = await paid(18, 3, 0)
    const neighbour = await connectedTo(world.database.owner)
    const atHome: World['sql'] = async (text, values = []) => (await neighbour.query(text, [...values])).rows
    await whileAway(world.sqlElsewhere, atHome, () => recovered(2))
    await neighbour.end()
    expect(await statuses(east)).toEqual(['final'])
    expect(await statuses(home)).toEqual(['reported'])
    expect(await statuses(late)).toEqual(['final'])
  },
)

test('a server that is only slow is there: the resume fails, and sets nothing back', async () => {
  const { world, paid, statuses, recovered } = await openStage([])
  const old = await paid(17, 3, 5)
  const locked = await connectedTo(world.database.owner)
  await locked.query('begin; lock table contract_versions in access exclusive mode')
  await expect(recovered(2)).rejects.toMatchObject({ code: expect.stringMatching(/^(55P03|57014)$/) })
  await locked.query('rollback')
  await locked.end()
  expect(await statuses(old)).toEqual(['reported'])
})

test('more than one statement has time for is set back all the same', { timeout: 60_000 }, async () => {
  const { world, paid, statuses, recovered } = await openStage([])
  const many = await paid(17, 3000, -1)
  await world.sql(`create function be_slow() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.002); return new; end $$`)
  await world.sql('create trigger slow before update on chain_payments for each row execute function be_slow()')
  await recovered(2)
  await world.sql('drop trigger slow on chain_payments')
  expect(await statuses(many)).toEqual(['final'])
})

test('what is new is booked first, and a tenth of each round is for what was set back, the newest of it first', async () => {
  const { world, reader, paid, recovered } = await openStage([])
  const back = await paid(17, 300, 0)
  await recovered(2)
  // As if the resume were a while ago: what the test writes beside it is of after it.
  await world.sql(`update epochs set resumed_at = resumed_at - interval '1 second' where number = 2`)
  await world.sql(`update chain_payments set updated_at = updated_at - interval '1 minute'`)
  const anew = await paid(18, 200, -1, 'final')
  const placesOf = async (limit: number) => {
    const found = await unreportedPayments(reader, ASSET, limit)
    return found.map(({ reference, id }) => [reference === anew ? 'new' : 'back', Number(id.split('/')[1])] as const)
  }
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)
  expect(await placesOf(100)).toEqual([
    ...numbers(111, 200)
      .map((number) => ['new', number])
      .toReversed(),
    ...numbers(1, 10).map((number) => ['back', number]),
  ])
  await paymentIsPutOff(reader, `${back}/1`)
  await world.sql(`delete from chain_payments where reference = $1 and split_part(id, '/', 2)::int > 2`, [anew])
  // What is put off goes behind what waits, and before nothing that was set back.
  expect((await placesOf(100)).slice(0, 5)).toEqual([
    ['back', 1],
    ['new', 2],
    ['new', 1],
    ['back', 2],
    ['back', 3],
  ])
})
