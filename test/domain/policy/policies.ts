// Arbitrary policies for the tests: few values of each kind, so that two of them often nearly agree.
import fc from 'fast-check'
import { ROLES } from '../../../src/domain/account/roles.ts'
import { AMOUNT_OPS, type Condition, ONE_OF_FIELDS } from '../../../src/domain/policy/condition.ts'
import type { FeeSchedule } from '../../../src/domain/money/fees.ts'
import { FEE_BASES, type FeeTier } from '../../../src/domain/policy/fees.ts'
import { METER_BY, SPANS } from '../../../src/domain/policy/meters.ts'
import { type Outcome, VERIFICATION_KINDS } from '../../../src/domain/policy/policy.ts'

const currency = fc.constantFrom('PHP', 'USD', 'JPY')
const minor = fc.bigInt({ min: 1n, max: 3_000n })
const by = fc.constantFrom(...METER_BY)
const span = fc.constantFrom(...SPANS)

const oneOf = fc.record({
  field: fc.constantFrom(...ONE_OF_FIELDS),
  op: fc.constantFrom('in' as const, 'not_in' as const),
  values: fc.uniqueArray(fc.constantFrom('PH', 'SG', 'a1'), { minLength: 1 }),
})

export const conditions: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ field: fc.constant('amount'), op: fc.constantFrom(...AMOUNT_OPS), currency, amountMinor: minor }),
  oneOf,
  fc.record({ field: fc.constant('recipient.new'), withinDays: fc.integer({ min: 1, max: 90 }) }),
  fc.record({ field: fc.constant('hour'), from: fc.integer({ min: 0, max: 23 }), to: fc.integer({ min: 1, max: 24 }) }),
  fc.record({
    field: fc.constant('weekday'),
    values: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  }),
  fc.record({ field: fc.constant('sum'), by, span, currency, aboveMinor: minor }),
  fc.record({ field: fc.constant('count'), by, span, above: fc.nat(20) }),
)

/** What a tier asks, with numbers of each kind there or not. */
export const schedules: fc.Arbitrary<FeeSchedule> = fc.record({
  pctPpm: fc.constantFrom(0n, 1n, 29_250n, 1_000_000n),
  addMinor: fc.constantFrom(0n, 1_500n),
  minMinor: fc.constantFrom(0n, 700n),
  maxMinor: fc.constantFrom(0n, 900n),
  fixedMinor: fc.constant(0n),
})
const tier: fc.Arbitrary<FeeTier> = fc.record({ upToMinor: fc.constantFrom(null, 100n, 5_000n), fees: schedules })

export const outcomes: fc.Arbitrary<Outcome> = fc.oneof(
  fc.record({ kind: fc.constant('allow') }),
  fc.record({ kind: fc.constant('deny'), words: fc.constantFrom('No.', 'Not now: “ask”', ': “') }),
  fc.record({
    kind: fc.constant('approvals'),
    count: fc.integer({ min: 1, max: 10 }),
    role: fc.constantFrom(null, ...ROLES),
  }),
  fc.record({
    kind: fc.constant('verification'),
    verification: fc.constantFrom(...VERIFICATION_KINDS),
    verifierId: fc.constantFrom(null, 'v1', 'v2'),
    onUnavailable: fc.constantFrom('wait' as const, 'allow' as const),
  }),
  fc.record({
    kind: fc.constant('fees'),
    channelId: fc.constantFrom('gcash', 'wallet'),
    currency,
    by: fc.constantFrom(...FEE_BASES),
    tiers: fc.array(tier, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('delay'), seconds: fc.integer({ min: 1, max: 604_800 }) }),
)
