// The two development accounts with their funds, and dev.json, which tells scripts and tests how to use them (docs/design/areas.md).
// Development only: production makes no account, no money and no key by itself.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAccount, createApiKey, type NewAccount } from '../app/accounts/accounts.ts'
import type { Deps } from '../app/deps.ts'
import { acceptInvitation, confirmEnrolment } from '../app/members/enrolment.ts'
import { inviteMember } from '../app/members/members.ts'
import { OPERATORS } from '../domain/account/roles.ts'
import { totpAt } from '../platform/totp.ts'
import { createReceiverKey } from '../app/accounts/receiver-secrets.ts'
import { laneOf } from '../domain/contract/ids.ts'
import { isRefusal } from '../domain/contract/refusals.ts'
import { SCOPES } from '../domain/account/scopes.ts'
import { writePrivateFile } from '../platform/private-files.ts'
import { processStart } from '../platform/process-start.ts'
import type { AccountKey } from '../store/accounts/accounts.ts'
import { anyAccount, findAccount, revokeApiKey } from '../store/accounts/admin.ts'
import type { Funds } from './operator/funding.ts'

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
  /** Opens the control of the sandbox provider; null for one that runs elsewhere. */
  readonly sandbox_token: string | null
  readonly console_url: string | null
  /** An owner who signs in; of a development gateway alone. */
  readonly console_login: ConsoleLogin | null
  /** The gateway that the file is of: its process, and when that began. */
  readonly pid: number
  readonly pid_start: string | null
}

export type ConsoleLogin = { readonly email: string; readonly password: string; readonly totp_secret: string }

/**
 * The file as it is on a disk: of a database whose accounts are not ours it has the addresses alone, and a key that has
 * ended is null in it.
 */
export type WrittenFile = Partial<{
  readonly [Member in keyof Omit<DevFile, 'other_account'>]: DevFile[Member] | null
}> & {
  readonly other_account?: { readonly account_id: string; readonly api_key: string | null }
}

/** The file as this start wrote it, and what somebody who starts has to know about it. */
export type Development = { readonly file: WrittenFile; readonly path: string; readonly notes: readonly string[] }

export type Places = {
  readonly baseUrl: string
  /** Null where the console is off. */
  readonly consoleUrl: string | null
  readonly sandboxUrl: string
  readonly sandboxToken: string | null
  /** The process that the gateway ends with. */
  readonly pid: number
}

const FUNDED = [
  ['PHP', 1_000_000_00n],
  ['USD', 100_000_00n],
] as const

/** Opened only where there is something to fund; null where the operators' login is not known, for the gateway's own may not. */
export type OpenFunds = () => Promise<Funds | null>

/** What a new key of an account is asked for with. */
const keyCommand = (accountId: string) => `gateway keys create --account ${accountId} --name Development`

/**
 * Makes the accounts at the first start on an empty database; later starts find them again. Where the database has accounts
 * already that this directory knows nothing of, none is made; a key that was ended stays so. Writes `dev.json`, mode 0600.
 */
export async function prepareDevelopment(
  deps: Deps,
  currencies: readonly string[],
  dataDir: string,
  { baseUrl, consoleUrl, sandboxUrl, sandboxToken, pid }: Places,
  openFunds: OpenFunds,
): Promise<Development> {
  const path = join(dataDir, 'dev.json')
  const notes: string[] = []
  const accounts = await accountsOf(deps, currencies, readWritten(path), { notes, openFunds })
  const addresses = { base_url: baseUrl, console_url: consoleUrl, sandbox_url: sandboxUrl, sandbox_token: sandboxToken }
  const file = { ...accounts, ...addresses, pid, pid_start: processStart(pid) }
  // Looked at as late as can be: another may have started meanwhile.
  const other = runningOwner(readWritten(path), pid)
  if (other === null) {
    writePrivateFile(path, `${JSON.stringify(file, null, 2)}\n`)
    return { file, path, notes }
  }
  if (other.account_id === file.account_id)
    return { file: { ...file, base_url: other.base_url ?? baseUrl }, path, notes: [SHARED, ...notes] }
  // Of another database: what is said here is not true there.
  const own = join(dataDir, `dev-${new URL(baseUrl).port || 'public'}.json`)
  writePrivateFile(own, `${JSON.stringify(file, null, 2)}\n`)
  return { file, path: own, notes: [`${SHARED} This one's is ${own}.`, ...notes] }
}

