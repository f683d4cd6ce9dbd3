// Whether the gateway stays as fast as its books grow: two gateways on two databases, one small and one large, in turns.
import type { Bench } from './measure.ts'
import type { Rig } from './stage/rig.ts'
import { BATCHED_PER_SECOND_MAX, createStep, getStep, payStep, type Record } from './scenarios.ts'
import { drawIssued, seedAccounts, seedIssued, settleTables } from './stage/seed.ts'

export const SMALL = 10_000
const OTHER_ACCOUNTS = 935

// Enough for all rounds; what a small database does not have is written when it is needed.
const DRAWN = 150_000

/** Fills a database: half of the contracts belong to one big account, the rest to a thousand on all lanes. */
export async function fill({ client, original, big, many, adopt }: Rig, contracts: number): Promise<void> {
  const others = await seedAccounts(client, OTHER_ACCOUNTS)
  await seedIssued(client, original, [big], Math.ceil(contracts / 2))
  await seedIssued(client, original, many, Math.ceil(contracts / 4))
  await seedIssued(client, original, others, Math.ceil(contracts / 4))
  await settleTables(client)
  adopt([big], await drawIssued(client, [big], DRAWN))
}

type Sized = { readonly rig: Rig; readonly contracts: number }

/** `create@10000` and so on. What is read and paid is drawn from the whole of the books. */
export async function runGrowth(bench: Bench, sized: readonly Sized[], record: Record): Promise<void> {
  const steps = await Promise.all(sized.map((each) => stepsOf(bench, each)))
  for (let round = 1; round <= bench.effort.rounds; round++)
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
    get: getStep(bench, rig, `get@${contracts}`, await drawIssued(rig.client, rig.many, DRAWN)),
    pay: payStep(bench, rig, { ...paying, scenario: `pay-one@${contracts}` }),
  }
}
