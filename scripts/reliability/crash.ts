// npm run crash -- --kills 200 --freezes 100 --seed 7: the long form of test/simulation/crash.long.test.ts. Ends with 1 when it finds something.
import { parseArgs } from 'node:util'
import { crashReport, runCrashes } from '../../test/rig/sagas/crash.ts'
import { newSeed } from '../../test/rig/dice.ts'

// Nobody helps: everything must have come to its end by itself within this time.
const HEAL_WITHIN_MS = 5 * 60_000

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    freezes: { type: 'string', default: '100' },
    seed: { type: 'string' },
    callers: { type: 'string', default: '12' },
  },
})
const [kills, freezes, seed, callers] = [values.kills, values.freezes, values.seed ?? newSeed(), values.callers].map(
  Number,
)
if (!isCount(kills) || !isCount(freezes) || !isCount(seed) || !isCount(callers)) {
  console.error('usage: npm run crash -- [--kills 200] [--freezes 100] [--seed 7] [--callers 12]')
  process.exit(2)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
console.log(`seed ${seed}, ${kills} kills, ${freezes} freezes, ${callers} callers`)
const figures = await runCrashes({ kills, freezes, seed, callers, heal: 'left alone', healWithinMs: HEAL_WITHIN_MS })
console.log(crashReport(figures))
process.exitCode = figures.findings.length === 0 ? 0 : 1

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0
}
