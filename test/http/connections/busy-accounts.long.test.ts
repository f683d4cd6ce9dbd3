// Rows that somebody else holds in the database: an operator at a prompt, a second gateway that froze. Whoever needs them
// is told to come back; nobody else notices, and nothing is lost, doubled or not found.
import pg from 'pg'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sendTogether } from '../../../src/app/transfers/transfer-files.ts'
import type { SendsFiles, Connector } from '../../../src/connectors/connector.ts'
import { IN_FLIGHT_PER_CHANNEL } from '../../../src/main/workers.ts'
import { payoutFrom } from '../../../src/store/jobs/jobs.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { laneUuid } from '../../../src/domain/contract/ids.ts'
import { type Caller, openWorld, READY, type Reply, type World } from '../../world.ts'

const LIST = '/contracts/transfer'
const coded = ({ status, body }: Reply) =>
  status === 200 ? '200' : `${status} ${(body['error'] as { code: string }).code}`

let world: World
let holder: pg.Client
beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  holder = new pg.Client(world.database.owner)
  await holder.connect()
})
afterEach(() => holder.query('rollback'))
afterAll(async () => {
  await world.ledgerHolds()
  await holder.end()
  await world.stop()
})

const HOLDS = {
  account: 'select 1 from accounts where account_id = $1 for update',
  wallet: 'select 1 from wallets where account_id = $1 for update',
  contract: 'select 1 from contracts where account_id = $1 for update',
} as const

async function hold(what: keyof typeof HOLDS, { account }: Caller): Promise<void> {
  await holder.query('begin')
  await holder.query(HOLDS[what], [account.accountId])
}

describe.each(['account', 'wallet', 'contract'] as const)('while the %s of one is held', (what) => {
  test('it is told to come back, everybody else is served, and afterwards all is as before', async () => {
    const [stuck, free] = [await world.newCaller(), await world.newCaller()]
    const contract = await stuck.issued()
    const others = await Promise.all(Array.from({ length: 3 }, () => free.issued()))
    await hold(what, stuck)
    for (const other of others) {
      // Together in one batch, so that one could keep the other waiting.
      const [mine, theirs] = await Promise.all([
        stuck.ask('PUT', `${LIST}/${contract.id}/pay`),
        free.ask('PUT', `${LIST}/${other.id}/pay`),
      ])
      expect(coded(theirs)).toBe('200')
      expect(coded(mine)).toBe('503 account_busy')
      expect(mine.headers['retry-after']).toBe('1')
    }
    expect((await stuck.get(contract.id)).status).toBe('issued')
    await holder.query('rollback')
    expect((await stuck.pay(contract.id)).status).toBe('paid')
    expect(await stuck.wallet('PHP')).toMatchObject({ held: 110.5 })
  })
})

test('while a key is held, no token is made with it, and everybody reads', async () => {
  const [stuck, free] = [await world.newCaller(), await world.newCaller()]
  await holder.query('begin')
  await holder.query('select 1 from api_keys where account_id = $1 for update', [stuck.account.accountId])
  const [token, ...reads] = await Promise.all([
    stuck.ask('POST', '/oauth/token', { body: { grant_type: 'client_credentials' } }),
    ...[stuck, free, free].map((caller) => caller.ask('GET', LIST)),
  ])
  expect(coded(token as Reply)).toBe('503 database_unavailable')
  expect(token?.headers['retry-after']).toBe('1')
  expect(reads.map(coded)).toEqual(['200', '200', '200'])
})

test('what is held for a moment is waited for: nobody notices', async () => {
  const caller = await world.newCaller()
  await hold('account', caller)
  const asked = Array.from({ length: 60 }, () => caller.ask('POST', LIST, { body: READY }))
  const told = Promise.all(asked)
  // Until the batch has looked and set them aside.
  await expect.poll(() => held(world)).toBeGreaterThan(0)
  await holder.query('rollback')
  expect((await told).map(coded)).toEqual(asked.map(() => '200'))
  expect(await caller.all(LIST, 'contracts')).toHaveLength(60)
})

const held = async ({ gateway }: World) =>
  Number(/^gateway_commands_held_total (\d+)$/m.exec(await gateway.figures())?.[1] ?? 0)

test('an account that does not exist is not a busy one', async () => {
  const { deps } = world.gateway
  const { lane } = world.caller.account
  const [accountId, id] = [laneUuid(lane, 1, deps.randomHex()), laneUuid(lane, 1, deps.randomHex())]
  const command = { verb: 'cancel', id, reason: null, actor: 'account' } as const
  const answer = await deps.execute({ lane, accountId, keyId: null, idempotency: null, command })
  expect(isRefusal(answer) && answer.code).toBe('contract_not_found')
})

