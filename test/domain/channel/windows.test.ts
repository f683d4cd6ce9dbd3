// Cut-offs on banking days, against the platform's own calendar as the other witness.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextCutOff, parseWindows, type Windows } from '../../../src/domain/channel/windows.ts'

const CONFIG = { utc_offset: '+08:00', cut_offs: ['15:00', '10:00'], holidays: ['2026-12-25', '2026-12-30'] }
const windows = parseWindows(CONFIG) as Windows
const manila = (text: string) => Date.parse(`${text}+08:00`)
const shown = (ms: number | null) => (ms === null ? null : new Date(ms + 8 * 3_600_000).toISOString().slice(0, 16))

describe('the next cut-off in Manila', () => {
  test.each([
    ['2026-11-23T09:59:00', '2026-11-23T10:00', 'before the first of the day'],
    ['2026-11-23T10:00:00', '2026-11-23T10:00', 'exactly at it'],
    ['2026-11-23T10:00:01', '2026-11-23T15:00', 'just after it'],
    ['2026-11-23T15:00:01', '2026-11-24T10:00', 'after the last'],
    ['2026-11-20T15:00:01', '2026-11-23T10:00', 'after the last of a Friday'],
    ['2026-11-21T12:00:00', '2026-11-23T10:00', 'on a Saturday'],
    ['2026-12-24T16:00:00', '2026-12-28T10:00', 'before a holiday on a Friday'],
    ['2026-12-29T23:59:59', '2026-12-31T10:00', 'before a holiday in mid-week'],
    ['2026-11-22T23:30:00', '2026-11-23T10:00', 'while it is still yesterday in London'],
  ])('%s -> %s (%s)', (at, expected) => {
    expect(shown(nextCutOff(windows, manila(at)))).toBe(expected)
  })

  test('is never before the moment, and none lies between', () => {
    const moments = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2032, 0, 1) })
    fc.assert(
      fc.property(moments, (at) => {
        const found = nextCutOff(windows, at) as number
        expect(found).toBeGreaterThanOrEqual(at)
        const local = new Date(found + 8 * 3_600_000)
        expect([1, 2, 3, 4, 5]).toContain(local.getUTCDay())
        expect(['10:00', '15:00']).toContain(local.toISOString().slice(11, 16))
        expect(CONFIG.holidays).not.toContain(local.toISOString().slice(0, 10))
        expect(nextCutOff(windows, Math.max(at, found - 1))).toBe(found)
      }),
    )
  })

  test('a place where every day is a holiday has none', () => {
    const days = Array.from({ length: 70 }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10))
    const closed = parseWindows({ ...CONFIG, holidays: days }) as Windows
    expect(nextCutOff(closed, manila('2026-01-01T00:00:00'))).toBeNull()
  })
})

test('dates are those of the platform’s calendar, leap years included', () => {
  const dates = fc.date({ min: new Date('1970-01-02'), max: new Date('2199-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(dates, (date) => {
      const holiday = date.toISOString().slice(0, 10)
      const only = parseWindows({ utc_offset: '+00:00', cut_offs: ['00:00'], holidays: [holiday] }) as Windows
      expect([...only.holidays]).toEqual([Math.floor(date.getTime() / 86_400_000)])
    }),
  )
})

test.each([
  [{ ...CONFIG, utc_offset: 'Manila' }, 'utc_offset'],
  [{ ...CONFIG, cut_offs: [] }, 'cut_offs'],
  [{ ...CONFIG, cut_offs: ['24:00'] }, 'cut_offs'],
  [{ ...CONFIG, holidays: ['2026-02-29'] }, 'holidays'],
  [{ ...CONFIG, holidays: ['25.12.2026'] }, 'holidays'],
  [{ ...CONFIG, weekdays: [7] }, 'weekdays'],
])('what is no window is named: %j', (config, param) => {
  expect(parseWindows(config)).toMatchObject({ param })
})