const SHARED =
  'Another gateway runs on this data directory: the sandbox provider is shared with it, and dev.json goes on naming the other one.'

/** The file of another gateway that runs still; null for one of our own, and of one that has ended. */
function runningOwner(written: WrittenFile | null, ownPid: number): WrittenFile | null {
  if (!written?.pid || !written.pid_start || written.pid === ownPid) return null
  return processStart(written.pid) === written.pid_start ? written : null
}

/** The members about the accounts; none where they are somebody else's. */
async function accountsOf(
  deps: Deps,
  currencies: readonly string[],
  written: WrittenFile | null,
  { notes, openFunds }: { readonly notes: string[]; readonly openFunds: OpenFunds },
): Promise<WrittenFile> {
  if (written?.account_id && (await exists(deps, written.account_id)))
    return keptFile(deps, { ...written, account_id: written.account_id }, notes)
  if (!(await hasAccounts(deps))) return newFile(deps, currencies, await openFunds(), notes)
  notes.push(
    'The database has accounts already, so no development account was made. A key for one: gateway keys create --account ID --name Development (gateway accounts list)',
  )
  return {}
}

/** The file of an earlier start; null where there is none that can be read. */
export function readWritten(path: string): WrittenFile | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as WrittenFile
  } catch {
    return null
  }
}

type Known = WrittenFile & { readonly account_id: string }

/** The file of an earlier start on this very database; its keys may do what keys of today may. */
async function keptFile(deps: Deps, file: Known, notes: string[]): Promise<WrittenFile> {
  const { account_id: accountId, other_account: other } = file
  const kept = { ...file, api_key: await keyOfToday(deps, file.api_key ?? null, accountId, notes) }
  const others = other && {
    ...other,
    api_key: await keyOfToday(deps, other.api_key, other.account_id, notes),
  }
  const receiver = await receiverOf(deps, file, notes)
  const login = file.console_login ?? (await newConsoleLogin(deps, { lane: laneOf(accountId), accountId }))
  return { ...kept, ...(others ? { other_account: others } : {}), ...receiver, console_login: login }
}

/** How long a key goes on that another one has taken the place of: scripts may have it still. */
const OVERLAP_SECONDS = 86_400

/** The key, or a new one where an earlier release made it without a scope of this one; null for one that has ended. */
async function keyOfToday(deps: Deps, text: string | null, accountId: string, notes: string[]): Promise<string | null> {
  const caller = text === null ? null : await deps.callers.byApiKey(text)
  if (text === null || caller?.accountId !== accountId) {
    notes.push(
      `The development key of account ${accountId} has ended, and stays so. Another one: ${keyCommand(accountId)}`,
    )
    return null
  }
  if (SCOPES.every((scope) => caller.scopes.has(scope))) return text
  const key = await keyFor(deps, caller)
  await deps.reader.send([revokeApiKey(caller.lane, caller.keyId, OVERLAP_SECONDS)])
  return key
}

async function exists({ reader }: Deps, accountId: string): Promise<boolean> {
  const [result] = await reader.send([findAccount({ lane: laneOf(accountId), accountId })])
  return result?.rows[0] !== undefined
}

async function hasAccounts({ reader }: Deps): Promise<boolean> {
  const [result] = await reader.send([anyAccount()])
  return result?.rows[0] !== undefined
}

async function newFile(
  deps: Deps,
  currencies: readonly string[],
  funds: Funds | null,
  notes: string[],
): Promise<WrittenFile> {
  const account = await newAccount(deps, { name: 'Development', currencies, operates: true })
  const other = await newAccount(deps, { name: 'Other development', currencies, operates: false })
  if (funds === null) notes.push(NO_FUNDS)
  try {
    for (const each of [account, other]) if (funds) await fund(funds, each)
  } finally {
    await funds?.close()
  }
  return {
    account_id: account.accountId,
    profile_id: account.profileId,
    api_key: await keyFor(deps, account),
    other_account: { account_id: other.accountId, api_key: await keyFor(deps, other) },
    ...(await newReceiver(deps, account.accountId)),
    console_login: await newConsoleLogin(deps, account),
  }
}

