// Prints the software bill of materials: CycloneDX 1.5 as JSON, of what is installed with the gateway and of what is bundled into
// it. It says the same for the same lock file, so it has no time and no number of its own.
import { billOfMaterials } from './bill-of-materials.ts'
import { readShipped } from './shipped.ts'

process.stdout.write(`${JSON.stringify(billOfMaterials(readShipped()), null, 2)}\n`)
