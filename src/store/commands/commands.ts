// Commands as they are stored, and the lease under which one process works on one.
import type {
  BulkCommand,
  CommandFile,
  CommandStatus,
  CommandType,
  Stop,
  Wanted,
} from '../../domain/command/command.ts'
import { type ActsFor, actingFor, sessionOf } from '../../domain/account/writers.ts'
import { ms } from '../../platform/columns.ts'
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import { nowWhere, type OwnedKey } from '../columns.ts'

const COLUMNS = `c.lane, c.account_id, c.livemode, c.id, c.type, c.status, c.dry_run, c.description, c.reference, c.cancelling,
  c.key_id, c.member_id, c.writers, c.schedule_id, c.schedule_run, c.wanted, c.gathering, c.up_to, c.stopped, c.file_parts, c.file_bytes, c.file_sha256,
  ${ms('c.file_expires_at')} as file_expires_at, c.total, c.done, c.failed, c.waiting, c.skipped, ${ms('c.created_at')} as created_at,
  ${ms('c.started_at')} as started_at, ${ms('c.ended_at')} as ended_at`

export function commandFrom(row: Row): BulkCommand {
  const count = (name: string) => row[name] as number
  return {
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    livemode: row['livemode'] as boolean,
    id: row['id'] as string,
    type: row['type'] as CommandType,
    status: row['status'] as CommandStatus,
    dryRun: row['dry_run'] as boolean,
    description: row['description'] as string | null,
    reference: row['reference'] as string | null,
    cancelling: row['cancelling'] as boolean,
    ...whoseIn({ keyId: row['key_id'] as string | null, memberId: row['member_id'] as string | null }),
    writers: row['writers'] as string[],
    schedule: scheduleIn(row),
    wanted: row['wanted'] as Wanted | null,
    gathering: row['gathering'] as boolean,
    upTo: row['up_to'] === null ? null : Number(row['up_to']),
    stopped: row['stopped'] as Stop | null,
    file: fileFrom(row),
    progress: {
      total: count('total'),
      done: count('done'),
      failed: count('failed'),
      waiting: count('waiting'),
      skipped: count('skipped'),
    },
    createdAt: row['created_at'] as number,
    startedAt: row['started_at'] as number | null,
    endedAt: row['ended_at'] as number | null,
  }
}

/** Of a member the session is stored as the key: a gateway of the release before takes it for that, and stops when it has ended. */
const whoseIn = (stored: ActsFor) => ({ ...actingFor(stored), sessionId: sessionOf(stored) })

function scheduleIn(row: Row): BulkCommand['schedule'] {
  const id = row['schedule_id'] as string | null
  return id === null ? null : { id, run: row['schedule_run'] as number }
}

function fileFrom(row: Row): CommandFile | null {
  if (row['type'] !== 'export') return null
  return {
    parts: row['file_parts'] as number,
    bytes: Number(row['file_bytes']),
    sha256: row['file_sha256'] as string | null,
    expiresAt: row['file_expires_at'] as number | null,
  }
}

export function findCommand({ lane, accountId, id }: OwnedKey): Statement {
  return {
    name: 'find_command',
    text: `select ${COLUMNS} from commands c where c.lane = $1 and c.account_id = $2 and c.id = $3`,
    values: [lane, accountId, id],
  }
}

/** The same, held until the transaction ends. */
export function lockCommand({ lane, accountId, id }: OwnedKey): Statement {
  return {
    name: 'lock_command',
    text: `select ${COLUMNS} from commands c where c.lane = $1 and c.account_id = $2 and c.id = $3 for no key update`,
    values: [lane, accountId, id],
  }
}

/**
 * The member's that are at work, or those of one of their sessions, held until the transaction ends. Runs of schedules have no session, and
 * what is being cancelled comes to its end.
 */
export function lockCommandsOf({ lane, accountId, id }: OwnedKey, session: string | null): Statement {
  return {
    name: 'lock_commands_of',
    text: `select ${COLUMNS} from commands c
            where c.lane = $1 and c.account_id = $2 and c.member_id = $3 and c.key_id is not null
              and ($4::text is null or c.key_id = $4) and c.status in ('queued', 'running') and not c.cancelling
            order by c.id for no key update`,
    values: [lane, accountId, id, session],
  }
}

