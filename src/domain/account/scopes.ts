// What an API key may do, and what only people may. A route names the scope it needs; a token may only read.

export const SCOPES = [
  'contracts:read',
  'contracts:write',
  'transfers:issue',
  'transfers:pay',
  'transfers:cancel',
  'wallets:read',
  'events:read',
  'webhooks:manage',
  'payments:refund',
  'events:write',
  'accounts:read',
  'accounts:write',
  'keys:write',
  'members:write',
  'wallets:write',
  'profiles:read',
  'profiles:write',
  'commands:read',
  'commands:write',
  'policies:read',
  'policies:write',
  'verifiers:read',
  'verifiers:write',
  'audit:read',
  'metrics:read',
] as const
export type KeyScope = (typeof SCOPES)[number]

/** Never of a key: whoever approves what others have made is a person who is signed in. */
export const PERSONAL_SCOPES = ['approvals:write'] as const

/** Never of a key: members of an account that operates the gateway have them, by their role. */
export const OPERATIONS_SCOPES = ['operations:read', 'operations:write', 'operations:approve'] as const

/** What only members have, whatever their account. */
export const MEMBER_SCOPES = [...PERSONAL_SCOPES, ...OPERATIONS_SCOPES] as const

export type Scope = KeyScope | (typeof MEMBER_SCOPES)[number]

/**
 * Granted only by name: figures cover the whole installation, and the others decide who may do what, and under which rules.
 */
const BY_NAME: readonly KeyScope[] = [
  'metrics:read',
  'accounts:write',
  'keys:write',
  'members:write',
  'policies:write',
  'verifiers:write',
]

/** What a key may do by default. */
export const ACCOUNT_SCOPES: readonly KeyScope[] = SCOPES.filter((scope) => !BY_NAME.includes(scope))

/** What an account's first key may do: everything of the account, and so make every other key. */
export const OWN_SCOPES: readonly KeyScope[] = SCOPES.filter((scope) => scope !== 'metrics:read')

/** What a bearer token may do: it is read-only (docs/design/areas.md). */
export const TOKEN_SCOPES: readonly KeyScope[] = ['contracts:read']

export function isScope(text: string): text is KeyScope {
  return (SCOPES as readonly string[]).includes(text)
}
