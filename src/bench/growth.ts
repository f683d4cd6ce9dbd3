// Whether the gateway stays as fast as its books grow: two gateways on two databases, one small and one large, in turns.
import type { Bench } from './measure.ts'
import type { Rig } from './rig.ts'
import { BATCHED_PER_SECOND_MAX, createStep, getStep, payStep, type Record, ROUNDS } from './scenarios.ts'
import { seedAccounts, seedIssued, settleTables } from './seed.ts'

export const SMALL = 10_000
const OTHER_ACCOUNTS = 935

/** Fills a database: half of the contracts belong to one big account, the rest to a thousand on all lanes. */
export async function fill(rig: Rig, contracts: number): Promise<void> {
  const others = await seedAccounts(rig.client, OTHER_ACCOUNTS)
  await seedIssued(rig.client, rig.original, [rig.big], Math.ceil(contracts / 2))
  await seedIssued(rig.client, rig.original, [...rig.many, ...others], Math.floor(contracts / 2))
  await settleTables(rig.client)
}

type Sized = { readonly rig: Rig; readonly contracts: number }

/** `create@10000` and so on: what is read and paid is seeded beside what is there already. */
export async function runGrowth(bench: Bench, sized: readonly Sized[], record: Record): Promise<void> {
  const steps = await Promise.all(sized.map((each) => stepsOf(bench, each)))
  for (let round = 1; round <= ROUNDS; round++)
    for (const name of ['create', 'get', 'pay'] as const) {
      // In turns, so that neither always follows the other.
      const order = round % 2 === 1 ? steps : steps.toReversed()
      for (const step of order) await step[name](round, record)
    }
}

async function stepsOf(bench: Bench, { rig, contracts }: Sized) {
  const paying = {
    server: rig.server,
    payers: [rig.big],
    connections: bench.connections,
    perSecondMax: BATCHED_PER_SECOND_MAX,
  }
  return {
    create: createStep(bench, rig, `create@${contracts}`),
    get: await getStep(bench, rig, `get@${contracts}`, SMALL),
    pay: payStep(bench, rig, { ...paying, scenario: `pay-one@${contracts}` }),
  }
}
