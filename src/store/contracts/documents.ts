// A transfer contract's version as the JSON of its history row, and back. Short: what is null is left out, money is text.
import type { OwnedKey } from '../columns.ts'
import {
  type Activity,
  type Cancellation,
  type Changes,
  type Deliverable,
  type Execution,
  type Message,
  type Metadata,
  NO_RECIPIENT,
  type Origin,
  type Recipient,
  type Terms,
  type Transfer,
} from '../../domain/transfer/transfer.ts'
import type { TransferStatus } from '../../domain/transfer/moves.ts'
import type { Quote } from '../../domain/money/quotes.ts'

/** The stored form. It may gain members; those it has keep their meaning, for history is never rewritten. */
type Document = StoredTerms & {
  status: TransferStatus
  version: number
  sequence: number
  livemode?: true
  quote?: Quote
  fee_minor?: string
  debit_minor: string
  warnings?: readonly Message[]
  payee_faults?: readonly Message[]
  created_at: number
  updated_at: number
  expires_at: number
  issued_at?: number
  paid_at?: number
  completed_at?: number
  wallet_id?: string
  held_minor?: string
  execution?: Partial<Execution>
  cancellation?: Cancellation
  refund?: [amountMinor: string, at: number]
  origin?: StoredOrigin
  pays?: string
  /** The API keys that the lines name, by their place from 1 on. */
  by?: string[]
  activities: ActivityLine[]
  folded?: number
}
/** What was agreed on, in contracts of both kinds. */
export type StoredTerms = {
  amount_minor: string
  currency: string
  issued_to?: string
  description?: string
  deliverable?: Partial<Deliverable>
  recipient?: Partial<Recipient>
  channel?: [id: string, version: number | null]
  metadata?: Metadata
}
type StoredOrigin = Omit<Origin, 'pendingMinor'> & { readonly pendingMinor: string }
export type ActivityLine = [
  type: Activity['type'],
  at: number,
  actor?: 'gateway' | 'payer' | number,
  data?: Activity['data'] | Changes,
]

export function transferText(contract: Transfer): string {
  const { terms } = contract
  const by: string[] = []
  const activities = linesOf(contract.activities, by)
  const document: { [member in keyof Document]: Document[member] | undefined } = {
    status: contract.status,
    version: contract.version,
    sequence: contract.sequence,
    livemode: contract.livemode || undefined,
    amount_minor: terms.amountMinor.toString(),
    currency: terms.currency,
    issued_to: terms.issuedTo ?? undefined,
    description: terms.description ?? undefined,
    deliverable: terms.deliverable ? withoutNulls(terms.deliverable) : undefined,
    recipient: terms.recipient ? withoutNulls(terms.recipient) : undefined,
    channel: terms.channelId === null ? undefined : [terms.channelId, contract.channelVersion],
    quote: contract.quote ?? undefined,
    fee_minor: contract.feeMinor === 0n ? undefined : contract.feeMinor.toString(),
    debit_minor: contract.debitMinor.toString(),
    warnings: contract.warnings.length > 0 ? contract.warnings : undefined,
    payee_faults: contract.payeeFaults,
    created_at: contract.createdAt,
    updated_at: contract.updatedAt,
    expires_at: contract.expiresAt,
    issued_at: contract.issuedAt ?? undefined,
    paid_at: contract.paidAt ?? undefined,
    completed_at: contract.completedAt ?? undefined,
    wallet_id: contract.walletId ?? undefined,
    held_minor: contract.heldMinor === 0n ? undefined : contract.heldMinor.toString(),
    execution: contract.execution.status === 'none' ? undefined : withoutNulls(contract.execution),
    cancellation: contract.cancellation ?? undefined,
    refund: contract.refund ? [contract.refund.amountMinor.toString(), contract.refund.at] : undefined,
    origin: contract.origin ? { ...contract.origin, pendingMinor: contract.origin.pendingMinor.toString() } : undefined,
    pays: contract.pays ?? undefined,
    metadata: terms.metadata,
    by: by.length > 0 ? by : undefined,
    activities,
    folded: contract.folded || undefined,
  }
  return JSON.stringify(document)
}

