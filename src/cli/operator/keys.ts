// gateway keys: API keys, as the operator of the installation makes and ends them, on the database itself.
import { type Command, InvalidArgumentError } from 'commander'
import { keyUuid } from '../../platform/credentials.ts'
import type { NewKeyText, StoredKey } from '../../main/operator/operator.ts'
import { ACCOUNT_SCOPES, SCOPES, type Scope } from '../../domain/account/scopes.ts'
import {
  CommandFailed,
  commandWithJson,
  durationSeconds,
  groupOf,
  keyId,
  scopes,
  shownName,
  uuid,
  wholeNumber,
  type WithJson,
} from '../arguments.ts'
import { readConfig } from '../../main/config/config.ts'
import { asOperator } from './as-operator.ts'
import { modeText, note, paint, print, printJson, printTable } from '../output.ts'

const DEFAULT_OVERLAP_SECONDS = 86_400

export function keysCommand(): Command {
  const create = commandWithJson('create', 'make a key; its text is shown once and kept nowhere', [
    'gateway keys create --account 0198… --name "Back office" --scopes contracts:read,wallets:read --expires 30d',
    'gateway keys create --account 0198… --name "Our provider" --receiver --channels gcash,maya',
  ])
    .requiredOption('--account <id>', 'the account the key acts for', uuid)
    .requiredOption('--name <name>', 'what the key is for', shownName)
    .option('--scopes <list>', `what it may do: ${SCOPES.join(',')} (default: all but metrics:read)`, scopes)
    .option('--receiver', 'for a provider that tells payment events: with events:write alone, and a secret that signs')
    .option(
      '--channels <list>',
      'with --receiver: the channels it tells of, such as gcash,maya (default: all of its mode)',
      channelList,
    )
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
  const rollSecret = commandWithJson(
    'roll-secret',
    'make a new signing secret for a receiver key; the old one ends later',
    ['gateway keys roll-secret 3fJ0a9Xk2Q --overlap-hours 48'],
  )
    .argument('<key-id>', 'as "keys list" shows it', keyId)
    .option('--overlap-hours <n>', 'how long the old secret still holds, 0 to 168', overlapHours, 24)
    .action(rollKeySecret)
  return groupOf('keys', 'make, list, end and roll API keys', [create, list, revoke, roll, rollSecret])
}

type Wanted = WithJson & {
  readonly account: string
  readonly name: string
  readonly scopes?: readonly Scope[]
  readonly expires?: number
  readonly receiver?: true
  readonly channels?: readonly string[]
}

async function createKey(asked: Wanted): Promise<void> {
  const { json, account, name, scopes: chosen, expires } = asked
  if (asked.receiver) return createReceiver(asked)
  if (asked.channels) throw new CommandFailed('--channels is for a key of a provider: add --receiver.')
  const wanted = { name, scopes: chosen ?? ACCOUNT_SCOPES, expiresInSeconds: expires ?? null }
  const key = await asOperator((operator) => operator.createKey(account, wanted))
  if (!key) throw noSuchAccount(account)
  printKey(key, json)
}

const RECEIVER_SCOPE = 'events:write'

