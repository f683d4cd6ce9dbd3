// Domain -> wire: numbers in major units, ISO 8601 times, null for what is unset. The only place that knows both.
import type { ChannelBook, ChannelFacts } from '../domain/channels.ts'
import { feeBreakdown, type FeeBreakdown } from '../domain/fees.ts'
import { activityId, eventId } from '../domain/ids.ts'
import { displayText, majorNumber } from '../domain/money.ts'
import type { EventType } from '../domain/moves.ts'
import { previewOf, type Preview } from '../domain/preview.ts'
import type { Activity, Message, Transfer, Wallet } from '../domain/transfer.ts'

export const API_VERSION = '2026-11-01'

/** The gateway's own profile: the actor of what workers, clocks and rails do. */
const GATEWAY_PROFILE = '00000000-0000-8000-8000-000000000001'

export type Presenter = { readonly channels: ChannelBook; readonly baseUrl: string }

const NO_FEES: FeeBreakdown = { pct: 0, add: 0, min: 0, max: 0, fixed: 0 }

// The times of one contract, and of one batch, are mostly the same: the last text is kept.
let lastTimeMs = Number.NaN
let lastIso = ''
function iso(timeMs: number): string {
  if (timeMs === lastTimeMs) return lastIso
  lastTimeMs = timeMs
  lastIso = new Date(timeMs).toISOString()
  return lastIso
}
const isoOrNull = (timeMs: number | null) => (timeMs === null ? null : iso(timeMs))

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
    channel: channel && presentContractChannel(presenter, channel, terms.currency),
    payment: paymentOf(contract, activities),
    activities,
    preview: presentPreview(presenter, contract, channel),
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

export function presentContractChannel(presenter: Presenter, channel: ChannelFacts, currency: string) {
  const known = presentedChannels.get(channel)?.get(currency)
  if (known) return known
  const made = contractChannel(presenter, channel, currency)
  const byCurrency = presentedChannels.get(channel) ?? new Map<string, typeof made>()
  presentedChannels.set(channel, byCurrency.set(currency, made))
  return made
}

// A version of a channel never changes, so neither does its face in a currency.
const presentedChannels = new WeakMap<ChannelFacts, Map<string, ReturnType<typeof contractChannel>>>()

function contractChannel(presenter: Presenter, channel: ChannelFacts, currency: string) {
  return {
    id: channel.id,
    service: channel.service,
    name: channel.name,
    description: channel.description,
    policy: { uri: policyUri(presenter, channel) },
    fees: { covered: channel.covered, breakdown: breakdownOf(channel, currency) },
  }
}

function policyUri(presenter: Presenter, channel: ChannelFacts): string {
  return `${presenter.baseUrl}/channels/${channel.id}`
}

function breakdownOf(channel: ChannelFacts, currency: string): FeeBreakdown {
  const terms = channel.terms.get(currency)
  return terms ? feeBreakdown(terms.fees, currency) : NO_FEES
}

/** A draft shows what it still lacks; from issue on the terms are frozen and the price is the one that was stored. */
function presentPreview(presenter: Presenter, contract: Transfer, channel: ChannelFacts | null) {
  const frozen: Preview = {
    feeMinor: contract.feeMinor,
    debitMinor: contract.debitMinor,
    receiveMinor: contract.debitMinor - contract.feeMinor,
    messages: [],
  }
  const preview = contract.issuedAt === null ? previewOf(contract.terms, channel) : frozen
  return previewBody(presenter, preview, contract.terms.currency, channel, contract.warnings)
}

export function previewBody(
  presenter: Presenter,
  preview: Preview,
  currency: string,
  channel: ChannelFacts | null,
  warnings: readonly Message[],
) {
  const breakdown = channel ? presentContractChannel(presenter, channel, currency).fees.breakdown : NO_FEES
  return {
    amount: majorNumber(preview.debitMinor, currency),
    valid: preview.messages.length === 0,
    fees: {
      total: majorNumber(preview.feeMinor, currency),
      covered: channel?.covered ?? false,
      breakdown,
    },
    messages: warnings.length === 0 ? preview.messages : [...preview.messages, ...warnings],
    receive_amount: majorNumber(preview.receiveMinor, currency),
  }
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

/** A channel's page: prices and bounds in each currency, and what a draft on it must have, as JSON Schema. */
export function presentChannel(presenter: Presenter, channel: ChannelFacts) {
  const major = (minor: bigint | null, currency: string) => (minor === null ? null : majorNumber(minor, currency))
  return {
    id: channel.id,
    service: channel.service,
    name: channel.name,
    description: channel.description,
    version: channel.version,
    policy: { uri: policyUri(presenter, channel) },
    fees: { covered: channel.covered },
    undo_seconds: channel.undoSeconds,
    currencies: [...channel.terms].map(([currency, terms]) => ({
      currency,
      min_amount: major(terms.minMinor, currency),
      max_amount: major(terms.maxMinor, currency),
      fees: { covered: channel.covered, breakdown: feeBreakdown(terms.fees, currency) },
    })),
    required: requiredSchema(channel),
  }
}

function requiredSchema(channel: ChannelFacts) {
  const properties = Object.fromEntries(
    channel.recipient.map((rule) => [
      rule.field,
      {
        type: 'string',
        description: rule.mend,
        ...(rule.pattern === null ? {} : { pattern: `^(?:${rule.pattern})$` }),
      },
    ]),
  )
  const recipient = { type: 'object', required: channel.recipient.map((rule) => rule.field), properties }
  const currency = { type: 'string', enum: [...channel.terms.keys()] }
  const required = ['amount', 'currency', 'channel', ...(channel.recipient.length > 0 ? ['recipient'] : [])]
  return { type: 'object', required, properties: { channel: { const: channel.id }, currency, recipient } }
}
