// npm run chaos -- --minutes 10 --seed 7: every kind of fault at random moments, several at once. --kills, --freezes, --cuts, --slow,
// --full-disks and --clock-jumps give so many of those kinds instead; --faults LIST (or a file of one) repeats a list that was
// printed, and --shrink leaves faults out while it still fails. Ends with 1 when it finds something.
import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { newSeed } from '../../test/rig/dice.ts'
import { chaosReport, faultDice, runChaos } from '../../test/rig/chaos/chaos.ts'
import { type Fault, faultsFor, faultsFrom, faultsOf, faultsText, shortest } from '../../test/rig/chaos/faults.ts'

// Nobody helps: everything must have come to its end by itself within this time.
const HEAL_WITHIN_MS = 5 * 60_000
const COUNTED = ['kills', 'freezes', 'cuts', 'slow', 'full-disks', 'clock-jumps'] as const

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    gateways: { type: 'string', default: '1' },
    callers: { type: 'string', default: '12' },
    seed: { type: 'string' },
    faults: { type: 'string' },
    shrink: { type: 'boolean', default: false },
    kills: { type: 'string' },
    freezes: { type: 'string' },
    cuts: { type: 'string' },
    slow: { type: 'string' },
    'full-disks': { type: 'string' },
    'clock-jumps': { type: 'string' },
  },
})
const [minutes, gateways, callers, seed] = [
  Number(values.minutes),
  Number(values.gateways),
  Number(values.callers),
  Number(values.seed ?? newSeed()),
]
const counted = COUNTED.filter((family) => values[family] !== undefined)
const counts = Object.fromEntries(counted.map((family) => [family, Number(values[family])]))
if (![gateways, callers, seed, ...Object.values(counts)].every(isCount) || !(minutes >= 0) || gateways < 1) {
  const words = COUNTED.map((family) => `[--${family} 20]`).join(' ')
  console.error(
    `usage: npm run chaos -- [--minutes 10 | ${words} | --faults LIST] [--gateways 1] [--callers 12] [--seed 7] [--shrink]`,
  )
  process.exit(2)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

// The gateways that are started are this very build: nothing is compiled anew for each run.
process.env['TEST_BUILD'] ??= process.cwd()
const faults = faultList()
console.log(`seed ${seed}, ${gateways} gateways, ${callers} callers\nfaults ${faultsText(faults)}`)
const failed = await isFound(faults)
if (failed && values.shrink) {
  const few = await shortest(faults, isFound)
  console.log(`shortest that still fails: --seed ${seed} --gateways ${gateways} --faults ${faultsText(few)}`)
}
process.exitCode = failed ? 1 : 0

async function isFound(list: readonly Fault[]): Promise<boolean> {
  const heal = { heal: 'left alone', healWithinMs: HEAL_WITHIN_MS } as const
  const figures = await runChaos({ faults: list, gateways, seed, callers, ...heal })
  console.log(chaosReport(figures))
  return figures.findings.length > 0
}

function faultList(): Fault[] {
  const { faults: given } = values
  if (given !== undefined) return faultsFrom(existsSync(given) ? readFileSync(given, 'utf8') : given, gateways)
  const dice = faultDice(seed)
  return counted.length > 0 ? faultsOf(counts, gateways, dice) : faultsFor(minutes, gateways, dice)
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}
