// The queue of approvals on the wire, and what became of many that were approved at once.
import Type from 'typebox'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import { majorNumber } from '../../domain/money/money.ts'
import type { Policy } from '../../domain/policy/policy.ts'
import type { LackingApproval } from '../../domain/policy/requirements.ts'
import { sentenceOf } from '../../domain/policy/sentence.ts'
import { TRANSFER_STATUSES } from '../../domain/transfer/moves.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import { ListQuery } from '../api.ts'
import { closed, Currency, envelope, nullable, nullableText, readAs, time, uuid, type Wire } from '../shapes.ts'
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
    policies: Type.Array(
      Type.Object({
        id: uuid('The policy.'),
        version: Type.Integer(),
        name: Type.String(),
        sentence: Type.String({ description: 'What it does, in words.' }),
      }),
      { description: 'Those that ask for it, in the versions that asked.' },
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
    dry_run: Type.Boolean({ description: 'Nothing was approved: this is what would have become of it.' }),
    approved: Type.Integer({ description: 'How many of them.' }),
    totals: Type.Array(
      Type.Object({
        currency: Currency,
        count: Type.Integer(),
        amount: Type.Number({ description: 'What leaves the wallets in all, fees included.' }),
        fees: Type.Number(),
      }),
      { description: 'Of those approved, by currency.' },
    ),
    results: Type.Array(ApprovalResult, { description: 'In the order in which they were sent.' }),
  }),
)

type Queued = {
  readonly status: (typeof SHOWN_APPROVALS)[number]
  readonly askedAt: number
  readonly by: Wire<typeof QueuedApproval>['asked_by']
  readonly contract: Transfer
  readonly lacking: readonly LackingApproval[]
  readonly policies: readonly Policy[]
  readonly whyNot: Refusal | null
}

const errorOf = (refusal: Refusal | null) => refusal && { code: refusal.code, message: refusal.message }

export function presentQueued(presenter: Presenter, queued: Queued, profileId: string): Wire<typeof QueuedApproval> {
  const { status, askedAt, by, contract, lacking, policies, whyNot } = queued
  return {
    status,
    asked_at: iso(askedAt),
    asked_by: by && { type: by.type, id: by.id, name: by.name },
    lacking: Math.max(0, ...lacking.map(({ count, given }) => count - given)),
    who: whoMay(status === 'waiting' ? lacking : []),
    can_approve: whyNot === null,
    why_not: errorOf(whyNot),
    policies: policies.map((policy) => ({
      id: policy.id,
      version: policy.version,
      name: policy.name,
      sentence: sentenceOf(policy),
    })),
    contract: presentTransfer(presenter, contract, profileId),
  }
}

export function presentOutcome(
  presenter: Presenter,
  { id, result, isComplete }: Outcome,
  profileId: string,
): Wire<typeof ApprovalResult> {
  if (isRefusal(result)) return { id, outcome: 'refused', status: null, complete: false, error: errorOf(result) }
  const { status, approval } = presentTransfer(presenter, result, profileId)
  return { id, outcome: 'approved', status, complete: isComplete ?? approval?.status === 'approved', error: null }
}

type Outcome = {
  readonly id: string
  readonly result: Transfer | Refusal
  /** Where nothing was written: whether it would have every approval. */
  readonly isComplete?: boolean
}

/** What leaves by what was approved, by currency. One that was sent twice counts once. */
export function presentTotals(outcomes: readonly Outcome[]) {
  const approved = new Map(outcomes.flatMap(({ result }) => (isRefusal(result) ? [] : [[result.id, result] as const])))
  const sums = new Map<string, { readonly count: number; readonly amountMinor: bigint; readonly feeMinor: bigint }>()
  for (const { terms, debitMinor, feeMinor } of approved.values()) {
    const sum = sums.get(terms.currency) ?? { count: 0, amountMinor: 0n, feeMinor: 0n }
    const { count, ...of } = sum
    sums.set(terms.currency, {
      count: count + 1,
      amountMinor: of.amountMinor + debitMinor,
      feeMinor: of.feeMinor + feeMinor,
    })
  }
  return [...sums].map(([currency, { count, amountMinor, feeMinor }]) => ({
    currency,
    count,
    amount: majorNumber(amountMinor, currency),
    fees: majorNumber(feeMinor, currency),
  }))
}
