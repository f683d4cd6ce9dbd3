// By its mark a database is known that is older than what was done with it, and no other is.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type DatabasePlace,
  endsRecovery,
  type Epoch,
  type Mark,
  reasonToRecover,
} from '../../../src/domain/recovery/epoch.ts'

const PLACE: DatabasePlace = {
  installationId: '0198c0de-0000-4a2b-8000-0123456789ab',
  marks: 10n,
  systemId: '7350000000000000001',
  timeline: 1,
  position: 1_000_000n,
}
const MARK: Mark = { ...PLACE, epoch: 3, isStopped: false }
const found = (more: Partial<DatabasePlace & { epoch: number }>) => ({ ...PLACE, epoch: 3, ...more })

test('a database goes on where it was left, or later', () => {
  const growth = fc.record({
    marks: fc.bigInt({ min: 10n, max: 1n << 60n }),
    position: fc.bigInt({ min: 1_000_000n, max: 1n << 62n }),
  })
  fc.assert(fc.property(growth, (later) => reasonToRecover(MARK, found(later)) === null))
})

test('one byte before its mark, or one mark before, it is older', () => {
  expect(reasonToRecover(MARK, found({ position: 999_999n }))).toBe('older')
  // A copy that was loaded into the same server: its log has come further, the books have not.
  expect(reasonToRecover(MARK, found({ marks: 9n, position: 2_000_000n }))).toBe('older')
  expect(reasonToRecover(MARK, found({ epoch: 2, marks: 99n, position: 2_000_000n }))).toBe('older')
})

test('a promoted standby and another server are what they are', () => {
  expect(reasonToRecover(MARK, found({ timeline: 2, position: 2_000_000n }))).toBe('other_timeline')
  expect(reasonToRecover(MARK, found({ systemId: '7350000000000000002', position: 5n }))).toBe('other_system')
})

test('what was moved to another server after a stop goes on there; what was copied before it does not', () => {
  const stopped = { ...MARK, isStopped: true }
  const moved = { systemId: '7350000000000000002', timeline: 1, position: 5n }
  expect(reasonToRecover(stopped, found(moved))).toBeNull()
  expect(reasonToRecover(stopped, found({ ...moved, marks: 9n }))).toBe('older')
})

test('a recovery that others went through while this gateway was away is none of its own', () => {
  expect(reasonToRecover(MARK, found({ epoch: 4, marks: 2n, position: 5n, timeline: 7 }))).toBeNull()
})

const EPOCH: Epoch = {
  number: 2,
  reason: 'older',
  beganAt: 0,
  mark: PLACE,
  found: PLACE,
  proposedBy: 'ana@shop.example',
  proposedAt: 1000,
  evidence: 'statements fit',
  resumedBy: null,
  resumedAt: null,
}
const DAY_MS = 86_400_000

test('two people end it, within a day', () => {
  expect(endsRecovery(EPOCH, 'ben@shop.example', 2000)).toBe(true)
  expect(endsRecovery(EPOCH, 'Ana@Shop.example ', 2000)).toBe(false)
  expect(endsRecovery(EPOCH, 'ben@shop.example', 1000 + DAY_MS)).toBe(false)
  expect(endsRecovery({ ...EPOCH, proposedBy: null, proposedAt: null }, 'ben@shop.example', 2000)).toBe(false)
})
