// A process that stands still between the lease of a payout and its call, as a container that is paused or a machine that is moved,
// calls nobody when it goes on: others took its work over meanwhile.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { passOn } from '../../../src/engine/crash-points.ts'
import type { CommandRequest } from '../../../src/engine/command-request.ts'
import { creditFromChannel, isCredited } from '../../../src/app/accounts/credits.ts'
import { payFromWallet } from '../../../src/app/payments/wallet-payments.ts'
import { walletConnector } from '../../../src/connectors/wallet/wallet.ts'
import type { Session } from '../../../src/platform/db.ts'
import { openPayment } from '../../http/payments/receiver-world.ts'
import { sendsFiles } from '../../../src/connectors/connector.ts'
import { sendTogether } from '../../../src/app/transfers/transfer-files.ts'
import { orderOf, runPayout } from '../../../src/app/transfers/payouts.ts'
import { JOB_COLUMNS, payoutFrom } from '../../../src/store/jobs/jobs.ts'
import { openWorld } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(async () => world.stop())

const LEASE_MS = 500
const { execute, callbacks, payments } = world.gateway.deps
const { connectors } = callbacks
const { freezes } = payments

async function attemptOf(id: string) {
  const [row] = await world.sql(`select ${JOB_COLUMNS} from jobs j where j.contract_id = $1`, [id])
  return payoutFrom(row as never)
}

/** All that accounts have, of every balance. */
async function allMoney(): Promise<unknown> {
  const [row] = await world.sql(
    `select sum(available_minor + held_minor + in_transit_minor + pending_minor + suspense_minor)::text as minor from wallets where currency = 'PHP'`,
  )
  return row?.['minor']
}

async function paid(channel: 'wallet' | 'sandbox' | 'pesonet'): Promise<string> {
  const wallet = await world.other.wallet('PHP')
  const recipient =
    channel === 'wallet' ? { wallet: wallet.id } : { name: 'Ana Reyes', wallet: '00123456789', tag: 'BOPIPHMM' }
  const { id } = await world.caller.issued({ amount: 100, currency: 'PHP', channel, recipient } as never)
  await world.caller.pay(id)
  return id
}

/** A gateway's part whose process goes on only after `frozenMs`, once its lease is committed. */
function frozen(frozenMs: number) {
  const slow = async (request: CommandRequest) => {
    const result = await execute(request)
    if (request.command.verb === 'submit') await sleep(frozenMs)
    return result
  }
  return { execute: slow as typeof execute, connectors, freezes, leaseMs: LEASE_MS, crashPoint: passOn }
}

describe.each(['wallet', 'sandbox'] as const)('a payout by %s', (channel) => {
  test('is not sent once its lease is too old, and goes later, once', async () => {
    const id = await paid(channel)
    const before = await allMoney()
    expect(await runPayout(frozen(LEASE_MS * 0.6), await attemptOf(id))).toBe('not called')
    const attempt = await attemptOf(id)
    expect(attempt).toMatchObject({ status: 'queued', submittedAt: null })
    expect(await connectors.get(channel)?.check(attempt.reference, await orderIn(id))).toEqual({ kind: 'not_found' })
    expect(await allMoney()).toBe(before)
    await world.sql('update jobs set due_at = now() where contract_id = $1', [id])
    expect(await runPayout(frozen(0), await attemptOf(id))).toBe('answered')
    expect(await connectors.get(channel)?.check(attempt.reference, await orderIn(id))).toMatchObject({
      kind: 'delivered',
    })
  })

  test('is left to whoever asks about it where others have taken it over', async () => {
    const id = await paid(channel)
    const late = runPayout(frozen(LEASE_MS * 3), await attemptOf(id))
    for (;;) {
      const attempt = await attemptOf(id)
      const isOver = attempt.status === 'submitting' && (attempt.dueAt ?? 0) < Date.now()
      if (isOver && (await runPayout(frozen(0), attempt)) === 'answered') break
      await sleep(20)
    }
    const asked = await attemptOf(id)
    expect(await late).toBe('not called')
    expect(await attemptOf(id)).toEqual(asked)
    expect(asked).toMatchObject({ status: 'unknown' })
  })
})

