// A verification on the wire: what a caller asks, what is shown, and the presenter.
import Type, { type Static } from 'typebox'
import { NAME_MATCHES } from '../../domain/verifier/names.ts'
import {
  type Verification as DomainVerification,
  VERIFICATION_KINDS,
  VERIFICATION_STATUSES,
} from '../../domain/verifier/verification.ts'
import { ListQuery } from '../api.ts'
import { RecipientFields } from '../contract.ts'
import {
  closed,
  envelope,
  livemode,
  nullable,
  nullableText,
  nullableTime,
  text,
  time,
  uuid,
  type Wire,
} from '../shapes.ts'
import { iso, isoOrNull } from '../times.ts'

const kind = Type.Enum([...VERIFICATION_KINDS], {
  description:
    'name: whose account it is. mobile, chain_address: the form of a number or an address. list: screening. otp: a one-time code. http: a verifier of your own.',
})

export const VerificationBody = closed(
  {
    kind: Type.Optional(
      nullable(Type.Enum(['name', 'mobile', 'chain_address', 'list'], { description: 'What is asked.' })),
    ),
    verifier: text(64, 'One of your own, in place of kind.'),
    contract: text(64, 'A transfer contract, whose recipient and channel are taken.'),
    profile: text(64, 'In place of a contract: a profile of yours, with its default destination.'),
    destination: text(64, 'With profile: another of its destinations.'),
    recipient: Type.Optional(
      nullable(closed(RecipientFields, { description: 'In place of both: who is paid, as in a draft.' })),
    ),
    channel: text(64, 'With recipient: by which channel it would be paid.'),
  },
  { $id: 'VerificationRequest' },
)

export type VerificationBody = Static<typeof VerificationBody>

const Recipient = Type.Object({
  name: nullableText,
  email: nullableText,
  mobile: nullableText,
  wallet: nullableText,
  tag: nullableText,
  address: nullableText,
  country: nullableText,
})

export const Verification = Type.Object(
  {
    id: uuid('Of the verification.'),
    livemode,
    kind,
    verifier: Type.Object({ id: nullable(uuid('Null for a built-in one.')), name: Type.String() }),
    contract_id: nullable(uuid('The contract that it was asked for.')),
    channel: nullableText,
    recipient: Recipient,
    status: Type.Enum([...VERIFICATION_STATUSES], {
      description: 'review: a person decides. unavailable: the verifier gave no answer, however often it was asked.',
    }),
    match: nullable(Type.Enum([...NAME_MATCHES], { description: 'Of names that were compared.' })),
    score: nullable(Type.Integer({ description: 'How alike, of 100.' })),
    evidence: Type.Record(Type.String(), Type.Unknown(), { description: 'What was found, redacted.' }),
    reason: nullable(
      Type.String({ description: 'Why it stands so, in a sentence; a person’s own where one decided.' }),
    ),
    decided_by: nullable(Type.String({ description: 'The member whose word ended it.' })),
    requested_by: nullable(Type.String({ description: 'The key or the member that asked.' })),
    tries: Type.Integer({ description: 'How often the verifier was asked.' }),
    next_try_at: nullableTime,
    created_at: time('When.'),
    ended_at: nullableTime,
    expires_at: nullable(time('Until then the result is taken again for the same recipient.')),
  },
  { $id: 'Verification' },
)

export const VerificationReply = envelope('number', Type.Object({ verification: Verification }))
export const VerificationsReply = envelope(
  'number',
  Type.Object({ verifications: Type.Array(Verification), next: nullableText }),
)

export const VerdictBody = closed(
  { reason: Type.String({ minLength: 1, maxLength: 1000, description: 'Why; kept with the verification.' }) },
  { $id: 'VerdictRequest' },
)

export const AnswerBody = closed(
  { code: Type.String({ pattern: '^[0-9]{6}$', description: 'The six digits, as they were received.' }) },
  { $id: 'VerificationCodeRequest' },
)

export type VerdictBody = Static<typeof VerdictBody>

export const VerificationsQuery = closed({
  ...ListQuery.properties,
  status: Type.Optional(Type.Enum([...VERIFICATION_STATUSES], { description: 'review is the queue of people.' })),
  kind: Type.Optional(Type.Enum([...VERIFICATION_KINDS])),
  contract: Type.Optional(uuid('Those of one contract.')),
})

export type VerificationsQuery = Static<typeof VerificationsQuery>

/** The verification as every reply and event shows it. */
export function presentVerification(verification: DomainVerification): Wire<typeof Verification> {
  return {
    id: verification.id,
    livemode: verification.livemode,
    kind: verification.kind,
    verifier: { id: verification.verifierId, name: verification.verifierName ?? verification.kind },
    contract_id: verification.contractId,
    channel: verification.channelId,
    recipient: verification.recipient,
    status: verification.status,
    match: verification.match,
    score: verification.score,
    evidence: verification.evidence,
    reason: verification.reason,
    decided_by: verification.decidedBy,
    requested_by: verification.requestedBy,
    tries: verification.tries,
    next_try_at: isoOrNull(verification.dueAt),
    created_at: iso(verification.createdAt),
    ended_at: isoOrNull(verification.endedAt),
    expires_at: isoOrNull(verification.expiresAt),
  }
}
