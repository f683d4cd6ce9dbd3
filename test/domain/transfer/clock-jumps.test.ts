// "Not found" becomes final by looks and not by the clock alone: a clock that jumps ahead by days makes it no sooner by more than the one
// look that it jumped over.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ConnectorFacts } from '../../../src/domain/transfer/commands.ts'
import { ask, type OneContract, paidContract } from '../../rig/model/one-contract.ts'
import { RAIL } from '../../rig/model/rail.ts'

const LEASE_MS = 15_000
const LOOKS_UNTIL_FINAL = 4
const DAY_MS = 86_400_000

/** What happens around one look: real time in its call, and jumps of the clock before it and within it. */
const look = fc.record({
  callMs: fc.integer({ min: 0, max: 2000 }),
  jumpBeforeMs: fc.oneof({ arbitrary: fc.constant(0), weight: 5 }, fc.integer({ min: 1, max: 30 * DAY_MS })),
  jumpWithinMs: fc.oneof({ arbitrary: fc.constant(0), weight: 5 }, fc.integer({ min: 1, max: 30 * DAY_MS })),
})

function report(one: OneContract, connector: ConnectorFacts, outcome: 'unknown' | 'not_found'): void {
  const { number, fence, channelId } = one.attempt!
  const said = outcome === 'unknown' ? { kind: outcome, reason: 'timeout' } : { kind: outcome }
  ask(one, { verb: 'report', id: one.contract.id, number, channelId, fence, outcome: said, connector })
}

/** In doubt, and due. */
function doubtful(connector: ConnectorFacts): OneContract {
  const one = paidContract(false)
  one.nowMs = Math.max(one.nowMs, one.attempt!.dueAt!)
  ask(one, { verb: 'submit', id: one.contract.id, leaseMs: LEASE_MS, connector: RAIL })
  report(one, connector, 'unknown')
  return one
}

test('a clock that jumps makes "not found" final no sooner than the looks that it jumped over', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(5000, 60_000, DAY_MS / 4),
      fc.array(look, { minLength: 100, maxLength: 100 }),
      (notFoundFinalAfterMs, looks) => {
        const connector = { notFoundFinalAfterMs, dedupeLifetimeMs: null, inquiry: true }
        const windowMs = 2 * notFoundFinalAfterMs
        const one = doubtful(connector)
        let [realMs, firstMs, jumps, found] = [0, -1, 0, 0]
        for (const { callMs, jumpBeforeMs, jumpWithinMs } of looks) {
          const isBegun = firstMs >= 0
          // A jump passes over the wait that is left; without one the look comes when it is due.
          const waitMs = Math.max(0, one.attempt!.dueAt! - one.nowMs)
          if (jumpBeforeMs >= waitMs) one.nowMs += jumpBeforeMs
          else {
            one.nowMs += waitMs
            realMs += waitMs
          }
          ask(one, { verb: 'inquire', id: one.contract.id, leaseMs: LEASE_MS, connector })
          one.nowMs += callMs + jumpWithinMs
          realMs += callMs
          report(one, connector, 'not_found')
          if (isBegun) jumps += Number(jumpBeforeMs >= waitMs) + Number(jumpWithinMs > 0)
          else firstMs = realMs
          found += 1
          if (one.attempt!.status !== 'unknown') break
        }
        expect(one.attempt!.status).toBe('queued')
        expect(found).toBeGreaterThanOrEqual(2)
        expect(realMs - firstMs).toBeGreaterThanOrEqual(
          windowMs - jumps * (Math.ceil(windowMs / LOOKS_UNTIL_FINAL) + LEASE_MS),
        )
      },
    ),
    { numRuns: 300 },
  )
})

test('a single jump of days over the first wait leaves three quarters of the time', () => {
  const connector = { notFoundFinalAfterMs: DAY_MS, dedupeLifetimeMs: null, inquiry: true }
  const one = doubtful(connector)
  const inquire = () => {
    ask(one, { verb: 'inquire', id: one.contract.id, leaseMs: LEASE_MS, connector })
    report(one, connector, 'not_found')
  }
  one.nowMs = one.attempt!.dueAt!
  inquire()
  one.nowMs += 10 * DAY_MS
  const jumpedTo = one.nowMs
  for (let looks = 0; one.attempt!.status === 'unknown' && looks < 200; looks++) {
    inquire()
    if (one.attempt!.status === 'unknown') one.nowMs = one.attempt!.dueAt!
  }
  expect(one.attempt!.status).toBe('queued')
  expect(one.nowMs - jumpedTo).toBeGreaterThanOrEqual(1.5 * DAY_MS)
})

test('sent while the clock was days ahead, it is given up as long after the clock was set right as any other', () => {
  const connector = { notFoundFinalAfterMs: 5000, dedupeLifetimeMs: null, inquiry: true }
  const one = paidContract(false)
  const aheadMs = 3 * DAY_MS
  one.nowMs = Math.max(one.nowMs, one.attempt!.dueAt!) + aheadMs
  ask(one, { verb: 'submit', id: one.contract.id, leaseMs: LEASE_MS, connector })
  report(one, connector, 'unknown')
  one.nowMs -= aheadMs
  // So the sweep does it with the jobs of a lane whose clock went back (src/store/jobs/waits-ahead.ts).
  const setRightAtMs = one.nowMs
  one.attempt = { ...one.attempt!, dueAt: setRightAtMs, submittedAt: setRightAtMs }
  while (one.attempt!.status === 'unknown' && one.nowMs < setRightAtMs + DAY_MS) {
    one.nowMs = Math.max(one.nowMs, one.attempt!.dueAt!)
    ask(one, { verb: 'inquire', id: one.contract.id, leaseMs: LEASE_MS, connector })
    report(one, connector, 'not_found')
  }
  expect(one.attempt!.status).toBe('queued')
  expect(one.nowMs - setRightAtMs).toBe(2 * connector.notFoundFinalAfterMs)
})
