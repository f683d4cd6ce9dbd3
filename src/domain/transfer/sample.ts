// A fictitious contract for trying out a webhook endpoint: one for each type of event, as it would stand then.
import type { ActivityType } from '../contract/activities.ts'
import type { ChannelFacts } from '../channel/channel.ts'
import type { Contract } from '../contract/contract.ts'
import type { EventType, ExecutionStatus, TransferStatus } from './moves.ts'
import { previewOf } from '../contract/preview.ts'
import { isPaymentEvent, type PaymentEvent, samplePayment } from '../payment/sample.ts'
import type { NotedVerification, Requirements } from '../policy/requirements.ts'
import type { Terms, Transfer } from './transfer.ts'

type Stage = {
  readonly status: TransferStatus
  readonly activities: readonly ActivityType[]
  readonly execution: ExecutionStatus
}

const ISSUED: readonly ActivityType[] = ['created', 'issued']
const ASKED: readonly ActivityType[] = [...ISSUED, 'approval_requested']
const SENT: readonly ActivityType[] = [...ISSUED, 'paid', 'transfer_submitted']

const STAGES: Readonly<Record<Exclude<EventType, PaymentEvent>, Stage>> = {
  'contract.created': { status: 'draft', activities: ['created'], execution: 'none' },
  'contract.updated': { status: 'draft', activities: ['created', 'updated'], execution: 'none' },
  'contract.issued': { status: 'issued', activities: ISSUED, execution: 'none' },
  'contract.approval_requested': { status: 'issued', activities: ASKED, execution: 'none' },
  'contract.approved': { status: 'issued', activities: [...ASKED, 'approved'], execution: 'none' },
  'contract.rejected': { status: 'issued', activities: [...ASKED, 'rejected'], execution: 'none' },
  'contract.verification_completed': {
    status: 'issued',
    activities: [...ISSUED, 'verification_requested', 'verified'],
    execution: 'none',
  },
  'contract.paid': { status: 'paid', activities: [...ISSUED, 'paid'], execution: 'queued' },
  'contract.completed': { status: 'completed', activities: [...SENT, 'completed'], execution: 'delivered' },
  'contract.cancelled': { status: 'cancelled', activities: [...ISSUED, 'cancelled'], execution: 'none' },
  'contract.expired': { status: 'expired', activities: [...ISSUED, 'expired'], execution: 'none' },
  'contract.returned': { status: 'returned', activities: [...SENT, 'completed', 'returned'], execution: 'returned' },
  'contract.transfer_failed': { status: 'paid', activities: [...SENT, 'transfer_failed'], execution: 'failed' },
}

const LIFETIME_MS = 86_400_000

const termsOn = (channel: ChannelFacts | null): Terms => ({
  amountMinor: 150_000n,
  currency: 'PHP',
  issuedTo: 'Ana Cruz',
  description: 'A sample. No such contract exists, and no money moves.',
  deliverable: { type: 'order', referenceId: 'sample-1', description: null, details: null },
  recipient: {
    name: 'Ana Cruz',
    email: null,
    mobile: null,
    wallet: '0012345678',
    tag: null,
    address: null,
    country: null,
  },
  channelId: channel?.id ?? null,
})

type Owner = Pick<Transfer, 'id' | 'lane' | 'accountId' | 'livemode'>

/** The sample for an event of the type: `owner` names the contract, `channel` prices it. */
export function sampleContract(type: EventType, owner: Owner, channel: ChannelFacts | null, nowMs: number): Contract {
  return isPaymentEvent(type) ? samplePayment(type, owner, nowMs) : sampleTransfer(type, owner, channel, nowMs)
}

function sampleTransfer(
  type: Exclude<EventType, PaymentEvent>,
  owner: Owner,
  channel: ChannelFacts | null,
  nowMs: number,
): Transfer {
  const { status, activities, execution } = STAGES[type]
  const terms = termsOn(channel)
  const { feeMinor, debitMinor } = previewOf(terms, channel)
  const timeOf = (activity: ActivityType) => (activities.includes(activity) ? nowMs : null)
  const isFailed = execution === 'failed'
  return {
    ...owner,
    kind: 'transfer',
    status,
    version: activities.length,
    sequence: 1,
    terms,
    channelVersion: channel?.version ?? null,
    quote: null,
    feeMinor,
    debitMinor,
    warnings: [],
    createdAt: nowMs,
    updatedAt: nowMs,
    expiresAt: nowMs + LIFETIME_MS,
    issuedAt: timeOf('issued'),
    paidAt: timeOf('paid'),
    completedAt: timeOf('completed'),
    walletId: null,
    heldMinor: status === 'paid' || status === 'returned' ? debitMinor : 0n,
    execution: {
      status: execution,
      number: execution === 'none' ? 0 : 1,
      reference: null,
      submittedAt: timeOf('transfer_submitted'),
      failure: isFailed ? { code: 'account_closed', message: 'A sample of a failure.' } : null,
    },
    cancellation: null,
    refund: null,
    origin: null,
    pays: null,
    ...(activities.includes('approval_requested') ? { requirements: sampleRequirements(activities, nowMs) } : {}),
    ...(activities.includes('verified') ? { verifications: [sampleVerification(nowMs)] } : {}),
    activities: activities.map((activity) => ({ type: activity, at: nowMs, actor: 'account', data: null })),
  }
}

const NOBODY = '00000000-0000-7000-8000-000000000000'

/** A check of the recipient's name that passed. */
const sampleVerification = (nowMs: number): NotedVerification => ({
  id: NOBODY,
  verification: 'name',
  verifierId: null,
  verifierName: null,
  status: 'pass',
  words: 'The account is in that name.',
  endedAt: nowMs,
  expiresAt: nowMs + 30 * LIFETIME_MS,
})

/** One approval is asked for, by a policy that does not exist. Its terms are nobody's, and so is their hash. */
function sampleRequirements(activities: readonly ActivityType[], nowMs: number): Requirements {
  const approval = { memberId: NOBODY, name: 'Ben Reyes', role: 'approver', at: nowMs, termsHash: '' } as const
  return {
    askedAt: nowMs,
    approvals: [{ policyId: NOBODY, version: 1, name: 'Large transfers', count: 1, role: null }],
    verifications: [],
    given: activities.includes('approved') ? [approval] : [],
  }
}
