// Puts the tables of a schema on the nodes of a Citus cluster, beside gateways at work: what is missing, and as patiently as a migration.
import { MigrationRefused } from '../migration-files.ts'
import { type Changing, inShortTries } from '../postgres/short-tries.ts'
import { type Distribution, type Misplaced, misplaced, REACHES_NODES, SET_WHERE_DISTRIBUTED } from './distribution.ts'

// Of tables whose rows are on the workers: those of which rows are in the coordinator's own file still.
const LEFT_BEHIND = `
  select p.logicalrelid::regclass::text as name
    from pg_dist_partition p join pg_class t on t.oid = p.logicalrelid
   where p.partmethod = 'h' and t.relnamespace = 'public'::regnamespace and pg_relation_size(p.logicalrelid) > 0
   order by 1`

/**
 * Puts every table where it belongs: those with a lane on the workers, all shards of a lane beside each other, and the
 * shared ones on each node. Does what is missing; the names of what was moved. A table a transaction, in short tries: what is
 * interrupted goes on with the next call. For a server that can, and for whoever has the turn to change its schema.
 */
export async function distribute(changing: Changing, wanted: Distribution): Promise<string[]> {
  const { client, log } = changing
  await client.query(SET_WHERE_DISTRIBUTED, [...REACHES_NODES])
  const left = await misplaced(client, wanted)
  for (const { name, kind, step } of left) {
    // A tenant's table that names a shared one is not made the coordinator's own first: it is to leave it.
    await client.query(`set citus.enable_local_reference_table_foreign_keys = ${step === 2 ? 'on' : 'off'}`)
    const [text, values] = placing(name, kind, wanted)
    await inShortTries(changing, name, () => client.query(text, values))
    log(WORDS[kind](name))
  }
  // What was there before they were distributed is on the workers now, and the coordinator's own copy answers nobody. By what is there:
  // whoever placed a table may have been ended before this.
  const { rows } = await client.query<{ name: string }>(LEFT_BEHIND)
  for (const { name } of rows) await emptied(changing, name)
  return left.map(({ name }) => name)
}

/** What cannot be had now is emptied by a later call: it keeps no start from anything. */
async function emptied(changing: Changing, name: string): Promise<void> {
  const { client, log } = changing
  try {
    await inShortTries(changing, name, () =>
      client.query('select truncate_local_data_after_distributing_table($1::regclass)', [name]),
    )
  } catch (fault) {
    if (!(fault instanceof MigrationRefused && fault.code === 'locked')) throw fault
    log(`${name}: its old rows are on the coordinator still, and are removed by the next gateway migrate`)
  }
}

const WORDS = {
  'by lane': (name: string) => `${name} is distributed by lane`,
  shared: (name: string) => `${name} is on every node`,
  function: (name: string) => `${name} runs where its lane is`,
} as const

function placing(name: string, kind: Misplaced['kind'], { anchor, shards }: Distribution): [string, unknown[]] {
  if (kind === 'function')
    return [
      `select create_distributed_function($1::regprocedure, 'lane', colocate_with => $2, force_delegation => true)`,
      [name, anchor],
    ]
  if (kind === 'shared') return ['select create_reference_table($1::regclass)', [name]]
  if (name === anchor)
    return [
      `select create_distributed_table($1::regclass, 'lane', colocate_with => 'none', shard_count => $2::int)`,
      [name, shards],
    ]
  return [`select create_distributed_table($1::regclass, 'lane', colocate_with => $2)`, [name, anchor]]
}
