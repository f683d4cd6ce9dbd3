// What may stand in a TypeScript file of this house: sizes, names, headers, purity, and who may reach the machine.
// Each check takes files and gives back its findings, so that it can be tried on a bad sample too.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import ts from 'typescript'

export type SourceFile = { readonly path: string; readonly text: string }
export type Check = (files: readonly SourceFile[]) => string[]

const FILE_LINES_MAX = 400
const FUNCTION_LINES_MAX = 60
const SKIPPED = /(^|\/)(node_modules|dist|coverage)(\/|$)|\.gen\.ts$/

/** Every file under the folders whose name ends so, made files left out. A folder that is not there has no files. */
export function filesUnder(folders: readonly string[], ending: string): SourceFile[] {
  return folders
    .flatMap((folder) => pathsIn(folder))
    .filter((path) => path.endsWith(ending) && !SKIPPED.test(path))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
}

function pathsIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw fault
  }
}

export const longFiles: Check = (files) =>
  files
    .map((file) => ({ path: file.path, lines: file.text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > FILE_LINES_MAX)
    .map(({ path, lines }) => `${path}: ${lines} lines, at most ${FILE_LINES_MAX}`)

export const longFunctions: Check = (files) =>
  findings(files, (node, source) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return null
    const lines = lineOf(source, node.end) - lineOf(source, node.getStart(source)) + 1
    return lines > FUNCTION_LINES_MAX ? `a function of ${lines} lines, at most ${FUNCTION_LINES_MAX}` : null
  })

export const vagueNames: Check = (files) =>
  files
    .filter((file) => /(^|[-.])(util|helper|common|manager|service)s?([-.]|$)/i.test(basename(file.path)))
    .map((file) => `${file.path}: the name says nothing about what is inside`)

const FOLDER_FILES_MAX = 20

/** A folder that holds more than a screen of files holds more than one noun. */
export const crowdedFolders: Check = (files) => {
  const counts = new Map<string, number>()
  for (const { path } of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > FOLDER_FILES_MAX)
    .map(([folder, count]) => `${folder}: ${count} files, at most ${FOLDER_FILES_MAX}`)
}

const NOUNS = [
  'account',
  'approval',
  'archive',
  'backup',
  'channel',
  'command',
  'contract',
  'job',
  'mandate',
  'member',
  'payment',
  'policy',
  'profile',
  'recovery',
  'resource',
  'schedule',
  'seal',
  'transfer',
  'verifier',
  'wallet',
  'webhook',
]
/** Rooms beside the nouns: what a floor has of its own. */
const OWN_ROOMS: Readonly<Record<string, readonly string[]>> = {
  domain: ['money', 'text'],
  formats: ['iso20022'],
  store: ['crypto', 'operator'],
  app: ['crypto', 'operator', 'sandbox'],
  http: [
    'auth',
    'checkout',
    'connections',
    'openapi',
    'operations',
    'request',
    'routes',
    'sandbox',
    'sites',
    'telemetry',
  ],
  workers: ['sweeps'],
  main: ['config', 'database', 'operator', 'processes', 'sandbox', 'telemetry'],
  cli: ['demo', 'mcp', 'operator', 'sandbox', 'shell'],
  platform: ['citus', 'postgres', 'servers', 'telemetry'],
  wire: ['operations', 'sandbox'],
}

/** A room is named by a noun that is the same on every floor (one in the domain, many elsewhere), or stands in the list. */
export const strangeRooms: Check = (files) => {
  const rooms = new Set(
    files.map(({ path }) => /^src\/(\w+)\/([\w-]+)\/[\w-]+\.ts$/.exec(path)?.slice(1, 3).join('/') ?? ''),
  )
  return [...rooms].flatMap((room) => {
    const [floor = '', name = ''] = room.split('/')
    // Each rail has a room of its own there.
    if (room === '' || floor === 'connectors' || OWN_ROOMS[floor]?.includes(name)) return []
    const noun = floor === 'domain' ? name : name.replace(/ies$/, 'y').replace(/s$/, '')
    const isNoun = NOUNS.includes(noun) && (floor === 'domain' || name.endsWith('s'))
    return isNoun ? [] : [`src/${room}: a room is one of ${NOUNS.join(', ')}, or stands in the list of its floor`]
  })
}

export const missingHeaders: Check = (files) =>
  files
    .filter((file) => !/^(#!.*\n)?\s*\/[/*]/.test(file.text))
    .map((file) => `${file.path}: does not open by saying what it holds`)

// The bare three letters are also an ISO 4217 code, so they count only with a colon.
export const unfinishedMarks: Check = (files) =>
  linesWhere(files, (line) => (/\b(TODO|FIXME)\b|\bXXX:/.test(line) ? 'an unfinished mark' : null))

/** A suppression says why: after `--` for the linter, after a colon for the types, on the line above for squawk. */
export const bareSuppressions: Check = (files) =>
  linesWhere(files, (line, above) => {
    if (/@ts-(ignore|nocheck)/.test(line)) return 'only @ts-expect-error is allowed'
    if (/(oxlint|eslint)-disable/.test(line) && !/ -- \S+ \S+/.test(line)) return 'a suppression without a reason'
    if (/@ts-expect-error|biome-ignore/.test(line) && !/: \S+ \S+/.test(line)) return 'a suppression without a reason'
    if (/squawk-ignore/.test(line) && !/^\s*-- (?!squawk)/.test(above)) return 'a suppression without a reason above it'
    return null
  })

const MACHINE = new Set(['Date.now', 'Math.random', 'performance.now', 'crypto.randomUUID', 'process.env'])

/** For domain/: no waiting, no clock, no chance, nothing of the machine. */
export const impurities: Check = (files) =>
  findings(files, (node, source) => {
    if (ts.isAwaitExpression(node)) return 'an await'
    if (ts.isPropertyAccessExpression(node) && MACHINE.has(node.getText(source))) return node.getText(source)
    if (ts.isNewExpression(node) && node.expression.getText(source) === 'Date' && !node.arguments?.length)
      return 'new Date() reads the clock'
    if (ts.isCallExpression(node) && node.expression.getText(source) === 'Date') return 'Date() reads the clock'
    return importedModule(node)?.startsWith('node:') ? `imports ${importedModule(node)}` : null
  })

const TRAILING = /^\/(\\?.\?)?(\[[^\]]+\]|\\?.)[+*]\$\/[a-z]*$/

/** A pattern that trims the end of a text begins anew at each character of a run, and so takes the square of what a caller sends. */
export const trailingPatterns: Check = (files) =>
  findings(files, (node, source) =>
    ts.isRegularExpressionLiteral(node) && ts.isCallExpression(node.parent) && TRAILING.test(node.getText(source))
      ? `${node.getText(source)} is slow for long runs: withoutTrailing (domain/text/texts.ts)`
      : null,
  )

const NETWORK = new Set(['undici', 'http', 'https', 'http2', 'net', 'tls', 'dgram', 'dns'])

/** For what runs inside a transaction: no way to wait for the network. */
export const networkReach: Check = (files) =>
  findings(files, (node, source) => {
    if (ts.isCallExpression(node) && node.expression.getText(source) === 'fetch') return 'calls fetch'
    const module = importedModule(node)
    return module && NETWORK.has(module.replace(/^node:/, '').split('/')[0] ?? '') ? `imports ${module}` : null
  })

/**
 * Configuration is read once, in src/main/config/config.ts, so that all its faults are reported together. Handing a child
 * process its environment (an object named env) is no configuration.
 */
/** The gateway's, and the command line's. */
const CONFIGURATIONS = ['src/main/config/config.ts', 'src/main/config/command-line.ts']

export const environmentReads: Check = (files) =>
  findings(
    files.filter((file) => !CONFIGURATIONS.includes(file.path)),
    (node, source) => {
      const isRead = ts.isPropertyAccessExpression(node) && node.getText(source) === 'process.env'
      if (isRead && !ts.findAncestor(node, isChildEnvironment)) return 'reads process.env'
      return ts.isImportSpecifier(node) && /^env\b/.test(node.getText(source)) ? 'imports env' : null
    },
  )

function isChildEnvironment(node: ts.Node): boolean {
  return (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) && node.name.getText() === 'env'
}

export const classesButErrors: Check = (files) =>
  findings(files, (node, source) => {
    if (!ts.isClassLike(node)) return null
    const parent = node.heritageClauses?.find((clause) => clause.token === ts.SyntaxKind.ExtendsKeyword)
    return parent?.types[0]?.expression.getText(source).endsWith('Error') ? null : 'a class that is no Error'
  })

/** Visits every node of every file; what `judge` says becomes a finding with its place. */
export function findings(
  files: readonly SourceFile[],
  judge: (node: ts.Node, source: ts.SourceFile) => string | null,
): string[] {
  return files.flatMap((file) => {
    const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true)
    const found: string[] = []
    const visit = (node: ts.Node): void => {
      const said = judge(node, source)
      if (said !== null) found.push(`${file.path}:${lineOf(source, node.getStart(source))}: ${said}`)
      ts.forEachChild(node, visit)
    }
    visit(source)
    return found
  })
}

function linesWhere(files: readonly SourceFile[], judge: (line: string, above: string) => string | null): string[] {
  return files.flatMap((file) => {
    const lines = file.text.split('\n')
    return lines.flatMap((line, index) => {
      const said = judge(line, lines[index - 1] ?? '')
      return said === null ? [] : [`${file.path}:${index + 1}: ${said}`]
    })
  })
}

function importedModule(node: ts.Node): string | null {
  const isImport = ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
  if (isImport && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) return node.moduleSpecifier.text
  const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
  const target = isDynamic ? node.arguments[0] : undefined
  return target && ts.isStringLiteralLike(target) ? target.text : null
}

function lineOf(source: ts.SourceFile, position: number): number {
  return source.getLineAndCharacterOfPosition(position).line + 1
}
