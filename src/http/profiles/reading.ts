// What callers write of profiles and destinations -> facts and terms. The same rules serve create and patch, and they are those
// of a draft's recipient.
import { isRefusal, type Problem, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import type { DestinationTerms } from '../../domain/profile/decide.ts'
import type { Destination, Profile, ProfileFacts } from '../../domain/profile/profile.ts'
import { seenText } from '../../domain/text/texts.ts'
import {
  DestinationBody,
  DestinationPatchBody,
  destinationSent,
  ProfileBody,
  ProfilePatchBody,
  profileSent,
} from '../../wire/profiles/profile.ts'
import { mergePatch } from '../../app/contracts/merge-patch.ts'
import { readMetadata } from '../../app/contracts/metadata.ts'
import { maskedOrNull, recipientIn } from '../../app/contracts/recipient.ts'
import { readerOf } from '../../app/contracts/validation.ts'

const readProfile = readerOf(ProfileBody)
const readDestination = readerOf(DestinationBody)
/** Check the shape of a merge patch. */
export const readProfilePatch = readerOf(ProfilePatchBody)
export const readDestinationPatch = readerOf(DestinationPatchBody)

/** The facts that were sent about someone; all problems are reported together. */
export function factsIn(body: unknown): ProfileFacts | Refusal {
  const sent = readProfile(body)
  if (isRefusal(sent)) return sent
  const { type, reference, metadata: pairs, ...person } = sent.read
  const problems: Problem[] = []
  const { name, email, mobile, address, country } = recipientIn(person, '', problems)
  const metadata = readMetadata(pairs, problems)
  const said = { name, email, mobile, address, country, reference: seenText(reference) }
  return refused(problems) ?? { type: type ?? 'person', ...said, metadata }
}

/** A merge patch as a function of the profile it mends. */
export function factsPatch(patch: object): (before: Profile) => ProfileFacts | Refusal {
  return (before) => factsIn(mergePatch(profileSent(before), patch))
}

/** The terms that were sent of a way to pay. */
export function termsIn(body: unknown): DestinationTerms | Refusal {
  const sent = readDestination(body)
  if (isRefusal(sent)) return sent
  const { label, channel: channelId, default: isDefault, recipient: fields } = sent.read
  const problems: Problem[] = []
  const recipient = recipientIn(fields ?? {}, 'recipient.', problems)
  const terms = { label: maskedOrNull(seenText(label)), channelId, isDefault: isDefault ?? false, recipient }
  return refused(problems) ?? terms
}

export function termsPatch(patch: object): (before: Destination) => DestinationTerms | Refusal {
  return (before) => termsIn(mergePatch(destinationSent(before), patch))
}

const refused = ([first, ...others]: readonly Problem[]): Refusal | null =>
  first ? refuseAll([first, ...others]) : null
