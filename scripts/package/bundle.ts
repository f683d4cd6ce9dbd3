// The last step of a build: libraries that are far larger than what the gateway uses of them are put into dist/bundled, each
// as one file with what it needs, and the built files import them from there. So an installation has neither their files nor
// those of what they bring (docs/adr/0040). bundled.json lists them.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import { builtFiles, importsOf, withImports } from './imports.ts'

const BUNDLED = JSON.parse(readFileSync('scripts/package/bundled.json', 'utf8')) as string[]
const OUT = 'dist/bundled'
const BUILT = ['dist/src', 'dist/sandbox', 'dist/sdk', 'dist/bench', 'dist/scripts'].filter((folder) =>
  existsSync(folder),
)

// Libraries in the older module form call it.
const BANNER = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"

await main()

async function main(): Promise<void> {
  const files = BUILT.flatMap(builtFiles)
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
  const used = namesUsed([...texts.values()])
  rmSync(OUT, { recursive: true, force: true })
  const { metafile } = await build({
    entryPoints: [...used.keys()].map((specifier) => ({ in: `bundled:${specifier}`, out: fileOf(specifier) })),
    plugins: [entriesOf(used)],
    outdir: OUT,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    banner: { js: BANNER },
    metafile: true,
    logLevel: 'warning',
  })
  const packages = packagesOf(metafile)
  writeFileSync(join(OUT, 'LICENSES.txt'), licencesOf(packages))
  writeFileSync(join(OUT, 'packages.json'), JSON.stringify(packages.map(({ folder: _, ...known }) => known)))
  for (const [file, text] of texts) {
    const own = withImports(text, (specifier) => (used.has(specifier) ? pathFrom(file, specifier) : null))
    if (own !== text) writeFileSync(file, own)
  }
}

/** By each bundled import, the names that the built files take from it. */
function namesUsed(texts: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const used = new Map<string, Set<string>>()
  for (const { specifier, names } of texts.flatMap(importsOf)) {
    if (!BUNDLED.includes(specifier)) continue
    const known = used.get(specifier) ?? new Set()
    for (const name of names) known.add(name)
    used.set(specifier, known)
  }
  const idle = BUNDLED.filter((specifier) => !used.has(specifier))
  if (idle.length > 0)
    throw new Error(
      `no built file imports ${idle.join(', ')}: compile first (npm run build), or take it out of bundled.json`,
    )
  return used
}

/** An entry for each: only what is named is exported, and the rest falls away. */
function entriesOf(used: ReadonlyMap<string, ReadonlySet<string>>): Plugin {
  return {
    name: 'entries',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^bundled:/ }, ({ path }) => ({ path: path.slice('bundled:'.length), namespace: 'bundled' }))
      onLoad({ filter: /./, namespace: 'bundled' }, ({ path }) => {
        const names = [...(used.get(path) ?? [])].toSorted()
        const clause = names.includes('*') ? '*' : `{ ${names.join(', ')} }`
        return { contents: `export ${clause} from '${path}'`, resolveDir: process.cwd() }
      })
    },
  }
}

function fileOf(specifier: string): string {
  return specifier.replace('@', '').replaceAll('/', '-').replace(/\.js$/, '')
}

function pathFrom(file: string, specifier: string): string {
  const path = relative(dirname(file), join(OUT, `${fileOf(specifier)}.js`))
  return path.startsWith('.') ? path : `./${path}`
}

type Package = { readonly name: string; readonly version: string; readonly license: string; readonly folder: string }

/** Everything that came along. */
function packagesOf({ inputs }: Metafile): readonly Package[] {
  const folders = new Set(
    Object.keys(inputs).flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  )
  return [...folders].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package
    if (license === undefined) throw new Error(`${name} is bundled and names no licence`)
    return { name, version, license, folder }
  })
}

/** The text of each licence in full, as each of them asks. */
function licencesOf(packages: readonly Package[]): string {
  const parts = packages.map(({ name, version, license, folder }) => {
    const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)/i.test(each))
    if (file === undefined) throw new Error(`${name} is bundled and comes without the text of its licence`)
    return `${name} ${version}, ${license}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  return `The files in this folder are made of these packages.\n\n${parts.join(`\n${'-'.repeat(72)}\n\n`)}`
}
