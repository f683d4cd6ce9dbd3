// Transfers that wait for an operator, and how their outcome is resolved, on the wire.
import Type, { type Static } from 'typebox'
import { majorNumber } from '../../domain/money/money.ts'
import { SOMETHING } from '../../domain/text/texts.ts'
import {
  type OperatingPerson,
  type ProposedResolution,
  RESOLUTION_STATUSES,
  statusAt,
} from '../../domain/transfer/proposed-resolution.ts'
import type { Attempt, Transfer } from '../../domain/transfer/transfer.ts'
import { ListQuery } from '../api.ts'
import { Explanation, presentExplanation } from '../explanation.ts'
import {
  closed,
  Currency,
  envelope,
  livemode,
  nullable,
  nullableText,
  nullableTime,
  time,
  uuid,
  type Wire,
} from '../shapes.ts'
import { iso, isoOrNull } from '../times.ts'

const EVIDENCE_CHARS_MAX = 2000
/** PostgreSQL has no NUL in text. */
const said = (description: string) =>
  Type.String({ minLength: 1, maxLength: EVIDENCE_CHARS_MAX, pattern: SOMETHING, description })
export const evidence = said('What proves it, for whoever asks later. Kept with your name.')

const WaitingTransfer = Type.Object(
  {
    contract_id: uuid('The transfer contract.'),
    account_id: uuid('Whose it is.'),
    account_name: Type.String(),
    livemode,
    amount: Type.Number(),
    currency: Currency,
    channel: nullable(Type.String({ description: 'The channel of the newest attempt.' })),
    since: time('From when on it waits.'),
    is_frozen: Type.Boolean({ description: 'Whether the channel pays nothing out.' }),
    can_be_resolved: Type.Boolean({ description: 'Whether POST /operations/resolutions takes it.' }),
    is_contradicted: Type.Boolean({ description: 'Whether PUT /operations/transfers/{id}/close closes it.' }),
    explanation: Explanation,
  },
  { $id: 'WaitingTransfer' },
)

export const OperationsQuery = ListQuery
export const WaitingTransfersReply = envelope(
  'number',
  Type.Object({ transfers: Type.Array(WaitingTransfer), next: nullableText }),
)

export const CloseBody = closed({ evidence }, { $id: 'CloseRequest' })
export const ClosedReply = envelope('string', Type.Object({ contract_id: Type.String() }))

export type SeenTransfer = {
  readonly accountName: string
  readonly sinceMs: number
  readonly contract: Transfer
  readonly attempt: Attempt | null
  readonly isFrozen: boolean
  readonly canBeResolved: boolean
  readonly isContradicted: boolean
}

export function presentWaitingTransfer(seen: SeenTransfer): Wire<typeof WaitingTransfer> {
  const { contract, attempt, isFrozen } = seen
  const { amountMinor, currency } = contract.terms
  return {
    contract_id: contract.id,
    account_id: contract.accountId,
    account_name: seen.accountName,
    livemode: contract.livemode,
    amount: majorNumber(amountMinor, currency),
    currency,
    channel: attempt?.channelId ?? null,
    since: iso(seen.sinceMs),
    is_frozen: isFrozen,
    can_be_resolved: seen.canBeResolved,
    is_contradicted: seen.isContradicted,
    explanation: presentExplanation(contract, attempt, isFrozen ? 'frozen' : 'flowing'),
  }
}

const Person = Type.Object({ member_id: uuid('The member.'), email: Type.String() }, { $id: 'OperatingPerson' })

const as = Type.Enum(['delivered', 'failed'], {
  description: 'How it ended: the recipient has the money, or it never left and goes back.',
})

const Resolution = Type.Object(
  {
    id: uuid('The resolution.'),
    contract_id: uuid('The transfer contract.'),
    account_id: uuid('Whose it is.'),
    livemode,
    as,
    evidence: Type.String(),
    amount: Type.Number(),
    currency: Currency,
    status: Type.Enum([...RESOLUTION_STATUSES], {
      $id: 'ResolutionStatus',
      description: 'waiting: for a second person. applied: the transfer is resolved.',
    }),
    proposed_by: Person,
    proposed_at: time('When.'),
    expires_at: time('Until when a second person may confirm it.'),
    decided_by: {
      ...nullable(Person),
      description: 'The second person; null while there is none, and where one was enough.',
    },
    decided_at: nullableTime,
    reason: nullable(Type.String({ description: 'Why it was rejected.' })),
  },
  { $id: 'Resolution' },
)

export const ResolutionBody = closed(
  { contract_id: uuid('A transfer whose outcome is open.'), as, evidence },
  { $id: 'ResolutionRequest' },
)
export type ResolutionBody = Static<typeof ResolutionBody>

export const ResolutionRejectBody = closed(
  { reason: Type.Optional(nullable(said('Why, for whoever proposed it.'))) },
  { $id: 'ResolutionRejection' },
)

export const ResolutionsQuery = closed({
  ...ListQuery.properties,
  status: Type.Optional(Type.Enum([...RESOLUTION_STATUSES], { $id: 'ResolutionStatus' })),
})

export const ResolutionReply = envelope('number', Type.Object({ resolution: Resolution }))
export const DecidedResolutionReply = envelope('string', Type.Object({ resolution: Resolution }))
export const ResolutionsReply = envelope(
  'number',
  Type.Object({ resolutions: Type.Array(Resolution), next: nullableText }),
)

export function presentResolution(resolution: ProposedResolution, nowMs: number): Wire<typeof Resolution> {
  const { amountMinor, currency } = resolution
  return {
    id: resolution.id,
    contract_id: resolution.contractId,
    account_id: resolution.accountId,
    livemode: resolution.livemode,
    as: resolution.as,
    evidence: resolution.evidence,
    amount: majorNumber(amountMinor, currency),
    currency,
    status: statusAt(resolution, nowMs),
    proposed_by: presentPerson(resolution.proposedBy),
    proposed_at: iso(resolution.proposedAt),
    expires_at: iso(resolution.expiresAt),
    decided_by: resolution.decidedBy && presentPerson(resolution.decidedBy),
    decided_at: isoOrNull(resolution.decidedAt),
    reason: resolution.reason,
  }
}

const presentPerson = ({ memberId, email }: OperatingPerson) => ({ member_id: memberId, email })
