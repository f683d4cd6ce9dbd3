// How an edited draft differs: which of its fields changed, from what and to what, under the names that the API has.
import { majorNumber } from '../money/money.ts'
import type { Changes, ChangedValue, Terms } from '../transfer/transfer.ts'

/** The most text of a change that a contract repeats in each of its versions; beyond it only the names are kept. */
const CHARS_MAX = 1000

/** The terms of a draft with when it expires, in milliseconds since the epoch. */
export type Editable = { readonly terms: Terms; readonly expiresAt: number }

/** What differs, or null where nothing does. */
export function changesBetween(before: Editable, after: Editable): Changes | null {
  if (before.terms === after.terms && before.expiresAt === after.expiresAt) return null
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...was.keys(), ...is.keys()])]
  const changed = names.filter((name) => (was.get(name) ?? null) !== (is.get(name) ?? null))
  if (changed.length === 0) return null
  const only = (fields: ReadonlyMap<string, ChangedValue>) =>
    Object.fromEntries(changed.map((name) => [name, fields.get(name) ?? null]))
  const values = { before: only(was), after: only(is) }
  return JSON.stringify(values).length > CHARS_MAX ? { changed } : { changed, ...values }
}

const PROFILE_NAMES: Readonly<Record<string, string>> = {
  profileVersion: 'profile_version',
  destinationVersion: 'destination_version',
}

function fieldsOf({ terms, expiresAt }: Editable): ReadonlyMap<string, ChangedValue> {
  const { deliverable, recipient, recipientProfile } = terms
  return new Map<string, ChangedValue>([
    ['amount', majorNumber(terms.amountMinor, terms.currency)],
    ['currency', terms.currency],
    ['issued_to', terms.issuedTo],
    ['description', terms.description],
    ['deliverable.type', deliverable?.type ?? null],
    ['deliverable.reference_id', deliverable?.referenceId ?? null],
    ['deliverable.description', deliverable?.description ?? null],
    ['deliverable.details', deliverable?.details ?? null],
    ...Object.entries(recipient ?? {}).map(([name, value]): [string, ChangedValue] => [`recipient.${name}`, value]),
    ...Object.entries(recipientProfile ?? {}).map(([name, value]): [string, ChangedValue] => [
      `recipient_profile.${PROFILE_NAMES[name] ?? name}`,
      value,
    ]),
    ['issued_to_profile.profile_version', terms.issuedToProfile?.profileVersion ?? null],
    ['channel', terms.channelId],
    ['expires_at', expiresAt],
    ...Object.entries(terms.metadata ?? {}).map(([name, value]): [string, ChangedValue] => [`metadata.${name}`, value]),
  ])
}
