// What a change of a schedule leaves of its runs: none is lost or doubled by it, whenever it comes.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WRITERS_MAX } from '../../../src/domain/account/writers.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import type { RuleConfig } from '../../../src/domain/schedule/rule.ts'
import {
  type Maker,
  newSchedule,
  ran,
  replanned,
  resumed,
  paused,
  type Schedule,
  type SchedulePlan,
  writersOfSchedule,
} from '../../../src/domain/schedule/schedule.ts'

const START = Date.parse('2026-11-23T00:00:00Z')
const HOUR_MS = 3_600_000
const DAILY: RuleConfig = { every: 'day', time: '09:00', time_zone: 'Asia/Manila' }
const MAKER = { keyId: 'key_1', memberId: null }
const OWNER = { lane: 1, accountId: 'a', id: 's', livemode: false, profileId: 'p', maker: MAKER }

const planOf = (amount: number, rule: RuleConfig = DAILY): SchedulePlan => ({
  name: null,
  template: { amount, currency: 'PHP' },
  channelId: 'sandbox',
  recipientName: 'Maria Santos',
  source: null,
  rule,
})

function must(schedule: Schedule | ReturnType<typeof replanned>): Schedule {
  if (isRefusal(schedule)) throw new Error(schedule.message)
  return schedule
}
const made = (rule: RuleConfig = DAILY) => must(newSchedule(OWNER, planOf(100, rule), START))
const changed = (before: Schedule, amount: number, nowMs: number, rule: RuleConfig = before.rule) =>
  must(replanned(before, planOf(amount, rule), MAKER, nowMs))

test('a run that is due and not begun yet is not lost when the amount is changed, also of one that runs once', () => {
  for (const rule of [DAILY, { every: 'once', date: '2026-11-24', time: '09:00', time_zone: 'Asia/Manila' } as const]) {
    const before = made(rule)
    const dueAt = before.nextAt ?? 0
    const after = changed(before, 200, dueAt + HOUR_MS)
    expect(after).toMatchObject({ status: 'active', nextAt: dueAt, version: 2, template: { amount: 200 } })
  }
})

test('nor by a rule that another end, or holiday, was given: it runs then by either', () => {
  const before = made()
  const dueAt = before.nextAt ?? 0
  for (const rule of [
    { ...DAILY, until: '2027-12-31T00:00:00Z' },
    { ...DAILY, count: 3 },
    { ...DAILY, interval: 1 },
  ])
    expect(changed(before, 100, dueAt + HOUR_MS, rule).nextAt).toBe(dueAt)
  expect(
    isRefusal(replanned(ran(before, dueAt), planOf(100, { ...DAILY, count: 1 }), MAKER, dueAt + 30 * HOUR_MS)),
  ).toBe(true)
})

test('what is not due yet follows the new rule at once, also where both run then', () => {
  const weekly: RuleConfig = { every: 'week', weekdays: ['sunday'], time: '09:00', time_zone: 'Asia/Manila' }
  const before = made(weekly)
  expect(changed(before, 100, START, DAILY).nextAt).toBe(made().nextAt)
  expect(before.nextAt).toBeGreaterThan(made().nextAt ?? 0)
})

test('by another rule it runs next when that one says', () => {
  const before = made()
  const after = changed(before, 100, (before.nextAt ?? 0) + HOUR_MS, { ...DAILY, time: '11:00' })
  expect(after.nextAt).toBe((before.nextAt ?? 0) + 2 * HOUR_MS)
})

test('however it is changed, every day has one run', () => {
  const moves = fc.array(fc.tuple(fc.integer({ min: 1, max: 23 }), fc.boolean()), { maxLength: 40 })
  fc.assert(
    fc.property(moves, (story) => {
      let [schedule, nowMs, amount] = [made(), START, 100]
      const runs: number[] = []
      for (const [hours, isChanged] of story) {
        nowMs += hours * HOUR_MS
        if (isChanged) schedule = changed(schedule, ++amount, nowMs)
        if (schedule.nextAt === null || schedule.nextAt > nowMs) continue
        runs.push(schedule.nextAt)
        schedule = ran(schedule, nowMs)
      }
      const days = Math.floor((nowMs - Date.parse('2026-11-23T01:00:00Z')) / (24 * HOUR_MS)) + 1
      expect(runs.length).toBe(Math.max(0, days))
      expect(new Set(runs).size).toBe(runs.length)
    }),
  )
})

test('everybody who wrote it is kept, whoever resumes it, and nobody is forgotten for one more', () => {
  const by = (number: number) => ({ keyId: null, memberId: `member ${number}` })
  let schedule = must(resumed(must(paused(made(), 'asked', START)), by(0), START))
  expect([schedule.maker, writersOfSchedule(schedule)]).toEqual([by(0), ['key_1']])
  // By the second it ran meanwhile: they are kept with the first change of somebody else.
  for (let i = 1; i < WRITERS_MAX - 1; i++) schedule = must(replanned(schedule, planOf(100 + i), by(i), START))
  expect(writersOfSchedule(schedule)).toHaveLength(WRITERS_MAX)
  expect(writersOfSchedule(schedule)[0]).toBe('key_1')
  const refused = replanned(schedule, planOf(99), by(WRITERS_MAX), START)
  expect(isRefusal(refused) && refused.code).toBe('invalid_id')
  expect(must(replanned(schedule, planOf(99), by(7), START)).writers).toEqual(schedule.writers)
  // A key that was rolled from one that wrote it, with the same member behind it, is nobody else.
  const rolled = { keyId: 'key_2', memberId: null }
  const goesOn = must(replanned(schedule, planOf(99), rolled, START, ['key_1']))
  expect([goesOn.maker, goesOn.writers]).toEqual([rolled, schedule.writers])
})

test('for whom it ran is a writer once somebody else takes it over: a release before let them change it, and kept them not', () => {
  const [one, other] = ['member 1', 'member 2'].map((memberId) => ({ keyId: null, memberId })) as [Maker, Maker]
  const changedBefore = { ...made(), ...planOf(200), maker: one }
  const takers = [
    must(replanned(changedBefore, planOf(300), other, START)),
    must(resumed(must(paused(changedBefore, 'asked', START)), other, START)),
  ]
  expect(takers.map(writersOfSchedule)).toEqual([
    ['key_1', 'member 1', 'member 2'],
    ['key_1', 'member 1'],
  ])
  const own = must(resumed(must(paused(made(), 'asked', START)), MAKER, START))
  expect(writersOfSchedule(own)).toEqual(['key_1'])
})

test('one that was stored before writers were kept was written by whoever it runs for', () => {
  const { writers: _, ...stored } = made()
  const taken = must(replanned(stored, planOf(200), { keyId: null, memberId: 'member 1' }, START))
  expect(taken.writers).toEqual(['key_1', 'member 1'])
})
