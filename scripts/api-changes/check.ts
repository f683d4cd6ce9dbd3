// Compares docs/openapi.json with the last release, tells every change, and fails where one breaks callers and is not named:
// in the changelog under Breaking, by its operation, event or shape in backticks, or by a new version of the API.
import { readFileSync } from 'node:fs'
import { changesBetween } from './changes.ts'
import { type Released, RELEASED, unnamed } from './released.ts'
import { type OpenApi, surfaceOf } from './surface.ts'

const { release, surface } = JSON.parse(readFileSync(RELEASED, 'utf8')) as Released
const now = surfaceOf(JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenApi)
const changes = changesBetween(surface, now)
for (const { place, what, breaks } of changes) console.log(`${breaks ? 'BREAKS ' : '       '}${place} ${what}`)
const isAnotherVersion = surface.version !== now.version
const left = isAnotherVersion ? [] : unnamed(changes, readFileSync('CHANGELOG.md', 'utf8'))
const breaking = changes.filter(({ breaks }) => breaks).length
console.log(
  `since ${release}: ${changes.length} changes, ${breaking} of them break callers, ${left.length} of those are not named`,
)
if (left.length > 0) {
  const subjects = [...new Set(left.map(({ subject }) => `\`${subject}\``))].join(', ')
  console.error(`Mend: take them back, or name them in CHANGELOG.md, under Unreleased, Breaking: ${subjects}`)
  process.exitCode = 1
}
