// The saved ways to pay a profile, checked by what their channel requires, so that a draft that uses one has all it needs.
import { lacks, problemsOf } from '../../domain/contract/preview.ts'
import { isRefusal, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import {
  destinationOf,
  type DestinationTerms,
  profileNotFound,
  recipientBy,
  withChangedDestination,
  withDestination,
  withoutDestination,
} from '../../domain/profile/decide.ts'
import type { Destination, Profile } from '../../domain/profile/profile.ts'
import { channelToPayBy } from '../../domain/transfer/draft.ts'
import {
  isLookAgain,
  type LookAgain,
  notLookedUp,
  type Payee,
  payeeFaults,
  paysWallets,
} from '../../domain/transfer/payees.ts'
import type { Recipient } from '../../domain/transfer/transfer.ts'
import type { Changer } from '../accounts/changes.ts'
import { findPayee, lookingAgain } from '../transfers/payees.ts'
import { changeProfile, loadedFrom, loadOne, type ProfileAsked, type ProfileDeps } from './changes.ts'
import { type WrittenProfile, withDuplicates } from './profiles.ts'

export type WrittenDestination = WrittenProfile & { readonly destination: Destination }

export async function addDestination(
  deps: ProfileDeps,
  changer: Changer,
  asked: ProfileAsked,
  sent: DestinationTerms,
): Promise<WrittenDestination | Refusal> {
  const id = deps.newId(changer.lane)
  const changed = await lookingAgain<Profile | Refusal>(deps, await payeeFor(deps, sent), (payee) =>
    changeProfile(deps, changer, asked, 'updated', (profile, nowMs) => {
      const terms = checked(deps, profile, sent, payee)
      return isUndecided(terms) ? terms : withDestination(profile, id, terms, nowMs)
    }),
  )
  return withOne(deps, changed, id)
}

/** The terms of a destination after a patch, or what is wrong with them. */
export type DestinationPatch = (before: Destination) => DestinationTerms | Refusal

export async function updateDestination(
  deps: ProfileDeps,
  changer: Changer,
  { destinationId, ...asked }: ProfileAsked & { readonly destinationId: string },
  patch: DestinationPatch,
): Promise<WrittenDestination | Refusal> {
  const expected = await payeeAfter(deps, changer, asked.id, destinationId, patch)
  const changed = await lookingAgain<Profile | Refusal>(deps, expected, (payee) =>
    changeProfile(deps, changer, asked, 'updated', (profile, nowMs) => {
      const before = destinationOf(profile, destinationId)
      if (isRefusal(before)) return before
      const sent = patch(before)
      if (isRefusal(sent)) return sent
      const terms = checked(deps, profile, sent, payee)
      return isUndecided(terms) ? terms : withChangedDestination(profile, before, terms, nowMs)
    }),
  )
  return withOne(deps, changed, destinationId)
}

/** Archives a destination. */
export async function removeDestination(
  deps: ProfileDeps,
  changer: Changer,
  { destinationId, ...asked }: ProfileAsked & { readonly destinationId: string },
): Promise<WrittenDestination | Refusal> {
  const changed = await changeProfile(deps, changer, asked, 'updated', (profile, nowMs) => {
    const before = destinationOf(profile, destinationId)
    return isRefusal(before) ? before : withoutDestination(profile, before, nowMs)
  })
  return withOne(deps, changed, destinationId)
}

/** By what an account is named: who is paid changes with the destination alone, and not with what is said of the person. */
const NAMES_ACCOUNT: ReadonlySet<keyof Recipient> = new Set(['wallet', 'tag', 'mobile', 'email'])

const isUndecided = (terms: DestinationTerms | Refusal | LookAgain): terms is Refusal | LookAgain =>
  isRefusal(terms) || isLookAgain(terms)

/**
 * The terms with all that the channel requires to find the account; what was not sent of it is taken from the profile. Nothing where
 * another change has made them pay a wallet that was not looked up.
 */
function checked(
  { channels }: ProfileDeps,
  profile: Profile,
  sent: DestinationTerms,
  payee: Payee | undefined,
): DestinationTerms | Refusal | LookAgain {
  const channel = channelToPayBy(sent.channelId, profile.livemode, channels)
  if (isRefusal(channel)) return channel
  const whole = recipientBy(profile, sent)
  const taken = channel.recipient.flatMap(({ field }) =>
    NAMES_ACCOUNT.has(field) ? [[field, whole[field]] as const] : [],
  )
  const unseen = notLookedUp(whole, channel, payee)
  if (unseen) return unseen
  const { livemode } = profile
  const currency = payee?.owner?.currency ?? ''
  const found = payeeFaults({ recipient: whole, currency }, { livemode }, channel, payee)
  const [first, ...others] = problemsOf({ messages: [...lacks(channel, whole), ...found] })
  return first
    ? refuseAll([first, ...others])
    : { ...sent, recipient: { ...sent.recipient, ...Object.fromEntries(taken) } }
}

/** The wallet of this gateway that a destination is to pay; looked up before, for it may be on any lane. */
async function payeeFor(deps: ProfileDeps, { channelId, recipient }: DestinationTerms): Promise<Payee | undefined> {
  const channel = deps.channels.current(channelId)
  if (!channel || !paysWallets(channel) || recipient.wallet === null) return undefined
  return findPayee(deps, recipient.wallet)
}

async function payeeAfter(
  deps: ProfileDeps,
  { lane, accountId }: Changer,
  id: string,
  destinationId: string,
  patch: DestinationPatch,
): Promise<Payee | undefined> {
  const key = { lane, accountId, id }
  const { profile } = loadedFrom(key, await deps.reader.send(loadOne(key)))
  const before = profile ? destinationOf(profile, destinationId) : profileNotFound()
  const terms = isRefusal(before) ? before : patch(before)
  return isRefusal(terms) ? undefined : payeeFor(deps, terms)
}

async function withOne(
  deps: ProfileDeps,
  changed: Profile | Refusal,
  id: string,
): Promise<WrittenDestination | Refusal> {
  const written = await withDuplicates(deps, changed)
  if (isRefusal(written)) return written
  const destination = written.profile.destinations.find((each) => each.id === id)
  if (!destination) throw new Error('a destination was written and is not there')
  return { ...written, destination }
}
