// Decides any command about a contract, from the table of moves. Pure: no clock, no database, no network.
import type { TransferVerb } from './commands.ts'
import type { CancelTransfer, PayTransfer, TransferCommand, PlainCommand } from './commands.ts'
import { activity, asItStands, type Decision, type Facts, moved } from '../contract/decision.ts'
import { decideIssue, decideUpdate, pricedBy, whyNotBy } from './draft.ts'
import { decideApprove, decideReject } from './approvals.ts'
import { askAhead, nextAttempt, queuedExecution } from './attempt.ts'
import { dispatchAt } from '../channel/channel.ts'
import { cancelPaid, decideInquire, decideReport, decideSubmit, refunded } from './execution.ts'
import { invariant } from '../invariant.ts'
import { displayText } from '../money/money.ts'
import { targetsOf } from './move-table.ts'
import { holdPostings } from '../money/postings.ts'
import { FREE } from '../policy/judge.ts'
import { refusePolicy, waitsFor } from './requirements.ts'
import { previewDifference, previewOf } from '../contract/preview.ts'
import { invalid, isRefusal, type Refusal, refuse, refuseAll } from '../contract/refusals.ts'
import { type LookAgain, paysWallets } from './payees.ts'
import { decideResolve, decideRetry, refuseNotFailed, refuseNotOpen } from './resolution.ts'
import type { Transfer } from './transfer.ts'
import { decideVerify } from './verified.ts'

/**
 * The contract after the command with all that is to be written, or why not; of an update alone, what has to be looked up first.
 * Exhaustive over status × command.
 */
export function decide(contract: Transfer, command: PlainCommand, facts: Facts): Decision | Refusal
export function decide(contract: Transfer, command: TransferCommand, facts: Facts): Decision | Refusal | LookAgain
export function decide(contract: Transfer, command: TransferCommand, facts: Facts): Decision | Refusal | LookAgain {
  if (command.verb === 'verify') return decideVerify(contract, command, facts)
  if (targetsOf(contract.status, command.verb).length === 0) return offTable(contract, command.verb)
  const isOpen = contract.status === 'draft' || contract.status === 'issued'
  // Expiry is a predicate of each move first and a sweep second, so that a late sweeper is harmless (docs/design/write-path.md).
  if (isOpen && contract.expiresAt <= facts.nowMs && command.verb !== 'expire') return refuseExpired()
  switch (command.verb) {
    case 'update':
      return decideUpdate(contract, command, facts)
    case 'issue':
      return decideIssue(contract, command, facts)
    case 'pay':
      return decidePay(contract, command, facts)
    case 'cancel':
      return decideCancel(contract, command, facts)
    case 'expire':
      return decideExpire(contract, facts)
    case 'submit':
      return decideSubmit(contract, command, facts)
    case 'inquire':
      return decideInquire(contract, command, facts)
    case 'report':
      return decideReport(contract, command, facts)
    case 'retry':
      return decideRetry(contract, command, facts)
    case 'resolve':
      return decideResolve(contract, command, facts)
    case 'approve':
      return decideApprove(contract, command, facts)
    case 'reject': {
      const { id, reason } = command
      const cancel = { verb: 'cancel', id, reason, actor: 'account' } as const
      return decideReject(contract, command, facts, (rejected) => decideCancel(rejected, cancel, facts))
    }
  }
}

function decidePay(contract: Transfer, command: PayTransfer, facts: Facts): Decision | Refusal {
  const channel = pricedBy(contract, facts)
  const { currency, channelId } = contract.terms
  invariant(channel !== null && channelId !== null, 'an issued contract has a priced channel')
  const mismatch =
    command.preview &&
    previewDifference(command.preview, previewOf(contract.terms, channel, [], contract.feePrice), currency, channel)
  if (mismatch) return refuse('preview_mismatch', 'preview', mismatch)
  const closed = whyNotBy(channel, contract, facts)
  if (closed) return closed
  const wallet = facts.wallet(command.walletId, currency)
  if (!wallet || wallet.currency !== currency)
    return refuse('wallet_not_found', 'source', walletMend(command, currency))
  if (wallet.status === 'closed')
    return refuse('wallet_closed', 'source', 'This wallet is closed. Name an open one: GET /wallets.')
  if (paysWallets(channel) && contract.terms.recipient?.wallet === wallet.id)
    return refuseAll([invalid('source', 'The contract pays this very wallet. Name another one in source.')])
  const judged = facts.rules?.judge(contract, wallet.id) ?? FREE
  if (judged.denied) return refusePolicy(judged.denied)
  const waits = facts.rules ? waitsFor(contract, judged, facts.rules, facts.nowMs) : null
  if (waits && !isRefusal(waits)) askAhead({ ...contract, walletId: wallet.id }, facts)
  if (waits) return waits
  const lackingMinor = contract.debitMinor - wallet.availableMinor
  if (lackingMinor > 0n) {
    const show = (minor: bigint) => displayText(minor, currency)
    return refuse(
      'insufficient_funds',
      'source',
      `The debit is ${show(contract.debitMinor)} and the wallet has ${show(wallet.availableMinor)} available: ${show(lackingMinor)} is lacking.`,
    )
  }
  const { nowMs } = facts
  const attempt = nextAttempt(contract, channelId, dispatchAt(channel, nowMs + judged.delaySeconds * 1000))
  const changes: Partial<Transfer> = {
    status: 'paid',
    paidAt: nowMs,
    walletId: wallet.id,
    heldMinor: contract.debitMinor,
    execution: queuedExecution(attempt),
  }
  const written = { postings: holdPostings(contract, null), attempt }
  return moved(contract, nowMs, changes, [activity('paid', nowMs, 'account')], 'contract.paid', written)
}

