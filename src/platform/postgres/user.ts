// Which unprivileged user an embedded server runs as where the gateway is root: one of its own for each data directory,
// chosen by number and known to no other program, so that other programs running as "nobody" can neither read the
// database nor signal its server. Knows nothing about starting anything.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lchownSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cannotDropRoot, type ServerUser } from './binaries.ts'
import { codeOf } from './errors.ts'

const NOBODY: ServerUser = { uid: 65534, gid: 65534 }
// Left unused by distributions and by systemd (its documentation of user ids); containers that map ids map these, too.
const FIRST = 60_578
const LAST = 61_183

/** The user for a new database in this directory: the same each time. `nobody` where the system allows no other. */
export function ownUserFor(directory: string): ServerUser {
  if (process.platform !== 'linux') return NOBODY
  const taken = new Set([...idsIn('/etc/passwd'), ...idsIn('/etc/group')])
  const count = LAST - FIRST + 1
  const start = createHash('sha256').update(directory).digest().readUInt32BE() % count
  for (let i = 0; i < count; i++) {
    const id = FIRST + ((start + i) % count)
    if (!taken.has(id)) return mayBecome({ uid: id, gid: id }) ? { uid: id, gid: id } : NOBODY
  }
  return NOBODY
}

/** Whether other programs may run as this user. */
export const isShared = ({ uid }: ServerUser): boolean => uid === NOBODY.uid

/** An owner whose files the server's user takes over: the shared one of earlier releases, or root after a restore. */
export const isGivenUp = (uid: number): boolean => uid === NOBODY.uid || uid === 0

/**
 * As whom initdb runs for this user. It insists on a name, which an id of our own has not: then it is "nobody" with the
 * group of our own, behind a directory that only this group may pass.
 */
export function makerFor(user: ServerUser): ServerUser {
  return idsIn('/etc/passwd').includes(user.uid) ? user : { uid: NOBODY.uid, gid: user.gid }
}

/** Gives a directory and all in it to the user, the directory itself last: its owner shows that the rest is done. */
export function giveTo(user: ServerUser, directory: string): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name)
    const found = lstatSync(path)
    if (found.isDirectory()) giveTo(user, path)
    else if (found.uid !== user.uid || found.gid !== user.gid) lchownSync(path, user.uid, user.gid)
  }
  lchownSync(directory, user.uid, user.gid)
}

/** The third field of each line: the id of a user or a group. */
function idsIn(path: string): number[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => Number.parseInt(line.split(':')[2] ?? '', 10))
}

function mayBecome(user: ServerUser): boolean {
  const run = spawnSync('/bin/sh', ['-c', ':'], { ...user, cwd: '/', env: {} })
  if (run.error === undefined) return true
  if (codeOf(run.error) === 'EINVAL' || codeOf(run.error) === 'EPERM') return false
  throw cannotDropRoot(run.error)
}
