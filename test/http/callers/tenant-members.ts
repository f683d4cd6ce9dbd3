// The rows of members in the wall between accounts. What only a session, a link or a password opens has a wall of its own
// (test/http/members/session-wall.test.ts).
import type { Caller } from '../../world.ts'
import type { Row, Rows } from './tenant-row.ts'

let count = 0

async function member(owner: Caller): Promise<string> {
  const body = { email: `member${++count}@shop.example`, role: 'viewer' }
  const { data } = await owner.ask('POST', '/members', { body })
  return (data['member'] as { readonly id: string }).id
}

const writes = (body: unknown, id: Row['id'] | null): Row => ({
  access: 'key',
  scope: 'members:write',
  ...(body === null ? {} : { body }),
  ...(id ? { id } : {}),
})

export const memberRows: Rows = {
  'POST /members': writes({ email: 'ana@shop.example', role: 'viewer' }, null),
  'GET /members': { access: 'key', scope: 'accounts:read' },
  'GET /members/{id}': { access: 'key', scope: 'accounts:read', id: member },
  'PATCH /members/{id}': writes({ name: 'mine now' }, member),
  'POST /members/{id}/reset': writes(null, member),
  'DELETE /members/{id}': writes(null, member),
}

/** For whoever holds a session, and for whoever may get one. */
export const SESSION_ROUTES = [
  'GET /sessions',
  'GET /sessions/current',
  'DELETE /sessions/current',
  'DELETE /sessions/{id}',
  'PUT /members/me/password',
  'POST /members/me/authenticator',
  'PUT /members/me/authenticator',
  'DELETE /members/me/authenticator',
  'POST /members/me/recovery-codes',
  'POST /members/me/passkeys/options',
  'POST /members/me/passkeys',
  'GET /members/me/passkeys',
  'DELETE /members/me/passkeys/{id}',
  'PUT /verifications/{id}/pass',
  'PUT /verifications/{id}/fail',
] as const
export const SIGN_IN_ROUTES = [
  'GET /invitations/{token}',
  'POST /invitations/{token}/accept',
  'POST /invitations/{token}/confirm',
  'POST /sessions',
  'POST /sessions/passkey-options',
  'POST /sessions/oidc',
] as const
/** For members of an account that operates the gateway; their wall is test/http/operations/operation-wall.test.ts. */
export const OPERATION_ROUTES = [
  'GET /operations/transfers',
  'PUT /operations/transfers/{id}/close',
  'GET /operations/resolutions',
  'POST /operations/resolutions',
  'GET /operations/resolutions/{id}',
  'PUT /operations/resolutions/{id}/approve',
  'PUT /operations/resolutions/{id}/reject',
  'GET /operations/freezes',
  'POST /operations/freezes',
  'DELETE /operations/freezes/{channel}',
  'GET /operations/payouts',
  'PUT /operations/payouts/pause',
  'PUT /operations/payouts/resume',
  'GET /operations/recovery',
  'PUT /operations/recovery/compare',
  'PUT /operations/recovery/resume',
  'GET /operations/payment-events',
  'PUT /operations/payment-events/{id}/take',
  'GET /operations/reconciliations',
  'POST /operations/reconciliations',
  'GET /operations/reconciliations/{id}',
  'GET /operations/balances',
  'GET /operations/entries',
  'GET /operations/proofs',
  'POST /operations/proofs',
  'GET /operations/proofs/{id}',
] as const
/** What members say of transfers that wait for them; their wall is test/http/approvals. */
export const APPROVAL_ROUTES = [
  'PUT /contracts/transfer/{id}/approve',
  'PUT /contracts/transfer/{id}/reject',
  'POST /approvals/approve',
] as const
