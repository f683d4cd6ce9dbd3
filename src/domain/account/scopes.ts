// What an API key may do. A route names the scope it needs; a token may only read.

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
  'metrics:read',
] as const
export type Scope = (typeof SCOPES)[number]

/** What a key may do by default. Figures cover the whole installation, so that scope is granted only by name. */
export const ACCOUNT_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'metrics:read')

/** What a bearer token may do: it is read-only (docs/design/areas.md). */
export const TOKEN_SCOPES: readonly Scope[] = ['contracts:read']

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text)
}
