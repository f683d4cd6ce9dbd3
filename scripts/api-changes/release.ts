// Keeps what callers depend on as that of the release in package.json: part of making a release (CONTRIBUTING.md).
import { readFileSync, writeFileSync } from 'node:fs'
import { RELEASED, releasedText } from './released.ts'
import { type OpenApi, surfaceOf } from './surface.ts'

const { version: release } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const surface = surfaceOf(JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenApi)
writeFileSync(RELEASED, releasedText({ release, surface }))
console.log(`wrote ${RELEASED} of ${release}: ${Object.keys(surface.operations).length} operations`)
