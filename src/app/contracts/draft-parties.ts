// Whom a draft pays and to whom it is issued: written by hand, or taken from a profile, whose versions it then keeps.
import type { FoundProfiles } from '../profiles/named.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { invalid, missing, type Problem } from '../../domain/contract/refusals.ts'
import { mixed, type Named, resolved } from '../../domain/profile/use.ts'
import { seenText } from '../../domain/text/texts.ts'
import type { NamedProfile, Recipient, Terms, UsedProfile } from '../../domain/transfer/transfer.ts'
import type { DraftBody } from '../../wire/transfer-requests.ts'
import { maskedOrNull, recipientIn } from './recipient.ts'

/** Whom a draft pays, by which channel, and the profile that it is taken from; null where it was written by hand. */
type Paid = Pick<Terms, 'recipient' | 'channelId'> & { readonly used: UsedProfile | null }
/** To whom it is issued; null where that is no profile. */
type IssuedTo = { readonly text: string | null; readonly named: NamedProfile | null }

/** What parties are read with. */
export type PartyRules = {
  readonly money: Named['money']
  /** The profiles that the body names; absent where it names none. */
  readonly profiles?: FoundProfiles | undefined
  /** The terms that a patch mends: what it leaves alone keeps the profile that it was taken from. */
  readonly before?: Terms
}

type Sent = Pick<DraftBody, 'recipient' | 'issued_to' | 'channel'>

/** Whom the draft pays. What is wrong goes to `problems`. */
export function paidBy(
  { recipient: fields, channel = null }: Sent,
  { money, profiles, before }: PartyRules,
  problems: Problem[],
): Paid {
  if (!fields) return { recipient: null, channelId: channel, used: null }
  const recipient = recipientIn(fields, 'recipient.', problems)
  const { profile: profileId = null, destination: destinationId = null } = fields
  if (profileId === null) {
    if (destinationId !== null) problems.push(missing('recipient.profile', 'A destination is sent with its profile.'))
    const used = before?.recipientProfile ?? null
    return {
      recipient,
      channelId: channel,
      used: before && used && isSameWay(before, recipient, channel) ? used : null,
    }
  }
  const found = resolved({ profile: profiles?.get(profileId), destinationId, channelId: channel, money })
  if ('code' in found) {
    problems.push(found)
    return { recipient, channelId: channel, used: null }
  }
  problems.push(...mixed(recipient, found))
  return found
}

/** Whether the same is paid as before, and by the same channel where a destination says by which. */
function isSameWay(
  { recipient: was, recipientProfile, channelId }: Terms,
  is: Recipient,
  channel: string | null,
): boolean {
  const fields = Object.keys(is) as (keyof Recipient)[]
  if (!was || fields.some((field) => was[field] !== is[field])) return false
  return recipientProfile?.destination === null || channelId === channel
}

/** To whom the draft is issued: a profile, or a text. */
export function issuedTo({ issued_to: sent }: Sent, { profiles, before }: PartyRules, problems: Problem[]): IssuedTo {
  const text = seenText(sent)
  if (text === null) return { text, named: null }
  if (text === before?.issuedTo) return { text, named: before.issuedToProfile ?? null }
  if (!isUuid(text)) return { text: maskedOrNull(text), named: null }
  const profile = profiles?.get(text)
  if (profile) return { text, named: { profile: profile.id, profileVersion: profile.version } }
  const fix = 'Send the id of one (GET /profiles), or a text that is no UUID.'
  problems.push(invalid('issued_to', `issued_to: No profile of yours that is in use has this id. ${fix}`))
  return { text, named: null }
}
