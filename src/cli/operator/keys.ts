// gateway keys: API keys, as the operator of the installation makes and ends them, on the database itself.
import { EXAMPLES } from '../../connectors/catalogue.ts'
import { ACCOUNT_SCOPES, SCOPES, type Scope } from '../../domain/account/scopes.ts'
import type { StoredKey } from '../../main/operator/operator-keys.ts'
import { rangeText } from '../../platform/addresses.ts'
import { keyUuid } from '../../platform/credentials.ts'
import { caps, commaWords, durationSeconds, keyId, scopes, shownName, uuid, wholeNumberTo } from '../arguments.ts'
import { CommandFailed, Misused } from '../failures.ts'
import { argument, command, flag, groupOf, option, required, type Values, withDefault } from '../command.ts'
import { note, paint, picked, print, snakeCased } from '../output.ts'
import { timeText } from '../times.ts'
import { printMany, type Shows } from '../view.ts'
import { asOperator, noSuchAccount, OPERATOR, refuseUnknownChannels } from './as-operator.ts'

/** The default, in words. */
const DEFAULT_WORDS = `all but ${SCOPES.filter((scope) => !ACCOUNT_SCOPES.includes(scope)).join(', ')}`

const KEY = argument('<key-id>', 'as "keys list" shows it', keyId)
const DEFAULT_OVERLAP_SECONDS = 86_400
const RECEIVER_SCOPE = 'events:write'

const NEW_KEY = {
  account: required(option('<id>', 'the account the key acts for', uuid)),
  name: required(option('<name>', 'what the key is for', shownName)),
  scopes: option('<list>', `what it may do: ${SCOPES.join(',')} (default: ${DEFAULT_WORDS})`, scopes),
  receiver: flag('for a provider that reports payment events: with events:write alone, and a secret that signs'),
  channels: option(
    '<list>',
    `with --receiver: the channels it reports on, such as ${EXAMPLES.eWallet},${EXAMPLES.otherEWallet} (default: all of its mode)`,
    commaWords,
  ),
  expires: option('<duration>', 'how long it lives, such as 30d (default: for ever)', durationSeconds),
  from: option('<ranges>', 'where it may be used from, such as 203.0.113.0/24 (default: anywhere)', commaWords),
  max: option('<list>', 'what may leave at a time by it, such as PHP:10000,USD:200 (default: any amount)', caps),
  ...OPERATOR,
}

/** What is shown of a new key; `secret` and `channels` only of one that reports events. */
type Created = {
  readonly keyId: string
  readonly text: string
  readonly secret?: string
  readonly channels?: readonly string[] | null
}

const create = command('create', 'make a key; its text is shown once and kept nowhere', {
  examples: [
    'gateway keys create --account 0198… --name "Back office" --scopes contracts:read,wallets:read --expires 30d',
    `gateway keys create --account 0198… --name "Our provider" --receiver --channels ${EXAMPLES.eWallet},${EXAMPLES.otherEWallet}`,
  ],
  options: NEW_KEY,
  run: async (options) => {
    const { account, name, scopes: chosen = ACCOUNT_SCOPES, expires: expiresInSeconds = null } = options
    if (options.receiver) return createReceiver(options)
    if (options.channels) throw new CommandFailed('--channels is for a key of a provider: add --receiver.')
    const wanted = { name, scopes: chosen, expiresInSeconds, ...boundsOf(options) }
    const key = await asOperator((operator) => operator.createKey(account, wanted), options.operator)
    if (!key) throw noSuchAccount(account)
    return key
  },
  json: keyJson,
  print: printKey,
})

async function createReceiver(options: Values<typeof NEW_KEY>): Promise<Created> {
  const { account, name, scopes: chosen = [], expires: expiresInSeconds = null, channels = [] } = options
  refuseUnknownChannels(channels)
  const bound = channels.length === 0 ? null : channels
  const wanted = { name, scopes: [...new Set<Scope>([RECEIVER_SCOPE, ...chosen])], expiresInSeconds, channels: bound }
  const bounded = { ...wanted, ...boundsOf(options) }
  const key = await asOperator((operator) => operator.createReceiver(account, bounded), options.operator)
  if (!key) throw noSuchAccount(account)
  return { ...key, channels: bound }
}

function boundsOf({ from, max }: Values<typeof NEW_KEY>) {
  const unreadable = from?.find((text) => rangeText(text) === null)
  if (unreadable !== undefined)
    throw new Misused(
      `--from: ${unreadable} is neither an address such as 203.0.113.7 nor a range such as 203.0.113.0/24`,
    )
  return { addresses: from?.map((text) => rangeText(text) ?? text) ?? null, transferMax: max ?? null }
}

function keyJson({ keyId: id, text, secret, channels }: Created) {
  return { key_id: id, api_key: text, ...(secret !== undefined && { secret, channels }) }
}

function printKey({ text, secret, channels }: Created): void {
  if (secret === undefined) {
    print(paint('bold', text))
    return note('This is the only time that the key is shown. Keep it where secrets are kept.')
  }
  print(`X-Api-Key         ${paint('bold', text)}`)
  print(`Signing secret    ${paint('bold', secret)}`)
  print(`Reports on        ${channels?.join(', ') ?? 'all channels of its mode'}`)
  note('This is the only time that both are shown. The provider sends the key and signs with the secret.')
}

