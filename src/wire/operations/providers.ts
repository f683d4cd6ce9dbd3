// What providers said and the books did not take by themselves, on the wire: unallocated payment events, and statements of a day
// that were compared.
import Type, { type Static } from 'typebox'
import { SOMETHING } from '../../domain/text/texts.ts'
import { ListQuery } from '../api.ts'
import { closed, envelope, livemode, nullable, nullableText, time, uuid, type Wire } from '../shapes.ts'
import { iso } from '../times.ts'
import { evidence } from './transfers.ts'

const UnallocatedEvent = Type.Object(
  {
    id: Type.String({ description: 'The provider’s, unique within the account.' }),
    account_id: uuid('Whose payment it would be.'),
    account_name: Type.String(),
    livemode,
    type: Type.String(),
    status: Type.Enum(['unmatched', 'needs_review'], {
      description: 'unmatched: it is still tried by itself. needs_review: somebody must look.',
    }),
    reason: nullable(Type.String({ description: 'Why it needs review.' })),
    contract_id: nullableText,
    body: nullable(Type.String({ description: 'The bytes as they came; null for what the gateway saw by itself.' })),
    tries: Type.Integer(),
    at: time('When.'),
  },
  { $id: 'UnallocatedEvent' },
)
export const UnallocatedQuery = ListQuery
export const UnallocatedReply = envelope(
  'number',
  Type.Object({ events: Type.Array(UnallocatedEvent), next: nullableText }),
)

export const EventParams = Type.Object({ id: Type.String({ maxLength: 255, description: 'The event.' }) })
export const TakeBody = closed(
  {
    account_id: uuid('Whose event it is.'),
    evidence,
    contract_id: Type.Optional(
      nullable(uuid('The payment contract that it pays; as the event says, where it is left out.')),
    ),
    amount: Type.Optional(nullable(Type.Number({ description: 'In major units, as on the provider’s statement.' }))),
    currency: Type.Optional(nullable(Type.String({ maxLength: 3 }))),
  },
  { $id: 'TakeEventRequest' },
)
export const TakenReply = envelope(
  'string',
  Type.Object({
    id: Type.String(),
    reception: Type.String({ description: 'applied, duplicate, ignored, unmatched or needs_review.' }),
    contract_id: nullableText,
  }),
)

type Stored = {
  readonly id: string
  readonly accountId: string
  readonly accountName: string
  readonly livemode: boolean
  readonly type: string
  readonly status: 'unmatched' | 'needs_review'
  readonly reason: string | null
  readonly contractId: string | null
  readonly body: string | null
  readonly tries: number
  readonly at: number
}

export function presentUnallocated(event: Stored): Wire<typeof UnallocatedEvent> {
  return {
    id: event.id,
    account_id: event.accountId,
    account_name: event.accountName,
    livemode: event.livemode,
    type: event.type,
    status: event.status,
    reason: event.reason,
    contract_id: event.contractId,
    body: event.body,
    tries: event.tries,
    at: iso(event.at),
  }
}

const channel = Type.String({ maxLength: 64, pattern: SOMETHING, description: 'The id of the channel.' })
const day = Type.String({ format: 'date', description: 'The day in the Philippines.' })

const Finding = Type.Object(
  {
    kind: Type.Enum(['missing', 'extra', 'differs', 'mended'], {
      description: 'mended: the statement said how it ended, and the books did not know; no fault.',
    }),
    line: nullable(Type.Enum(['sent', 'returned'])),
    reference: Type.String(),
    contract_id: nullableText,
    amount: nullable(Type.String({ description: 'As the line has it: a decimal, in major units.' })),
    currency: nullableText,
    why: nullableText,
    acknowledged: Type.Boolean({ description: 'Whether somebody has looked at this line since it was first found.' }),
  },
  { $id: 'ReconciliationFinding' },
)
const Reconciliation = Type.Object(
  {
    id: uuid('The comparison.'),
    channel: Type.String(),
    day,
    at: time('When it was compared.'),
    matched: Type.Integer({ description: 'Lines that the books have, too.' }),
    fits: Type.Boolean({ description: 'Whether nothing is missing, extra or different.' }),
    findings: Type.Array(Finding),
  },
  { $id: 'Reconciliation' },
)

export const ReconciliationsQuery = closed({ ...ListQuery.properties, channel: Type.Optional(channel) })
export const ReconciliationBody = closed({ channel, day: Type.Optional(day) }, { $id: 'ReconciliationRequest' })
export type ReconciliationBody = Static<typeof ReconciliationBody>
export const ReconciliationReply = envelope('number', Type.Object({ reconciliation: Reconciliation }))
export const ReconciliationsReply = envelope(
  'number',
  Type.Object({ reconciliations: Type.Array(Reconciliation), next: nullableText }),
)

type KeptFinding = {
  readonly kind: 'missing' | 'extra' | 'differs' | 'mended'
  readonly reference: string
  readonly line?: 'sent' | 'returned'
  readonly contractId?: string | null
  readonly amountDecimal?: string | null
  readonly currency?: string | null
  readonly why?: string
  readonly acknowledged?: boolean
}
type Kept = {
  readonly id: string
  readonly channelId: string
  readonly day: string
  readonly at: number
  readonly matched: number
  readonly findings: readonly KeptFinding[]
}

export function presentReconciliation(kept: Kept): Wire<typeof Reconciliation> {
  return {
    id: kept.id,
    channel: kept.channelId,
    day: kept.day,
    at: iso(kept.at),
    matched: kept.matched,
    fits: kept.findings.every(({ kind }) => kind === 'mended'),
    findings: kept.findings.map((found) => ({
      kind: found.kind,
      line: found.line ?? null,
      reference: found.reference,
      contract_id: found.contractId ?? null,
      amount: found.amountDecimal ?? null,
      currency: found.currency ?? null,
      why: found.why ?? null,
      acknowledged: found.acknowledged ?? false,
    })),
  }
}
