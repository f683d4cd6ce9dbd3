// Makes backups when they are due, keeps the newest, and tells how old the newest is and whether the archive of the log keeps up.
// A disk of backups that is full or gone stops no gateway: it is told.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { OwnWork } from '../../app/jobs/own-lanes.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { startLoop } from '../../workers/loop.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/opened.ts'
import { onLogin } from '../database/logins.ts'
import { backupsOf, keepNewest } from './keep.ts'
import { BackupRefused } from './manifest.ts'
import { embedded } from './open.ts'
import { takeBackup } from './take.ts'

export type ScheduledParts = {
  readonly metrics: Metrics
  /** In recovery none is made: the newest ones are of the better days. */
  readonly isInRecovery: () => boolean
  /** Of several processes one makes them. */
  readonly isOwn: OwnWork
  readonly monotonicMs: () => number
  readonly log: Log
}

/** What is known of the backups of these books. */
export type BackupState = {
  readonly installationId: string
  /** When the newest was finished, in ms; null where there is none. */
  readonly newestMs: number | null
  readonly archive: ArchiveState
}

export type ArchiveState = {
  /** Whether the server archives its log at all: one that was started without a directory of backups does not. */
  readonly isOn: boolean
  /** Why the last try failed, where none has worked since. */
  readonly isFailing: boolean
  /** Files of the log that wait on the database's disk. */
  readonly waiting: number
}

const LOOK_MS = 30_000
const TRY_AGAIN_MS = 600_000
const LOG_FILE_BYTES = 16 << 20

/** Tells of backups from now on; `start` makes them when they are due, and returns what ends that. */
export function scheduleBackups(
  { backups }: Pick<Config, 'backups'>,
  database: Database,
  { metrics, isInRecovery, isOwn, monotonicMs, log }: ScheduledParts,
): { readonly start: () => () => Promise<void> } {
  const { directory, everyMs, keep } = backups
  const beganMs = Date.now()
  const seen = { state: null as BackupState | null, failedAtMs: null as number | null, isStopping: false }
  const known = (read: (state: BackupState) => number) => (seen.state === null ? Number.NaN : read(seen.state))
  const dueMs = ({ newestMs }: BackupState) => Date.now() - (newestMs === null ? beganMs : newestMs + everyMs)
  tell(metrics, known, dueMs, () => seen.failedAtMs !== null)
  if (directory === null || !database.server) return { start: () => () => Promise.resolve() }

  const parts = embedded(database)
  const make = async (installationId: string) => {
    const onBytes = () => {
      if (seen.isStopping) throw new BackupRefused('The gateway stops. The next one makes the backup.')
    }
    const made = await takeBackup({ ...parts, to: directory, archive: directory, onBytes })
    const gone = keepNewest(directory, installationId, keep)
    log.info(
      { backup: made.manifest.id, bytes: made.bytes, took_ms: Math.round(made.tookMs), gone },
      'a backup was made',
    )
  }
  const round = async () => {
    const state = await stateOf(directory, database, parts.data)
    seen.state = state
    const isDue = state.newestMs === null || dueMs(state) >= 0
    const isPaused = seen.failedAtMs !== null && monotonicMs() - seen.failedAtMs < TRY_AGAIN_MS
    if (!isDue || isPaused || isInRecovery() || !isOwn('backups')) return 0
    try {
      await make(state.installationId)
      seen.failedAtMs = null
      seen.state = await stateOf(directory, database, parts.data)
    } catch (fault) {
      if (seen.isStopping) return 0
      seen.failedAtMs = monotonicMs()
      log.error({ err: fault }, 'the backup that was due is not made: see docs/runbooks/GatewayBackupOld.md')
    }
    return 0
  }
  return {
    start: () => {
      const loop = startLoop({ name: 'backups', round, idleMs: LOOK_MS, log })
      return () => {
        seen.isStopping = true
        return loop.stop()
      }
    },
  }
}

function tell(
  metrics: Metrics,
  known: (read: (state: BackupState) => number) => number,
  dueMs: (state: BackupState) => number,
  hasFailed: () => boolean,
): void {
  const gauge = (name: string, help: string, read: (state: BackupState) => number) =>
    metrics.gauge(name, help, () => known(read))
  const ageMs = ({ newestMs }: BackupState) => (newestMs === null ? Number.NaN : Date.now() - newestMs)
  gauge('gateway_backup_age_seconds', 'Age of the newest backup.', (state) => ageMs(state) / 1000)
  gauge('gateway_backup_due_seconds', 'For how long a backup has been due.', (state) =>
    Math.max(0, dueMs(state) / 1000),
  )
  gauge('gateway_backup_failed', '1 while the last try to make a backup failed.', () => Number(hasFailed()))
  gauge('gateway_log_archive_failing', '1 while the database’s log is not archived.', ({ archive }) =>
    Number(!archive.isOn || archive.isFailing),
  )
  gauge(
    'gateway_log_archive_waiting_bytes',
    'Log that waits for the archive on the database’s disk.',
    ({ archive }) => archive.waiting * LOG_FILE_BYTES,
  )
}

const STATE = `
  select i.id::text as installation_id, current_setting('archive_mode') <> 'off' as is_on,
         coalesce(a.last_failed_time > coalesce(a.last_archived_time, '-infinity'), false) as is_failing
    from installation i, pg_stat_archiver a`

/** How it stands with the backups in the directory and the archive of the log. */
export async function stateOf(
  directory: string,
  { login }: Pick<Database, 'login'>,
  data: string,
): Promise<BackupState> {
  const row = await onLogin(login, async (client) => (await client.query(STATE)).rows[0])
  const installationId = row.installation_id as string
  const [newest] = backupsOf(directory, installationId)
  return {
    installationId,
    newestMs: newest ? Date.parse(newest.manifest.finished_at) : null,
    archive: { isOn: row.is_on, isFailing: row.is_failing, waiting: waitingIn(data) },
  }
}

const waitingIn = (data: string) =>
  readdirSync(join(data, 'pg_wal', 'archive_status')).filter((name) => name.endsWith('.ready')).length
