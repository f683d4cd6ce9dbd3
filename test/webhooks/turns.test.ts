// Whose turn it is at one endpoint: what is due again, such as a replay of a long history, leaves room for what happens now.
import { expect, test } from 'vitest'
import type { FoundEvent } from '../../src/domain/account/events.ts'
import { nextJob, openEndpointQueue, takeDue, takeHistory } from '../../src/workers/webhooks/endpoint-queue.ts'

const HEALTHY = {
  failures: 0,
  openings: 0,
  openUntil: null,
  trusted: 16,
  lastSuccessAt: null,
  lastFailureAt: null,
  failingSince: null,
  failedTries: 0,
  latencyMs: null,
}
const FRESH = 16
const AGAIN = 60

/** How many calls of each kind are made until all that is new is told, where each call ends before the next turn. */
function turns(inFlightMax: number, trusted: number) {
  const endpoint = { lane: 0, accountId: 'a', id: 'e', inFlightMax, position: 100, doneAhead: [] }
  const queue = openEndpointQueue(
    { ...endpoint, health: { ...HEALTHY, trusted } } as unknown as Parameters<typeof openEndpointQueue>[0],
    { secrets: [], bearer: '' } as unknown as Parameters<typeof openEndpointQueue>[1],
    Number.MAX_SAFE_INTEGER,
  )
  const eventOf = (id: string) => ({ contract: { id }, event: 'contract.paid', epoch: 1 }) as unknown as FoundEvent
  const again = Array.from({ length: AGAIN }, (_, k) => ({
    endpointId: 'e',
    position: k + 1,
    event: eventOf(`old ${k}`),
  }))
  takeDue(
    queue,
    again.map((row) => ({ ...row, replay: 1, tries: 0, createdAt: 0, body: null })),
    0,
  )
  takeHistory(
    queue,
    Array.from({ length: FRESH }, (_, k) => ({ endpointId: 'e', position: 101 + k, event: eventOf(`new ${k}`) })),
    0,
  )
  const made = { fresh: 0, again: 0 }
  while (made.fresh < FRESH) {
    const begun = Array.from({ length: inFlightMax }, () => nextJob(queue, 0)).filter((job) => job !== null)
    expect(begun.length).toBeGreaterThan(0)
    for (const { position, replay } of begun) {
      made[replay === 0 ? 'fresh' : 'again'] += 1
      queue.inFlight.delete(`${position}/${replay}`)
    }
  }
  return made
}

test.each([
  [1, 16],
  [2, 16],
  [4, 16],
  [16, 16],
  // After its breaker was open it is trusted with one call at first.
  [16, 1],
])(
  'with %d calls at once, of which %d are trusted, what is new waits for no more than as much that is due',
  (max, trusted) => {
    const made = turns(max, trusted)
    expect(made.fresh).toBe(FRESH)
    expect(Math.abs(made.again - made.fresh)).toBeLessThanOrEqual(1)
  },
)