function walletMend(command: PayTransfer, currency: string): string {
  return command.walletId === null
    ? `The account has no wallet in ${currency}.`
    : `source names no ${currency} wallet of this account; see GET /wallets.`
}

function decideCancel(contract: Transfer, command: CancelTransfer, facts: Facts): Decision | Refusal {
  const { nowMs } = facts
  const data = command.reason === null ? null : { reason: command.reason }
  if (contract.status === 'paid') return cancelPaid(contract, command, facts)
  if (contract.status === 'returned') return refunded(contract, command, facts, [])
  if (contract.status === 'completed') return refuseCompleted(contract, command, facts)
  const cancellation = { status: 'done', reason: command.reason, requestedAt: nowMs } as const
  const activities = [activity('cancelled', nowMs, command.actor, data)]
  return moved(contract, nowMs, { status: 'cancelled', cancellation }, activities, 'contract.cancelled')
}

/** The first try to cancel a completed contract is kept in its history; all are refused. */
function refuseCompleted(contract: Transfer, command: CancelTransfer, facts: Facts): Decision | Refusal {
  const answer = refuse('contract_completed', 'id', 'The money has arrived; a completed contract cannot be cancelled.')
  if (contract.activities.some((line) => line.type === 'cancel_refused')) return answer
  const line = activity(
    'cancel_refused',
    facts.nowMs,
    command.actor,
    command.reason === null ? null : { reason: command.reason },
  )
  return moved(contract, facts.nowMs, {}, [line], null, { answer })
}

function decideExpire(contract: Transfer, facts: Facts): Decision {
  if (contract.expiresAt > facts.nowMs) return asItStands(contract)
  return moved(
    contract,
    facts.nowMs,
    { status: 'expired' },
    [activity('expired', facts.nowMs, 'gateway')],
    'contract.expired',
  )
}

function refuseExpired(): Refusal {
  return refuse('contract_expired', 'id', 'The contract expired. Create a new one.')
}

/** Commands of the clock and the workers, which are never refused. */
const WORKERS_VERBS: readonly TransferVerb[] = ['expire', 'submit', 'inquire', 'report']

/** The answer to a command that the table does not know in this status: a repeat changes nothing; the rest is refused. */
function offTable(contract: Transfer, verb: TransferVerb): Decision | Refusal {
  const { status } = contract
  const isApproving = verb === 'approve' || verb === 'reject'
  const done = verb === 'issue' ? contract.issuedAt : verb === 'pay' ? contract.paidAt : null
  if (done !== null && (status === 'issued' || status === 'paid' || status === 'completed')) return asItStands(contract)
  if (verb === 'cancel' && status === 'cancelled') return asItStands(contract)
  if (WORKERS_VERBS.includes(verb)) return asItStands(contract)
  if (verb === 'retry') return refuseNotFailed(contract)
  if (verb === 'resolve') return refuseNotOpen(contract)
  if (status === 'expired') return refuseExpired()
  if (status === 'cancelled') return refuse('contract_cancelled', 'id', 'The contract was cancelled.')
  if (verb === 'pay' && status === 'draft')
    return refuse('contract_not_issued', 'id', 'Issue the contract before it is paid.')
  if (isApproving && status === 'draft')
    return refuse(
      'contract_not_issued',
      'id',
      'The contract is a draft still: its terms are not frozen. Issue it first.',
    )
  if (isApproving && status === 'completed')
    return refuse('contract_completed', 'id', 'The money has arrived; nothing waits for an approval.')
  if (verb === 'pay' || isApproving)
    return refuse(
      'contract_already_paid',
      'id',
      verb === 'pay'
        ? `The contract is ${status}; it cannot be paid again.`
        : `The contract is ${status}; nothing waits for an approval.`,
    )
  return refuse('contract_not_draft', 'id', `The contract is ${status}; only a draft can be changed.`)
}
