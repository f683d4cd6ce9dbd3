// Whether the gateway stays as fast as its books grow: two gateways on two databases, one small and one large, in turns.
import { join } from 'node:path'
import { eventId } from '../src/domain/contract/ids.ts'
import { type Bench, measure } from './measure.ts'
import { feedRequest, listRequest, searchRequest } from './load/requests.ts'
import type { Rig } from './stage/rig.ts'
import { writeList } from './stage/rig.ts'
import { BATCHED_PER_SECOND_MAX, createStep, getStep, neededFor, type Once, payStep, type Record } from './scenarios.ts'
import { seedFollowed } from './stage/followed.ts'
import { drawIssued, type Drawn, readTables, seedAccounts, seedIssued, settleTables } from './stage/seed.ts'

export const SMALL = 10_000
const OTHER_ACCOUNTS = 935

// Enough to read; what a small database does not have is written when it is needed.
const DRAWN = 150_000
/** The sequence of the step that issued a contract: every one that is drawn has it. */
const ISSUED = 2

/** Ends the names of what is measured once the tables were read. */
const CACHED = '-cached'

/** What grows is measured by, in this order. */
const STEPS = ['create', 'get', 'list', 'feed', 'search', 'pay', 'payNew'] as const

/** Fills a database: half of the contracts belong to one big account, the rest to a thousand on all lanes. */
export async function fill({ client, original, big, many }: Rig, contracts: number): Promise<void> {
  const others = await seedAccounts(client, OTHER_ACCOUNTS)
  await seedIssued(client, original, [big], Math.ceil(contracts / 2))
  await seedIssued(client, original, many, Math.ceil(contracts / 4))
  await seedIssued(client, original, others, Math.ceil(contracts / 4))
  await seedFollowed(client, original, [big, ...many, ...others])
  await settleTables(client)
}

type Sized = { readonly rig: Rig; readonly contracts: number }

/**
 * `create@10000` and so on, and then `create@10000-cached`: first as the databases are after they were written, when most of what is asked for
 * comes from the disk; then once their tables have been read, as after some hours of work, as far as there is memory. What is read and
 * paid is drawn from the whole of the books, anew each time.
 */
export async function runGrowth(bench: Bench, sized: readonly Sized[], record: Record): Promise<void> {
  await runSteps(bench, sized, '', record)
  for (const { rig, contracts } of sized) {
    const startMs = performance.now()
    await readTables(rig.client)
    bench.say(`read the tables of ${contracts} contracts in ${Math.round((performance.now() - startMs) / 1000)} s`)
  }
  await runSteps(bench, sized, CACHED, record)
}

async function runSteps(bench: Bench, sized: readonly Sized[], suffix: string, record: Record): Promise<void> {
  const steps = await Promise.all(sized.map((each) => stepsOf(bench, each, suffix)))
  for (let round = 1; round <= bench.effort.rounds; round++)
    for (const name of STEPS) {
      // In turns, so that neither always follows the other.
      const order = round % 2 === 1 ? steps : steps.toReversed()
      for (const step of order) await step[name](round, record)
    }
}

async function stepsOf(bench: Bench, { rig, contracts }: Sized, suffix: string) {
  const at = `@${contracts}${suffix}`
  const { big, many, client } = rig
  const paying = {
    server: rig.server,
    payers: [big],
    connections: bench.connections,
    perSecondMax: BATCHED_PER_SECOND_MAX,
  }
  // Long windows pay more, and all of any age: what is written when the drawn ones are used up would be of lately.
  const paid = bench.effort.rounds * neededFor(bench, BATCHED_PER_SECOND_MAX)
  const drawn = await drawIssued(client, [big], Math.max(DRAWN, paid))
  rig.adopt([big], drawn)
  const read = (name: string, request: string, idOf: (one: Drawn) => string): Once => {
    const scenario = `${name}${at}`
    const listPath = join(bench.stage.directory, `${scenario}.list`)
    writeList(
      listPath,
      [big],
      drawn.slice(0, DRAWN).map((one) => ({ id: idOf(one), accountId: one.accountId })),
    )
    return async (round, record) => {
      const work = { kind: 'listed', request, listPath, order: 'around' } as const
      record((await measure(bench, { scenario, server: rig.server, work })).figure, round)
    }
  }
  return {
    create: createStep(bench, rig, `create${at}`),
    get: getStep(bench, rig, `get${at}`, await drawIssued(client, many, DRAWN)),
    // Pages of the big account, from anywhere in its books.
    list: read('list', listRequest(big.key), ({ id }) => id),
    feed: read('feed', feedRequest(big.key), ({ id }) => eventId(id, ISSUED)),
    search: read('search', searchRequest(big.key), ({ reference }) => reference),
    // Of any age: in a large book that is a page of the disk for each, read and written whole to the log. Then those of lately, as payments mostly are.
    pay: payStep(bench, rig, { ...paying, scenario: `pay-one${at}` }),
    payNew: payStep(bench, rig, { ...paying, scenario: `pay-new${at}`, age: 'new' }),
  }
}
