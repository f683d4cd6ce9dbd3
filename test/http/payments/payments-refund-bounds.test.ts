// How often one payment is refunded over the wire, and how often late money of it comes and goes back: the stored contract stays
// small, whoever holds the key or the code, and its books hold.
import { afterAll, expect, test } from 'vitest'
import { runCollection } from '../../../src/app/payments/collections.ts'
import { takeUnallocated } from '../../../src/app/payments/unallocated-events.ts'
import { runPayout } from '../../../src/app/transfers/payouts.ts'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import { openKeyedSession, openPlannedSession } from '../../../src/main/database/database.ts'
import { JOB_COLUMNS, jobFrom } from '../../../src/store/jobs/jobs.ts'
import { control } from '../../sandbox/rails.ts'
import { openWorld } from '../../world.ts'
import { contractIn, type PaymentBody, tokenOf } from './payments-stage.ts'
import { CONFIRMED, eventOf, eventRow, makeProvider, tell } from './receiver-world.ts'

const channels = SHIPPED_CHANNELS.map((channel) => ({ ...channel, undo_seconds: 0 }))
const world = await openWorld({ workers: 'resting', config: { channels } })
const [reader, writer] = [openPlannedSession(world.operators), openKeyedSession(world.operators)]
afterAll(async () => {
  await Promise.all([reader.close(), writer.close()])
  await world.stop()
})
const { caller, other } = world

const REFUNDS_MAX = 100
/** Each refund with its line in the history; none of them has ended here. */
const NEWEST_BYTES_MAX = 35_000
const VERSIONS_BYTES_MAX = 2_500_000

async function paidByWallet(): Promise<PaymentBody> {
  const opened = contractIn(await caller.ask('POST', '/contracts/payment', { body: { amount: 100, currency: 'PHP' } }))
  const { id: wallet_id } = await other.wallet('PHP')
  const headers = { authorization: `Bearer ${tokenOf(opened)}`, 'x-api-key': other.apiKey }
  const body = { type: 'wallet', wallet: { wallet_id } }
  return contractIn(await world.ask('PUT', `/contracts/payment/${opened.id}/pay`, { headers, body }))
}

async function sizeOf(id: string) {
  const [row] = await world.sql(
    `select max(octet_length(document::text))::int as newest, sum(octet_length(document::text))::int as total
       from contract_versions where contract_id = $1`,
    [id],
  )
  return row as { newest: number; total: number }
}

test('a key refunds a payment by the centavo a hundred times, and then all that is left', {
  timeout: 60_000,
}, async () => {
  const { id } = await paidByWallet()
  const asked = (body: unknown) => caller.ask('POST', `/contracts/payment/${id}/refunds`, { body })
  for (let n = 0; n < REFUNDS_MAX; n++) expect((await asked({ amount: 0.01 })).status).toBe(200)
  const before = await sizeOf(id)
  for (let n = 0; n < 20; n++) {
    const { status, error } = await asked({ amount: 0.01 })
    expect([status, error.code, error.param]).toEqual([409, 'refunds_exhausted', 'amount'])
    expect(error.message).toMatch(/100 may be of a part\. Leave amount out: .*99\.00/)
  }
  const { newest, total } = await sizeOf(id)
  expect({ newest, total }).toEqual(before)
  console.log(`after ${REFUNDS_MAX} refunds: ${newest} bytes in the newest version, ${total} in all`)
  expect(newest).toBeLessThan(NEWEST_BYTES_MAX)
  expect(total).toBeLessThan(VERSIONS_BYTES_MAX)
  const rest = contractIn(await asked({}))
  expect([rest.amount_refunded, rest.refunds.length]).toEqual([100, REFUNDS_MAX + 1])
  await world.ledgerHolds()
})

const PAYER = { channel: 'instapay', recipient: { name: 'Ana Reyes', wallet: '001234567890', tag: 'BOPIPHMM' } }
/** Each return with three lines in the history, and all of what came and went. */
const RETURNED_BYTES_MAX = 75_000

/** What workers do for the account, until nothing is due. */
async function work(): Promise<void> {
  const { execute, payments } = world.gateway.deps
  const { connectors, freezes, leaseMs, crashPoint } = payments
  for (let looks = 0; looks < 20; looks++) {
    const [row] = await world.sql(
      `select ${JOB_COLUMNS} from jobs j where j.account_id = $1 and j.due_at <= now() order by j.due_at limit 1`,
      [caller.account.accountId],
    )
    if (!row) return
    const job = jobFrom(row)
    if (job.kind === 'collection') await runCollection({ execute, payments }, job)
    else await runPayout({ execute, connectors, freezes, leaseMs, crashPoint }, job)
  }
}

test('late centavos go back a hundred times; the next one waits for a person, who can take it in', {
  timeout: 120_000,
}, async () => {
  const opened = contractIn(await caller.ask('POST', '/contracts/payment', { body: { amount: 100, currency: 'PHP' } }))
  const { id } = opened
  const chosen = await caller.ask('PUT', `/contracts/payment/${id}/pay`, {
    body: { type: 'qr', qr: { scheme: 'qrph' } },
  })
  const { next_action: code } = contractIn(chosen)
  await caller.ask('DELETE', `/contracts/payment/${id}`)
  const provider = await makeProvider(world, caller)
  /** The acquirer has it, too: it is asked before money goes back by an event. */
  const late = async () => {
    const scan = { code: code?.data, amount: '0.01' }
    const { id: paid, reference } = await control(world.sandboxUrl, 'POST', '/qrph/pay', scan)
    return eventOf({ id: paid, reference, amount: 0.01, channel: 'qrph', payer: PAYER })
  }
  const get = async () => contractIn(await caller.ask('GET', `/contracts/payment/${id}`))
  await work()
  for (let n = 0; n < REFUNDS_MAX; n++) {
    expect(await tell(world, provider, await late())).toEqual(CONFIRMED)
    await work()
  }
  const full = await get()
  expect([full.amount_received, full.amount_in_suspense]).toEqual([1, 0])
  expect(full.refunds.filter(({ status }) => status === 'done')).toHaveLength(REFUNDS_MAX)
  const more = await late()
  for (const each of [more, await late(), await late()]) expect(await tell(world, provider, each)).toEqual(CONFIRMED)
  await work()
  // Nothing of it is lost: the operator has the event, with why it waits.
  expect(await eventRow(world, caller, String(more['id']))).toMatchObject({
    status: 'needs_review',
    contract_id: id,
    reason: 'too many amounts came that do not fit the contract, with those that were returned',
  })
  expect(await get()).toEqual(full)
  const { newest, total } = await sizeOf(id)
  console.log(`after ${REFUNDS_MAX} returns: ${newest} bytes in the newest version, ${total} in all`)
  expect(newest).toBeLessThan(RETURNED_BYTES_MAX)

  const { channels: book, nowMs, randomHex } = world.gateway.deps
  const deps = { reader, writer, channels: book, ids: { nowMs, randomHex } }
  const asItCame = { contractId: null, amount: null, currency: null }
  const deed = { operator: 'ana', evidence: 'ticket 4711' }
  const { account } = caller
  expect(await takeUnallocated(deps, account, String(more['id']), asItCame, deed)).toMatchObject({
    reception: 'applied',
  })
  await work()
  const after = await get()
  expect([after.amount_received, after.amount_in_suspense, after.refunds.length]).toEqual([1.01, 0, REFUNDS_MAX + 1])
  await world.ledgerHolds()
})
