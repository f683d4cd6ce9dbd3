// npm run soak -- --minutes 90 --seed 7: a gateway at work with a fault a minute; what it holds on to has to be flat. The short
// form is test/simulation/soak.long.test.ts. Ends with 1 when it finds something.
import { parseArgs } from 'node:util'
import { newSeed } from '../../test/rig/dice.ts'
import { runSoak, soakReport } from '../../test/rig/sagas/soak.ts'

// Nobody helps: everything must have come to its end by itself within this time.
const HEAL_WITHIN_MS = 10 * 60_000

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '90' },
    seed: { type: 'string' },
    callers: { type: 'string', default: '2' },
  },
})
const [minutes, seed, callers] = [values.minutes, values.seed ?? newSeed(), values.callers].map(Number)
if (!isCount(minutes) || !isCount(seed) || !isCount(callers)) {
  console.error('usage: npm run soak -- [--minutes 90] [--callers 2] [--seed 7]')
  process.exit(2)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
console.log(`seed ${seed}, ${minutes} minutes, ${callers} callers`)
const figures = await runSoak({ minutes, seed, callers, heal: 'left alone', healWithinMs: HEAL_WITHIN_MS })
console.log(soakReport(figures))
process.exitCode = figures.findings.length === 0 ? 0 : 1

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value > 0
}