const roll = command('roll', 'make a new key like this one, which ends after the overlap', {
  examples: ['gateway keys roll 3fJ0a9Xk2Q --overlap 24h'],
  arguments: [KEY],
  options: {
    ...OPERATOR,
    overlap: withDefault(
      option('<duration>', 'how long the old key still works', durationSeconds),
      DEFAULT_OVERLAP_SECONDS,
    ),
  },
  run: async ({ overlap, operator: name }, id) => {
    const key = await asOperator((operator) => operator.rollKey(id, overlap), name)
    if (!key) throw noSuchKey(id)
    return key
  },
  json: keyJson,
  print: (key, { overlap }, id) => {
    printKey(key)
    print(`The key ${id} works until ${timeText(Date.now() / 1000 + overlap)}.`)
  },
})

const OVERLAP_HOURS_MAX = 168

const rollSecret = command('roll-secret', 'make a new signing secret for a receiver key; the old one ends later', {
  examples: ['gateway keys roll-secret 3fJ0a9Xk2Q --overlap-hours 48'],
  arguments: [KEY],
  options: {
    ...OPERATOR,
    overlapHours: withDefault(
      option(
        '<n>',
        'how long the old secret still holds, 0 to 168',
        wholeNumberTo(OVERLAP_HOURS_MAX, `Give 0 to ${OVERLAP_HOURS_MAX} hours.`),
      ),
      24,
    ),
  },
  run: async ({ overlapHours, operator: name }, id) => {
    const secret = await asOperator((operator) => operator.rollSecret(id, overlapHours * 3600), name)
    if (secret === null) throw new CommandFailed(`No live receiver key has the id ${id}. See: gateway keys list`)
    return { key_id: id, secret }
  },
  print: ({ secret }, { overlapHours: hours }) => {
    print(paint('bold', secret))
    note('This is the only time that the secret is shown.')
    print(hours === 0 ? 'The one before has ended.' : `The one before holds for ${hours} more hours.`)
  },
})

const revoke = command('revoke', 'end a key at once', {
  examples: ['gateway keys revoke 3fJ0a9Xk2Q'],
  arguments: [KEY],
  options: OPERATOR,
  confirm: (_, id) => `End the key ${id} at once?`,
  run: async ({ operator: name }, id) => {
    if (!(await asOperator((operator) => operator.revokeKey(id), name))) throw noSuchKey(id)
    return { key_id: id, revoked: true }
  },
  print: (_, __, id) => print(`The key ${id} has ended. What it pays or cancels from now on is refused.`),
})

/** `channels` of a key that reports events; null for all of its mode. */
type ListedKey = StoredKey & { readonly receiver: boolean; readonly channels: readonly string[] | null }

const KEYS: Shows<ListedKey> = [
  ['key id', 'keyId'],
  ['mode', 'livemode'],
  ['state', stateOf],
  ['name', 'name'],
  ['account', 'accountId'],
  ['created', 'createdAt'],
  ['expires', 'expiresAt'],
  ['last used', ({ lastUsedOn }) => lastUsedOn ?? 'never'],
  ['receiver', ({ receiver, channels }) => (receiver ? (channels?.join(',') ?? 'all channels') : '')],
  ['scopes', scopeWords],
]

const list = command('list', 'list keys, never their secrets', {
  examples: ['gateway keys list', 'gateway keys list --account 0198…'],
  options: { account: option('<id>', 'only those of this account', uuid) },
  run: ({ account }) =>
    asOperator(async (operator) => {
      const found: ListedKey[] = []
      for (const id of account === undefined ? (await operator.accounts()).map((each) => each.accountId) : [account]) {
        const receivers = await operator.receivers(id)
        for (const key of await operator.keys(id))
          found.push({ ...key, receiver: receivers.has(key.keyId), channels: receivers.get(key.keyId) ?? null })
      }
      return found
    }),
  json: (keys) => ({ keys: keys.map(listedJson) }),
  print: (keys) => printMany(keys, KEYS),
})

function listedJson(key: ListedKey) {
  const shown = picked(key, 'keyId', 'accountId', 'livemode', 'name', 'scopes', 'receiver', 'channels')
  const times = picked(key, 'createdAt', 'expiresAt', 'revokedAt', 'lastUsedOn')
  // Activities name a key by its proxy.
  return snakeCased({ ...shown, proxy: keyUuid(key.keyId), state: stateOf(key), ...times })
}

function scopeWords({ scopes: named }: StoredKey): string {
  if (named.length === SCOPES.length) return 'all'
  return ACCOUNT_SCOPES.every((scope) => named.includes(scope)) ? DEFAULT_WORDS : named.join(',')
}

function stateOf({ revokedAt, expiresAt }: StoredKey): string {
  if (revokedAt) return 'revoked'
  return expiresAt && expiresAt.getTime() <= Date.now() ? 'expired' : 'active'
}

const noSuchKey = (id: string) => new CommandFailed(`No live key has the id ${id}. See: gateway keys list`)

export const keys = groupOf('keys', 'make, list, end and roll API keys', [create, list, revoke, roll, rollSecret])
