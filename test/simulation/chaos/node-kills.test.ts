// Nodes of a Citus cluster and the gateways on it die under load, one after another; nothing that was acknowledged is lost, and nothing
// happens twice. On a cluster of its own, beside that of the run: npm run test:citus. The long form: npm run node-kills.
import { expect, test } from 'vitest'
import { newSeed } from '../../rig/dice.ts'
import { nodeKillsReport, runNodeKills } from '../../rig/citus/node-kills.ts'

const ROUNDS = 3
// A minute or two each, on a machine that has other work.
const WITHIN_MS = 900_000
const kit = process.env['TEST_ON_CITUS'] === 'yes' ? process.env['CITUS_KIT'] : undefined

test.skipIf(kit === undefined)(
  `${ROUNDS} deaths on a cluster lose and double nothing (without CITUS_KIT it is skipped)`,
  async () => {
    const seed = Number(process.env['NODE_KILLS_SEED'] ?? newSeed())
    const figures = await runNodeKills({ rounds: ROUNDS, seed, kit: kit ?? '', say: () => undefined })
    console.log(nodeKillsReport(figures))
    expect(figures.findings).toEqual([])
    expect(figures.acknowledgedWrites).toBeGreaterThan(ROUNDS)
  },
  WITHIN_MS,
)
