// What must be so before a release is published, point by point, as it can be read from a tree; and how each is mended.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MigrationRefused, type Migration, readMigrations } from '../../src/platform/migration-files.ts'
import { changesBetween } from '../api-changes/changes.ts'
import { type Released, RELEASED, releasedText, unnamed } from '../api-changes/released.ts'
import { type OpenApi, surfaceOf } from '../api-changes/surface.ts'
import { type KeptData, keptOf, keptReleases } from './kept-data.ts'

export type Point = {
  readonly what: string
  /** What is wrong, one line each; none where it is as it must be. */
  readonly faults: readonly string[]
  readonly mend: string
}

/** `release`: the tree is to be published as it is. `between`: what must hold at every change. */
export type Occasion = 'release' | 'between'

/** All points of an occasion, in the order in which a release is made. */
export async function pointsOf(root: string, occasion: Occasion): Promise<Point[]> {
  const tree = treeAt(root)
  const { migrations, fault } = await migrationsAt(root)
  const always = [named(tree), ...ordered(tree, migrations, fault), unchanged(root, migrations)]
  const atRelease = [versions(tree), changelog(tree), document(tree), data(root, tree.version, migrations)]
  return occasion === 'release' ? [...atRelease, ...always] : [numbered(tree), ...always]
}

type Tree = { readonly version: string; readonly text: (path: string) => string }

function treeAt(root: string): Tree {
  const text = (path: string) => readFileSync(join(root, path), 'utf8')
  return { version: versionIn(text('package.json')), text }
}

const versionIn = (json: string) => (JSON.parse(json) as { readonly version: string }).version

async function migrationsAt(
  root: string,
): Promise<{ readonly migrations: Migration[]; readonly fault: string | null }> {
  try {
    return { migrations: await readMigrations(join(root, 'db/migrations')), fault: null }
  } catch (cause) {
    if (!(cause instanceof MigrationRefused)) throw cause
    return { migrations: [], fault: cause.message }
  }
}

const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/

const numbered = ({ version }: Tree): Point => ({
  what: 'the version is one of Semantic Versioning',
  faults: VERSION.test(version) ? [] : [`package.json has ${version}`],
  mend: 'Write MAJOR.MINOR.PATCH.',
})

/** The same number wherever it stands. */
function versions(tree: Tree): Point {
  const { version, text } = tree
  const said = [
    ['package-lock.json', versionIn(text('package-lock.json'))],
    ['sdk/package.json', versionIn(text('sdk/package.json'))],
  ] as const
  const other = said.filter(([, each]) => each !== version).map(([path, each]) => `${path} has ${each}, not ${version}`)
  return {
    what: `the version ${version} is the same everywhere`,
    faults: [...numbered(tree).faults, ...other],
    mend: 'Write it in package.json, package-lock.json and sdk/package.json.',
  }
}

/** What stands between a heading of the changelog and the next one; null without the heading. */
function sectionOf(text: string, heading: string): string | null {
  const parts = text.split(/^(?=## \[)/m)
  const part = parts.find((each) => each.startsWith(`## [${heading}]`))
  return part === undefined ? null : part.replace(/^.*\n/, '').trim()
}

function changelog({ version, text }: Tree): Point {
  const all = text('CHANGELOG.md')
  const [section, open] = [sectionOf(all, version), sectionOf(all, 'Unreleased')]
  const isDated = new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm').test(all)
  return {
    what: 'CHANGELOG.md has the release under its number and day, and nothing unreleased',
    faults: [
      ...(section === null ? [`there is no heading ## [${version}]`] : []),
      ...(section === '' ? [`nothing stands under ## [${version}]`] : []),
      ...(section !== null && !isDated ? [`the heading of ${version} has no day`] : []),
      ...(open === null ? ['there is no heading ## [Unreleased] for what comes next'] : []),
      ...(open ? ['what stands under Unreleased was not moved'] : []),
    ],
    mend: `Move what stands under Unreleased below a new heading: ## [${version}] - YYYY-MM-DD.`,
  }
}

/** The document of the API was taken over by this release. */
function document({ version, text }: Tree): Point {
  const surface = surfaceOf(JSON.parse(text('docs/openapi.json')) as OpenApi)
  const kept = text(RELEASED)
  const { release } = JSON.parse(kept) as Released
  return {
    what: `${RELEASED} is what ${version} offers`,
    faults:
      release === version
        ? kept === releasedText({ release, surface })
          ? []
          : ['the API has changed since it was taken over']
        : [`it is of ${release}`],
    mend: 'npm run generate && npm run release:document',
  }
}

/** What breaks callers is named. */
function named({ text }: Tree): Point {
  const { surface } = JSON.parse(text(RELEASED)) as Released
  const now = surfaceOf(JSON.parse(text('docs/openapi.json')) as OpenApi)
  const changes = surface.version === now.version ? changesBetween(surface, now) : []
  return {
    what: 'what breaks callers is named in the changelog',
    faults: unnamed(changes, text('CHANGELOG.md')).map(({ place, what }) => `${place} ${what}`),
    mend: 'Take it back, or name it under Unreleased, Breaking, in backticks.',
  }
}

function ordered({ text }: Tree, migrations: readonly Migration[], fault: string | null): Point[] {
  const all = text('CHANGELOG.md')
  const unsaid = migrations.filter(({ kind, name }) => kind === 'breaking' && !all.includes(`\`${name}\``))
  return [
    {
      what: 'migrations are numbered from 0001 without a gap, and each says what may run beside it',
      faults: fault === null ? [] : [fault],
      mend: 'Rename it, or write -- safe or -- breaking in its first line.',
    },
    {
      what: 'breaking migrations are named in the changelog',
      faults: unsaid.map(({ name }) => `${name} is not named`),
      mend: 'Name each in backticks, with what an operator has to do.',
    },
  ]
}

/** What a database has been brought to is not changed under it. */
function unchanged(root: string, migrations: readonly Migration[]): Point {
  const now = new Map(migrations.map(({ name, checksum }) => [name, checksum]))
  const faults = keptReleases(root).flatMap((release) =>
    [...(keptOf(root, release)?.migrations ?? [])]
      .filter(([name, checksum]) => now.get(name) !== checksum)
      .map(([name]) => `${name} is not what ${release} has applied`),
  )
  return {
    what: 'no migration that a release has applied was changed',
    faults: migrations.length === 0 ? [] : faults,
    mend: 'Restore the file, and put the change into a new one.',
  }
}

function data(root: string, version: string, migrations: readonly Migration[]): Point {
  const kept: KeptData | null = keptOf(root, version)
  const newest = migrations.length
  const missing = kept?.files.filter((path) => !existsSync(join(root, path))) ?? []
  return {
    what: `what ${version} leaves in its database is kept`,
    faults: [
      ...(kept === null ? [`there is no test/released/${version}`] : []),
      ...missing.map((path) => `${path} is missing`),
      ...(kept !== null && kept.schema !== newest
        ? [`it is of schema ${kept.schema}, and the newest is ${newest}`]
        : []),
    ],
    mend: `rm -rf test/released/${version} && npm run release:data`,
  }
}
