// Idempotency-Key -> hashes (docs/design/write-path.md). The fingerprint is the whole request: method, path, query and what the body says.
// The same JSON in another order, or with other spaces, is the same request; 100 is 100.00, for both are read exactly.
import type { FastifyRequest } from 'fastify'
import { canonicalText } from './canonical.ts'
import { invalid, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import type { IdempotencyKey } from '../../store/contracts/idempotency.ts'
import { hash128 } from '../../platform/hashes.ts'

const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/

/** The hashes of the request's key, null without one, or why the key is refused. `keyId`: it is that credential's alone. */
export function idempotencyOf(request: FastifyRequest, keyId: string | null = null): IdempotencyKey | null | Refusal {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || !PRINTABLE.test(key))
    return refuseAll([invalid('Idempotency-Key', 'Idempotency-Key must be 1 to 255 printable ASCII characters.')])
  // A payer's keys are apart from the merchant's, or either could use up the other's. No key holds a line break.
  const payers = request.payerOf === null ? '' : `payer of ${request.payerOf}\n`
  const whose = keyId === null ? payers : `by ${keyId}\n`
  return {
    keyHash: hash128(whose + key),
    fingerprint: hash128(`${request.method} ${request.url}\n${canonicalText(request.body ?? {})}`),
  }
}
