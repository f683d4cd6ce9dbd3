// Commands whose request was broken off: the gateway died between what it wrote and what it would have answered. The same request
// again goes on with the command that there is, and pays nobody twice.
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../../world.ts'

const world = await openWorld()
const { caller } = world
afterAll(() => world.stop())

type Command = { readonly id: string; readonly status: string }

const ROWS = ['Ana Reyes', 'Ben Cruz'].map((name) => ({
  amount: 30,
  currency: 'PHP',
  channel: 'sandbox',
  recipient: { name, wallet: '000123456789' },
}))
const FILE = { type: 'transfers.payout', rows: ROWS }

const send = (key: string, body: object = FILE) =>
  caller.ask('POST', '/commands', { body, headers: { 'idempotency-key': key } })
const commandIn = ({ data }: { readonly data: Readonly<Record<string, unknown>> }) => data['command'] as Command
const ended = (id: string) =>
  expect
    .poll(async () => commandIn(await caller.ask('GET', `/commands/${id}`)).status, { timeout: 60_000 })
    .toBe('completed')
const commands = async () => (await caller.ask('GET', '/commands')).data['commands'] as readonly Command[]
/** What the key's row is when the process died before it kept the reply; `seconds` ago. */
const loseReply = (seconds: number) =>
  world.sql(
    `update idempotency_keys set reply_sealed = null, claimed_at = now() - make_interval(secs => $2)
      where account_id = $1 and carried_out is not null`,
    [caller.account.accountId, seconds],
  )

test('a file whose answer was lost is the same command again, and pays each row once', async () => {
  const key = randomUUID()
  const first = commandIn(await send(key))
  await ended(first.id)
  const paid = await caller.balance('PHP')
  await loseReply(120)
  const again = await send(key)
  expect([again.status, commandIn(again).id]).toEqual([200, first.id])
  await ended(first.id)
  expect(await commands()).toHaveLength(1)
  expect(await caller.balance('PHP')).toBe(paid)
  expect((await send(key)).headers['idempotent-replayed']).toBe('true')
  await world.ledgerHolds()
})

test.each(['before it had rows', 'before it was started'])(
  'one that died %s goes on with the same command',
  async (when) => {
    const [key, before, there] = [randomUUID(), await caller.balance('PHP'), (await commands()).length]
    const open = commandIn(await send(key, { type: 'transfers.payout', dry_run: true, rows: ROWS }))
    await ended(open.id)
    const columns = `status = 'open', started_at = null, ended_at = null, up_to = null, due_at = null`
    await world.sql(
      `update commands set ${columns}, total = 0, done = 0, failed = 0, waiting = 0, skipped = 0 where id = $1`,
      [open.id],
    )
    await world.sql('delete from command_rows where command_id = $1', [open.id])
    if (when === 'before it was started')
      await caller.ask('POST', `/commands/${open.id}/rows`, { body: { rows: ROWS } })
    await loseReply(120)
    const again = await send(key, { type: 'transfers.payout', dry_run: true, rows: ROWS })
    expect([again.status, commandIn(again).id], again.text).toEqual([200, open.id])
    await ended(open.id)
    expect(await commands()).toHaveLength(there + 1)
    expect(await caller.balance('PHP')).toBe(before)
  },
)

test('one that may still be worked on is waited for, and then said to be', async () => {
  const key = randomUUID()
  await send(key)
  await loseReply(0)
  const again = await send(key)
  expect([again.status, again.error.code]).toEqual([409, 'idempotency_in_progress'])
})
