// A transfer contract on the wire: numbers in major units, ISO 8601 times, null for what is unset.
import Type from 'typebox'
import type { ChannelBook, ChannelFacts } from '../domain/channel/channel.ts'
import { previewOf, type Preview } from '../domain/contract/preview.ts'
import { majorNumber } from '../domain/money/money.ts'
import { quoteFrom } from '../domain/money/quotes.ts'
import { arrivalOf, cutOffNotes } from '../domain/transfer/departure.ts'
import { TRANSFER_STATUSES } from '../domain/transfer/moves.ts'
import type { Transfer } from '../domain/transfer/transfer.ts'
import { type Owners, presentShared, sharedContractFields } from './contract.ts'
import { type OwnersPreview, presentContractChannel, presentPreview } from './contract-channel.ts'
import { Approval, presentApproval } from './contracts/approval.ts'
import { NotedVerifications, presentNoted } from './contracts/verifications.ts'
import { envelope, nullable, nullableText, nullableTime, time, uuid, type Wire } from './shapes.ts'
import { iso, isoOrNull } from './times.ts'

export const TransferContract = Type.Object(
  {
    ...sharedContractFields,
    kind: Type.Enum(['transfer']),
    status: Type.Enum([...TRANSFER_STATUSES], { $id: 'TransferStatus' }),
    transfer: Type.Object({
      status: Type.String({ description: 'How far the money has got: docs/states.md.' }),
      attempts: Type.Integer(),
      reference: nullableText,
      submitted_at: nullableTime,
      completed_at: nullableTime,
      failure: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    }),
    refund: nullable(Type.Object({ amount: Type.Number(), refunded_at: time('When.') })),
    refund_of: nullable(uuid('The payment contract whose money this gives back.')),
    approval: nullable(Approval),
    verifications: NotedVerifications,
  },
  { $id: 'TransferContract' },
)

const data = { contract: TransferContract }

export const ContractReply = envelope('number', Type.Object(data))

export const UpdateReply = envelope('string', Type.Object(data))

export const ContractsReply = envelope(
  'number',
  Type.Object({ contracts: Type.Array(TransferContract), next: nullableText }),
)

export type Presenter = {
  readonly channels: ChannelBook
  readonly baseUrl: string
  /** The payer's page of a payment contract. */
  readonly checkoutUrl: (contractId: string) => string
}

/** As the account's own key sees it. */
export type OwnersTransfer = Owners<Wire<typeof TransferContract>>

/** The transfer contract as every reply and event shows it (spec 2.1, docs/design/domain.md). `profileId` is its account's. */
export function presentTransfer(presenter: Presenter, contract: Transfer, profileId: string): OwnersTransfer {
  const { terms, execution } = contract
  const channel = channelOf(presenter, contract)
  const shared = presentShared(contract, profileId, {
    paid_by: contract.paidAt === null ? null : profileId,
    channel: channel && presentContractChannel(presenter.baseUrl, channel, terms.currency),
    preview: contractPreview(presenter, contract, channel),
  })
  const own: Omit<OwnersTransfer, keyof typeof shared> = {
    transfer: {
      status: execution.status,
      attempts: execution.number,
      reference: execution.reference,
      submitted_at: isoOrNull(execution.submittedAt),
      completed_at: isoOrNull(contract.completedAt),
      failure: execution.failure,
    },
    refund: presentRefund(contract),
    refund_of: contract.origin?.paymentId ?? null,
    approval: presentApproval(contract),
    verifications: presentNoted(contract),
  }
  return Object.assign(shared, own)
}

export function presentRefund({ refund, terms }: Transfer): OwnersTransfer['refund'] {
  return refund && { amount: majorNumber(refund.amountMinor, terms.currency), refunded_at: iso(refund.at) }
}

/** The channel in the version that priced the contract. */
function channelOf({ channels }: Presenter, contract: Transfer): ChannelFacts | null {
  const { channelId } = contract.terms
  if (channelId === null || contract.channelVersion === null) return null
  return channels.at(channelId, contract.channelVersion) ?? null
}

/** A draft shows what it still lacks; from issue on the terms are frozen and the price is the one that was stored. */
function contractPreview({ baseUrl }: Presenter, contract: Transfer, channel: ChannelFacts | null): OwnersPreview {
  const { terms, warnings, updatedAt } = contract
  const isDraft = contract.issuedAt === null
  const frozen: Preview = {
    feeMinor: contract.feeMinor,
    debitMinor: contract.debitMinor,
    receiveMinor: contract.debitMinor - contract.feeMinor,
    messages: [],
  }
  const preview = isDraft ? previewOf(terms, channel, contract.payeeFaults, contract.feePrice) : frozen
  // A draft that has ended leaves no more.
  const notes = contract.status === 'draft' ? [...cutOffNotes(channel, updatedAt), ...warnings] : warnings
  const indicated = channel?.asset ? quoteFrom(channel.asset, terms.currency, updatedAt) : null
  const quote = isDraft ? indicated : contract.quote
  return presentPreview(baseUrl, preview, terms.currency, channel, {
    arrivesAt: arrivalOf(contract, channel),
    notes,
    quote,
    price: contract.feePrice,
  })
}
