// Every statement that names a tenant-owned table says which lane, so that no statement can cross lanes by mistake.
// The scope's own mark, $lane(t), does not count: where a batch holds many lanes it is simply true.
import type ts from 'typescript'
import { blindTables } from './lanes.ts'
import { EVERY_LANE } from './migrations.ts'
import { findings, type SourceFile } from './source.ts'
import { sqlIn } from './sql-texts.ts'

/**
 * Findings for statements, and pieces of statements, that name a tenant-owned table without its lane: each of them, by its alias,
 * joined or in a sub-select. A piece may be about aliases of the statement that it is put into.
 */
export function laneBlindStatements(files: readonly SourceFile[], tables: readonly string[]): string[] {
  const sqlOf = sqlIn(files, tables[0])
  return findings(files, (node) => {
    const sql = sqlOf(node)
    if (!sql || EVERY_LANE.test(sql.text) || tables.length === 0) return null
    const blind = blindTables(sql.text, ['lanes', ...tables], sql.isWhole)
    return blind.length > 0 ? `says no lane of ${blind.join(', ')}` : null
  })
}

/** Findings for statements of every scope that mark some of their tables and not all: a list of lanes is not carried through a join. */
export function unmarkedTables(files: readonly SourceFile[], tables: readonly string[]): string[] {
  const named = new RegExp(`\\b(?:from|join|update)\\s+(?:lanes|${tables.join('|')})\\s+(?:as\\s+)?(\\w+)`, 'g')
  const statementIn = statementsIn(files, tables)
  return findings(files, (node) => {
    const sql = statementIn(node)
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
  const statementIn = statementsIn(files, tables)
  return findings(files, (node) => {
    const sql = statementIn(node)
    if (sql === undefined || !naming.test(sql)) return null
    if (selecting.test(sql) && !reading.test(sql)) return 'inserts rows that begin with no row of their lane (lanes)'
    const place = Object.entries(NO_NOW_IN).find(([, pattern]) => pattern.test(sql))?.[0]
    return place ? `has now() in ${place}: a distributed engine refuses it` : null
  })
}

/** The text of what is a statement by itself, in small letters. */
function statementsIn(files: readonly SourceFile[], tables: readonly string[]): (node: ts.Node) => string | undefined {
  const sqlOf = sqlIn(files, tables[0])
  return (node) => {
    const sql = sqlOf(node)
    return sql?.isWhole ? sql.text.toLowerCase() : undefined
  }
}
