// A built site, such as the documentation: which files it has, and each as it is kept, packed with brotli. Only what the build
// listed is there, so that no path leads anywhere else. And how a file of it is sent.
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

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
  /** Hashes of the scripts that stand in its pages, as a policy names them. */
  readonly scripts: readonly string[]
  /** The file of an address below /docs/, with or without its ending. */
  readonly at: (path: string) => SiteFile | undefined
  /** Whether a folder of this name has a page of its own. */
  readonly isFolder: (path: string) => boolean
}

/** The build is beside the sources' folder, whether this runs from the build or from the sources. */
const BUILT = import.meta.url.includes('/dist/src/') ? '../../../' : '../../../dist/'

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
}

const unpacked = promisify(brotliDecompress)

/** Where a build is kept. */
export const builtFolder = (name: 'docs' | 'console'): URL => new URL(`${BUILT}${name}/`, import.meta.url)

/** Reads the list of a build; null where there was none. */
export function openSite(folder: URL): Site | null {
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
    scripts,
    at: (path) => fileAt(path === '' || path.endsWith('/') ? `${path}index.html` : path) ?? fileAt(`${path}.html`),
    isFolder: (path) => known.has(`${path}/index.html`),
  }
}

const FOR_EVER = 'public, max-age=31536000, immutable'

/** What every file of a site is sent with. */
export function headersOf(file: SiteFile, policy: string): Record<string, string> {
  return {
    'content-type': file.type,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': file.isForEver ? FOR_EVER : 'no-cache',
    etag: file.etag,
    vary: 'Accept-Encoding',
  }
}

/** Whether the browser has the very file already. */
export const isKnown = (file: SiteFile, request: FastifyRequest): boolean =>
  request.headers['if-none-match']?.split(/\s*,\s*/).includes(file.etag) ?? false

/** As it is kept to who takes that, else unpacked. */
export async function sendFile(file: SiteFile, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!takesBrotli(request.headers['accept-encoding'])) return reply.send(await file.plain())
  return reply.header('content-encoding', 'br').send(await file.packed())
}

/** Named, and not with a weight of nought. */
function takesBrotli(header: string | string[] | undefined): boolean {
  const parts = String(header ?? '').split(',')
  return parts.some((part) => /^\s*br\s*(;\s*q=(?!0(\.0*)?\s*$)[\d.]+\s*)?$/i.test(part))
}
