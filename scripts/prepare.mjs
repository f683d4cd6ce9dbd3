// What npm runs after an install, and `npx gateway` in a checkout before its first command: builds, unless what is built is of these
// files already. In plain JavaScript, for nothing is compiled yet.
import { execFileSync } from 'node:child_process'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const BUILT = 'dist/.built'
const SOURCES = ['src', 'bench', 'sandbox', 'scripts', 'sdk', 'console', 'pay', 'docs', 'db']
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'CHANGELOG.md']
const MADE = new Set(['node_modules', 'dist', 'cache'])

const changedAtMs = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

function newestMs(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !MADE.has(name))
  // The folder's own time tells of files that are gone.
  return Math.max(
    changedAtMs(folder),
    ...entries.map((each) =>
      each.isDirectory() ? newestMs(join(folder, each.name)) : changedAtMs(join(folder, each.name)),
    ),
  )
}

const builtAtMs = changedAtMs(BUILT)
if (builtAtMs === 0 || Math.max(...SOURCES.map(newestMs), ...FILES.map(changedAtMs)) > builtAtMs) {
  execFileSync('npm', ['run', 'build'], { stdio: 'inherit', shell: process.platform === 'win32' })
  writeFileSync(BUILT, '')
}
