// Which server has a lane, where lanes are spread over several PostgreSQLs; kept at home. And what each server must have of its own
// beside the rows of its lanes.
import type { Row, Statement } from '../../platform/db.ts'

/** The lanes that are not at home, with the server that has them. */
export function laneServers(): Statement {
  return { name: 'lane_servers', text: 'select s.server, s.lane from lane_servers s order by s.lane', values: [] }
}

export const laneServerFrom = (row: Row) => ({ server: row['server'] as string, lane: row['lane'] as number })

/** Changes when a lane is somewhere else. */
export function placementDigest(): Statement {
  return {
    name: 'placement_digest',
    text: `select md5(coalesce(string_agg(s.lane || ' ' || s.server, ',' order by s.lane), '')) as digest from lane_servers s`,
    values: [],
  }
}

/** Notes that lanes are on a server from now on. */
export function placeLanes(server: string, lanes: readonly number[]): Statement {
  return {
    name: 'place_lanes',
    text: `insert into lane_servers (server, lane) select $1, unnest($2::int[])
               on conflict (lane) do update set server = excluded.server, since = now()`,
    values: [server, lanes],
  }
}

/** Modes of channels as they are at home: contracts are bound to them by foreign keys, on each server. */
export function readChannelModes(): Statement {
  return { name: 'read_channel_modes', text: 'select to_json(m) as row from channel_modes m', values: [] }
}

/** Takes over what home has and this server lacks. */
export function copyChannelModes(rows: readonly Row[]): Statement {
  return {
    name: 'copy_channel_modes',
    text: `insert into channel_modes select m.* from json_populate_recordset(null::channel_modes, $1::json) m on conflict do nothing`,
    values: [JSON.stringify(rows.map((row) => row['row']))],
  }
}

/** The lists that are in force, for servers that have no entries of them: verifications are judged by when one was loaded. */
export function readListsInForce(): Statement {
  return {
    name: 'read_lists_in_force',
    text: 'select to_json(l) as row from screening_lists l where l.is_current',
    values: [],
  }
}

/** Takes over which lists are in force at home, where that is newer than what is known. At home it changes nothing. */
export function copyListsInForce(rows: readonly Row[]): Statement {
  return {
    name: 'copy_lists_in_force',
    merge: {},
    text: `with given as (
             select g.* from json_populate_recordset(null::screening_lists, $1::json) g
               join installation i on i.server is not null
              where not exists (select from screening_lists l
                                 where l.is_current and l.source = g.source and l.loaded_at > g.loaded_at)
           ), aside as (
             update screening_lists l set is_current = false from given g
              where l.is_current and l.source = g.source and l.id <> g.id
             returning 1
           )
           insert into screening_lists select g.* from given g cross join (select count(*) from aside) a
               on conflict (id) do update
              set is_current = excluded.is_current, version = excluded.version, published_on = excluded.published_on,
                  entries = excluded.entries, loaded_at = excluded.loaded_at, checked_at = excluded.checked_at`,
    values: [JSON.stringify(rows.map((row) => row['row']))],
  }
}
