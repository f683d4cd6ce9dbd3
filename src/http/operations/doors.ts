// Whom the routes of operations let in, and the desk behind them.
import type { FastifyRequest } from 'fastify'
import { type Desk, openDesk } from '../../app/operator/desk.ts'
import { operatingPerson } from '../../app/operator/operating-person.ts'
import type { Deed } from '../../app/operator/operator-actions.ts'
import type { Scope } from '../../domain/account/scopes.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import type { Access } from '../auth/auth.ts'
import { callerOf, type Context } from '../context.ts'
import { RefusedRequest } from '../errors.ts'
import type { Facts } from '../openapi/facts.ts'

export const OPERATIONS = 'Operations'
export const READ: Access = { accepts: 'session', scope: 'operations:read' }
export const WRITE: Access = { accepts: 'session', scope: 'operations:write' }
export const APPROVE: Access = { accepts: 'session', scope: 'operations:approve' }

/** Every route of operations may find that there are none. */
export const OFFERED: Facts = { refusals: ['operations_not_offered'] }

/** The desk, or its refusal thrown. */
export async function deskOf({ deps }: Context): Promise<Desk> {
  const desk = await openDesk(deps.operations)
  if (isRefusal(desk)) throw new RefusedRequest(desk)
  return desk
}

/** What somebody does, in their name; their right to it is looked at anew. */
export async function deedBy(desk: Desk, request: FastifyRequest, evidence: string, scope: Scope): Promise<Deed> {
  const person = await operatingPerson(desk.reader, callerOf(request), scope)
  if (isRefusal(person)) throw new RefusedRequest(person)
  return { operator: person.email, evidence }
}
