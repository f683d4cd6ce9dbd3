// Finds the SQL in TypeScript: templates tagged sql, strings that begin as a statement does, calls of insertRows, and pieces that
// are put into those. What a template puts in is read where it is declared, in the file itself or in the one that it is imported
// from: a list of columns, a constant, what a small function makes of it. What cannot be followed stays as it is written.
import { dirname, join } from 'node:path'
import ts from 'typescript'
import type { SourceFile } from './source.ts'

/** Null where a parameter was left out. */
type Given = ReadonlyMap<string, string | null>

/** What expressions are, wherever they are declared, and what the parameters are where a function was called. */
type Known = {
  readonly declared: (name: ts.Identifier) => ts.Node | null
  readonly given: Given
}

export type SqlText = { readonly text: string; readonly isWhole: boolean }
export type SqlOf = (node: ts.Node) => SqlText | null

/** Reads the SQL of these files. A table that is not written out may be any: it is taken for the one that is given. */
export function sqlIn(files: readonly SourceFile[], anyTable: string | undefined): SqlOf {
  const known = { declared: declarationsIn(files), given: new Map() }
  return (node) => {
    if (ts.isTaggedTemplateExpression(node) && /\bsql$/.test(node.tag.getText()))
      return { text: withPieces(node.template, known), isWhole: true }
    if (isCallOf(node, 'insertRows')) {
      const [, table, columns] = node.arguments
      const named = table && ts.isStringLiteral(table) ? table.text : anyTable
      return {
        text: `insert into ${named} (${columns ? columnsOf(columns, known).join(', ') : ''})`,
        isWhole: true,
      }
    }
    if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return null
    if (ts.isTaggedTemplateExpression(node.parent)) return null
    const text = withPieces(node, known)
    const opening = text.replace(/^`?(\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*/, '')
    return { text, isWhole: /^(select|insert|update|delete|with|merge)\b/i.test(opening) }
  }
}

/** The text of a string or template, with what it puts in as far as that is known. */
function withPieces(node: ts.Node, known: Known): string {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return node.getText()
  const spans = node.templateSpans.map(
    ({ expression, literal }) => `${pieceOf(expression, known) ?? `\${${expression.getText()}}`}${literal.text}`,
  )
  return `${node.head.text}${spans.join('')}`
}

function pieceOf(node: ts.Node, known: Known): string | null {
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return withPieces(node, known)
  if (ts.isIdentifier(node)) {
    const given = known.given.get(node.text)
    if (given !== undefined) return given
    const declared = known.declared(node)
    return declared && !ts.isIdentifier(declared) ? pieceOf(declared, { ...known, given: new Map() }) : null
  }
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return null
  const [first] = node.arguments
  if (node.expression.text === 'names') return first ? columnsOf(first, known).join(', ') : ''
  const called = known.declared(node.expression)
  if (!called || !ts.isArrowFunction(called)) return null
  return pieceOf(called.body, { ...known, given: givenTo(called, node.arguments, known) })
}

function givenTo(called: ts.ArrowFunction, values: readonly ts.Expression[], known: Known): Given {
  const given = new Map<string, string | null>()
  for (const [place, { name, initializer }] of called.parameters.entries()) {
    const value = values[place]
    const isLeftOut = !value || (ts.isIdentifier(value) && known.given.get(value.text) === null)
    const piece = isLeftOut ? initializer && pieceOf(initializer, known) : pieceOf(value, known)
    if (typeof piece === 'string') given.set(name.getText(), piece)
    else if (isLeftOut && !initializer) given.set(name.getText(), null)
  }
  return given
}

function isCallOf(node: ts.Node, name: string): node is ts.CallExpression {
  return ts.isCallExpression(node) && node.expression.getText() === name
}

/** The names of the columns that an expression lists, through spreads. What cannot be followed has no columns. */
function columnsOf(node: ts.Node, known: Known): string[] {
  if (ts.isIdentifier(node)) {
    const declared = known.declared(node)
    return declared ? columnsOf(declared, known) : []
  }
  if (!ts.isObjectLiteralExpression(node)) return []
  return node.properties.flatMap((property) =>
    ts.isSpreadAssignment(property) ? columnsOf(property.expression, known) : [property.name?.getText() ?? ''],
  )
}

/** Finds what a constant is: in the blocks around its name, in its file, or in the file that it is imported from. */
function declarationsIn(files: readonly SourceFile[]): Known['declared'] {
  const texts = new Map(files.map((file) => [file.path, file.text]))
  const parsed = new Map<string, ts.SourceFile>()
  const parse = (path: string, text: string) => {
    const source = parsed.get(path) ?? ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
    parsed.set(path, source)
    return source
  }
  const inFile = (name: string, source: ts.SourceFile): ts.Node | null => {
    const own = constantIn(source.statements, name)
    if (own) return own
    for (const statement of source.statements) {
      if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue
      if (!new RegExp(`\\b${name}\\b`).test(statement.importClause?.getText() ?? '')) continue
      const path = join(dirname(source.fileName), statement.moduleSpecifier.text)
      const text = texts.get(path)
      return text === undefined ? null : inFile(name, parse(path, text))
    }
    return null
  }
  return (name) => {
    for (let around: ts.Node = name.parent; !ts.isSourceFile(around); around = around.parent) {
      if (ts.isFunctionLike(around) && around.parameters.some((each) => each.name.getText() === name.text)) return null
      const found = ts.isBlock(around) ? constantIn(around.statements, name.text) : null
      if (found) return found
    }
    return inFile(name.text, name.getSourceFile())
  }
}

function constantIn(statements: ts.NodeArray<ts.Statement>, name: string): ts.Node | null {
  for (const statement of statements) {
    if (!ts.isVariableStatement(statement)) continue
    const found = statement.declarationList.declarations.find((each) => each.name.getText() === name)
    if (found?.initializer) return found.initializer
  }
  return null
}
