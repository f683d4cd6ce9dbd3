// npm run restored-days -- --days 50 --seed 7: days on which an older copy of the database comes back (test/rig/restored/day.ts), each with a
// seed of its own from the first. Ends with 1 when it finds something.
import { parseArgs } from 'node:util'
import { newSeed } from '../../test/rig/dice.ts'
import { dayReport, runDay } from '../../test/rig/restored/day.ts'

const { values } = parseArgs({ options: { days: { type: 'string', default: '10' }, seed: { type: 'string' } } })
const [days, seed] = [Number(values.days), Number(values.seed ?? newSeed())]
if (!Number.isSafeInteger(days) || days < 1 || !Number.isSafeInteger(seed)) {
  console.error('usage: npm run restored-days -- [--days 10] [--seed 7]')
  process.exit(2)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
console.log(`seed ${seed}, ${days} days`)
let found = 0
let intents = 0
for (let day = 0; day < days; day++) {
  const figures = await runDay(seed + day)
  found += figures.findings.length
  intents += figures.intents
  console.log(dayReport(figures))
}
console.log(`${days} days from seed ${seed}: ${intents} intents, findings: ${found}`)
process.exitCode = found === 0 ? 0 : 1
