// The other servers that lanes are spread over, from the file that GATEWAY_LANES_FILE names. It holds passwords.
import { readFileSync, statSync } from 'node:fs'
import { LANE_COUNT } from '../../domain/contract/ids.ts'
import { HOME } from '../../store/operator/lane-servers.ts'
import type { Env } from './environment.ts'

/** A PostgreSQL beside the one of DATABASE_URL. */
export type LaneServer = {
  readonly name: string
  /** The lanes that it has from the beginning; none where the file does not say. Later they are where they were moved to. */
  readonly lanes: readonly number[]
  readonly databaseUrl: string
  readonly ownerDatabaseUrl: string | null
  readonly operatorDatabaseUrl: string | null
}

const NAME = /^[a-z][a-z0-9-]{0,31}$/
const BY_OTHERS = 0o007
const FIELDS = ['name', 'lanes', 'database_url', 'owner_database_url', 'operator_database_url']

export function laneServersOf(env: Env, faults: string[]): readonly LaneServer[] {
  const path = env['GATEWAY_LANES_FILE']
  if (!path) return []
  const wrong = (what: string) => void faults.push(`GATEWAY_LANES_FILE: ${what}`)
  // Other servers do not reach it, and its backups would be of a part.
  if (!env['DATABASE_URL']) wrong('home must be a PostgreSQL of your own (DATABASE_URL), not the embedded one')
  const file = fileAt(path, wrong)
  if (file === null) return []
  const { servers, ...others } = file
  for (const key of Object.keys(others)) wrong(`${key} is not known beside servers`)
  if (!Array.isArray(servers)) {
    wrong('servers must be a list, each with name, lanes and database_url')
    return []
  }
  const read = servers.flatMap((each: unknown, place) => serverFrom(each, place, wrong) ?? [])
  const owners = new Map<number, string>()
  for (const { name, lanes } of read)
    for (const lane of lanes) {
      const other = owners.get(lane)
      if (other !== undefined) wrong(`lane ${lane} is given to ${other} and to ${name}`)
      owners.set(lane, name)
    }
  if (new Set(read.map(({ name }) => name)).size < read.length) wrong('two servers have one name')
  return read
}

function fileAt(path: string, wrong: (what: string) => void): Readonly<Record<string, unknown>> | null {
  try {
    if ((statSync(path).mode & BY_OTHERS) !== 0)
      wrong(`${path} holds passwords, and every user of this machine may read it: chmod o-rwx ${path}`)
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
    wrong(`${path} must hold a JSON object`)
  } catch (fault) {
    // What the parser says quotes the text, and a password may stand there.
    const why = fault instanceof SyntaxError ? 'it is not JSON' : (fault as Error).message
    wrong(`${path} cannot be read: ${why}`)
  }
  return null
}

function serverFrom(given: unknown, place: number, wrong: (what: string) => void): LaneServer | null {
  const at = `server ${place + 1}`
  if (typeof given !== 'object' || given === null) {
    wrong(`${at} must be an object`)
    return null
  }
  const { name, lanes, database_url: url, ...rest } = given as Record<string, unknown>
  const unknown = Object.keys(given).find((field) => !FIELDS.includes(field))
  if (unknown !== undefined) wrong(`${at}: ${unknown} is not known; there are ${FIELDS.join(', ')}`)
  if (typeof name !== 'string' || !NAME.test(name) || name === HOME) {
    wrong(`${at}: name must be 1 to 32 of a-z, 0-9 and -, begin with a letter, and not be "${HOME}"`)
    return null
  }
  if (!isDatabaseUrl(url)) {
    wrong(`${name}: database_url must be ${URL_WORDS}`)
    return null
  }
  const optional = (field: 'owner_database_url' | 'operator_database_url'): string | null => {
    const value = rest[field]
    if (isDatabaseUrl(value)) return value
    if (value !== undefined && value !== null) wrong(`${name}: ${field} must be ${URL_WORDS}; or left out`)
    return null
  }
  const read = lanes === undefined ? [] : lanesFrom(lanes)
  if (read === null) wrong(`${name}: lanes must be text such as "128-255" or "3, 17-20", of 0 to ${LANE_COUNT - 1}`)
  return {
    name,
    lanes: read ?? [],
    databaseUrl: url,
    ownerDatabaseUrl: optional('owner_database_url'),
    operatorDatabaseUrl: optional('operator_database_url'),
  }
}

const URL_WORDS =
  'the URL of a PostgreSQL with its host and database, such as postgres://user:password@host:5432/gateway (in a password / is %2F, and @ is %40)'
// Several hosts, with commas, are servers of one database. A host among the parameters may be the directory of a socket.
const DATABASE_URL = /^postgres(?:ql)?:\/\/(?:[^@/?#]*@)?([^@/?#]*)\/[^/?#]+(?:\?([^#]*))?$/

/** What has another form, the client reads as a name of its own making, and looks that up. */
function isDatabaseUrl(value: unknown): value is string {
  const [, hosts, parameters] = (typeof value === 'string' && DATABASE_URL.exec(value)) || []
  if (hosts === undefined) return false
  if (hosts === '') return Boolean(new URLSearchParams(parameters).get('host'))
  return hosts.split(',').every((host) => URL.canParse(`postgres://${host}/`) && /^[^:]|^\[/.test(host))
}

/** "3, 17-20"; null for anything else. */
function lanesFrom(text: unknown): number[] | null {
  if (typeof text !== 'string') return null
  const lanes: number[] = []
  for (const part of text.split(',')) {
    const [, from, to = from] = /^\s*(\d{1,3})(?:\s*-\s*(\d{1,3}))?\s*$/.exec(part) ?? []
    if (from === undefined || Number(to) < Number(from) || Number(to) >= LANE_COUNT) return null
    for (let lane = Number(from); lane <= Number(to); lane++) lanes.push(lane)
  }
  return lanes
}

/** "0-3, 7": lanes as the file says them. They are in their order. */
export function lanesText(all: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const each of all) {
    const last = ranges.at(-1)
    if (last && last[1] === each - 1) last[1] = each
    else ranges.push([each, each])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ')
}
