// The rows of verifiers and verifications in the wall between accounts.
import { createHmac, randomBytes } from 'node:crypto'
import type { Caller, World } from '../../world.ts'
import type { Row, Rows } from './tenant-row.ts'

type Made = { readonly id: string }
const ENTRIES = { entries: [{ name: 'Felix Moravec' }] }

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
  await changed(world, owner, id, `status = 'unavailable', due_at = null, ended_at = now()`)
  return id
}

/** One that is called, at a port where nobody listens. */
export async function hook(world: World, owner: Caller): Promise<string> {
  await world.sql(`update verifiers set status = 'archived' where account_id = $1`, [owner.account.accountId])
  const body = { kind: 'otp', name: 'Codes', url: 'http://127.0.0.1:9/send' }
  const { data } = await owner.ask('POST', '/verifiers', { body })
  return (data['verifier'] as Made).id
}

export const CODE = '123456'

/** One that waits for {@link CODE}. */
export async function codeWaited(world: World, owner: Caller, made = hook): Promise<string> {
  const recipient = { name: `Ana ${++count}`, mobile: '+639171234567' }
  const body = { verifier: await made(world, owner), recipient }
  const { data } = await owner.ask('POST', '/verifications', { body })
  const { id } = data['verification'] as Made
  const { accountId } = owner.account
  const key = randomBytes(32)
  const about = { accountId, id, purpose: 'verification code' }
  const code = {
    hash: createHmac('sha256', key).update(CODE).digest('hex'),
    keySealed: world.gateway.deps.webhooks.sealing.seal(key.toString('base64'), about),
    madeAt: Date.now(),
    isSent: true,
    sends: 1,
    wrong: 0,
  }
  const document = JSON.stringify({ code })
  await changed(
    world,
    owner,
    id,
    `due_at = now() + interval '1 hour', document = (v.document::jsonb || $4)::json`,
    document,
  )
  return id
}

/** While the account is held: whoever asked the verifier may just be recording what it said. */
const changed = (world: World, { account }: Caller, id: string, to: string, ...values: readonly unknown[]) =>
  world.sql(
    `with held as materialized
       (select a.account_id from accounts a where a.lane = $2 and a.account_id = $3 for no key update)
     update verifications v set fence = v.fence + 1, ${to} from held
      where v.lane = $2 and v.account_id = held.account_id and v.id = $1`,
    [id, account.lane, account.accountId, ...values],
  )

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
    'POST /verifications/{id}/answer': reads((owner) => codeWaited(world, owner), { code: CODE }),
    'POST /verifiers/{id}/roll-secret': writes({}, (owner) => hook(world, owner)),
    'POST /verifiers/{id}/try': writes({}, (owner) => hook(world, owner)),
  }
}
