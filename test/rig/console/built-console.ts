// The console as its sources are now: built anew where one of them is newer than the build.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = ['console', 'sdk/src']
const BUILT = 'dist/console/site.json'

export function builtConsole(): void {
  if (existsSync(BUILT) && SOURCES.every((folder) => newestIn(folder) < statSync(BUILT).mtimeMs)) return
  execFileSync('npm', ['run', '--silent', 'compile'], { stdio: 'ignore' })
  execFileSync(process.execPath, ['dist/scripts/site.js'], { stdio: 'ignore' })
}

const newestIn = (folder: string): number =>
  Math.max(
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(folder, name)).mtimeMs),
  )
