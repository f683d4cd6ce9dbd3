// The sentence of a policy: what it says of each condition and outcome, and that no two policies that differ read alike.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Condition } from '../../../src/domain/policy/condition.ts'
import type { Outcome } from '../../../src/domain/policy/policy.ts'
import { durationWords, sentenceOf } from '../../../src/domain/policy/sentence.ts'
import { conditions, outcomes } from './policies.ts'

const ABOVE: Condition = { field: 'amount', op: 'above', currency: 'PHP', amountMinor: 5_000_000n }
const NEW: Condition = { field: 'recipient.new', withinDays: 3 }
const deny: Outcome = { kind: 'deny', words: 'Too much.' }
const two: Outcome = { kind: 'approvals', count: 2, role: 'approver' }

test.each<[string, readonly Condition[], Outcome]>([
  ['Deny all transfers: “Too much.”', [], deny],
  ['Deny transfers above PHP 50,000.00, to a recipient known for less than 3 days: “Too much.”', [ABOVE, NEW], deny],
  [
    'Two different members of the role approver approve transfers that bring what the account pays in a day above PHP 200,000.00.',
    [{ field: 'sum', by: 'account', span: 'day', currency: 'PHP', aboveMinor: 20_000_000n }],
    two,
  ],
  ['One member who may approve approves all transfers.', [], { kind: 'approvals', count: 1, role: null }],
  [
    'Allow transfers to the profile p-1 or p-2: no policy that is asked later denies them.',
    [{ field: 'recipient.profile', op: 'in', values: ['p-1', 'p-2'] }],
    { kind: 'allow' },
  ],
  ['Deny transfers between 18:00 and 08:00: “Too much.”', [{ field: 'hour', from: 18, to: 8 }], deny],
  ['Deny transfers on Saturday or Sunday: “Too much.”', [{ field: 'weekday', values: [6, 7] }], deny],
  [
    'Delay transfers to a recipient not known to be in PH or SG: the money leaves 2 hours and 30 minutes later.',
    [{ field: 'recipient.country', op: 'not_in', values: ['PH', 'SG'] }],
    { kind: 'delay', seconds: 9_000 },
  ],
  [
    'Deny transfers that come after 10 others to the recipient in an hour: “Too much.”',
    [{ field: 'count', by: 'recipient', span: 'hour', above: 10 }],
    deny,
  ],
  [
    'A check of the recipient’s name comes before transfers by the channel gcash, not in USD; while it is unavailable, they wait.',
    [
      { field: 'channel', op: 'in', values: ['gcash'] },
      { field: 'currency', op: 'not_in', values: ['USD'] },
    ],
    { kind: 'verification', verification: 'name', verifierId: null, onUnavailable: 'wait' },
  ],
])('%s', (sentence, when, then) => expect(sentenceOf({ when, then })).toBe(sentence))

test.each([
  [1, '1 second'],
  [60, '1 minute'],
  [86_400, '1 day'],
  [90_061, '1 day, 1 hour, 1 minute and 1 second'],
])('%d seconds are %s', (seconds, words) => expect(durationWords(seconds)).toBe(words))

const text = (value: unknown) =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each))

test('policies that do different things never read alike', () => {
  const some = fc.record({ when: fc.array(conditions, { maxLength: 3 }), then: outcomes })
  fc.assert(
    fc.property(some, some, (one, other) => {
      expect(sentenceOf(one) === sentenceOf(other)).toBe(text(one) === text(other))
    }),
    { numRuns: 2_000 },
  )
})

test('the sentence of each of many small policies is its own', () => {
  const known = new Map<string, string>()
  fc.assert(
    fc.property(conditions, outcomes, (condition, then) => {
      const policy = { when: [condition], then }
      const sentence = sentenceOf(policy)
      expect(known.get(sentence) ?? text(policy)).toBe(text(policy))
      known.set(sentence, text(policy))
    }),
    { numRuns: 5_000 },
  )
})
