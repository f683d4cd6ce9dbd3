// A transfer that was sent, and of which nobody will ever know the outcome: nothing asks about it any more.
import type { Caller, World } from '../../world.ts'

const CONNECTOR = { notFoundFinalAfterMs: 1000, dedupeLifetimeMs: null, inquiry: true }

/** On a channel that nothing is sent by meanwhile, so that workers leave it alone. */
export async function stuckTransfer(world: World, { account, paid }: Caller, amount: number): Promise<string> {
  const { lane, accountId } = account
  await world.sql(
    `insert into channel_freezes (channel_id, reason) values ('sandbox', 'for the test') on conflict do nothing`,
  )
  // Workers look at the freezes each second.
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const execute = (command: object) =>
    world.gateway.deps.execute({ lane, accountId, keyId: null, idempotency: null, command: command as never })
  const { id } = await paid({ amount })
  const report = { verb: 'report', id, number: 1, channelId: 'sandbox', fence: 1, connector: CONNECTOR }
  await execute({ verb: 'submit', id, leaseMs: 60_000, connector: CONNECTOR })
  await execute({ ...report, outcome: { kind: 'unknown', reason: 'the call timed out' } })
  await world.sql('update jobs set due_at = null where contract_id = $1', [id])
  await world.sql(`delete from channel_freezes where channel_id = 'sandbox'`)
  return id
}
