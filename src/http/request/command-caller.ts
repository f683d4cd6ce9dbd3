// The caller of a command and its request's conditions: the idempotency key, and the versions that must be current.
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

/** The caller of a command, which may name a contract by id; every id that is none gets the same refusal. */
export function commandCallerOf(request: FastifyRequest, contractId?: string): Requester | Refusal {
  const { lane, accountId, keyId, memberId } = callerOf(request)
  const conditions = conditionsOf(request)
  if (isRefusal(conditions)) return conditions
  return contractId === undefined || isUuid(contractId)
    ? { lane, accountId, keyId, memberId, ...conditions, observed: request.observed }
    : contractNotFound()
}
