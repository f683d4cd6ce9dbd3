// When a verifier of one's own is left alone, and how it comes back.
import { expect, test } from 'vitest'
import { openCircuits } from '../../src/app/verifiers/circuits.ts'

function stage() {
  let now = 0
  const circuits = openCircuits(() => now)
  const fails = (times: number) => {
    for (let i = 0; i < times; i++) circuits.tell('one', 'no_answer')
  }
  return { circuits, fails, later: (ms: number) => (now += ms) }
}

test('after three calls in a row without an answer it rests, and nobody else does', () => {
  const { circuits, fails } = stage()
  fails(2)
  expect(circuits.lets('one')).toBe(true)
  fails(1)
  expect([circuits.lets('one'), circuits.lets('other')]).toEqual([false, true])
})

test('an answer in between counts from the beginning', () => {
  const { circuits, fails } = stage()
  fails(2)
  circuits.tell('one', 'answered')
  fails(2)
  expect(circuits.lets('one')).toBe(true)
})

test('one call tries whether it is back; without an answer it rests twice as long, up to five minutes', () => {
  const { circuits, fails, later } = stage()
  fails(3)
  for (const restMs of [30_000, 60_000, 120_000, 240_000, 300_000, 300_000]) {
    later(restMs - 1)
    expect(circuits.lets('one')).toBe(false)
    later(1)
    expect([circuits.lets('one'), circuits.lets('one')]).toEqual([true, false])
    fails(1)
  }
  later(300_000)
  expect(circuits.lets('one')).toBe(true)
  circuits.tell('one', 'answered')
  expect([circuits.lets('one'), circuits.lets('one')]).toEqual([true, true])
})

test('calls that were under way when it was closed off are no reason to rest longer', () => {
  const { circuits, fails, later } = stage()
  fails(10)
  later(30_000)
  expect(circuits.lets('one')).toBe(true)
})
