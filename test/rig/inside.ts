// Gateways inside the test's own process, on a real embedded PostgreSQL and with a real sandbox provider; each gateway
// has sessions of its own, as processes have. For tests that need thousands of requests rather than crashes.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { startSandbox } from '../../sandbox/server.ts'
import { createAccount, createApiKey } from '../../src/app/accounts.ts'
import { creditWallet } from '../../src/app/credits.ts'
import { verifyBooks } from '../../src/app/verify.ts'
import { SHIPPED_CHANNELS } from '../../src/channels/catalogue.ts'
import type { ChannelConfig } from '../../src/domain/channel-config.ts'
import { isRefusal } from '../../src/domain/refusals.ts'
import { SCOPES } from '../../src/domain/scopes.ts'
import { readConfig } from '../../src/main/config.ts'
import { openAuditSession, openDatabase, prepareDatabase } from '../../src/main/database.ts'
import { buildGateway, type Gateway } from '../../src/main/wire.ts'
import { openLog } from '../../src/platform/log.ts'
import { unsoundness } from './books.ts'

export type Inside = {
  readonly gateways: readonly Gateway[]
  readonly owner: pg.ClientConfig
  /** An account with one wallet for each currency, funded in minor units. */
  readonly account: (funds: Readonly<Record<string, bigint>>) => Promise<Account>
  /** All that does not hold, by our own proofs and by the gateway's. */
  readonly unsound: () => Promise<string[]>
  readonly close: () => Promise<void>
}

export type Account = {
  readonly lane: number
  readonly accountId: string
  readonly apiKey: string
  readonly walletOf: (currency: string) => string
}

export type Workers = 'workers at work' | 'no workers'

/** Opens `count` gateways on one new database. `channels` come in place of or beside the shipped ones. */
export async function openInside(count: number, channels: readonly ChannelConfig[], workers: Workers): Promise<Inside> {
  const dataDir = mkdtempSync('/tmp/gateway-inside-')
  chmodSync(dataDir, 0o755)
  const shipped = SHIPPED_CHANNELS.filter(({ id }) => !channels.some((channel) => channel.id === id))
  const config = { ...readConfig({ GATEWAY_DATA_DIR: dataDir, GATEWAY_RATE_LIMIT: '0', LOG_LEVEL: 'error' }), channels: [...shipped, ...channels] }
  const say = () => undefined
  const database = await openDatabase(config, say)
  await prepareDatabase(database, config, say)
  const sandbox = await startSandbox({ port: 0, dataDir: join(dataDir, 'sandbox') })
  const log = openLog(config.logLevel)
  const gateways: Gateway[] = []
  for (let i = 0; i < count; i += 1) gateways.push(await buildGateway(config, database, sandbox.url, log))
  if (workers === 'workers at work') for (const gateway of gateways) gateway.startWorkers()
  return {
    gateways,
    owner: database.owner,
    account: (funds) => fundedAccount(gateways[0]!, funds),
    unsound: async () => {
      const auditor = openAuditSession(database)
      const { findings } = await verifyBooks(auditor, () => undefined)
      await auditor.close()
      return [...findings.map((finding) => JSON.stringify(finding)), ...(await unsoundness(database.owner))]
    },
    close: async () => {
      await Promise.all(gateways.map((gateway) => gateway.stop()))
      await sandbox.close()
      await database.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function fundedAccount({ deps }: Gateway, funds: Readonly<Record<string, bigint>>): Promise<Account> {
  const currencies = Object.keys(funds)
  const { lane, accountId, wallets } = await createAccount(deps.reader, deps, { name: 'Test', livemode: false, currencies })
  const walletOf = (currency: string) => wallets.find((wallet) => wallet.currency === currency)!.id
  for (const [currency, amountMinor] of Object.entries(funds)) {
    const walletId = walletOf(currency)
    if (amountMinor === 0n) continue
    const answer = await creditWallet(deps, { walletId, amountMinor, currency, reference: `opening ${walletId}`, source: 'external' })
    if (answer === null || isRefusal(answer)) throw new Error(`the ${currency} wallet could not be funded`)
  }
  const key = await createApiKey(deps.reader, { lane, accountId }, { name: 'Test', livemode: false, scopes: SCOPES, expiresInSeconds: null })
  return { lane, accountId, apiKey: key.text, walletOf }
}
