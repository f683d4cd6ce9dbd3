// Builds the docs site into dist/docs: VitePress makes the pages, and each file is kept packed with brotli only, with a list
// of them and the policy that their scripts need. What was made of the same sources is not made again.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const OUT = join(ROOT, 'dist/docs')
const PLAIN = join(ROOT, 'dist/docs-plain')
/** Everything that the pages are made of. */
const SOURCES = ['docs', 'src/domain/contract/refusals.ts', 'scripts/site.ts']
const QUALITY = 9
/** What a build leaves in the sources' folder: VitePress's cache, and the pages of operations. */
const LEFT = /\.vitepress\/cache|docs\/reference\/(?!index\.md)[^/]+$/

/** What src/http/docs/site.ts reads. */
type Manifest = {
  readonly madeOf: string
  /** Hashes of the scripts that stand in the pages, as a policy names them. */
  readonly scripts: readonly string[]
  /** By path, what names the content. */
  readonly files: Readonly<Record<string, string>>
}

const require = createRequire(import.meta.url)
const madeOf = fingerprint()
if (isMade()) process.exit(0)
console.log('Building the documentation: half a minute, once.')
const { status, stderr } = spawnSync(process.execPath, [vitepress(), 'build', 'docs', '--outDir', PLAIN], {
  cwd: ROOT,
  stdio: ['ignore', 'ignore', 'pipe'],
  encoding: 'utf8',
  env: { ...process.env, NO_COLOR: '1' },
})
if (status !== 0) {
  console.error(`${stderr}\nThe documentation could not be built: see above.`)
  process.exit(1)
}
rmSync(OUT, { recursive: true, force: true })
keep()
rmSync(PLAIN, { recursive: true, force: true })

function vitepress(): string {
  return join(dirname(require.resolve('vitepress/package.json')), 'bin/vitepress.js')
}

function isMade(): boolean {
  const path = join(OUT, 'site.json')
  return existsSync(path) && (JSON.parse(readFileSync(path, 'utf8')) as Manifest).madeOf === madeOf
}

function fingerprint(): string {
  const hash = createHash('sha256').update(readFileSync(require.resolve('vitepress/package.json')))
  for (const source of SOURCES)
    for (const path of filesIn(join(ROOT, source)).filter((each) => !LEFT.test(each)))
      hash.update(path.slice(ROOT.length)).update('\0').update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}

/** Every file under a path, or the path itself, in one order. */
function filesIn(path: string): string[] {
  const entries = entriesIn(path)
  if (entries === null) return [path]
  return entries.toSorted().flatMap((name) => filesIn(join(path, name)))
}

function entriesIn(path: string): string[] | null {
  try {
    return readdirSync(path)
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOTDIR') return null
    throw fault
  }
}

function keep(): void {
  const files: Record<string, string> = {}
  const scripts = new Set<string>()
  for (const path of filesIn(PLAIN)) {
    const name = path.slice(PLAIN.length + 1).replaceAll('\\', '/')
    const bytes = readFileSync(path)
    files[name] = digest(bytes, 'hex').slice(0, 20)
    if (name.endsWith('.html')) for (const each of inlineScripts(bytes.toString())) scripts.add(each)
    const target = join(OUT, `${name}.br`)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }))
  }
  const manifest: Manifest = { madeOf, scripts: [...scripts].toSorted(), files }
  writeFileSync(join(OUT, 'site.json'), JSON.stringify(manifest))
}

/** The hashes of a page's own scripts (CSP level 2: 'sha256-…'). */
function inlineScripts(page: string): string[] {
  const found = page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)
  return [...found].map(([, text = '']) => `'sha256-${digest(Buffer.from(text), 'base64')}'`)
}

function digest(bytes: Buffer, form: 'hex' | 'base64'): string {
  return createHash('sha256').update(bytes).digest(form)
}
