// gateway login, use, whoami and logout: which gateways this user calls, and as whom. A key is tried before it is kept, and it is
// read from the terminal without being shown, or from standard input; a command line would leave it in the history.
import type { AccountReply } from '../../wire/accounts/account.ts'
import type { Wire } from '../../wire/shapes.ts'
import { readCommandLine } from '../../main/config/command-line.ts'
import { wordOf } from '../arguments.ts'
import { call, get } from '../client.ts'
import { argument, command, flag, option, PLACE } from '../command.ts'
import { CommandFailed, Misused } from '../failures.ts'
import { modeText, modeWords, note, print, printPairs } from '../output.ts'
import { findPlace, isLiveKey, type Place } from '../place.ts'
import { printMany, type Shows } from '../view.ts'
import { type Logins, loginsPath, readLogins, writeLogins } from './logins.ts'
import { readSecret } from './secret-input.ts'

type Account = Wire<typeof AccountReply>['data']['account']

const loginName = wordOf('Give a name of letters, digits, dots and dashes, such as shop.', (text) =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/.test(text) && text !== '__proto__' ? text : null,
)

const accountAt = async (place: Place): Promise<Account> =>
  (await call<{ account: Account }>(place, get('/accounts/me'))).account

const DEFAULT_NAME = 'default'

export const login = command('login', 'keep a gateway and a key under a name, and call it from now on', {
  examples: [
    'gateway login --url https://gateway.example',
    'gateway login --url https://gateway.example --profile shop < key.txt',
  ],
  options: {
    url: option('<url>', 'the gateway (default: GATEWAY_URL, or that of dev.json)'),
    apiKey: option('<key>', 'the key; better typed when asked, or on standard input'),
    profile: option('<name>', `what this login is called (default: ${DEFAULT_NAME})`, loginName),
  },
  notes: `The file is ${loginsPath('$XDG_CONFIG_HOME/gateway')}, for this user alone. Others: gateway use NAME, or --use NAME.`,
  run: async ({ url, apiKey, profile = DEFAULT_NAME }) => {
    const { configDir } = readCommandLine()
    const address = findPlace({ url, apiKey: 'asked for below' }).url.value
    const key = apiKey ?? (await readSecret(`Key for ${address}: `))
    if (!/^gck_(live|test)_/.test(key))
      throw new Misused('this is no key of a gateway: one begins with gck_test_ or gck_live_. Nothing was kept.')
    const account = await accountAt({ baseUrl: address, apiKey: key })
    const { logins } = readLogins(configDir)
    writeLogins(configDir, { inUse: profile, logins: { ...logins, [profile]: { url: address, api_key: key } } })
    return { profile, url: address, livemode: account.livemode, account_id: account.id, account_name: account.name }
  },
  print: ({ profile, url, livemode, account_id: id, account_name: name }) => {
    print(`Logged in as ${profile}: ${modeText(livemode)} account ${name} (${id}) at ${url}.`)
    if (livemode) note('This key moves real money. What moves it asks first, unless --yes is given.')
  },
})

const NAME = argument('<name>', 'of the login', loginName)

export const use = command('use', 'call the gateway of another login from now on', {
  examples: ['gateway use shop', 'gateway use none'],
  arguments: [NAME],
  notes: '"none" uses no login: GATEWAY_URL and GATEWAY_API_KEY, or the dev.json of a local gateway.',
  run: (_, name) => {
    const { configDir } = readCommandLine()
    const { logins } = readLogins(configDir)
    const isNone = name === 'none' && !(name in logins)
    if (!isNone) knownLogin(name, logins)
    writeLogins(configDir, { inUse: isNone ? null : name, logins })
    return { in_use: isNone ? null : name }
  },
  print: ({ in_use: name }) => print(name === null ? 'No login is in use.' : `The login ${name} is in use.`),
})

function knownLogin(name: string, logins: Logins['logins']): void {
  if (name in logins) return
  const known = Object.keys(logins)
  throw new CommandFailed(
    `No login is called ${name}. ${known.length === 0 ? 'There is none: gateway login' : `There are: ${known.join(', ')}.`}`,
  )
}

export const logout = command(
  'logout',
  'forget a login, or all of them; the key itself goes on (gateway api-keys revoke)',
  {
    examples: ['gateway logout', 'gateway logout shop', 'gateway logout --all'],
    arguments: [argument('[name]', 'of the login (default: the one in use)', loginName)],
    options: { all: flag('every login') },
    run: ({ all }, name) => {
      const { configDir } = readCommandLine()
      const { inUse, logins } = readLogins(configDir)
      const gone = all ? Object.keys(logins) : [name ?? inUse ?? noneInUse()]
      for (const each of gone) knownLogin(each, logins)
      const left = Object.fromEntries(Object.entries(logins).filter(([each]) => !gone.includes(each)))
      writeLogins(configDir, { inUse: inUse !== null && gone.includes(inUse) ? null : inUse, logins: left })
      return { forgotten: gone }
    },
    print: ({ forgotten }) =>
      print(forgotten.length === 0 ? 'There was no login.' : `Forgotten: ${forgotten.join(', ')}.`),
  },
)

function noneInUse(): never {
  throw new CommandFailed('No login is in use. Give a name, or --all.')
}

type Known = { readonly name: string; readonly url: string; readonly mode: string; readonly used: string }
const LOGINS: Shows<Known> = [
  ['login', 'name'],
  ['mode', 'mode'],
  ['gateway', 'url'],
  ['', 'used'],
]

export const whoami = command('whoami', 'show which gateway is called, as whom, and where both come from', {
  examples: ['gateway whoami', 'gateway whoami --use shop --json'],
  options: PLACE,
  run: async (options) => {
    const found = findPlace(options)
    const account = found.key && (await accountAt({ baseUrl: found.url.value, apiKey: found.key.value }))
    return { found, account, ...readLogins(readCommandLine().configDir) }
  },
  json: ({ found: { url, key }, account, inUse, logins }) => ({
    url: url.value,
    url_from: url.from,
    key_from: key?.from ?? null,
    livemode: account?.livemode ?? null,
    account_id: account?.id ?? null,
    account_name: account?.name ?? null,
    in_use: inUse,
    logins: Object.entries(logins).map(([name, { url: at }]) => ({ name, url: at })),
  }),
  print: ({ found: { url, key }, account, inUse, logins }) => {
    printPairs([
      ['gateway', `${url.value}  (from ${url.from})`],
      ['key', key ? `${key.value.split('_').slice(0, 3).join('_')}_…  (from ${key.from})` : 'none: gateway login'],
      ['mode', account && modeWords(account.livemode)],
      ['account', account && `${account.name} (${account.id})`],
    ])
    const known = Object.entries(logins)
    if (known.length === 0) return
    print()
    printMany(
      known.map(([name, { url: at, api_key: text }]) => {
        return { name, url: at, mode: modeText(isLiveKey(text)), used: name === inUse ? 'in use' : '' }
      }),
      LOGINS,
    )
  },
})
