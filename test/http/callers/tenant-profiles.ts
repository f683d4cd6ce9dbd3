// The rows of profiles in the wall between accounts.
import type { Caller } from '../../world.ts'
import type { Row, Rows } from './tenant-row.ts'

type Made = { readonly id: string }

async function profile(owner: Caller): Promise<string> {
  const { data } = await owner.ask('POST', '/profiles', { body: { name: 'Ana Reyes', mobile: '09171234567' } })
  return (data['profile'] as Made).id
}

const DESTINATION = { channel: 'sandbox', recipient: { wallet: '000123456789' } }

/** A profile with a saved way to pay it: `id/inner`. */
async function destination(owner: Caller): Promise<string> {
  const id = await profile(owner)
  const { data } = await owner.ask('POST', `/profiles/${id}/destinations`, { body: DESTINATION })
  return `${id}/${(data['destination'] as Made).id}`
}

const reads = (id: Row['id'] | null): Row => ({ access: 'key', scope: 'profiles:read', ...(id ? { id } : {}) })
const writes = (body: unknown, id: Row['id'] | null): Row => ({
  access: 'key',
  scope: 'profiles:write',
  ...(body === null ? {} : { body }),
  ...(id ? { id } : {}),
})

export const profileRows: Rows = {
  'POST /profiles': writes({ name: 'Ana' }, null),
  'GET /profiles': reads(null),
  'GET /profiles/{id}': reads(profile),
  'GET /profiles/{id}/versions': reads(profile),
  'PATCH /profiles/{id}': writes({ name: 'mine now' }, profile),
  'DELETE /profiles/{id}': writes(null, profile),
  'PUT /profiles/{id}/restore': writes(null, profile),
  'POST /profiles/{id}/destinations': writes(DESTINATION, profile),
  'PATCH /profiles/{id}/destinations/{destination}': writes({ recipient: { wallet: '000999999999' } }, destination),
  'DELETE /profiles/{id}/destinations/{destination}': writes(null, destination),
}
