// Verifications on the wire of a contract: what was asked about its recipient, and what came of it.
import Type from 'typebox'
import { VERIFICATION_KINDS, VERIFICATION_STATUSES } from '../../domain/verifier/verification.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import { nullable, nullableText, nullableTime, time, uuid, type Wire } from '../shapes.ts'
import { isoOrNull } from '../times.ts'

export const NotedVerifications = Type.Array(
  Type.Object(
    {
      id: uuid('Of the verification: GET /verifications/{id} has its evidence.'),
      kind: Type.Enum([...VERIFICATION_KINDS], { $id: 'NotedVerificationKind' }),
      verifier: Type.Object({ id: nullable(uuid('Null for a built-in one.')), name: Type.String() }),
      status: Type.Enum([...VERIFICATION_STATUSES], { $id: 'NotedVerificationStatus' }),
      words: nullableText,
      ended_at: nullableTime,
      expires_at: nullable(time('Until then the result counts.')),
    },
    { $id: 'NotedVerification' },
  ),
  { description: 'Verifications that were asked for the contract, as of their newest results; at most 20.' },
)

export function presentNoted({ verifications = [] }: Transfer): Wire<typeof NotedVerifications> {
  return verifications.map((each) => ({
    id: each.id,
    kind: each.verification,
    verifier: { id: each.verifierId, name: each.verifierName ?? each.verification },
    status: each.status,
    words: each.words,
    ended_at: isoOrNull(each.endedAt),
    expires_at: isoOrNull(each.expiresAt),
  }))
}
