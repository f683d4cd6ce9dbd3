// The answers of several servers to one statement, made one.
import type { Result, Row } from '../db.ts'
import type { Merge } from './merge-rule.ts'

/** One answer of several, for a statement with these values. */
export function merged(results: readonly Result[], merge: Merge, values: readonly unknown[]): Result {
  let rows = results.flatMap((each) => each.rows)
  if (merge.fold) rows = folded(rows, merge.fold)
  if (merge.once !== undefined) rows = onceEach(rows, merge.once)
  const { order, limit } = merge
  if (order) rows.sort((a, b) => compared(a, b, order))
  if (limit !== undefined) rows = rows.slice(0, Number(values[limit - 1]))
  const isRead = rows.length > 0 || results.every((each) => each.rows.length === 0)
  const rowCount = isRead && merge.fold ? rows.length : results.reduce((sum, each) => sum + each.rowCount, 0)
  return { rows, rowCount, command: results[0]?.command ?? 'SELECT' }
}

function folded(rows: readonly Row[], { by, columns }: NonNullable<Merge['fold']>): Row[] {
  const made = new Map<string, Row>()
  for (const row of rows) {
    const key = JSON.stringify(by.map((column) => row[column]))
    const before = made.get(key)
    if (!before) made.set(key, { ...row })
    else for (const [column, how] of Object.entries(columns)) before[column] = FOLDS[how](before[column], row[column])
  }
  return [...made.values()]
}

const FOLDS = {
  sum: (a: unknown, b: unknown) => present(a, b, sum),
  most: (a: unknown, b: unknown) => present(a, b, (x, y) => (order(x, y) >= 0 ? x : y)),
  least: (a: unknown, b: unknown) => present(a, b, (x, y) => (order(x, y) <= 0 ? x : y)),
  any: (a: unknown, b: unknown) => a === true || b === true,
} as const

/** Null says nothing, as in SQL. */
function present(a: unknown, b: unknown, fold: (a: unknown, b: unknown) => unknown): unknown {
  if (a === null || a === undefined) return b
  return b === null || b === undefined ? a : fold(a, b)
}

// Sums of money come as text: they are larger than a number holds.
const sum = (a: unknown, b: unknown) =>
  typeof a === 'number' ? a + Number(b) : (BigInt(a as string) + BigInt(b as string)).toString()

function onceEach(rows: readonly Row[], column: string): Row[] {
  return [...new Map(rows.map((row) => [row[column], row])).values()]
}

function compared(a: Row, b: Row, wanted: NonNullable<Merge['order']>): number {
  for (const [column, way] of wanted) {
    const found = order(a[column], b[column])
    if (found !== 0) return way === 'up' ? found : -found
  }
  return 0
}

const WHOLE = /^-?\d+$/

/** As PostgreSQL orders them: null last; numbers that come as text are numbers. */
function order(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (a === null || a === undefined) return 1
  if (b === null || b === undefined) return -1
  if (typeof a === 'string' && typeof b === 'string')
    return WHOLE.test(a) && WHOLE.test(b) ? sign(BigInt(a), BigInt(b)) : sign(a, b)
  return sign(Number(a), Number(b))
}

const sign = <T extends bigint | string | number>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0)
