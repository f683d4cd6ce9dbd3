// What may stand in a migration: each says whether it is safe beside the running version, and keys begin with the lane.
// It reads the SQL as text; that the statements run is proved by the tests that migrate a real database.
import type { Check, SourceFile } from './source.ts'

type Key = { readonly kind: 'primary key' | 'unique' | 'foreign key' | 'index'; readonly columns: readonly string[] }
type Table = { columns: Set<string>; keys: { key: Key; path: string }[]; path: string }

/** The one way out of the lane rules, in a comment at the statement: `every lane: <why>`. */
export const EVERY_LANE = /\bevery lane: \S+ \S+/

export const unmarkedMigrations: Check = (files) =>
  files
    .filter((file) => !/^-- (safe|breaking)$/.test(file.text.split('\n')[0] ?? ''))
    .map((file) => `${file.path}: the first line is neither "-- safe" nor "-- breaking"`)

/** Tenant-owned = has an account_id. Its keys begin with (lane, account_id) or at least the lane (docs: lanes). */
export const laneBlindKeys: Check = (files) =>
  [...tablesOf(files)].flatMap(([name, table]) => {
    if (!table.columns.has('account_id')) return []
    const primary = table.keys.filter(({ key }) => key.kind === 'primary key')
    const missing = primary.length === 0 ? [`${table.path}: ${name} has no primary key`] : []
    const blind = table.keys.filter(({ key }) => !startsWithLane(key))
    return [...missing, ...blind.map(({ key, path }) => `${path}: ${key.kind} of ${name} (${key.columns.join(', ')})`)]
  })

/** The tables whose statements must say a lane. */
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
    for (const statement of statementsOf(file.text)) {
      if (!EVERY_LANE.test(statement)) readStatement(tables, withoutComments(statement), file.path)
    }
  }
  return tables
}

function readStatement(tables: Map<string, Table>, sql: string, path: string): void {
  const created = /^create (?:unlogged )?table (?:if not exists )?(\S+?) ?\(/.exec(sql)
  if (created?.[1]) {
    tables.set(created[1], { columns: new Set(), keys: [], path })
    for (const part of partsIn(sql, sql.indexOf('('))) readPart(tables, created[1], part, path)
    return
  }
  const altered = /^alter table (?:if exists )?(?:only )?(\S+) (.*)$/.exec(sql)
  if (altered?.[1] && altered[2]) {
    for (const action of partsIn(`(${altered[2]})`, 0)) {
      const added = /^add (?:column )?(?:if not exists )?(.*)$/.exec(action)?.[1]
      if (added) readPart(tables, altered[1], added, path)
    }
    return
  }
  const index = /^create (unique )?index .*?\bon (?:only )?(\S+?) ?(?:using \w+ ?)?\(/.exec(sql)
  if (index?.[2]) {
    const kind = index[1] ? 'unique' : 'index'
    tables.get(index[2])?.keys.push({ key: { kind, columns: columnsAt(sql, index[0].length - 1) }, path })
  }
  const dropped = /^drop table (?:if exists )?(\S+)/.exec(sql)?.[1]
  if (dropped) tables.delete(dropped)
}

/** One item between the parentheses of a table: a constraint of its own, or a column that may carry some. */
function readPart(tables: Map<string, Table>, name: string, part: string, path: string): void {
  const table = tables.get(name)
  if (!table) return
  const bare = part.replace(/^constraint \S+ /, '')
  const own = /^(primary key|unique|foreign key)\b[^(]*\(/.exec(bare)
  if (own) {
    table.keys.push({ key: { kind: own[1] as Key['kind'], columns: columnsAt(bare, own[0].length - 1) }, path })
    return
  }
  if (/^(check|exclude|like|not null)\b/.test(bare)) return
  const column = bare.split(' ')[0] ?? ''
  table.columns.add(column)
  for (const [words, kind] of [
    ['primary key', 'primary key'],
    ['unique', 'unique'],
    ['references', 'foreign key'],
  ] as const) {
    if (new RegExp(`\\b${words}\\b`).test(bare)) table.keys.push({ key: { kind, columns: [column] }, path })
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

function withoutComments(sql: string): string {
  const bare = sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
  return bare.replace(/\s+/g, ' ').replaceAll('"', '').trim().toLowerCase()
}
