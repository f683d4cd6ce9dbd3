// What may stand in a migration: each says whether it is safe beside the running version, and keys begin with the lane.
// It reads the SQL as text; that the statements run is proved by the tests that migrate a real database.
import type { Check, SourceFile } from './source.ts'

type Key = {
  readonly kind: 'primary key' | 'unique' | 'foreign key' | 'index'
  readonly columns: readonly string[]
  /** As the statement calls it, or as PostgreSQL does where it does not. */
  readonly name: string
  readonly isOfEveryLane: boolean
  readonly path: string
}
type Table = { columns: Set<string>; keys: Key[]; path: string; isView: boolean }

/** The one way out of the lane rules, in a comment at the statement, or in it above a key: `every lane: <why>`. */
export const EVERY_LANE = /\bevery lane: \S+ \S+/
/** What such a comment is read as, so that it stays where it stands. */
const MARK = '@every_lane '

export const unmarkedMigrations: Check = (files) =>
  files
    .filter((file) => !/^-- (safe|breaking)$/.test(file.text.split('\n')[0] ?? ''))
    .map((file) => `${file.path}: the first line is neither "-- safe" nor "-- breaking"`)

/** Tenant-owned = has an account_id. Its keys begin with (lane, account_id) or at least the lane (docs: lanes). */
export const laneBlindKeys: Check = (files) =>
  [...tablesOf(files)].flatMap(([name, table]) => {
    if (!table.columns.has('account_id') || table.isView) return []
    const isMissing = !table.keys.some(({ kind }) => kind === 'primary key')
    const missing = isMissing ? [`${table.path}: ${name} has no primary key`] : []
    const blind = table.keys.filter((key) => !key.isOfEveryLane && !startsWithLane(key))
    return [
      ...missing,
      ...blind.map(({ kind, columns, path }) => `${path}: ${kind} of ${name} (${columns.join(', ')})`),
    ]
  })

/** The tables, and views of them, whose statements must say a lane. */
export function tenantTables(files: readonly SourceFile[]): string[] {
  return [...tablesOf(files)].filter(([, table]) => table.columns.has('account_id')).map(([name]) => name)
}

function startsWithLane(key: Key): boolean {
  const start = key.kind === 'primary key' ? ['lane', 'account_id'] : ['lane']
  return start.every((column, index) => key.columns[index] === column)
}

function tablesOf(files: readonly SourceFile[]): Map<string, Table> {
  const tables = new Map<string, Table>()
  for (const file of files) {
    for (const statement of statementsOf(file.text)) readStatement(tables, bareOf(statement), file.path)
  }
  return tables
}

