// npm run release:check: everything that must be so before a release is published, one line each, with what is wrong and how to
// mend it. Ends with 1 where anything is. `--dry-run` leaves out what only a release needs: that is for every change.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { type Point, pointsOf } from './points.ts'

const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false }, 'without-gate': { type: 'boolean', default: false } },
})

function ran(command: string, words: readonly string[], shown: 'shown' | 'kept'): { ok: boolean; said: string } {
  const stdio = shown === 'shown' ? 'inherit' : 'pipe'
  const { status, stdout, stderr } = spawnSync(command, words, { encoding: 'utf8', stdio, maxBuffer: 64 << 20 })
  return { ok: status === 0, said: shown === 'shown' ? '' : `${stdout}${stderr}`.trim() }
}

function clean(): Point {
  const { ok, said } = ran('git', ['status', '--porcelain'], 'kept')
  const faults = ok ? said.split('\n').filter((line) => line !== '') : ['git does not answer']
  return { what: 'everything is committed', faults, mend: 'Commit it, or take it away.' }
}

function billOfMaterials(): Point {
  const { ok, said } = ran(process.execPath, ['dist/scripts/package/sbom.js'], 'kept')
  const faults = ok && said.includes('CycloneDX') ? [] : [said.split('\n')[0] ?? 'nothing is said']
  return { what: 'the bill of materials can be made', faults, mend: 'npm run sbom says why not.' }
}

/** All that CI runs, the package's contents and the long run among it. */
function gate(): Point {
  const faults = ran('bash', ['scripts/check.sh'], 'shown').ok ? [] : ['a group failed']
  return { what: 'every group of the gate', faults, mend: 'npm run check says which, and how.' }
}

function tell({ what, faults, mend }: Point): boolean {
  const isSo = faults.length === 0
  console.log(`${isSo ? 'ok   ' : 'WRONG'} ${what}`)
  for (const fault of faults) console.log(`        ${fault}`)
  if (!isSo) console.log(`        Mend: ${mend}`)
  return isSo
}

const isDry = values['dry-run']
const points = await pointsOf(process.cwd(), isDry ? 'between' : 'release')
const others = isDry ? [billOfMaterials()] : [clean(), billOfMaterials()]
const told = [...points, ...others].map(tell)
// An hour, which is for a tree that is right in everything else.
const isRight = told.every(Boolean) && (isDry || values['without-gate'] || tell(gate()))
if (!isRight) process.exitCode = 1
else if (!isDry) console.log('\nIt can be published: docs/releasing.md says how.')
