// npm run rehearsals -- --histories 10000 --seed 7: the long form of test/http/policies/rehearsal-truth.long.test.ts, on a database
// of its own. Ends with 1 when it finds something.
import { parseArgs } from 'node:util'
import { verifyBooks } from '../../src/app/operator/verify.ts'
import { readConfig } from '../../src/main/config/config.ts'
import { openAuditSession } from '../../src/main/database/database.ts'
import { newSeed } from '../../test/rig/dice.ts'
import { openRehearsalStage } from '../../test/rig/policies/rehearsal-stage.ts'
import { rehearsalReport, runRehearsals } from '../../test/rig/policies/rehearsals.ts'
import { withScratchGateway } from './scratch-gateway.ts'

/** So many histories side by side: enough that many requests share a commit. */
const AT_ONCE = 24
const { values } = parseArgs({
  options: { histories: { type: 'string', default: '10000' }, seed: { type: 'string' } },
})
const [histories, seed] = [Number(values.histories), Number(values.seed ?? newSeed())]
if (![histories, seed].every((count) => Number.isInteger(count) && count >= 0)) {
  console.error('usage: npm run rehearsals -- [--histories 10000] [--seed 7]')
  process.exit(2)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

/** Members' passwords are hashed cheaply, and nobody is limited: the histories are about policies. */
const { doors } = readConfig({})
const QUICK = {
  rateLimit: 0,
  doors: { ...doors, authFailuresPerMinute: 0 },
  passwordCost: { logN: 4, r: 8, p: 1 },
}

await withScratchGateway(
  'rehearsals',
  3600,
  async ({ gateway, database }) => {
    const began = performance.now()
    const seconds = () => Math.round((performance.now() - began) / 1000)
    const operators = { ...database, login: database.operator }
    const stage = await openRehearsalStage(gateway, operators)
    const tell = (words: string) => console.error(`> ${seconds()} s: ${words}`)
    const figures = await runRehearsals(stage, { histories, seed, atOnce: AT_ONCE, tell })
    console.log(`${rehearsalReport(figures)} (${seconds()} s)`)
    await stage.close()
    await gateway.stop()
    const auditor = openAuditSession(operators)
    const { findings } = await verifyBooks(auditor, () => undefined)
    await auditor.close()
    console.log(findings.length === 0 ? 'The books hold.' : JSON.stringify(findings))
    process.exitCode = figures.findings.length + findings.length === 0 ? 0 : 1
  },
  QUICK,
)
