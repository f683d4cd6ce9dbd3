// The one write path under pressure: commands of one batch see each other in order, a poison one fails alone, the queue
// is bounded, and what was accepted is answered, whatever comes.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CommandRequest } from '../../src/engine/command-request.ts'
import { openBatcher, Overloaded, ShuttingDown } from '../../src/engine/batch.ts'
import type { Command } from '../../src/domain/contract/command.ts'
import { laneUuid } from '../../src/domain/contract/ids.ts'
import { isRefusal } from '../../src/domain/contract/refusals.ts'
import { lockWaits } from '../rig/citus/lock-waits.ts'
import { type Caller, type ContractBody, openWorld, READY, type Reply, type World } from '../world.ts'

const LIST = '/contracts/transfer'
const coded = ({ status, body }: Reply) =>
  status === 200 ? '200' : `${status} ${(body['error'] as { code: string }).code}`
const countsOf = (words: readonly string[]) =>
  Object.fromEntries([...new Set(words)].toSorted().map((word) => [word, words.filter((each) => each === word).length]))

/** A command as the account's own, without a key to check. */
function askOf({ account: { lane, accountId } }: Caller, command: Command): CommandRequest {
  return { lane, accountId, keyId: null, idempotency: null, command }
}

async function metric(world: World, name: string): Promise<number> {
  const { text } = await world.caller.ask('GET', '/metrics')
  // What was never counted is not told.
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
}

describe('in one batch', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld({ workers: 'resting' })
  })
  afterAll(() => world.stop())

  test('each command sees what the ones before it did', async () => {
    const { caller, gateway } = world
    const { deps } = gateway
    const id = laneUuid(caller.account.lane, Date.now(), deps.randomHex())
    const recipient = { name: 'Ana', email: null, mobile: null, wallet: '1', tag: null, address: null, country: null }
    const terms = {
      amountMinor: 100_00n,
      currency: 'PHP',
      issuedTo: null,
      description: null,
      deliverable: null,
      recipient,
      channelId: 'sandbox',
    }
    const commands: Command[] = [
      {
        verb: 'create_transfer',
        id,
        livemode: false,
        terms,
        expiresInSeconds: null,
        preview: null,
        warnings: [],
        pays: null,
      },
      { verb: 'pay', id, preview: null, walletId: null },
      { verb: 'issue', id, preview: null },
      { verb: 'pay', id, preview: null, walletId: null },
      { verb: 'pay', id, preview: null, walletId: null },
      { verb: 'cancel', id, reason: null, actor: 'account' },
      { verb: 'cancel', id, reason: null, actor: 'account' },
    ]
    const batches = await metric(world, 'gateway_batches_total')
    const answers = await Promise.all(commands.map((command) => deps.execute(askOf(caller, command))))
    expect((await metric(world, 'gateway_batches_total')) - batches).toBe(1)
    const told = answers.map((answer) =>
      isRefusal(answer)
        ? answer.code
        : 'contract' in answer
          ? `${answer.contract?.status} ${answer.contract?.version}`
          : '',
    )
    expect(told).toEqual([
      'draft 1',
      'contract_not_issued',
      'issued 2',
      'paid 3',
      'paid 3',
      'cancelled 4',
      'cancelled 4',
    ])
    const rows = await world.sql(
      'select version, event from contract_versions where contract_id = $1 order by position',
      [id],
    )
    expect(rows).toEqual(
      ['created', 'issued', 'paid', 'cancelled'].map((event, i) => ({ version: i + 1, event: `contract.${event}` })),
    )
    expect(await caller.wallet('PHP')).toMatchObject({ available: 1_000_000, held: 0 })
  })

  test('two pays that together exceed the balance: exactly one succeeds', async () => {
    const poor = await world.newCaller({ funds: { PHP: 200_00n } })
    const contracts = [await poor.issued({ amount: 100 }), await poor.issued({ amount: 100 })]
    const replies = await Promise.all(contracts.map(({ id }) => poor.ask('PUT', `${LIST}/${id}/pay`)))
    expect(replies.map(coded).toSorted()).toEqual(['200', '402 insufficient_funds'])
    expect(await poor.wallet('PHP')).toMatchObject({ available: 89.5, held: 110.5 })
  })

  test('200 pays on one wallet: exactly the affordable ones succeed', { timeout: 180_000 }, async () => {
    const poor = await world.newCaller({ funds: { PHP: 37n * 110_50n + 110_49n } })
    const contracts = await Promise.all(Array.from({ length: 200 }, () => poor.issued({ amount: 100 })))
    const replies = await Promise.all(contracts.map(({ id }) => poor.ask('PUT', `${LIST}/${id}/pay`)))
    expect(countsOf(replies.map(coded))).toEqual({ '200': 37, '402 insufficient_funds': 163 })
    expect(await poor.wallet('PHP')).toMatchObject({ available: 110.49, held: 37 * 110.5 })
  })

  test('200 pays and cancels of one contract: paid once at most, refunded as often as paid', async () => {
    const caller = await world.newCaller()
    const { id } = await caller.issued()
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        i % 2 === 0 ? caller.ask('PUT', `${LIST}/${id}/pay`) : caller.ask('DELETE', `${LIST}/${id}`),
      ),
    )
    expect(replies.filter(({ status }) => status >= 500)).toEqual([])
    expect((await caller.get(id)).status).toBe('cancelled')
    expect(await caller.wallet('PHP')).toMatchObject({ available: 1_000_000, held: 0, in_transit: 0 })
    const wallet = await caller.wallet('PHP')
    expect((await caller.all(`/wallets/${wallet.id}/entries`, 'entries')).length).toBeLessThanOrEqual(3)
  })

  test('many accounts share batches', async () => {
    const [batches, commands] = [
      await metric(world, 'gateway_batches_total'),
      await metric(world, 'gateway_commands_total'),
    ]
    await Promise.all(Array.from({ length: 120 }, (_, i) => (i % 2 === 0 ? world.caller : world.other).draft()))
    expect((await metric(world, 'gateway_commands_total')) - commands).toBe(120)
    expect((await metric(world, 'gateway_batches_total')) - batches).toBeLessThan(40)
  })

  test('the books hold', () => world.ledgerHolds())
})

