// A lane moves while a gateway hears nothing of it, and asks the server where it was: nothing that it does not find there is a definite no.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attemptReference } from '../../../src/domain/contract/ids.ts'
import { creditFromChannel, isCredited } from '../../../src/app/accounts/credits.ts'
import type { CommandRequest } from '../../../src/engine/command-request.ts'
import { DatabaseUnavailable, type Session } from '../../../src/platform/db.ts'
import { EAST, whileAway } from '../../rig/servers/other-server.ts'
import { openUnheardMoves } from '../../rig/servers/unheard-move.ts'
import { type Caller, openWorld, type World } from '../../world.ts'

let world: World
let payer: Caller
beforeAll(async () => {
  world = await openWorld({ lanesElsewhere: EAST })
  payer = await world.newCaller({ lane: 150 })
})
afterAll(() => world.stop())

type Sent = { readonly receiver: Caller; readonly before: number; readonly id: string; readonly isCredited: boolean }

/** A transfer to a wallet of this lane. `isCredited`: by a worker that dies before it tells. */
async function sentTo(lane: number, credit: 'credited before' | 'not credited'): Promise<Sent> {
  const { deps } = world.gateway
  const receiver = await world.newCaller({ lane })
  const { id: wallet, available: before } = await receiver.wallet('PHP')
  const { id } = await payer.issued({ channel: 'wallet', recipient: { wallet } })
  const isCredited = credit === 'credited before'
  if (isCredited) {
    const order = { amountMinor: 100_00n, currency: 'PHP', reference: attemptReference(id, 1), notAfter: null }
    const credited = await creditFromChannel(deps, wallet, order)
    if (credited !== 'credited') throw new Error(`the wallet was not credited: ${credited}`)
  }
  return { receiver, before, id, isCredited }
}

/** Whom the books say that the money is with. */
async function whoHas({ receiver, before, id }: Sent) {
  const arrived = (await receiver.wallet('PHP')).available - before
  return { status: (await payer.get(id)).status, arrived }
}

// Longer than after which an inquiry between wallets that finds nothing is definite.
const UNHEARD_MS = 9000

test('a transfer to a wallet whose lane moved is neither failed nor refunded meanwhile, and arrives once', async () => {
  const paidBefore = await payer.balance('PHP')
  const moves = await openUnheardMoves(world)
  const sent = [await sentTo(200, 'credited before'), await sentTo(201, 'not credited')]
  const cancelled = [await sentTo(202, 'credited before'), await sentTo(203, 'not credited')]
  const all = [...sent, ...cancelled]
  const stands = () => Promise.all(all.map(async ({ id }) => (await payer.get(id)).status))
  const attempts = async () => {
    const jobs = `select distinct status from jobs where lane = $1 and contract_id = any($2)`
    const rows = await world.sqlElsewhere<{ status: string }>(jobs, [150, all.map(({ id }) => id)])
    return rows.map(({ status }) => status)
  }
  await whileAway(world.sql, world.sqlElsewhere, async () => {
    for (const lane of [200, 201, 202, 203]) await moves.moveHome(lane)
    for (const { id } of all) await payer.pay(id)
    await expect.poll(attempts, { timeout: 20_000 }).toEqual(['unknown'])
    for (const { id } of cancelled) await payer.cancel(id)
    for (const until = Date.now() + UNHEARD_MS; Date.now() < until; await sleep(300))
      expect(await stands()).toEqual(['paid', 'paid', 'paid', 'paid'])
  })
  await moves.close()
  for (const each of [...sent, ...cancelled.filter(({ isCredited }) => isCredited)]) {
    expect(await world.settle(each.id)).toBe('completed')
    expect(await whoHas(each)).toEqual({ status: 'completed', arrived: 100 })
  }
  const [undone] = cancelled.filter(({ isCredited }) => !isCredited)
  if (!undone) throw new Error('none was cancelled before it was credited')
  const status = await world.settle(undone.id)
  expect(await whoHas(undone)).toEqual({ status, arrived: status === 'completed' ? 100 : 0 })
  const delivered = status === 'completed' ? 4 : 3
  expect(await payer.balance('PHP')).toBe(paidBefore - delivered * 100)
  await world.ledgerHolds()
}, 120_000)

test('whoever asks for an account of such a lane is told to come again, and who asks beside it is answered', async () => {
  const { deps } = world.gateway
  const gone = await world.newCaller({ lane: 210 })
  const beside = await Promise.all([211, 212, 213].map((lane) => world.newCaller({ lane })))
  const requests = [gone, ...beside].map(({ account }, place): CommandRequest => {
    const { lane, accountId, wallets } = account
    const walletId = wallets.find(({ currency }) => currency === 'PHP')?.id ?? ''
    const money = { walletId, amountMinor: 100n, currency: 'PHP', reference: `one batch ${place}`, approval: null }
    const command = { verb: 'credit', source: 'clearing:wallet', ...money } as const
    return { lane, accountId, keyId: null, idempotency: null, command }
  })
  const moves = await openUnheardMoves(world)
  await whileAway(world.sql, world.sqlElsewhere, async () => {
    await moves.moveHome(210)
    const [refused, ...others] = await Promise.allSettled(requests.map((each) => deps.execute(each)))
    expect(refused).toMatchObject({ reason: { cause: { lanes: [210] } } })
    expect(others.map(({ status }) => status)).toEqual(beside.map(() => 'fulfilled'))
    // Keys that nobody knows yet are looked up together.
    const keys = [gone, ...beside].map(({ apiKey }) => apiKey)
    const path = `/contracts/transfer/${payer.account.accountId}`
    const asked = keys.map((key) => world.ask('GET', path, { headers: { 'x-api-key': key } }))
    const answers = await Promise.all(asked)
    expect(answers.map(({ status }) => status)).toEqual([503, 404, 404, 404])
  })
  await moves.close()
  await expect.poll(async () => (await gone.ask('GET', '/wallets')).status, { timeout: 20_000 }).toBe(200)
}, 60_000)

test('a lane that goes between two looks at one wallet leaves no definite no behind', async () => {
  const { deps } = world.gateway
  const receiver = await world.newCaller({ lane: 220 })
  const { id: wallet } = await receiver.wallet('PHP')
  const moves = await openUnheardMoves(world)
  await whileAway(world.sql, world.sqlElsewhere, async () => {
    expect(await isCredited(deps, wallet, 'a reference')).toBe(false)
    const reader: Session = {
      ...deps.reader,
      send: async (statements) => {
        const results = await deps.reader.send(statements)
        await moves.moveHome(220)
        return results
      },
    }
    await expect(isCredited({ ...deps, reader }, wallet, 'a reference')).rejects.toBeInstanceOf(DatabaseUnavailable)
  })
  await moves.close()
})
