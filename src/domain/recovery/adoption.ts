// An order that a rail executed and the books have forgotten is taken into them again, under the reference that it had: its money is
// held, and nothing is sent. What became of it is reported by the rail, or said by an operator. Pure.
import { attemptReference, createdAtOf } from '../contract/ids.ts'
import { activity, asItStands, type Decision, type Facts, moved } from '../contract/decision.ts'
import { isRefusal, type Refusal, refuse } from '../contract/refusals.ts'
import { displayText } from '../money/money.ts'
import { holdPostings, type Posting, refundPostings, untransitPostings } from '../money/postings.ts'
import type { Wallet } from '../wallet/wallet.ts'
import type { AdoptTransfer } from '../transfer/commands.ts'
import { EXPIRES_IN_SECONDS } from '../transfer/draft.ts'
import type { Activity, Attempt, Execution, Transfer } from '../transfer/transfer.ts'

/** Whether the books know of the contract, and have forgotten that this attempt at it was made. */
export function isForgotten(contract: Transfer, number: number): boolean {
  const { status, execution, origin, completedAt } = contract
  if (origin !== null) return false
  switch (status) {
    case 'draft':
    case 'issued':
    case 'expired':
      return number > 0
    case 'paid':
      return number > execution.number
    case 'cancelled':
      return completedAt === null && number >= Math.max(execution.number, 1)
    case 'completed':
    case 'returned':
      return false
  }
}

/** Whether the newest attempt was adopted on terms that the books never had. */
export function isOnUnknownTerms({ execution, activities }: Transfer): boolean {
  const adopted = activities.findLast(({ type }) => type === 'adopted')
  return adopted?.data?.['terms'] === 'unknown' && adopted.data['attempt'] === execution.number
}

/** Whether what was adopted on such terms waits for an operator to say what it was. */
export const isInReview = (contract: Transfer): boolean =>
  contract.status === 'paid' && contract.execution.status === 'unknown' && isOnUnknownTerms(contract)

/**
 * Takes an order in. Of a contract that is not known the terms are what the provider's line says. Adopted once, however often
 * it is asked. Refused where no wallet has the money.
 */
export function decideAdopt(
  before: Transfer | null,
  command: AdoptTransfer,
  owner: { readonly lane: number; readonly accountId: string },
  facts: Facts,
): Decision | Refusal {
  if (before && !isForgotten(before, command.number)) return asItStands(before)
  const contract = before === null ? unknownContract(command, owner, facts) : onTermsOfLine(before, command, facts)
  return contract.status === 'paid' && before !== null
    ? adoptedLater(contract, command, facts)
    : adoptedAnew(contract, before, command, facts)
}

/** A later attempt than the newest of the books, which had failed then: one follows a failure alone. Its hold is its own. */
function adoptedLater(contract: Transfer, command: AdoptTransfer, facts: Facts): Decision {
  const { nowMs, parent } = facts
  const attempt = attemptOf(contract, command, facts)
  const before = contract.execution.status === 'accepted' ? untransitPostings(contract) : []
  const postings = [...before, ...refundPostings(contract, parent), ...holdPostings(contract, parent)]
  const failed = contract.execution.status === 'failed' ? [] : [activity('transfer_failed', nowMs, 'gateway', FOLLOWED)]
  const lines = [...failed, retriedLine(command, facts), adoptedLine(contract, command, facts)]
  const execution = unknownExecution(attempt)
  return moved(contract, nowMs, { execution }, lines, null, { postings, attempt })
}

const FOLLOWED = {
  code: 'followed_by_another',
  message: 'The channel had a later attempt, and one follows a failure alone.',
}

function adoptedAnew(
  contract: Transfer,
  before: Transfer | null,
  command: AdoptTransfer,
  facts: Facts,
): Decision | Refusal {
  const { nowMs } = facts
  const wallet = walletWith(contract, facts)
  if (isRefusal(wallet)) return wallet
  const attempt = attemptOf(contract, command, facts)
  // What was refunded is taken again: in the books that is one attempt after another.
  const wasRefunded = before?.status === 'cancelled' && before.refund !== null
  const lines = [adoptedLine(contract, command, facts), activity('paid', nowMs, 'gateway')]
  const changes: Partial<Transfer> = {
    status: 'paid',
    issuedAt: contract.issuedAt ?? nowMs,
    paidAt: contract.paidAt ?? nowMs,
    walletId: wallet.id,
    heldMinor: contract.debitMinor,
    execution: unknownExecution(attempt),
    cancellation: null,
    refund: null,
  }
  const postings: readonly Posting[] = holdPostings(contract, null)
  const history = wasRefunded ? [retriedLine(command, facts), ...lines] : lines
  return moved(contract, nowMs, changes, history, 'contract.paid', { postings, attempt })
}

