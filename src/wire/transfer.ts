// A transfer contract on the wire: numbers in major units, ISO 8601 times, null for what is unset.
import type { ChannelBook, ChannelFacts } from '../domain/channel/channel.ts'
import { arrivalOf, cutOffNotes } from '../domain/transfer/departure.ts'
import { majorNumber } from '../domain/money/money.ts'
import { previewOf, type Preview } from '../domain/contract/preview.ts'
import { quoteFrom } from '../domain/money/quotes.ts'
import type { Deliverable, Transfer } from '../domain/transfer/transfer.ts'
import { presentActivities } from './activities.ts'
import { presentContractChannel, presentPreview } from './channels.ts'
import { iso, isoOrNull } from './times.ts'

export type Presenter = {
  readonly channels: ChannelBook
  readonly baseUrl: string
  /** The payer's page of a payment contract. */
  readonly checkoutUrl: (contractId: string) => string
}

/** The transfer contract as every reply and event shows it (spec 2.1, docs/design/domain.md). `profileId` is its account's. */
export function presentTransfer(presenter: Presenter, contract: Transfer, profileId: string) {
  const { terms, execution } = contract
  const { deliverable, recipient } = terms
  const channel = channelOf(presenter, contract)
  const { activities, activities_total, payment } = presentActivities(contract, profileId)
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
    deliverable: presentDeliverable(deliverable),
    recipient,
    channel: channel && presentContractChannel(presenter.baseUrl, channel, terms.currency),
    payment,
    activities,
    activities_total,
    metadata: terms.metadata ?? {},
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
    refund_of: contract.origin?.paymentId ?? null,
    created_at: iso(contract.createdAt),
    updated_at: iso(contract.updatedAt),
    version: contract.version,
  }
}

export function presentCancellation({ cancellation }: Pick<Transfer, 'cancellation'>) {
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
  const preview = isDraft ? previewOf(terms, channel, contract.payeeFaults) : frozen
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

export function presentDeliverable(deliverable: Deliverable | null) {
  return (
    deliverable && {
      type: deliverable.type,
      reference_id: deliverable.referenceId,
      description: deliverable.description,
      details: deliverable.details,
    }
  )
}
