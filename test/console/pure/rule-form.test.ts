// The rule of a schedule as its form sends it: what is typed wrong is refused by the gateway, and never taken for "no limit".
import { expect, test } from 'vitest'
import { emptyRule, type RuleForm, ruleOf } from '../../../console/src/schedules/rule-form.ts'
import { readRule, type RuleConfig } from '../../../src/domain/schedule/rule.ts'

/** As it arrives at the gateway, and is read there. */
const read = (form: Partial<RuleForm>) =>
  readRule(JSON.parse(JSON.stringify(ruleOf({ ...emptyRule('Asia/Manila'), ...form }))) as RuleConfig, 0)

const WRONG = ['', '12 x', '2nd', '1.5', '-1', '1e2', '0x10', '9'.repeat(400)]

test.each(WRONG)('%j runs is refused, and not for ever', (count) => {
  expect(read({ ends: 'count', count })).toMatchObject([{ param: 'rule.count' }])
})

test.each(WRONG)('every %j weeks, or on day %j, is refused', (text) => {
  expect(read({ every: 'week', interval: text })).toMatchObject([{ param: 'rule.interval' }])
  expect(read({ every: 'month', day: text })).toMatchObject([{ param: 'rule.day' }])
})

test('a moment that is none is sent as it is typed', () => {
  expect(read({ ends: 'until', until: '20261-01-01T00:00' })).toMatchObject([{ param: 'rule.until' }])
  expect(ruleOf({ ...emptyRule('Asia/Manila'), ends: 'until' }).until).toBe('')
})

test('what is right is read as it is typed, and what runs once has no other end', () => {
  expect(read({ ends: 'count', count: ' 12 ', interval: '2' })).toMatchObject({ count: 12, interval: 2, until: null })
  const once = { every: 'once', date: '2026-12-24', ends: 'count', startsAt: '2026-01-01T00:00:00Z' } as const
  expect(read(once)).toMatchObject({ every: 'once', count: null })
})
