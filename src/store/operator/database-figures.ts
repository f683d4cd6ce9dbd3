// What is watched of the whole installation beside its work: the server, its replicas, and what grows old. Looked at now and then.
import { ms } from '../../platform/columns.ts'
import type { Result, Row, Statement } from '../../platform/db.ts'

export type DatabaseFigures = {
  /** When the server started, in milliseconds since the epoch; and its clock. */
  readonly startedMs: number
  readonly nowMs: number
  readonly bytes: number
  /** How far the replica that is furthest behind is, in bytes of the log; null without one, and where this login may not know. */
  readonly replicaLagBytes: number | null
  /** Transfers that were sent and whose outcome nobody knows (counted up to a bound), and for how long the oldest has been. */
  readonly unknown: number
  readonly unknownSeconds: number
  /** Steps of histories that are not sealed yet, and since when the oldest waits: of so many accounts as are looked at. */
  readonly unsealed: number
  readonly unsealedSeconds: number
  /** Keys in force that end within a week; sessions of members are none. */
  readonly keysEnding: number
  /** Since the published list that was looked for least recently was last found to be the newest; 0 without any. */
  readonly listSeconds: number
}

const COUNTED_MAX = 10_000
const UNSEALED_ACCOUNTS_MAX = 1000

/** What the server says of itself, keys that end, transfers in doubt, and what is not sealed: a statement each, for those of tenants go to every node. */
export function readDatabaseFigures(): readonly Statement[] {
  return [SERVER, KEYS_ENDING, UNKNOWN, UNSEALED]
}

const SERVER: Statement = {
  name: 'read_server_figures',
  // Of several servers: when the one that started last did, and what all of them have together.
  merge: {
    fold: {
      by: [],
      columns: { started_ms: 'most', now_ms: 'most', bytes: 'sum', replica_lag_bytes: 'most', list_seconds: 'most' },
    },
  },
  text: `select ${ms('pg_postmaster_start_time()')} as started_ms, ${ms('clock_timestamp()')} as now_ms,
                pg_database_size(current_database())::float8 as bytes,
                (select max(pg_wal_lsn_diff(pg_current_wal_flush_lsn(), r.replay_lsn))::float8
                   from pg_stat_replication r) as replica_lag_bytes,
                (select coalesce(max(extract(epoch from now() - coalesce(l.checked_at, l.loaded_at))), 0)::float8
                   from screening_lists l where l.is_current) as list_seconds`,
  values: [],
}

const KEYS_ENDING: Statement = {
  name: 'read_keys_ending',
  merge: { fold: { by: [], columns: { keys_ending: 'sum' } } },
  text: `-- every lane: a figure of the whole installation
         select count(*)::float8 as keys_ending
           from api_keys k
          where k.member_id is null and k.revoked_at is null and k.expires_at > now() and k.expires_at < now() + interval '7 days'`,
  values: [],
}

const UNKNOWN: Statement = {
  name: 'read_unknown_transfers',
  merge: { fold: { by: [], columns: { unknown: 'sum', unknown_seconds: 'most' } } },
  text: `-- every lane: a figure of the whole installation
         select count(*)::float8 as unknown, coalesce(extract(epoch from now() - min(u.submitted_at)), 0)::float8 as unknown_seconds
           from (select j.submitted_at from jobs j where j.status = 'unknown' and j.kind = 'payout'
                  order by j.submitted_at limit ${COUNTED_MAX}) u`,
  values: [],
}

const UNSEALED: Statement = {
  name: 'read_unsealed',
  merge: { fold: { by: [], columns: { unsealed: 'sum', unsealed_seconds: 'most' } } },
  text: `-- every lane: a figure of the whole installation
         select coalesce(sum(b.steps), 0)::float8 as unsealed,
                coalesce(extract(epoch from now() - min(b.at)), 0)::float8 as unsealed_seconds
           from (select a.position - coalesce(p.position, 0) as steps,
                        (select h.at from account_steps h
                          where h.lane = a.lane and h.account_id = a.account_id and h.position > coalesce(p.position, 0)
                          order by h.position
                          limit 1) as at
                   from accounts a
                   left join seal_progress p on p.lane = a.lane and p.account_id = a.account_id
                  where a.position > coalesce(p.position, 0)
                  order by p.looked_at nulls first, a.account_id
                  limit ${UNSEALED_ACCOUNTS_MAX}) b`,
  values: [],
}

/** From the answers to all of them. */
export function databaseFiguresFrom(results: readonly Result[]): DatabaseFigures {
  const row: Row = Object.assign({}, ...results.map(({ rows }) => rows[0]))
  return {
    startedMs: row['started_ms'] as number,
    nowMs: row['now_ms'] as number,
    bytes: row['bytes'] as number,
    replicaLagBytes: row['replica_lag_bytes'] as number | null,
    unknown: row['unknown'] as number,
    unknownSeconds: row['unknown_seconds'] as number,
    unsealed: row['unsealed'] as number,
    unsealedSeconds: row['unsealed_seconds'] as number,
    keysEnding: row['keys_ending'] as number,
    listSeconds: row['list_seconds'] as number,
  }
}
