// Where the console shows what an entry is about.
import type { AuditEntry } from '../../../sdk/src/index.ts'

/** Null for what has no screen. */
export function screenOfObject({ type, id }: AuditEntry['object']): string | null {
  if (type === 'profile') return `/profiles/${id}`
  if (type === 'policy') return `/policies/${id}`
  if (type === 'wallet') return `/wallets/${id}`
  if (type === 'webhook_endpoint') return `/developers/webhooks/${id}`
  if (type === 'key') return '/developers/keys'
  if (type === 'member') return '/members'
  if (type === 'account') return '/account'
  if (type === 'transfer' || type === 'payment') return `/${type}s/${id}`
  return null
}
