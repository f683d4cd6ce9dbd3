// npm run node-kills -- --rounds 20 --seed 7: nodes of a Citus cluster and the gateways on it die under load (test/rig/citus/node-kills.ts).
// --kind 'for good' does only those whose names have that in them. CITUS_KIT names the folder of the kit that makes a cluster (docs/citus.md).
// SIGINT ends it after the round. Ends with 1 when it finds something, or accounts of a worker that lives were slowed down too much.
import { parseArgs } from 'node:util'
import { newSeed } from '../../test/rig/dice.ts'
import { FAULTS } from '../../test/rig/citus/node-faults.ts'
import { nodeKillsReport, runNodeKills, slowedBy } from '../../test/rig/citus/node-kills.ts'

const SLOWED_BY_MAX = 2

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string' },
    kind: { type: 'string', default: '' },
  },
})
const [rounds, seed] = [Number(values.rounds), Number(values.seed ?? newSeed())]
const kinds = FAULTS.filter((each) => each.includes(values.kind))
const kit = process.env['CITUS_KIT']
const areNumbers = [rounds, seed].every((each) => Number.isSafeInteger(each) && each > 0)
if (!areNumbers || kinds.length === 0 || kit === undefined) {
  console.error("usage: CITUS_KIT=FOLDER npm run node-kills -- [--rounds 20] [--seed 7] [--kind 'a worker dies']")
  process.exit(2)
}
let isEnough = false
process.once('SIGTERM', () => process.exit(130))
process.once('SIGINT', () => {
  isEnough = true
  process.once('SIGINT', () => process.exit(130))
})

// The gateways that are started are this very build: nothing is compiled anew for each run.
process.env['TEST_BUILD'] ??= process.cwd()
console.log(`seed ${seed}, ${rounds} rounds`)
const say = (line: string) => console.log(`> ${line}`)
const figures = await runNodeKills({ rounds, seed, kinds, kit, isEnough: () => isEnough, say })
console.log(nodeKillsReport(figures))
const isSlow = slowedBy(figures) > SLOWED_BY_MAX
if (isSlow) console.log(`  accounts on the other worker were slowed down more than ${SLOWED_BY_MAX} times`)
process.exitCode = figures.findings.length > 0 || isSlow ? 1 : 0
