// A database as plain SQL, one row a line, in the order of its keys; and the way back: the schema as it was, and the rows in it.
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../../src/platform/migrate.ts'

type Table = { readonly name: string; readonly columns: readonly string[]; readonly key: readonly string[] }

const MIGRATIONS = 'db/migrations'
const HEAD = /^-- schema (\d+)$/m

/** Every row of every table, as they all were at one moment. */
export async function dumpOf(owner: pg.ClientConfig, title: string): Promise<string> {
  return withClient(owner, async (client) => {
    await client.query('begin isolation level repeatable read read only')
    await client.query(`set local timezone = 'UTC'`)
    const { rows } = await client.query<{ schema: number }>('select max(version) as schema from schema_migrations')
    const parts = [`-- ${title}\n-- schema ${rows[0]?.schema}\n`]
    for (const table of await tablesOf(client)) parts.push(await rowsOf(client, table))
    await client.query('rollback')
    return parts.join('')
  })
}

/** Makes what was dumped in a new database of the same server; the connection of its owner. */
export async function loadDump(owner: pg.ClientConfig, name: string, text: string): Promise<pg.ClientConfig> {
  await withClient(owner, (client) => client.query(`create database ${name} template template0`))
  const connection = { ...owner, database: name }
  await fillFromDump(connection, text)
  return connection
}

/** The same in a database that is there and empty. */
export async function fillFromDump(connection: pg.ClientConfig, text: string): Promise<void> {
  await migrateTo(connection, Number(HEAD.exec(text)?.[1]))
  await withClient(connection, async (client) => {
    await client.query('begin')
    // Rows come table by table, and each table may refer to any other.
    await client.query('set local session_replication_role = replica')
    const names = (await tablesOf(client)).map((table) => table.name)
    // What migrations put in is in the dump as well.
    await client.query(`truncate ${names.join(', ')}`)
    await client.query(text)
    await client.query('commit')
  })
}

/** The schema as it was when only the first files of today's were there. The rows bring the checksums that they had. */
export async function migrateTo(connection: pg.ClientConfig, version: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-schema-'))
  try {
    for (const name of readdirSync(MIGRATIONS).filter((each) => Number(each.slice(0, 4)) <= version))
      copyFileSync(join(MIGRATIONS, name), join(directory, name))
    await migrate({ connection, directory, mode: 'apply', log: () => undefined })
  } finally {
    rmSync(directory, { recursive: true })
  }
}

async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select c.relname as name,
           (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
           coalesce((select array_agg(a.attname::text order by array_position(i.indkey::int2[], a.attnum))
                       from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
                      where i.indrelid = c.oid and i.indisprimary), '{}') as key
      from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname`)
  return rows
}

/** Its line ends as escapes: in the file they would be changed by whoever checks it out. */
function literalOf(column: string): string {
  const value = `"${column}"::text`
  const open = `replace(replace(ltrim(quote_literal(${value}), 'E'), chr(10), '\\n'), chr(13), '\\r')`
  return `case when ${value} ~ '[\\n\\r]' then 'E' || ${open} else quote_nullable(${value}) end`
}

async function rowsOf(client: pg.Client, { name, columns, key }: Table): Promise<string> {
  const values = columns.map(literalOf).join(', ')
  const order = key.length === 0 ? '1' : key.map((column) => `"${column}"`).join(', ')
  const { rows } = await client.query<{ line: string }>(
    `select '(' || concat_ws(', ', ${values}) || ')' as line from "${name}" order by ${order}`,
  )
  if (rows.length === 0) return ''
  const names = columns.map((column) => `"${column}"`).join(', ')
  return `\ninsert into "${name}" (${names}) overriding system value values\n${rows.map(({ line }) => line).join(',\n')};\n`
}

async function withClient<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
