// Sees that a newer release has changed the schema under this process in a way that this release cannot work with.
import { breakingSince } from '../platform/migrate.ts'
import type { Session } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { readMigrations } from '../platform/migration-files.ts'
import { type Loop, startLoop } from '../workers/loop.ts'
import { packageFile } from './package-file.ts'

export type SchemaWatch = {
  /** The name of the migration, once there is one. */
  readonly outdated: Promise<string>
  readonly start: () => Loop
}

const LOOK_MS = 1000

export function watchSchema(session: Session, log: Log): SchemaWatch {
  let known: number | null = null
  let tell: (name: string) => void = () => undefined
  const outdated = new Promise<string>((resolve) => (tell = resolve))
  const round = async () => {
    known ??= (await readMigrations(packageFile('db/migrations'))).length
    const [found] = await session.send([breakingSince(known)])
    const name = found?.rows[0]?.['name'] as string | undefined
    if (name !== undefined) tell(name)
    return 0
  }
  return { outdated, start: () => startLoop({ name: 'schema', round, idleMs: LOOK_MS, log }) }
}
