// A recovery of two tenants against what a bank's statement says, with lines that the books know, have forgotten, or never had: each
// is taken to its end once, whoever's it is, and no balance gives way for it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareAll, type CompareDeps } from '../../../src/app/operator/compare.ts'
import { resolveTransfer } from '../../../src/app/operator/operator-actions.ts'
import type { RecoveryReport } from '../../../src/app/operator/recovery-report.ts'
import { resume } from '../../../src/app/operator/resume.ts'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import type { Connector, FetchesStatements, StatementLine } from '../../../src/connectors/connector.ts'
import { dayAt, dayText } from '../../../src/domain/channel/reconcile.ts'
import { attemptReference, contractUuid } from '../../../src/domain/contract/ids.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { openKeyedSession, openPlannedSession } from '../../../src/main/database/database.ts'
import type { Session } from '../../../src/platform/db.ts'
import { bankEntry, bankStatement, linesIn } from '../../connectors/bank-statements.ts'
import { type Caller, openWorld, type World } from '../../world.ts'

const RECIPIENT = { name: 'Ana Reyes', wallet: '001234567890', tag: 'BOPIPHMM' }
const DEED = { operator: 'ana', evidence: 'ticket 4711' }

let world: World
let reader: Session
let writer: Session
let lines: readonly StatementLine[] | null = []
beforeAll(async () => {
  world = await openWorld({ workers: 'resting', config: { channels: SHIPPED_CHANNELS } })
  reader = openPlannedSession(world.operators)
  writer = openKeyedSession(world.operators)
})
afterAll(async () => {
  await Promise.all([reader.close(), writer.close()])
  await world.stop()
})

/** What operators have, with one channel alone, whose statement of today is written here. */
function deps(): CompareDeps {
  const { channels, callbacks, nowMs, randomHex } = world.gateway.deps
  const instapay = callbacks.connectors.get('instapay')
  if (!instapay) throw new Error('there is no such channel')
  const today = dayText(dayAt(Date.now()))
  const fetchStatement = (day: string) => Promise.resolve(day === today ? lines : lines && [])
  const connector: Connector & FetchesStatements = {
    ...instapay,
    fetchStatement,
    check: () => Promise.resolve({ kind: 'not_found' }),
  }
  const alone = { ...channels, all: () => channels.all().filter(({ id }) => id === 'instapay') }
  const ids = { nowMs, randomHex }
  return { reader, writer, channels: alone, ids, withConnector: (_, work) => work(connector) }
}

async function compared(): Promise<RecoveryReport> {
  const report = await compareAll(deps(), null, { operator: 'ana', evidence: '' })
  if (isRefusal(report)) throw new Error(report.message)
  return report
}

const lineOf = (
  id: string,
  amountDecimal: string,
  kind: StatementLine['kind'] = 'sent',
  number = 1,
): StatementLine => ({
  reference: attemptReference(id, number),
  kind,
  amountDecimal,
  currency: 'PHP',
})
/** The id of a contract that a tenant made in the time that the books lost. */
const lostOf = ({ account }: Caller) => contractUuid(account, Date.now(), world.gateway.deps.randomHex(), null)
const kinds = ({ lines: found }: RecoveryReport) =>
  Object.fromEntries(found.map(({ reference, kind }) => [reference, kind]))
const phpOf = async (caller: Caller) => (await caller.wallet('PHP')).available

test('outside a recovery nothing is compared', async () => {
  expect(await compareAll(deps(), null, DEED)).toMatchObject({ code: 'not_in_recovery' })
})

