// What stays of a document that has left the database after its time: the two hashes that its leaf was made of, and the words that
// histories show. The database writes it (db/migrations/0044), in exactly this text: whatever else stands there is a document.

export type Removed = {
  /** Over the hashes of its members, and over all that was stored of the step; in hexadecimal digits. */
  readonly members: string
  readonly row: string
  readonly kind: 'transfer' | 'payment'
  readonly status: string
  /** The type of its last activity. */
  readonly activity: string
}

const HASH_DIGITS = 64
const TEXT =
  /^\{"removed":"([A-Za-z0-9+/]{86}==)"(,"kind":"payment")?,"status":"([a-z_]{1,40})","activity":"([a-z_]{1,40})"\}$/

/** What stays of a document, read from its text; null for one that is there. */
export function removedFrom(document: string): Removed | null {
  const [, hashes, payment, status, activity] = TEXT.exec(document) ?? []
  if (hashes === undefined || status === undefined || activity === undefined) return null
  const digits = hexOf(hashes)
  const [members, row] = [digits.slice(0, HASH_DIGITS), digits.slice(HASH_DIGITS)]
  return { members, row, kind: payment === undefined ? 'transfer' : 'payment', status, activity }
}

/** Bytes in base64 as hexadecimal digits. */
function hexOf(base64: string): string {
  return Array.from(atob(base64), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
}
