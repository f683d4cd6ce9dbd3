// Who did what to an account, as its audit list keeps it. What is done to contracts stands in their activities.

export const AUDIT_ACTORS = ['key', 'member', 'operator', 'gateway'] as const

/** Who acts, and from where. */
export type AuditActor = {
  readonly kind: (typeof AUDIT_ACTORS)[number]
  /** A key's id, a member's id, an operator's name. */
  readonly id: string
  /** The address that the request came from; null for what came by no request. */
  readonly address: string | null
  readonly requestId: string | null
}

/** The members of an object that an action changed, never secrets. */
export type AuditedValues = Readonly<Record<string, unknown>>

/** What was done, before it has a time and an id. */
export type Audited = {
  /** Noun and verb: `key.created`. */
  readonly action: `${string}.${string}`
  readonly object: { readonly type: string; readonly id: string }
  readonly before: AuditedValues | null
  readonly after: AuditedValues | null
}

export type AuditEntry = Audited & {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly actor: AuditActor
}

/** Of two states of an object, the members that differ, as they were and as they are. Null where none does. */
export function changed(
  before: AuditedValues,
  after: AuditedValues,
): { readonly before: AuditedValues; readonly after: AuditedValues } | null {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  )
  if (names.length === 0) return null
  const of = (values: AuditedValues) => Object.fromEntries(names.map((name) => [name, values[name] ?? null]))
  return { before: of(before), after: of(after) }
}
