// A seal: what is said of a stretch of an account's history and ledger, and the texts that hashes and signatures are made of.
// A text is made once and kept as it is: nobody has to write it anew to check it (docs/receipts.md).

export const SEAL_FORM = 'gateway.seal.v1'

/** What a seal says. Hashes are SHA-256 in hexadecimal digits. */
export type Seal = {
  readonly form: typeof SEAL_FORM
  /** Where the gateway was reached when it sealed. */
  readonly gateway: string
  readonly installation: string
  /** How often these books had come back from a backup, counted from one. */
  readonly epoch: number
  readonly account: string
  /** Of the account's seals, counted from one. */
  readonly number: number
  /** The positions of its history, both included. */
  readonly from: number
  readonly to: number
  /** The root of the Merkle tree (RFC 6962) over its steps. */
  readonly history: string
  /** Over its ledger rows and what every wallet of the account had after them. */
  readonly books: string
  /** Of the text of the seal before; null for the first. */
  readonly previous: string | null
  readonly sealed_at: string
  /** The id of the key that signs. */
  readonly key: string
}

/** The members in the order in which they stand above. */
export function sealText(seal: Seal): string {
  const { form, gateway, installation, epoch, account, number, from, to, history, books, previous } = seal
  const { sealed_at, key } = seal
  const places = { form, gateway, installation, epoch, account, number, from, to }
  return JSON.stringify({ ...places, history, books, previous, sealed_at, key })
}

/** The seal of a text that was read back; null where it is none. */
export function sealFrom(text: string): Seal | null {
  try {
    const read = JSON.parse(text) as Partial<Seal> | null
    return read?.form === SEAL_FORM && sealText(read as Seal) === text ? (read as Seal) : null
  } catch {
    return null
  }
}

/** One position of an account's history, as the database has it. */
export type Step = {
  readonly position: number
  readonly isContract: boolean
  /** The id of the contract, or of the event of the account. */
  readonly object: string
  readonly version: number
  readonly sequence: number | null
  readonly event: string | null
  /** What an event of the account is about. */
  readonly subject: string | null
  /** With microseconds, in UTC. */
  readonly at: string
  readonly document: string
}

/** What a step's leaf is made of: `members` hides the document's members, each by itself, and `row` all that is stored. */
export function leafText(step: Step, members: string, row: string): string {
  const { position, isContract, object, version, event, at } = step
  const kind = isContract ? 'contract' : 'account'
  return JSON.stringify({ position, kind, object, version, event, at, members, row })
}

/** One member of a document as it may be shown by itself. The salt keeps it from being guessed. */
export const memberText = (salt: string, name: string, value: unknown) => JSON.stringify([salt, name, value])

/** All that is stored of a step. */
export const rowText = (salt: string, { sequence, subject, document }: Step) =>
  JSON.stringify([salt, sequence, subject, document])

/** A row of the ledger in the order of its columns, all as text. */
export type SealedEntry = {
  readonly walletId: string
  readonly sequence: number
  readonly position: number | null
  readonly values: readonly (string | null)[]
}

export const entryText = ({ walletId, sequence, position, values }: SealedEntry) =>
  JSON.stringify([walletId, sequence, position, ...values])

/** What a wallet had after the last of its ledger rows that is sealed: minor units as text, null where rows of then do not say. */
export type SealedWallet = {
  readonly id: string
  readonly sequence: number
  readonly balances: readonly (string | null)[]
}

/** The rows of one wallet between two numbers, the first not included. */
export type EntryRange = { readonly walletId: string; readonly after: number; readonly to: number }

/** The rows of each wallet that a seal has added. */
export function rangesBetween(before: readonly SealedWallet[], after: readonly SealedWallet[]): EntryRange[] {
  const sequences = new Map(before.map(({ id, sequence }) => [id, sequence]))
  return after.flatMap(({ id, sequence }) => {
    const done = sequences.get(id) ?? 0
    return sequence > done ? [{ walletId: id, after: done, to: sequence }] : []
  })
}

/** The ledger of a stretch: of its rows' hashes the hash, and the wallets as they are stored. */
export const booksText = (salt: string, entries: string, wallets: string) => JSON.stringify([salt, entries, wallets])

/** The members of a document by their names; a document that is no object has none. */
export function membersOf(document: string): readonly (readonly [name: string, value: unknown])[] {
  try {
    const read: unknown = JSON.parse(document)
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? Object.entries(read) : []
  } catch {
    return []
  }
}