const isChanges = (data: NonNullable<Activity['data']> | Changes): data is Changes => Array.isArray(data['changed'])

/** The lines as they are stored. A key is named by its place in `by`, which takes those that are not in it yet. */
export function linesOf(activities: readonly Activity[], by: string[]): ActivityLine[] {
  return activities.map(({ type, at, actor, data, changes, proxy }) => {
    const who = actor === 'account' ? placeOf(proxy ?? null, by) : actor
    const more = data ?? changes
    if (more) return [type, at, who, more]
    return who === 0 ? [type, at] : [type, at, who]
  })
}

function placeOf(keyId: string | null, by: string[]): number {
  if (keyId === null) return 0
  const known = by.indexOf(keyId) + 1
  return known > 0 ? known : by.push(keyId)
}

export function activitiesOf(lines: readonly ActivityLine[], by: readonly string[] = []): Activity[] {
  return lines.map(([type, at, who = 0, data]) => {
    const isAccount = typeof who === 'number'
    const proxy = isAccount ? (by[who - 1] ?? null) : null
    const line = { type, at, actor: isAccount ? ('account' as const) : who, proxy }
    return data && isChanges(data) ? { ...line, data: null, changes: data } : { ...line, data: data ?? null }
  })
}

/** Whose contract it is: the part of a row's key that the document does not repeat. */
export type ContractKey = OwnedKey

export function transferFrom(key: ContractKey, stored: unknown): Transfer {
  const document = stored as Document
  const { channel, refund, origin } = document
  return {
    kind: 'transfer',
    id: key.id,
    lane: key.lane,
    accountId: key.accountId,
    livemode: document.livemode ?? false,
    status: document.status,
    version: document.version,
    sequence: document.sequence,
    terms: termsFrom(document),
    channelVersion: channel?.[1] ?? null,
    quote: document.quote ?? null,
    feeMinor: BigInt(document.fee_minor ?? '0'),
    debitMinor: BigInt(document.debit_minor),
    warnings: document.warnings ?? [],
    ...(document.payee_faults ? { payeeFaults: document.payee_faults } : {}),
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    expiresAt: document.expires_at,
    issuedAt: document.issued_at ?? null,
    paidAt: document.paid_at ?? null,
    completedAt: document.completed_at ?? null,
    walletId: document.wallet_id ?? null,
    heldMinor: BigInt(document.held_minor ?? '0'),
    execution: { ...NO_EXECUTION, ...document.execution },
    cancellation: document.cancellation ?? null,
    refund: refund ? { amountMinor: BigInt(refund[0]), at: refund[1] } : null,
    origin: origin ? { ...origin, pendingMinor: BigInt(origin.pendingMinor) } : null,
    pays: document.pays ?? null,
    activities: activitiesOf(document.activities, document.by),
    ...(document.folded === undefined ? {} : { folded: document.folded }),
  }
}

export function termsFrom(document: StoredTerms): Terms {
  return {
    amountMinor: BigInt(document.amount_minor),
    currency: document.currency,
    issuedTo: document.issued_to ?? null,
    description: document.description ?? null,
    deliverable: document.deliverable ? { ...NO_DELIVERABLE, ...document.deliverable } : null,
    recipient: document.recipient ? { ...NO_RECIPIENT, ...document.recipient } : null,
    channelId: document.channel?.[0] ?? null,
    ...(document.metadata === undefined ? {} : { metadata: document.metadata }),
  }
}

const NO_DELIVERABLE: Deliverable = { type: null, referenceId: null, description: null, details: null }
const NO_EXECUTION: Execution = { status: 'none', number: 0, reference: null, submittedAt: null, failure: null }

export function withoutNulls<T extends object>(whole: T): { [member in keyof T]?: NonNullable<T[member]> } {
  const kept: Record<string, unknown> = {}
  for (const [member, value] of Object.entries(whole)) if (value !== null) kept[member] = value
  return kept as { [member in keyof T]?: NonNullable<T[member]> }
}
