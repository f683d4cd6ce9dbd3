// The rows of commands in the wall between accounts.
import type { Caller, World } from '../../world.ts'
import type { Row, Rows } from '../callers/tenant-row.ts'

const TYPE = { type: 'transfers.create' }
const ROW = { amount: 5, currency: 'PHP' }

/** With room for one more, and as another process has it in hand: nothing happens to it beside the requests. */
async function command(world: World, owner: Caller, rows: readonly object[], status = 'open'): Promise<string> {
  await world.sql(
    `update commands set status = 'cancelled', ended_at = now(), due_at = null where account_id = $1 and ended_at is null`,
    [owner.account.accountId],
  )
  const { data } = await owner.ask('POST', '/commands', { body: TYPE })
  const { id } = data['command'] as { readonly id: string }
  if (rows.length > 0) await owner.ask('POST', `/commands/${id}/rows`, { body: { rows } })
  await world.sql(`update commands set status = $2, leased_until = now() + interval '1 day' where id = $1`, [
    id,
    status,
  ])
  return id
}

/** Whose file is there: a part, as if it were whole. */
async function exported(world: World, owner: Caller): Promise<string> {
  const id = await command(world, owner, [])
  await world.sql(
    `update commands set type = 'export', wanted = '{"what":"contracts","format":"csv","filter":{}}', status = 'completed',
            ended_at = now(), file_parts = 1, file_bytes = 4, file_sha256 = $2, file_expires_at = now() + interval '1 day'
      where id = $1`,
    [id, 'ab'.repeat(32)],
  )
  await world.sql(
    `insert into command_file_parts (lane, account_id, command_id, number, content)
     select lane, account_id, id, 0, '{ }' || chr(10) from commands where id = $1`,
    [id],
  )
  return id
}

const reads = (id: Row['id'] | null): Row => ({ access: 'key', scope: 'commands:read', ...(id ? { id } : {}) })
const writes = (body: unknown, id: Row['id'] | null): Row => ({
  access: 'key',
  scope: 'commands:write',
  ...(body === null ? {} : { body }),
  ...(id ? { id } : {}),
})

export function commandRows(world: World): Rows {
  const empty = (owner: Caller) => command(world, owner, [])
  const filled = (owner: Caller) => command(world, owner, [ROW])
  return {
    'POST /commands': writes(TYPE, null),
    'GET /commands': reads(null),
    'GET /commands/{id}': reads(filled),
    'GET /commands/{id}/rows': reads(filled),
    'GET /commands/{id}/file': reads((owner) => exported(world, owner)),
    'POST /commands/{id}/rows': writes({ rows: [ROW] }, empty),
    'PUT /commands/{id}/start': writes(null, filled),
    'PUT /commands/{id}/pause': writes(null, (owner) => command(world, owner, [ROW], 'running')),
    'PUT /commands/{id}/resume': writes(null, (owner) => command(world, owner, [ROW], 'paused')),
    'PUT /commands/{id}/cancel': writes(null, filled),
  }
}
