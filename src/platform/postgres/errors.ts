// What can keep the embedded PostgreSQL from serving, each with a code and a sentence that names the fix.
// Knows nothing about how the server is found or started.

export type PostgresFault =
  | 'no_binaries'
  | 'binaries_unusable'
  | 'cannot_drop_root'
  | 'user_unnamed'
  | 'directory_not_writable'
  | 'directory_not_reachable'
  | 'not_a_database'
  | 'database_missing'
  | 'other_version'
  | 'password_lost'
  | 'disk_full'
  | 'died_at_start'
  | 'start_timeout'

/** The embedded server cannot be had. `code` is stable; the message says what is wrong and what to do about it. */
export class PostgresUnavailable extends Error {
  readonly code: PostgresFault

  constructor(code: PostgresFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'PostgresUnavailable'
    this.code = code
  }
}

const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'])
const USER_UNNAMED = /could not look up effective user ID/
const DISK_FULL = /no space left on device|disk quota exceeded/i

/** The system error code (`ENOENT`, ...) or PostgreSQL's SQLSTATE of a thrown thing, if it has one. */
export function codeOf(fault: unknown): string | undefined {
  if (!(fault instanceof Error) || !('code' in fault)) return undefined
  return typeof fault.code === 'string' ? fault.code : undefined
}

/** Gives a file system fault met below `directory` its name; anything else is returned as it came. */
export function namedFault(fault: unknown, directory: string): unknown {
  const code = codeOf(fault)
  if (fault instanceof PostgresUnavailable || code === undefined) return fault
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(directory, fault)
  if (!NOT_WRITABLE.has(code)) return fault
  const message = `The data directory ${directory} cannot be written (${code}). Give it to the user who runs the gateway, or set GATEWAY_DATA_DIR to another one.`
  return new PostgresUnavailable('directory_not_writable', message, { cause: fault })
}

/** Says why initdb or postgres ended, from the last lines that it wrote. */
export function deathOf(program: string, lines: string, directory: string): PostgresUnavailable {
  if (DISK_FULL.test(lines)) return diskFull(directory)
  if (USER_UNNAMED.test(lines)) return userUnnamed(lines)
  const said = lines.trim() === '' ? 'It said nothing.' : `Its last lines:\n${lines.trim()}`
  const fix = 'Mend what they name, or set DATABASE_URL to a PostgreSQL of your own.'
  return new PostgresUnavailable('died_at_start', `${program} ended while starting in ${directory}. ${fix} ${said}`)
}

function diskFull(directory: string, cause?: unknown): PostgresUnavailable {
  const message = `The disk that holds ${directory} is full. Make room on it, or set GATEWAY_DATA_DIR to another one; nothing was lost.`
  return new PostgresUnavailable('disk_full', message, { cause })
}

// A container that runs under an arbitrary user id: initdb insists on a name for it.
function userUnnamed(lines: string): PostgresUnavailable {
  const message = `PostgreSQL wants a name for the user it runs as (${lines.trim()}). Add a line for that id to /etc/passwd, run as a user who has one, or set DATABASE_URL to a PostgreSQL of your own.`
  return new PostgresUnavailable('user_unnamed', message)
}
