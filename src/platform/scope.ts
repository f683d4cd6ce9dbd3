// How far one batch reaches (docs/design/write-path.md). On one PostgreSQL the lane comes with the rows; on a distributed
// engine a batch holds lanes of one shard, and each statement names them for each of its tables, so that it goes to that shard.
import { groupedBy } from '../domain/grouped.ts'
import { plainArray, type Statement } from './db.ts'

/** `lanes together` are some whose rows lie in one shard. */
export type Scope =
  | { readonly kind: 'many lanes' }
  | { readonly kind: 'one lane'; readonly lane: number }
  | { readonly kind: 'lanes together'; readonly lanes: readonly number[] }

export const MANY_LANES: Scope = { kind: 'many lanes' }

/** The scope of a statement about these rows alone: the lane of all of them, where they have one. */
export function scopeOf(rows: readonly { readonly lane: number }[]): Scope {
  const [first, ...others] = rows
  if (!first || others.some(({ lane }) => lane !== first.lane)) return MANY_LANES
  return { kind: 'one lane', lane: first.lane }
}

/** The lanes of a group, by its number. Null where lanes need not be told apart: one statement may be about any of them. */
export type GroupOf = ((lane: number) => number) | null

/** The scope of a statement about these rows alone, all of which are of one group of lanes. */
export function scopeWithin(groupOf: GroupOf, rows: readonly { readonly lane: number }[]): Scope {
  if (groupOf === null) return MANY_LANES
  const lanes = [...new Set(rows.map(({ lane }) => lane))].toSorted((a, b) => a - b)
  const [lane = 0, ...others] = lanes
  return others.length === 0 ? { kind: 'one lane', lane } : { kind: 'lanes together', lanes }
}

/** Rows of one group of lanes, and what a statement about them is told. */
export type Parted<T> = { readonly scope: Scope; readonly rows: readonly T[] }

/** Takes rows apart by the group of their lanes. */
export function partedBy<T extends { readonly lane: number }>(
  groupOf: GroupOf,
  rows: readonly T[],
): readonly Parted<T>[] {
  if (rows.length === 0) return []
  if (groupOf === null) return [{ scope: MANY_LANES, rows }]
  const groups = groupedBy(rows, ({ lane }) => groupOf(lane)).values()
  return Array.from(groups, (part) => ({ scope: scopeWithin(groupOf, part), rows: part }))
}

/** A statement written once for every scope. `$lane(t)` in the text becomes the lane condition on the table alias `t`. */
export type Scoped = (scope: Scope, values: readonly unknown[]) => Statement

const LANE_MARK = /\$lane\((\w+)\)/g

/** Prepares the texts of a statement. The parameters of the text come first, the lane last. */
export function scoped(name: string, text: string): Scoped {
  const marks = [...text.matchAll(LANE_MARK)].length
  if (marks === 0) throw new Error(`statement ${name} must say $lane(alias)`)
  const parameters = [...text.matchAll(/\$(\d+)/g)].map((match) => Number(match[1]))
  const lanePlace = Math.max(0, ...parameters) + 1
  const many = { name, text: text.replace(LANE_MARK, 'true') }
  const one = {
    name: `${name}_in_lane`,
    text: text.replace(LANE_MARK, (_, alias: string) => `${alias}.lane = $${lanePlace}::int`),
  }
  const together = {
    name: `${name}_in_lanes`,
    text: text.replace(LANE_MARK, (_, alias: string) => `${alias}.lane = any($${lanePlace}::int[])`),
  }
  return (scope, values) => {
    if (scope.kind === 'many lanes') return { ...many, values }
    if (scope.kind === 'one lane')
      return { ...one, values: [...values, scope.lane], ofShard: { ...many, values, lanes: [scope.lane] } }
    return {
      ...together,
      values: [...values, plainArray(scope.lanes)],
      ofShard: { ...many, values, lanes: scope.lanes },
    }
  }
}

/**
 * An update that must touch as many rows as its first parameter says. A miss divides by zero inside the statement, so
 * the transaction fails before its commit, although the commit is already on the wire.
 */
export function scopedUpdate(name: string, update: string): Scoped {
  return scoped(
    name,
    `with touched as (${update} returning 1) select 1 / (count(*) = $1::int)::int as as_decided from touched`,
  )
}