function readStatement(tables: Map<string, Table>, marked: string, path: string): void {
  // Above the statement, the comment is about all of its keys.
  const mark = marked.startsWith(MARK) ? MARK : ''
  const sql = marked.replace(new RegExp(`^(${MARK})+`), '')
  const created = /^create (?:unlogged )?table (?:if not exists )?(\S+?) ?\(/.exec(sql)
  if (created?.[1]) {
    tables.set(created[1], { columns: new Set(), keys: [], path, isView: false })
    for (const part of partsIn(sql, sql.indexOf('('))) readPart(tables, created[1], `${mark}${part}`, path)
    return
  }
  const view = /^create (?:or replace )?view (\S+) as select (?:\w+\.)?lane, (?:\w+\.)?account_id\b/.exec(sql)?.[1]
  if (view) tables.set(view, { columns: new Set(['lane', 'account_id']), keys: [], path, isView: true })
  const altered = /^alter table (?:if exists )?(?:only )?(\S+) (.*)$/.exec(sql)
  if (altered?.[1] && altered[2]) {
    for (const action of partsIn(`(${altered[2]})`, 0)) alter(tables, altered[1], `${mark}${action}`, path)
    return
  }
  const index =
    /^create (unique )?index (?:concurrently )?(?:if not exists )?(\S+) on (?:only )?(\S+?) ?(?:using \w+ ?)?\(/.exec(
      sql,
    )
  if (index?.[3]) {
    const columns = columnsAt(sql, index[0].length - 1)
    const kind = index[1] ? 'unique' : 'index'
    tables.get(index[3])?.keys.push({ kind, columns, name: index[2] ?? '', isOfEveryLane: mark !== '', path })
  }
  const [, kind, dropped = ''] = /^drop (table|view|index) (?:concurrently )?(?:if exists )?(\S+)/.exec(sql) ?? []
  if (kind === 'index')
    for (const table of tables.values()) table.keys = table.keys.filter(({ name }) => name !== dropped)
  else tables.delete(dropped)
}

function alter(tables: Map<string, Table>, name: string, action: string, path: string): void {
  const bare = action.replaceAll(MARK, '')
  const added = /^add (?:column )?(?:if not exists )?(.*)$/.exec(bare)?.[1]
  if (added) readPart(tables, name, action.includes(MARK) ? `${MARK}${added}` : added, path)
  const dropped = /^drop constraint (?:if exists )?(\S+)/.exec(bare)?.[1]
  const table = tables.get(name)
  if (table && dropped) table.keys = table.keys.filter((key) => key.name !== dropped)
}

const SUFFIXES = { 'primary key': 'pkey', unique: 'key', 'foreign key': 'fkey' }

/** One item between the parentheses of a table: a constraint of its own, or a column that may carry some. */
function readPart(tables: Map<string, Table>, tableName: string, part: string, path: string): void {
  const table = tables.get(tableName)
  if (!table) return
  const isOfEveryLane = part.includes(MARK)
  const [, named, bare = ''] = /^(?:constraint (\S+) )?(.*)$/.exec(part.replaceAll(MARK, '')) ?? []
  const push = (kind: keyof typeof SUFFIXES, columns: string[]) => {
    const parts = [tableName, ...(kind === 'primary key' ? [] : columns), SUFFIXES[kind]]
    table.keys.push({ kind, columns, name: named ?? parts.join('_'), isOfEveryLane, path })
  }
  const own = /^(primary key|unique|foreign key)\b[^(]*\(/.exec(bare)
  if (own) return push(own[1] as keyof typeof SUFFIXES, columnsAt(bare, own[0].length - 1))
  if (/^(check|exclude|like|not null)\b/.test(bare)) return
  const column = bare.split(' ')[0] ?? ''
  table.columns.add(column)
  for (const [words, kind] of [
    ['primary key', 'primary key'],
    ['unique', 'unique'],
    ['references', 'foreign key'],
  ] as const) {
    if (new RegExp(`\\b${words}\\b`).test(bare)) push(kind, [column])
  }
}

function columnsAt(sql: string, open: number): string[] {
  return partsIn(sql, open).map((part) => part.split(' ')[0] ?? '')
}

/** The pieces between the parenthesis at `open` and its partner, cut at the commas that are not inside deeper ones. */
function partsIn(sql: string, open: number): string[] {
  const parts = ['']
  let depth = 0
  for (const character of sql.slice(open)) {
    if (character === ')') depth -= 1
    if (depth === 0 && character === ')') break
    if (depth === 1 && character === ',') parts.push('')
    else if (depth > 0) parts[parts.length - 1] += character
    if (character === '(') depth += 1
  }
  return parts.map((part) => part.trim())
}

/** Cuts at semicolons outside quotes, dollar quotes and comments. A comment stays with the statement after it. */
function statementsOf(sql: string): string[] {
  const tokens = sql.match(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|(\$\w*\$)[\s\S]*?\1|;|[^;]/g) ?? []
  const statements = ['']
  for (const token of tokens) {
    if (token === ';') statements.push('')
    else statements[statements.length - 1] += token
  }
  return statements
}

/** The words of a statement in small letters. Of its comments only the marks are left, each above what it stands above or beside. */
function bareOf(sql: string): string {
  const above = sql.replace(/^([^\n]*[^\s-][^\n]*?)(--[^\n]*\bevery lane:[^\n]*)$/gm, '$2\n$1')
  const bare = above.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, (comment) => (EVERY_LANE.test(comment) ? ` ${MARK}` : ' '))
  return bare.replace(/\s+/g, ' ').replaceAll('"', '').trim().toLowerCase()
}
