// Thousands of stories of payment contracts, decided without a database: whatever comes in whatever order, the contract ends
// as the model of the design says, each amount is booked once, and the books fit. PERMUTATIONS=10000 for the long form.
import { expect, test } from 'vitest'
import { newSeed } from '../../rig/dice.ts'
import { PRICES, PURE_STORIES } from '../../rig/payments/payments-channels.ts'
import { permutationReport, runPermutations } from '../../rig/payments/payments-permutations.ts'
import { openPure } from '../../rig/payments/payments-pure.ts'
import { runStory } from '../../rig/payments/payments-run.ts'

const COUNT = Number(process.env['PERMUTATIONS'] ?? 2_500)

test(`${COUNT} permutations of events and requests end as the model says`, { timeout: 120_000 }, async () => {
  const seed = Number(process.env['PERMUTATION_SEED'] ?? newSeed())
  const open = async (story: Parameters<typeof openPure>[0]) => openPure(story)
  const figures = await runPermutations({ count: COUNT, seed, prices: PRICES, stories: PURE_STORIES, open, atOnce: 1 })
  console.log(permutationReport('decisions alone', figures))
  expect(figures.findings).toEqual([])
  // A run that never gets somewhere has proven nothing about it.
  for (const status of ['completed', 'cancelled', 'expired']) expect(figures.ends[status]).toBeGreaterThan(0.03 * COUNT)
  for (const what of ['stray money', 'paid, with more', 'refunded', 'left to a person'])
    expect(figures.met[what]).toBeGreaterThan(0.01 * COUNT)
})

test('a part that is more than the price of the attempt that is then paid keeps what is too much', async () => {
  const money = { says: 'succeeded', kind: 'qr', currency: 'PHP', hasPayer: true, atRail: 'known' } as const
  // Less by one peso than the dearer method costs, and more than the cheaper one.
  const part = { ...money, eventId: 'evt_1', objectId: 'pi_1', attempt: null, amountMinor: -100n }
  const whole = { ...money, eventId: 'evt_2', objectId: 'pi_2', attempt: 1, amountMinor: 0n }
  const story = {
    amountMinor: 28_300n,
    expiresInSeconds: 3600,
    openingMinor: 0n,
    isEventsOnly: false,
    steps: [
      { do: 'choose', kind: 'qr', word: 'open' },
      { do: 'choose', kind: 'maya', word: 'open' },
      { do: 'tell', fact: part },
      { do: 'tell', fact: whole },
    ],
  } as const
  const { seen } = await runStory(story, PRICES, openPure(story))
  expect([seen.status, seen.paidMinor, seen.receivedMinor]).toEqual(['completed', 28_300n, 58_000n])
  expect(seen.strayMinor.get('PHP')).toBe(29_700n)
})
