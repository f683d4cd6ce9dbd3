// In whose place an API key stands: that of the key that it was rolled from, and of a key that made it. Policies know keys by their
// ids, and a key that could leave its id behind would leave its limits behind (docs/adr/0102). Pure.
import { type Refusal, refuseFor } from '../contract/refusals.ts'

export type KeyLine = {
  /** The first key of those that were rolled into one another to this one; the key itself where it was rolled from none. */
  readonly originId: string
  /** The origins of the keys that made it, one by the other, the first maker first; none where a person or an operator did. */
  readonly madeBy: readonly string[]
}

/** The line of a key that is new: of its own, and of whoever makes it. `maker`: null for a person or an operator. */
export const newLine = (keyId: string, maker: KeyLine | null): KeyLine => ({
  originId: keyId,
  madeBy: maker === null ? [] : [...maker.madeBy, maker.originId],
})

/** By which ids policies know a key that they let do more: as itself, and as those that were rolled into one another to it. */
export const rolledAs = (keyId: string, line: KeyLine | null): readonly string[] =>
  line === null ? [keyId] : [keyId, line.originId]

/**
 * By which ids they know one that they let do less: as its makers, too. Whoever has a stolen key makes another by it, and has that one
 * still when the first is revoked: it takes its maker's limits along, and none of its exemptions.
 */
export const knownAs = (keyId: string, line: KeyLine | null): readonly string[] => [
  ...rolledAs(keyId, line),
  ...(line?.madeBy ?? []),
]

/** Whose payments its own count with: of all that have made one another, those of the first. */
export const countedAs = (keyId: string, line: KeyLine | null): string => line?.madeBy[0] ?? line?.originId ?? keyId

/** How many keys may have made one another: each row names all of them. */
const MAKERS_MAX = 1000

export function refuseManyMakers({ madeBy }: KeyLine): Refusal | null {
  if (madeBy.length <= MAKERS_MAX) return null
  const words = `This key was made by keys that made one another, ${MAKERS_MAX} times. Roll it, or let a member make the next one.`
  return refuseFor('exceeds_own_access', null, words, [{ code: 'exceeds_own_access', param: null, message: words }])
}