/** Runs of schedules do not count: whoever has many must still be able to give a command, and the other way round. */
export function countOpenCommands({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'count_open_commands',
    text: `select count(*)::int as open from commands c where c.lane = $1 and c.account_id = $2 and c.ended_at is null and c.schedule_id is null`,
    values: [lane, accountId],
  }
}

/** The first command that did a row of the dry run, or still may, or has made a contract for one: its rows were started. */
export function commandOfDryRun({ lane, accountId, id }: OwnedKey): Statement {
  return {
    name: 'command_of_dry_run',
    text: `select ${COLUMNS} from commands c
            where c.lane = $1 and c.account_id = $2 and c.wanted ->> 'dryRunId' = $3::text
              and (c.status <> 'cancelled' or c.done > 0
                   or exists (select 1 from command_rows r where r.lane = $1 and r.account_id = $2 and r.command_id = c.id
                                                             and r.contract_id is not null))
            order by c.created_at, c.id
            limit 1`,
    values: [lane, accountId, id],
  }
}

/** Which commands are listed: all of a status, of a reference, after one of them. */
export type CommandFilter = {
  readonly status: CommandStatus | null
  readonly reference: string | null
  /** Whose rows they do. */
  readonly dryRunId: string | null
  readonly after: string | null
  readonly limit: number
}

/** Commands of the account, newest first, one more than the limit. */
export function listCommands({ lane, accountId }: AccountKey, filter: CommandFilter): Statement {
  return {
    name: 'list_commands',
    text: `select ${COLUMNS} from commands c
            where c.lane = $1 and c.account_id = $2 and ($3::text is null or c.status = $3) and ($4::uuid is null or c.id < $4)
              and ($6::text is null or c.reference = $6)
              and ($7::text is null or c.wanted ->> 'dryRunId' = $7)
            order by c.id desc
            limit $5`,
    values: [
      lane,
      accountId,
      filter.status,
      filter.after,
      filter.limit + 1,
      filter.reference,
      filter.dryRunId?.toLowerCase() ?? null,
    ],
  }
}

/** Commands of these types that go on by themselves, with rows that are not done, or are still brought in. */
export function commandsUnderWay(types: readonly CommandType[], limit: number): Statement {
  return {
    name: 'commands_under_way',
    merge: {
      order: [
        ['lane', 'up'],
        ['account_id', 'up'],
        ['id', 'up'],
      ],
      limit: 2,
    },
    text: `-- every lane: a recovery is everybody's.
           select ${COLUMNS} from commands c
            where c.due_at is not null and not c.cancelling and not c.dry_run and c.type = any ($1::text[])
              and (c.gathering or c.done + c.failed + c.skipped < c.total)
            order by c.lane, c.account_id, c.id
            limit $2`,
    values: [textArray(types), limit],
  }
}

/** A new command; one that needs no start is due at once. */
export function insertCommand(command: BulkCommand): Statement {
  const { lane, accountId, livemode, id, type, status, dryRun, description, reference, keyId, memberId } = command
  const { sessionId, wanted, gathering, upTo, createdAt, startedAt, schedule, writers } = command
  return {
    name: 'insert_command',
    text: `insert into commands (lane, account_id, livemode, id, type, status, dry_run, description, reference, key_id, member_id,
                                 wanted, gathering, up_to, created_at, started_at, schedule_id, schedule_run, writers, due_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, to_timestamp($15::float8 / 1000),
                   to_timestamp($16::float8 / 1000), $17, $18, $19, ${nowWhere("$6 = 'queued'")})`,
    values: [
      lane,
      accountId,
      livemode,
      id,
      type,
      status,
      dryRun,
      description,
      reference,
      keyId ?? sessionId,
      memberId,
      wanted && JSON.stringify(wanted),
      gathering,
      upTo,
      createdAt,
      startedAt,
      schedule?.id ?? null,
      schedule?.run ?? null,
      textArray(writers),
    ],
  }
}

