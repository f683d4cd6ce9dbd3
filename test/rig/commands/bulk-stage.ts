// Where commands of many rows are run: a provider that stays, and gateways as processes on one database, which may be killed.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { fundWallets } from '../../../bench/stage/seed.ts'
import { startSandbox } from '../../../sandbox/server.ts'
import { createGateway, type Gateway } from '../../../sdk/src/index.ts'
import { createAccount, createApiKey } from '../../../src/app/accounts/accounts.ts'
import { SCOPES } from '../../../src/domain/account/scopes.ts'
import { openSession } from '../../../src/platform/db.ts'
import { migrate } from '../../../src/platform/migrate.ts'
import { compileGateway } from '../built.ts'
import { type BesideProcess, startBeside } from '../gateway-beside.ts'
import { type ProviderBooks, providerBooks } from '../match.ts'

export type BulkStage = {
  readonly start: () => Promise<BesideProcess>
  /** An account with money enough for every row, at any gateway. */
  readonly client: (url: string) => Gateway
  readonly sql: <T>(text: string, values?: readonly unknown[]) => Promise<readonly T[]>
  readonly books: () => Promise<ProviderBooks>
  /** Ends the gateways that are left, and the provider. */
  readonly close: () => Promise<void>
}

const CHANNEL = {
  id: 'sandbox',
  service: 'payment',
  name: 'Sandbox',
  description: 'Pays out through the sandbox provider.',
  covered: true,
  undo_seconds: 0,
  currencies: { PHP: { fees: { pct: 0, add: 1, max: 1 } } },
  recipient: [
    { field: 'name', mend: 'Give a name.' },
    { field: 'wallet', mend: 'Give an account.' },
  ],
}

export async function openBulkStage(owner: pg.ClientConfig): Promise<BulkStage> {
  const folder = mkdtempSync('/tmp/gateway-bulk-')
  // The server's unprivileged user must be able to come through.
  chmodSync(folder, 0o755)
  const program = compileGateway(folder)
  const configPath = join(folder, 'config.json')
  writeFileSync(configPath, JSON.stringify({ channels: [CHANNEL] }))
  const sandbox = await startSandbox({ port: 0, dataDir: folder })
  const settings = {
    GATEWAY_CONFIG: configPath,
    GATEWAY_RATE_LIMIT: '0',
    GATEWAY_CALL_TIMEOUT_MS: '1000',
    GATEWAY_LEASE_MS: '3000',
    SANDBOX_URL: sandbox.url,
  }
  await migrate({ connection: owner, directory: 'db/migrations', log: () => undefined, mode: 'apply' })
  const client = new pg.Client(owner)
  await client.connect()
  const apiKey = await payerOf(owner, client)
  const all: BesideProcess[] = []
  return {
    start: async () => {
      const gateway = await startBeside(program, folder, `gateway_${all.length}`, owner, settings)
      all.push(gateway)
      return gateway
    },
    client: (url) => createGateway({ url, apiKey }),
    sql: async <T>(text: string, values: readonly unknown[] = []) =>
      (await client.query(text, [...values])).rows as readonly T[],
    books: () => providerBooks({ sandbox_url: sandbox.url, sandbox_token: 'none' }),
    close: async () => {
      for (const gateway of all) {
        if (gateway.isUp()) gateway.signal('SIGKILL')
        await gateway.ended
      }
      await client.end()
      await sandbox.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const FUNDS_MINOR = 100_000_000_00n

/** The key of a new account that has money. */
async function payerOf(owner: pg.ClientConfig, client: pg.Client): Promise<string> {
  const session = openSession({ connection: owner, parameters: {} })
  try {
    const ids = { nowMs: Date.now, randomHex: () => randomBytes(10).toString('hex') }
    const account = await createAccount(session, ids, { name: 'Payer', livemode: false, currencies: ['PHP'] })
    await fundWallets(client, [account], FUNDS_MINOR)
    const wanted = { name: 'Payouts', livemode: false, scopes: SCOPES, expiresInSeconds: null }
    return (await createApiKey(session, account, wanted)).text
  } finally {
    await session.close()
  }
}

const HEADER = 'amount,currency,channel,recipient.name,recipient.wallet,deliverable.type,deliverable.reference_id'

/** The CSV of so many payouts of 1.00, made as it is read. */
export async function* payoutsFile(rows: number): AsyncGenerator<string> {
  yield `${HEADER}\n`
  for (let row = 0; row < rows; row += 1) yield `1.00,PHP,sandbox,Maria Santos,000123456789,salary,row-${row}\n`
}
