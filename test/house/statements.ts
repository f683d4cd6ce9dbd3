// Every statement that names a tenant-owned table says which lane, so that no statement can cross lanes by mistake.
// The scope's own mark, $lane(t), does not count: where a batch holds many lanes it is simply true.
// It finds the SQL in TypeScript: templates tagged sql, strings that begin as a statement does, and calls of insertRows. A list
// of columns is read where it is declared, in the file itself or in the one that it is imported from.
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { EVERY_LANE } from './migrations.ts'
import { findings, type SourceFile } from './source.ts'

const LANE_CONDITIONS = [
  /\blane\s*(=|<>|<|>|in\b|between\b)/g, // c.lane = $1, lane in (…)
  /\(\s*(\w+\.)?lane\s*,[^)]*\)\s*(=|<|>|in\b)/g, // (c.lane, c.account_id) = (…)
  /\busing\s*\(\s*lane\b/g, // join … using (lane, …)
  /\binto\s+\w+(\s+as\s+\w+)?\s*\(\s*lane\b/g, // insert into contracts (lane, …)
]

/** Findings for statements with fewer lane conditions than tenant-owned tables that they read or write. */
export function laneBlindStatements(files: readonly SourceFile[], tables: readonly string[]): string[] {
  const named = new RegExp(`\\b(?:from|join|into|update|using|only|,)\\s+(?:${tables.join('|')})\\b`, 'g')
  const columnsOf = columnsIn(files)
  return findings(files, (node) => {
    const sql = statementIn(node, columnsOf, tables)?.toLowerCase()
    if (sql === undefined || EVERY_LANE.test(sql) || tables.length === 0) return null
    const mentions = count(sql, named)
    const conditions = LANE_CONDITIONS.reduce((sum, pattern) => sum + count(sql, pattern), 0)
    return mentions > conditions ? `names tenant tables ${mentions} times, a lane ${conditions} times` : null
  })
}

/** Findings for statements of every scope that mark some of their tables and not all: a list of lanes is not carried through a join. */
export function unmarkedTables(files: readonly SourceFile[], tables: readonly string[]): string[] {
  const named = new RegExp(`\\b(?:from|join|update)\\s+(?:lanes|${tables.join('|')})\\s+(?:as\\s+)?(\\w+)`, 'g')
  const columnsOf = columnsIn(files)
  return findings(files, (node) => {
    const sql = statementIn(node, columnsOf, tables)?.toLowerCase()
    if (!sql?.includes('$lane(')) return null
    const unmarked = [...sql.matchAll(named)].flatMap(([, alias]) => (sql.includes(`$lane(${alias})`) ? [] : [alias]))
    return unmarked.length > 0 ? `does not say $lane(${unmarked.join('), $lane(')})` : null
  })
}

// Where a distributed engine takes no now(): with the columns of a row it is not the same for all of them.
const NO_NOW_IN = {
  'DO UPDATE': /\bdo update\s+set\b(?:(?!\b(?:where|returning)\b)[\s\S])*\bnow\(\)/,
  RETURNING: /\breturning\b(?:(?!\)|\bselect\b)[\s\S])*\bnow\(\)/,
  'a CASE of an UPDATE':
    /\bupdate\b(?:(?!\bselect\b)[\s\S])*\bset\b(?:(?!\b(?:where|from|returning|select)\b)[\s\S])*\bcase\b(?:(?!\bend\b)[\s\S])*\bnow\(\)/,
}

/** Findings for writes that a distributed engine refuses, or does by COPY and in two phases. */
export function unspreadWrites(files: readonly SourceFile[], tables: readonly string[]): string[] {
  const names = tables.join('|')
  const selecting = new RegExp(`\\binsert into (?:${names})\\b(?:\\s+as\\s+\\w+)?\\s*\\([^)]*\\)\\s*select\\b`)
  const reading = new RegExp(`\\b(?:from|join)\\s+(?:lanes|${names})\\b`)
  const naming = new RegExp(`\\b(?:into|update)\\s+(?:${names})\\b`)
  const columnsOf = columnsIn(files)
  return findings(files, (node) => {
    const sql = statementIn(node, columnsOf, tables)?.toLowerCase()
    if (sql === undefined || !naming.test(sql)) return null
    if (selecting.test(sql) && !reading.test(sql)) return 'inserts rows that begin with no row of their lane (lanes)'
    const place = Object.entries(NO_NOW_IN).find(([, pattern]) => pattern.test(sql))?.[0]
    return place ? `has now() in ${place}: a distributed engine refuses it` : null
  })
}

/** The names of the columns that an expression lists. */
type ColumnsOf = (columns: ts.Node) => string[]

function statementIn(node: ts.Node, columnsOf: ColumnsOf, tables: readonly string[]): string | null {
  if (ts.isTaggedTemplateExpression(node) && /\bsql$/.test(node.tag.getText())) {
    return withColumns(node.template, columnsOf)
  }
  if (isCallOf(node, 'insertRows')) {
    const [, table, columns] = node.arguments
    // A table that is not written out may be any of them.
    const named = table && ts.isStringLiteral(table) ? table.text : tables[0]
    return `insert into ${named} (${columns ? columnsOf(columns).join(', ') : ''})`
  }
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return null
  const isTagged = ts.isTaggedTemplateExpression(node.parent)
  const text = withColumns(node, columnsOf)
  const opening = text.replace(/^`?(\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*/, '')
  return !isTagged && /^(select|insert|update|delete|with|merge)\b/i.test(opening) ? text : null
}

/** The text of a string or template, with the columns in the places where it has `names(columns)`. */
function withColumns(node: ts.Node, columnsOf: ColumnsOf): string {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return node.getText()
  const spans = node.templateSpans.map(({ expression, literal }) => {
    const [columns] = isCallOf(expression, 'names') ? expression.arguments : []
    return `${columns ? columnsOf(columns).join(', ') : `\${${expression.getText()}}`}${literal.text}`
  })
  return `${node.head.text}${spans.join('')}`
}

function isCallOf(node: ts.Node, name: string): node is ts.CallExpression {
  return ts.isCallExpression(node) && node.expression.getText() === name
}

/** Follows lists of columns to their objects, through spreads and imports. What cannot be followed has no columns. */
function columnsIn(files: readonly SourceFile[]): ColumnsOf {
  const texts = new Map(files.map((file) => [file.path, file.text]))
  const columnsOf: ColumnsOf = (node) => {
    if (ts.isIdentifier(node)) {
      const declared = declaredAs(node.text, node.getSourceFile(), texts)
      return declared ? columnsOf(declared) : []
    }
    if (!ts.isObjectLiteralExpression(node)) return []
    return node.properties.flatMap((property) =>
      ts.isSpreadAssignment(property) ? columnsOf(property.expression) : [property.name?.getText() ?? ''],
    )
  }
  return columnsOf
}

/** What a constant of a file is, wherever that file has it from. */
function declaredAs(name: string, source: ts.SourceFile, texts: ReadonlyMap<string, string>): ts.Node | null {
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement)) {
      const found = statement.declarationList.declarations.find((each) => each.name.getText() === name)
      if (found?.initializer) return found.initializer
    }
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue
    if (!new RegExp(`\\b${name}\\b`).test(statement.importClause?.getText() ?? '')) continue
    const path = join(dirname(source.fileName), statement.moduleSpecifier.text)
    const text = texts.get(path)
    if (text === undefined) return null
    return declaredAs(name, ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true), texts)
  }
  return null
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
