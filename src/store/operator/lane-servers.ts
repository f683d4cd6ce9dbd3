// Which server has a lane, where lanes are spread over several PostgreSQLs; kept at home. And what each server must have of its own
// beside the rows of its lanes.
import { exact, ms } from '../../platform/columns.ts'
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'

/** What the server of DATABASE_URL is called among them. */
export const HOME = 'home'

/**
 * Which server has a lane. `cameAt`: what its row of the lane says since the move that brought it there; null where that says nothing.
 * `cameFrom`: the server that had it before.
 */
export type PlacedLane = {
  readonly lane: number
  readonly server: string
  readonly sinceMs: number
  readonly cameAt: string | null
  readonly cameFrom: string | null
}

/** The lanes that are not at home, or came back there, with the server that has them, and since when: it joined, or the lane came there. */
export function laneServers(): Statement {
  return {
    name: 'lane_servers',
    text: `select s.server, s.lane, ${ms('s.since')} as since_ms, m.came_at, m.from_server
             from lane_servers s
             left join lateral (
                    select m.from_server, m.to_server, ${exact('m.came_at')} as came_at
                      from lane_moves m
                     where m.lane = s.lane and m.state = 'moved'
                     order by m.ended_at desc
                     limit 1) m on m.to_server = s.server
            order by s.lane`,
    values: [],
  }
}

export const laneServerFrom = (row: Row): PlacedLane => ({
  server: row['server'] as string,
  lane: row['lane'] as number,
  sinceMs: row['since_ms'] as number,
  cameAt: row['came_at'] as string | null,
  cameFrom: row['from_server'] as string | null,
})

/** Whether lanes are, or are to be, on other servers than home. Of any schema that knows of others. */
export function anyLaneElsewhere(): Statement {
  return {
    name: 'any_lane_elsewhere',
    text: 'select 1 from lane_servers s where s.server <> $1 limit 1',
    values: [HOME],
  }
}

/**
 * Those of the lanes that the server which home names lacks: it has no row of the lane (`has_row`), or the row that it had before a move
 * brought the lane there.
 */
export function lanesLacking(placed: readonly PlacedLane[]): Statement {
  return {
    name: 'lanes_lacking',
    // Of a server that is away nothing is known, and it is judged when it is there.
    merge: { isPartial: true },
    text: `-- every lane: what each server has is held against what home says has come to it.
           select k.server, k.lane as lane_there, l.lane is not null as has_row
             from unnest($1::int[], $2::text[], $3::timestamptz[]) k (lane, server, came_at)
             left join lanes l on l.lane = k.lane
            where k.server = (select coalesce(i.server, $4) from installation i)
              and (l.lane is null or (k.came_at is not null and (l.came_at >= k.came_at) is not true))
            order by k.lane`,
    values: [
      plainArray(placed.map(({ lane }) => lane)),
      textArray(placed.map(({ server }) => server)),
      textArray(placed.map(({ cameAt }) => cameAt)),
      HOME,
    ],
  }
}

/**
 * Which lanes have accounts on which server, by the servers' own rows of both; one that is away says nothing. The lane is not called that:
 * rows of a lane that is elsewhere are left out of answers.
 */
export function lanesWithAccounts(): Statement {
  return {
    name: 'lanes_with_accounts',
    merge: { isPartial: true },
    text: `-- every lane: what each server has is held against where home says that it is.
           -- The first account of each: to look at all of them takes longer than an operator's statement has.
           select (select coalesce(i.server, $1) from installation i) as server, l.lane as lane_there, a.account_id
             from lanes l
             join lateral (select o.account_id from accounts o where o.lane = l.lane order by o.account_id limit 1) a on true
            order by l.lane`,
    values: [HOME],
  }
}

/** Changes when a lane is somewhere else. */
export function placementDigest(): Statement {
  return {
    name: 'placement_digest',
    text: `select md5(coalesce(string_agg(s.lane || ' ' || s.server, ',' order by s.lane), '')) as digest from lane_servers s`,
    values: [],
  }
}

/**
 * Notes which lanes a server is to have that is not one of the installation yet: `since` is infinite until it is ({@link noteJoined}).
 * Taken, and returned, are those that are at home, and those that were to go to it before, or to a server which has never become one.
 */
export function placeLanes(server: string, lanes: readonly number[]): Statement {
  return {
    name: 'place_lanes',
    text: `insert into lane_servers as s (server, lane, since) select $1, unnest($2::int[]), 'infinity'
               on conflict (lane) do update set server = excluded.server, since = excluded.since
            where s.server in ($1, $3) or s.since = 'infinity'
           returning s.lane`,
    values: [server, lanes, HOME],
  }
}

/** The server has become one of the installation: from now on no other database is taken for it. */
export function noteJoined(server: string): Statement {
  return {
    name: 'note_joined',
    text: `update lane_servers s set since = now() where s.server = $1 and s.since = 'infinity'`,
    values: [server],
  }
}

/** The lanes that a server has, or is to have; of each, whether the server was one of the installation when home noted that. */
export function lanesOfServer(server: string): Statement {
  return {
    name: 'lanes_of_server',
    text: `select s.lane, s.since < 'infinity' as is_joined from lane_servers s where s.server = $1 order by s.lane`,
    values: [server],
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
