// The gateway as programs that Node can run, made from the sources as they are now: a test of processes must not run
// an older build. Types are left to the type check.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** The configurations of `npm run build`. */
const BUILDS = ['tsconfig.build.json', 'pay/tsconfig.json']
/** What the programs find beside their build. */
const BESIDE = ['node_modules', 'db', 'docs', 'package.json']

/**
 * Compiles everything for `folder` and returns the path of the command line's program. In a run of the tests all share one
 * build (test/world-setup.ts), which whoever needs it first makes.
 */
export function compileGateway(folder: string): string {
  const shared = process.env['TEST_BUILD']
  if (shared === undefined) compileInto(folder)
  else {
    if (!existsSync(shared)) share(shared)
    symlinkSync(join(shared, 'dist'), join(folder, 'dist'))
  }
  return join(folder, 'dist/src/cli/index.js')
}

/** There at once and whole, or not at all; whoever made it at the same time made the same. */
function share(shared: string): void {
  const own = `${shared}-${process.pid}`
  mkdirSync(own, { recursive: true })
  compileInto(own)
  try {
    renameSync(own, shared)
  } catch (fault) {
    if (!existsSync(shared)) throw fault
    rmSync(own, { recursive: true, force: true })
  }
}

function compileInto(folder: string): void {
  const root = process.cwd()
  for (const project of BUILDS) {
    const words = ['-p', project, '--noCheck', '--sourceMap', 'false', '--outDir', join(folder, 'dist')]
    const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin/tsc'), words, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`${project} could not be compiled:\n${stdout}${stderr}`)
  }
  for (const name of BESIDE) if (existsSync(join(root, name))) symlinkSync(join(root, name), join(folder, name))
}
