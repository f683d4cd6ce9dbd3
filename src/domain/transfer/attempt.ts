// One try after another at moving a contract's money: each with its own number and reference, so that no rail takes two
// for one. A new one follows only a definite failure. Pure.
import { refuseOtherMode } from '../channel/modes.ts'
import { dispatchAt, payingOut } from '../channel/channel.ts'
import type { Facts, Unasked } from '../contract/decision.ts'
import { attemptReference } from '../contract/ids.ts'
import { previewOf, problemsOf } from '../contract/preview.ts'
import { type Refusal, refuse } from '../contract/refusals.ts'
import type { ConnectorFacts } from './commands.ts'
import { askAheadOn, type Judged, judgedOn } from './requirements.ts'
import type { Attempt, Execution, Transfer } from './transfer.ts'

const RETRY_AFTER_MS = 60_000
/** Attempts are numbered with three digits in their references. */
export const ATTEMPTS_MAX = 999

/** The next attempt at a contract, waiting until it is due. */
export function nextAttempt(contract: Transfer, channelId: string, dueAt: number): Attempt {
  const number = contract.execution.number + 1
  const { lane, accountId, id: contractId } = contract
  const reference = attemptReference(contractId, number)
  const fresh = { status: 'queued', fence: 0, tries: 0, submittedAt: null, absentSince: null } as const
  return { kind: 'payout', lane, accountId, contractId, number, channelId, reference, dueAt, ...fresh }
}

export function queuedExecution({ number, reference }: Attempt): Execution {
  return { status: 'queued', number, reference, submittedAt: null, failure: null }
}

/** The channel of one of a contract's attempts, from its activities; null for a number that there never was. */
export function channelOfAttempt(contract: Transfer, number: number): string | null {
  if (number === 1) return contract.terms.channelId
  const made = contract.activities.find(
    ({ type, data }) => (type === 'transfer_retried' || type === 'adopted') && data?.['attempt'] === number,
  )
  const channelId = made?.data?.['channel']
  return typeof channelId === 'string' ? channelId : null
}

/** The attempt that follows a failed one by the account's setting: the same channel again, then the others in turn. */
export function automaticRetry(contract: Transfer, failed: Attempt, facts: Facts): Attempt | null {
  if (failed.number >= ATTEMPTS_MAX) return null
  const { retries, fallbackChannels } = facts.onFailure
  const tried = channelsTried(contract, failed)
  const onSame = tried.filter((channelId) => channelId === failed.channelId).length
  const again = onSame <= retries ? attemptOn(contract, failed.channelId, RETRY_AFTER_MS, facts) : null
  if (again) {
    askAhead(contract, facts)
    return again
  }
  for (const channelId of fallbackChannels) {
    if (tried.includes(channelId) || whyNotOn(contract, channelId, facts) !== null) continue
    const { why, delayMs } = rulesOn(contract, channelId, facts, 'leave')
    if (why === null) return attemptOn(contract, channelId, delayMs, facts)
  }
  return null
}

/**
 * Has the verifiers asked already about the channels that it goes by where its own fails: when it fails nobody has the time, for what is
 * not answered then is lacking.
 */
export function askAhead(contract: Transfer, facts: Facts): void {
  const { rules, onFailure } = facts
  if (!rules) return
  for (const channelId of onFailure.fallbackChannels)
    if (channelId !== contract.terms.channelId && whyNotOn(contract, channelId, facts) === null)
      askAheadOn(contract, channelId, rules)
}

/** The channels of all attempts so far, the failed one included. */
function channelsTried(contract: Transfer, failed: Attempt): string[] {
  const before = contract.activities.flatMap(({ type, data }) =>
    type === 'transfer_retried' && typeof data?.['failed_channel'] === 'string' ? [data['failed_channel']] : [],
  )
  return [...before, failed.channelId]
}

/** An attempt on a channel, as soon as that channel takes it. */
export function attemptOn(contract: Transfer, channelId: string, waitMs: number, facts: Facts): Attempt | null {
  const channel = facts.channels.current(channelId)
  if (!channel) return null
  // The undo window is over: it was for the payer's change of mind.
  return nextAttempt(contract, channelId, dispatchAt({ ...channel, undoSeconds: 0 }, facts.nowMs + waitMs))
}

/** Why a contract's money cannot leave through another channel than the one that priced it; null when it can. */
export function whyNotOn(contract: Transfer, channelId: string, facts: Facts): Refusal | null {
  const channel = facts.channels.current(channelId)
  if (!channel) return refuse('channel_not_found', 'channel', 'No channel has this id. See GET /channels.')
  const crossing = refuseOtherMode(channel, contract.livemode, () => payingOut(facts.channels))
  if (crossing) return crossing
  const isOther = channelId !== contract.terms.channelId
  if (isOther && contract.requirements && contract.requirements.given.length > 0)
    return refuse(
      'terms_changed',
      'channel',
      `Members approved that it leaves by ${contract.terms.channelId}. Retry it there, or cancel it and make a new one.`,
    )
  if (contract.origin)
    return channelId === contract.terms.channelId
      ? null
      : refuse('requirements_not_met', 'channel', 'What gives a payment back stays on its channel.')
  // Another channel would pay an account of that name, and nobody the payment.
  if (isOther && contract.pays !== null)
    return refuse('requirements_not_met', 'channel', 'What pays a payment of this gateway stays on its channel.')
  // An asset's price is quoted at issue, for the channel that the contract was issued on.
  if (channel.asset && channelId !== contract.terms.channelId)
    return refuse('requirements_not_met', 'channel', 'The contract has no price in the asset of this channel.')
  const problems = problemsOf(previewOf({ ...contract.terms, channelId }, channel))
  if (problems.length === 0) return null
  return refuse('requirements_not_met', 'channel', problems.map(({ message }) => message).join(' '))
}

/** What policies say of another channel than the one that the contract was paid by. */
export function rulesOn(contract: Transfer, channelId: string, { rules }: Facts, unasked: Unasked): Judged {
  if (!rules || channelId === contract.terms.channelId) return { why: null, delayMs: 0 }
  return judgedOn(contract, channelId, rules, unasked)
}

/** Whether the rail still knows the reference of what was sent before, and so would not take it for another order. */
export function isRemembered({ submittedAt }: Attempt, { dedupeLifetimeMs }: ConnectorFacts, atMs: number): boolean {
  return submittedAt === null || dedupeLifetimeMs === null || atMs - submittedAt < dedupeLifetimeMs
}

/**
 * Since when inquiries find nothing, moved on by how late this moment is: a look that comes later than it was due, because nobody
 * looked or because the clock of the database has jumped, proves no more than one that comes in time.
 */
export function absentSinceAt({ absentSince, dueAt }: Attempt, nowMs: number): number | null {
  if (absentSince === null || dueAt === null) return absentSince
  return Math.min(nowMs, absentSince + Math.max(0, nowMs - dueAt))
}
