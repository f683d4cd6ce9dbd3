// What deciding a command yields: the contract after it, and all that is to be written with it. Values only.
import type { ActivityType } from './activities.ts'
import type { ChannelBook } from '../channel/channel.ts'
import type { Contract } from './contract.ts'
import { FIRST_EPOCH } from './ids.ts'
import type { EventType } from '../transfer/moves.ts'
import type { Payment } from '../payment/payment.ts'
import type { Posting } from '../money/postings.ts'
import type { Refusal } from './refusals.ts'
import type { Activity, Actor, Attempt, Terms, Transfer } from '../transfer/transfer.ts'
import type { Role } from '../account/roles.ts'
import type { FeePrice } from '../policy/fees.ts'
import type { Judgement, VerificationNeed } from '../policy/judge.ts'
import type { LackingVerification } from '../policy/requirements.ts'
import type { Verification } from '../verifier/verification.ts'
import type { Wallet } from '../wallet/wallet.ts'

/** What a decision may know besides the contract. */
export type Facts = {
  /** The database's clock, in milliseconds: the one clock of all expiry (docs/design/write-path.md). */
  readonly nowMs: number
  readonly channels: ChannelBook
  /** The named wallet, or the account's wallet in the currency. */
  readonly wallet: (walletId: string | null, currency: string) => Wallet | undefined
  /** The contract's newest attempt. */
  readonly attempt: Attempt | null
  /** The account's setting: refund at once when a transfer fails for good or bounces. */
  readonly refundsAtOnce: boolean
  /** The account's setting: how often a definite failure is tried again, and on which channels after that. */
  readonly onFailure: { readonly retries: number; readonly fallbackChannels: readonly string[] }
  /** The account's setting: how long a contract can be paid that does not say it; null or absent for the default. */
  readonly expiresInSeconds?: number | null
  /** The payment contract whose money this gives back; null for any other transfer. */
  readonly parent: Payment | null
  /** What the account's policies ask; null or absent for an account that has none. */
  readonly rules?: Rules | null
  /** The verification that a command ends; absent where it is not there, and for any other command. */
  readonly verification?: Verification
  /** What the account's policies of fees ask for a draft; absent where it has none. */
  readonly price?: (terms: Terms) => FeePrice | null
  /** What an approval is checked against; absent for any other command. */
  readonly checks?: Checks
}

/** What becomes of a verification that nobody has asked for yet: it is asked in this commit, for the contract or ahead of any need, or left. */
export type Unasked = 'ask' | 'ask_ahead' | 'leave'

/** What is known about an account's policies while it is held. */
export type Rules = {
  /** What they say of the contract if this caller pays it from the wallet now. */
  readonly judge: (contract: Transfer, walletId: string | null) => Judgement
  /** The role that a member has now; null for one who may not approve any more. */
  readonly roleOf: (memberId: string) => Role | null
  /** Of the terms as they are frozen, in hexadecimal. */
  readonly termsHash: (contract: Transfer) => string
  /** The verifications that are lacking of those that are asked for. */
  readonly lackingVerifications: (
    contract: Transfer,
    needs: readonly VerificationNeed[],
    unasked: Unasked,
  ) => readonly LackingVerification[]
}

/** What whoever approves is checked against, read under the account's lock. */
export type Checks = {
  /** SHA-256 of the contract's frozen terms, in hexadecimal. */
  readonly termsHash: string
  /** What a member is called now; null for nobody. */
  readonly nameOf: (memberId: string) => string | null
  /** The role of a member now; null for one who was removed, and for whoever never was one. */
  readonly roleOf: (memberId: string) => Role | null
  /** The member behind an activity: itself, or whoever made the API key; null where nobody is known. */
  readonly memberBehind: (proxy: string) => string | null
  /** The version of the saved destination that the contract used, as it stands now; null where it is in use no more. */
  readonly destinationVersion: number | null
}

/** A decision about a transfer contract, and the one that follows from it in the same moment as another version. */
export type Decision = DecisionOf<Transfer> & {
  readonly next?: Decision
  /** A verification as it is written with it, whether or not the contract changes. */
  readonly verification?: Verification
}

export type DecisionOf<C extends Contract> = {
  readonly after: C
  /** False: the contract stays as it is, and only the attempt may be written. */
  readonly changed: boolean
  readonly event: EventType | null
  readonly postings: readonly Posting[]
  readonly attempt: Attempt | null
  /** Set where the caller is refused although the attempt at it is recorded. */
  readonly answer: Refusal | null
}

/** The contract as it stands: the same command again changes nothing (docs/design/domain.md). */
export function asItStands<C extends Contract>(contract: C): DecisionOf<C> {
  return { after: contract, changed: false, event: null, postings: [], attempt: null, answer: null }
}

export function activity(type: ActivityType, at: number, actor: Actor, data: Activity['data'] = null): Activity {
  return { type, at, actor, data }
}

/** Names the API key, or the member, on the activities that a command of its account has added: those without a name so far. */
export function nameProxy(activities: readonly Activity[], proxy: string | null): void {
  for (let i = activities.length - 1; i >= 0; i--) {
    const line = activities[i]
    if (line === undefined || line.proxy !== undefined) return
    line.proxy = line.actor === 'account' ? proxy : null
  }
}

/** Names the epoch of the books on what was added to these activities; the first one is not named. */
export function nameEpoch(before: readonly Activity[], after: readonly Activity[], epoch: number): void {
  if (epoch === FIRST_EPOCH) return
  const last = before.at(-1)
  for (const line of after.slice(last ? after.lastIndexOf(last) + 1 : 0)) line.epoch = epoch
}

type Written = { readonly postings?: readonly Posting[]; readonly attempt?: Attempt | null; readonly answer?: Refusal }

/** The next version of a contract: what changed, the new activities, the event if any, and what is written beside it. */
export function moved<C extends Contract>(
  contract: C,
  nowMs: number,
  changes: Partial<C>,
  activities: readonly Activity[],
  event: EventType | null,
  written: Written = {},
): DecisionOf<C> {
  const after: C = {
    ...contract,
    ...changes,
    version: contract.version + 1,
    sequence: contract.sequence + (event ? 1 : 0),
    updatedAt: nowMs,
    activities: [...contract.activities, ...activities],
  }
  return {
    after,
    changed: true,
    event,
    postings: written.postings ?? [],
    attempt: written.attempt ?? null,
    answer: written.answer ?? null,
  }
}
