// Whether a server that took over has all of it: one case for each way in which something may be missing.
import { expect, test } from 'vitest'
import type { DatabasePlace, Epoch } from '../../../src/domain/recovery/epoch.ts'
import { type KnownBefore, lossOf, type TookOver } from '../../../src/domain/recovery/promotion.ts'

const place: DatabasePlace = { installationId: 'i', marks: 4n, systemId: '7', timeline: 1, position: 1000n }
const epoch = { number: 1, reason: 'created', resumedAt: 5 } as Epoch
const before: KnownBefore = { place, epoch: 1, settled: 900n, silentSeconds: 2 }
const after: TookOver = {
  place: { ...place, timeline: 2, position: 1200n },
  epoch,
  replayedTo: 950n,
  upSeconds: 100,
  has: [true, true],
}

test('nothing is missing where it has every transaction, and what lay before', () => {
  expect(lossOf(before, after)).toBeNull()
  expect(lossOf(before, { ...after, has: [], replayedTo: 900n })).toBeNull()
  expect(lossOf(before, { ...after, place: { ...after.place, marks: 5n } })).toBeNull()
})

test.each<[string, Partial<TookOver>, RegExp]>([
  ['one of the transactions is missing', { has: [true, false] }, /lacks acknowledged/],
  ['it was behind', { replayedTo: 899n }, /far behind/],
  ['it does not know how far it had come', { replayedTo: null }, /started after/],
  ['it was started, or has crashed, since the other one was seen last', { upSeconds: 2 }, /started after/],
  ['two promotions lie between', { place: { ...place, timeline: 3 } }, /next in line/],
  ['it is in the history of before', { place }, /next in line/],
  ['it is another cluster', { place: { ...after.place, systemId: '8' } }, /another database/],
  ['it holds other books', { place: { ...after.place, installationId: 'j' } }, /another database/],
  ['the books count fewer marks', { place: { ...after.place, marks: 3n } }, /before what was noted/],
  ['the books are in another epoch', { epoch: { ...epoch, number: 2 } }, /before what was noted/],
  ['somebody has begun a recovery', { epoch: { ...epoch, number: 2, resumedAt: null } }, /begun a recovery/],
])('something is or may be missing where %s', (_, changed, words) => {
  expect(lossOf(before, { ...after, ...changed })).toMatch(words)
})
