// Prints the software bill of materials: CycloneDX 1.5 as JSON, of what is installed with the gateway and of what is bundled into
// it. It says the same for the same lock file, so it has no time and no number of its own.
import { readFileSync } from 'node:fs'
import { billOfMaterials } from './bill-of-materials.ts'
import type { Lock } from './shipped.ts'

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock
const bundled = JSON.parse(readFileSync('scripts/package/bundled.json', 'utf8')) as string[]
process.stdout.write(`${JSON.stringify(billOfMaterials(lock, bundled), null, 2)}\n`)
