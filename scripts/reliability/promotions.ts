// npm run promotions -- --promotions 20 --gateways 2 --seed 7: a synchronous standby is promoted under load, again and again
// (test/rig/standby/promotions.ts). Ends with 1 when it finds something.
import { parseArgs } from 'node:util'
import { newSeed } from '../../test/rig/dice.ts'
import { promotionsReport, runPromotions } from '../../test/rig/standby/promotions.ts'

const { values } = parseArgs({
  options: {
    promotions: { type: 'string', default: '20' },
    gateways: { type: 'string', default: '1' },
    callers: { type: 'string', default: '12' },
    seed: { type: 'string' },
  },
})
const options = {
  promotions: Number(values.promotions),
  gateways: Number(values.gateways),
  callers: Number(values.callers),
  seed: Number(values.seed ?? newSeed()),
}
if (!Object.values(options).every((each) => Number.isSafeInteger(each) && each > 0)) {
  console.error('usage: npm run promotions -- [--promotions 20] [--gateways 1] [--callers 12] [--seed 7]')
  process.exit(2)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

// The gateways that are started are this very build: nothing is compiled anew for each run.
process.env['TEST_BUILD'] ??= process.cwd()
console.log(`seed ${options.seed}, ${options.promotions} promotions, ${options.gateways} gateways`)
const figures = await runPromotions(options)
console.log(promotionsReport(figures))
process.exitCode = figures.findings.length === 0 ? 0 : 1
