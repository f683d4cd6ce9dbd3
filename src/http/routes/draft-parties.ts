// Whom a draft pays and to whom it is issued: written by hand, or taken from a profile, whose versions it then keeps.
import type { FoundProfiles } from '../../app/profiles/named.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { invalid, missing, type Problem } from '../../domain/contract/refusals.ts'
import { mixed, type Named, resolved } from '../../domain/profile/use.ts'
import { seenText } from '../../domain/text/texts.ts'
import type { Recipient, Terms } from '../../domain/transfer/transfer.ts'
import type { DraftBody } from '../../wire/transfer-requests.ts'
import { maskedOrNull, recipientIn } from '../request/recipient.ts'

export type Parties = Pick<Terms, 'recipient' | 'recipientProfile' | 'issuedTo' | 'issuedToProfile' | 'channelId'>

/** What parties are read with. */
export type PartyRules = {
  readonly money: Named['money']
  /** The profiles that the body names; absent where it names none. */
  readonly profiles?: FoundProfiles | undefined
  /** The terms that a patch mends: what it leaves alone keeps the profile that it was taken from. */
  readonly before?: Terms
}

type Sent = Pick<DraftBody, 'recipient' | 'issued_to' | 'channel'>

export function partiesOf(sent: Sent, rules: PartyRules, problems: Problem[]): Parties {
  const issued = issuedTo(sent, rules, problems)
  return { ...issued, ...paid(sent, rules, problems) }
}

function paid(
  { recipient: fields, channel = null }: Sent,
  { money, profiles, before }: PartyRules,
  problems: Problem[],
): Pick<Parties, 'recipient' | 'recipientProfile' | 'channelId'> {
  if (!fields) return { recipient: null, channelId: channel }
  const recipient = recipientIn(fields, 'recipient.', problems)
  const { profile: profileId = null, destination: destinationId = null } = fields
  if (profileId === null) {
    if (destinationId !== null) problems.push(missing('recipient.profile', 'A destination is sent with its profile.'))
    const isKept = before?.recipientProfile && isSameWay(before, recipient, channel)
    return { recipient, channelId: channel, ...(isKept && { recipientProfile: before.recipientProfile }) }
  }
  const found = resolved({ profile: profiles?.get(profileId), destinationId, channelId: channel, money })
  if ('code' in found) {
    problems.push(found)
    return { recipient, channelId: channel }
  }
  problems.push(...mixed(recipient, found))
  return { recipient: found.recipient, channelId: found.channelId, recipientProfile: found.used }
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

function issuedTo(
  { issued_to: sent }: Sent,
  { profiles, before }: PartyRules,
  problems: Problem[],
): Pick<Parties, 'issuedTo' | 'issuedToProfile'> {
  const text = seenText(sent)
  if (text !== null && text === before?.issuedTo)
    return { issuedTo: text, ...(before.issuedToProfile && { issuedToProfile: before.issuedToProfile }) }
  if (text === null || !isUuid(text)) return { issuedTo: maskedOrNull(text) }
  const profile = profiles?.get(text)
  if (profile) return { issuedTo: text, issuedToProfile: { profile: profile.id, profileVersion: profile.version } }
  const fix = 'Send the id of one (GET /profiles), or a text that is no UUID.'
  problems.push(invalid('issued_to', `issued_to: No profile of yours that is in use has this id. ${fix}`))
  return { issuedTo: text }
}
