// Which packages of others reach who installs the gateway, by the lock file: installed with it, or bundled into its build.

import { readFileSync } from 'node:fs'

export type LockedPackage = {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly link?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
}

export type Lock = { readonly packages: Readonly<Record<string, LockedPackage>> }

export type Shipped = {
  readonly name: string
  readonly version: string
  /** An SPDX expression; empty where the package names none. */
  readonly licence: string
  /** As Subresource Integrity: algorithm, dash, base64. */
  readonly integrity: string | null
  readonly how: 'installed' | 'bundled'
}

/** Licences that let anybody run, change and pass on the whole, with a notice at most. */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
])

/** What the build bundles into the gateway, and into the pages that it serves. */
const BUNDLED_LISTS = ['scripts/package/bundled.json', 'scripts/package/bundled-in-pages.json']

export type Release = { readonly version: string; readonly shipped: readonly Shipped[] }

/** Of the repository that is the working directory. */
export function readShipped(): Release {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock
  const bundled = BUNDLED_LISTS.flatMap((path) => JSON.parse(readFileSync(path, 'utf8')) as string[])
  return { version: lock.packages['']?.version ?? '', shipped: shippedPackages(lock, bundled) }
}

/** In the order of their names. `bundled` are the modules that the build bundles (scripts/package/bundled.json). */
export function shippedPackages({ packages }: Lock, bundled: readonly string[]): Shipped[] {
  const installed = Object.entries(packages).filter(([path, { dev, link }]) => path !== '' && !dev && !link)
  const inside = bundledPaths(packages, bundled)
  const all = [
    ...installed.map(([path, locked]) => shippedAs('installed', path, locked)),
    ...[...inside]
      .filter((path) => packages[path]?.dev)
      .map((path) => shippedAs('bundled', path, packages[path] ?? {})),
  ]
  const named = new Map(all.map((each) => [`${each.name}@${each.version} ${each.how}`, each]))
  return [...named.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
}

/** What may not be shipped, a sentence each. */
export function licenceFaults(shipped: readonly Shipped[]): string[] {
  return shipped
    .filter(({ licence }) => !isAllowed(licence))
    .map(
      ({ name, version, licence }) =>
        `${name}@${version} has the licence "${licence}", which is not on the list in scripts/package/shipped.ts: leave it out, or judge the licence and add it`,
    )
}

/** One that may be chosen is enough of an "OR"; all of an "AND" bind. */
const isAllowed = (licence: string): boolean =>
  licence
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => ALLOWED.has(each.trim())))

function shippedAs(how: Shipped['how'], path: string, { version, license, integrity }: LockedPackage): Shipped {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  return { name, version: version ?? '', licence: license ?? '', integrity: integrity ?? null, how }
}

/** The bundled packages and all that they need, as paths of the lock file. */
function bundledPaths(packages: Lock['packages'], modules: readonly string[]): Set<string> {
  const roots = modules.map((module) =>
    module
      .split('/')
      .slice(0, module.startsWith('@') ? 2 : 1)
      .join('/'),
  )
  const found = new Set(roots.map((name) => pathOf(packages, '', name)))
  for (const path of found)
    for (const name of Object.keys(packages[path]?.dependencies ?? {})) found.add(pathOf(packages, path, name))
  return found
}

/** Where Node finds a package from the place of another. */
function pathOf(packages: Lock['packages'], from: string, name: string): string {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/')))) {
    const path = place === '' ? `node_modules/${name}` : `${place}/node_modules/${name}`
    if (path in packages) return path
    if (place === '') throw new Error(`${name}, needed by ${from || 'the bundle'}, is not in the lock file`)
  }
}