describe('a fault', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld({ workers: 'resting' })
    // A rule that the code knows nothing of: what breaks it is a fault of the database in the middle of a batch.
    await world.sql(`alter table contracts add constraint poison check (reference_id is distinct from 'poison')`)
  })
  afterAll(() => world.stop())

  test('of one poison command fails that one alone: all others of its batch are done, once', async () => {
    const { caller, other } = world
    const asked = Array.from({ length: 60 }, (_, i) => {
      const reference = i === 23 || i === 24 || i === 59 ? 'poison' : `good ${i}`
      return (i % 3 === 0 ? other : caller).ask('POST', LIST, {
        body: { ...READY, deliverable: { reference_id: reference } },
      })
    })
    const replies = await Promise.all(asked)
    expect(countsOf(replies.map(coded))).toEqual({ '200': 57, '500 internal_error': 3 })
    for (const i of [23, 24, 59]) expect(replies[i]?.status).toBe(500)
    expect(replies[23]?.text).not.toMatch(/poison|constraint|contracts_/)
    const stored = [
      ...(await caller.all<ContractBody>(LIST, 'contracts')),
      ...(await other.all<ContractBody>(LIST, 'contracts')),
    ]
    expect(stored.map(({ deliverable }) => deliverable?.reference_id).toSorted()).toEqual(
      Array.from({ length: 60 }, (_, i) => `good ${i}`)
        .filter((_, i) => ![23, 24, 59].includes(i))
        .toSorted(),
    )
    await world.ledgerHolds()
  })

  test('leaves the idempotency key free', async () => {
    const send = (reference: string) =>
      world.caller.ask('POST', LIST, {
        headers: { 'idempotency-key': 'poisoned' },
        body: { ...READY, deliverable: { reference_id: reference } },
      })
    expect((await send('poison')).status).toBe(500)
    const mended = await send('good')
    expect([mended.status, mended.headers['idempotent-replayed']]).toEqual([200, undefined])
  })

  // On a cluster they wait on a worker, where the owner of the database does not see them.
  test.skipIf(process.env['TEST_ON_CITUS'] === 'yes')(
    'that is a deadlock is nobody’s: the batch is done again',
    async () => {
      const { caller } = world
      const contract = await caller.issued()
      const { lane, accountId } = caller.account
      const intruder = await connected(world)
      // The batch notices, however late the intruder comes.
      await intruder.query(`set deadlock_timeout = '1min'`)
      await intruder.query('begin')
      await intruder.query('select 1 from wallets where lane = $1 and account_id = $2 for update', [lane, accountId])
      const paying = caller.ask('PUT', `${LIST}/${contract.id}/pay`)
      await lockWaits(world, 1)
      // Takes what the batch holds while the batch waits for what it holds.
      await intruder.query('select 1 from accounts where lane = $1 and account_id = $2 for update', [lane, accountId])
      await intruder.query('commit')
      await intruder.end()
      expect((await paying).status).toBe(200)
      expect((await caller.get(contract.id)).status).toBe('paid')
      await world.ledgerHolds()
    },
  )
})

