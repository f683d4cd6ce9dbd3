// The rows of verifiers and verifications in the wall between accounts.
import type { Caller, World } from '../../world.ts'
import type { Row, Rows } from './tenant-row.ts'

type Made = { readonly id: string }
const ENTRIES = { entries: [{ name: 'Viktor Bout' }] }

/** A list of its own. There is always room for it: those that tests made before are archived. */
export async function list(world: World, owner: Caller): Promise<string> {
  await world.sql(`update verifiers set status = 'archived' where account_id = $1`, [owner.account.accountId])
  const { data } = await owner.ask('POST', '/verifiers', { body: { kind: 'list', name: 'Not to be paid' } })
  return (data['verifier'] as Made).id
}

/** A list with an entry: `id/inner`. */
export async function entry(world: World, owner: Caller): Promise<string> {
  const id = await list(world, owner)
  const { data } = await owner.ask('POST', `/verifiers/${id}/entries`, { body: ENTRIES })
  return `${id}/${(data['entries'] as Made[])[0]?.id}`
}

let count = 0
/** One whose verifier gave no answer. */
export async function verification(world: World, owner: Caller): Promise<string> {
  const body = { kind: 'mobile', recipient: { name: 'Ana', mobile: `+63917${String(++count).padStart(7, '0')}` } }
  const { data } = await owner.ask('POST', '/verifications', { body })
  const { id } = data['verification'] as Made
  await world.sql(
    `update verifications set status = 'unavailable', due_at = null, fence = fence + 1, ended_at = now() where id = $1`,
    [id],
  )
  return id
}

const reads = (id?: Row['id'], body?: unknown): Row => ({
  access: 'key',
  scope: 'verifiers:read',
  ...(body === undefined ? {} : { body }),
  ...(id ? { id } : {}),
})
const writes = (body: unknown, id?: Row['id']): Row => ({ ...reads(id, body ?? undefined), scope: 'verifiers:write' })

export const verifierRows = (world: World): Rows => {
  const [lists, entries] = [(owner: Caller) => list(world, owner), (owner: Caller) => entry(world, owner)]
  const asked = (owner: Caller) => verification(world, owner)
  return {
    'GET /verifiers': reads(),
    'POST /verifiers': writes({ kind: 'list', name: 'Mine' }),
    'GET /verifiers/{id}': reads(lists),
    'PATCH /verifiers/{id}': writes({ name: 'mine now' }, lists),
    'DELETE /verifiers/{id}': writes(null, lists),
    'GET /verifiers/{id}/entries': reads(lists),
    'POST /verifiers/{id}/entries': writes(ENTRIES, lists),
    'DELETE /verifiers/{id}/entries/{entry}': writes(null, entries),
    'POST /verifications': reads(undefined, { kind: 'mobile', recipient: { mobile: '09171234567' } }),
    'GET /verifications': reads(),
    'GET /verifications/{id}': reads(asked),
    'PUT /verifications/{id}/retry': reads(asked),
  }
}
