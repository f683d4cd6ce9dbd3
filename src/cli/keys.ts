// gateway keys: API keys, as the operator of the installation makes and ends them, on the database itself.
import type { Command } from 'commander'
import type { NewKeyText, StoredKey } from '../main/operator.ts'
import { SCOPES, type Scope } from '../domain/scopes.ts'
import {
  CommandFailed,
  commandWithJson,
  durationSeconds,
  groupOf,
  keyId,
  scopes,
  uuid,
  type WithJson,
} from './arguments.ts'
import { asOperator } from './as-operator.ts'
import { note, paint, print, printJson, printTable } from './output.ts'

const DEFAULT_OVERLAP_SECONDS = 86_400

export function keysCommand(): Command {
  const create = commandWithJson('create', 'make a key; its text is shown once and kept nowhere', [
    'gateway keys create --account 0198… --name "Back office" --scopes contracts:read,wallets:read --expires 30d',
  ])
    .requiredOption('--account <id>', 'the account the key acts for', uuid)
    .requiredOption('--name <name>', 'what the key is for')
    .option('--scopes <list>', `what it may do: ${SCOPES.join(',')} (default: all)`, scopes)
    .option('--expires <duration>', 'how long it lives, such as 30d (default: for ever)', durationSeconds)
    .action(createKey)
  const list = commandWithJson('list', 'list keys, never their secrets', [
    'gateway keys list',
    'gateway keys list --account 0198…',
  ])
    .option('--account <id>', 'only those of this account', uuid)
    .action(listKeys)
  const revoke = commandWithJson('revoke', 'end a key at once', ['gateway keys revoke 3fJ0a9Xk2Q'])
    .argument('<key-id>', 'as "keys list" shows it', keyId)
    .action(revokeKey)
  const roll = commandWithJson('roll', 'make a new key like this one, which ends after the overlap', [
    'gateway keys roll 3fJ0a9Xk2Q --overlap 24h',
  ])
    .argument('<key-id>', 'as "keys list" shows it', keyId)
    .option('--overlap <duration>', 'how long the old key still works', durationSeconds, DEFAULT_OVERLAP_SECONDS)
    .action(rollKey)
  return groupOf('keys', 'make, list, end and roll API keys', [create, list, revoke, roll])
}

type Wanted = WithJson & {
  readonly account: string
  readonly name: string
  readonly scopes?: readonly Scope[]
  readonly expires?: number
}

async function createKey({ json, account, name, scopes: chosen, expires }: Wanted): Promise<void> {
  const wanted = { name, scopes: chosen ?? SCOPES, expiresInSeconds: expires ?? null }
  const key = await asOperator((operator) => operator.createKey(account, wanted))
  if (!key) throw new CommandFailed(`No account has the id ${account}. See: gateway accounts list`)
  printKey(key, json)
}

async function rollKey(id: string, { json, overlap }: WithJson & { readonly overlap: number }): Promise<void> {
  const key = await asOperator((operator) => operator.rollKey(id, overlap))
  if (!key) throw noSuchKey(id)
  printKey(key, json)
  const end = new Date(Date.now() + overlap * 1000).toISOString()
  if (!json) print(`The key ${id} works until ${end}.`)
}

function printKey({ keyId: id, text }: NewKeyText, json: true | undefined): void {
  if (json) return printJson({ key_id: id, api_key: text })
  print(`${paint('bold', text)}`)
  note('This is the only time that the key is shown. Keep it where secrets are kept.')
}

async function revokeKey(id: string, { json }: WithJson): Promise<void> {
  if (!(await asOperator((operator) => operator.revokeKey(id)))) throw noSuchKey(id)
  if (json) printJson({ key_id: id, revoked: true })
  else print(`The key ${id} has ended. What it pays or cancels from now on is refused.`)
}

async function listKeys({ json, account }: WithJson & { readonly account?: string }): Promise<void> {
  const keys = await asOperator(async (operator) => {
    const accounts = account === undefined ? (await operator.accounts()).map((each) => each.accountId) : [account]
    const found: StoredKey[] = []
    for (const each of accounts) found.push(...(await operator.keys(each)))
    return found
  })
  if (json) return printJson({ keys: keys.map(keyJson) })
  const day = (date: Date | null) => date?.toISOString().slice(0, 16).replace('T', ' ') ?? ''
  const rows = keys.map((key) => [
    key.keyId,
    stateOf(key),
    key.name,
    key.accountId,
    day(key.createdAt),
    day(key.expiresAt),
    scopeWords(key),
  ])
  printTable(['KEY ID', 'STATE', 'NAME', 'ACCOUNT', 'CREATED', 'EXPIRES', 'SCOPES'], rows)
}

const scopeWords = (key: StoredKey) => (key.scopes.length === SCOPES.length ? 'all' : key.scopes.join(','))

function stateOf({ revokedAt, expiresAt }: StoredKey): string {
  if (revokedAt) return 'revoked'
  return expiresAt && expiresAt.getTime() <= Date.now() ? 'expired' : 'live'
}

function keyJson(key: StoredKey) {
  const { keyId: id, accountId, name, createdAt, expiresAt, revokedAt } = key
  return {
    key_id: id,
    account_id: accountId,
    name,
    state: stateOf(key),
    scopes: key.scopes,
    created_at: createdAt,
    expires_at: expiresAt,
    revoked_at: revokedAt,
  }
}

const noSuchKey = (id: string) => new CommandFailed(`No live key has the id ${id}. See: gateway keys list`)
