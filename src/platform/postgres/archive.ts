// The archive of PostgreSQL's log (WAL): each file that is full is copied out of the server, compressed, before the server may
// use it again. With a base copy (base-copy.ts) it leads to any moment since. Knows files; knows no table.
import { chownSync, existsSync, mkdirSync, openSync, readFileSync, readSync, closeSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from '../private-files.ts'
import type { Home } from './home.ts'

/** How long a transaction may be in the server's own log alone. */
const ARCHIVE_TIMEOUT = '60s'

/**
 * What PostgreSQL runs for each file of its log: durable, and nothing that is there is written over. The same again is
 * success, for the server asks twice when it dies between the two.
 */
const SCRIPT = String.raw`set -eu
umask 077
if [ -f "$to/$2.gz" ]; then
  gzip -dc "$to/$2.gz" | cmp -s - "$1" && exit 0
  echo "$to has another $2 already: the archive of another database?" >&2
  exit 1
fi
aside="$to/$2.part"
trap 'rm -f "$aside"' EXIT
gzip -nc1 "$1" >"$aside"
sync "$aside"
mv "$aside" "$to/$2.gz"
sync "$to"
`

/**
 * The settings of a server with or without an archive. `wanted`: the directory of backups, null for no archive from now
 * on, undefined for what was said last: a command of an operator must not make a hole in the archive.
 */
export function archiveSettings(home: Home, wanted: string | null | undefined): Readonly<Record<string, string>> {
  const script = join(home.place, 'postgres.archive')
  if (wanted === null) rmSync(script, { force: true })
  else if (wanted !== undefined) writeScript(home, script, wanted)
  if (!existsSync(script)) return { archive_mode: 'off' }
  const command = `/bin/sh ${percentsDoubled(quoted(script))} "%p" "%f"`
  return { archive_mode: 'on', archive_timeout: ARCHIVE_TIMEOUT, archive_command: command }
}

function writeScript(home: Home, script: string, directory: string): void {
  const to = openArchive(home, directory)
  const text = `to=${quoted(to)}\n${SCRIPT}`
  if (existsSync(script) && readFileSync(script, 'utf8') === text) return
  writePrivateFile(script, text)
  if (home.user) chownSync(script, home.user.uid, home.user.gid)
}

/** The server's user writes to it; where that is not ours it has to come through the directories above. */
function openArchive({ data, user }: Home, directory: string): string {
  const to = archiveOf(directory, systemIdOf(data))
  for (const each of [directory, join(directory, 'wal')])
    if (!existsSync(each)) mkdirSync(each, { recursive: true, mode: user ? 0o711 : 0o700 })
  mkdirSync(to, { recursive: true, mode: 0o700 })
  if (user) chownSync(to, user.uid, user.gid)
  return to
}

/** Where the archive of a cluster is: the names of its files are those of every other cluster's, too. */
export const archiveOf = (directory: string, systemId: string): string => join(directory, 'wal', systemId)

/** The number that PostgreSQL gave the cluster when it was made: the first eight bytes of its control file. */
export function systemIdOf(data: string): string {
  const handle = openSync(join(data, 'global', 'pg_control'), 'r')
  try {
    const bytes = Buffer.alloc(8)
    readSync(handle, bytes, 0, bytes.length, 0)
    return bytes.readBigUInt64LE().toString()
  } finally {
    closeSync(handle)
  }
}

/** What a server that is restored runs for each file of the log that it wants: from the first directory that has it. */
export function restoreCommand(directories: readonly string[]): string {
  const from = directories.map((each) => percentsDoubled(quoted(each))).join(' ')
  return `for d in ${from}; do [ -f "$d/%f.gz" ] && exec gzip -dc "$d/%f.gz" >"%p"; done; exit 1`
}

/** One word of the shell. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A percent sign begins a placeholder of PostgreSQL's. */
const percentsDoubled = (text: string) => text.replaceAll('%', '%%')

/** A file of the log: timeline, and its place in the log, each part eight hexadecimal digits. */
const LOG_FILE = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/
export const isLogFile = (name: string): boolean => LOG_FILE.test(name)

/** Whether a file of the log, of whatever timeline, is from before another one. */
export const isBefore = (name: string, other: string): boolean => name.slice(8) < other.slice(8)

// 4 GB of log have one number, and a file of it 16 MB: clusters are made with that size.
const FILES_PER_NUMBER = 256

/** The files of the log from one to another of the same timeline, both included. */
export function logFilesBetween(first: string, last: string): string[] {
  const [timeline, end] = [first.slice(0, 8), placeOf(last)]
  const names: string[] = []
  for (let place = placeOf(first); place <= end; place++)
    names.push(timeline + hex8(Math.floor(place / FILES_PER_NUMBER)) + hex8(place % FILES_PER_NUMBER))
  return names
}

function placeOf(name: string): number {
  const [, , number = '', file = ''] = LOG_FILE.exec(name) ?? []
  if (file === '') throw new Error(`${name} is no name of a file of the log`)
  return Number.parseInt(number, 16) * FILES_PER_NUMBER + Number.parseInt(file, 16)
}

const hex8 = (value: number) => value.toString(16).toUpperCase().padStart(8, '0')
