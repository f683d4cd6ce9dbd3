// Schedules and their runs as they are stored. Whoever writes a schedule holds its account; a run that was begun is leased by
// whoever carries it out.
import type { RowError } from '../../domain/command/command.ts'
import type { Problem } from '../../domain/contract/refusals.ts'
import type { Run, RunStatus, Schedule, ScheduleStatus } from '../../domain/schedule/schedule.ts'
import { ms } from '../../platform/columns.ts'
import { plainArray, type Row, type Statement } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import type { OwnedKey } from '../columns.ts'

const COLUMNS = 's.lane, s.account_id, s.id, s.document'

/** A schedule as JSON. It may gain members; those it has keep their meaning. */
function documentOf({ lane: _, accountId: __, id: ___, ...said }: Schedule): string {
  return JSON.stringify(said)
}

export function scheduleFrom(row: Row): Schedule {
  const said = row['document'] as Omit<Schedule, 'lane' | 'accountId' | 'id'>
  return {
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    id: row['id'] as string,
    ...said,
  }
}

export function findSchedule({ lane, accountId, id }: OwnedKey): Statement {
  return {
    name: 'find_schedule',
    text: `select ${COLUMNS} from schedules s where s.lane = $1 and s.account_id = $2 and s.id = $3`,
    values: [lane, accountId, id],
  }
}

/** Of the keys that wrote the schedule, and the one that it runs as, those that are one with this: rolled into one another, with the same member behind both or none. */
export function writersAlike({ lane, accountId }: AccountKey, id: string, keyId: string): Statement {
  return {
    name: 'writers_alike',
    text: `select k.key_id
             from schedules s
            cross join lateral (select json_array_elements_text(s.document -> 'writers')
                                 union all
                                select s.document -> 'maker' ->> 'keyId') w (key_id)
             join api_keys k on k.lane = s.lane and k.account_id = s.account_id and k.key_id = w.key_id
             join api_keys o on o.lane = s.lane and o.account_id = s.account_id and o.key_id = $4
                            and coalesce(o.origin_key_id, o.key_id) = coalesce(k.origin_key_id, k.key_id)
                            and o.made_by_member is not distinct from k.made_by_member
            where s.lane = $1 and s.account_id = $2 and s.id = $3`,
    values: [lane, accountId, id, keyId],
  }
}

/** How many of the account's have not ended. */
export function countSchedules({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'count_schedules',
    text: `select count(*)::int as schedules from schedules s
            where s.lane = $1 and s.account_id = $2 and s.status in ('active', 'paused')`,
    values: [lane, accountId],
  }
}

export type ScheduleFilter = {
  readonly status: ScheduleStatus | null
  /** The schedule that the page before ended with. */
  readonly after: string | null
  readonly limit: number
}

/** Schedules of the account, newest first, one more than the limit. */
export function listSchedules({ lane, accountId }: AccountKey, { status, after, limit }: ScheduleFilter): Statement {
  return {
    name: 'list_schedules',
    text: `select ${COLUMNS} from schedules s
            where s.lane = $1 and s.account_id = $2 and ($3::text is null or s.status = $3) and ($4::uuid is null or s.id < $4)
            order by s.id desc
            limit $5`,
    values: [lane, accountId, status, after, limit + 1],
  }
}

export function saveSchedule(schedule: Schedule): Statement {
  const { lane, accountId, id, livemode, version, status, nextAt } = schedule
  return {
    name: 'save_schedule',
    text: `insert into schedules (lane, account_id, livemode, id, version, status, next_at, document)
           values ($1, $2, $3, $4, $5, $6, to_timestamp($7::float8 / 1000), $8)
               on conflict (lane, account_id, id)
               do update set version = excluded.version, status = excluded.status, next_at = excluded.next_at,
                             document = excluded.document`,
    values: [lane, accountId, livemode, id, version, status, nextAt, documentOf(schedule)],
  }
}

/** Schedules whose run is due, those that wait longest first; but those that are left alone. */
export function dueSchedules(lanes: readonly number[], but: readonly string[], limit: number): Statement {
  return {
    name: 'due_schedules',
    text: `select ${COLUMNS} from schedules s
            where s.lane = any($1::int[]) and s.next_at <= now() and s.id <> all($2::uuid[])
            order by s.next_at
            limit $3`,
    values: [plainArray(lanes), plainArray(but), limit],
  }
}

