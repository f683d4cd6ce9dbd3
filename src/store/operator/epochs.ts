// The epochs of the books, and where the database itself says that it stands. One small table for the whole installation.
import type { DatabasePlace, Epoch, RecoveryReason } from '../../domain/recovery/epoch.ts'
import { ALL_LANES } from '../../domain/contract/ids.ts'
import { ms } from '../../platform/columns.ts'
import type { Result, Row, Statement } from '../../platform/db.ts'
import { IS_DISTRIBUTING } from '../../platform/citus/distribution.ts'
import { SYSTEM_ID, TIMELINE } from '../../platform/postgres/standing.ts'
import { MANY_LANES, type Scope, scoped } from '../../platform/scope.ts'

const STANDS = `${SYSTEM_ID} as system_id, ${TIMELINE} as timeline,
  (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text as position,
  array(select distinct s.application_name::text from pg_stat_activity s
         where s.usename = current_user and s.datname = current_database() and s.application_name like 'gateway %') as gateways`

/** Where the database stands, and who is at work there. Only what is on its disk counts: what is lost with the machine was never there. */
export function readPlace(): Statement {
  return {
    name: 'read_place',
    isPrepared: true,
    text: `select i.id as installation_id, i.marks, ${STANDS} from installation i`,
    values: [],
  }
}

/** The same of a node of a cluster, which has lanes of these books, and counts nothing. */
export function nodePlace(installationId: string): Statement {
  return {
    name: 'node_place',
    text: `select $1::text as installation_id, '0' as marks, ${STANDS}`,
    values: [installationId],
  }
}

/** Counts one mark more. */
export function countMark(): Statement {
  return { name: 'count_mark', text: `update installation i set marks = i.marks + 1`, values: [] }
}

export const placeFrom = (row: Row): DatabasePlace => ({
  installationId: row['installation_id'] as string,
  marks: BigInt(row['marks'] as string),
  systemId: row['system_id'] as string,
  timeline: row['timeline'] as number,
  position: BigInt(row['position'] as string),
})

/** The gateways at work there, this one too, by the names of their sessions. */
export const gatewaysFrom = (row: Row) => row['gateways'] as readonly string[]

/** Whether anybody has ever worked with the database. */
export function anyAccount(): Statement {
  return {
    name: 'any_account',
    merge: { fold: { by: [], columns: { any: 'any' } } },
    text: `-- every lane: whether there is one at all
           select exists (select 1 from accounts limit 1) as any`,
    values: [],
  }
}

/** All of them, the first one first. */
export function allEpochs(): Statement {
  return { name: 'all_epochs', text: `${EPOCHS} order by e.number`, values: [] }
}

export function newestEpoch(): Statement {
  return { name: 'newest_epoch', isPrepared: true, text: `${EPOCHS} order by e.number desc limit 1`, values: [] }
}

/** Holds the epoch to the end of the transaction, so that one of two words is the second. */
export function lockEpoch(number: number): Statement {
  return { name: 'lock_epoch', text: `${EPOCHS} where e.number = $1 for update`, values: [number] }
}

/** Begins the next epoch, in recovery; no row where another process has begun it. What follows in the same transaction: {@link notePositions}. */
export function beginEpoch(
  number: number,
  reason: RecoveryReason,
  mark: DatabasePlace | null,
  found: DatabasePlace,
): Statement {
  return {
    name: 'begin_epoch',
    text: `insert into epochs (number, reason, mark, found) values ($1, $2, $3::jsonb, $4::jsonb)
               on conflict do nothing returning ${IS_DISTRIBUTING} as is_distributed`,
    values: [number, reason, mark && JSON.stringify(placeText(mark)), JSON.stringify(placeText(found))],
  }
}

const epochPositions = scoped(
  'insert_epoch_positions',
  // Each server notes it of the accounts that it has.
  `-- every lane: its server's own; an epoch is everybody's
   insert into epoch_positions (lane, account_id, epoch, position)
   select o.lane, o.account_id, $1::int, o.position from accounts o
    where $lane(o)
      -- Rows without the server's own row of the lane are a copy of it: the server that has the lane notes it.
      and exists (select from lanes l where l.lane = o.lane and $lane(l))
      -- What is being written at this moment is still of the epoch before.
      for share
      -- A lane that has come here meanwhile brought what was noted of it where the epoch began.
      on conflict do nothing`,
)

/** Notes where each account's history stands as the epoch begins; nothing where another process has begun it. */
export function notePositions(number: number, begun: Result | undefined): Statement[] {
  const row = begun?.rows[0]
  if (!row) return []
  const scopes: Scope[] =
    row['is_distributed'] === true ? ALL_LANES.map((lane) => ({ kind: 'one lane', lane })) : [MANY_LANES]
  return scopes.map((scope) => epochPositions(scope, [number]))
}

export function proposeResume(number: number, by: string, evidence: string): Statement {
  return {
    name: 'propose_resume',
    text: `update epochs e set proposed_by = $2, proposed_at = now(), evidence = $3
            where e.number = $1 and e.resumed_at is null`,
    values: [number, by, evidence],
  }
}

export function resumeEpoch(number: number, by: string): Statement {
  return {
    name: 'resume_epoch',
    text: `update epochs e set resumed_by = $2, resumed_at = now() where e.number = $1 and e.resumed_at is null`,
    values: [number, by],
  }
}

const EPOCHS = `select e.number, e.reason, ${ms('e.began_at')} as began_ms, e.mark, e.found, e.proposed_by,
  ${ms('e.proposed_at')} as proposed_ms, e.evidence, e.resumed_by, ${ms('e.resumed_at')} as resumed_ms from epochs e`

export function epochFrom(row: Row): Epoch {
  const number = row['number'] as number
  const mark = row['mark'] as PlaceText | null
  const found = row['found'] as PlaceText | null
  return {
    number,
    reason: row['reason'] as Epoch['reason'],
    beganAt: row['began_ms'] as number,
    mark: mark && placeOf(mark),
    found: found && placeOf(found),
    proposedBy: row['proposed_by'] as string | null,
    proposedAt: row['proposed_ms'] as number | null,
    evidence: row['evidence'] as string | null,
    resumedBy: row['resumed_by'] as string | null,
    resumedAt: row['resumed_ms'] as number | null,
  }
}

/** A place in JSON, where numbers are too small for a position. */
export type PlaceText = {
  readonly [name in keyof DatabasePlace]: DatabasePlace[name] extends bigint ? string : DatabasePlace[name]
}

export const placeText = ({ installationId, marks, systemId, timeline, position }: DatabasePlace): PlaceText => ({
  installationId,
  marks: marks.toString(),
  systemId,
  timeline,
  position: position.toString(),
})

export const placeOf = ({ installationId, marks, systemId, timeline, position }: PlaceText): DatabasePlace => ({
  installationId,
  marks: BigInt(marks),
  systemId,
  timeline,
  position: BigInt(position),
})
