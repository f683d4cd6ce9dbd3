// A table's columns as one list: from it come the SQL text of statements about many rows, the parameters that hold the rows,
// and the type of what is read back. Each column is one parameter, an array. Text is made once, when a module loads.
import { type Plain, plainArrayOf, type Row, type Session, type Statement, textArrayOf } from './db.ts'
import { type GroupOf, partedBy, type Scope, scoped, scopedUpdate } from './scope.ts'

/** A column of rows T, which is read back as R. */
export type Column<T, R = unknown> = {
  /** The set of its values, out of the parameter at this place. */
  readonly source: (place: string) => string
  /** What is stored, by the column's name in the rows; and what is read of the stored. */
  readonly stored: (name: string) => string
  readonly selected: (name: string) => string
  readonly array: (rows: readonly T[]) => string
  readonly reads?: R
}

/** Columns by their names, in the order of the parameters. */
export type Columns<T> = Readonly<Record<string, Column<T>>>

type RowOf<C> = { readonly [name in keyof C]: C[name] extends Column<never, infer R> ? R : never }

const itself = (name: string): string => name

/** A time of the database in whole milliseconds since the epoch. */
export const ms = (moment: string): string => `floor(extract(epoch from ${moment}) * 1000)::float8`

/** A time of the database as it is, to the microsecond: a text that every server and every client reads alike, whatever its settings. */
export const exact = (moment: string): string =>
  `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const ofType = (type: string) => ({
  source: (place: string) => `unnest(${place}::${type}[])`,
  stored: itself,
  selected: itself,
})

const plain = <T, R>(type: string, take: (row: T) => Plain): Column<T, R> => ({
  ...ofType(type),
  array: (rows) => plainArrayOf(rows, take),
})

export const int = <T, V extends number | null>(take: (row: T) => V) => plain<T, V>('int', take)
export const float = <T, V extends number | null>(take: (row: T) => V) => plain<T, V>('float8', take)
export const bool = <T, V extends boolean | null>(take: (row: T) => V) => plain<T, V>('boolean', take)
export const uuid = <T, V extends string | null>(take: (row: T) => V) => plain<T, V>('uuid', take)
/** Text that needs no quotes: a status, a currency, an id that the gateway made. */
export const word = <T, V extends string | null>(take: (row: T) => V) => plain<T, V>('text', take)
/** A day as YYYY-MM-DD. */
export const date = <T, V extends string | null>(take: (row: T) => V) => plain<T, V>('date', take)
/** The driver reads it as text: its meaning decides whether that becomes a bigint or a number. */
export const int8 = <T, V extends Whole>(take: (row: T) => V) => plain<T, AsText<V>>('bigint', take)
type Whole = bigint | number | null
type AsText<V> = V extends null ? null : string

export const text = <T, V extends string | null>(take: (row: T) => V): Column<T, V> => ({
  ...ofType('text'),
  array: (rows) => textArrayOf(rows, take),
})

/** Milliseconds since the epoch here, a time in the table. */
export const time = <T, V extends number | null>(take: (row: T) => V): Column<T, V> => ({
  ...ofType('float8'),
  stored: (name) => `to_timestamp(${name} / 1000)`,
  selected: ms,
  array: (rows) => plainArrayOf(rows, take),
})

export const json = <T, V extends object | null>(take: (row: T) => V): Column<T, V> => ({
  ...ofType('json'),
  array: (rows) => textArrayOf(rows, (row) => jsonText(take(row))),
})

const jsonText = (value: object | null) => (value === null ? null : JSON.stringify(value))

export const bytes = <T, V extends Buffer | null>(take: (row: T) => V): Column<T, V> => ({
  ...ofType('bytea'),
  array: (rows) => plainArrayOf(rows, (row) => hexText(take(row))),
})

const hexText = (value: Buffer | null) => (value === null ? null : `"\\\\x${value.toString('hex')}"`)

/** Documents that are JSON text already, as one JSON array: an array of text would need every quote of them escaped. */
export const documents = <T>(take: (row: T) => string): Column<T> => ({
  ...ofType('json'),
  source: (place) => `json_array_elements(${place}::json)`,
  array: (rows) => `[${rows.map(take).join(',')}]`,
})

const listed = <T>(columns: Columns<T>, each: (name: string, column: Column<T>) => string): string =>
  Object.entries(columns)
    .map(([name, column]) => each(name, column))
    .join(', ')

/** `a, b`: the columns of an insert. */
export const names = <T>(columns: Columns<T>): string => listed(columns, itself)

/** `x.a, to_timestamp(x.b / 1000)`: what an insert selects. The lane comes from its own row, which is joined as `l`. */
export const values = <T>(columns: Columns<T>): string =>
  listed(columns, (name, { stored }) => (name === 'lane' ? 'l.lane' : stored(`x.${name}`)))

/** `a = x.a, b = to_timestamp(x.b / 1000)`: what an update sets. */
export const assigned = <T>(columns: Columns<T>): string =>
  listed(columns, (name, { stored }) => `${name} = ${stored(`x.${name}`)}`)

/** `a = excluded.a`: what an insert sets where the row is there already. */
export const replaced = <T>(columns: Columns<T>): string => listed(columns, (name) => `${name} = excluded.${name}`)

/** `t.a, t.b`: what a statement reads, for {@link reader}. */
export const selected = <T>(columns: Columns<T>, alias: string): string =>
  listed(columns, (name, column) => {
    const whole = `${alias}.${name}`
    const read = column.selected(whole)
    return read === whole ? whole : `${read} as ${name}`
  })

/** The rows as a table `x`, out of the parameters from the given place on. */
function rowsOf<T>(columns: Columns<T>, from = 1): string {
  const sources = Object.values(columns).map(({ source }, place) => source(`$${from + place}`))
  return `rows from (${sources.join(', ')}) x (${names(columns)})`
}

/** Those parameters: one array for each column. */
function arraysOf<T>(columns: Columns<T>): (rows: readonly T[]) => string[] {
  const list = Object.values(columns)
  return (rows) => list.map((column) => column.array(rows))
}

/** What reads a row of which {@link selected} columns came. Member by member: a loop over columns takes twice as long. */
export function reader<C extends Columns<never>, R>(_: C, read: (row: RowOf<C>) => R): (row: Row) => R {
  return (row) => read(row as RowOf<C>)
}

/** A statement that reads `from ${rows}`, the table `x`, within the scope of a batch. */
export type ForRows<T> = (scope: Scope, rows: readonly T[]) => Statement

/**
 * What is found by its whole key, of tables that grow without end, is a lateral sub-select with `offset 0`, which leaves the planner nothing but
 * the index by that key: joined, all of a lane is read where the planner knows of two rows and there are thousands.
 */
export function forRows<T>(name: string, columns: Columns<T>, statement: (rows: string) => string): ForRows<T> {
  const prepared = scoped(name, statement(rowsOf(columns)))
  const arrays = arraysOf(columns)
  return (scope, rows) => prepared(scope, arrays(rows))
}

/** What such a statement reads of these rows, asked of each group of their lanes by itself. */
export async function readFor<T extends { readonly lane: number }>(
  session: Pick<Session, 'send'>,
  groupOf: GroupOf,
  statement: ForRows<T>,
  rows: readonly T[],
): Promise<Row[]> {
  const results = await session.send(partedBy(groupOf, rows).map((part) => statement(part.scope, part.rows)))
  return results.flatMap((result) => result.rows)
}

/** An update that reads `from ${rows}` and must touch as many rows as it is given. */
export function updateRows<T>(name: string, columns: Columns<T>, update: (rows: string) => string): ForRows<T> {
  const prepared = scopedUpdate(name, update(rowsOf(columns, 2)))
  const arrays = arraysOf(columns)
  return (scope, rows) => prepared(scope, [rows.length, ...arrays(rows)])
}

/** An insert of many rows. */
export function insertRows<T>(
  name: string,
  table: string,
  columns: Columns<T> & { readonly lane: Column<T> },
  onConflict = '',
): ForRows<T> {
  const from = (rows: string) => `from ${rows} join lanes l on l.lane = x.lane where $lane(l)`
  return forRows(
    name,
    columns,
    (rows) => `insert into ${table} (${names(columns)}) select ${values(columns)} ${from(rows)} ${onConflict}`,
  )
}
