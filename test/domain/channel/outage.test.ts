// A rail that does not answer is asked less and less; one word of it ends that.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { afterCall, callsAllowed, NO_OUTAGE, type Outage } from '../../../src/domain/channel/outage.ts'

const silent = (times: number, atMs = 0) =>
  Array.from({ length: times }).reduce<Outage>((outage) => afterCall(outage, 'silent', atMs), NO_OUTAGE)

test('the fifth silence in a row closes it off for a second', () => {
  expect(callsAllowed(silent(4), 128, 0)).toBe(128)
  expect(silent(5).openUntil).toBe(1000)
  expect(callsAllowed(silent(5), 128, 999)).toBe(0)
})

test('then one call goes; each that is not answered doubles the pause, up to half a minute', () => {
  let outage = silent(5)
  const pauses: number[] = []
  for (let i = 0; i < 7; i++) {
    const at = outage.openUntil as number
    expect(callsAllowed(outage, 128, at)).toBe(1)
    outage = afterCall(outage, 'silent', at)
    pauses.push((outage.openUntil as number) - at)
  }
  expect(pauses.map((each) => each / 1000)).toEqual([2, 4, 8, 16, 30, 30, 30])
})

test('calls that were under way when it closed do not lengthen the pause', () => {
  expect(silent(100)).toMatchObject({ openings: 1, openUntil: 1000 })
})

test('whatever came before, one answer opens it in full', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('answered', 'silent'), fc.nat(60_000))), (calls) => {
      let [outage, now]: [Outage, number] = [NO_OUTAGE, 0]
      for (const [heard, wait] of calls) {
        now += wait
        outage = afterCall(outage, heard as 'answered' | 'silent', now)
        expect((outage.openUntil ?? now) - now).toBeLessThanOrEqual(30_000)
      }
      expect(callsAllowed(afterCall(outage, 'answered', now), 128, now)).toBe(128)
    }),
  )
})
