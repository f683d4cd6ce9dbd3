// The migration runner and the durability check, each test on a database of its own.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkDurability, migrate, type MigrateOptions, type MigrateResult } from '../../src/platform/migrate.ts'
import { type EmbeddedPostgres, startPostgres } from '../../src/platform/postgres/postgres.ts'
import { remove } from './starter.ts'

const quiet = (): void => undefined
const FILES = {
  '0001_books.sql': '-- safe\ncreate table books (id int primary key);\n',
  '0002_pages.sql': '-- breaking\ncreate table pages (id int primary key);\ninsert into books values (1);\n',
}
const workshop = mkdtempSync('/tmp/gateway-test-migrate-')
// The server of a gateway that is root runs as another user, who must be able to come here.
chmodSync(workshop, 0o755)
let server: EmbeddedPostgres
let count = 0

beforeAll(async () => {
  // Fast, since nothing here outlives the test, and a server to refuse: synchronous_commit is not what it should be.
  const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }
  server = await startPostgres({ dataDir: join(workshop, 'data'), log: quiet, settings })
}, 180_000)
afterAll(async () => {
  await server.stop()
  remove(workshop)
})

type Case = { client: pg.Client; connection: pg.ClientConfig; directory: string; write(files: Files): void }
type Files = Record<string, string>

function newDirectory(files: Files): string {
  const directory = mkdtempSync(join(workshop, 'migrations-'))
  writeFiles(directory, files)
  return directory
}

function writeFiles(directory: string, files: Files): void {
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(directory, name), sql)
}

async function inDatabase(files: Files, run: (opened: Case) => Promise<void>): Promise<void> {
  count += 1
  const database = `case_${count}`
  const admin = new pg.Client(server.connection)
  await admin.connect()
  await admin.query(`create database ${database}`)
  await admin.end()
  const directory = newDirectory(files)
  const connection = { ...server.connection, database }
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await run({ client, connection, directory, write: (more) => writeFiles(directory, more) })
  } finally {
    await client.end()
  }
}

function run(
  opened: Case,
  mode: MigrateOptions['mode'] = 'apply',
  log: MigrateOptions['log'] = quiet,
): Promise<MigrateResult> {
  return migrate({ connection: opened.connection, directory: opened.directory, log, mode })
}

async function tables(client: pg.Client): Promise<string[]> {
  const found = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  return found.rows.map(({ name }) => name)
}

test('files are applied in order, once, and written down', async () => {
  await inDatabase(FILES, async (opened) => {
    const lines: string[] = []
    const result = await migrate({ ...opened, mode: 'apply', log: (line) => lines.push(line) })
    expect(result).toEqual({ applied: ['0001_books.sql', '0002_pages.sql'], pending: [], version: 2 })
    expect(lines).toEqual([
      expect.stringMatching(/^applied 0001_books\.sql \(safe, \d+ ms\)$/),
      expect.stringMatching(/^applied 0002_pages\.sql \(breaking, \d+ ms\)$/),
    ])
    const rows = await opened.client.query('select version, name, length(checksum) as digits from schema_migrations')
    expect(rows.rows).toEqual([
      { version: 1, name: '0001_books.sql', digits: 64 },
      { version: 2, name: '0002_pages.sql', digits: 64 },
    ])
    expect(await run(opened)).toEqual({ applied: [], pending: [], version: 2 })

    opened.write({ '0003_more.sql': '-- safe\nalter table books add column title text;\n' })
    expect(await run(opened)).toEqual({ applied: ['0003_more.sql'], pending: [], version: 3 })
  })
})

test('a dry run says what would be applied and changes nothing', async () => {
  await inDatabase(FILES, async (opened) => {
    const lines: string[] = []
    const result = await migrate({ ...opened, mode: 'dry-run', log: (line) => lines.push(line) })
    expect(result).toEqual({ applied: [], pending: ['0001_books.sql', '0002_pages.sql'], version: 0 })
    expect(lines).toEqual(['would apply 0001_books.sql (safe)', 'would apply 0002_pages.sql (breaking)'])
    expect(await tables(opened.client)).toEqual([])

    await run(opened)
    opened.write({ '0003_more.sql': '-- safe\nselect 1;\n' })
    expect(await run(opened, 'dry-run')).toEqual({ applied: [], pending: ['0003_more.sql'], version: 2 })
  })
})

