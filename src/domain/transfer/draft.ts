// A contract before money moves: created, changed, issued. Pure.
import type { CreateTransfer, IssueTransfer, UpdateTransfer } from './commands.ts'
import { changesBetween } from '../contract/changes.ts'
import { activity, asItStands, type Decision, type Facts, moved } from '../contract/decision.ts'
import { type LookAgain, notLookedUp, payeeFaults, paysTheSame } from './payees.ts'
import {
  type ExpectedPreview,
  isValid,
  type Preview,
  previewDifference,
  previewOf,
  problemsOf,
} from '../contract/preview.ts'
import { invalid, isRefusal, type Refusal, refuse, refuseAll, refuseFor } from '../contract/refusals.ts'
import { mendOf, refuseOtherMode } from '../channel/modes.ts'
import { type ChannelBook, type ChannelFacts, payingOut, versionIn } from '../channel/channel.ts'
import type { FeePrice } from '../policy/fees.ts'
import { assetAmount, isSameAsset, type Quote, quoteFrom } from '../money/quotes.ts'
import { askAhead } from './attempt.ts'
import { requestedAtIssue } from './requirements.ts'
import type { Message, Terms, Transfer } from './transfer.ts'

/** Bounds of expires_in, in seconds (docs/design/domain.md); test mode goes down to one second. */
export const EXPIRES_IN_SECONDS = { min: 60, minInTest: 1, max: 2_592_000, transferDefault: 1_209_600 } as const

const NOT_SENT = { status: 'none', number: 0, reference: null, submittedAt: null, failure: null } as const

/** A new draft. Only amount and currency are required; all else that is missing becomes a message of the preview. */
export function decideCreate(
  command: CreateTransfer,
  lane: number,
  accountId: string,
  facts: Facts,
): Decision | Refusal {
  const channel = chosenChannel(command.terms, command, facts)
  if (isRefusal(channel)) return channel
  const { nowMs } = facts
  const found = payeeFaults(command.terms, command, channel, command.payee)
  const price = facts.price?.(command.terms) ?? null
  const preview = previewOf(command.terms, channel, found, price)
  const contract: Transfer = {
    kind: 'transfer',
    id: command.id,
    lane,
    accountId,
    livemode: command.livemode,
    status: 'draft',
    version: 0,
    sequence: 0,
    terms: command.terms,
    channelVersion: channel?.version ?? null,
    quote: null,
    feeMinor: preview.feeMinor,
    debitMinor: preview.debitMinor,
    ...(price ? { feePrice: price } : {}),
    warnings: warningsOf(command.warnings, command.preview, preview, command.terms, channel),
    ...(found.length > 0 ? { payeeFaults: found } : {}),
    createdAt: nowMs,
    updatedAt: nowMs,
    expiresAt:
      nowMs + (command.expiresInSeconds ?? facts.expiresInSeconds ?? EXPIRES_IN_SECONDS.transferDefault) * 1000,
    issuedAt: null,
    paidAt: null,
    completedAt: null,
    walletId: null,
    heldMinor: 0n,
    execution: NOT_SENT,
    cancellation: null,
    refund: null,
    origin: null,
    pays: command.pays,
    activities: [],
    ...alsoMadeBy([], command.writers),
  }
  return moved(contract, nowMs, {}, [activity('created', nowMs, 'account')], 'contract.created')
}

/**
 * A patch that changes nothing leaves the contract as it stands: no version, no activity, no event. One that makes it pay a wallet
 * which was not looked up is not decided: its faults would be missing, and it could be issued.
 */
