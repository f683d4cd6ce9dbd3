// How the members of a record stand in JSON: each is declared once, with its stored name and the way it is kept. From the
// list come what writes a record and what reads it. Short: what is null, zero, false or empty is left out; money is text.

/** One member. What is written as undefined is left out, and what was left out is read from undefined. */
export type Field<V> = {
  readonly name: string
  write(value: V): unknown
  read(stored: unknown): V
  /** Left out of the record too, and not set to undefined. */
  readonly isAbsent?: true
}
export type Fields<T> = { readonly [member in keyof T]-?: Field<T[member]> }

export type Members = Record<string, unknown>

/** Writes the members of one into the other, and reads them back. The blanks have a place for each of them. */
export type Codec = {
  readonly blank: Readonly<Members>
  readonly blankStored: Readonly<Members>
  readonly write: Copy
  readonly read: Copy
}
type Copy = (from: Members, to: Members) => void
type Step = {
  readonly from: string
  readonly to: string
  readonly by: (value: unknown) => unknown
  readonly isAbsent?: true
}

// A copy of a blank has its form from the start. Made member by member, it would become a table to look names up in.
export function codecOf<T extends object>(fields: Fields<T>): Codec {
  const list = Object.entries<Field<unknown>>(fields)
  const set = list.filter(([, { isAbsent }]) => !isAbsent)
  return {
    blank: Object.fromEntries(set.map(([member]) => [member, null])),
    blankStored: Object.fromEntries(list.map(([, { name }]) => [name, undefined])),
    write: copying(list.map(([member, { name, write }]) => ({ from: member, to: name, by: write }))),
    read: copying(list.map(([member, { name, read, ...rest }]) => ({ ...rest, from: name, to: member, by: read }))),
  }
}

function copying(steps: readonly Step[]): Copy {
  return (source, target) => {
    for (const { from, to, by, isAbsent } of steps) {
      if (!isAbsent || source[from] !== undefined) target[to] = by(source[from])
    }
  }
}

/** A record within a record. */
function recordOf<T extends object>(fields: Fields<T>): Pick<Field<T>, 'write' | 'read'> {
  const { blank, blankStored, write, read } = codecOf(fields)
  return {
    write: (record) => {
      const stored = { ...blankStored }
      write(record as Members, stored)
      return stored
    },
    read: (stored) => {
      const record = { ...blank }
      read(stored as Members, record)
      return record as T
    },
  }
}

const itself = <V>(value: V): V => value

/** Stored as it is, always. */
export const kept = <V>(name: string): Field<V> => ({ name, write: itself, read: (stored) => stored as V })

/** Stored as it is, or null. */
export const optional = <V>(name: string): Field<V | null> => ({
  name,
  write: (value) => value ?? undefined,
  read: (stored) => (stored ?? null) as V | null,
})

/** Stored as it is, or absent. */
export const absent = <V>(name: string): Field<V> => ({ ...kept<V>(name), isAbsent: true })

export const flag = (name: string): Field<boolean> => ({
  name,
  write: (value) => value || undefined,
  read: (stored) => stored === true,
})

export const count = (name: string): Field<number> => ({
  name,
  write: (value) => value || undefined,
  read: (stored) => (stored ?? 0) as number,
})

/** Money that is always written, and money that is mostly none. */
export const amount = (name: string): Field<bigint> => ({
  name,
  write: (value) => value.toString(),
  read: (stored) => BigInt(stored as string),
})
export const minor = (name: string): Field<bigint> => ({
  name,
  write: (value) => (value === 0n ? undefined : value.toString()),
  read: (stored) => (stored === undefined ? 0n : BigInt(stored as string)),
})

export const list = <V>(name: string): Field<readonly V[]> => ({
  name,
  write: (value) => (value.length > 0 ? value : undefined),
  read: (stored) => (stored ?? []) as readonly V[],
})

/** Records, each with fields of its own. */
export function records<T extends object>(name: string, fields: Fields<T>): Field<readonly T[]> {
  const each = recordOf(fields)
  return {
    name,
    write: (value) => (value.length > 0 ? value.map(each.write) : undefined),
    read: (stored) => ((stored ?? []) as unknown[]).map(each.read),
  }
}

/** A record with fields of its own, always. */
export const part = <T extends object>(name: string, fields: Fields<T>): Field<T> => ({ name, ...recordOf(fields) })

/** The same, or absent. */
export function absentPart<T extends object>(name: string, fields: Fields<T>): Field<T> {
  const { write, read } = recordOf(fields)
  return { name, write: (value) => (value === undefined ? undefined : write(value)), read, isAbsent: true }
}

/** A record with fields of its own, or null. */
export function record<T extends object>(name: string, fields: Fields<T>): Field<T | null> {
  const { write, read } = recordOf(fields)
  return {
    name,
    write: (value) => (value === null ? undefined : write(value)),
    read: (stored) => (stored === undefined ? null : read(stored)),
  }
}

/** Texts under names of the payer's or rail's, stored as they are; none are left out. */
export const words = (name: string): Field<Readonly<Record<string, string>>> => ({
  name,
  write: (value) => (Object.keys(value).length > 0 ? value : undefined),
  read: (stored) => (stored ?? {}) as Readonly<Record<string, string>>,
})

/** The same in every document, and in none of them. */
export const fixed = <V>(name: string, value: V): Field<V> => ({ name, write: () => undefined, read: () => value })