const NO_FUNDS =
  'The development accounts have no money: DATABASE_URL is the gateway’s own login, which may make none. With GATEWAY_OPERATOR_DATABASE_URL: gateway accounts fund'

type NewDevelopmentAccount = Pick<Parameters<typeof createAccount>[2], 'name' | 'currencies' | 'operates'>

function newAccount(deps: Deps, wanted: NewDevelopmentAccount): Promise<NewAccount> {
  return createAccount(deps.reader, deps, { ...wanted, livemode: false })
}

async function fund(funds: Funds, { wallets }: NewAccount): Promise<void> {
  for (const [currency, amountMinor] of FUNDED) {
    const wallet = wallets.find((each) => each.currency === currency)
    if (!wallet) continue
    const credit = { walletId: wallet.id, amountMinor, currency, reference: `opening ${wallet.id}` }
    const answer = await funds.credit({ ...credit, source: 'external' })
    if (answer === null || isRefusal(answer)) throw new Error(`the ${currency} wallet could not be funded`)
  }
}

async function keyFor({ reader }: Deps, account: AccountKey): Promise<string> {
  const wanted = { name: 'Development', livemode: false, scopes: SCOPES, expiresInSeconds: null }
  return (await createApiKey(reader, account, wanted)).text
}

type ReceiverPart = Pick<WrittenFile, 'webhook_key' | 'webhook_secret'>

/**
 * The key and the secret of the file where both still hold; new ones for a file of a release that had none, and where the
 * secret was rolled by hand. A key that was ended stays so.
 */
async function receiverOf(deps: Deps, file: Known, notes: string[]): Promise<ReceiverPart> {
  const { account_id: accountId, webhook_key: key, webhook_secret: secret } = file
  if (key === undefined) return newReceiver(deps, accountId)
  const caller = key === null ? null : await deps.callers.byApiKey(key)
  if (caller?.accountId === accountId) {
    const live = await deps.receivers.secretsOf(caller)
    return live.includes(secret ?? '')
      ? { webhook_key: key, webhook_secret: secret ?? null }
      : newReceiver(deps, accountId)
  }
  notes.push(
    `The receiver key of account ${accountId} has ended, and stays so: the sandbox provider tells of no payment. Another one: ${keyCommand(accountId)} --receiver`,
  )
  return { webhook_key: null, webhook_secret: null }
}

async function newReceiver(deps: Deps, accountId: string): Promise<ReceiverPart> {
  const owner = { lane: laneOf(accountId), accountId }
  const wanted = { name: 'Payment events', livemode: false, scopes: ['events:write'] as const, expiresInSeconds: null }
  const made = await createReceiverKey(deps.reader, deps.webhooks.sealing, owner, wanted, deps.nowMs())
  return { webhook_key: made.text, webhook_secret: made.secret }
}

const OWNER_EMAIL = 'owner@development.example'

/** An owner with a password and an authenticator, brought in as anybody is; null where there is one whose login is not known. */
async function newConsoleLogin(
  { members, randomHex }: Deps,
  { lane, accountId }: AccountKey,
): Promise<ConsoleLogin | null> {
  const actor = { kind: 'operator', id: 'development', address: null, requestId: null } as const
  const wanted = { email: OWNER_EMAIL, role: 'owner', name: 'Development owner' } as const
  const invited = await inviteMember(members.changes, { lane, accountId, keyId: null, actor }, OPERATORS, wanted)
  if (isRefusal(invited)) return null
  const password = randomHex()
  const nowhere = { address: null, requestId: null }
  const enrolment = await acceptInvitation(members, invited.token, { name: wanted.name, password }, nowhere)
  if (isRefusal(enrolment)) throw new Error(enrolment.message)
  const { secret } = enrolment.totp
  const joined = await confirmEnrolment(members, enrolment.token, { code: totpAt(secret, members.nowMs()) }, nowhere)
  if (isRefusal(joined)) throw new Error(joined.message)
  return { email: OWNER_EMAIL, password, totp_secret: secret }
}