export function decideUpdate(
  contract: Transfer,
  command: UpdateTransfer,
  facts: Facts,
): Decision | Refusal | LookAgain {
  const patched = command.patch(contract.terms)
  if (isRefusal(patched)) return patched
  const channel = chosenChannel(patched.terms, contract, facts)
  if (isRefusal(channel)) return channel
  const { nowMs } = facts
  const { payeeFaults: foundBefore = [], feePrice, ...unfound } = contract
  const isSame = command.payee === undefined && paysTheSame(contract.terms, patched.terms)
  const unseen = isSame ? null : notLookedUp(patched.terms.recipient, channel, command.payee)
  if (unseen) return unseen
  const found = isSame ? foundBefore : payeeFaults(patched.terms, contract, channel, command.payee)
  const price = facts.price?.(patched.terms) ?? null
  const preview = previewOf(patched.terms, channel, found, price)
  const expiresAt = patched.expiresInSeconds === null ? contract.expiresAt : nowMs + patched.expiresInSeconds * 1000
  const warnings = warningsOf(patched.warnings, patched.preview, preview, patched.terms, channel)
  const changed = changesBetween(contract, { terms: patched.terms, expiresAt })
  const channelVersion = channel?.version ?? null
  const isOtherPrice = channelVersion !== contract.channelVersion || !isSamePrice(feePrice, price)
  const isRepriced = patched.namesChannel && isOtherPrice
  const isWarnedAnew = patched.preview !== null && JSON.stringify(warnings) !== JSON.stringify(contract.warnings)
  const isFoundAnew = JSON.stringify(found) !== JSON.stringify(foundBefore)
  if (!changed && !isRepriced && !isWarnedAnew && !isFoundAnew) return asItStands(contract)
  const { feeMinor, debitMinor } = preview
  const changes: Partial<Transfer> = {
    terms: patched.terms,
    ...(found.length > 0 ? { payeeFaults: found } : {}),
    ...(price ? { feePrice: price } : {}),
    channelVersion,
    feeMinor,
    debitMinor,
    warnings,
    expiresAt,
  }
  const line = { ...activity('updated', nowMs, 'account'), changes: changed ?? { changed: [] } }
  return moved(withRoom(unfound), nowMs, changes, [line], 'contract.updated')
}

/** Of the same version and tier: then its numbers are the same. */
const isSamePrice = (one: FeePrice | undefined, other: FeePrice | null): boolean =>
  one?.policyId === other?.policyId && one?.version === other?.version && one?.tier === other?.tier

/** How many activities a draft repeats in each of its versions. */
const ACTIVITIES_KEPT = 50

/** The draft with room for one more activity: the oldest updates stand in the versions that they made. */
function withRoom(contract: Transfer): Transfer {
  const { activities, folded = 0, foldedBy = [] } = contract
  const over = activities.length + 1 - ACTIVITIES_KEPT
  if (over <= 0) return contract
  const by = activities.slice(1, 1 + over).flatMap(({ proxy }) => proxy ?? [])
  return {
    ...contract,
    activities: [...activities.slice(0, 1), ...activities.slice(1 + over)],
    folded: folded + over,
    ...alsoMadeBy(foldedBy, by),
  }
}

/** Makers whom no activity that is kept names, each once. */
function alsoMadeBy(before: readonly string[] = [], more: readonly string[] = []): Pick<Transfer, 'foldedBy'> {
  const makers = [...new Set([...before, ...more])]
  return makers.length > 0 ? { foldedBy: makers } : {}
}

/** Freezes the terms at the price the draft showed: what the preview said is what will be charged. */
export function decideIssue(contract: Transfer, command: IssueTransfer, facts: Facts): Decision | Refusal {
  const channel = pricedBy(contract, facts)
  const preview = previewOf(contract.terms, channel, contract.payeeFaults, contract.feePrice)
  if (!isValid(preview)) {
    const problems = problemsOf(preview)
    const fixes = problems.map((problem) => problem.message).join(' ')
    return refuseFor('requirements_not_met', problems[0]?.param ?? null, fixes, problems)
  }
  const mismatch = command.preview && previewDifference(command.preview, preview, contract.terms.currency, channel)
  if (mismatch) return refuse('preview_mismatch', 'preview', mismatch)
  const closed = channel && whyNotBy(channel, contract, facts)
  if (closed) return closed
  const { nowMs } = facts
  const quote = quoteAt(contract, channel, preview.receiveMinor, facts)
  if (isRefusal(quote)) return quote
  const changes: Partial<Transfer> = {
    status: 'issued',
    issuedAt: nowMs,
    quote,
    // The price holds as long as the contract may be paid, and no longer.
    expiresAt: Math.min(contract.expiresAt, quote?.expiresAt ?? contract.expiresAt),
    terms: { ...contract.terms, issuedTo: contract.terms.issuedTo ?? defaultIssuedTo(contract.terms) },
    warnings: [],
    ...alsoMadeBy(contract.foldedBy, command.writers),
  }
  const issued = moved(contract, nowMs, changes, [activity('issued', nowMs, 'account')], 'contract.issued')
  const next = facts.rules ? requestedAtIssue(issued.after, facts.rules, nowMs) : null
  askAhead(issued.after, facts)
  return next ? { ...issued, next } : issued
}