/** The wallet that paid, or the default one of the currency; refused where it cannot hold the debit. */
function walletWith({ walletId, debitMinor, terms }: Transfer, facts: Facts): Wallet | Refusal {
  const wallet = facts.wallet(walletId, terms.currency)
  const debit = displayText(debitMinor, terms.currency)
  if (!wallet || wallet.currency !== terms.currency)
    return refuse('wallet_not_found', null, `The account has no wallet in ${terms.currency} to hold ${debit}.`)
  const lackingMinor = debitMinor - wallet.availableMinor
  if (lackingMinor <= 0n) return wallet
  const lacking = displayText(lackingMinor, terms.currency)
  return refuse('insufficient_funds', null, `${lacking} is lacking in wallet ${wallet.id} to hold ${debit}.`)
}

/** A draft may have been changed before it was paid: what the line says is what left. */
function onTermsOfLine(contract: Transfer, command: AdoptTransfer, facts: Facts): Transfer {
  if (contract.status !== 'draft') return contract
  const { amountMinor, currency, channelId } = command
  const { terms, feePrice: _, ...rest } = contract
  const isSame = terms.currency === currency && terms.channelId === channelId
  if (isSame && contract.debitMinor - contract.feeMinor === amountMinor) return contract
  const channelVersion = facts.channels.current(channelId)?.version ?? null
  const changed = { ...terms, amountMinor, currency, channelId }
  return { ...rest, terms: changed, channelVersion, feeMinor: 0n, debitMinor: amountMinor }
}

function unknownContract(
  { id, livemode, amountMinor, currency, channelId }: AdoptTransfer,
  { lane, accountId }: { readonly lane: number; readonly accountId: string },
  { nowMs, channels }: Facts,
): Transfer {
  const createdAt = Math.min(createdAtOf(id), nowMs)
  return {
    kind: 'transfer',
    id,
    lane,
    accountId,
    livemode,
    status: 'paid',
    version: 0,
    sequence: 0,
    terms: {
      amountMinor,
      currency,
      issuedTo: null,
      description: 'Known from the provider alone: adopted when the books were recovered.',
      deliverable: null,
      recipient: null,
      channelId,
    },
    channelVersion: channels.current(channelId)?.version ?? null,
    quote: null,
    feeMinor: 0n,
    debitMinor: amountMinor,
    warnings: [],
    createdAt,
    updatedAt: nowMs,
    expiresAt: createdAt + EXPIRES_IN_SECONDS.transferDefault * 1000,
    issuedAt: nowMs,
    paidAt: nowMs,
    completedAt: null,
    walletId: null,
    heldMinor: 0n,
    execution: { status: 'none', number: 0, reference: null, submittedAt: null, failure: null },
    cancellation: null,
    refund: null,
    origin: null,
    pays: null,
    activities: [],
  }
}

/** It waits for a report or an operator, and is due for nothing: no worker sends it. */
function attemptOf(contract: Transfer, { number, channelId }: AdoptTransfer, { nowMs, attempt }: Facts): Attempt {
  const { lane, accountId, id: contractId } = contract
  const reference = attemptReference(contractId, number)
  const fence = (attempt?.fence ?? 0) + 1
  const doubt = { status: 'unknown', tries: 0, dueAt: null, submittedAt: nowMs, absentSince: null } as const
  return { kind: 'payout', lane, accountId, contractId, number, channelId, reference, fence, ...doubt }
}

const unknownExecution = ({ number, reference, submittedAt }: Attempt): Execution => ({
  status: 'unknown',
  number,
  reference,
  submittedAt,
  failure: null,
})

function adoptedLine(contract: Transfer, command: AdoptTransfer, { nowMs }: Facts): Activity {
  const { number: attempt, channelId: channel, isKnown, operator, epoch } = command
  const reference = attemptReference(contract.id, attempt)
  const terms = isKnown ? 'known' : 'unknown'
  return activity('adopted', nowMs, 'gateway', { reference, attempt, channel, terms, epoch, operator })
}

function retriedLine({ number: attempt, channelId: channel }: AdoptTransfer, { nowMs, attempt: before }: Facts) {
  const failed = before?.channelId ?? channel
  return activity('transfer_retried', nowMs, 'gateway', { attempt, channel, failed_channel: failed })
}
