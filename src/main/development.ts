// The two development accounts with their funds, and dev.json, which tells scripts and tests how to use them (design 2).
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAccount, createApiKey, type NewAccount } from '../app/accounts.ts'
import { creditWallet } from '../app/credits.ts'
import type { Deps } from '../app/deps.ts'
import { createReceiverKey } from '../app/receiver-secrets.ts'
import { laneOf } from '../domain/ids.ts'
import { isRefusal } from '../domain/refusals.ts'
import { SCOPES } from '../domain/scopes.ts'
import type { AccountKey } from '../store/accounts.ts'
import { revokeApiKey } from '../store/admin.ts'

/** What `dev.json` holds. Members of areas that this release does not have are null. */
export type DevFile = {
  readonly base_url: string
  readonly account_id: string
  readonly profile_id: string
  readonly api_key: string
  readonly other_account: { readonly account_id: string; readonly api_key: string }
  /** What a provider tells events of the account with: POST /webhooks. */
  readonly webhook_key: string
  readonly webhook_secret: string
  readonly sandbox_url: string
  readonly console_url: string | null
  readonly console_login: string | null
}

type Places = { readonly baseUrl: string; readonly sandboxUrl: string }

const FUNDED = [
  ['PHP', 1_000_000_00n],
  ['USD', 100_000_00n],
] as const

/** Makes the accounts at the first start; later starts find them again. Writes `dev.json`, mode 0600. */
export async function prepareDevelopment(
  deps: Deps,
  currencies: readonly string[],
  dataDir: string,
  places: Places,
): Promise<DevFile> {
  const path = join(dataDir, 'dev.json')
  const known = await knownFile(deps, path)
  const file = known ?? (await newFile(deps, currencies))
  const receiver = await receiverOf(deps, file)
  const current: DevFile = { ...file, ...receiver, base_url: places.baseUrl, sandbox_url: places.sandboxUrl }
  writeFileSync(`${path}.new`, `${JSON.stringify(current, null, 2)}\n`, { mode: 0o600 })
  chmodSync(`${path}.new`, 0o600)
  renameSync(`${path}.new`, path)
  return current
}

/** What is in the file before the places of this start are. A file of an earlier release may lack the receiver's key. */
type KnownFile = Omit<DevFile, 'webhook_key' | 'webhook_secret'> & {
  readonly webhook_key: string | null
  readonly webhook_secret: string | null
}

/** The file of an earlier start, if its key still opens this very database; its keys may do what keys of today may. */
async function knownFile(deps: Deps, path: string): Promise<KnownFile | null> {
  if (!existsSync(path)) return null
  const file = JSON.parse(readFileSync(path, 'utf8')) as KnownFile
  const caller = await deps.callers.byApiKey(file.api_key)
  if (caller?.accountId !== file.account_id) return null
  const { other_account: other } = file
  return {
    ...file,
    api_key: await keyOfToday(deps, file.api_key),
    other_account: { ...other, api_key: await keyOfToday(deps, other.api_key) },
  }
}

/** How long a key goes on that another one has taken the place of: scripts may have it still. */
const OVERLAP_SECONDS = 86_400

/** The key, or a new one where an earlier release made it without a scope of this one. */
async function keyOfToday(deps: Deps, text: string): Promise<string> {
  const caller = await deps.callers.byApiKey(text)
  if (!caller || SCOPES.every((scope) => caller.scopes.has(scope))) return text
  const key = await keyFor(deps, caller)
  await deps.reader.send([revokeApiKey(caller.lane, caller.keyId, OVERLAP_SECONDS)])
  return key
}

async function newFile(deps: Deps, currencies: readonly string[]): Promise<KnownFile> {
  const account = await fundedAccount(deps, 'Development', currencies)
  const other = await fundedAccount(deps, 'Other development', currencies)
  return {
    base_url: '',
    account_id: account.accountId,
    profile_id: account.profileId,
    api_key: await keyFor(deps, account),
    other_account: { account_id: other.accountId, api_key: await keyFor(deps, other) },
    webhook_key: null,
    webhook_secret: null,
    sandbox_url: '',
    console_url: null,
    console_login: null,
  }
}

async function fundedAccount(deps: Deps, name: string, currencies: readonly string[]): Promise<NewAccount> {
  const account = await createAccount(deps.reader, deps, { name, livemode: false, currencies })
  for (const [currency, amountMinor] of FUNDED) {
    const wallet = account.wallets.find((each) => each.currency === currency)
    if (!wallet) continue
    const credit = {
      walletId: wallet.id,
      amountMinor,
      currency,
      reference: `opening ${wallet.id}`,
      source: 'external',
    } as const
    const answer = await creditWallet(deps, credit)
    if (answer === null || isRefusal(answer)) throw new Error(`the ${currency} wallet could not be funded`)
  }
  return account
}

async function keyFor({ reader }: Deps, account: AccountKey): Promise<string> {
  const wanted = { name: 'Development', livemode: false, scopes: SCOPES, expiresInSeconds: null }
  return (await createApiKey(reader, account, wanted)).text
}

type ReceiverPart = Pick<DevFile, 'webhook_key' | 'webhook_secret'>

/** The key and the secret of the file where both still hold, else new ones. */
async function receiverOf(deps: Deps, file: KnownFile): Promise<ReceiverPart> {
  const { account_id: accountId, webhook_key: key, webhook_secret: secret } = file
  const caller = key === null ? null : await deps.callers.byApiKey(key)
  if (key !== null && secret !== null && caller?.accountId === accountId) {
    const live = await deps.receivers.secretsOf(caller)
    if (live.includes(secret)) return { webhook_key: key, webhook_secret: secret }
  }
  const owner = { lane: laneOf(accountId), accountId }
  const wanted = { name: 'Payment events', livemode: false, scopes: ['events:write'] as const, expiresInSeconds: null }
  const made = await createReceiverKey(deps.reader, deps.webhooks.sealing, owner, wanted, deps.nowMs())
  return { webhook_key: made.text, webhook_secret: made.secret }
}
