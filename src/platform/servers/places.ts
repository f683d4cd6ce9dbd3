// Where a statement belongs, where lanes are spread over several servers. Its text says it, as it does to a distributed engine: a tenant's
// statement names its lane in a parameter, or is marked as one about every lane. What names no tenant's rows is home's, or goes along.
import type { Statement } from '../db.ts'

/** `value` and `values` are places in the values of the statement, from 0. */
export type Place =
  /** On the one server that has what is no tenant's. */
  | { readonly kind: 'home' }
  /** Names nothing, or what each server has of its own: goes along with its transaction. */
  | { readonly kind: 'anywhere' }
  | { readonly kind: 'lane'; readonly value: number }
  | { readonly kind: 'lanes'; readonly value: number }
  /** Rows of several arrays beside each other, of which the first has their lanes. */
  | { readonly kind: 'rows'; readonly values: readonly number[] }
  | { readonly kind: 'every lane' }

/** Which names in a text are whose. Taken from the schema (distribution.ts). */
export type Owners = {
  /** Tables of tenants, whose rows begin with their lane. */
  readonly byLane: ReadonlySet<string>
  /** Functions that are given a lane first. */
  readonly laneFunctions: ReadonlySet<string>
  /** Tables that are at home alone. */
  readonly atHome: ReadonlySet<string>
}

/** A statement about tenants' rows that says no lane: an error of the programmer, found before it is sent. */
export class Unplaced extends Error {
  override readonly name = 'Unplaced'
}

const ONE_LANE = /\blane = \$(\d+)/
const LANES = /\blane = any\(\$(\d+)/
const ROWS = /rows from \(((?:(?:unnest|json_array_elements)\(\$\d+::\w+(?:\[\])?\)(?:, )?)+)\) x \(lane\b/
const UNNESTED = /\bunnest\(((?:\$\d+::\w+\[\](?:, )?)+)\)(?: as)? x \(lane\b/
const PARAMETER = /\$(\d+)/g
const INSERTED = /insert into \w+(?: as \w+)? \(lane\b[^)]*\)\s*values \(\$1\b/
const CALLED = /\b(\w+)\(\$(\d+)/g
const EVERY_LANE = /\bevery lane: \S/
// Written on each server in a transaction of its own, of the lanes that it has.
const ITS_OWN = /\bevery lane: its server's own\b/
const NAMES = /\w+/g
const COMMENTS = /--[^\n]*/g

/** Tells where statements belong; each text is read once. Throws {@link Unplaced}. */
export function openPlaces(owners: Owners): (statement: Pick<Statement, 'name' | 'text'>) => Place {
  const known = new Map<string, Place>()
  return ({ name, text }) => {
    let place = known.get(text)
    if (place === undefined) {
      place = placeOf(name, text, owners)
      known.set(text, place)
    }
    return place
  }
}

function placeOf(name: string, text: string, { byLane, laneFunctions, atHome }: Owners): Place {
  const bare = text.replace(COMMENTS, '')
  const one = ONE_LANE.exec(bare)
  if (one) return { kind: 'lane', value: Number(one[1]) - 1 }
  const several = LANES.exec(bare)
  if (several) return { kind: 'lanes', value: Number(several[1]) - 1 }
  const rows = (ROWS.exec(bare) ?? UNNESTED.exec(bare))?.[1]
  if (rows !== undefined)
    return { kind: 'rows', values: Array.from(rows.matchAll(PARAMETER), ([, n]) => Number(n) - 1) }
  if (INSERTED.test(bare)) return { kind: 'lane', value: 0 }
  for (const [, called = '', parameter] of bare.matchAll(CALLED))
    if (laneFunctions.has(called)) return { kind: 'lane', value: Number(parameter) - 1 }
  if (ITS_OWN.test(text)) return { kind: 'anywhere' }
  if (EVERY_LANE.test(text)) return { kind: 'every lane' }
  const names = Array.from(bare.matchAll(NAMES), ([word]) => word)
  const tenants = names.find((word) => byLane.has(word) || laneFunctions.has(word))
  if (tenants !== undefined)
    throw new Unplaced(`The statement ${name} is about ${tenants}, and does not say of which lane.`)
  return { kind: names.some((word) => atHome.has(word)) ? 'home' : 'anywhere' }
}
