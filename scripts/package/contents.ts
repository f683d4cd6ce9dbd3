// What may be in the package that npm publishes: nothing too much, nothing that is missing where it is installed, no larger
// than it was meant to be. Judges a list of files; packs nothing.
import { isBuiltin } from 'node:module'
import { importsOf, packageOf } from './imports.ts'

/** As `npm pack --json` lists it. */
export type Packed = {
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

/** What the files are held against. `root` is the folder that they were built in. */
export type Ground = {
  readonly root: string
  readonly textOf: (path: string) => string
  /** The packages that are installed with it, or may be. */
  readonly comeAlong: ReadonlySet<string>
  /** The files that are commands. */
  readonly programs: readonly string[]
}

const PACKED_BYTES_MAX = 8_000_000
const UNPACKED_BYTES_MAX = 16_000_000

const BELONGS =
  /^(bin\/gateway\.js|dist\/.*|db\/migrations\/.*\.sql|db\/schema\.sql|docs\/openapi\.json|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/
const STRANGE = /\.(map|ts|tsbuildinfo|log|tgz)$|\.test\.|^dist\/(bench|scripts|test)\/|\/\.|node_modules/
const NEEDED = [
  'bin/gateway.js',
  'dist/src/cli/index.js',
  'dist/sandbox/server.js',
  'dist/bundled/LICENSES.txt',
  'docs/openapi.json',
  'db/schema.sql',
  'package.json',
  'LICENSE',
]

/** One line for each fault. */
export function faultsOf({ size, unpackedSize, files }: Packed, ground: Ground): string[] {
  const paths = files.map(({ path }) => path)
  return [
    ...paths
      .filter((path) => !BELONGS.test(path) || STRANGE.test(path))
      .map((path) => `${path}: does not belong in the package`),
    ...NEEDED.filter((path) => !paths.includes(path)).map((path) => `${path}: is missing`),
    ...tooLarge('packed', size, PACKED_BYTES_MAX),
    ...tooLarge('unpacked', unpackedSize, UNPACKED_BYTES_MAX),
    ...paths.filter((path) => path.endsWith('.js')).flatMap((path) => faultsOfCode(path, ground)),
  ]
}

function tooLarge(how: string, bytes: number, most: number): string[] {
  return bytes > most ? [`${megabytes(bytes)} ${how}, at most ${megabytes(most)}`] : []
}

/** Where this was built says nothing to whoever installs it, and what it imports must come along. */
function faultsOfCode(path: string, { root, textOf, comeAlong, programs }: Ground): string[] {
  const text = textOf(path)
  const found = text.includes(`${root}/`) ? [`${path}: names ${root}, the folder that it was built in`] : []
  if (programs.includes(path) && !text.startsWith('#!/usr/bin/env node\n')) found.push(`${path}: no program of Node`)
  // What is bundled has no imports of packages left, and texts that look like some.
  if (!/^dist\/(src|sandbox|sdk)\//.test(path)) return found
  const strangers = importsOf(text)
    .filter(({ specifier }) => !isBuiltin(specifier) && !comeAlong.has(packageOf(specifier)))
    .map(({ specifier }) => `${path}: imports ${specifier}, which is not installed with it`)
  return [...found, ...strangers]
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
