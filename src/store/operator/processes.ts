// The processes that are at work on this database. A process says every few seconds that it is still there; one that stops saying so is
// gone, whether it ended or froze. All times are the database's.
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'

export const PROCESS_ROLES = ['all', 'worker', 'api'] as const
export type ProcessRole = (typeof PROCESS_ROLES)[number]

export type ProcessRow = {
  readonly id: string
  readonly host: string
  readonly pid: number
  /** `api`: it answers requests, and does none of the work that waits in lanes. */
  readonly role: ProcessRole
  readonly version: string
}

/** `ahead`: it said until when it is there by a clock that has gone back since. It may be long gone, or about to say so anew. */
export type SeenProcess = {
  readonly id: string
  readonly role: ProcessRole
  readonly is: 'alive' | 'ended' | 'ahead'
  /** The servers beside home that it cannot work with. */
  readonly unreached: readonly string[]
}

/** One that says nothing for so long is gone. */
export const ALIVE_MS = 6000
const AHEAD = `p.alive_until > now() + interval '${ALIVE_MS + 2000} milliseconds'`

/**
 * That a process `p` is there. None ever says so for longer than {@link ALIVE_MS}: an end beyond that, and a little, was written before
 * the clock went back, perhaps by one that had ended by then. Whoever is there says so anew within seconds.
 */
export const LIVES = `p.alive_until > now() and not ${AHEAD}`

/** Says that it is there, and which servers beside home it cannot work with. */
export function renewProcess({ id, host, pid, role, version }: ProcessRow, unreached: readonly string[]): Statement {
  return {
    name: 'renew_process',
    text: `insert into processes (id, host, pid, role, version, alive_until, unreached)
           values ($1::uuid, $2, $3::int, $4, $5, now() + make_interval(secs => $6::float8 / 1000), $7::text[])
           on conflict (id) do update set alive_until = excluded.alive_until, unreached = excluded.unreached`,
    values: [id, host, pid, role, version, ALIVE_MS, textArray(unreached)],
  }
}

/** All that there are, and those that were there until a while ago. */
export function listProcesses(): Statement {
  return {
    name: 'list_processes',
    isPrepared: true,
    text: `select p.id, p.role, ${LIVES} as is_alive, ${AHEAD} as is_ahead, p.unreached from processes p order by p.id`,
    values: [],
  }
}

export function seenProcessFrom(row: Row): SeenProcess {
  return {
    id: row['id'] as string,
    role: row['role'] as ProcessRole,
    is: standingOf(row),
    unreached: row['unreached'] as string[],
  }
}

function standingOf(row: Row): SeenProcess['is'] {
  if (row['is_alive']) return 'alive'
  return row['is_ahead'] ? 'ahead' : 'ended'
}

/** It ends, or is known to have ended: others see it at their next look. */
export function endProcess(id: string): Statement {
  return {
    name: 'end_process',
    text: 'update processes set alive_until = now() where id = $1::uuid and alive_until > now()',
    values: [id],
  }
}

/** They said nothing since the clock went back: they are gone. One that says that it is there at this moment stays. */
export function endAhead(ids: readonly string[]): Statement {
  return {
    name: 'end_processes_ahead',
    text: `update processes p set alive_until = now() where p.id = any($1::uuid[]) and ${AHEAD}`,
    values: [plainArray(ids)],
  }
}

/** Longer than any lease: nothing is held any more in the name of one that is forgotten. */
export function forgetProcesses(): Statement {
  return {
    name: 'forget_processes',
    text: "delete from processes where alive_until < now() - interval '15 minutes'",
    values: [],
  }
}

/** Ends the leases of endpoints that processes held which are gone. */
export function freeEndpoints(lanes: readonly number[], gone: readonly string[]): Statement {
  return {
    name: 'free_endpoints',
    text: `update webhook_progress p set leased_until = null
            where p.lane = any($1::int[]) and p.leased_by = any($2::uuid[]) and p.leased_until > now()`,
    values: [plainArray(lanes), plainArray(gone)],
  }
}
