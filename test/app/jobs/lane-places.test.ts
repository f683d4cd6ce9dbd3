// Lanes by where their rows lie: together on one PostgreSQL, by shard and node on a cluster.
import { expect, test } from 'vitest'
import { openLanePlaces } from '../../../src/app/jobs/lane-places.ts'
import { ALL_LANES } from '../../../src/domain/contract/ids.ts'

const OWN = [1, 2, 3, 5]
const rows = [5, 1, 4, 2, 1].map((lane, place) => ({ lane, place }))

test('on one PostgreSQL all lanes lie together, and no statement is told of them', () => {
  const places = openLanePlaces(() => OWN)
  expect(places.byShard()).toEqual([ALL_LANES])
  expect(places.ownByShard()).toEqual([OWN])
  expect(places.ownByNode()).toEqual([OWN])
  expect(places.parted(rows)).toEqual([{ scope: { kind: 'many lanes' }, rows }])
  expect(places.parted([])).toEqual([])
})

test('on a cluster rows are taken apart by shard, in their order, and lanes of a node look together', () => {
  let own: readonly number[] = OWN
  const places = openLanePlaces(() => own)
  places.see([
    { node: 'a', lanes: [0, 4] },
    { node: 'b', lanes: [1, 5] },
    { node: 'a', lanes: [2, 3] },
  ])
  expect(places.byShard()).toEqual([
    [0, 4],
    [1, 5],
    [2, 3],
  ])
  expect(places.ownByShard()).toEqual([
    [1, 5],
    [2, 3],
  ])
  expect([4, 1].map((lane) => [places.nodeOf(lane), places.shardOf(lane)])).toEqual([
    ['a', 0],
    ['b', 1],
  ])
  expect(places.ownByNode()).toEqual([
    [2, 3],
    [1, 5],
  ])
  const parts = places.parted(rows)
  expect(parts.map(({ rows: part }) => part.map(({ place }) => place))).toEqual([[0, 1, 4], [2], [3]])
  expect(parts.map(({ scope }) => scope)).toEqual([
    { kind: 'lanes together', lanes: [1, 5] },
    { kind: 'one lane', lane: 4 },
    { kind: 'one lane', lane: 2 },
  ])
  // A shard was moved, and lanes went to another process.
  own = [4]
  places.see([{ node: 'b', lanes: [0, 4, 1, 5, 2, 3] }])
  expect([places.ownByShard(), places.ownByNode()]).toEqual([[[4]], [[4]]])
  expect(places.parted(rows)).toHaveLength(1)
})

test('the lanes of a node that is not settled are not worked on, and are known all the same', () => {
  let unsettled: string | null = 'b'
  const places = openLanePlaces(
    () => OWN,
    (node) => node !== unsettled,
  )
  const byShard = [
    [0, 4],
    [1, 5],
    [2, 3],
  ]
  places.see(byShard.map((lanes, nth) => ({ node: nth === 1 ? 'b' : 'a', lanes })))
  expect([places.ownByNode(), places.settledByShard()]).toEqual([
    [[2, 3]],
    [
      [0, 4],
      [2, 3],
    ],
  ])
  expect([places.byShard(), places.nodeOf(5), places.unsettledNodes()]).toEqual([byShard, 'b', 1])
  unsettled = null
  expect([places.ownByNode().length, places.unsettledNodes()]).toEqual([2, 0])
  expect(places.settledByShard()).toEqual(byShard)
})
