// Makes db/schema.sql: an empty database of the embedded server, migrated, as text. With --check says whether it is stale.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { migrate } from '../src/platform/migrate.ts'
import { startPostgres } from '../src/platform/postgres/postgres.ts'
import { settleGenerated } from './generated.ts'
import { dumpSchema } from './schema/schema-text.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'gateway-schema-'))
// As root the server runs as nobody, who must be able to pass through.
chmodSync(dataDir, 0o711)
const silent = (): void => undefined
const server = await startPostgres({ dataDir, log: silent })
try {
  await migrate({ connection: server.connection, directory: 'db/migrations', log: silent, mode: 'apply' })
  const client = new pg.Client(server.connection)
  await client.connect()
  try {
    settleGenerated([{ path: 'db/schema.sql', text: await dumpSchema(client) }])
  } finally {
    await client.end()
  }
} finally {
  await server.stop()
  for (const place of [dirname(server.directory), dataDir]) rmSync(place, { recursive: true, force: true })
}
