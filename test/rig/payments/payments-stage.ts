// A whole gateway that takes payments: its own parts on one database, the provider beside it, HTTP in between. Its workers
// rest: what is due is done when a story says so, by the very functions that the workers call.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import pg from 'pg'
import { Pool } from 'undici'
import { startSandbox } from '../../../sandbox/server.ts'
import { createAccount, createApiKey } from '../../../src/app/accounts/accounts.ts'
import { createReceiverKey } from '../../../src/app/accounts/receiver-secrets.ts'
import { verifyBooks } from '../../../src/app/operator/verify.ts'
import type { ChannelConfig } from '../../../src/domain/channel/config.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { SCOPES } from '../../../src/domain/account/scopes.ts'
import { readConfig } from '../../../src/main/config/config.ts'
import { openAuditSession, ownedDatabase } from '../../../src/main/database/database.ts'
import type { OwnedDatabase } from '../../../src/main/database/opened.ts'
import { openFunds } from '../../../src/main/operator/funding.ts'
import { buildGateway, type Gateway } from '../../../src/main/assemble.ts'
import { openLog } from '../../../src/platform/log.ts'
import { genuine, type Receiver } from '../../webhooks/receiver-corpus.ts'
import { unsoundness } from '../books.ts'

export type Answer = {
  readonly status: number
  /** 'ok', or the code of a refusal. */
  readonly code: string
  readonly contract: PaymentBody | null
}

/** As much of a payment contract as the checks look at (docs/payments.md). Amounts in major units. */
export type PaymentBody = {
  readonly id: string
  readonly status: 'issued' | 'paid' | 'completed' | 'cancelled' | 'expired'
  readonly currency: string
  readonly expires_at: string
  readonly amount_received: number
  readonly amount_in_suspense: number
  readonly amount_refunded: number
  readonly preview: { readonly amount: number; readonly fees: { readonly total: number } }
  readonly attempts: readonly {
    readonly number: number
    readonly type: string
    readonly status: string
    readonly reference: string
  }[]
  readonly refunds: readonly {
    readonly transfer_id: string
    readonly from: 'payment' | 'suspense'
    readonly amount: number
    readonly currency: string
    readonly status: 'open' | 'done' | 'failed'
  }[]
  readonly activities: readonly { readonly type: string }[]
  readonly next_action: { readonly url?: string } | null
  readonly cancellation: { readonly status: string } | null
}

export type Merchant = {
  readonly lane: number
  readonly accountId: string
  readonly ask: (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => Promise<Answer>
  /** The key and the secret with which a provider tells events of the account. */
  readonly receiver: Receiver
  /** Tells the receiver an event, signed: the status. */
  readonly tell: (event: object) => Promise<number>
}

export type Stage = {
  readonly gateway: Gateway
  readonly url: string
  readonly providerUrl: string
  readonly newMerchant: (availableMinor: bigint) => Promise<Merchant>
  readonly sql: <T extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<T[]>
  /** What does not hold in the books, by the tests' proofs and by the gateway's own. */
  readonly unsound: () => Promise<string[]>
  readonly stop: () => Promise<void>
}

const CONNECTIONS = 48

/** `owner` is an empty database of ours, migrated. */
export async function openPaymentStage(owner: pg.ClientConfig, channels: readonly ChannelConfig[]): Promise<Stage> {
  const folder = mkdtempSync('/tmp/gateway-payments-')
  chmodSync(folder, 0o755)
  const sandbox = await startSandbox({ port: 0, dataDir: folder })
  const database = ownedDatabase(owner)
  const own = { publicUrl: 'http://gateway.test', rateLimit: 0, refundAbsentForMs: 0, channels }
  const config = { ...readConfig({}), dataDir: folder, ...own }
  const gateway = await buildGateway(config, database, { url: sandbox.url, token: null }, openLog('fatal'))
  const url = await gateway.app.listen({ host: '127.0.0.1', port: 0 })
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 })
  const operator = new pg.Pool({ ...owner, max: 4 })
  return {
    gateway,
    url,
    providerUrl: sandbox.url,
    newMerchant: (availableMinor) => newMerchant(gateway, database, pool, availableMinor),
    sql: async (text, values = []) => (await operator.query(text, [...values])).rows,
    unsound: async () => {
      const auditor = openAuditSession({ ...database, login: database.operator })
      const verdict = verifyBooks(auditor, () => undefined)
      await Promise.allSettled([verdict]).then(() => auditor.close())
      const { findings } = await verdict
      return [...(await unsoundness(owner)), ...findings.map((each) => `verify: ${JSON.stringify(each)}`)]
    },
    stop: async () => {
      await pool.destroy()
      await gateway.stop()
      await sandbox.close()
      await operator.end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function newMerchant(
  { deps }: Gateway,
  database: OwnedDatabase,
  pool: Pool,
  availableMinor: bigint,
): Promise<Merchant> {
  const ids = { nowMs: deps.nowMs, randomHex: deps.randomHex }
  const account = await createAccount(deps.reader, ids, { name: 'Stall', livemode: false, currencies: ['PHP', 'USD'] })
  const walletId = account.wallets.find(({ currency }) => currency === 'PHP')?.id ?? ''
  if (availableMinor > 0n) {
    const credit = {
      walletId,
      amountMinor: availableMinor,
      currency: 'PHP',
      reference: `opening ${walletId}`,
      source: 'external',
    } as const
    const funds = await openFunds(database)
    if (!funds) throw new Error('the operators have no login here')
    const answer = await funds.credit(credit)
    await funds.close()
    if (answer === null || isRefusal(answer)) throw new Error('the wallet could not be funded')
  }
  // Without the right to pay others: what it gives back goes back.
  const scopes = SCOPES.filter((scope) => scope !== 'transfers:pay')
  const key = { name: 'Stall', livemode: false, scopes, expiresInSeconds: null }
  const { text } = await createApiKey(deps.reader, account, key)
  const receiver = await createReceiverKey(
    deps.reader,
    deps.webhooks.sealing,
    account,
    { ...key, scopes: ['events:write'] },
    Date.now(),
  )
  const provider: Receiver = { key: receiver.text, secret: receiver.secret }
  const { lane, accountId } = account
  const send = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    headers: Record<string, string>,
    body: Buffer | null,
  ) => {
    const answer = await pool.request({ method, path, headers, body })
    return { status: answer.statusCode, text: await answer.body.text() }
  }
  return {
    lane,
    accountId,
    receiver: provider,
    ask: async (method, path, body) => {
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body))
      const answer = await send(method, path, { 'x-api-key': text, ...type }, bytes)
      const parsed = JSON.parse(answer.text) as { error?: { code: string }; data?: { contract?: PaymentBody } }
      return { status: answer.status, code: parsed.error?.code ?? 'ok', contract: parsed.data?.contract ?? null }
    },
    tell: async (event) => {
      const body = Buffer.from(JSON.stringify(event))
      const headers = genuine(provider, body)
      return (await send('POST', '/webhooks', headers, body)).status
    },
  }
}

/** Whole minor units of an amount of two decimals as JSON shows it. */
export const minorOf = (major: number) => BigInt(Math.round(major * 100))
