// Whose a command is and what its request makes it depend on: the idempotency key, and the versions that must stand.
import type { FastifyRequest } from 'fastify'
import type { Requester } from '../../app/payments/payments.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import { contractNotFound } from '../../engine/execute.ts'
import { callerOf } from '../context.ts'
import { idempotencyOf } from './idempotency.ts'
import { expectedVersions } from './versions.ts'

/** The conditions that the request's headers name. */
export function conditionsOf(request: FastifyRequest): Pick<Requester, 'idempotency' | 'versions'> | Refusal {
  const idempotency = idempotencyOf(request)
  if (isRefusal(idempotency)) return idempotency
  const versions = expectedVersions(request)
  return isRefusal(versions) ? versions : { idempotency, ...(versions && { versions }) }
}

/** Whose the request is, for a command, be it about the contract of an id; the same words for every id that is none. */
export function commandCallerOf(request: FastifyRequest, contractId?: string): Requester | Refusal {
  const { lane, accountId, keyId } = callerOf(request)
  const conditions = conditionsOf(request)
  if (isRefusal(conditions)) return conditions
  return contractId === undefined || isUuid(contractId) ? { lane, accountId, keyId, ...conditions } : contractNotFound()
}
