// The queue of approvals on the wire, and what became of many that were approved at once.
import Type from 'typebox'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import type { LackingApproval } from '../../domain/policy/requirements.ts'
import { TRANSFER_STATUSES } from '../../domain/transfer/moves.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import { ListQuery } from '../api.ts'
import { closed, envelope, nullable, nullableText, readAs, time, uuid, type Wire } from '../shapes.ts'
import { iso } from '../times.ts'
import { type Presenter, presentTransfer, TransferContract } from '../transfer.ts'
import { SHOWN_APPROVALS, whoMay } from './approval.ts'

export const ApprovalsQuery = closed({
  ...ListQuery.properties,
  status: Type.Optional(Type.Enum([...SHOWN_APPROVALS])),
  mine: Type.Optional(
    readAs({ type: 'boolean' }, '^(true|false)$', 'true: of a page only those that you may approve. For members.'),
  ),
})

const QueuedApproval = Type.Object(
  {
    status: Type.Enum([...SHOWN_APPROVALS]),
    asked_at: time('When somebody was held back, the last time.'),
    asked_by: nullable(Type.Object({ type: Type.Enum(['member', 'key']), id: Type.String(), name: nullableText }, {})),
    lacking: Type.Integer({ description: 'How many members are lacking at least.' }),
    who: Type.String({ description: 'Who may approve it still, in words.' }),
    can_approve: Type.Boolean({ description: 'Whether you may.' }),
    why_not: nullable(
      Type.Object({ code: Type.String(), message: Type.String() }, { description: 'Why you may not.' }),
    ),
    contract: TransferContract,
  },
  { $id: 'QueuedApproval' },
)

export const ApprovalsReply = envelope(
  'number',
  Type.Object({ approvals: Type.Array(QueuedApproval), next: nullableText }),
)

export const ApprovalReply = envelope('number', Type.Object({ approval: QueuedApproval }))

const ApprovalResult = Type.Object(
  {
    id: uuid('The contract.'),
    outcome: Type.Enum(['approved', 'refused']),
    status: nullable(Type.Enum([...TRANSFER_STATUSES])),
    complete: Type.Boolean({ description: 'Whether it has every approval now.' }),
    error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  },
  { $id: 'ApprovalResult' },
)

export const ApproveAllReply = envelope(
  'string',
  Type.Object({
    approved: Type.Integer({ description: 'How many of them.' }),
    results: Type.Array(ApprovalResult, { description: 'In the order in which they were sent.' }),
  }),
)

type Queued = {
  readonly status: (typeof SHOWN_APPROVALS)[number]
  readonly askedAt: number
  readonly by: Wire<typeof QueuedApproval>['asked_by']
  readonly contract: Transfer
  readonly lacking: readonly LackingApproval[]
  readonly whyNot: Refusal | null
}

const errorOf = (refusal: Refusal | null) => refusal && { code: refusal.code, message: refusal.message }

export function presentQueued(presenter: Presenter, queued: Queued, profileId: string): Wire<typeof QueuedApproval> {
  const { status, askedAt, by, contract, lacking, whyNot } = queued
  return {
    status,
    asked_at: iso(askedAt),
    asked_by: by && { type: by.type, id: by.id, name: by.name },
    lacking: Math.max(0, ...lacking.map(({ count, given }) => count - given)),
    who: whoMay(status === 'waiting' ? lacking : []),
    can_approve: whyNot === null,
    why_not: errorOf(whyNot),
    contract: presentTransfer(presenter, contract, profileId),
  }
}

export function presentOutcome(
  presenter: Presenter,
  { id, result }: { readonly id: string; readonly result: Transfer | Refusal },
  profileId: string,
): Wire<typeof ApprovalResult> {
  if (isRefusal(result)) return { id, outcome: 'refused', status: null, complete: false, error: errorOf(result) }
  const { status, approval } = presentTransfer(presenter, result, profileId)
  return { id, outcome: 'approved', status, complete: approval?.status === 'approved', error: null }
}
