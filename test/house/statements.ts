// Every statement that names a tenant-owned table says which lane, so that no statement can cross lanes by mistake.
// The scope's own mark, $lane(t), does not count: where a batch holds many lanes it is simply true.
// It finds the SQL in TypeScript: templates tagged sql, and strings that begin as a statement does.
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
  return findings(files, (node) => {
    const sql = statementIn(node)?.toLowerCase()
    if (sql === undefined || EVERY_LANE.test(sql) || tables.length === 0) return null
    const mentions = count(sql, named)
    const conditions = LANE_CONDITIONS.reduce((sum, pattern) => sum + count(sql, pattern), 0)
    return mentions > conditions ? `names tenant tables ${mentions} times, a lane ${conditions} times` : null
  })
}

function statementIn(node: ts.Node): string | null {
  if (ts.isTaggedTemplateExpression(node) && /\bsql$/.test(node.tag.getText())) return node.template.getText()
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return null
  const isTagged = ts.isTaggedTemplateExpression(node.parent)
  const text = ts.isTemplateExpression(node) ? node.getText() : node.text
  const opening = text.replace(/^`?(\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*/, '')
  return !isTagged && /^(select|insert|update|delete|with|merge)\b/i.test(opening) ? text : null
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
