// The database's schema as text that reads like DDL, made from the catalog: pg_dump is not among the shipped binaries.
// The order is by name, so that two databases with one schema give one text. It knows no table of ours.
import type pg from 'pg'

type Row = Record<string, string | null>

// Ours: not the server's own, not toast, not what an extension brought.
const OURS = `n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`
const NOT_OF_AN_EXTENSION = (oid: string): string =>
  `not exists (select from pg_depend e where e.objid = ${oid} and e.deptype = 'e')`

const TABLES = `
  select c.oid::text as oid, c.oid::regclass::text as name, c.relpersistence as persistence, c.relkind as kind,
         array_to_string(c.reloptions, ', ') as options, pg_get_partkeydef(c.oid) as partition_key,
         pg_get_expr(c.relpartbound, c.oid) as bound, c.relrowsecurity::text as row_security,
         (select i.inhparent::regclass::text from pg_inherits i where i.inhrelid = c.oid) as parent,
         obj_description(c.oid, 'pg_class') as comment
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'p') and ${OURS} and ${NOT_OF_AN_EXTENSION('c.oid')}
   order by c.oid::regclass::text collate "C"`

const COLUMNS = `
  select a.attrelid::text as oid, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
         a.attnotnull::text as required, pg_get_expr(d.adbin, d.adrelid) as fallback,
         a.attgenerated as generated, a.attidentity as identity,
         case when a.attcollation <> t.typcollation then a.attcollation::regcollation::text end as collation,
         case when a.attstorage <> t.typstorage then a.attstorage end as storage,
         nullif(a.attcompression, '') as compression, col_description(a.attrelid, a.attnum) as comment
    from pg_attribute a join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
   where a.attrelid::text = any($1) and a.attnum > 0 and not a.attisdropped
   order by a.attrelid, a.attnum`

// 'n' (not null, a constraint of its own from PostgreSQL 18 on) is said at the column.
const CONSTRAINTS = `
  select conrelid::text as oid, 'constraint ' || quote_ident(conname) || ' ' || pg_get_constraintdef(oid) as text
    from pg_constraint
   where conrelid::text = any($1) and contype in ('p', 'u', 'c', 'f', 'x') and conparentid = 0
   order by conrelid, position(contype::text in 'pucfx'), conname collate "C"`

const INDEXES = `
  select i.indrelid::text as oid, pg_get_indexdef(i.indexrelid) as text
    from pg_index i join pg_class x on x.oid = i.indexrelid
   where i.indrelid::text = any($1) and not x.relispartition
     and not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u', 'x'))
   order by i.indrelid, x.relname collate "C"`

const STATISTICS = `
  select s.stxrelid::text as oid, pg_get_statisticsobjdef(s.oid) as text
    from pg_statistic_ext s where s.stxrelid::text = any($1) order by s.stxrelid, s.stxname collate "C"`

const TRIGGERS = `
  select tgrelid::text as oid, pg_get_triggerdef(oid) as text
    from pg_trigger where tgrelid::text = any($1) and not tgisinternal order by tgrelid, tgname collate "C"`

const POLICIES = `
  select polrelid::text as oid, concat_ws(' ', 'create policy', quote_ident(polname), 'on', polrelid::regclass,
         case polcmd when 'r' then 'for select' when 'a' then 'for insert' when 'w' then 'for update'
                     when 'd' then 'for delete' end,
         'using (' || pg_get_expr(polqual, polrelid) || ')',
         'with check (' || pg_get_expr(polwithcheck, polrelid) || ')') as text
    from pg_policy where polrelid::text = any($1) order by polrelid, polname collate "C"`

/** Grants to others than the owner, whose name differs from one installation to the next. 'public' is everyone. */
const granted = (on: string, from: string, acl: string, owner: string): string => `
  select ${on} as object, g.grantee::regrole::text as role,
         string_agg(lower(g.privilege_type), ', ' order by g.privilege_type) as privileges
    from ${from}, aclexplode(${acl}) g
   where g.grantee <> ${owner} and ${OURS}
   group by 1, 2, g.grantee`
const GRANTS = `
  select 'grant ' || privileges || ' on ' || object || ' to ' || case role when '-' then 'public' else role end as text
    from (${[
      granted(`'schema ' || quote_ident(n.nspname)`, 'pg_namespace n', 'n.nspacl', 'n.nspowner'),
      granted(
        `case c.relkind when 'S' then 'sequence ' else '' end || c.oid::regclass`,
        `(pg_class c join pg_namespace n on n.oid = c.relnamespace)`,
        'c.relacl',
        'c.relowner',
      ),
      granted(
        `'column ' || c.oid::regclass || '.' || quote_ident(a.attname)`,
        `(pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace)`,
        'a.attacl',
        'c.relowner',
      ),
      granted(
        `'function ' || p.oid::regprocedure`,
        `(pg_proc p join pg_namespace n on n.oid = p.pronamespace)`,
        'p.proacl',
        'p.proowner',
      ),
    ].join(' union all ')}) g`

