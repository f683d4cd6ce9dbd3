// Domain -> wire: numbers in major units, ISO 8601 times, null for what is unset. The only place that knows both.
import type { ChannelBook, ChannelFacts } from '../domain/channels.ts'
import { arrivalOf, cutOffNotes } from '../domain/departure.ts'
import { activityId, eventId } from '../domain/ids.ts'
import { displayText, majorNumber } from '../domain/money.ts'
import type { EventType } from '../domain/moves.ts'
import { previewOf, type Preview } from '../domain/preview.ts'
import { quoteFrom } from '../domain/quotes.ts'
import type { Activity, Transfer, Wallet } from '../domain/transfer.ts'
import { presentContractChannel, presentPreview } from './present-channels.ts'
import { iso, isoOrNull } from './times.ts'

export const API_VERSION = '2026-11-01'

/** The gateway's own profile: the actor of what workers, clocks and rails do. */
const GATEWAY_PROFILE = '00000000-0000-8000-8000-000000000001'

export type Presenter = { readonly channels: ChannelBook; readonly baseUrl: string }

/** The contract as every reply and event shows it (spec 2.1, design 4). `profileId` is its account's. */
export function presentContract(presenter: Presenter, contract: Transfer, profileId: string) {
  const { terms, execution } = contract
  const { deliverable, recipient } = terms
  const channel = channelOf(presenter, contract)
  const activities = contract.trail.map((line, index) => presentActivity(contract, line, index, profileId))
  return {
    id: contract.id,
    kind: 'transfer',
    livemode: contract.livemode,
    amount: majorNumber(terms.amountMinor, terms.currency),
    currency: terms.currency,
    status: contract.status,
    issued_by: contract.issuedAt === null ? null : profileId,
    issued_to: terms.issuedTo,
    issued_at: isoOrNull(contract.issuedAt),
    paid_by: contract.paidAt === null ? null : profileId,
    paid_at: isoOrNull(contract.paidAt),
    expires_at: iso(contract.expiresAt),
    description: terms.description,
    deliverable: deliverable && {
      type: deliverable.type,
      reference_id: deliverable.referenceId,
      description: deliverable.description,
      details: deliverable.details,
    },
    recipient,
    channel: channel && presentContractChannel(presenter.baseUrl, channel, terms.currency),
    payment: paymentOf(contract, activities),
    activities,
    preview: contractPreview(presenter, contract, channel),
    transfer: {
      status: execution.status,
      attempts: execution.number,
      reference: execution.reference,
      submitted_at: isoOrNull(execution.submittedAt),
      completed_at: isoOrNull(contract.completedAt),
      failure: execution.failure,
    },
    cancellation: presentCancellation(contract),
    refund: presentRefund(contract),
    created_at: iso(contract.createdAt),
    updated_at: iso(contract.updatedAt),
    version: contract.version,
  }
}

export function presentCancellation({ cancellation }: Transfer) {
  return (
    cancellation && {
      status: cancellation.status,
      reason: cancellation.reason,
      requested_at: iso(cancellation.requestedAt),
    }
  )
}

export function presentRefund({ refund, terms }: Transfer) {
  return refund && { amount: majorNumber(refund.amountMinor, terms.currency), refunded_at: iso(refund.at) }
}

/** The channel in the version that priced the contract. */
function channelOf({ channels }: Presenter, contract: Transfer): ChannelFacts | null {
  const { channelId } = contract.terms
  if (channelId === null || contract.channelVersion === null) return null
  return channels.at(channelId, contract.channelVersion) ?? null
}

/** A draft shows what it still lacks; from issue on the terms are frozen and the price is the one that was stored. */
function contractPreview({ baseUrl }: Presenter, contract: Transfer, channel: ChannelFacts | null) {
  const { terms, warnings, updatedAt } = contract
  const isDraft = contract.issuedAt === null
  const frozen: Preview = {
    feeMinor: contract.feeMinor,
    debitMinor: contract.debitMinor,
    receiveMinor: contract.debitMinor - contract.feeMinor,
    messages: [],
  }
  const preview = isDraft ? previewOf(terms, channel) : frozen
  // A draft that has ended leaves no more.
  const notes = contract.status === 'draft' ? [...cutOffNotes(channel, updatedAt), ...warnings] : warnings
  const indicated = channel?.asset ? quoteFrom(channel.asset, terms.currency, updatedAt) : null
  const quote = isDraft ? indicated : contract.quote
  return presentPreview(baseUrl, preview, terms.currency, channel, {
    arrivesAt: arrivalOf(contract, channel),
    notes,
    quote,
  })
}

function presentActivity(contract: Transfer, line: Activity, index: number, profileId: string) {
  return {
    parent: contract.id,
    id: activityId(contract.id, index),
    type: line.type,
    actor: line.actor === 'gateway' ? GATEWAY_PROFILE : profileId,
    proxy: null,
    summary: summaryOf(contract, line),
    published_at: iso(line.at),
    resource: { id: contract.id, type: 'contract.transfer', data: line.data ?? {} },
  }
}

/** The paid activity, without `parent` (design 3, trap 5). */
function paymentOf(contract: Transfer, activities: readonly ReturnType<typeof presentActivity>[]) {
  if (contract.paidAt === null) return null
  const paid = activities.find((line) => line.type === 'paid')
  if (!paid) return null
  const { parent: _, ...details } = paid
  return { paid_at: iso(contract.paidAt), details }
}

const SUMMARIES: Record<Activity['type'], string> = {
  created: 'Draft created',
  updated: 'Draft updated',
  issued: 'Issued',
  paid: 'Paid',
  transfer_submitted: 'Sent to the channel',
  transfer_accepted: 'Accepted by the channel',
  transfer_unknown: 'The channel gave no definite answer; it is being asked',
  transfer_failed: 'The channel refused the transfer',
  completed: 'Completed',
  returned: 'Returned by the channel after delivery',
  refunded: 'Refunded to the wallet',
  cancelled: 'Cancelled',
  cancel_requested: 'Cancellation requested; the channel is being asked',
  cancel_refused: 'Cancellation refused: the money has arrived',
  expired: 'Expired',
  outcome_disputed: 'The channel contradicts an earlier outcome',
  transfer_retried: 'Another attempt at the transfer was made ready',
  resolved: 'Resolved by an operator with evidence',
}

function summaryOf(contract: Transfer, line: Activity): string {
  const words = SUMMARIES[line.type]
  if (line.type === 'paid') return `${words}: ${displayText(contract.debitMinor, contract.terms.currency)}`
  if (line.type === 'refunded' && contract.refund)
    return `${words}: ${displayText(contract.refund.amountMinor, contract.terms.currency)}`
  return words
}

/** A webhook's and the feed's body (design 9). */
export function presentEvent(presenter: Presenter, contract: Transfer, type: EventType, profileId: string) {
  return {
    id: eventId(contract.id, contract.sequence),
    type,
    created_at: Math.floor(contract.updatedAt / 1000),
    data: { object: presentContract(presenter, contract, profileId) },
    event: type.slice(type.indexOf('.') + 1),
    kind: 'transfer',
    sequence: contract.sequence,
    api_version: API_VERSION,
    livemode: contract.livemode,
  }
}

export function presentWallet(wallet: Wallet) {
  return {
    id: wallet.id,
    currency: wallet.currency,
    available: majorNumber(wallet.availableMinor, wallet.currency),
    held: majorNumber(wallet.heldMinor, wallet.currency),
    in_transit: majorNumber(wallet.inTransitMinor, wallet.currency),
  }
}