test('what is due of a busy account takes no room from what is due of others', { timeout: 180_000 }, async () => {
  const working = await openWorld({ workers: 'resting' })
  const theirs = new pg.Client(working.database.owner)
  await theirs.connect()
  try {
    const stuck = await working.newCaller()
    // More than there is room for at one channel.
    const due = await Promise.all(Array.from({ length: IN_FLIGHT_PER_CHANNEL + 20 }, () => stuck.paid()))
    await theirs.query('begin')
    await theirs.query(HOLDS.account, [stuck.account.accountId])
    const { id } = await working.other.paid()
    working.gateway.startWorkers()
    expect(await working.settle(id)).toBe('completed')
    expect((await stuck.get(due[0]!.id)).status).toBe('paid')
    await theirs.query('rollback')
    expect(await working.settle(due.at(-1)!.id)).toBe('completed')
  } finally {
    await theirs.end()
    await working.stop()
  }
})

test('a file leaves without the order of an account that is busy, which stays due', async () => {
  const [stuck, free] = [await world.newCaller(), await world.newCaller()]
  const recipient = { name: 'Ana Reyes', wallet: '001234567890', tag: 'BOPIPHMM' }
  const [late, sent] = [
    await stuck.paid({ channel: 'pesonet', recipient }),
    await free.paid({ channel: 'pesonet', recipient }),
  ]
  const attempts = (
    await world.sql(
      `select a.*, extract(epoch from a.due_at) * 1000 as due_at from jobs a where a.contract_id = any($1)`,
      [[late.id, sent.id]],
    )
  ).map(payoutFrom)
  await world.sql('update jobs set due_at = now() where contract_id = any($1)', [[late.id, sent.id]])
  await hold('account', stuck)
  const { connectors } = world.gateway.deps.callbacks
  const pesonet = connectors.get('pesonet') as Connector & SendsFiles
  const delivered = { kind: 'delivered', providerId: null } as const
  const told: string[] = []
  const sendFile = async (_: string, orders: readonly { readonly reference: string }[]) => {
    told.push(...orders.map(({ reference }) => reference))
    return new Map(orders.map(({ reference }) => [reference, delivered]))
  }
  const { execute, payments } = world.gateway.deps
  const { freezes } = payments
  const deps = { execute, connectors, freezes, leaseMs: 15_000, crashPoint: () => undefined }
  expect(await sendTogether(deps, { ...pesonet, sendFile }, attempts)).toBe('answered')
  expect(told).toHaveLength(1)
  expect((await free.get(sent.id)).status).toBe('completed')
  const [left] = await world.sql('select status from jobs where contract_id = $1', [late.id])
  expect(left).toEqual({ status: 'queued' })
})

/** What a caller does next, and what of whose is held meanwhile: null lets go. */
const step = fc.record({
  who: fc.nat(2),
  does: fc.constantFrom('create', 'pay', 'cancel' as const),
  held: fc.option(fc.record({ whose: fc.nat(2), what: fc.constantFrom('account', 'wallet', 'contract' as const) })),
})

test('whatever is held while commands come, each is done once or told to come back', { timeout: 120_000 }, async () => {
  const story = async (
    steps: readonly { who: number; does: string; held: { whose: number; what: keyof typeof HOLDS } | null }[],
  ) => {
    const callers = await Promise.all([0, 1, 2].map(() => world.newCaller({ funds: { PHP: 10_000_00n } })))
    const issued = await Promise.all(callers.map((caller) => Promise.all([1, 2].map(() => caller.issued()))))
    let key = 0
    const todo = steps.map(({ who, does, held }) => {
      const caller = callers[who] as Caller
      const id = issued[who]?.[key % 2]?.id ?? ''
      const headers = { 'idempotency-key': `${++key}` }
      const ask = () =>
        does === 'create'
          ? caller.ask('POST', LIST, { headers, body: READY })
          : does === 'pay'
            ? caller.ask('PUT', `${LIST}/${id}/pay`)
            : caller.ask('DELETE', `${LIST}/${id}`)
      return { ask, held, does, who }
    })
    const late: (typeof todo)[number][] = []
    for (let i = 0; i < todo.length; i += 4) {
      const now = todo.slice(i, i + 4)
      const wanted = now[0]?.held
      await holder.query('rollback')
      if (wanted) await hold(wanted.what, callers[wanted.whose] as Caller)
      const replies = await Promise.all(now.map(({ ask }) => ask()))
      // A pay after a cancel, and the other way round, are the contract's own affair.
      for (const reply of replies)
        expect(coded(reply)).toMatch(/^(200|503 account_busy|409 contract_cancelled|409 contract_not_issued)$/)
      late.push(...now.filter((_, at) => replies[at]?.status === 503))
    }
    await holder.query('rollback')
    for (const { ask } of late)
      expect(coded(await ask())).toMatch(/^(200|409 contract_cancelled|409 contract_not_issued)$/)
    for (const [who, caller] of callers.entries()) {
      const created = todo.filter((each) => each.who === who && each.does === 'create').length
      expect(await caller.all(LIST, 'contracts')).toHaveLength(created + 2)
      const paid = await world.sql<{ paid: string }>(
        `select count(*) as paid from contracts where account_id = $1 and status = 'paid'`,
        [caller.account.accountId],
      )
      expect(await caller.wallet('PHP')).toMatchObject({ held: Number(paid[0]?.paid) * 110.5 })
    }
  }
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), story), { numRuns: 4 })
})
