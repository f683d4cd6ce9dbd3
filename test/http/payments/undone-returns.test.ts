// After a restore that has undone the return of money in suspense: it went once, by the provider's own statement. It goes no second time,
// whether the books that came back know the money or learn of it later, and what is in suspense ends with the one return.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareAll, type CompareDeps } from '../../../src/app/operator/compare.ts'
import { resolveTransfer } from '../../../src/app/operator/operator-actions.ts'
import { runCollection } from '../../../src/app/payments/collections.ts'
import { runPayout } from '../../../src/app/transfers/payouts.ts'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import { fetchesStatements } from '../../../src/connectors/connector.ts'
import { dayAt, dayText } from '../../../src/domain/channel/reconcile.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import type { Execute } from '../../../src/engine/command-request.ts'
import { openKeyedSession, openPlannedSession } from '../../../src/main/database/database.ts'
import type { Session } from '../../../src/platform/db.ts'
import { JOB_COLUMNS, jobFrom } from '../../../src/store/jobs/jobs.ts'
import { type Caller, openWorld, type World } from '../../world.ts'
import { contractIn, type PaymentBody } from './payments-stage.ts'

const DEED = { operator: 'ana', evidence: 'ticket 4711' }
/** By which channel the payer is reached, who paid by a code that any bank reads. */
const PAYERS = {
  instapay: { name: 'Ana Reyes', wallet: '001234567890', tag: 'BOPIPHMM' },
  gcash: { name: 'Ana Reyes', mobile: '+639171234567' },
}
type Way = keyof typeof PAYERS

let world: World
let reader: Session
let writer: Session
beforeAll(async () => {
  const channels = SHIPPED_CHANNELS.map((channel) => ({ ...channel, undo_seconds: 0 }))
  world = await openWorld({ workers: 'resting', config: { channels } })
  reader = openPlannedSession(world.operators)
  writer = openKeyedSession(world.operators)
})
afterAll(async () => {
  await Promise.all([reader.close(), writer.close()])
  await world.stop()
})

const execute: Execute = (request) => world.gateway.deps.execute({ ...request, afterRestore: true })

/** What workers do for an account, until nothing is due. */
async function workFor({ account: { accountId } }: Caller): Promise<void> {
  const { payments } = world.gateway.deps
  const { connectors, freezes, leaseMs, crashPoint } = payments
  for (let looks = 0; looks < 20; looks++) {
    const [row] = await world.sql(
      `select ${JOB_COLUMNS} from jobs j where j.account_id = $1 and j.due_at <= now() order by j.due_at limit 1`,
      [accountId],
    )
    if (!row) return
    const job = jobFrom(row)
    if (job.kind === 'collection') await runCollection({ execute, payments }, job)
    else await runPayout({ execute, connectors, freezes, leaseMs, crashPoint }, job)
  }
}

const TABLES = `select c.relname from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
 where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
   and c.relname not in ('adopted_orders')`

/** All that the books have of an account, as a backup would; the answer brings it back. */
async function backup({ account: { accountId } }: Caller): Promise<() => Promise<void>> {
  const tables = (await world.sql<{ relname: string }>(TABLES)).map(({ relname }) => relname)
  for (const each of tables) {
    await world.sql(`drop table if exists pg_temp.copy_of_${each}`)
    await world.sql(
      `create temp table copy_of_${each} as select * from public.${each} where account_id = '${accountId}'`,
    )
  }
  return async () => {
    await world.sql('begin')
    await world.sql('set local session_replication_role = replica')
    for (const each of tables) {
      await world.sql(`delete from public.${each} where account_id = $1`, [accountId])
      await world.sql(`insert into public.${each} select * from copy_of_${each}`)
    }
    await world.sql('commit')
    await world.sql(`insert into epochs (number, reason) values (2, 'declared') on conflict (number) do update
                     set proposed_by = null, proposed_at = null, resumed_by = null, resumed_at = null`)
  }
}

async function compared(way: Way) {
  const { channels, callbacks, nowMs, randomHex } = world.gateway.deps
  const rail = callbacks.connectors.get(way)
  if (!rail) throw new Error('there is no such channel')
  const alone = { ...channels, all: () => channels.all().filter(({ id }) => id === way) }
  const deps: CompareDeps = {
    reader,
    writer,
    channels: alone,
    ids: { nowMs, randomHex },
    withConnector: (_, work) => work(rail),
  }
  const report = await compareAll(deps, null, DEED)
  if (isRefusal(report)) throw new Error(report.message)
  await world.sql(
    `update epochs set proposed_by = 'ana', proposed_at = now(), resumed_by = 'ben', resumed_at = now() where number = 2`,
  )
  return { deps, lines: report.lines }
}

