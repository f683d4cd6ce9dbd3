// Whether a server that took over has all of it: one case for each way in which something may be missing.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DatabasePlace, Epoch, Mark } from '../../../src/domain/recovery/epoch.ts'
import {
  hasAllSince,
  type KnownBefore,
  lossOf,
  type PromotionWord,
  type TookOver,
} from '../../../src/domain/recovery/promotion.ts'

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

const stopped: Mark = { ...place, epoch: 1, isStopped: true }
const word = (timeline: number, replayedTo: bigint): PromotionWord => ({ timeline, replayedTo })

test('a gateway that had stopped goes on behind promotions that others looked at', () => {
  expect(hasAllSince(stopped, after.place, [word(2, 1000n)])).toBe(true)
  expect(hasAllSince(stopped, after.place, [word(2, 1000n), word(2, 1000n), word(3, 7n)])).toBe(true)
  const third = { ...after.place, timeline: 4 }
  expect(hasAllSince(stopped, third, [word(4, 3000n), word(2, 1100n), word(3, 2000n)])).toBe(true)
  expect(hasAllSince({ ...stopped, timeline: 3, position: 2500n }, third, [word(2, 1100n), word(4, 2500n)])).toBe(false)
  expect(hasAllSince({ ...stopped, timeline: 3, position: 1200n }, third, [word(2, 1100n), word(4, 2500n)])).toBe(true)
})

test.each<[string, Partial<Mark>, Partial<DatabasePlace>, readonly PromotionWord[]]>([
  ['it did not stop in order', { isStopped: false }, {}, [word(2, 1000n)]],
  ['nobody has looked at the promotion', {}, {}, []],
  ['the copy ended before its note', {}, {}, [word(2, 999n)]],
  ['one of two says so', {}, {}, [word(2, 1000n), word(2, 999n)]],
  ['nobody has looked at the second promotion', {}, { timeline: 3 }, [word(2, 1000n)]],
  ['nobody has looked at the first promotion', {}, { timeline: 3 }, [word(3, 1000n)]],
  ['the second copy ended before its note', {}, { timeline: 3 }, [word(2, 1000n), word(3, 999n)]],
  ['it is another cluster', {}, { systemId: '8' }, [word(2, 1000n)]],
  ['it holds other books', {}, { installationId: 'j' }, [word(2, 1000n)]],
  ['the server that was replaced is back', { timeline: 3 }, {}, [word(2, 1000n), word(3, 1000n)]],
  ['the database stands before the note', {}, { position: 999n }, [word(2, 1000n)]],
])('a gateway that was away at a promotion cannot tell where %s', (_, mark, found, words) => {
  expect(hasAllSince({ ...stopped, ...mark }, { ...after.place, ...found }, words)).toBe(false)
})

test('it goes on only where every history since has its note', () => {
  const size = fc.bigInt({ min: 0n, max: 40n })
  // Servers by their timelines: each has the log of the one before up to where its copy ended, and what it wrote itself.
  const servers = fc.array(fc.record({ lacks: size, wrote: size, isLookedAt: fc.boolean() }), {
    minLength: 1,
    maxLength: 4,
  })
  const noted = fc.record({ server: fc.nat(4), back: size, isStopped: fc.boolean() })
  fc.assert(
    fc.property(servers, noted, (taken, { server, back, isStopped }) => {
      const from = server % taken.length
      const ends: bigint[] = [100n]
      const replayed = taken.map(({ lacks, wrote }, index) => {
        const to = (ends[index] ?? 0n) - lacks
        ends.push(to + wrote)
        return to
      })
      const position = (ends[from] ?? 0n) - back
      const hasIt = replayed.slice(from).every((to) => to >= position)
      const isSeen = taken.slice(from).every(({ isLookedAt }) => isLookedAt)
      const words = taken.flatMap(({ isLookedAt }, index) =>
        isLookedAt ? [word(index + 2, replayed[index] ?? 0n)] : [],
      )
      const mark = { ...stopped, timeline: from + 1, position, isStopped }
      const found = { ...place, timeline: taken.length + 1, position: ends.at(-1) ?? 0n }
      expect(hasAllSince(mark, found, words)).toBe(isStopped && isSeen && hasIt)
    }),
  )
})
