// The console as its sources are now: built anew where one of them is newer than the build.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = ['console', 'sdk/src']
const BUILT = 'dist/console/site.json'
const LOCK = 'node_modules/.console-build'
const LOCK_MS = 300_000
const POLL_MS = 200

/** Test files that begin at the same time build it once: the first one does, and the others wait. */
export function builtConsole(): void {
  while (!isLocked()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS)
  try {
    if (isFresh()) return
    execFileSync('npm', ['run', '--silent', 'compile'], { stdio: 'ignore' })
    execFileSync(process.execPath, ['dist/scripts/site.js', 'console'], { stdio: 'ignore' })
  } finally {
    rmSync(LOCK, { recursive: true, force: true })
  }
}

/** Whether the lock is ours now. One that is older than any build was left by a process that was ended. */
function isLocked(): boolean {
  const before = statSync(LOCK, { throwIfNoEntry: false })
  if (before && Date.now() - before.mtimeMs > LOCK_MS) rmSync(LOCK, { recursive: true, force: true })
  try {
    mkdirSync(LOCK)
    return true
  } catch {
    return false
  }
}

const isFresh = () => existsSync(BUILT) && SOURCES.every((folder) => newestIn(folder) < statSync(BUILT).mtimeMs)

const newestIn = (folder: string): number =>
  Math.max(
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(folder, name)).mtimeMs),
  )
