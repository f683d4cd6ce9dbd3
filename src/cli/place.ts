// Which gateway a command calls, and as whom: by options, else the environment, else the login in use, else the dev.json that
// a local gateway writes. Each is known with where it comes from.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withoutTrailing } from '../domain/text/texts.ts'
import type { ConsoleLogin, WrittenFile } from '../main/development.ts'
import { type CommandLineConfig, readCommandLine } from '../main/config/command-line.ts'
import { type Login, readLogins } from './accounts/logins.ts'
import { CommandFailed, Misused } from './failures.ts'

export type Place = {
  readonly baseUrl: string
  /** Empty where none is sent. */
  readonly apiKey: string
  /** A payer's: it goes along as bearer token. */
  readonly token?: string
}

export type PlaceOptions = {
  readonly url?: string | undefined
  readonly apiKey?: string | undefined
  /** The name of a login. */
  readonly use?: string | undefined
}

/** Where a value comes from, in words. */
type Sourced = { readonly value: string; readonly from: string }
export type FoundPlace = { readonly url: Sourced; readonly key: Sourced | null }

/** Where to call and as whom. Throws where there is nothing that says it. */
export function placeOf(options: PlaceOptions): Place {
  const { url, key } = findPlace(options)
  if (key) return { baseUrl: url.value, apiKey: key.value }
  throw new CommandFailed(
    `No key is known for ${url.value} (${url.from}). Log in (gateway login --url ${url.value}), or give --api-key or GATEWAY_API_KEY.`,
  )
}

/** The same, where it is the gateway of an address that somebody else wrote: whoever did would have the key. */
export function placeAt(address: string, options: PlaceOptions): Place {
  const place = placeOf(options)
  const origin = originOf(address)
  if (originOf(place.baseUrl) === origin) return place
  const { from } = findPlace(options).url
  throw new CommandFailed(
    `No key is sent to ${origin}: the gateway that it is for is ${place.baseUrl} (${from}). If ${origin} is the gateway of your own account, say so: --url ${origin}`,
  )
}

type Stored = { readonly url: string | null; readonly key: string | null; readonly from: string }

export function findPlace({ url, apiKey, use }: PlaceOptions, config = readCommandLine()): FoundPlace {
  const said =
    (url === undefined ? null : { value: url, from: '--url' }) ??
    (config.url === null ? null : { value: config.url, from: 'GATEWAY_URL' })
  const saidKey =
    (apiKey === undefined ? null : { value: apiKey, from: '--api-key' }) ??
    (config.apiKey === null ? null : { value: config.apiKey, from: 'GATEWAY_API_KEY' })
  const stored = said && saidKey && use === undefined ? null : storedPlace(use ?? null, config)
  const found = said ?? (stored?.url ? { value: stored.url, from: stored.from } : null)
  if (!found) throw nowhere(config)
  const address = { value: addressOf(found), from: found.from }
  return { url: address, key: saidKey ?? keyFor(address.value, stored) }
}

/** A stored key goes to the gateway that it was stored for, and to no other. */
function keyFor(address: string, stored: Stored | null): Sourced | null {
  if (!stored?.key || stored.url === null) return null
  return originOf(stored.url) === originOf(address) ? { value: stored.key, from: stored.from } : null
}

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : url)

function storedPlace(use: string | null, config: CommandLineConfig): Stored | null {
  const { inUse, logins } = readLogins(config.configDir)
  const name = use ?? config.login ?? inUse
  if (name !== null) return placeOfLogin(name, logins[name], Object.keys(logins))
  const path = devPath(config)
  if (!existsSync(path)) return null
  const { base_url: url = null, api_key: key = null } = readDevFile(config)
  return { url, key, from: path }
}

function placeOfLogin(name: string, login: Login | undefined, known: readonly string[]): Stored {
  if (login) return { url: login.url, key: login.api_key, from: `the login ${name}` }
  const there = known.length === 0 ? 'There is none: gateway login' : `There are: ${known.join(', ')}.`
  throw new Misused(`no login is called ${name}. ${there}`)
}

/** How one signs in to the console of a development gateway of this directory; null for every other. */
export function consoleLoginAt(url: string, config = readCommandLine()): ConsoleLogin | null {
  if (!existsSync(devPath(config))) return null
  const { base_url: base, console_login: login } = readDevFile(config)
  return base && originOf(base) === originOf(url) ? (login ?? null) : null
}

const devPath = ({ dataDir }: CommandLineConfig) => join(dataDir, 'dev.json')

function readDevFile(config = readCommandLine()): WrittenFile {
  const path = devPath(config)
  if (!existsSync(path)) return {}
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as WrittenFile
  } catch (fault) {
    const why = fault instanceof SyntaxError ? 'it is no JSON' : (fault as NodeJS.ErrnoException).code
    throw new CommandFailed(`${path} cannot be read (${why}). The next start of the gateway writes it anew.`)
  }
}

/** Where the sandbox provider of that gateway is; null where the gateway is not the one that runs here. */
export function sandboxOf({ baseUrl }: Place): string | null {
  const { base_url: here, sandbox_url: sandboxUrl } = readDevFile()
  return here === baseUrl ? (sandboxUrl ?? null) : null
}

function nowhere(config: CommandLineConfig): CommandFailed {
  return new CommandFailed(
    `No gateway is known here: nobody has logged in, and ${devPath(config)} does not exist. Start one (gateway start), log in to one (gateway login), or give --url and --api-key (GATEWAY_URL, GATEWAY_API_KEY).`,
  )
}

/** As paths are joined to it. */
function addressOf({ value, from }: Sourced): string {
  const url = URL.canParse(value) ? new URL(value) : null
  if (url && /^https?:$/.test(url.protocol)) {
    if (url.username === '' && url.search === '' && url.hash === '') return withoutTrailing(url.href, '/')
  }
  throw new Misused(
    `${from}: ${JSON.stringify(value)} is no address of a gateway. Give one such as http://127.0.0.1:3000`,
  )
}

/** Whether a key moves real money. */
export const isLiveKey = (apiKey: string) => apiKey.startsWith('gck_live_')