/** The orders of the provider's statement of today, by reference. */
async function ordersAt(way: Way): Promise<readonly string[]> {
  const rail = world.gateway.deps.callbacks.connectors.get(way)
  if (!rail || !fetchesStatements(rail)) throw new Error('it makes no statements')
  const lines = await rail.fetchStatement(dayText(dayAt(Date.now())))
  return (lines ?? []).map(({ reference }) => reference)
}

async function cancelled(caller: Caller): Promise<string> {
  const body = { amount: 100, currency: 'PHP' }
  const { id } = contractIn(await caller.ask('POST', '/contracts/payment', { body }))
  await caller.ask('DELETE', `/contracts/payment/${id}`)
  return id
}

/** The acquirer's word of money that came on the code after all. */
async function comesLate({ account: { lane, accountId } }: Caller, id: string, way: Way): Promise<void> {
  const payer = { channelId: way, recipient: PAYERS[way] }
  const money = { objectId: `money of ${id}`, amountMinor: 10_000n, currency: 'PHP', assetUnits: null, payer }
  const report = { ...money, outcome: 'succeeded', attempt: null, channelId: 'qrph', failure: null, shown: {} } as const
  const event = { id: `event of ${id}`, type: 'any', body: null, bodyHash: null }
  const command = { verb: 'receive', id, event, report, unallocated: 'suspense' } as const
  await execute({ lane, accountId, keyId: null, idempotency: null, command })
}

const get = async (caller: Caller, id: string): Promise<PaymentBody> =>
  contractIn(await caller.ask('GET', `/contracts/payment/${id}`))

describe.each(Object.keys(PAYERS) as Way[])('late money that went back by %s', (way) => {
  test('is not sent again where the books that came back have it in suspense: that return is begun and ends it', async () => {
    const caller = await world.newCaller()
    const before = await caller.balance('PHP')
    const known = await ordersAt(way)
    const id = await cancelled(caller)
    await comesLate(caller, id, way)
    const comesBack = await backup(caller)
    await workFor(caller)
    const [lost] = (await get(caller, id)).refunds
    const sent = await ordersAt(way)
    expect(sent).toHaveLength(known.length + 1)
    await comesBack()
    expect(await get(caller, id)).toMatchObject({ amount_in_suspense: 100, refunds: [] })

    const { lines } = await compared(way)
    const line = lines.find(({ contractId }) => contractId === lost?.transfer_id)
    expect(line).toMatchObject({ kind: 'adopted' })
    await workFor(caller)
    expect(await ordersAt(way)).toEqual(sent)
    expect(await get(caller, id)).toMatchObject({
      amount_in_suspense: 0,
      refunds: [{ from: 'suspense', amount: 100, status: 'done', transfer_id: lost?.transfer_id }],
    })
    expect(await caller.balance('PHP')).toBe(before)
    await world.ledgerHolds()
  })

  test('is not sent again where the money is booked after the restore: it is held, and ended by the return that was adopted', async () => {
    const caller = await world.newCaller()
    const before = await caller.balance('PHP')
    const id = await cancelled(caller)
    const comesBack = await backup(caller)
    await comesLate(caller, id, way)
    await workFor(caller)
    const [lost] = (await get(caller, id)).refunds
    const sent = await ordersAt(way)
    await comesBack()

    const { deps, lines } = await compared(way)
    const adopted = lost?.transfer_id ?? ''
    expect(lines.find(({ contractId }) => contractId === adopted)).toMatchObject({ kind: 'in_review' })
    await comesLate(caller, id, way)
    await workFor(caller)
    expect(await ordersAt(way)).toEqual(sent)
    expect(await get(caller, id)).toMatchObject({ amount_in_suspense: 100, refunds: [] })
    const { lane, accountId } = caller.account
    const transferId = world.gateway.deps.newContractId(caller.account, null)
    const command = { verb: 'return', id, transferId, route: null, allowed: 'may not pay' } as const
    const again = () => execute({ lane, accountId, keyId: null, idempotency: null, command })
    expect(await again()).toMatchObject({ code: 'restored_request', contractId: adopted })
    expect(await resolveTransfer(deps, adopted, 'delivered', DEED)).toMatchObject({ contract: { status: 'completed' } })
    expect(await again()).toMatchObject({ kind: 'contract' })
    await workFor(caller)
    expect(await get(caller, id)).toMatchObject({
      amount_in_suspense: 0,
      refunds: [{ from: 'suspense', amount: 100, status: 'done', transfer_id: adopted }],
    })
    expect(await ordersAt(way)).toEqual(sent)
    expect(await caller.balance('PHP')).toBe(before)
    await world.ledgerHolds()
  })
})
