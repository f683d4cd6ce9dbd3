// npm run restored-days -- --days 50 --together 2 --seed 7: days on which an older copy of the database comes back
// (test/rig/restored/day.ts), each with a seed of its own from the first, so many of them side by side. Ends with 1 when it finds
// something.
import { parseArgs } from 'node:util'
import { newSeed } from '../../test/rig/dice.ts'
import { type DayFigures, dayReport, removeDays, runDay } from '../../test/rig/restored/day.ts'

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '10' },
    together: { type: 'string', default: '1' },
    seed: { type: 'string' },
  },
})
const [days, together, seed] = [Number(values.days), Number(values.together), Number(values.seed ?? newSeed())]
if (![days, together, seed].every((count) => Number.isSafeInteger(count)) || days < 1 || together < 1) {
  console.error('usage: npm run restored-days -- [--days 10] [--together 1] [--seed 7]')
  process.exit(2)
}
// The gateways that are started are this very build: nothing is compiled anew for each day.
process.env['TEST_BUILD'] ??= process.cwd()
console.log(`seed ${seed}, ${days} days`)
const left = Array.from({ length: days }, (_, day) => seed + day)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    left.length = 0
    void removeDays().finally(() => process.exit(130))
  })
const played: (DayFigures | null)[] = []
await Promise.all(Array.from({ length: together }, playDays))
const intents = played.reduce((sum, figures) => sum + (figures?.intents ?? 0), 0)
const found = played.reduce((sum, figures) => sum + (figures?.findings.length ?? 1), 0)
console.log(`${days} days from seed ${seed}: ${intents} intents, findings: ${found}`)
process.exitCode = found === 0 ? 0 : 1

async function playDays(): Promise<void> {
  for (let own = left.shift(); own !== undefined; own = left.shift()) played.push(await playDay(own))
}

/** A day that could not be played to its end is a finding, and the others go on: null. */
async function playDay(own: number): Promise<DayFigures | null> {
  try {
    const figures = await runDay(own)
    console.log(dayReport(figures))
    return figures
  } catch (fault) {
    console.log(`day of seed ${own} broke off: ${fault instanceof Error ? fault.stack : String(fault)}`)
    return null
  }
}
