// A gateway in this process, on a database and in a folder of its own that are gone afterwards. Nobody calls a rail: whoever uses it
// says what one reports.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { SHIPPED_CHANNELS } from '../../src/connectors/catalogue.ts'
import { buildGateway, type Gateway } from '../../src/main/assemble.ts'
import { type Config, readConfig } from '../../src/main/config/config.ts'
import { ownedDatabase } from '../../src/main/database/database.ts'
import type { OwnedDatabase } from '../../src/main/database/opened.ts'
import { ensureLogin } from '../../src/main/database/logins.ts'
import { openLog } from '../../src/platform/log.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { startPostgres } from '../../src/platform/postgres/postgres.ts'

type Scratch = { readonly gateway: Gateway; readonly database: OwnedDatabase; readonly owner: pg.ClientConfig }

const silent = (): void => undefined

/**
 * `name`: of the folder under /tmp. `undoSeconds`: for so long a payment of the sandbox may be cancelled. `use` stops the gateway.
 * `changed`: in place of the settings of a gateway that nothing is said to.
 */
export async function withScratchGateway(
  name: string,
  undoSeconds: number,
  use: (scratch: Scratch) => Promise<void>,
  changed: Partial<Config> = {},
): Promise<void> {
  const folder = mkdtempSync(`/tmp/gateway-${name}-`)
  // The server's unprivileged user must be able to come through.
  chmodSync(folder, 0o755)
  const server = await startPostgres({ dataDir: join(folder, 'data'), log: silent })
  try {
    const owner = server.connection
    await migrate({ connection: owner, directory: 'db/migrations', log: silent, mode: 'apply' })
    const database = ownedDatabase(owner)
    await ensureLogin(owner, database.login)
    await ensureLogin(owner, database.operator)
    const channels = SHIPPED_CHANNELS.map((each) =>
      each.id === 'sandbox' ? { ...each, undo_seconds: undoSeconds } : each,
    )
    const config = { ...readConfig({}), dataDir: folder, publicUrl: 'http://gateway.test', channels, ...changed }
    const gateway = await buildGateway(config, database, { url: 'http://127.0.0.1:9', token: null }, openLog('fatal'))
    await use({ gateway, database, owner })
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
