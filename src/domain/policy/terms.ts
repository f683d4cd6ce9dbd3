// The terms of a contract as one text: what those who approve it have seen. Another term is another text, and what was approved
// is not approved any more. Pure.
import type { Transfer } from '../transfer/transfer.ts'

export function termsText({ id, terms, channelVersion, feeMinor, debitMinor, quote }: Transfer): string {
  const { recipient, deliverable, recipientProfile, issuedToProfile } = terms
  return JSON.stringify([
    id,
    terms.amountMinor.toString(),
    terms.currency,
    terms.channelId,
    channelVersion,
    feeMinor.toString(),
    debitMinor.toString(),
    terms.issuedTo,
    terms.description,
    listed(deliverable),
    listed(recipient),
    listed(recipientProfile ?? null),
    listed(issuedToProfile ?? null),
    listed(quote),
  ])
}

/** The members of a record in the order of their names: however it was made, it reads the same. */
function listed(record: object | null): readonly (readonly [string, string])[] | null {
  if (record === null) return null
  return Object.entries(record)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => [name, String(value)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
}