/** The price of this moment for the asset that the draft showed; its rate there was only that of the last change. */
function quoteAt(
  { terms: { channelId, currency } }: Transfer,
  channel: ChannelFacts | null,
  receiveMinor: bigint,
  { channels, nowMs }: Facts,
): Quote | null | Refusal {
  const shown = channel?.asset ?? null
  const asset = channelId === null ? null : (channels.current(channelId)?.asset ?? null)
  if (shown === null && asset === null) return null
  const quote = asset && quoteFrom(asset, currency, nowMs)
  if (shown === null || quote === null || !isSameAsset(shown, quote))
    return refuse(
      'requirements_not_met',
      'channel',
      'The channel no longer pays what the draft showed. Update the draft with its channel, and look at the new preview.',
    )
  if ('fault' in assetAmount(receiveMinor, currency, quote))
    return refuse(
      'requirements_not_met',
      'amount',
      `So little of ${quote.asset} cannot be sent without loss; raise the amount.`,
    )
  return quote
}

/** The channel in the version that priced the contract. */
export function pricedBy(contract: Transfer, facts: Facts): ChannelFacts | null {
  const { channelId } = contract.terms
  if (channelId === null || contract.channelVersion === null) return null
  return versionIn(facts.channels, channelId, contract.channelVersion)
}

/**
 * Why a contract's money cannot leave by the channel that prices it: it moves money of the other mode, which only a
 * contract from before there were modes can have, or it is not offered any more, so that nothing would ever leave.
 */
export function whyNotBy(channel: ChannelFacts, { livemode }: Transfer, facts: Facts): Refusal | null {
  const crossing = refuseOtherMode(channel, livemode, () => payingOut(facts.channels))
  if (crossing || facts.channels.current(channel.id)) return crossing
  const fix = `Cancel the contract and create one on another channel. ${mendOf(livemode, payingOut(facts.channels))}`
  return refuse('requirements_not_met', 'channel', `Channel ${channel.id} is no longer offered. ${fix}`)
}

function chosenChannel(
  { channelId }: Terms,
  { livemode }: Pick<Transfer, 'livemode'>,
  { channels }: Facts,
): ChannelFacts | null | Refusal {
  return channelId === null ? null : channelToPayBy(channelId, livemode, channels)
}

/** The channel in its present version, if money of the mode can leave by it. */
export function channelToPayBy(channelId: string, livemode: boolean, channels: ChannelBook): ChannelFacts | Refusal {
  const known = channels.current(channelId)
  const crossing = known && refuseOtherMode(known, livemode, () => payingOut(channels))
  if (crossing) return crossing
  if (known && known.terms.size === 0)
    return refuseAll([invalid('channel', `channel ${known.id} brings money in; choose one that pays out.`)])
  if (known) return known
  const unknown = `channel ${JSON.stringify(channelId)} is not known.`
  return refuseAll([invalid('channel', `${unknown} ${mendOf(livemode, payingOut(channels))}`)])
}

function warningsOf(
  warnings: readonly Message[],
  expected: ExpectedPreview | null,
  preview: Preview,
  terms: Terms,
  channel: ChannelFacts | null,
): readonly Message[] {
  const difference = expected && previewDifference(expected, preview, terms.currency, channel)
  return difference ? [...warnings, { code: 'preview_mismatch', type: 'warning', message: difference }] : warnings
}

function defaultIssuedTo(terms: Terms): string | null {
  return terms.recipient?.email ?? terms.recipient?.mobile ?? terms.recipient?.name ?? null
}