/** Moves a command; what has to be worked on is due at once. */
export function moveCommand(command: BulkCommand): Statement {
  const { lane, accountId, id, status, cancelling, startedAt, endedAt, stopped, keyId, memberId, gathering } = command
  const { sessionId, writers } = command
  return {
    name: 'move_command',
    text: `update commands c
              set status = $4, cancelling = $5, started_at = to_timestamp($6::float8 / 1000),
                  ended_at = to_timestamp($7::float8 / 1000), stopped = $8, key_id = $9, member_id = $10, gathering = $11, writers = $12,
                  due_at = ${nowWhere("$4 in ('queued', 'running') or ($5 and $7::float8 is null)")}
            where c.lane = $1 and c.account_id = $2 and c.id = $3`,
    values: [
      lane,
      accountId,
      id,
      status,
      cancelling,
      startedAt,
      endedAt,
      stopped && JSON.stringify(stopped),
      keyId ?? sessionId,
      memberId,
      gathering,
      textArray(writers),
    ],
  }
}

/** A command that is worked on, as long as its fence stands. */
export type Leased = BulkCommand & {
  readonly fence: number
  /** Rows up to this index may have been begun by somebody before. */
  readonly begunBefore: number
  /** How far bringing in its rows, or making its file, has come; null before it began. */
  readonly cursor: unknown
}

/**
 * Takes the command that waits longest; none where none is due. It is looked for once: a sub-select that is joined to may be carried out
 * for each row, and takes another one each time.
 */
export function leaseCommand(lanes: readonly number[], leaseMs: number): Statement {
  return {
    name: 'lease_command',
    text: `with due as (
             select d.lane, d.account_id, d.id from commands d
              where d.lane = any($1::int[]) and d.due_at <= now()
                and (d.leased_until is null or d.leased_until < now())
              order by d.due_at limit 1 for update skip locked),
                leased as (
             update commands c
                set fence = c.fence + 1, leased_until = now() + $2 * interval '1 millisecond',
                    status = case when c.status = 'queued' then 'running' else c.status end
               from due x
              where c.lane = any($1::int[]) and c.lane = x.lane and c.account_id = x.account_id and c.id = x.id
             returning c.*)
           select ${COLUMNS}, c.fence, c.begun, c.cursor from leased c`,
    values: [plainArray(lanes), leaseMs],
  }
}

export function leasedFrom(row: Row): Leased {
  const [fence, begunBefore] = [row['fence'] as number, row['begun'] as number]
  return { ...commandFrom(row), fence, begunBefore, cursor: row['cursor'] }
}

/** Says which rows are begun next, and holds the command for so long; touches none whose fence is another by now. */
export function beginWindow({ lane, accountId, id, fence }: Leased, size: number, leaseMs: number): Statement {
  return {
    name: 'begin_window_of_command',
    text: `update commands c
              set begun = greatest(c.begun, (select max(w.index) from (
                    select r.index from command_rows r
                     where r.lane = $1 and r.account_id = $2 and r.command_id = $3 and r.status = 'queued'
                     order by r.index limit $5) w)),
                  leased_until = now() + $6 * interval '1 millisecond'
            where c.lane = $1 and c.account_id = $2 and c.id = $3 and c.fence = $4 and c.status = 'running' and not c.cancelling
              and not c.gathering`,
    values: [lane, accountId, id, fence, size, leaseMs],
  }
}

/** Lets the command go: it is due again when its next waiting row is. */
export function releaseCommand({ lane, accountId, id, fence }: Leased): Statement {
  return {
    name: 'release_command',
    text: `update commands c
              set leased_until = null,
                  due_at = (select case when c.ended_at is null and (c.status <> 'paused' or c.cancelling)
                                        then coalesce(min(coalesce(r.due_at, n.at)), min(n.at)) end
                              from (values (now())) n (at)
                              left join command_rows r on r.lane = $1 and r.account_id = $2 and r.command_id = $3
                                                      and r.status in ('queued', 'waiting'))
            where c.lane = $1 and c.account_id = $2 and c.id = $3 and c.fence = $4`,
    values: [lane, accountId, id, fence],
  }
}

/** The number under which the events of a replay are delivered; null before the first is. */
export function replayOfCommand({ lane, accountId, id }: OwnedKey): Statement {
  return {
    name: 'replay_of_command',
    text: `select c.replay from commands c where c.lane = $1 and c.account_id = $2 and c.id = $3`,
    values: [lane, accountId, id],
  }
}

export function saveReplayOfCommand({ lane, accountId, id }: OwnedKey, number: number): Statement {
  return {
    name: 'save_replay_of_command',
    text: `update commands c set replay = $4 where c.lane = $1 and c.account_id = $2 and c.id = $3`,
    values: [lane, accountId, id, number],
  }
}
