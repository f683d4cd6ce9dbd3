// The rule of mandates: whatever is asked, in whatever order, no more leaves than the total, none of it to somebody else.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  asksApprovalOf,
  type Mandate,
  type Outgoing,
  refuseByMandate,
  refuseUnapproved,
  remainingMinor,
  type Spent,
} from '../../../src/domain/mandate/mandate.ts'

const NOBODY = { wallet: null, tag: null, mobile: null, email: null }
const ANA = { ...NOBODY, wallet: '0012345678', tag: 'BPI', mobile: '+639171234567' }
const LIMIT = { currency: 'PHP', totalMinor: 1000n, perTransferMinor: 400n, approvalAboveMinor: null }
const ANYBODY: Mandate = {
  keyId: 'key',
  limits: [LIMIT],
  recipients: null,
  profiles: null,
  channels: null,
  until: null,
}
const going = (fields: Partial<Outgoing>): Outgoing => ({
  currency: 'PHP',
  minor: 100n,
  recipient: ANA,
  profile: null,
  channelId: 'sandbox',
  nowMs: 0,
  ...fields,
})

const code = (mandate: Partial<Mandate>, fields: Partial<Outgoing>, spending: readonly Spent[] = []) =>
  refuseByMandate({ ...ANYBODY, ...mandate }, spending, going(fields))?.param

const spent = (spentMinor: bigint): Spent[] => [{ currency: 'PHP', spentMinor, count: 1 }]

test.each<[string, Partial<Mandate>, Partial<Outgoing>, readonly Spent[], string | null | undefined]>([
  ['what is left, to the centavo', {}, { minor: 400n }, spent(600n), undefined],
  ['a centavo more than is left', {}, { minor: 400n }, spent(601n), 'amount'],
  ['a centavo more than at a time', {}, { minor: 401n }, [], 'amount'],
  [
    'all of it at a time, where nothing bounds that',
    { limits: [{ ...LIMIT, perTransferMinor: null }] },
    { minor: 1000n },
    [],
    undefined,
  ],
  ['a total that was lowered below what has left', {}, { minor: 1n }, spent(5000n), 'amount'],
  ['another currency', {}, { currency: 'USD' }, [], 'currency'],
  ['a channel of the list', { channels: ['sandbox'] }, {}, [], undefined],
  ['another channel', { channels: ['instapay'] }, {}, [], 'channel'],
  ['no channel', { channels: ['instapay'] }, { channelId: null }, [], 'channel'],
  ['the last moment', { until: 10 }, { nowMs: 9 }, [], undefined],
  ['the end', { until: 10 }, { nowMs: 10 }, [], null],
  ['the recipient', { recipients: [ANA] }, {}, [], undefined],
  ['the account alone', { recipients: [ANA] }, { recipient: { ...ANA, mobile: null } }, [], undefined],
  ['the mobile alone', { recipients: [ANA] }, { recipient: { ...NOBODY, mobile: ANA.mobile } }, [], undefined],
  ['the account at another bank', { recipients: [ANA] }, { recipient: { ...ANA, tag: 'BDO' } }, [], 'recipient'],
  ['the account at no bank', { recipients: [ANA] }, { recipient: { ...ANA, tag: null } }, [], 'recipient'],
  [
    'the account with another mobile',
    { recipients: [ANA] },
    { recipient: { ...ANA, mobile: '+639170000000' } },
    [],
    'recipient',
  ],
  ['another account with the mobile', { recipients: [ANA] }, { recipient: { ...ANA, wallet: '9' } }, [], 'recipient'],
  [
    'an e-mail that is not named',
    { recipients: [ANA] },
    { recipient: { ...ANA, email: 'm@example.com' } },
    [],
    'recipient',
  ],
  ['a name alone', { recipients: [ANA] }, { recipient: NOBODY }, [], 'recipient'],
  [
    'a bank alone',
    { recipients: [{ ...NOBODY, tag: 'BPI' }] },
    { recipient: { ...NOBODY, tag: 'BPI' } },
    [],
    'recipient',
  ],
  ['nobody', { recipients: [ANA] }, { recipient: null }, [], 'recipient'],
  [
    'the account of one and the mobile of another',
    {
      recipients: [
        { ...NOBODY, wallet: '1' },
        { ...NOBODY, mobile: '+1' },
      ],
    },
    { recipient: { ...NOBODY, wallet: '1', mobile: '+1' } },
    [],
    'recipient',
  ],
  ['a profile of the list', { profiles: ['p'] }, { profile: 'p' }, [], undefined],
  ['another profile', { profiles: ['p'] }, { profile: 'q' }, [], 'recipient'],
  ['the values of a profile, written', { profiles: ['p'] }, {}, [], 'recipient'],
  ['a recipient beside profiles', { profiles: ['p'], recipients: [ANA] }, {}, [], undefined],
])('%s', (_what, mandate, fields, spending, refused) => {
  expect(code(mandate, fields, spending)).toBe(refused)
})

test('however it is asked, what leaves is within each total, and what remains is the rest', () => {
  const asked = fc.record({
    currency: fc.constantFrom('PHP', 'USD', 'EUR'),
    minor: fc.bigInt({ min: 1n, max: 700n }),
  })
  fc.assert(
    fc.property(fc.array(asked, { maxLength: 60 }), fc.bigInt({ min: 1n, max: 2000n }), (all, totalMinor) => {
      const limits = ['PHP', 'USD'].map((currency) => ({ ...LIMIT, currency, totalMinor }))
      const mandate = { ...ANYBODY, limits }
      let spending: Spent[] = []
      for (const fields of all) {
        if (refuseByMandate(mandate, spending, going(fields))) continue
        const before = spending.find(({ currency }) => currency === fields.currency)?.spentMinor ?? 0n
        const others = spending.filter(({ currency }) => currency !== fields.currency)
        spending = [...others, { currency: fields.currency, spentMinor: before + fields.minor, count: 1 }]
      }
      for (const limit of limits) {
        const left = spending.find(({ currency }) => currency === limit.currency)?.spentMinor ?? 0n
        expect(left + remainingMinor(limit, spending)).toBe(totalMinor)
      }
      expect(spending.some(({ currency }) => currency === 'EUR')).toBe(false)
    }),
  )
})

test('above the mark, and only there, it leaves with an approval where it may leave at all', () => {
  const minor = fc.bigInt({ min: 1n, max: 700n })
  const mark = fc.option(fc.bigInt({ min: 0n, max: 700n }))
  fc.assert(
    fc.property(minor, mark, fc.bigInt({ min: 0n, max: 1000n }), (takes, approvalAboveMinor, left) => {
      const mandate = { ...ANYBODY, limits: [{ ...LIMIT, approvalAboveMinor }] }
      const outgoing = going({ minor: takes })
      const isAbove = approvalAboveMinor !== null && takes > approvalAboveMinor
      const mayLeave = refuseByMandate(mandate, spent(left), outgoing) === null
      expect(asksApprovalOf(mandate, spent(left), outgoing)).toBe(isAbove && mayLeave)
      expect(refuseUnapproved(mandate, outgoing)?.code).toBe(isAbove ? 'mandate_exceeded' : undefined)
    }),
  )
})
