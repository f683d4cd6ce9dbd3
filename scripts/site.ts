// Builds what the gateway serves as files, into dist/docs and dist/console: VitePress makes the documentation and Vite the console,
// and each file is kept packed with brotli only, with a list of them and the hashes of scripts that stand in pages. What was made of
// the same sources is not made again.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const QUALITY = 9
/** The index of search, which is read whole: a fifth smaller, for three seconds. The many pages would take most of a minute for a tenth. */
const LARGE = { bytes: 1_000_000, quality: 11 }
/** What a build leaves in the sources' folder: VitePress's cache, and the pages of operations. */
const LEFT = /\.vitepress\/cache|docs\/reference\/(?!index\.md)[^/]+$/

type Build = {
  /** The folder in dist. */
  readonly name: string
  readonly what: string
  /** The program that makes it, as package and script; and what it is called with. */
  readonly maker: readonly [packageName: string, script: string]
  readonly words: (plain: string) => readonly string[]
  /** Everything that it is made of. */
  readonly sources: readonly string[]
}

const BUILDS: readonly Build[] = [
  {
    name: 'docs',
    what: 'the documentation: half a minute, once',
    maker: ['vitepress', 'bin/vitepress.js'],
    words: (plain) => ['build', 'docs', '--outDir', plain],
    sources: ['docs', 'src/domain/contract/refusals.ts', 'sdk/src/operations.gen.ts', 'scripts/site.ts'],
  },
  {
    name: 'console',
    what: 'the console',
    maker: ['vite', 'bin/vite.js'],
    words: (plain) => ['build', '--config', 'console/vite.config.ts', '--outDir', plain, '--logLevel', 'error'],
    sources: ['console', 'sdk/src', 'scripts/site.ts', 'package-lock.json'],
  },
]

/** What src/http/sites/site.ts reads. */
type Manifest = {
  readonly madeOf: string
  /** Hashes of the scripts that stand in the pages, as a policy names them. */
  readonly scripts: readonly string[]
  /** By path, what names the content. */
  readonly files: Readonly<Record<string, string>>
}

const require = createRequire(import.meta.url)
/** All, or those that are named. */
const wanted = process.argv.slice(2)
for (const each of BUILDS) if (wanted.length === 0 || wanted.includes(each.name)) build(each)

function build({ name, what, maker, words, sources }: Build): void {
  const out = join(ROOT, 'dist', name)
  const plain = `${out}-plain`
  const manifest = require.resolve(`${maker[0]}/package.json`)
  const madeOf = fingerprint(manifest, sources)
  if (isMade(out, madeOf)) return
  console.log(`Building ${what}.`)
  const { status, stderr } = spawnSync(process.execPath, [join(dirname(manifest), maker[1]), ...words(plain)], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    // Whatever the shell is set up for, users get what is made for use: libraries have a larger and slower form for development.
    env: { ...process.env, NO_COLOR: '1', NODE_ENV: 'production' },
  })
  if (status !== 0) {
    console.error(`${stderr}\n${what} could not be built: see above.`)
    process.exit(1)
  }
  rmSync(out, { recursive: true, force: true })
  keep(plain, out, madeOf)
  rmSync(plain, { recursive: true, force: true })
}

function isMade(out: string, madeOf: string): boolean {
  const path = join(out, 'site.json')
  return existsSync(path) && (JSON.parse(readFileSync(path, 'utf8')) as Manifest).madeOf === madeOf
}

function fingerprint(manifest: string, sources: readonly string[]): string {
  const hash = createHash('sha256').update(readFileSync(manifest))
  for (const source of sources)
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

function keep(plain: string, out: string, madeOf: string): void {
  const files: Record<string, string> = {}
  const scripts = new Set<string>()
  for (const path of filesIn(plain)) {
    const name = path.slice(plain.length + 1).replaceAll('\\', '/')
    const bytes = readFileSync(path)
    files[name] = digest(bytes, 'hex').slice(0, 20)
    if (name.endsWith('.html')) for (const each of inlineScripts(bytes.toString())) scripts.add(each)
    const target = join(out, `${name}.br`)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, packed(bytes))
  }
  const manifest: Manifest = { madeOf, scripts: [...scripts].toSorted(), files }
  writeFileSync(join(out, 'site.json'), JSON.stringify(manifest))
}

function packed(bytes: Buffer): Buffer {
  const quality = bytes.length > LARGE.bytes ? LARGE.quality : QUALITY
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
}

/** The hashes of a page's own scripts (CSP level 2: 'sha256-…'). */
function inlineScripts(page: string): string[] {
  const found = page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)
  return [...found].map(([, text = '']) => `'sha256-${digest(Buffer.from(text), 'base64')}'`)
}

function digest(bytes: Buffer, form: 'hex' | 'base64'): string {
  return createHash('sha256').update(bytes).digest(form)
}