/** Schedules whose run is due in any lane, those that wait longest first. */
export function schedulesUnderWay(limit: number): Statement {
  return {
    name: 'schedules_under_way',
    merge: { limit: 1 },
    text: `-- every lane: a recovery is everybody's.
           select ${COLUMNS} from schedules s where s.next_at <= now() order by s.next_at limit $1`,
    values: [limit],
  }
}

/** A run that begins, with the command that carries it out. */
export function insertRun({ lane, accountId, id }: OwnedKey, run: Run): Statement {
  return {
    name: 'insert_schedule_run',
    text: `insert into schedule_runs (lane, account_id, schedule_id, number, due_at, started_at, contract_id, status, command_id)
           values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000), to_timestamp($6::float8 / 1000), $7, $8, $9)`,
    values: [lane, accountId, id, run.number, run.dueAt, run.startedAt, run.contractId, run.status, run.commandId],
  }
}

/** Leases runs without a command that nobody carries out at this moment, with their schedules. */
export function leaseRuns(lanes: readonly number[], limit: number, leaseMs: number): Statement {
  return {
    name: 'lease_schedule_runs',
    text: `with due as (
             select r.lane, r.account_id, r.schedule_id, r.number from schedule_runs r
              where r.lane = any($1::int[]) and r.leased_until <= now()
              order by r.leased_until
              limit $2
                for update skip locked
           ), leased as (
             update schedule_runs r set leased_until = now() + make_interval(secs => $3::float8 / 1000)
               from due d
              where r.lane = any($1::int[]) and r.lane = d.lane and r.account_id = d.account_id
                and r.schedule_id = d.schedule_id and r.number = d.number
             returning r.lane, r.account_id, r.schedule_id, r.number, r.contract_id
           )
           select ${COLUMNS}, l.number, l.contract_id
             from leased l
             join schedules s on s.lane = any($1::int[]) and s.lane = l.lane and s.account_id = l.account_id
                             and s.id = l.schedule_id`,
    values: [plainArray(lanes), limit, leaseMs],
  }
}

/** How a run ended. One that has ended stays as it is. */
export function recordRun(
  { lane, accountId, id }: OwnedKey,
  number: number,
  status: RunStatus,
  problem: RowError | null,
): Statement {
  return {
    name: 'record_schedule_run',
    text: `update schedule_runs r set status = $5, problem = $6, leased_until = null
            where r.lane = $1 and r.account_id = $2 and r.schedule_id = $3 and r.number = $4 and r.status = 'running'`,
    values: [lane, accountId, id, number, status, problem && JSON.stringify(problem)],
  }
}

/** The runs of schedules below a number, the newest first, so many of each. */
export function listRuns(
  { lane, accountId }: AccountKey,
  ids: readonly string[],
  { below, limit }: { readonly below: number; readonly limit: number },
): Statement {
  return {
    name: 'list_schedule_runs',
    text: `select r.schedule_id, r.number, ${ms('r.due_at')} as due_at, ${ms('r.started_at')} as started_at, r.contract_id,
                  r.command_id, r.status, r.problem
             from unnest($3::uuid[]) x (id)
            cross join lateral (select * from schedule_runs r
                                 where r.lane = $1 and r.account_id = $2 and r.schedule_id = x.id and r.number < $4
                                 order by r.number desc limit $5) r
            order by r.schedule_id, r.number desc`,
    values: [lane, accountId, plainArray(ids), below, limit],
  }
}

export type StoredRun = Run & { readonly scheduleId: string }

export function runFrom(row: Row): StoredRun {
  return {
    scheduleId: row['schedule_id'] as string,
    number: row['number'] as number,
    dueAt: Number(row['due_at']),
    startedAt: Number(row['started_at']),
    contractId: row['contract_id'] as string,
    commandId: row['command_id'] as string | null,
    status: row['status'] as RunStatus,
    problem: row['problem'] as Problem | null,
  }
}