const OTHERS: readonly (readonly [string, string])[] = [
  [
    'Extensions',
    `select 'create extension ' || quote_ident(extname) as text from pg_extension where extname <> 'plpgsql'`,
  ],
  [
    'Types',
    `select concat_ws(' ', 'create', case t.typtype when 'd' then 'domain' else 'type' end, format_type(t.oid, null),
            case t.typtype when 'd' then 'as ' || format_type(t.typbasetype, t.typtypmod) else 'as enum' end,
            case when t.typnotnull then 'not null' end,
            (select string_agg(pg_get_constraintdef(c.oid), ' ' order by c.conname)
               from pg_constraint c where c.contypid = t.oid and c.contype = 'c'),
            (select '(' || string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) || ')'
               from pg_enum e where e.enumtypid = t.oid)) as text
       from pg_type t join pg_namespace n on n.oid = t.typnamespace
      where t.typtype in ('d', 'e') and ${OURS} and ${NOT_OF_AN_EXTENSION('t.oid')}`,
  ],
  [
    'Sequences',
    `select format('create sequence %s as %s increment %s start %s', s.seqrelid::regclass,
            format_type(s.seqtypid, null), s.seqincrement, s.seqstart) as text
       from pg_sequence s join pg_class c on c.oid = s.seqrelid join pg_namespace n on n.oid = c.relnamespace
      where ${OURS} and ${NOT_OF_AN_EXTENSION('c.oid')}`,
  ],
  [
    'Views',
    `select concat('create ', case c.relkind when 'm' then 'materialized ' end, 'view ', c.oid::regclass, ' as', e'\\n',
            rtrim(pg_get_viewdef(c.oid), ';')) as text
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('v', 'm') and ${OURS} and ${NOT_OF_AN_EXTENSION('c.oid')}`,
  ],
  [
    'Functions',
    `select rtrim(pg_get_functiondef(p.oid), e'\\n') as text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where p.prokind in ('f', 'p') and ${OURS} and ${NOT_OF_AN_EXTENSION('p.oid')}`,
  ],
]

/** Reads everything in one snapshot. The search path is public alone, so that names of ours stand without a schema. */
export async function dumpSchema(client: pg.Client): Promise<string> {
  await client.query('begin isolation level repeatable read read only')
  try {
    await client.query('set local search_path = public')
    return await readSchema(client)
  } finally {
    await client.query('rollback')
  }
}

async function readSchema(client: pg.Client): Promise<string> {
  const sections: string[] = ['-- The schema after all migrations. Generated by scripts/schema-dump.ts: do not edit.']
  for (const [title, query] of OTHERS) {
    const texts = await readTexts(client, query)
    if (texts.length > 0) sections.push(`-- ${title}\n${texts.map(ended).join('\n')}`)
  }
  sections.push(...(await readTables(client)))
  const grants = await readTexts(client, GRANTS)
  if (grants.length > 0) sections.push(`-- Grants\n${grants.map(ended).join('\n')}`)
  return `${sections.join('\n\n')}\n`
}

async function readTables(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query<Row>(TABLES)
  const oids = tables.map((table) => table.oid)
  const of: Record<string, Map<string, Row[]>> = {}
  for (const [name, query] of Object.entries({ COLUMNS, CONSTRAINTS, INDEXES, STATISTICS, TRIGGERS, POLICIES })) {
    of[name] = byTable((await client.query<Row>(query, [oids])).rows)
  }
  const rowsOf = (name: string, table: Row): Row[] => of[name]?.get(table.oid ?? '') ?? []
  return tables.map((table) => {
    const items = [...rowsOf('COLUMNS', table).map(columnText), ...rowsOf('CONSTRAINTS', table).map((row) => row.text)]
    const after = ['INDEXES', 'STATISTICS', 'TRIGGERS', 'POLICIES'].flatMap((name) =>
      rowsOf(name, table).map((row) => row.text ?? ''),
    )
    const comments = commentsOn(table, rowsOf('COLUMNS', table))
    return [tableText(table, items), ...[...after, ...rowSecurity(table), ...comments].map(ended)].join('\n')
  })
}

function tableText(table: Row, items: readonly (string | null | undefined)[]): string {
  const words = table.persistence === 'u' ? 'create unlogged table' : 'create table'
  const partition = table.bound ? `\n  partition of ${table.parent} ${table.bound}` : ''
  const split = table.partition_key ? `\n  partition by ${table.partition_key}` : ''
  const options = table.options ? `\n  with (${table.options})` : ''
  return ended(`${words} ${table.name} (\n  ${items.join(',\n  ')}\n)${partition}${split}${options}`)
}

const IDENTITY: Row = { a: 'generated always as identity', d: 'generated by default as identity' }
const STORAGE: Row = { p: 'plain', e: 'external', m: 'main', x: 'extended' }

function columnText(column: Row): string {
  const fallback = column.generated
    ? `generated always as (${column.fallback}) ${column.generated === 's' ? 'stored' : 'virtual'}`
    : column.fallback && `default ${column.fallback}`
  return [
    `${column.name} ${column.type}`,
    column.storage && `storage ${STORAGE[column.storage]}`,
    column.compression && `compression ${column.compression === 'l' ? 'lz4' : 'pglz'}`,
    column.collation && `collate ${column.collation}`,
    column.required === 'true' && 'not null',
    fallback,
    column.identity && IDENTITY[column.identity],
  ]
    .filter(Boolean)
    .join(' ')
}

function commentsOn(table: Row, columns: readonly Row[]): string[] {
  const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
  const onTable = table.comment ? [`comment on table ${table.name} is ${quoted(table.comment)}`] : []
  const onColumns = columns.flatMap((column) =>
    column.comment ? [`comment on column ${table.name}.${column.name} is ${quoted(column.comment)}`] : [],
  )
  return [...onTable, ...onColumns]
}

function rowSecurity(table: Row): string[] {
  return table.row_security === 'true' ? [`alter table ${table.name} enable row level security`] : []
}

function byTable(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(row.oid ?? '', [...(groups.get(row.oid ?? '') ?? []), row])
  return groups
}

/** Sorted here, by code unit: the database's own order depends on its locale. */
async function readTexts(client: pg.Client, query: string): Promise<string[]> {
  return (await client.query<{ text: string }>(query)).rows.map((row) => row.text).toSorted()
}

function ended(text: string): string {
  return `${text};`
}