async function orderIn(id: string) {
  const found = await world.gateway.deps.contracts.submit({ ...world.caller.account, id })
  if (found?.kind !== 'transfer') throw new Error('no transfer')
  return orderOf(found, await attemptOf(id))
}

test('the books take no credit whose lease is over, however it came to be late', async () => {
  const id = await paid('wallet')
  const before = await allMoney()
  const order = { ...(await orderIn(id)), notAfter: Date.now() - 60_000 }
  expect(await connectors.get('wallet')?.send(order)).toMatchObject({ kind: 'unknown' })
  expect(await allMoney()).toBe(before)
  expect(await connectors.get('wallet')?.send({ ...order, notAfter: Date.now() + 60_000 })).toMatchObject({
    kind: 'delivered',
  })
})

test('nor where the clock of the server that takes it is far behind: the process that stood still knows itself', async () => {
  const id = await paid('wallet')
  const before = await allMoney()
  const BEHIND_MS = 60_000
  const reader: Session = {
    ...world.gateway.deps.reader,
    send: async (statements) => {
      const results = await world.gateway.deps.reader.send(statements)
      await sleep(LEASE_MS)
      return results
    },
  }
  // Stopped on its way to the receiver's server, for whose clock the lease is not over for a minute yet.
  const wallet = walletConnector({
    pay: async () => 'no such contract',
    isPaid: async () => false,
    isCredited: (walletId, reference) => isCredited(world.gateway.deps, walletId, reference),
    credit: (walletId, order) =>
      creditFromChannel({ execute, reader }, walletId, { ...order, notAfter: (order.notAfter ?? 0) + BEHIND_MS }),
  })
  const late = { ...frozen(0), connectors: new Map([['wallet', wallet]]) }
  expect(await runPayout(late, await attemptOf(id))).toBe('silent')
  const attempt = await attemptOf(id)
  expect(attempt).toMatchObject({ status: 'unknown' })
  expect(await wallet.check(attempt.reference, await orderIn(id))).toEqual({ kind: 'not_found' })
  expect(await allMoney()).toBe(before)
})

test('a payment contract takes none of a lease that is over either, whatever its server says of the time', async () => {
  const { id: paymentId } = await openPayment(world.caller)
  const { execute, reader, contracts } = world.gateway.deps
  const deps = { execute, reader, findContract: contracts.submit }
  const order = { ...(await orderIn(await paid('wallet'))), amountMinor: 10_000_000n, notAfter: Date.now() + 60_000 }
  expect(await payFromWallet(deps, paymentId, { ...order, isInTime: () => false })).toBe('not now')
  expect(await payFromWallet(deps, paymentId, { ...order, isInTime: () => true })).toBe('not payable')
})

test('a file leaves without what was leased too slowly, and that goes with another one', async () => {
  const ids = [await paid('pesonet'), await paid('pesonet')]
  // Its cut-off.
  await world.sql('update jobs set due_at = now() where contract_id = any($1)', [ids])
  const [first, second] = await Promise.all(ids.map(attemptOf))
  const rail = connectors.get('pesonet')
  if (!rail || !sendsFiles(rail)) throw new Error('pesonet sends files')
  const slow = async (request: CommandRequest) => {
    const result = await execute(request)
    const { command } = request
    if (command.verb === 'submit' && command.id === second?.contractId) await sleep(LEASE_MS * 0.8)
    return result
  }
  const deps = { execute: slow as typeof execute, connectors, freezes, leaseMs: LEASE_MS, crashPoint: passOn }
  expect(await sendTogether(deps, rail, [first!, second!])).toBe('answered')
  expect(await attemptOf(ids[0]!)).toMatchObject({ status: 'accepted' })
  await expect.poll(() => attemptOf(ids[1]!)).toMatchObject({ status: 'queued', tries: 1, submittedAt: null })
})
