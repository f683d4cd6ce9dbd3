// Groups of lanes that are worked on one after another: a node that fails costs one try a round, and others before it.
import { expect, test } from 'vitest'
import { DatabaseUnavailable } from '../../../src/platform/db.ts'
import type { Parted } from '../../../src/platform/scope.ts'
import { openNodeTurns } from '../../../src/app/jobs/node-turns.ts'

type Row = { readonly lane: number }

/** Eight groups of one lane each: of lanes 1 to 4 at the first node, and of 5 to 8 at the second. */
const groups = [1, 2, 3, 4, 5, 6, 7, 8].map(
  (lane): Parted<Row> => ({ scope: { kind: 'one lane', lane }, rows: [{ lane }] }),
)
const laneOf = ({ rows: [first] }: Parted<Row>) => first?.lane ?? 0
const AWAY = new DatabaseUnavailable('it hangs', 'nothing done')

/** What was tried in each round, in its order, and what was left. */
function stage(faultOf: (lane: number) => Error | undefined) {
  const turns = openNodeTurns((lane) => (lane <= 4 ? 'first' : 'second'))
  return async () => {
    const [tried, left]: [number[], number[]] = [[], []]
    const work = async (group: Parted<Row>) => {
      tried.push(laneOf(group))
      const fault = faultOf(laneOf(group))
      if (fault !== undefined) throw fault
      return laneOf(group)
    }
    const settled = await turns.each(groups, work, (group) => left.push(laneOf(group)))
    return { tried, left: left.toSorted(), done: settled.filter(({ status }) => status === 'fulfilled').length }
  }
}

test('a node that is away is tried once a round, after the others from its second round on, and all of its groups are left', async () => {
  const round = stage((lane) => (lane <= 4 ? AWAY : undefined))
  const first = await round()
  expect([first.tried.filter((lane) => lane <= 4).length, first.left, first.done]).toEqual([1, [1, 2, 3, 4], 4])
  for (let rounds = 0; rounds < 8; rounds += 1) {
    const { tried, left, done } = await round()
    expect(tried.slice(0, 4).toSorted()).toEqual([5, 6, 7, 8])
    expect([tried.length, left, done]).toEqual([5, [1, 2, 3, 4], 4])
  }
})

test('one that is back is worked on whole in its next round', async () => {
  let isAway = true
  const round = stage((lane) => (isAway && lane <= 4 ? AWAY : undefined))
  await round()
  isAway = false
  expect(await round()).toMatchObject({ left: [], done: 8 })
})

test('a group whose own statement is too slow lets each other of its node have its turn', async () => {
  const timeout = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
  const round = stage((lane) => (lane === 2 ? timeout : undefined))
  const done = new Set<number>()
  for (let rounds = 0; rounds < 8; rounds += 1) {
    const { tried, left } = await round()
    for (const lane of tried) if (!left.includes(lane)) done.add(lane)
  }
  expect([...done].toSorted()).toEqual([1, 3, 4, 5, 6, 7, 8])
})

test('a lock that was not had, and a fault of our own, leave their own group alone', async () => {
  const locked = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
  for (const fault of [locked, new Error('our own')]) {
    const { left, done } = await stage((lane) => (lane === 1 ? fault : undefined))()
    expect([left, done]).toEqual([[1], 7])
  }
})
