// The rows of policies in the wall between accounts.
import type { Caller } from '../../world.ts'
import { LARGE } from './policy-stage.ts'
import type { Row, Rows } from '../callers/tenant-row.ts'

async function policy(owner: Caller): Promise<string> {
  const { data } = await owner.ask('POST', '/policies', { body: { ...LARGE, status: 'paused' } })
  return (data['policy'] as { readonly id: string }).id
}

const DRAFT = { draft: { amount: 5, currency: 'PHP' } }
const asks = (scope: 'policies:read' | 'policies:write', id: Row['id'] | null, body?: unknown): Row => ({
  access: 'key',
  scope,
  ...(body === undefined ? {} : { body }),
  ...(id ? { id } : {}),
})

export const policyRows: Rows = {
  'POST /policies': asks('policies:write', null, { ...LARGE, status: 'paused' }),
  'GET /policies': asks('policies:read', null),
  'GET /policies/{id}': asks('policies:read', policy),
  'GET /policies/{id}/versions': asks('policies:read', policy),
  'PATCH /policies/{id}': asks('policies:write', policy, { name: 'mine now' }),
  'PUT /policies/{id}/pause': asks('policies:write', policy),
  'PUT /policies/{id}/resume': asks('policies:write', policy),
  'DELETE /policies/{id}': asks('policies:write', policy),
  'PUT /policies/{id}/place': asks('policies:write', policy, {}),
  'POST /policies/preview': asks('policies:read', null, LARGE),
  'POST /policies/rehearse': asks('policies:read', null, { days: 1 }),
  'POST /policies/evaluate': asks('policies:read', null, DRAFT),
  'POST /policies/{id}/evaluate': asks('policies:read', policy, DRAFT),
}
