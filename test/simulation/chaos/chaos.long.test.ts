// Cuts at COMMIT, disks that are full, gateways that come back as zombies: nothing is lost, nothing happens twice, and when it is
// over all comes to its end. The long forms: npm run chaos -- --cuts 1000, --full-disks 20, --gateways 3 --freezes 100, --minutes 60
import { expect, test } from 'vitest'
import { newSeed } from '../../rig/dice.ts'
import { chaosReport, faultDice, runChaos } from '../../rig/chaos/chaos.ts'
import { type Counts, faultsFrom, faultsOf, faultsText } from '../../rig/chaos/faults.ts'

const seed = Number(process.env['CRASH_SEED'] ?? newSeed())

type Run = {
  readonly gateways: number
  readonly counts: Counts
  /** Faults that come whatever the seed is. */
  readonly always?: string
}

const RUNS: readonly (readonly [string, Run])[] = [
  ['cuts at COMMIT, and a slow road', { gateways: 1, counts: { cuts: 9, slow: 1 } }],
  ['full disks', { gateways: 1, counts: { 'full-disks': 2 } }],
  ['clocks that jump by days', { gateways: 1, counts: { 'clock-jumps': 2 }, always: 'database-clock@16:60' }],
  [
    'two gateways, of which one stands still and comes back',
    {
      gateways: 2,
      counts: { freezes: 5, kills: 2 },
      // The one that starts anew finds no provider: it starts one that the other, which comes back, has to know.
      always: 'freeze-gateway@16:4000,kill-provider@16.3,kill-gateway-2@16.6',
    },
  ],
]

test.each(RUNS)(
  '%s lose nothing and move nothing twice',
  { timeout: 300_000 },
  async (_, { gateways, counts, always }) => {
    const faults = [...faultsOf(counts, gateways, faultDice(seed)), ...faultsFrom(always ?? '', gateways)]
    console.log(`seed ${seed}, faults ${faultsText(faults)}`)
    const heal = { heal: 'asked at once', healWithinMs: 60_000 } as const
    const figures = await runChaos({ faults, gateways, seed, callers: 12, ...heal })
    console.log(chaosReport(figures))
    expect(figures.findings).toEqual([])
    // A run in which little happened proves little; not every machine gives a disk, and then none is full.
    const done = Object.values(figures.done).reduce((sum, count) => sum + count, counts['full-disks'] ?? 0)
    expect(done).toBeGreaterThan(faults.length / 2)
    expect(figures.contracts['completed']).toBeGreaterThan(20)
  },
)