test('migrators that start together apply each file once', async () => {
  await inDatabase(FILES, async (opened) => {
    const results = await Promise.all([run(opened), run(opened), run(opened), run(opened)])
    expect(results.flatMap(({ applied }) => applied).sort()).toEqual(['0001_books.sql', '0002_pages.sql'])
    expect(results.map(({ version }) => version)).toEqual([2, 2, 2, 2])
  })
})

test('an applied file that was changed is refused by name; other line ends are no change', async () => {
  await inDatabase(FILES, async (opened) => {
    await run(opened)
    opened.write({ '0001_books.sql': FILES['0001_books.sql'].replaceAll('\n', '\r\n') })
    expect(await run(opened)).toEqual({ applied: [], pending: [], version: 2 })
    opened.write({ '0001_books.sql': `${FILES['0001_books.sql']}-- a word more\n` })
    for (const mode of ['apply', 'dry-run'] as const) {
      const message = expect.stringContaining('0001_books.sql')
      await expect(run(opened, mode)).rejects.toMatchObject({ code: 'changed', message })
    }
  })
})

test('a schema newer than the files is refused where the files do not leave this release working', async () => {
  await inDatabase(FILES, async (opened) => {
    await run(opened)
    rmSync(join(opened.directory, '0002_pages.sql'))
    const message = expect.stringContaining('0002_pages.sql')
    for (const mode of ['apply', 'dry-run'] as const)
      await expect(run(opened, mode)).rejects.toMatchObject({ code: 'newer_schema', message })
  })
})

test('a schema newer by safe files alone is worked with, and stays as it is', async () => {
  await inDatabase(
    { ...FILES, '0003_more.sql': '-- safe\nalter table books add column title text;\n' },
    async (opened) => {
      await run(opened)
      rmSync(join(opened.directory, '0003_more.sql'))
      for (const mode of ['apply', 'dry-run'] as const) {
        const lines: string[] = []
        const result = await run(opened, mode, (line) => lines.push(line))
        expect(result).toEqual({ applied: [], pending: [], version: 3 })
        expect(lines).toEqual([expect.stringContaining('0003_more.sql')])
      }
    },
  )
})

test('a list from before kinds were noted is of safe files', async () => {
  await inDatabase(FILES, async (opened) => {
    await run(opened)
    await opened.client.query('alter table schema_migrations drop column kind')
    expect(await run(opened, 'dry-run')).toEqual({ applied: [], pending: [], version: 2 })
    expect(await run(opened)).toEqual({ applied: [], pending: [], version: 2 })
    const kinds = await opened.client.query('select distinct kind from schema_migrations')
    expect(kinds.rows).toEqual([{ kind: 'safe' }])
  })
})

test('a database of an earlier version, whose files were others, is refused with what to do', async () => {
  await inDatabase(FILES, async (opened) => {
    await run(opened)
    rmSync(join(opened.directory, '0001_books.sql'))
    opened.write({ '0001_accounts.sql': FILES['0001_books.sql'] })
    for (const mode of ['apply', 'dry-run'] as const) {
      const message = expect.stringMatching(/0001_books\.sql.*not brought forward.*empty database or data directory/)
      await expect(run(opened, mode)).rejects.toMatchObject({ code: 'older_schema', message })
    }
  })
})

test('a list with a hole in it is refused', async () => {
  await inDatabase(FILES, async (opened) => {
    await run(opened)
    await opened.client.query('delete from schema_migrations where version = 1')
    await expect(run(opened)).rejects.toMatchObject({ code: 'gap' })
  })
})

test('a file that fails is undone whole, and told with its line; those before it stay', async () => {
  const third = '-- safe\ncreate table half (id int);\ninsert into nowhere values (1);\n'
  await inDatabase({ ...FILES, '0003_third.sql': third }, async (opened) => {
    const message = expect.stringMatching(/^0003_third\.sql, line 3: .*nowhere/)
    await expect(run(opened)).rejects.toMatchObject({ code: 'failed', message })
    expect(await tables(opened.client)).toEqual(['books', 'pages', 'schema_migrations'])
    opened.write({ '0003_third.sql': '-- safe\ncreate table whole (id int);\n' })
    expect(await run(opened)).toMatchObject({ applied: ['0003_third.sql'], version: 3 })
  })
})

