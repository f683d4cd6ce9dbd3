// What went wrong, for the person at the terminal: one sentence with what to do where it is known, the whole fault where
// it is ours.
import { inspect } from 'node:util'
import { Busy } from '../engine/held-line.ts'
import { ArchiveRefused } from '../main/archives/manifest.ts'
import { BackupRefused } from '../main/backups/manifest.ts'
import { Misconfigured } from '../main/config/config.ts'
import { SchemaBehind } from '../main/database/prepare.ts'
import { MarkUnreadable } from '../main/database/mark.ts'
import { LoginRefused } from '../main/database/logins.ts'
import { faultItself, ServerFault } from '../main/database/server-fault.ts'
import { LanesRefused } from '../main/operator/server-moves.ts'
import { ProcessFailed } from '../main/processes/children.ts'
import { SandboxUnavailable } from '../main/sandbox/sandbox-process.ts'
import { DatabaseUnavailable } from '../platform/db.ts'
import { LaneElsewhere } from '../platform/servers/absence.ts'
import { LaneCopyFailed } from '../platform/postgres/lane-copy.ts'
import { LaneCopyRefused } from '../platform/postgres/lane-tables.ts'
import { PooledByTransaction, StandbyFound } from '../platform/postgres/hosts.ts'
import { MigrationRefused } from '../platform/migration-files.ts'
import { PostgresUnavailable } from '../platform/postgres/errors.ts'

export type Explained = { readonly code: string; readonly message: string; readonly details: unknown }

/** The words for a fault. */
export function explain(fault: unknown): Explained {
  return fault instanceof ServerFault ? explainOfServer(fault) : explainAt(HOME, fault)
}

/** Where the words name DATABASE_URL, those of a server beside home name that. */
function explainOfServer(fault: ServerFault): Explained {
  const own = faultItself(fault)
  const database = `The database of the server ${fault.server} (GATEWAY_LANES_FILE)`
  const words = explainAt({ database, mend: 'Mend its URLs in that file.' }, own)
  if (words.code === 'internal') return plain('internal', `${database}: ${words.message}`)
  const isSaid = own instanceof Error && words.message === own.message
  return isSaid ? { ...words, message: fault.message } : words
}

function explainAt(at: Place, fault: unknown): Explained {
  if (fault instanceof Misconfigured)
    return plain('misconfigured', `The configuration is wrong:\n  ${fault.message.replaceAll('\n', '\n  ')}`)
  if (fault instanceof PostgresUnavailable || fault instanceof MigrationRefused) return plain(fault.code, fault.message)
  if (fault instanceof SchemaBehind) return plain('schema_behind', fault.message)
  if (fault instanceof SandboxUnavailable) return plain('sandbox_unavailable', fault.message)
  if (fault instanceof ProcessFailed) return plain(fault.code, fault.message)
  if (fault instanceof MarkUnreadable) return plain('mark_unreadable', fault.message)
  if (fault instanceof BackupRefused) return plain('backup_refused', fault.message)
  if (fault instanceof ArchiveRefused) return plain('archive_refused', fault.message)
  if (fault instanceof LanesRefused || fault instanceof LaneCopyRefused || fault instanceof LaneCopyFailed)
    return plain('lanes_refused', fault.message)
  if (fault instanceof LoginRefused) return plain('database_login', fault.message)
  if (fault instanceof StandbyFound || fault instanceof PooledByTransaction)
    return plain('database_login', fault.message)
  if (fault instanceof LaneElsewhere)
    return plain(
      'lane_elsewhere',
      `Home says where lane ${fault.lanes.join(', ')} is, and the server there does not have it. Try again in a moment, for it may be on its way; gateway verify says why it stays so.`,
    )
  if (fault instanceof DatabaseUnavailable) return explainAt(at, fault.cause ?? new Error(fault.message))
  if (fault instanceof Busy)
    return plain(
      'account_busy',
      'Another session of the database holds the account, and held it for five seconds. Nothing was done. Try again, or end that session.',
    )
  const code = codeOf(fault)
  const path = fault instanceof Error && 'path' in fault ? fault.path : undefined
  if (code !== undefined && typeof path === 'string')
    return plain(code, `${path} cannot be used (${code}). ${MEND_PATH}`)
  const words = code === undefined ? undefined : (DATABASE[code] ?? SYSTEM[code])
  return words === undefined
    ? plain('internal', `This should not happen: ${inspect(fault)}`)
    : plain(code ?? 'internal', words(fault, at))
}

const plain = (code: string, message: string): Explained => ({ code, message, details: null })

/** Which database is meant, and what to do where its URL is wrong. */
type Place = { readonly database: string; readonly mend: string }
const HOME: Place = {
  database: 'The database of DATABASE_URL',
  mend: 'Mend DATABASE_URL, or leave it out to use the embedded PostgreSQL.',
}

type Words = (fault: unknown, at: Place) => string
const MEND_PATH = 'Give it to the user who runs the gateway, or set GATEWAY_DATA_DIR to another directory.'
const unreachable: Words = (fault, { database, mend }) =>
  `${database} cannot be reached (${codeOf(fault)}). Start it, or ${lower(mend)}`
const pooled: Words = (fault, { database }) =>
  `${database} lost a prepared statement (${textOf(fault)}): a pooler before it gives each transaction another connection. Set pool_mode = session for it, or name PostgreSQL itself.`

// SQLSTATEs that a wrong DATABASE_URL meets, or the URL of another server.
const DATABASE: Readonly<Record<string, Words>> = {
  '28P01': (_, { database, mend }) => `${database} refuses the password. ${mend}`,
  '28000': (_, { database, mend }) => `${database} refuses the user. ${mend}`,
  '3D000': (_, { database }) => `${database} does not exist. Create it (createdb), or name another.`,
  '42501': (fault, { database }) =>
    `${database}: the user lacks a right (${textOf(fault)}). It must own the database and be allowed to create a role.`,
  '53300': (_, { database }) => `${database} has no connection left. Raise max_connections, or stop what holds them.`,
  '26000': pooled,
  '42P05': pooled,
}
const SYSTEM: Readonly<Record<string, Words>> = {
  EADDRINUSE: (fault) =>
    `${addressOf(fault)} is taken. Is a gateway running already? Stop what holds it, or choose another port: PORT=3001 npm start`,
  EADDRNOTAVAIL: (fault) =>
    `${addressOf(fault)} is no address of this machine. Set HOST to one that is, such as 127.0.0.1.`,
  EACCES: (fault, at) =>
    (fault as { syscall?: string }).syscall === 'connect'
      ? unreachable(fault, at)
      : `${addressOf(fault)} may not be used by this user. Choose a port above 1023, such as PORT=3000.`,
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  ETIMEDOUT: unreachable,
  EHOSTUNREACH: unreachable,
}

function codeOf(fault: unknown): string | undefined {
  if (!(fault instanceof Error)) return undefined
  // A name with several addresses fails with one fault for each.
  if (fault instanceof AggregateError) return codeOf(fault.errors[0])
  if (/timeout expired|terminated due to connection timeout/i.test(fault.message)) return 'ETIMEDOUT'
  return 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined
}

function addressOf(fault: unknown): string {
  const { address, port } = fault as { address?: string; port?: number }
  return port === undefined ? 'The address' : `Port ${port} on ${address ?? 'this machine'}`
}

const textOf = (fault: unknown) => (fault instanceof Error ? fault.message : String(fault))
const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
