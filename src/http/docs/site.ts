// The built docs site: which files it has, and each as it is kept, packed with brotli. Only what the build listed is there,
// so that no path leads anywhere else. Knows no request.
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

/** As scripts/site.ts writes it. */
type Manifest = { readonly scripts: readonly string[]; readonly files: Readonly<Record<string, string>> }

export type SiteFile = {
  readonly type: string
  readonly etag: string
  /** Its name holds a hash of its content: what is there never changes. */
  readonly isForEver: boolean
  readonly packed: () => Promise<Buffer>
  readonly plain: () => Promise<Buffer>
}

export type Site = {
  readonly policy: string
  /** The file of an address below /docs/, with or without its ending. */
  readonly at: (path: string) => SiteFile | undefined
  /** Whether a folder of this name has a page of its own. */
  readonly isFolder: (path: string) => boolean
}

/** The build is beside the sources' folder, whether this runs from the build or from the sources. */
const BUILT = import.meta.url.includes('/dist/src/') ? '../../../docs/' : '../../../dist/docs/'

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
}

const unpacked = promisify(brotliDecompress)

/** Reads the list of a build; null where there was none. */
export function openSite(folder: URL = new URL(BUILT, import.meta.url)): Site | null {
  const list = new URL('site.json', folder)
  if (!existsSync(list)) return null
  const { scripts, files } = JSON.parse(readFileSync(list, 'utf8')) as Manifest
  const known = new Map(Object.entries(files))
  const fileAt = (name: string): SiteFile | undefined => {
    const hash = known.get(name)
    if (hash === undefined) return undefined
    const packed = () => readFile(new URL(`${encodeURI(name)}.br`, folder))
    return {
      type: TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      etag: `"${hash}"`,
      isForEver: name.startsWith('assets/'),
      packed,
      plain: async () => unpacked(await packed()),
    }
  }
  return {
    policy: policyOf(scripts),
    at: (path) => fileAt(path === '' || path.endsWith('/') ? `${path}index.html` : path) ?? fileAt(`${path}.html`),
    isFolder: (path) => known.has(`${path}/index.html`),
  }
}

/** The one style that VitePress puts in by script: it stills transitions while light and dark change. */
const STILL = "'sha256-skqujXORqzxt1aE0NNXxujEanPTX6raoqSscTV/Ww/Y='"

/** Highlighted code has its colours in attributes; no style and no script comes from elsewhere. */
function policyOf(scripts: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts.join(' ')}`.trimEnd(),
    `style-src 'self' ${STILL}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
