// After a restore that has undone what rows of a command did: their orders were found at the provider. Nobody is paid twice, and no
// row is left as failed whose money went, for whoever mends what failed would send it once more.
import { afterAll, expect, test } from 'vitest'
import type { RunDeps } from '../../../src/app/commands/run.ts'
import { standingStill } from '../../../src/app/recoveries/recovery.ts'
import type { Execute } from '../../../src/engine/command-request.ts'
import { openWorld } from '../../world.ts'
import { profilesOf } from '../profiles/profile-stage.ts'
import { paidContracts, workOnCommands } from '../schedules/schedule-stage.ts'
import { drafts, give, rowsOf } from './command-stage.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
afterAll(() => world.stop())
const { lane, accountId } = caller.account
const execute: Execute = (request) => world.gateway.deps.execute({ ...request, afterRestore: true })
const changed: Partial<RunDeps> = { execute }

await world.sql(
  `insert into epochs (number, reason, proposed_by, proposed_at, resumed_by, resumed_at)
   values (2, 'declared', 'ana', now(), 'ben', now())`,
)

/** The contracts of a command are among those that the recovery adopted. */
const adopt = (commandId: string) =>
  world.sql(
    `insert into adopted_orders (lane, account_id, contract_id, reference, epoch, channel_id, amount_minor, currency, found_at)
     select $1, $2, r.contract_id, r.contract_id::text, 2, 'sandbox', 1000, 'PHP', now() from command_rows r where r.command_id = $3`,
    [lane, accountId, commandId],
  )
/** As in the copy: the rows were not begun, and no answer to a step is known. */
const undo = async (commandId: string) => {
  await world.sql(`update command_rows set status = 'queued', contract_id = null, step = null where command_id = $1`, [
    commandId,
  ])
  await world.sql(
    `update commands set status = 'queued', begun = -1, ended_at = null, due_at = now(), done = 0 where id = $1`,
    [commandId],
  )
  await world.sql('delete from idempotency_keys where account_id = $1', [accountId])
}

const FILE = { type: 'transfers.payout', rows: drafts(3) }

test('a command that the copy has goes on: rows whose contracts were adopted are done', async () => {
  const { id } = await give(caller, FILE)
  await workOnCommands(world, changed)
  const before = await rowsOf(caller, id)
  expect(before.map(({ status }) => status)).toEqual(['done', 'done', 'done'])
  await adopt(id)
  await undo(id)
  const paid = await paidContracts(world, caller)
  await workOnCommands(world, changed)
  const after = await rowsOf(caller, id)
  expect(after).toMatchObject(
    before.map(({ contract_id: contractId }) => ({ status: 'done', contract_id: contractId })),
  )
  expect(await paidContracts(world, caller)).toBe(paid)
})

test('a row whose profile was archived since names the contract that it made', async () => {
  const profiles = profilesOf(caller)
  const payee = await profiles.make()
  await profiles.pay(payee.id)
  const rows = [{ amount: 10, currency: 'PHP', recipient: { profile: payee.id } }]
  const { id } = await give(caller, { type: 'transfers.payout', rows })
  await workOnCommands(world, changed)
  const [before] = await rowsOf(caller, id)
  expect(before?.status).toBe('done')
  await adopt(id)
  await undo(id)
  await profiles.archive(payee.id)
  await workOnCommands(world, changed)
  expect(await rowsOf(caller, id)).toMatchObject([
    { status: 'failed', contract_id: before?.contract_id, error: { code: 'restored_request' } },
  ])
})

test('a file that is sent again under its key meets the contracts that it made; a row of another amount is refused with that', async () => {
  const key = { 'idempotency-key': 'payroll' }
  const send = async (rows: readonly object[]) => {
    const reply = await caller.ask('POST', '/commands', { body: { ...FILE, rows }, headers: key })
    expect(reply.status, reply.text).toBe(200)
    const { id } = reply.data['command'] as { id: string }
    await workOnCommands(world, changed)
    return { id, rows: await rowsOf(caller, id) }
  }
  const lost = await send(drafts(3))
  await adopt(lost.id)
  await world.sql('delete from command_rows where command_id = $1', [lost.id])
  await world.sql('delete from commands where id = $1', [lost.id])
  await world.sql('delete from idempotency_keys where account_id = $1', [accountId])
  const paid = await paidContracts(world, caller)
  const [first, second, third] = drafts(3)
  const again = await send([first ?? {}, second ?? {}, { ...third, amount: 7 }])
  expect(again.id).not.toBe(lost.id)
  const contracts = lost.rows.map(({ contract_id: id }) => id)
  expect(again.rows).toMatchObject([
    { status: 'done', contract_id: contracts[0] },
    { status: 'done', contract_id: contracts[1] },
    { status: 'failed', contract_id: contracts[2], error: { code: 'restored_request' } },
  ])
  expect(await paidContracts(world, caller)).toBe(paid)
})

test('rows that meet a recovery which begins in that moment are left to do, and done after it', async () => {
  const { id } = await give(caller, FILE)
  const inRecovery = standingStill({ isOn: () => true, wasEver: () => true }, world.gateway.deps.execute)
  await workOnCommands(world, { execute: inRecovery }, 'once')
  expect((await rowsOf(caller, id)).map(({ status }) => status)).toEqual(['queued', 'queued', 'queued'])
  await workOnCommands(world, changed)
  expect((await rowsOf(caller, id)).map(({ status }) => status)).toEqual(['done', 'done', 'done'])
})
