// The list of what must be so before a release: a tree that is right has no fault, and each fault that is planted in it is told.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { releasedText } from '../../scripts/api-changes/released.ts'
import { type OpenApi, surfaceOf } from '../../scripts/api-changes/surface.ts'
import { type Occasion, pointsOf } from '../../scripts/release/points.ts'

const folder = mkdtempSync(join(tmpdir(), 'gateway-release-'))
afterAll(() => rmSync(folder, { recursive: true }))

const VERSION = '0.2.0'
const READ = ['package.json', 'package-lock.json', 'sdk/package.json', 'docs/openapi.json', 'db/migrations']

type Root = {
  readonly path: string
  readonly change: (file: string, from: string | RegExp, to: string) => void
  readonly write: (file: string, text: string) => void
  readonly remove: (file: string) => void
}

/** A tree as it is when the release can be published. */
function rightTree(name: string): Root {
  const path = join(folder, name)
  const at = (file: string) => join(path, file)
  const write = (file: string, text: string) => {
    mkdirSync(dirname(at(file)), { recursive: true })
    writeFileSync(at(file), text)
  }
  const change: Root['change'] = (file, from, to) => write(file, readFileSync(at(file), 'utf8').replace(from, to))
  for (const each of READ) cpSync(each, at(each), { recursive: true })
  for (const each of ['package.json', 'package-lock.json', 'sdk/package.json'])
    change(each, /"version": "[^"]+"/, `"version": "${VERSION}"`)
  write('CHANGELOG.md', `# Changelog\n\n## [Unreleased]\n\n## [${VERSION}] - 2027-01-31\n\n### Added\n\n- More.\n`)
  const surface = surfaceOf(JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenApi)
  write('docs/released/api.json', releasedText({ release: VERSION, surface }))
  cpSync('test/released/0.1.0', at(`test/released/${VERSION}`), { recursive: true })
  cpSync('test/released/schema-0029', at('test/released/schema-0029'), { recursive: true })
  change(`test/released/${VERSION}/data.sql`, /^-- schema \d+$/m, `-- schema ${readdirSync('db/migrations').length}`)
  return { path, change, write, remove: (file) => rmSync(at(file), { recursive: true }) }
}

async function faultsOf(root: Root, occasion: Occasion): Promise<string[]> {
  const points = await pointsOf(root.path, occasion)
  for (const { what, mend } of points) expect([what, mend].every((words) => words.length > 10)).toBe(true)
  return points.flatMap(({ faults }) => faults)
}

test('a tree that is right has no fault', async () => {
  expect(await faultsOf(rightTree('right'), 'release')).toEqual([])
  expect(await faultsOf(rightTree('between'), 'between')).toEqual([])
})

const DATA = `test/released/${VERSION}`
const PLANTED: readonly (readonly [what: string, plant: (root: Root) => void, told: RegExp])[] = [
  ['no version', (root) => root.change('package.json', VERSION, '2'), /package\.json has 2$/],
  ['another version in the lock file', (root) => root.change('package-lock.json', VERSION, '0.1.9'), /lock.*0\.1\.9/],
  ['another version of the SDK', (root) => root.change('sdk/package.json', VERSION, '0.1.9'), /sdk.*0\.1\.9/],
  ['no heading', (root) => root.change('CHANGELOG.md', `[${VERSION}]`, '[0.1.9]'), /no heading ## \[0\.2\.0\]/],
  ['a heading without a day', (root) => root.change('CHANGELOG.md', ' - 2027-01-31', ''), /no day/],
  ['an empty heading', (root) => root.change('CHANGELOG.md', '### Added\n\n- More.\n', ''), /nothing stands under/],
  [
    'what is not moved',
    (root) => root.change('CHANGELOG.md', '[Unreleased]\n', '[Unreleased]\n\n- New.\n'),
    /not moved/,
  ],
  ['no place for what comes', (root) => root.change('CHANGELOG.md', '## [Unreleased]\n', ''), /no heading.*Unreleased/],
  [
    'the document of another release',
    (root) => root.change('docs/released/api.json', VERSION, '0.1.9'),
    /it is of 0\.1/,
  ],
  [
    'an API that has changed since',
    (root) => root.change('docs/released/api.json', '"limit"', '"limits"'),
    /changed since it was taken over/,
  ],
  [
    'an operation that is gone',
    (root) => root.change('docs/released/api.json', '"accounts.me"', '"accounts.mine"'),
    /accounts\.mine/,
  ],
  ['a gap', (root) => root.remove('db/migrations/0005_crypto.sql'), /0005 was expected/],
  ['no mark', (root) => root.write('db/migrations/9999_more.sql', 'select 1;\n'), /9999_more\.sql/],
  [
    'a breaking migration that nobody is told of',
    (root) => root.change('db/migrations/0034_hot_tables.sql', '-- safe', '-- breaking'),
    /0034_hot_tables\.sql is not named/,
  ],
  [
    'an applied file that was changed',
    (root) => root.change('db/migrations/0003_payments.sql', /$/, '\n-- more\n'),
    /0003_payments\.sql is not what schema-0029 has applied/,
  ],
  ['no data', (root) => root.remove(DATA), /there is no test\/released\/0\.2\.0/],
  ['a part of the data missing', (root) => root.remove(`${DATA}/statements.json`), /statements\.json is missing/],
  ['data of an older schema', (root) => root.change(`${DATA}/data.sql`, /^-- schema \d+$/m, '-- schema 7'), /schema 7/],
]

test.each(PLANTED)('told: %s', async (what, plant, told) => {
  const root = rightTree(what.replaceAll(/\W/g, '-'))
  plant(root)
  expect(await faultsOf(root, 'release')).toContainEqual(expect.stringMatching(told))
})

test('between releases only what holds at every change is asked', async () => {
  const root = rightTree('unreleased')
  root.write('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n\n- New.\n')
  renameSync(join(root.path, DATA), join(root.path, 'test/released/0.1.9'))
  expect(await faultsOf(root, 'between')).toEqual([])
  root.change('db/migrations/0003_payments.sql', /$/, '\n-- more\n')
  expect(await faultsOf(root, 'between')).not.toEqual([])
})
