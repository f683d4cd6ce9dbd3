// A provider's statement against the books, with the real provider's own statement, and with statements written here for
// what a provider that keeps its books would never say.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { acknowledgeFreeze } from '../../src/app/operator/operator-actions.ts'
import { reconcile, type ReconcileDeps, type Reconciliation, yesterday } from '../../src/app/operator/reconcile.ts'
import { SHIPPED_CHANNELS } from '../../src/connectors/catalogue.ts'
import {
  fetchesStatements,
  type FetchesStatements,
  type Connector,
  type StatementLine,
} from '../../src/connectors/connector.ts'
import { dayAt, dayText } from '../../src/domain/channel/reconcile.ts'
import { isRefusal, type Refusal } from '../../src/domain/contract/refusals.ts'
import { openKeyedSession, openPlannedSession } from '../../src/main/database/database.ts'
import type { Session } from '../../src/platform/db.ts'
import { bankEntry, bankStatement, linesIn } from '../connectors/bank-statements.ts'
import { type Caller, type ContractBody, openWorld, type World } from '../world.ts'

const CHANNELS = SHIPPED_CHANNELS.map((channel) =>
  channel.id === 'instapay' ? { ...channel, undo_seconds: 0 } : channel,
)
const DAY_MS = 86_400_000

let world: World
let caller: Caller
let reader: Session
let writer: Session
let instapay: Connector & FetchesStatements
beforeAll(async () => {
  world = await openWorld({ config: { channels: CHANNELS } })
  caller = world.caller
  reader = openPlannedSession(world.operators)
  writer = openKeyedSession(world.operators)
  const connector = world.gateway.deps.callbacks.connectors.get('instapay')
  if (!connector || !fetchesStatements(connector)) throw new Error('instapay has a statement')
  instapay = connector
})
afterAll(async () => {
  await Promise.all([reader.close(), writer.close()])
  await world.stop()
})

const ids = () => ({ nowMs: world.gateway.deps.nowMs, randomHex: world.gateway.deps.randomHex })
const today = () => dayText(dayAt(Date.now()))
const operatorDeps = () => ({ reader, writer, channels: world.gateway.deps.channels, ids: ids() })

/** What is compared with: the provider's own statement, or lines written here; `nowMs` in place of the present. */
function depsWith(fetchStatement: FetchesStatements['fetchStatement'], nowMs = Date.now()): ReconcileDeps {
  const connectors = new Map<string, Connector>([
    ['instapay', { ...instapay, fetchStatement } as Connector & FetchesStatements],
  ])
  const { execute, channels } = world.gateway.deps
  return { execute, channels, connectors, reader, ids: { ...ids(), nowMs: () => nowMs } }
}
const theirs = (nowMs?: number) => depsWith((day) => instapay.fetchStatement(day), nowMs)
const written = (lines: readonly StatementLine[], nowMs?: number) =>
  depsWith(async (day) => (day === today() ? lines : []), nowMs)

async function fits(deps: ReconcileDeps, day = today()): Promise<Reconciliation> {
  const result = await reconcile(deps, 'instapay', day)
  if (isRefusal(result)) throw new Error(result.message)
  return result
}

