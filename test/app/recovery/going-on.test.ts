// What goes on by itself after a recovery is in its report, a line for each command and each schedule, until its account has stopped it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareAll, type CompareDeps } from '../../../src/app/operator/compare.ts'
import type { RecoveryReport } from '../../../src/app/operator/recovery-report.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { openKeyedSession, openPlannedSession } from '../../../src/main/database/database.ts'
import type { Session } from '../../../src/platform/db.ts'
import { drafts, give, move } from '../../http/commands/command-stage.ts'
import { makeDue, schedulesOf } from '../../http/schedules/schedule-stage.ts'
import { refundsBesideExecutions } from '../../rig/restored/day-books.ts'
import { openWorld, READY, type World } from '../../world.ts'

let world: World
let reader: Session
let writer: Session
beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  reader = openPlannedSession(world.operators)
  writer = openKeyedSession(world.operators)
})
afterAll(async () => {
  await Promise.all([reader.close(), writer.close()])
  await world.stop()
})

async function compared(): Promise<RecoveryReport['lines']> {
  const { channels, nowMs, randomHex } = world.gateway.deps
  const none = { ...channels, all: () => [] }
  const withConnector: CompareDeps['withConnector'] = () => Promise.reject(new Error('no channel is compared'))
  const deps = { reader, writer, channels: none, ids: { nowMs, randomHex }, withConnector }
  const report = await compareAll(deps, null, { operator: 'ana', evidence: '' })
  if (isRefusal(report)) throw new Error(report.message)
  return report.lines
}

test('a command with rows left and a schedule that is due have one line each, which goes when they are stopped', async () => {
  const { caller, other } = world
  const payout = { type: 'transfers.payout', rows: drafts(5) }
  const [mine, theirs] = [await give(caller, payout), await give(other, payout)]
  await give(caller, { ...payout, dry_run: true })
  await move(caller, (await give(caller, payout)).id, 'cancel')
  await move(caller, (await give(caller, payout)).id, 'pause')
  await give(caller, { type: 'export', what: 'contracts' })
  const schedules = schedulesOf(caller)
  const [due, later] = [await schedules.make(), await schedules.make()]
  await makeDue(world, due.id)
  await world.sql(`insert into epochs (number, reason) values (2, 'declared')`)

  const lines = await compared()
  const named = lines.map(({ channelId, reference, kind }) => [channelId, reference, kind])
  expect(new Set(named.map(String))).toEqual(
    new Set([`commands,${mine.id},open`, `commands,${theirs.id},open`, `schedules,${due.id},open`]),
  )
  expect(named).toHaveLength(3)
  const wordsOf = (id: string) => lines.find(({ reference }) => reference === id)?.words ?? ''
  expect(wordsOf(mine.id)).toContain('5 of 5 rows left')
  expect(wordsOf(theirs.id)).toContain(other.account.accountId)
  expect(wordsOf(due.id)).toMatch(/was to pay by \w+ at .*gateway schedules pause/)
  expect(lines.find(({ reference }) => reference === due.id)).toMatchObject({
    amountMinor: BigInt(Math.round(Number(READY.amount) * 100)),
    currency: READY.currency,
  })
  expect(await compared()).toHaveLength(3)

  await move(caller, mine.id, 'cancel')
  await schedules.pause(due.id)
  expect((await compared()).map(({ reference }) => reference)).toEqual([theirs.id])
  expect((await schedules.get(later.id)).status).toBe('active')
})

test('the judge of the restored day takes such a line for the rows of that command alone', () => {
  const [id, other] = ['0198c8a0-0000-7000-8000-000000000001', '0198c8a0-0000-7000-8000-000000000002']
  const order = (contractId: string) =>
    ({ reference: `${contractId.replaceAll('-', '')}001`, rail: 'x', status: 'completed', executions: 1 }) as const
  const cancelled = (contractId: string) => ({ type: 'contract.cancelled', data: { object: { id: contractId } } })
  const row = (of: string, contractId: string) => ({
    intent: 1,
    of: [of],
    name: 'x',
    status: 'done',
    contractId,
    error: null,
  })
  const foundWith = (reference: string, kind: string) =>
    refundsBesideExecutions({
      orders: [],
      given: [order(id), order(other)],
      told: [[cancelled(id), cancelled(other)]],
      rows: [row('command', id), row('other', other)],
      lines: [{ reference, contract_id: null, kind }],
    } as unknown as Parameters<typeof refundsBesideExecutions>[0])
  expect(foundWith('command', 'open')).toEqual([expect.stringContaining(other)])
  expect(foundWith('command', 'settled')).toHaveLength(2)
  expect(foundWith('elsewhere', 'open')).toHaveLength(2)
})
