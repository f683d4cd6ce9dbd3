// A draft that pays someone by a profile: whom it pays, by which channel, and which versions it used. Pure.
import { invalid, missing, type Problem } from '../contract/refusals.ts'
import type { Recipient, UsedProfile } from '../transfer/transfer.ts'
import { recipientBy } from './decide.ts'
import { type Destination, inUse, type Profile } from './profile.ts'

/** How a draft names someone. */
export type Named = {
  /** The profile with the id that it names, if it is the account's and in use. */
  readonly profile: Profile | undefined
  readonly destinationId: string | null
  /** The channel of the draft; null where it names none. */
  readonly channelId: string | null
  /** Money that comes in takes no destination by itself, and no channel from one. */
  readonly money: 'goes out' | 'comes in'
}

export type Resolved = {
  readonly recipient: Recipient
  readonly channelId: string | null
  readonly used: UsedProfile
}

/** Whom a draft pays that names a profile, or what is wrong with what it names. */
export function resolved(named: Named): Resolved | Problem {
  const { profile, channelId, money } = named
  if (!profile)
    return invalid(
      'recipient.profile',
      'recipient.profile: No profile of yours that is in use has this id. See GET /profiles.',
    )
  const destination = destinationFor(profile, named)
  if (destination && 'code' in destination) return destination
  const used: UsedProfile = {
    profile: profile.id,
    profileVersion: profile.version,
    destination: destination?.id ?? null,
    destinationVersion: destination?.version ?? null,
  }
  const taken = money === 'goes out' ? (destination?.channelId ?? null) : null
  return { recipient: recipientBy(profile, destination), channelId: channelId ?? taken, used }
}

function destinationFor(profile: Profile, { destinationId, channelId, money }: Named): Destination | null | Problem {
  if (destinationId !== null) return namedDestination(profile, destinationId, money === 'goes out' ? channelId : null)
  if (money === 'comes in') return null
  const fit = inUse(profile).filter((each) => channelId === null || each.channelId === channelId)
  const chosen = fit.find(({ isDefault }) => isDefault) ?? (fit.length === 1 ? fit[0] : null)
  if (chosen || fit.length === 0) return chosen ?? null
  const which = channelId === null ? '' : ` on channel ${channelId}`
  return missing(
    'recipient.destination',
    `The profile has ${fit.length} destinations${which}, and none is the default. Name one.`,
  )
}

function namedDestination(profile: Profile, id: string, channelId: string | null): Destination | Problem {
  const destination = inUse(profile).find((each) => each.id === id)
  if (!destination)
    return invalid(
      'recipient.destination',
      'recipient.destination: No destination of the profile that is in use has this id. See GET /profiles/{id}.',
    )
  if (channelId === null || channelId === destination.channelId) return destination
  const fix = `Send channel as "${destination.channelId}", or as null to take it from the destination.`
  return invalid(
    'recipient.destination',
    `recipient.destination is paid through channel ${destination.channelId}, and the draft’s channel is ${channelId}. ${fix}`,
  )
}

/** What was sent of a recipient beside a profile, and says otherwise than the profile. */
export function mixed(sent: Recipient, { recipient }: Resolved): Problem[] {
  const fields = Object.keys(recipient) as (keyof Recipient)[]
  return fields
    .filter((field) => sent[field] !== null && sent[field] !== recipient[field])
    .map((field) =>
      invalid(
        `recipient.${field}`,
        `recipient.${field} is not that of the profile. Leave it out, change the profile, or send the recipient without one.`,
      ),
    )
}
