// Who wrote what a command or a schedule does. For whom it acts may change, when somebody else resumes it or changes it; whoever wrote
// it approves nothing of what it makes, for whomever it acts by then. Pure.

/** For whom something acts: a key, or a member. */
export type ActsFor = { readonly keyId: string | null; readonly memberId: string | null }

/** So many are kept of one thing. No writer is ever forgotten: beyond them nobody else writes it. */
export const WRITERS_MAX = 50

/** A member acts as themselves, whichever session they came by: it ends, and they sign in again. */
export const actingFor = ({ keyId, memberId }: ActsFor): ActsFor =>
  memberId === null ? { keyId, memberId } : { keyId: null, memberId }

/** The session by which a member acts; null of a key. */
export const sessionOf = ({ keyId, memberId }: ActsFor): string | null => (memberId === null ? null : keyId)

/** The member, or the key where there is none: as activities name whoever did something. */
const nameOf = ({ keyId, memberId }: ActsFor): string | null => memberId ?? keyId

/** Whether two are the same key or member, by whatever sessions. */
export const isSame = (one: ActsFor, other: ActsFor): boolean => nameOf(one) === nameOf(other)

/** Everybody who wrote it. What was stored before writers were kept counts as written by those for whom it acts. */
export function writersOf(writers: readonly string[] | undefined, maker: ActsFor): readonly string[] {
  return writers && writers.length > 0 ? writers : withWriter([], maker)
}

/**
 * `alike`: the keys that are one with the writer's, by having been rolled into one another, and behind which the same member is. Where one
 * of them is named, all who must not approve are: keys that are rolled each month do not use up the writers there may be.
 */
export function withWriter(
  writers: readonly string[],
  writer: ActsFor,
  alike: readonly string[] = [],
): readonly string[] {
  const name = nameOf(writer)
  if (name === null || writers.some((each) => alike.includes(each))) return writers
  return [...new Set([...writers, name])]
}

/** Those of them for whom it does not act: nothing else names them where it makes something. */
export const othersOf = (writers: readonly string[], maker: ActsFor): readonly string[] =>
  writers.filter((writer) => writer !== nameOf(maker))
