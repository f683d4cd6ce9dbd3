// Writes the files that are made from the code, or with --check says which of them are stale.
// It must not know what is in them: states.ts, errors.ts, openapi.ts and schema-dump.ts each make their own text.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file that belongs in git and is made by a script. `path` is relative to the root of the repository. */
export type GeneratedFile = { readonly path: string; readonly text: string }

const CONTEXT_LINES = 3
const HINT_LINES_MAX = 20

/**
 * Writes the files that differ from what is there; with `--check` among the arguments writes nothing, prints a hint for
 * each stale file and sets the exit code to 1. An argument it does not know is refused.
 */
export function settleGenerated(
  files: readonly GeneratedFile[],
  args: readonly string[] = process.argv.slice(2),
): void {
  const unknown = args.filter((arg) => arg !== '--check')
  if (unknown.length > 0) throw new Error(`unknown argument ${unknown.join(' ')}: only --check is known`)
  const root = repositoryRoot()
  const stale = files.filter((file) => currentText(root, file) !== file.text)
  if (!args.includes('--check')) {
    for (const file of stale) writeGenerated(root, file)
    return
  }
  for (const file of stale) console.error(staleHint(file, currentText(root, file)))
  if (stale.length > 0) process.exitCode = 1
  else console.log(`${files.map((file) => file.path).join(', ')}: fresh`)
}

/** What --check prints for a stale file: the lines that differ, as a diff would show them, and the mend. */
function staleHint(file: GeneratedFile, current: string | null): string {
  const mend = 'Run: npm run generate'
  if (current === null) return `${file.path} is missing. ${mend}`
  return [`${file.path} is stale. ${mend}`, ...difference(current.split('\n'), file.text.split('\n'))].join('\n')
}

/** One hunk from the first line that differs to the last, with a little context, cut when it is long. */
function difference(before: readonly string[], after: readonly string[]): string[] {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head += 1
  let tail = 0
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1
  const from = Math.max(0, head - CONTEXT_LINES)
  const gone = before.slice(head, before.length - tail)
  const came = after.slice(head, after.length - tail)
  return [
    `@@ -${head + 1},${gone.length} +${head + 1},${came.length} @@`,
    ...before.slice(from, head).map((line) => ` ${line}`),
    ...cut(gone.map((line) => `-${line}`)),
    ...cut(came.map((line) => `+${line}`)),
  ]
}

function cut(lines: readonly string[]): string[] {
  const left = lines.length - HINT_LINES_MAX
  return left > 0 ? [...lines.slice(0, HINT_LINES_MAX), `… and ${left} lines more`] : [...lines]
}

function currentText(root: string, file: GeneratedFile): string | null {
  const path = join(root, file.path)
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

function writeGenerated(root: string, file: GeneratedFile): void {
  const path = join(root, file.path)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, file.text)
  console.log(`wrote ${file.path}`)
}

/** The scripts run compiled, from dist: the root is the nearest folder upwards with a package.json. */
function repositoryRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error('no package.json above the script')
    folder = parent
  }
  return folder
}