test('each line is taken to its end once, and the money of both tenants is where the bank has it', async () => {
  const { caller, other } = world
  const issued = await caller.issued({ amount: 100, channel: 'instapay', recipient: RECIPIENT })
  const queued = await other.paid({ amount: 50, channel: 'instapay', recipient: RECIPIENT })
  const untouched = await caller.issued({ amount: 70, channel: 'instapay', recipient: RECIPIENT })
  // Nobody knows whether it was cancelled in the lost time, and its account told that the money is back.
  const waiting = await other.paid({ amount: 40, channel: 'instapay', recipient: RECIPIENT })
  const [mine, theirs, notSent, dear] = [lostOf(caller), lostOf(other), lostOf(caller), lostOf(caller)]
  const before = await phpOf(caller)
  await world.sql(`insert into epochs (number, reason) values (2, 'declared')`)
  const given = [
    lineOf(issued.id, issued.preview.receive_amount.toFixed(2)),
    lineOf(queued.id, queued.preview.receive_amount.toFixed(2)),
    lineOf(mine, '30.00'),
    lineOf(theirs, '20.00'),
    lineOf(notSent, '10.00'),
    lineOf(dear, '99999999.00'),
    { reference: 'SALARY-11', kind: 'sent', amountDecimal: '1.00', currency: 'PHP' } as const,
  ]

  lines = null
  expect((await compared()).channels).toMatchObject([{ channelId: 'instapay', state: 'failed' }])
  expect(await resume(deps(), DEED)).toMatchObject({ code: 'recovery_not_compared' })

  lines = given
  const report = await compared()
  expect(report.channels).toMatchObject([{ channelId: 'instapay', state: 'complete' }])
  const expected = {
    [lineOf(issued.id, '').reference]: 'adopted',
    [lineOf(queued.id, '').reference]: 'settled',
    [lineOf(mine, '').reference]: 'in_review',
    [lineOf(theirs, '').reference]: 'in_review',
    [lineOf(notSent, '').reference]: 'in_review',
    [lineOf(dear, '').reference]: 'lacking',
    'SALARY-11': 'extra',
    [lineOf(waiting.id, '').reference]: 'open',
  }
  expect(kinds(report)).toEqual(expected)
  expect(kinds(await compared())).toEqual(expected)
  expect(report.lines.find(({ contractId }) => contractId === waiting.id)?.words).toMatch(
    /queued.*goes out after the resume/,
  )
  expect((await world.sql(`select 1 from channel_freezes where channel_id = 'instapay'`)).length).toBe(1)

  expect((await caller.get(issued.id)).status).toBe('completed')
  expect((await other.get(queued.id)).status).toBe('completed')
  expect((await caller.get(untouched.id)).status).toBe('issued')
  expect(await caller.get(mine)).toMatchObject({ status: 'paid', amount: 30, transfer: { status: 'unknown' } })
  expect(await other.get(theirs)).toMatchObject({ status: 'paid', amount: 20 })
  expect(before - (await phpOf(caller))).toBe(Number(issued.preview.amount) + 30 + 10)
  const adopted = await world.sql<{ contract_id: string }>('select contract_id from adopted_orders where epoch = 2')
  expect(new Set(adopted.map((row) => row.contract_id))).toEqual(new Set([issued.id, mine, theirs, notSent]))
  await world.ledgerHolds()

  expect(await resolveTransfer(deps(), mine, 'delivered', DEED)).toMatchObject({ contract: { status: 'completed' } })
  expect(await resolveTransfer(deps(), notSent, 'failed', DEED)).toMatchObject({ contract: { status: 'cancelled' } })
  expect(before - (await phpOf(caller))).toBe(Number(issued.preview.amount) + 30)

  // What no wallet can pay for keeps the recovery from its end, until it is left out by name.
  expect(await resume(deps(), DEED)).toMatchObject({ code: 'recovery_not_compared' })
  expect(await resume(deps(), DEED, ['pigeon'])).toMatchObject({ code: 'channel_not_found' })
  expect(await resume(deps(), DEED, ['instapay'])).toMatchObject({ proposedBy: 'ana' })
  expect(await resume(deps(), { ...DEED, operator: 'ben' }, ['instapay'])).toMatchObject({ resumedBy: 'ben' })
  await world.ledgerHolds()
})

test('what the bank reversed by its code and its indicator alone is adopted as returned, not as completed', async () => {
  const { caller } = world
  const { id, preview } = await caller.issued({ amount: 100, channel: 'instapay', recipient: RECIPIENT })
  await world.sql(`insert into epochs (number, reason) values (3, 'declared')`)
  const { reference, amountDecimal } = lineOf(id, preview.receive_amount.toFixed(2))
  const entries = [
    bankEntry('debit', reference, { amountDecimal }),
    bankEntry('credit', reference, { amountDecimal, isReversal: true, isReturn: true }),
  ]
  const today = dayText(dayAt(Date.now()))
  lines = (await linesIn(bankStatement(today, entries), today)) as readonly StatementLine[]
  expect(kinds(await compared())).toMatchObject({ [reference]: 'adopted' })
  expect((await caller.get(id)).status).toBe('returned')
  await world.ledgerHolds()
})

test('what the bank reversed and booked anew is adopted as completed: the payee has the money', async () => {
  const { caller } = world
  const { id, preview } = await caller.issued({ amount: 100, channel: 'instapay', recipient: RECIPIENT })
  await world.sql(`insert into epochs (number, reason) values (4, 'declared')`)
  const { reference, amountDecimal } = lineOf(id, preview.receive_amount.toFixed(2))
  const sent = lineOf(id, amountDecimal)
  lines = [sent, lineOf(id, amountDecimal, 'returned'), sent]
  expect(kinds(await compared())).toMatchObject({ [reference]: 'adopted' })
  expect((await caller.get(id)).status).toBe('completed')
  await world.ledgerHolds()
})

test('a credit that nothing marks is a return of what the books have out, and else a deposit that adopts nothing', async () => {
  const { caller } = world
  const { id, preview } = await caller.paid({ amount: 60, channel: 'instapay', recipient: RECIPIENT })
  await world.sql(`insert into epochs (number, reason) values (5, 'declared')`)
  const out = lineOf(id, preview.receive_amount.toFixed(2))
  const strange = lineOf(lostOf(caller), '1.00')
  const today = dayText(dayAt(Date.now()))
  const entries = [out, strange].map(({ reference, amountDecimal }) =>
    bankEntry('credit', reference, { amountDecimal }),
  )
  lines = (await linesIn(bankStatement(today, entries), today)) as readonly StatementLine[]
  const found = kinds(await compared())
  expect(found).toMatchObject({ [out.reference]: 'settled' })
  expect(found).not.toHaveProperty(strange.reference)
  expect((await caller.get(id)).status).toBe('returned')
  await world.ledgerHolds()
})