test('a table that is locked for a while is waited for in short tries', { timeout: 120_000 }, async () => {
  await inDatabase(FILES, async (opened) => {
    await run(opened)
    opened.write({ '0003_more.sql': '-- safe\nalter table books add column title text;\n' })
    await opened.client.query('begin')
    await opened.client.query('lock table books')
    const lines: string[] = []
    const migrating = migrate({
      ...opened,
      mode: 'apply',
      log: (line) => {
        lines.push(line)
        if (lines.length === 2) void opened.client.query('commit')
      },
    })
    expect(await migrating).toMatchObject({ applied: ['0003_more.sql'] })
    expect(lines[0]).toBe('0003_more.sql: a table is locked, trying again (1 of 12)')
    expect(lines[1]).toMatch(
      /^0003_more\.sql: a table is locked \(books is held by process \d+ \(\w+, in a transaction of \d+ s\)\), trying again/,
    )
  })
})

test('a step and a session that wait for each other: the server ends the step, which is tried again', {
  timeout: 120_000,
}, async () => {
  await inDatabase(FILES, async (opened) => {
    await run(opened)
    opened.write({
      '0003_more.sql': '-- safe\nalter table pages add column title text;\nalter table books add column title text;\n',
    })
    await opened.client.query('begin')
    await opened.client.query('lock table books')
    const lines: string[] = []
    // A server that looks for such pairs sooner than the step gives up.
    const connection = { ...opened.connection, options: '-c deadlock_timeout=200ms' }
    const migrating = migrate({ ...opened, connection, mode: 'apply', log: (line) => lines.push(line) })
    const waits = `select 1 from pg_locks where not granted and relation = 'books'::regclass`
    await expect.poll(async () => (await opened.client.query(waits)).rowCount, { timeout: 60_000, interval: 5 }).toBe(1)
    await opened.client.query('lock table pages')
    await opened.client.query('commit')
    expect(await migrating).toMatchObject({ applied: ['0003_more.sql'] })
    // Which of the two ends it is a matter of milliseconds on a busy machine.
    expect(lines[0]).toMatch(
      /^0003_more\.sql: (it and another session waited for each other|a table is locked), trying again \(1 of 12\)$/,
    )
  })
})

const UNREADABLE: [string, Files, string][] = [
  ['a gap', { '0001_a.sql': '-- safe\n', '0003_c.sql': '-- safe\n' }, 'gap'],
  ['a number twice', { '0001_a.sql': '-- safe\n', '0001_b.sql': '-- safe\n' }, 'gap'],
  ['a start at two', { '0002_b.sql': '-- safe\n' }, 'gap'],
  ['a name without number', { 'books.sql': '-- safe\n' }, 'bad_name'],
  ['the number zero', { '0000_a.sql': '-- safe\n' }, 'bad_name'],
  ['no mark', { '0001_a.sql': 'select 1;\n-- safe\n' }, 'unmarked'],
  ['an unknown mark', { '0001_a.sql': '-- harmless\n' }, 'unmarked'],
  ['a commit of its own', { '0001_a.sql': '-- safe\nselect 1;\nCOMMIT;\n' }, 'own_transaction'],
]
test.each(UNREADABLE)('files with %s are refused before a database is asked', async (_, files, code) => {
  const directory = newDirectory(files)
  const connection = { host: '/nowhere' }
  await expect(migrate({ connection, directory, log: quiet, mode: 'apply' })).rejects.toMatchObject({ code })
})

test('a function body may begin and end', async () => {
  const body = '-- safe\ncreate function f() returns int language plpgsql as $$\nbegin\nreturn 1;\nend;\n$$;\n'
  await inDatabase({ '0001_f.sql': body }, async (opened) => {
    expect(await run(opened)).toMatchObject({ version: 1 })
  })
})

test('a server that can forget is refused, unless told', async () => {
  await inDatabase({}, async ({ client }) => {
    const message = expect.stringContaining('fsync, full_page_writes, synchronous_commit')
    await expect(checkDurability(client, 'refuse')).rejects.toMatchObject({ code: 'not_durable', message })
    expect(await checkDurability(client, 'allow')).toHaveLength(3)
  })
})

test('a server with its defaults is taken without a warning', async () => {
  const durable = await startPostgres({ dataDir: join(workshop, 'durable'), log: quiet })
  const client = new pg.Client(durable.connection)
  await client.connect()
  expect(await checkDurability(client, 'refuse')).toEqual([])
  await client.query('set synchronous_commit = off')
  await expect(checkDurability(client, 'refuse')).rejects.toMatchObject({ code: 'not_durable' })
  await client.end()
  await durable.stop()
})
