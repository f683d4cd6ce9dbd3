// What the payment page's event streams cost the gateway, whoever opens them.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../../world.ts'
import { openPayment } from './receiver-world.ts'

const world = await openWorld({ workers: 'resting' })
const address = await world.listen()
const { deps } = world.gateway
afterAll(() => world.stop())

/** Follows a new contract's page until `leave`. */
async function follow(): Promise<{ readonly reply: Response; readonly leave: () => void }> {
  const { checkout_url: url } = (await openPayment(world.caller)) as unknown as { checkout_url: string }
  const over = new AbortController()
  const reply = await fetch(`${address}${new URL(url).pathname}/events`, { signal: over.signal })
  // A reply that nobody holds is let go of, and its stream with it.
  return { reply, leave: () => over.abort() }
}

test('a stream looks a few times a second at most, however busy its account is', async () => {
  const { contracts } = deps
  let looks = 0
  Object.assign(deps, {
    contracts: {
      ...contracts,
      submit: (key: Parameters<typeof contracts.submit>[0]) => {
        looks += 1
        return contracts.submit(key)
      },
    },
  })
  const { leave } = await follow()
  const begunAt = Date.now()
  for (let drafts = 0; drafts < 200; drafts++) await world.caller.draft()
  await sleep(300)
  const seconds = (Date.now() - begunAt) / 1000
  leave()
  Object.assign(deps, { contracts })
  expect(looks).toBeLessThanOrEqual(3 + 5 * seconds)
})

test('one account takes no more than half of the places', async () => {
  const pages: Awaited<ReturnType<typeof follow>>[] = []
  // Some at a time: a database that is asked for all of them at once may say no before there are too many.
  while (pages.length < 500) pages.push(...(await Promise.all(Array.from({ length: 25 }, follow))))
  for (let more = 0; more < 5; more++) pages.push(await follow())
  const places = pages.map(({ reply }) => reply.status)
  for (const { leave } of pages) leave()
  expect([places.filter((status) => status === 200).length, places.filter((status) => status === 503).length]).toEqual([
    500, 5,
  ])
})