const provider = async (path: string, body: unknown) => {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(world.sandboxUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(reply.status).toBe(200)
  return (await reply.json()) as Record<string, unknown>
}
const without = (id: unknown) => fetch(`${world.sandboxUrl}/scenarios/${String(id)}`, { method: 'DELETE' })
const scripted = async (body: object) => (await provider('/scenarios', { rail: 'instapay', ...body }))['id']

async function paid(fields: object = {}, by = caller): Promise<ContractBody> {
  const recipient = { name: 'Ana Reyes', wallet: '001234567890', tag: 'BOPIPHMM' }
  return by.paid({ channel: 'instapay', recipient, ...fields })
}
async function delivered(fields: object = {}): Promise<ContractBody> {
  const { id } = await paid(fields)
  expect(await world.settle(id)).toBe('completed')
  return caller.get(id)
}
const lineOf = (
  contract: ContractBody,
  kind: StatementLine['kind'] = 'sent',
  changes: Partial<StatementLine> = {},
) => ({
  reference: contract.transfer.reference ?? '',
  kind,
  amountDecimal: contract.preview.receive_amount.toFixed(2),
  currency: 'PHP',
  ...changes,
})

/** Every attempt of this file so far that has gone, as the provider would list it. */
async function truth(): Promise<StatementLine[]> {
  const contracts = await caller.all<ContractBody>('/contracts/transfer', 'contracts')
  return contracts.filter(({ transfer }) => transfer.completed_at !== null).map((contract) => lineOf(contract))
}

const untilStatus = (id: string, status: string) =>
  vi.waitFor(async () => expect((await caller.get(id)).transfer.status).toBe(status), 30_000)

test('the provider’s own statement fits what was delivered, line by line, and the comparison is kept', async () => {
  for (const amount of [100, 250.5, 49_999.99]) await delivered({ amount })
  const result = await fits(theirs())
  expect(result).toEqual({
    channelId: 'instapay',
    day: today(),
    matched: 3,
    awaited: 0,
    mended: [],
    findings: [],
    frozen: false,
  })
  const rows = await world.sql('select channel_id, day::text, matched, findings from reconciliations')
  expect(rows).toEqual([{ channel_id: 'instapay', day: today(), matched: 3, findings: [] }])
})

test('a line that the provider lacks is awaited while its day runs, and named as missing after it', async () => {
  const contract = await delivered()
  const omit = await scripted({ statement: { omit: contract.transfer.reference } })
  expect(await fits(theirs())).toMatchObject({ awaited: 1, findings: [] })
  // The provider writes no statement of a day that has not begun, so its tomorrow is written here.
  const tomorrow = async (day: string) => (day > today() ? [] : instapay.fetchStatement(day))
  const result = await fits(depsWith(tomorrow, Date.now() + DAY_MS))
  expect(result).toMatchObject({ awaited: 0, frozen: false })
  expect(result.findings).toMatchObject([
    { kind: 'missing', line: 'sent', reference: contract.transfer.reference, contractId: contract.id },
  ])
  await without(omit)
  const others = (await truth()).filter((line) => line.reference !== contract.transfer.reference)
  const late = async (day: string) => (day > today() ? [lineOf(contract)] : day === today() ? others : [])
  expect(await fits(depsWith(late, Date.now() + DAY_MS))).toMatchObject({ findings: [] })
})

test('a credit that a bank marks by its code and its indicator alone is money that came back: the wallet has it', async () => {
  const owner = await world.newCaller()
  const { id } = await paid({}, owner)
  expect(await world.settle(id)).toBe('completed')
  const contract = await owner.get(id)
  const { available } = await owner.wallet('PHP')
  const { reference, amountDecimal } = lineOf(contract)
  const entries = [
    bankEntry('debit', reference, { amountDecimal }),
    bankEntry('credit', reference, { amountDecimal, isReversal: true, isReturn: true }),
  ]
  const day = today()
  const lines = await linesIn(bankStatement(day, entries), day)
  const result = await fits(depsWith(async (of) => (of === day ? lines : [])))
  expect(result).toMatchObject({ mended: [reference], findings: [] })
  await vi.waitFor(async () => expect((await owner.get(id)).status).toBe('cancelled'), 30_000)
  expect((await owner.get(id)).transfer.status).toBe('returned')
  expect((await owner.wallet('PHP')).available - available).toBe(contract.preview.receive_amount)
  await world.ledgerHolds()
})

test('an extra line freezes the channel until it is acknowledged: nothing leaves, what is open is still asked', async () => {
  const extra = await scripted({ statement: { extra: { reference: 'somebody-elses-payout', amount: '77.00' } } })
  const stuck = await paid({ amount: 100.11 })
  await untilStatus(stuck.id, 'accepted')
  const result = await fits(theirs())
  expect(result).toMatchObject({ frozen: true, findings: [{ kind: 'extra', contractId: null, acknowledged: false }] })
  const [freeze] = await world.sql<{ reason: string }>('select reason from channel_freezes')
  expect(freeze?.reason).toContain('somebody-elses-payout')
  // The workers look at freezes once a second.
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const waiting = await paid()
  await provider('/clock', { advance_seconds: 5 })
  expect(await world.settle(stuck.id)).toBe('completed')
  expect((await caller.get(waiting.id)).transfer.status).toBe('queued')

  const deed = { operator: 'Ana', evidence: 'reversed by the bank, ticket 17' }
  expect(await acknowledgeFreeze(operatorDeps(), 'instapay', deed)).toBeNull()
  expect(await acknowledgeFreeze(operatorDeps(), 'instapay', deed)).toMatchObject({ code: 'channel_not_found' })
  const actions = await world.sql('select operator, action, target, evidence from operator_actions')
  expect(actions).toEqual([{ ...deed, action: 'acknowledge', target: 'instapay' }])
  expect(await world.settle(waiting.id)).toBe('completed')

  // Known by now, it stops nothing again; a second one like it does.
  expect(await fits(theirs())).toMatchObject({ frozen: false, findings: [{ kind: 'extra', acknowledged: true }] })
  const second = await scripted({ statement: { extra: { reference: 'somebody-elses-payout', amount: '77.00' } } })
  expect(await fits(theirs())).toMatchObject({
    frozen: true,
    findings: [{ acknowledged: true }, { acknowledged: false }],
  })
  await acknowledgeFreeze(operatorDeps(), 'instapay', deed)
  await Promise.all([without(extra), without(second)])
  expect(await fits(theirs())).toMatchObject({ frozen: false, findings: [] })
})

test('a delivery that nobody told us about is told to the engine, and counted as mended', async () => {
  const account = '009900990099'
  await scripted({ match: { account }, wire: 'error_after', inquiry: 'not_found' })
  const { id } = await paid({ recipient: { name: 'Ana Reyes', wallet: account, tag: 'BOPIPHMM' } })
  await untilStatus(id, 'unknown')
  // Asked in vain, it must not be sent again meanwhile.
  await world.sql(`update jobs set due_at = now() + interval '1 hour' where contract_id = $1`, [id])
  const { reference } = (await caller.get(id)).transfer
  expect(await fits(theirs())).toMatchObject({ mended: [reference], findings: [] })
  const contract = await caller.get(id)
  expect([contract.status, contract.transfer.status]).toEqual(['completed', 'delivered'])
  const [row] = await world.sql<{ findings: unknown }>('select findings from reconciliations order by at desc limit 1')
  expect(row?.findings).toEqual([{ kind: 'mended', reference }])
  expect((await fits(theirs())).mended).toEqual([])
  await world.ledgerHolds()
})

test('what the statement shows as returned comes back, refunded by the account’s policy', async () => {
  const contract = await delivered({ amount: 333 })
  const lines = [...(await truth()), lineOf(contract, 'returned')]
  expect(await fits(written(lines))).toMatchObject({ mended: [contract.transfer.reference], findings: [] })
  await untilStatus(contract.id, 'returned')
  await vi.waitFor(async () => expect((await caller.get(contract.id)).status).toBe('cancelled'), 30_000)
  expect((await caller.get(contract.id)).refund).toMatchObject({ amount: 333 })
  expect(await fits(written(lines))).toMatchObject({ mended: [], findings: [] })
  await world.ledgerHolds()
})

test('lines of attempts that failed, and lines over other money, are named with their contract', async () => {
  const failed = await paid({ amount: 100.21 })
  expect(await world.settle(failed.id)).toBe('cancelled')
  const reference = `${failed.id.replaceAll('-', '')}001`
  const other = await delivered({ amount: 444 })
  const rest = (await truth()).filter((line) => line.reference !== other.transfer.reference)
  const lines = [...rest, lineOf(failed, 'sent', { reference }), lineOf(other, 'sent', { amountDecimal: '4440.00' })]
  const result = await fits(written(lines))
  expect(result).toMatchObject({ matched: rest.length, frozen: true })
  expect(result.findings).toMatchObject([
    { kind: 'extra', contractId: failed.id, why: expect.stringContaining('no money left') as string },
    { kind: 'differs', contractId: other.id, amountDecimal: '4440.00' },
  ])
  await acknowledgeFreeze(operatorDeps(), 'instapay', { operator: 'Ana', evidence: 'looked at' })
})

test('a debit that the bank reversed and booked anew on the day after is with the payee: nothing is refunded, and all stops', async () => {
  const owner = await world.newCaller()
  const { id } = await paid({}, owner)
  expect(await world.settle(id)).toBe('completed')
  const { available } = await owner.wallet('PHP')
  const { reference, amountDecimal } = lineOf(await owner.get(id))
  const debit = bankEntry('debit', reference, { amountDecimal })
  const reversal = bankEntry('credit', reference, { amountDecimal, isReversal: true })
  const days = { [yesterday(Date.now())]: [debit], [today()]: [reversal, debit] }
  const result = await fits(depsWith((day) => linesIn(bankStatement(day, days[day] ?? []), day)))
  expect(result).toMatchObject({ mended: [], frozen: true, findings: [{ kind: 'extra' }, { kind: 'differs' }] })
  expect((await owner.get(id)).transfer.status).toBe('delivered')
  expect((await owner.wallet('PHP')).available).toBe(available)
  await acknowledgeFreeze(operatorDeps(), 'instapay', { operator: 'Ana', evidence: 'corrected by the bank' })
  await world.ledgerHolds()
})

test('a deposit under a reference that its payer chose stops nothing, whatever it looks like', async () => {
  const other = await delivered({ amount: 555 })
  const failed = await paid({ amount: 100.21 })
  expect(await world.settle(failed.id)).toBe('cancelled')
  const of = (reference: string, amountDecimal: string) => bankEntry('credit', reference, { amountDecimal })
  const entries = [
    of(`${'ab'.repeat(16)}001`, '1.00'),
    of(other.transfer.reference ?? '', '1.00'),
    of(`${failed.id.replaceAll('-', '')}001`, '100.21'),
  ]
  const deposits = (await linesIn(bankStatement(today(), entries), today())) ?? []
  expect(deposits).toHaveLength(3)
  const lines = [...(await truth()), ...deposits]
  const result = await fits(depsWith(async (day) => (day === today() ? lines : [])))
  expect(result).toMatchObject({ mended: [], findings: [], frozen: false })
  expect((await caller.get(other.id)).transfer.status).toBe('delivered')
})

test('a statement that cannot be had or read is refused, and nothing is concluded from it', async () => {
  const before = await world.sql('select count(*) from reconciliations')
  const refused: Refusal[] = []
  const attempted = async (deps: ReconcileDeps, channel = 'instapay', day = today()) => {
    const result = await reconcile(deps, channel, day)
    if (isRefusal(result)) refused.push(result)
  }
  await attempted(depsWith(async () => null))
  await attempted(depsWith(() => Promise.reject(new Error('reset'))))
  await attempted(theirs(), 'nowhere')
  await attempted(theirs(), 'instapay', '2026-02-30')
  await attempted(theirs(), 'instapay', dayText(dayAt(Date.now()) + 1))
  const { connectors } = world.gateway.deps.callbacks
  await attempted({ ...theirs(), connectors }, 'wallet')
  const outage = await scripted({ outage: '503' })
  await attempted(theirs())
  await without(outage)
  expect(refused.map(({ code, param }) => `${code} ${param}`)).toEqual([
    'channel_unavailable channel',
    'channel_unavailable channel',
    'channel_not_found channel',
    'invalid_day day',
    'invalid_day day',
    'invalid_channel channel',
    'channel_unavailable channel',
  ])
  expect(await world.sql('select count(*) from reconciliations')).toEqual(before)
  expect(await world.sql('select * from channel_freezes')).toEqual([])
})

test('yesterday is the day before the present one in Manila', () => {
  expect(yesterday(Date.parse('2026-03-31T15:59:59Z'))).toBe('2026-03-30')
  expect(yesterday(Date.parse('2026-03-31T16:00:00Z'))).toBe('2026-03-31')
})
