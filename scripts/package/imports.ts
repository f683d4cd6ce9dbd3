// Which packages built files import, and by which names. Reads what the compiler writes, where each import statement begins
// a line.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** `names` are as they stand in the statement: `default`, `Static`; `*` for everything. */
export type Import = { readonly specifier: string; readonly names: readonly string[] }

const STATIC = /^(?:import|export)\s+(?:([^'";]*?)\s+from\s+)?'([^'\n]+)'/gm
const DYNAMIC = /\bimport\('([^'\n]+)'\)/g

/** Every import of a text but those of files beside it. */
export function importsOf(text: string): Import[] {
  const found = [
    ...[...text.matchAll(STATIC)].map(([, names = '', specifier = '']) => ({ specifier, names: namesOf(names) })),
    ...[...text.matchAll(DYNAMIC)].map(([, specifier = '']) => ({ specifier, names: ['*'] })),
  ]
  return found.filter(({ specifier }) => !specifier.startsWith('.') && !specifier.startsWith('/'))
}

/** The text with its imports of some packages turned elsewhere. */
export function withImports(text: string, targetOf: (specifier: string) => string | null): string {
  const turned = (statement: string, specifier: string) => {
    const target = targetOf(specifier)
    return target === null ? statement : statement.replace(`'${specifier}'`, `'${target}'`)
  }
  return text
    .replace(STATIC, (statement: string, _names: unknown, specifier: string) => turned(statement, specifier))
    .replace(DYNAMIC, (statement: string, specifier: string) => turned(statement, specifier))
}

/** `Type, { IsArray as isArray }` as `default`, `IsArray`. */
function namesOf(clause: string): string[] {
  if (clause === '' || clause.includes('*')) return ['*']
  const [, one = '', several = ''] = /^([\w$]*)[\s,]*(?:\{([^}]*)\})?$/.exec(clause) ?? []
  const named = several.split(',').map((each) => each.trim().split(/\s+as\s+/)[0] ?? '')
  return [one === '' ? '' : 'default', ...named].filter((name) => name !== '')
}

/** The name of a package, of `typebox/schema` as of `@noble/hashes/sha3`. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** The built files below a folder. */
export function builtFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .map((path) => join(folder, path))
    .toSorted()
}
