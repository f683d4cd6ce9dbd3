// The roles of members, what each may do, and who may give them. A role is looked at in each request, so that a change holds
// at once.
import { type Refusal, refuse } from '../contract/refusals.ts'
import type { Powers } from './keys.ts'
import { type KeyScope, MEMBER_SCOPES, OPERATIONS_SCOPES, PERSONAL_SCOPES, SCOPES, type Scope } from './scopes.ts'

export const ROLES = ['owner', 'admin', 'operator', 'approver', 'developer', 'viewer'] as const
export type Role = (typeof ROLES)[number]

const READS: readonly KeyScope[] = [
  'contracts:read',
  'wallets:read',
  'events:read',
  'profiles:read',
  'accounts:read',
  'commands:read',
  'policies:read',
  'verifiers:read',
]
/** Figures cover the whole installation: nobody of one account reads them. */
const ALL: readonly Scope[] = [
  ...SCOPES.filter((scope) => scope !== 'metrics:read' && scope !== 'events:write'),
  ...PERSONAL_SCOPES,
]

const SCOPES_OF: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  owner: new Set(ALL),
  admin: new Set(ALL),
  operator: new Set<Scope>([
    ...READS,
    'contracts:write',
    'transfers:issue',
    'transfers:pay',
    'transfers:cancel',
    'payments:refund',
    'profiles:write',
    'commands:write',
  ]),
  approver: new Set<Scope>([...READS, ...PERSONAL_SCOPES, 'audit:read']),
  developer: new Set<Scope>([
    ...READS,
    'contracts:write',
    'commands:write',
    'webhooks:manage',
    'keys:write',
    'audit:read',
  ]),
  viewer: new Set(READS),
}

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text)
}

/** What a role may do besides, where the account operates the gateway: who proposes, and who confirms. */
const OPERATIONS_OF: Readonly<Record<Role, readonly Scope[]>> = {
  owner: OPERATIONS_SCOPES,
  admin: OPERATIONS_SCOPES,
  operator: ['operations:read', 'operations:write'],
  approver: ['operations:read', 'operations:approve'],
  developer: [],
  viewer: [],
}

const OPERATING_SCOPES_OF: ReadonlyMap<Role, ReadonlySet<Scope>> = new Map(
  ROLES.map((role) => [role, new Set([...SCOPES_OF[role], ...OPERATIONS_OF[role]])]),
)

/** What a member of the role may do; `account` says whether theirs operates the gateway. */
export const scopesOf = (role: Role, account: 'operating' | 'other' = 'other'): ReadonlySet<Scope> =>
  (account === 'operating' ? OPERATING_SCOPES_OF.get(role) : undefined) ?? SCOPES_OF[role]

/** The role of a member who may approve with it; null where they may not, or are none any more. */
export function approvingRole(role: string | null | undefined): Role | null {
  return role && isRole(role) && SCOPES_OF[role].has('approvals:write') ? role : null
}

/** What somebody may who acts on members. */
export type Authority = {
  /** The member who acts; null for a key, and for an operator. */
  readonly memberId: string | null
  readonly scopes: ReadonlySet<Scope>
  /** Owners are made, changed and removed by owners, and by the operators of the gateway. */
  readonly isOwner: boolean
  /** Whether the account operates the gateway: its roles may do more. */
  readonly operates: boolean
}

/** Who runs the gateway may make any member. */
export const OPERATORS: Authority = {
  memberId: null,
  scopes: new Set<Scope>([...SCOPES, ...MEMBER_SCOPES]),
  isOwner: true,
  operates: true,
}

/**
 * Why a credential that has an end, addresses or caps makes no member, whom nothing of that would bind; null for one without. To
 * remove somebody gives nothing, and is not asked about here.
 */
export function refusalOfBounded({ expiresAt, addresses, transferMax, mandate }: Powers): Refusal | null {
  const bounds = [
    ...(expiresAt === null ? [] : ['an end']),
    ...(addresses === null ? [] : ['addresses']),
    ...(transferMax === null ? [] : ['caps']),
    ...(mandate === null ? [] : ['a mandate']),
  ]
  if (bounds.length === 0) return null
  const what = `Your key has ${bounds.join(' and ')}, by which a member would not be bound.`
  return refuse('role_not_allowed', null, `${what} Use a key without, or have a member do it.`)
}

/** Why the role is not this actor's to give, to change or to take away; null where it is. */
export function refusalOfRole({ scopes, isOwner, operates }: Authority, role: Role): Refusal | null {
  if (role === 'owner' && !isOwner)
    return refuse('role_not_allowed', 'role', 'Only an owner makes, changes or removes an owner. Ask one.')
  const lacking = [...scopesOf(role, operates ? 'operating' : 'other')].filter((scope) => !scopes.has(scope))
  if (lacking.length === 0) return null
  const what = `The role ${role} may do what you may not: ${lacking.join(', ')}.`
  return refuse('role_not_allowed', 'role', `${what} Give a weaker one, or ask somebody stronger.`)
}
