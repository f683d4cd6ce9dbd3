// npm run stories -- --stories 10000 --seed 7: the long form of test/simulation/wallet-stories.test.ts, on a database of its own.
// Ends with 1 when it finds something.
import { parseArgs } from 'node:util'
import { verifyBooks } from '../../src/app/operator/verify.ts'
import { openAuditSession } from '../../src/main/database/database.ts'
import { newSeed } from '../../test/rig/dice.ts'
import { runWalletStories, storyReport } from '../../test/rig/wallets/wallet-stories.ts'
import { withScratchGateway } from './scratch-gateway.ts'

const { values } = parseArgs({ options: { stories: { type: 'string', default: '10000' }, seed: { type: 'string' } } })
const [stories, seed] = [Number(values.stories), Number(values.seed ?? newSeed())]
if (![stories, seed].every((count) => Number.isInteger(count) && count >= 0)) {
  console.error('usage: npm run stories -- [--stories 10000] [--seed 7]')
  process.exit(2)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

await withScratchGateway('stories', 0, async ({ gateway, database }) => {
  const began = performance.now()
  const figures = await runWalletStories(gateway.deps, { stories, seed })
  console.log(`${storyReport(figures)} (${Math.round((performance.now() - began) / 1000)} s)`)
  await gateway.stop()
  const auditor = openAuditSession({ ...database, login: database.operator })
  const { findings } = await verifyBooks(auditor, () => undefined)
  await auditor.close()
  console.log(findings.length === 0 ? 'The books hold.' : JSON.stringify(findings))
  process.exitCode = figures.findings.length + findings.length === 0 ? 0 : 1
})
