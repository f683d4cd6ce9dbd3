// Lists of faults: a seed gives the same list each time, a printed list is read back as it was, and a failing one is made short.
import { expect, test } from 'vitest'
import { diceOf } from '../../rig/dice.ts'
import { faultsFor, faultsFrom, faultsOf, faultsText, shortest } from '../../rig/chaos/faults.ts'

test('a seed gives the same faults each time, and their text gives them back', () => {
  const lists = [1, 1, 2].map((seed) => faultsFor(5, 3, diceOf(seed)))
  expect(lists[0]).toEqual(lists[1])
  expect(lists[0]).not.toEqual(lists[2])
  for (const list of lists) expect(faultsFrom(faultsText(list), 3)).toEqual(list)
})

test('as many of each kind as are asked for, and one disk full at a time', () => {
  const faults = faultsOf({ cuts: 20, 'full-disks': 5, kills: 3 }, 2, diceOf(7))
  const times = (of: RegExp) => faults.filter(({ kind }) => of.test(kind)).map(({ atSeconds }) => atSeconds)
  expect([times(/^cut/), times(/^full/), times(/^kill/)].map(({ length }) => length)).toEqual([20, 5, 3])
  const full = times(/^full/)
  for (const [index, at] of full.entries())
    expect((full[index + 1] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThan(8)
})

test('what is no fault is refused by name', () => {
  expect(() => faultsFrom('kill-gateway@1,cut-sideways@2', 1)).toThrow('"cut-sideways@2" is no fault; there are')
  // There is no second one.
  expect(() => faultsFrom('kill-gateway-2@1', 1)).toThrow('is no fault')
})

test('of twenty faults the two that matter are left', async () => {
  let tried = 0
  const left = await shortest(
    Array.from({ length: 20 }, (_, index) => index),
    async (fewer) => {
      tried += 1
      return fewer.includes(3) && fewer.includes(16)
    },
  )
  expect(left).toEqual([3, 16])
  expect(tried).toBeLessThan(40)
})
