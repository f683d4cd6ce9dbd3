// Random sequences of everything that callers, workers, rails and the clock can do, on the real gateway and on a model
// that was written from the design alone: answers, contracts, balances, histories and events must be the same.
// Fewer runs where it stands among many tests; all ends and refusals are asked for from 160 on, as `npm run test:servers` does it.
// More runs: MODEL_RUNS=10000 npx vitest run test/simulation/model.test.ts
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unsoundness } from '../rig/books.ts'
import { newSeed } from '../rig/dice.ts'
import type { Model } from '../rig/model/model.ts'
import { BEGINNING, COMMANDS } from '../rig/model/model-walks.ts'
import { channelConfigs, expectAllSame, MODEL_CHANNELS, type Real, workersOf } from '../rig/model/model-real.ts'
import { openWorld, type World } from '../world.ts'
import { callerOf } from '../world-caller.ts'

const RUNS = Number(process.env['MODEL_RUNS'] ?? 50)
/** Runs at a time: each has accounts of its own, and their commands share the batches. */
const AT_ONCE = 25
const COMMANDS_MAX = 60
// Little enough that a third payment often finds too little.
const FUNDS = { PHP: 20_000n, JPY: 8000n }

/** A walk that never gets somewhere has proven nothing about it. */
const EVERYWHERE = [
  'draft, issued, paid, completed, cancelled, expired, returned, submitting, accepted, unknown, failed, voided',
  'cancellation pending, cancellation refused, PATCH contract_not_draft, PUT requirements_not_met, PUT preview_mismatch',
  'PUT contract_not_issued, PUT insufficient_funds, PUT wallet_not_found, PUT contract_cancelled, DELETE contract_completed',
].flatMap((line) => line.split(', '))

let world: World
let owner: pg.Pool
let beside: Awaited<ReturnType<World['beside']>>

beforeAll(async () => {
  world = await openWorld({ config: { channels: channelConfigs() }, workers: 'resting' })
  beside = await world.beside()
  owner = new pg.Pool({ ...world.lanesOwner, max: 4 })
})
afterAll(async () => {
  await owner.end()
  await beside.stop()
  await world.stop()
})

/** Two new accounts. The first is refunded at once when a transfer fails, the second asks for it. */
async function setUp(reached: Map<string, number>): Promise<{ model: Model; real: Real }> {
  const first = await world.newCaller({ funds: FUNDS })
  const second = await world.newCaller({ funds: FUNDS })
  await owner.query('update accounts set refunds_at_once = false where account_id = $1', [second.account.accountId])
  const callers = [first, second].map(
    (caller) => [caller, callerOf(beside, caller.account, { keyId: caller.keyId, text: caller.apiKey })] as const,
  )
  const wallets = callers.map(() =>
    Object.fromEntries(
      Object.entries(FUNDS).map(([currency, available]) => [currency, { available, held: 0n, inTransit: 0n }]),
    ),
  )
  return {
    model: { channels: MODEL_CHANNELS, wallets, refundsAtOnce: [true, false], contracts: [], keptAnswers: 0 },
    real: { world, owner, callers, ids: [], kept: [], workers: workersOf(world), reached, steps: 0, turn: 0 },
  }
}

test(`${RUNS} random runs end as the model says`, { timeout: 3_600_000 }, async () => {
  const seed = Number(process.env['MODEL_SEED'] ?? newSeed())
  const reached = new Map<string, number>()
  let steps = 0
  const property = fc.asyncProperty(
    fc.array(BEGINNING, { minLength: 1, maxLength: 4 }),
    fc.commands(COMMANDS, { maxCommands: COMMANDS_MAX, size: 'max' }),
    async (beginnings, commands) => {
      const { model, real } = await setUp(reached)
      for (const each of beginnings) await each.run(model, real)
      await fc.asyncModelRun(() => ({ model, real }), commands)
      await expectAllSame(model, real)
      steps += real.steps
    },
  )
  const from = performance.now()
  await Promise.all(
    Array.from({ length: AT_ONCE }, (_, i) =>
      fc.assert(property, { numRuns: Math.ceil(RUNS / AT_ONCE), seed: seed + i, endOnFailure: false }),
    ),
  )
  expect(await unsoundness(world.lanesOwner)).toEqual([])
  await world.ledgerHolds()
  const figures = [...reached].toSorted().map(([what, times]) => `${what} ${times}`)
  console.log(
    `model: ${RUNS} runs in ${((performance.now() - from) / 1000).toFixed(1)} s, seed ${seed}; ${steps} commands; contracts seen as: ${figures.join(', ')}`,
  )
  expect(EVERYWHERE.filter((each) => RUNS >= 160 && !reached.has(each))).toEqual([])
})
