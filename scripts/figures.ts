// What the house measures about itself (docs/architecture.md): npm run figures. Lines and files by folder, how large files are,
// how many places name a field or a rail, and the source files that one pay and one event really run through, by V8's own
// coverage of a gateway that is started for it. Prints a table; changes nothing.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { walkedFiles } from './walked-files.ts'

const ROOTS = ['src', 'sandbox', 'bench']
const RAILS = /\b(gcash|maya|instapay|pesonet|qrph)\b/i
/** Where rails may be named: their own folders, the catalogue, and configuration. */
const RAIL_PLACES =
  /^src\/(connectors\/\w+\/|connectors\/catalogue|main\/(channels|config|connectors|rails-config)|channels\/)/

type Source = { readonly path: string; readonly text: string; readonly lines: number }

function sourcesIn(root: string): Source[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
    .map(({ path, text }) => ({ path, text, lines: text.trimEnd().split('\n').length }))
}

function rank(sizes: readonly number[], share: number): number {
  const sorted = sizes.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function readingFigures(): [string, string][] {
  const sources = ROOTS.flatMap((root) => (readdirSync('.').includes(root) ? sourcesIn(root) : []))
  const server = sources.filter(({ path }) => path.startsWith('src/'))
  const linesOf = (all: readonly Source[]) => all.reduce((sum, { lines }) => sum + lines, 0)
  const folders = new Map<string, number>()
  for (const { path } of sources) folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1)
  const [largest = ['none', 0] as const] = [...folders].toSorted(([, a], [, b]) => b - a)
  const sizes = server.map(({ lines }) => lines)
  const byFolder = new Map<string, number>()
  for (const { path, lines } of sources) {
    const folder = path
      .split('/')
      .slice(0, path.startsWith('src/') ? 2 : 1)
      .join('/')
    byFolder.set(folder, (byFolder.get(folder) ?? 0) + lines)
  }
  const naming = server.filter(({ text }) => /\bissuedTo\b|\bissued_to\b/.test(text))
  const rails = server.filter(({ path, text }) => RAILS.test(text) && !RAIL_PLACES.test(path))
  return [
    ['lines in src, sandbox and bench', String(linesOf(sources))],
    ['lines by folder', [...byFolder].map(([folder, lines]) => `${folder} ${lines}`).join(' · ')],
    ['largest folder', `${largest[0]}, ${largest[1]} files`],
    ['median / p90 / max lines of a file in src', `${rank(sizes, 0.5)} / ${rank(sizes, 0.9)} / ${Math.max(...sizes)}`],
    ['files that name issuedTo', String(naming.length)],
    ['files that name a rail outside its folder, the catalogue and configuration', String(rails.length)],
  ]
}

const { pay, event } = await walkedFiles()
const counted = (files: readonly string[]) =>
  `${files.length}, of them in platform ${files.filter((file) => file.startsWith('src/platform/')).length}`
const figures = [
  ...readingFigures(),
  ['source files that a pay runs through, request to reply', counted(pay)],
  ['source files that a provider’s event runs through', counted(event)],
]
console.log(`| figure | value |\n|---|---|\n${figures.map(([name, value]) => `| ${name} | ${value} |`).join('\n')}`)
console.log(`\nA pay: ${pay.join(' ')}\n\nAn event: ${event.join(' ')}`)
process.exit(0)
