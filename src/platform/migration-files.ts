// Reads the directory of migrations: NNNN_name.sql, numbered from 1 without a gap, each marked safe or breaking.
// Knows nothing about a database.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type MigrationCode =
  | 'bad_name'
  | 'gap'
  | 'unmarked'
  | 'own_transaction'
  | 'changed'
  | 'newer_schema'
  | 'older_schema'
  | 'locked'
  | 'failed'
  | 'server_too_old'
  | 'not_durable'
  | 'not_distributing'
  | 'not_distributed'
  | 'is_distributing'
  | 'not_home'
  | 'server_not_named'
  | 'server_not_joined'
  | 'server_away'
  | 'other_server'

/** A schema that we will not touch, or a database that we will not serve from. The message names the fix. */
export class MigrationRefused extends Error {
  readonly code: MigrationCode

  constructor(code: MigrationCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'MigrationRefused'
    this.code = code
  }
}

export type Migration = {
  readonly version: number
  /** The file's name. */
  readonly name: string
  /** A breaking one does not leave the previous release working. */
  readonly kind: 'safe' | 'breaking'
  readonly sql: string
  /** SHA-256 of the text, hex. */
  readonly checksum: string
}

const NAME = /^(\d{4})_[a-z0-9_]+\.sql$/
const MARK = /^-- (safe|breaking)\s*$/m
// A whole statement at the start of a line: the `begin` of a function body has no semicolon, its `end` is let be.
const TRANSACTION = /^(begin|start transaction|commit|rollback)( (work|transaction)\b[^;\n]*)?\s*;/im

/** All migrations of `directory` in order. Throws MigrationRefused when a name, a number or a first line is wrong. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  const migrations = await Promise.all(names.map((name) => readMigration(directory, name)))
  for (const [index, { name, version }] of migrations.entries()) {
    if (version === index + 1) continue
    const expected = String(index + 1).padStart(4, '0')
    throw new MigrationRefused(
      'gap',
      `${name}: number ${expected} was expected here. Number the files from 0001, each once.`,
    )
  }
  return migrations
}

async function readMigration(directory: string, name: string): Promise<Migration> {
  const version = Number(NAME.exec(name)?.[1])
  if (!(version > 0)) throw new MigrationRefused('bad_name', `${name}: name it NNNN_some_words.sql, from 0001 on.`)
  // Line ends are the checkout's affair, not the migration's.
  const sql = (await readFile(join(directory, name), 'utf8')).replaceAll('\r\n', '\n')
  const mark = MARK.exec(sql.slice(0, sql.indexOf('\n') + 1))?.[1]
  if (mark !== 'safe' && mark !== 'breaking') {
    throw new MigrationRefused('unmarked', `${name}: its first line must be "-- safe" or "-- breaking".`)
  }
  const own = TRANSACTION.exec(sql)
  if (own) {
    throw new MigrationRefused(
      'own_transaction',
      `${name}: "${own[0]}" is not its business; each file is one transaction.`,
    )
  }
  return { version, name, kind: mark, sql, checksum: createHash('sha256').update(sql).digest('hex') }
}
