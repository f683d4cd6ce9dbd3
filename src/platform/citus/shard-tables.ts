// Statements about the lanes of one shard, sent to the node that has it in the names of that shard's own tables. To the node these are
// tables like those of one PostgreSQL, whose plans are kept. What Citus sees to for what it plans itself is seen to here: that the shard
// is on this node, and is not moved before what was written is committed (docs/adr/0099).
import { type Decide, plainArray, type Session, sqlStateOf, type Statement } from '../db.ts'
import { ELSEWHERE } from './shard-functions.ts'

/**
 * Lanes whose rows lie together: its number, what its tables are called on its node, by what they are called together, and a statement in
 * their names. Each text is made once.
 */
export type Shard = {
  readonly id: string
  readonly tables: ReadonlyMap<string, string>
  readonly named: (statement: OfShard) => Statement
}

type OfShard = NonNullable<Statement['ofShard']>

// The SQLSTATEs of a table and a function that are not there.
const [NO_SUCH_TABLE, NO_SUCH_FUNCTION] = ['42P01', '42883']
const lacks = (fault: unknown) => [ELSEWHERE, NO_SUCH_TABLE, NO_SUCH_FUNCTION].includes(sqlStateOf(fault) ?? '')
const AT_HOME_MS = 1000

// What may stand behind a table that has no alias.
const NO_ALIAS =
  /^(set|where|join|inner|left|right|cross|full|natural|on|order|group|using|having|limit|offset|for|returning|union|except|intersect|select|values|default)$/i
const NAMED = /\b(from|join|using|into|update)(\s+)(\w+)\b(?!\.)(?=(?:\s+(\w+))?)/gi

/** The text with each of these tables by its other name; what the rest of the statement calls it stays. */
export function withTables(text: string, tables: ReadonlyMap<string, string>): string {
  return text.replace(NAMED, (whole: string, before: string, space: string, name: string, next: string | undefined) => {
    const named = tables.get(name)
    if (named === undefined) return whole
    const hasAlias = next !== undefined && !NO_ALIAS.test(next)
    return `${before}${space}${named}${hasAlias ? '' : ` as ${name}`}`
  })
}

const holding = ({ id }: Shard): Statement => ({
  name: 'hold_shard',
  text: 'select hold_shard($1::bigint)',
  values: [id],
})

const stillHere = (shards: readonly Shard[]): Statement => ({
  name: 'has_shards',
  text: 'select bool_and(has_shard(s.id)) as here from unnest($1::bigint[]) s (id)',
  values: [plainArray(shards.map(({ id }) => id))],
})

export function openShard(id: string, tables: ReadonlyMap<string, string>): Shard {
  const texts = new Map<string, string>()
  const textOf = ({ name, text }: OfShard): string => {
    const before = texts.get(name)
    if (before !== undefined) return before
    const made = withTables(text, tables)
    texts.set(name, made)
    return made
  }
  return {
    id,
    tables,
    named: (statement) => ({ name: `${statement.name}_${id}`, text: textOf(statement), values: statement.values }),
  }
}

/** The shard that has all of these lanes; undefined where there is none whose tables can be named. */
export type ShardOf = (lanes: readonly number[]) => Shard | undefined

/** What the node lacks is asked of the coordinator; `onElsewhere`: a shard is not where it was seen. */
export type ShardWay = { readonly shardOf: ShardOf; readonly onElsewhere: () => void }

/**
 * A session at a node (`direct`) for lanes of its shards, in whose place one at the coordinator (`home`) is used where the node cannot
 * answer: the shard is elsewhere, or a table is the coordinator's alone. Nothing was done then; `decide` is called anew. What comes in the
 * next second goes there at once, for it is likely to fare the same.
 */
export function inShards(direct: Session, home: Session, { shardOf, onElsewhere }: ShardWay): Session {
  let homeUntilMs = 0
  const isAtHome = () => performance.now() < homeUntilMs
  const lacking = (fault: unknown): void => {
    if (!lacks(fault)) throw fault
    homeUntilMs = performance.now() + AT_HOME_MS
    if (sqlStateOf(fault) !== NO_SUCH_TABLE) onElsewhere()
  }

  // Lanes are seen to lie together once a minute. Those that a batch has held since before may lie in two shards by now.
  const placed = ({ ofShard }: Statement) => {
    const shard = ofShard && shardOf(ofShard.lanes)
    return shard && { shard, named: shard.named(ofShard) }
  }
  const namedIn = ({ id }: Shard, statements: readonly Statement[]): Statement[] =>
    statements.map((statement) => {
      if (statement.ofShard === undefined) return statement
      const found = placed(statement)
      if (found?.shard.id !== id) throw new ShardElsewhere()
      return found.named
    })
  const deciding =
    <T>(shard: Shard, next: Decide<T>): Decide<T> =>
    (loaded) => {
      const decided = next(loaded)
      return 'load' in decided
        ? { load: namedIn(shard, decided.load), decide: deciding(shard, decided.decide) }
        : { ...decided, statements: namedIn(shard, decided.statements) }
    }

  return {
    send: async (statements) => {
      const found = statements.flatMap((each) => placed(each) ?? [])
      if (isAtHome() || found.length < statements.length) return home.send(statements)
      try {
        const shards = [...new Set(found.map(({ shard }) => shard))]
        // Asked last: what was answered before came from where the shard was.
        const results = await direct.send([...found.map(({ named }) => named), stillHere(shards)])
        if (results.pop()?.rows[0]?.['here'] !== true) throw new ShardElsewhere()
        return results
      } catch (fault) {
        lacking(fault)
        return home.send(statements)
      }
    },
    transaction: async (load, decide) => {
      const shard = load.map(placed).find((each) => each !== undefined)?.shard
      if (isAtHome() || shard === undefined) return home.transaction(load, decide)
      try {
        const named = [holding(shard), ...namedIn(shard, load)]
        return await direct.transaction(named, ([, ...loaded]) => deciding(shard, decide)(loaded))
      } catch (fault) {
        lacking(fault)
        return home.transaction(load, decide)
      }
    },
    close: async () => void (await Promise.all([direct.close(), home.close()])),
  }
}

class ShardElsewhere extends Error {
  override readonly name = 'ShardElsewhere'
  readonly code = ELSEWHERE
  constructor() {
    super('a shard is elsewhere, or its lanes are not in one any more')
  }
}
