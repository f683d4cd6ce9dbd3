// Pages of a list: how long they are, where the next one begins, and how a bad cursor is refused.
import { invalid, refuseAll } from '../domain/contract/refusals.ts'
import { RefusedRequest } from './errors.ts'
import type { ListQuery } from '../wire/api.ts'

const LIMIT_DEFAULT = 25

export function limitOf(query: ListQuery): number {
  return query.limit === undefined ? LIMIT_DEFAULT : Number(query.limit)
}

/** A page of rows that were fetched one beyond the limit; `next` is null on the last. */
export function pageOf<T>(
  rows: readonly T[],
  limit: number,
  cursorOf: (row: T) => string,
): { rows: readonly T[]; next: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { rows: shown, next: rows.length > limit && last !== undefined ? cursorOf(last) : null }
}

export function badCursor(): RefusedRequest {
  return new RefusedRequest(
    refuseAll([
      invalid('after', 'after must be the data.next of the page before (or, in the feed, the id of an event).'),
    ]),
  )
}

const ALL_VERSIONS = 2_147_483_647

/** Below which version a page of versions begins, the newest first: the cursor is the last number of the page before. */
export function versionBefore(after: string | undefined): number {
  if (after === undefined) return ALL_VERSIONS
  if (!/^[1-9]\d{0,8}$/.test(after)) throw badCursor()
  return Number(after)
}
