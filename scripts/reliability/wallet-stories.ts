// npm run stories -- --stories 10000 --seed 7: the long form of test/simulation/wallet-stories.test.ts, on a database of its own.
// Ends with 1 when it finds something.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { verifyBooks } from '../../src/app/operator/verify.ts'
import { SHIPPED_CHANNELS } from '../../src/connectors/catalogue.ts'
import { buildGateway } from '../../src/main/assemble.ts'
import { readConfig } from '../../src/main/config/config.ts'
import { openAuditSession, ownedDatabase } from '../../src/main/database/database.ts'
import { ensureLogin } from '../../src/main/database/logins.ts'
import { openLog } from '../../src/platform/log.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { startPostgres } from '../../src/platform/postgres/postgres.ts'
import { newSeed } from '../../test/rig/dice.ts'
import { runWalletStories, storyReport } from '../../test/rig/wallets/wallet-stories.ts'

const { values } = parseArgs({ options: { stories: { type: 'string', default: '10000' }, seed: { type: 'string' } } })
const [stories, seed] = [Number(values.stories), Number(values.seed ?? newSeed())]
if (![stories, seed].every((count) => Number.isInteger(count) && count >= 0)) {
  console.error('usage: npm run stories -- [--stories 10000] [--seed 7]')
  process.exit(2)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const folder = mkdtempSync('/tmp/gateway-stories-')
// The server's unprivileged user must be able to come through.
chmodSync(folder, 0o755)
const silent = (): void => undefined
const server = await startPostgres({ dataDir: join(folder, 'data'), log: silent })
try {
  await migrate({ connection: server.connection, directory: 'db/migrations', log: silent, mode: 'apply' })
  const database = ownedDatabase(server.connection)
  await ensureLogin(server.connection, database.login)
  await ensureLogin(server.connection, database.operator)
  const channels = SHIPPED_CHANNELS.map((each) => (each.id === 'sandbox' ? { ...each, undo_seconds: 0 } : each))
  const config = { ...readConfig({}), dataDir: folder, publicUrl: 'http://gateway.test', channels }
  // Nobody calls a rail: the stories say what it reports.
  const gateway = await buildGateway(config, database, { url: 'http://127.0.0.1:9', token: null }, openLog('fatal'))
  const began = performance.now()
  const figures = await runWalletStories(gateway.deps, { stories, seed })
  console.log(`${storyReport(figures)} (${Math.round((performance.now() - began) / 1000)} s)`)
  await gateway.stop()
  const auditor = openAuditSession({ ...database, login: database.operator })
  const { findings } = await verifyBooks(auditor, silent)
  await auditor.close()
  console.log(findings.length === 0 ? 'The books hold.' : JSON.stringify(findings))
  process.exitCode = figures.findings.length + findings.length === 0 ? 0 : 1
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
