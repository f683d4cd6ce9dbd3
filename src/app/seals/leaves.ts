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
import { removedFrom } from '../../domain/seal/removed.ts'
import { leafHash, sha256, sha256Hex } from '../../platform/hashes.ts'

export type Leaf = {
  readonly text: string
  readonly hash: Buffer
  /** The members of the document, each in the text that its hash is of. */
  readonly members: readonly { readonly name: string; readonly text: string; readonly hash: Buffer }[]
}

/** As the step stands now, or as it stood before its document left. `salt`: that of the whole stretch. */
export function leafOf(salt: Buffer, step: Step): Leaf {
  const removed = step.isContract ? removedFrom(step.document) : null
  if (removed === null) return wholeLeafOf(salt, step)
  const text = leafText(step, removed.members, removed.row)
  return { text, hash: leafHash(text), members: [] }
}

/** The leaf of a step whose document is there: what stands in for one is not sealed as such. */
export function wholeLeafOf(salt: Buffer, step: Step): Leaf {
  const members = membersIn(salt, step.position, step.document)
  const row = sha256Hex(rowText(saltsFor(salt, step.position)('row'), step))
  const text = leafText(step, membersHash(members), row)
  return { text, hash: leafHash(text), members }
}

function saltsFor(salt: Buffer, position: number): (what: string) => string {
  const own = `${salt.toString('hex')}|${position}`
  return (what) => sha256(`${own}|${what}`).toString('base64url')
}

/** The members of a document at a position, as its leaf has them. */
export function membersIn(salt: Buffer, position: number, document: string): Leaf['members'] {
  const saltFor = saltsFor(salt, position)
  return membersOf(document).map(([name, value]) => {
    const text = memberText(saltFor(`member|${name}`), name, value)
    return { name, text, hash: sha256(text) }
  })
}

/** Over the hashes of all members, one after another. */
export const membersHash = (members: Leaf['members']): string =>
  sha256Hex(Buffer.concat(members.map(({ hash }) => hash)))

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
