// When a draft would leave and by when its money arrives, from the windows of a rail; and that every rule of a channel can
// be told again as it was written.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ChannelConfig, channelFacts } from '../../../src/domain/channel/config.ts'
import { arrivalOf, cutOffNotes, departureOf } from '../../../src/domain/transfer/departure.ts'
import type { Transfer } from '../../../src/domain/transfer/transfer.ts'
import { localTime, parseWindows, type Windows, windowsConfig } from '../../../src/domain/channel/windows.ts'
import { paidContract } from '../../rig/model/one-contract.ts'

const CONFIG: ChannelConfig = {
  id: 'batch',
  service: 'payment',
  name: 'Batch',
  description: 'A batch rail.',
  covered: true,
  undo_seconds: 60,
  arrival_seconds: 3 * 3600,
  windows: { utc_offset: '+08:00', cut_offs: ['10:00', '15:30'], holidays: ['2026-11-30'] },
  currencies: { PHP: {} },
  recipient: [],
}
const BATCH = channelFacts(CONFIG, 1, 'test')
const { windows: _, ...OPEN_CONFIG } = CONFIG
const OPEN = channelFacts(OPEN_CONFIG, 1, 'test')
const { arrival_seconds: __, ...VAGUE_CONFIG } = OPEN_CONFIG
const VAGUE = channelFacts(VAGUE_CONFIG, 1, 'test')
const at = (text: string) => Date.parse(text)

describe('a departure', () => {
  test.each([
    ['before a cut-off', '2026-11-27T09:00:00+08:00', '2026-11-27T10:00:00+08:00'],
    ['at the last moment of the undo window', '2026-11-27T09:59:00+08:00', '2026-11-27T10:00:00+08:00'],
    ['when the undo window ends after it', '2026-11-27T09:59:01+08:00', '2026-11-27T15:30:00+08:00'],
    ['after the last one, before a weekend and a holiday', '2026-11-27T16:00:00+08:00', '2026-12-01T10:00:00+08:00'],
  ])('%s', (_when, paid, leaves) => {
    expect(departureOf(BATCH, at(paid))).toEqual({
      dispatchAt: at(leaves),
      cutOffAt: at(leaves),
      arrivesAt: at(leaves) + 3 * 3_600_000,
    })
  })

  test('waits for nothing but the undo window where the rail is always open', () => {
    expect(departureOf(OPEN, 1000)).toEqual({ dispatchAt: 61_000, cutOffAt: null, arrivesAt: 61_000 + 3 * 3_600_000 })
    expect(departureOf(VAGUE, 1000).arrivesAt).toBeNull()
  })
})

describe('a draft on a rail with cut-offs', () => {
  test('says at which it would leave, in the rail’s own time', () => {
    expect(cutOffNotes(BATCH, at('2026-11-27T16:00:00+08:00'))).toEqual([
      {
        code: 'leaves_at_cut_off',
        type: 'info',
        message:
          'Paid now, it leaves at the cut-off of Batch at 2026-12-01T10:00:00+08:00 and arrives by 2026-12-01T13:00:00+08:00.',
      },
    ])
  })

  test('says nothing elsewhere, nor where no window opens in sight', () => {
    const days = Array.from({ length: 80 }, (_day, i) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10))
    const shut = channelFacts(
      { ...CONFIG, windows: { utc_offset: '+00:00', cut_offs: ['10:00'], holidays: days } },
      1,
      'test',
    )
    for (const channel of [OPEN, VAGUE, null, shut])
      expect(cutOffNotes(channel, at('2026-01-01T00:00:00Z'))).toEqual([])
  })
})

describe('the arrival of a contract', () => {
  const { contract } = paidContract(true)
  const arrival = (changes: Partial<Transfer>) => arrivalOf({ ...contract, ...changes }, OPEN)
  const DELAY_MS = 60_000 + 3 * 3_600_000

  test.each<[string, Partial<Transfer>, number | null]>([
    ['a draft: from its last change', { status: 'draft', paidAt: null, updatedAt: 5000 }, 5000 + DELAY_MS],
    ['issued: likewise', { status: 'issued', paidAt: null, updatedAt: 6000 }, 6000 + DELAY_MS],
    ['paid: from then on, whatever changes', { status: 'paid', paidAt: 7000, updatedAt: 9000 }, 7000 + DELAY_MS],
    ['completed: when it did', { status: 'completed', paidAt: 7000, completedAt: 8000 }, 8000],
    ['refunded after it came back: when it did', { status: 'cancelled', paidAt: 7000, completedAt: 8000 }, 8000],
    ['cancelled', { status: 'cancelled', completedAt: null }, null],
    ['expired', { status: 'expired', paidAt: null }, null],
    ['failed', { status: 'paid', execution: { ...contract.execution, status: 'failed' } }, null],
  ])('%s', (_what, changes, expected) => {
    expect(arrival(changes)).toBe(expected)
  })

  test('is not known without a channel', () => {
    expect(arrivalOf({ ...contract, status: 'draft', completedAt: null }, null)).toBeNull()
  })
})

test('windows are told as they were written', () => {
  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
  const day = fc.integer({ min: 0, max: 40_000 }).map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10))
  const config = fc.record({
    utc_offset: fc
      .tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 14 }), fc.constantFrom('00', '30', '45'))
      .map(
        ([sign, hours, minutes]) =>
          `${hours === 0 && minutes === '00' ? '+' : sign}${String(hours).padStart(2, '0')}:${minutes}`,
      ),
    cut_offs: fc.uniqueArray(time, { minLength: 1, maxLength: 5 }).map((times) => times.toSorted()),
    weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }).map((days) => days.toSorted()),
    holidays: fc.uniqueArray(day, { maxLength: 20 }).map((days) => days.toSorted()),
  })
  fc.assert(
    fc.property(config, fc.integer({ min: 0, max: 4_000_000_000 }), (written, seconds) => {
      const windows = parseWindows(written) as Windows
      expect(windowsConfig(windows)).toEqual(written)
      expect(Date.parse(localTime(windows, seconds * 1000))).toBe(seconds * 1000)
      expect(localTime(windows, seconds * 1000).endsWith(written.utc_offset)).toBe(true)
    }),
  )
})