describe('the queue', () => {
  test('is bounded: more is refused at once with 503 and Retry-After, and what was taken is answered', async () => {
    const world = await openWorld({ workers: 'resting', config: { queueMax: 5 } })
    const { caller } = world
    const release = await holdWrites(world)
    const first = caller.ask('POST', LIST, { body: READY })
    await lockWaits(world, 1)
    const asked = Array.from({ length: 12 }, () => caller.ask('POST', LIST, { body: READY }))
    const refused = await Promise.race(asked)
    expect({ status: refused.status, ...refused.error }).toMatchObject({
      status: 503,
      type: 'api_error',
      code: 'overloaded',
      param: null,
    })
    expect(refused.headers['retry-after']).toBe('1')
    await release()
    expect((await first).status).toBe(200)
    expect(countsOf((await Promise.all(asked)).map(coded))).toEqual({ '200': 5, '503 overloaded': 7 })
    expect(await caller.all(LIST, 'contracts')).toHaveLength(6)
    await world.stop()
  })

  test('is emptied before the gateway stops: all that it took is done, and nothing new', async () => {
    const world = await openWorld({ workers: 'resting', config: { batchMax: 2 } })
    const { caller, gateway } = world
    const contracts = await Promise.all(Array.from({ length: 7 }, () => caller.issued()))
    const release = await holdWrites(world)
    const pays = contracts.map(({ id }) =>
      gateway.deps.execute(askOf(caller, { verb: 'pay', id, preview: null, walletId: null })),
    )
    await lockWaits(world, 1)
    const stopping = gateway.stop()
    await sleep(50)
    const late = gateway.deps.execute(askOf(caller, { verb: 'expire', id: contracts[0]!.id }))
    await expect(late).rejects.toBeInstanceOf(ShuttingDown)
    await release()
    const answers = await Promise.all(pays)
    expect(answers.map((answer) => 'contract' in answer && answer.contract?.status)).toEqual(
      contracts.map(() => 'paid'),
    )
    await stopping
    const [row] = await world.sql<{ paid: string }>(`select count(*) as paid from contracts where status = 'paid'`)
    expect(row?.paid).toBe('7')
    await world.ledgerHolds()
    await world.stop()
  })

  test('holds what it may and not one more, and takes again once there is room', async () => {
    const batches: number[][] = []
    let open: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const batcher = openBatcher<number, number>({
      batchMax: 3,
      queueMax: 4,
      groupOf: (ask) => ask % 2,
      run: async (asks) => {
        batches.push([...asks])
        await gate
        return asks.map((ask) => ask * 10)
      },
    })
    const first = batcher.submit(0)
    await sleep(5)
    const queued = [1, 2, 3, 4].map((ask) => batcher.submit(ask))
    expect(batcher.depth()).toBe(4)
    await expect(batcher.submit(5)).rejects.toBeInstanceOf(Overloaded)
    open()
    expect(await Promise.all([first, ...queued])).toEqual([0, 10, 20, 30, 40])
    expect(batches).toEqual([[0], [1, 3], [2, 4]])
    expect(await batcher.submit(6)).toBe(60)
    await batcher.drain()
    await expect(batcher.submit(7)).rejects.toBeInstanceOf(ShuttingDown)
  })

  test.each([
    ['half of the callers', false, [1, 51, 50]],
    ['all that wait of a group, where batches are whole', true, [1, 99, 2]],
  ])('a batch takes %s', async (_, isWhole, expected) => {
    const sizes: number[] = []
    const run = async (asks: readonly number[]) => {
      sizes.push(asks.length)
      await sleep(5)
      return asks
    }
    // Where batches are whole, two of those that wait are of another group.
    const groupOf = (ask: number) => (isWhole && ask > 98 ? 1 : 0)
    const batcher = openBatcher<number, number>({ batchMax: 256, queueMax: 256, isWhole, groupOf, run })
    const first = batcher.submit(0)
    await sleep(2)
    await Promise.all([first, ...Array.from({ length: 101 }, (_ask, place) => batcher.submit(place))])
    expect(sizes).toEqual(expected)
  })
})

