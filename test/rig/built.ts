// The gateway as programs that Node can run, made from the sources as they are now: a test of processes must not run
// an older build. Types are left to the type check.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

const PROGRAMS = ['src', 'sandbox', 'sdk/src', 'pay/src']
/** What the programs find beside their build. */
const BESIDE = ['node_modules', 'db', 'docs', 'package.json']

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.ESNext,
  target: ts.ScriptTarget.ES2023,
  rewriteRelativeImportExtensions: true,
}

/** Compiles everything into `folder` and returns the path of the command line's program. */
export function compileGateway(folder: string): string {
  const root = process.cwd()
  for (const program of PROGRAMS.filter((each) => existsSync(join(root, each)))) {
    for (const path of readdirSync(join(root, program), { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.ts')) continue
      const { outputText } = ts.transpileModule(readFileSync(join(root, program, path), 'utf8'), {
        compilerOptions: OPTIONS,
      })
      const made = join(folder, 'dist', program, path.replace(/\.ts$/, '.js'))
      mkdirSync(dirname(made), { recursive: true })
      writeFileSync(made, outputText)
    }
  }
  for (const name of BESIDE) if (existsSync(join(root, name))) symlinkSync(join(root, name), join(folder, name))
  return join(folder, 'dist/src/cli/index.js')
}
