// Stories of payment contracts on a whole gateway with its own database, over HTTP and signed events, against the model of
// the design. The long form: npm run torture -- --permutations 10000
import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newSeed } from '../rig/dice.ts'
import { CHANNELS, PRICES, REAL_STORIES } from '../rig/payments/payments-channels.ts'
import { permutationReport, runPermutations } from '../rig/payments/payments-permutations.ts'
import { openReal } from '../rig/payments/payments-real.ts'
import { openPaymentStage, type Stage } from '../rig/payments/payments-stage.ts'

const COUNT = Number(process.env['PERMUTATIONS'] ?? 40)
let stage: Stage

beforeAll(async () => {
  const owner = (await (await fetch(inject('databaseDesk'))).json()) as pg.ClientConfig
  stage = await openPaymentStage(owner, CHANNELS)
})
afterAll(() => stage.stop())

test(`${COUNT} permutations of events and requests end as the model says`, { timeout: 120_000 }, async () => {
  const seed = Number(process.env['PERMUTATION_SEED'] ?? newSeed())
  const open = (story: Parameters<typeof openReal>[1]) => openReal(stage, story)
  const figures = await runPermutations({ count: COUNT, seed, prices: PRICES, stories: REAL_STORIES, open, atOnce: 16 })
  console.log(permutationReport('over HTTP', figures))
  expect(figures.findings).toEqual([])
  // A long run that never gets somewhere has proven nothing about it.
  const rare = [...['completed', 'cancelled', 'paid'].map((end) => figures.ends[end]), figures.met['paid, with more']]
  expect(rare.filter((times) => COUNT >= 200 && (times ?? 0) <= 5)).toEqual([])
  expect(await stage.unsound()).toEqual([])
})
