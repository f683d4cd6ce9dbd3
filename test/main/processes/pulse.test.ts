// When a process counts as one that stands still, or does not end; and what waits for one that takes nothing in.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Order } from '../../../src/main/processes/messages.ts'
import { openOutbox, TOLD_WAITING_MAX } from '../../../src/main/processes/outbox.ts'
import { openPulse } from '../../../src/main/processes/pulse.ts'

const looks = (pulse: { readonly look: () => string }, count: number) =>
  Array.from({ length: count }, () => pulse.look())

test('one that never answers is asked once, and stands still after thirty looks', () => {
  const found = looks(openPulse(20_000), 31)
  expect(found).toEqual(['ask', ...Array.from({ length: 29 }, () => 'wait'), 'stands still'])
})

test('whoever answers within thirty looks, however often it is late, does not stand still', () => {
  const lateBy = fc.array(fc.integer({ min: 0, max: 29 }), { maxLength: 50 })
  fc.assert(
    fc.property(lateBy, (all) => {
      const pulse = openPulse(20_000)
      for (const late of all) {
        expect(pulse.look()).toBe('ask')
        expect(looks(pulse, late).every((each) => each === 'wait')).toBe(true)
        pulse.answered()
      }
    }),
  )
})

test('one that answers and does not end has the time of a stop, and a moment for its last words', () => {
  const pulse = openPulse(21_000)
  const turning = (count: number) =>
    Array.from({ length: count }, () => {
      const found = pulse.look()
      pulse.answered()
      return found
    })
  expect(new Set(turning(100))).toEqual(new Set(['ask']))
  pulse.leaves()
  expect(new Set(turning(20))).toEqual(new Set(['ask']))
  // Told once more it has no more time for that.
  pulse.leaves()
  expect(new Set(turning(6))).toEqual(new Set(['ask']))
  expect(turning(1)).toEqual(['does not end'])
})

test('what is told to one that takes nothing in does not pile up; orders do reach it, in their turn', () => {
  const written: { readonly order: Order; readonly taken: () => void }[] = []
  const send = openOutbox((order, taken) => void written.push({ order, taken }))
  const tell = (count: number) => {
    for (let each = 0; each < count; each += 1) send({ kind: 'told', accountIds: [String(each)] })
  }
  tell(10_000)
  send({ kind: 'ping' })
  tell(10_000)
  send({ kind: 'stop', manner: 'for others' })
  expect(written).toHaveLength(TOLD_WAITING_MAX + 2)
  expect(written.slice(-2).map(({ order }) => order.kind)).toEqual(['ping', 'stop'])
  // It goes on, and hears of what is new.
  for (const { taken } of written.splice(0)) taken()
  tell(1)
  expect(written.map(({ order }) => order.kind)).toEqual(['told'])
})
