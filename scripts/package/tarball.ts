// Holds what npm would publish against contents.ts. Ends with 1 and one line for each fault. Needs a build; reaches no
// registry.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { faultsOf, megabytes, type Packed } from './contents.ts'

type Manifest = Record<
  'dependencies' | 'optionalDependencies' | 'peerDependencies' | 'bin',
  Readonly<Record<string, string>>
>

const { dependencies, optionalDependencies, peerDependencies, bin } = JSON.parse(
  readFileSync('package.json', 'utf8'),
) as Manifest
const packed = packedFiles()
const faults = faultsOf(packed, {
  root: process.cwd(),
  textOf: (path) => readFileSync(path, 'utf8'),
  comeAlong: new Set(Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })),
  programs: Object.values(bin),
})
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
const { size, unpackedSize, files } = packed
console.log(`${files.length} files, ${megabytes(size)} packed, ${megabytes(unpackedSize)} unpacked`)

function packedFiles(): Packed {
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const { status, stdout, stderr } = spawnSync('npm', words, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const [first] = status === 0 ? (JSON.parse(stdout) as Packed[]) : []
  if (first === undefined) throw new Error(`npm pack failed: ${stderr}`)
  return first
}
