// Chooses where a database lives for a given data directory: the directory itself, or, when the gateway is root and
// the server's unprivileged user cannot reach it (a private home), a place of its own that is written down.
// Knows nothing about starting anything.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cannotDropRoot, type ServerUser } from './binaries.ts'
import { codeOf, PostgresUnavailable } from './errors.ts'
import { isGivenUp, ownUserFor } from './user.ts'

/** The files and directories of one embedded server. */
export type Home = {
  /** Where the gateway is configured to keep its data; holds the password, the log and the note about `place`. */
  readonly dataDir: string
  /** Where the database itself is: `dataDir`, or elsewhere when the server's user cannot reach that. */
  readonly place: string
  readonly data: string
  readonly sockets: string
  readonly users: string
  readonly log: string
  readonly password: string
  /** The user to run the server as; undefined means as ourselves. */
  readonly user: ServerUser | undefined
}

const RELOCATED = ['/var/lib/gateway-contracts', '/tmp/gateway-contracts']
// 104 bytes with the closing zero is the smallest limit (darwin); the name of the socket itself takes 15 of them.
const SOCKET_DIRECTORY_BYTES_MAX = 103 - '/.s.PGSQL.5432'.length

/** Finds or makes the home of `dataDir`; the same directory always gets the same one. Throws PostgresUnavailable. */
export function openHome(dataDir: string): Home {
  const isRoot = process.getuid?.() === 0
  mkdirSync(dataDir, { recursive: true, mode: isRoot ? 0o711 : 0o700 })
  const root = realpathSync(dataDir)
  const recorded = recordedPlace(root)
  const user = isRoot ? ownerOf(recorded ?? root) : undefined
  const place = recorded ?? placeFor(root, user)
  const data = join(place, 'postgres')
  if (!isRoot) refuseForeignOwner(data, process.getuid?.())
  const users = join(place, 'postgres.users')
  mkdirSync(users, { recursive: true, mode: 0o700 })
  return {
    dataDir: root,
    place,
    data,
    sockets: socketDirectory(data, user),
    users,
    log: join(root, 'postgres.log'),
    password: join(root, 'postgres.password'),
    user,
  }
}

/** Writes down a place that differs from the data directory. Called once the database in it is whole. */
export function recordPlace(home: Home): void {
  if (home.place !== home.dataDir) writeFileSync(notePath(home.dataDir), `${home.place}\n`)
}

function notePath(dataDir: string): string {
  return join(dataDir, 'postgres.path')
}

// The note is written only after the database exists, so a note without one means that a ledger has gone missing.
// Beginning a new, empty one in its stead must be an operator's decision.
function recordedPlace(dataDir: string): string | undefined {
  const note = notePath(dataDir)
  if (!existsSync(note)) return undefined
  const place = readFileSync(note, 'utf8').trim()
  if (existsSync(join(place, 'postgres'))) return place
  const message = `${note} says that the database is in ${place}, but there is none. Put it back, or delete ${note} to begin with an empty one.`
  throw new PostgresUnavailable('database_missing', message)
}

/** A database that exists already keeps its owner, but for one that is not ours to keep; a new one gets a user of its own. */
function ownerOf(place: string): ServerUser {
  const data = join(place, 'postgres')
  if (!existsSync(data)) return ownUserFor(place)
  const { uid, gid } = statSync(data)
  return isGivenUp(uid) ? ownUserFor(place) : { uid, gid }
}

/** Whether the database still belongs to an earlier user that its own user replaces. Not while its server runs. */
export function isToBeTakenOver({ data, user }: Home): boolean {
  return user !== undefined && existsSync(data) && statSync(data).uid !== user.uid
}

function refuseForeignOwner(data: string, uid: number | undefined): void {
  if (!existsSync(data) || uid === undefined) return
  const owner = statSync(data).uid
  if (owner === uid) return
  const message = `The database in ${data} belongs to user ${owner}, not to user ${uid}. Start the gateway as its owner or as root, or set GATEWAY_DATA_DIR to another directory.`
  throw new PostgresUnavailable('directory_not_writable', message)
}

function placeFor(dataDir: string, user: ServerUser | undefined): string {
  if (user === undefined || reaches(user, dataDir)) return dataDir
  if (existsSync(join(dataDir, 'postgres'))) {
    const message = `The database in ${dataDir} cannot be reached by user ${user.uid}, which the server runs as. Make each directory above it traversable (chmod o+x), or move it.`
    throw new PostgresUnavailable('directory_not_reachable', message)
  }
  const hash = shortHash(dataDir)
  for (const base of RELOCATED) {
    const place = makePublic(base, hash)
    if (place !== undefined && reaches(user, place)) return place
  }
  const message = `The server's user ${user.uid} can reach neither ${dataDir} nor ${RELOCATED.join(' nor ')}. Set GATEWAY_DATA_DIR to a directory that every user may traverse.`
  throw new PostgresUnavailable('directory_not_reachable', message)
}

// Checked by the kernel as that user, since modes alone do not decide it (access lists, mounts, name spaces).
function reaches(user: ServerUser, directory: string): boolean {
  const run = spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', directory], { ...user, cwd: '/', env: {} })
  if (run.error) throw cannotDropRoot(run.error)
  return run.status === 0
}

function makePublic(base: string, name: string): string | undefined {
  const directory = join(base, name)
  try {
    for (const each of [base, directory]) makeOwn(each, 0o755, undefined)
    return directory
  } catch (fault) {
    if (codeOf(fault) === undefined) throw fault
    return undefined
  }
}

/** Makes a directory, or takes one that is ours already: below /tmp another user may have put one in our way. */
function makeOwn(directory: string, mode: number, user: ServerUser | undefined): void {
  const uid = user?.uid ?? process.getuid?.()
  try {
    mkdirSync(directory, { mode: 0o700 })
    if (user) chownSync(directory, user.uid, user.gid)
  } catch (fault) {
    if (codeOf(fault) !== 'EEXIST') throw fault
  }
  const found = lstatSync(directory)
  const isOurs = [uid, process.getuid?.()].includes(found.uid) || (user !== undefined && isGivenUp(found.uid))
  if (!found.isDirectory() || !isOurs) {
    const message = `${directory} is in the way: it belongs to another user. Remove it, or set GATEWAY_DATA_DIR to a shorter path that every user may traverse.`
    throw new PostgresUnavailable('directory_not_reachable', message)
  }
  // Also fixes the owner after a crash between making the directory and handing it over.
  if (user && found.uid !== uid) chownSync(directory, user.uid, user.gid)
  chmodSync(directory, mode)
}

/** Beside the data when the path is short enough for a socket, else a private directory with a short name. */
function socketDirectory(data: string, user: ServerUser | undefined): string {
  if (Buffer.byteLength(data) <= SOCKET_DIRECTORY_BYTES_MAX) return data
  const name = `gateway-pg-${shortHash(data)}`
  const ours = join(tmpdir(), name)
  const fits = user === undefined && Buffer.byteLength(ours) <= SOCKET_DIRECTORY_BYTES_MAX
  const directory = fits ? ours : join('/tmp', name)
  makeOwn(directory, 0o700, user)
  return directory
}

function shortHash(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16)
}
