// The server, its disk and what grows old, for whoever watches the gateway. Looked up now and then, not at each scrape: what has not
// been seen yet is NaN, which no alert takes for a value.
import { statfs } from 'node:fs/promises'
import type { Session } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import {
  type DatabaseFigures,
  databaseFiguresFrom,
  readDatabaseFigures,
} from '../../store/operator/database-figures.ts'
import { type Loop, startLoop } from '../../workers/loop.ts'

const LOOK_EVERY_MS = 30_000

type Seen = DatabaseFigures & { readonly offsetSeconds: number; readonly disk: Disk }
type Disk = { readonly freeBytes: number; readonly bytes: number }

/** `dataDir`: whose disk is watched. A PostgreSQL of one's own has its disk elsewhere. */
export function gaugeDatabase(metrics: Metrics, dataDir: string, reader: Session, log: Log): Loop {
  let seen: Seen | null = null
  const gauge = (name: string, help: string, read: (seen: Seen) => number | null) =>
    metrics.gauge(name, help, () => (seen === null ? Number.NaN : (read(seen) ?? Number.NaN)))
  gauge('gateway_database_start_time_seconds', 'When the server started.', (each) => each.startedMs / 1000)
  gauge('gateway_database_bytes', 'Size of the database.', (each) => each.bytes)
  gauge('gateway_database_clock_offset_seconds', 'How far its clock is ahead.', (each) => each.offsetSeconds)
  gauge('gateway_replication_lag_bytes', 'Log that the last replica lacks.', (each) => each.replicaLagBytes)
  gauge('gateway_disk_bytes', 'Size of the disk of the data directory.', ({ disk }) => disk.bytes)
  gauge('gateway_disk_free_bytes', 'What is free of it.', ({ disk }) => disk.freeBytes)
  gauge('gateway_transfers_unknown', 'Transfers whose outcome nobody knows.', (each) => each.unknown)
  gauge(
    'gateway_transfers_unknown_oldest_seconds',
    'For how long nobody has known of the oldest.',
    (each) => each.unknownSeconds,
  )
  gauge('gateway_seals_behind_steps', 'Steps of histories that are not sealed yet.', (each) => each.unsealed)
  gauge('gateway_seals_behind_seconds', 'For how long the oldest has not been.', (each) => each.unsealedSeconds)
  gauge('gateway_api_keys_ending', 'Keys in force that end within a week.', (each) => each.keysEnding)
  gauge('gateway_screening_list_age_seconds', 'Since a list was last looked for.', (each) => each.listSeconds)
  const round = async () => {
    const askedMs = Date.now()
    const results = await reader.send(readDatabaseFigures())
    const answeredMs = Date.now()
    const figures = databaseFiguresFrom(results)
    seen = {
      ...figures,
      // It was read in the middle of the way there and back.
      offsetSeconds: (figures.nowMs - (askedMs + answeredMs) / 2) / 1000,
      disk: await diskOf(dataDir),
    }
    return 0
  }
  return startLoop({ name: 'database figures', round, idleMs: LOOK_EVERY_MS, log })
}

/** What the gateway's own user may still write. */
async function diskOf(directory: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(directory)
  return { freeBytes: bavail * bsize, bytes: blocks * bsize }
}
