// The hashes of a stretch: of each step of the history a leaf, whose document can be shown member by member, and of each ledger row
// one. Made alike by who seals, who verifies and who writes a receipt.
import {
  booksText,
  entryText,
  leafText,
  memberText,
  membersOf,
  rowText,
  type SealedEntry,
  type Step,
} from '../../domain/seal/seal.ts'
import { leafHash, sha256, sha256Hex } from '../../platform/hashes.ts'

export type Leaf = {
  readonly text: string
  readonly hash: Buffer
  /** The members of the document, each in the text that its hash is of. */
  readonly members: readonly { readonly name: string; readonly text: string; readonly hash: Buffer }[]
}

/** `salt`: that of the whole stretch. */
export function leafOf(salt: Buffer, step: Step): Leaf {
  const own = `${salt.toString('hex')}|${step.position}`
  const saltFor = (what: string) => sha256(`${own}|${what}`).toString('base64url')
  const members = membersOf(step.document).map(([name, value]) => {
    const text = memberText(saltFor(`member|${name}`), name, value)
    return { name, text, hash: sha256(text) }
  })
  const row = sha256Hex(rowText(saltFor('row'), step))
  const text = leafText(step, membersHash(members.map(({ hash }) => hash)), row)
  return { text, hash: leafHash(text), members }
}

/** Over the hashes of all members, one after another. */
const membersHash = (hashes: readonly Buffer[]) => sha256Hex(Buffer.concat(hashes))

export const entryHash = (entry: SealedEntry): Buffer => sha256(entryText(entry))

export const booksHash = (salt: Buffer, entries: Buffer, wallets: string): string =>
  sha256Hex(booksText(salt.toString('hex'), sha256Hex(entries), wallets))

const MARK_BYTES = 2

/** Of each leaf how many members it has, and of each of them two bytes of its hash: not a proof, but it tells which one differs. */
export function marksOf(leaves: readonly Leaf[]): Buffer {
  const parts = leaves.flatMap(({ members }) => {
    const marked = members.slice(0, 255)
    return [Buffer.from([marked.length]), ...marked.map(({ hash }) => hash.subarray(0, MARK_BYTES))]
  })
  return Buffer.concat(parts)
}

/** Which members of a leaf have no mark at this place: those that were changed or added. */
export function unmarked(marks: Buffer, place: number, { members }: Leaf): string[] {
  let at = 0
  for (let before = 0; before < place; before++) at += 1 + (marks[at] ?? 0) * MARK_BYTES
  const known = new Set<string>()
  for (let i = 0; i < (marks[at] ?? 0); i++) {
    const from = at + 1 + i * MARK_BYTES
    known.add(marks.toString('hex', from, from + MARK_BYTES))
  }
  return members.filter(({ hash }) => !known.has(hash.toString('hex', 0, MARK_BYTES))).map(({ name }) => name)
}