describe('one lane at a time', () => {
  test('comes to the same as many lanes in one batch', { timeout: 180_000 }, async () => {
    const together = await openWorld({ config: { laneScope: 'many lanes' } })
    const apart = await openWorld({ config: { laneScope: 'one lane', writers: 2, batchMax: 7 } })
    const told = await story(together)
    expect(await story(apart)).toEqual(told)
    expect(told).toMatchObject({
      drafts: 2,
      replayed: 9,
      statuses: { cancelled: 3, completed: 15, draft: 1, expired: 1, issued: 3 },
    })
    for (const world of [together, apart]) {
      await world.ledgerHolds()
      await world.stop()
    }
  })
})

/** A bit of everything that writes, told without ids and times. */
async function story(world: World): Promise<unknown> {
  const payer = await world.newCaller({ funds: { PHP: 800_00n } })
  const payee = world.other
  const [kept, dropped, bad] = [
    await payer.draft(),
    await payer.issued(),
    await payer.issued({ recipient: { name: 'A', wallet: 'sandbox-account-closed' } }),
  ]
  await payer.update(kept.id, { description: 'kept' })
  await payer.cancel(dropped.id)
  const keyed = await Promise.all(
    Array.from({ length: 10 }, () => payer.ask('POST', LIST, { headers: { 'idempotency-key': 'k' }, body: READY })),
  )
  const drafts = (await payer.all<ContractBody>(`${LIST}?status=draft`, 'contracts')).length
  const doomed = await payer.draft({ expires_in: 1 })
  await payer.cancel((keyed[0]!.data['contract'] as ContractBody).id)

  const { id: wallet } = await payee.wallet('PHP')
  const inside = await Promise.all(
    Array.from({ length: 11 }, () => payer.issued({ channel: 'wallet', recipient: { wallet }, amount: 60 })),
  )
  const outside = await Promise.all(Array.from({ length: 7 }, () => payer.issued({ amount: 20 })))
  await payer.pay(bad.id)
  expect(await world.settle(bad.id)).toBe('cancelled')
  const insidePays = await Promise.all(inside.map(({ id }) => payer.ask('PUT', `${LIST}/${id}/pay`)))
  const outsidePays = await Promise.all(outside.map(({ id }) => payer.ask('PUT', `${LIST}/${id}/pay`)))
  const paid = [...inside, ...outside].filter((_, i) => [...insidePays, ...outsidePays][i]?.status === 200)
  for (const { id } of paid) await world.settle(id)
  expect(await world.settle(doomed.id)).toBe('expired')

  const contracts = await payer.all<ContractBody>(LIST, 'contracts')
  const events = await payer.all<{ type: string }>('/events', 'events')
  const { available, held, in_transit } = await payer.wallet('PHP')
  return {
    drafts,
    replayed: keyed.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length,
    pays: [countsOf(insidePays.map(coded)), countsOf(outsidePays.map(coded))],
    statuses: countsOf(contracts.map(({ status }) => status)),
    trails: countsOf(contracts.map(({ activities }) => activities.map(({ type }) => type).join(' '))),
    events: countsOf(events.map(({ type }) => type)),
    payer: { available, held, in_transit },
    payee: await payee.balance('PHP'),
  }
}

async function connected(world: World): Promise<pg.Client> {
  const client = new pg.Client(world.lanesOwner)
  await client.connect()
  return client
}

/** Keeps every batch that writes waiting, until it is released. */
async function holdWrites(world: World): Promise<() => Promise<void>> {
  const client = await connected(world)
  await client.query('begin')
  await client.query('lock table contracts in share mode')
  return async () => {
    await client.query('commit')
    await client.end()
  }
}