async function createReceiver({
  json,
  account,
  name,
  scopes: chosen = [],
  expires,
  channels = [],
}: Wanted): Promise<void> {
  const all = new Set<Scope>([RECEIVER_SCOPE, ...chosen])
  const bound = channels.length === 0 ? null : channels
  const wanted = { name, scopes: [...all], expiresInSeconds: expires ?? null, channels: bound }
  const known = readConfig().channels.map((channel) => channel.id)
  const unknown = channels.filter((id) => !known.includes(id))
  if (unknown.length > 0)
    throw new CommandFailed(`No channel has the id ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
  const key = await asOperator((operator) => operator.createReceiver(account, wanted))
  if (!key) throw noSuchAccount(account)
  const { keyId: id, text, secret } = key
  if (json) return printJson({ key_id: id, api_key: text, secret, channels: bound })
  print(`X-Api-Key         ${paint('bold', text)}`)
  print(`Signing secret    ${paint('bold', secret)}`)
  print(`Tells of          ${bound === null ? 'all channels of its mode' : bound.join(', ')}`)
  note('This is the only time that both are shown. The provider sends the key and signs with the secret.')
}

async function rollKeySecret(id: string, { json, overlapHours: hours }: WithJson & { overlapHours: number }) {
  const secret = await asOperator((operator) => operator.rollSecret(id, hours * 3600))
  if (secret === null) throw new CommandFailed(`No live receiver key has the id ${id}. See: gateway keys list`)
  if (json) return printJson({ key_id: id, secret })
  print(paint('bold', secret))
  note('This is the only time that the secret is shown.')
  print(hours === 0 ? 'The one before has ended.' : `The one before holds for ${hours} more hours.`)
}

const channelList = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  ),
]

const OVERLAP_HOURS_MAX = 168

function overlapHours(text: string): number {
  const hours = wholeNumber(text)
  if (hours > OVERLAP_HOURS_MAX) throw new InvalidArgumentError(`Give 0 to ${OVERLAP_HOURS_MAX} hours.`)
  return hours
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

/** `channels` of a key that tells events; null for all of its mode. */
type ListedKey = StoredKey & { readonly isReceiver: boolean; readonly channels: readonly string[] | null }

async function listKeys({ json, account }: WithJson & { readonly account?: string }): Promise<void> {
  const keys = await asOperator(async (operator) => {
    const accounts = account === undefined ? (await operator.accounts()).map((each) => each.accountId) : [account]
    const found: ListedKey[] = []
    for (const each of accounts) {
      const receivers = await operator.receivers(each)
      const stored = await operator.keys(each)
      found.push(
        ...stored.map((key) => ({
          ...key,
          isReceiver: receivers.has(key.keyId),
          channels: receivers.get(key.keyId) ?? null,
        })),
      )
    }
    return found
  })
  if (json) return printJson({ keys: keys.map(keyJson) })
  const day = (date: Date | null) => date?.toISOString().slice(0, 16).replace('T', ' ') ?? ''
  const rows = keys.map((key) => [
    key.keyId,
    modeText(key.livemode),
    stateOf(key),
    key.name,
    key.accountId,
    day(key.createdAt),
    day(key.expiresAt),
    key.isReceiver ? (key.channels?.join(',') ?? 'all channels') : '',
    scopeWords(key),
  ])
  printTable(['KEY ID', 'MODE', 'STATE', 'NAME', 'ACCOUNT', 'CREATED', 'EXPIRES', 'RECEIVER', 'SCOPES'], rows)
}

function scopeWords({ scopes: named }: StoredKey): string {
  if (named.length === SCOPES.length) return 'all'
  return ACCOUNT_SCOPES.every((scope) => named.includes(scope)) ? 'all but metrics:read' : named.join(',')
}

function stateOf({ revokedAt, expiresAt }: StoredKey): string {
  if (revokedAt) return 'revoked'
  return expiresAt && expiresAt.getTime() <= Date.now() ? 'expired' : 'active'
}

function keyJson(key: ListedKey) {
  const { keyId: id, accountId, name, createdAt, expiresAt, revokedAt } = key
  return {
    key_id: id,
    // What activities name it by.
    proxy: keyUuid(id),
    account_id: accountId,
    livemode: key.livemode,
    name,
    state: stateOf(key),
    scopes: key.scopes,
    receiver: key.isReceiver,
    channels: key.channels,
    created_at: createdAt,
    expires_at: expiresAt,
    revoked_at: revokedAt,
  }
}

const noSuchAccount = (id: string) => new CommandFailed(`No account has the id ${id}. See: gateway accounts list`)
const noSuchKey = (id: string) => new CommandFailed(`No live key has the id ${id}. See: gateway keys list`)
