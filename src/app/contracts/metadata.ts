// Metadata as it was sent -> the pairs that are kept. The same rules serve contracts, wallets, profiles and webhook endpoints.
import { invalid, type Problem } from '../../domain/contract/refusals.ts'
import { maskCards } from '../../domain/text/cards.ts'
import { METADATA_NAME_MAX, METADATA_PAIRS_MAX, type Metadata } from '../../domain/text/metadata.ts'

/** By the schema MetadataField: texts are no longer than it says. */
type SentMetadata = Readonly<Record<string, string | null>>

/** The pairs without those that are null, and without any card number that slipped in. What is wrong goes to `problems`. */
export function readMetadata(sent: SentMetadata | null | undefined, problems: Problem[]): Metadata {
  const pairs = Object.entries(sent ?? {})
  const kept = pairs.flatMap(([name, value]) => (value === null ? [] : [[name, maskCards(value)] as const]))
  if (kept.length > METADATA_PAIRS_MAX)
    problems.push(invalid('metadata', `metadata has more than ${METADATA_PAIRS_MAX} pairs.`))
  if (pairs.some(([name]) => name === '' || name.length > METADATA_NAME_MAX))
    problems.push(invalid('metadata', `metadata: a name has 1 to ${METADATA_NAME_MAX} characters.`))
  return Object.fromEntries(kept)
}

/** The pairs after a merge patch (RFC 7396): a pair that is null goes, null for all of it clears, absent leaves all as it is. */
export function patchMetadata(before: Metadata, sent: SentMetadata | null | undefined, problems: Problem[]): Metadata {
  if (sent === undefined) return before
  return sent === null ? {} : readMetadata({ ...before, ...sent }, problems)
}
