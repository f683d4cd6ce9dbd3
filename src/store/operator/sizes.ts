// How large each table is, and how many contracts were made: what a forecast of the database is made of.
import type { Row, Statement } from '../../platform/db.ts'
import { isRemoved } from '../contracts/removed.ts'

export type TableSize = {
  readonly table: string
  /** As the server counts them: estimates. */
  readonly rows: number
  readonly deadRows: number
  readonly tableBytes: number
  readonly indexBytes: number
}

const SIZES = `greatest(c.reltuples, s.n_live_tup, 0)::float8 as rows, s.n_dead_tup::float8 as dead_rows,
                  pg_table_size(c.oid)::float8 as table_bytes, pg_indexes_size(c.oid)::float8 as index_bytes`

/** Those of the server that is asked, which on a cluster is the coordinator: tables that are spread are empty there. */
export function tableSizes(): Statement {
  return {
    name: 'table_sizes',
    merge: {},
    text: `select c.relname as "table", ${SIZES}
             from pg_class c
             join pg_stat_user_tables s on s.relid = c.oid
            where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
    values: [],
  }
}

/** On a worker: its shards by the table that they are of. */
const SHARDS = `select coalesce(json_agg(x), '[]') from (
    select t.relname as "table", ${SIZES}
      from pg_dist_shard d
      join pg_class t on t.oid = d.logicalrelid
      join pg_class c on c.relname = t.relname || '_' || d.shardid and c.relnamespace = t.relnamespace
      join pg_stat_user_tables s on s.relid = c.oid) x`

/** What each worker of a cluster has, a row each. */
export function shardSizes(): Statement {
  return {
    name: 'shard_sizes',
    text: `-- every lane: figures of the whole installation
           select w.nodename || ':' || w.nodeport as node, w.success, w.result from run_command_on_workers($1) w`,
    values: [SHARDS],
  }
}

/** Throws where a worker did not answer: a sum without it would be wrong. */
export function shardSizesFrom(row: Row): TableSize[] {
  if (row['success'] !== true)
    throw new Error(`${row['node'] as string} does not tell what it has: ${row['result'] as string}`)
  return (JSON.parse(row['result'] as string) as Row[]).map(tableSizeFrom)
}

/** The sizes of each table, wherever they are, together; the largest first. */
export function tablesTogether(parts: readonly TableSize[]): TableSize[] {
  const tables = new Map<string, TableSize>()
  for (const part of parts) {
    const { rows, deadRows, tableBytes, indexBytes } = tables.get(part.table) ?? NOTHING
    tables.set(part.table, {
      table: part.table,
      rows: rows + part.rows,
      deadRows: deadRows + part.deadRows,
      tableBytes: tableBytes + part.tableBytes,
      indexBytes: indexBytes + part.indexBytes,
    })
  }
  const bytes = (each: TableSize) => each.tableBytes + each.indexBytes
  return [...tables.values()].toSorted((a, b) => bytes(b) - bytes(a) || (a.table < b.table ? -1 : 1))
}

const NOTHING = { rows: 0, deadRows: 0, tableBytes: 0, indexBytes: 0 }

export const tableSizeFrom = (row: Row): TableSize => ({
  table: row['table'] as string,
  rows: row['rows'] as number,
  deadRows: row['dead_rows'] as number,
  tableBytes: row['table_bytes'] as number,
  indexBytes: row['index_bytes'] as number,
})

/** How many accounts there are, and of how many an archive is noted. */
export function archivedAccounts(): Statement {
  return {
    name: 'archived_accounts',
    merge: { fold: { by: [], columns: { accounts: 'sum', archived: 'sum' } } },
    text: `-- every lane: figures of the whole installation
           select count(*)::float8 as accounts,
                  count(*) filter (where exists (select from archive_notes n where n.lane = a.lane and n.account_id = a.account_id))::float8 as archived
             from accounts a`,
    values: [],
  }
}

/** Of a sample of the pages of versions: how large a document is that is there, and what share of them is. */
export function sampledDocuments(percent: number): Statement {
  return {
    name: 'sampled_documents',
    merge: { fold: { by: [], columns: { average_bytes: 'most', share_there: 'most' } } },
    text: `-- every lane: figures of the whole installation
           select coalesce(avg(pg_column_size(v.document)) filter (where not ${isRemoved('v')}), 0)::float8 as average_bytes,
                  coalesce(avg(case when ${isRemoved('v')} then 0 else 1 end), 0)::float8 as share_there
             from contract_versions v tablesample system ($1::float4)`,
    values: [percent],
  }
}

export const documentFactsFrom = (noted: Row | undefined, sampled: Row | undefined) => ({
  accounts: Number(noted?.['accounts'] ?? 0),
  archived: Number(noted?.['archived'] ?? 0),
  averageBytes: Number(sampled?.['average_bytes'] ?? 0),
  shareThere: Number(sampled?.['share_there'] ?? 0),
})

/** How many contracts were made on each of the last days, in the time zones of their accounts. Counted behind the history, soon after. */
export function contractsByDay(days: number): Statement {
  return {
    name: 'contracts_by_day',
    merge: { fold: { by: ['days_ago'], columns: { created: 'sum' } }, order: [['days_ago', 'up']] },
    text: `-- every lane: figures of the whole installation
           select (current_date - f.day)::int as days_ago, sum(f.created)::float8 as created
             from figures f where f.day > current_date - $1::int
            group by 1 order by 1`,
    values: [days],
  }
}

/** How many accounts each lane has; lanes without any are not there. */
export function accountsByLane(): Statement {
  return {
    name: 'accounts_by_lane',
    merge: {},
    text: `-- every lane: a figure of the whole installation
           select a.lane, count(*)::int as accounts from accounts a group by a.lane`,
    values: [],
  }
}
