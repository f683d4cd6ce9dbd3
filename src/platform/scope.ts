// How far one batch reaches (docs/design/write-path.md). On one PostgreSQL the lane comes with the rows; on a distributed
// engine a batch holds one lane, and each statement says so with a parameter, so that it goes to one shard.
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
    if (scope.kind === 'one lane') return { ...one, values: [...values, scope.lane] }
    return { ...together, values: [...values, plainArray(scope.lanes)] }
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
