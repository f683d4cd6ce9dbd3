// What a result is found again by: two questions that could be answered differently are never taken for one, however much of a
// recipient the channel looks at that is asked.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AskingDeps, findingFor } from '../../../src/app/verifiers/asking.ts'
import type { Connector, InspectsAddresses, NamesAccounts } from '../../../src/connectors/connector.ts'
import type { ChannelFacts } from '../../../src/domain/channel/channel.ts'
import { NO_RECIPIENT, type Recipient } from '../../../src/domain/transfer/transfer.ts'
import { newVerification, subjectText, type VerificationKind } from '../../../src/domain/verifier/verification.ts'
import { BOOK } from '../../rig/simulated/channels.ts'

/** The kinds that the gateway answers itself. */
const BUILT_IN = ['name', 'mobile', 'chain_address', 'list'] as const satisfies readonly VerificationKind[]

type Question = {
  readonly kind: (typeof BUILT_IN)[number]
  readonly channelId: string | null
  readonly recipient: Recipient
}

const addressRule = { field: 'wallet', pattern: null, check: null, format: 'evm_address', mend: 'An address.' } as const
const asChain = (facts: ChannelFacts): ChannelFacts => ({ ...facts, id: 'chain', recipient: [addressRule] })
const CHANNELS = BOOK.all().flatMap((facts) => (facts.id === 'quick' ? [facts, asChain(facts)] : [facts]))

const nobody = async () => {
  throw new Error('nobody of the sort is asked here')
}

/** A channel that looks at everything that it is shown, and answers what that was. */
const telling = (id: string): Connector & NamesAccounts & InspectsAddresses => ({
  describe: () => ({
    acceptsReference: true,
    dedupeLifetimeMs: null,
    inquiry: false,
    notFoundFinalAfterMs: 0,
    recall: false,
  }),
  send: nobody,
  check: nobody,
  nameOf: async (recipient) => ({ kind: 'no_answer', reason: JSON.stringify([id, recipient]) }),
  holderKind: async (address) => (address.endsWith('1') ? 'contract' : 'account'),
})

const deps = {
  channels: { current: (id) => CHANNELS.find((each) => each.id === id) },
  connectors: new Map(['bank', 'quick', 'chain'].map((id) => [id, telling(id)])),
  screening: async ({ channelId, recipient }) => ({
    status: 'unavailable',
    reason: JSON.stringify([channelId, recipient]),
  }),
} satisfies Partial<AskingDeps> as unknown as AskingDeps

const subjectOf = ({ kind, channelId, recipient }: Question) => subjectText(kind, channelId, recipient)

const found = ({ kind, channelId, recipient }: Question) => {
  const own = { lane: 1, accountId: 'account', livemode: false, id: 'one', contractId: null, requestedBy: null }
  const asked = { ...own, kind, channelId, recipient, verifierId: null, verifierName: null, subject: 'subject' }
  return findingFor(deps, newVerification(asked, 0))
}

const VALUES: Readonly<Record<keyof Recipient, readonly (string | null)[]>> = {
  name: [null, 'Ana Reyes', 'Juan dela Cruz'],
  email: [null, 'ana@example.com', 'juan@example.com'],
  mobile: [null, '+639171234567', '+447700900123', 'none'],
  wallet: [null, '09171234567', `0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`, '000123'],
  tag: [null, 'BNORPHMM', 'BOPIPHMM'],
  address: [null, 'Manila', 'Cebu'],
  country: [null, 'PH', 'GB'],
}
const CHANNEL_IDS = [null, 'nowhere', 'bank', 'quick', 'chain', 'mute', 'wallet']
const channels = fc.constantFrom(...CHANNEL_IDS)
const kinds = fc.constantFrom(...BUILT_IN)
const recipients: fc.Arbitrary<Recipient> = fc.record({
  name: fc.constantFrom(...VALUES.name),
  email: fc.constantFrom(...VALUES.email),
  mobile: fc.constantFrom(...VALUES.mobile),
  wallet: fc.constantFrom(...VALUES.wallet),
  tag: fc.constantFrom(...VALUES.tag),
  address: fc.constantFrom(...VALUES.address),
  country: fc.constantFrom(...VALUES.country),
})
/** Two recipients that differ in some values, or in none. */
const pairs = fc
  .tuple(recipients, recipients, fc.subarray(Object.keys(VALUES) as (keyof Recipient)[]))
  .map(([one, other, changed]): readonly [Recipient, Recipient] => [
    one,
    { ...one, ...Object.fromEntries(changed.map((field) => [field, other[field]])) },
  ])

test('two questions that are answered differently are never the same one', async () => {
  const isOne = new Set<boolean>()
  await fc.assert(
    fc.asyncProperty(kinds, pairs, channels, channels, async (kind, recipientsOfBoth, ...channelsOfBoth) => {
      const [one, other] = [0, 1].map((i) => ({
        kind,
        channelId: channelsOfBoth[i] ?? null,
        recipient: recipientsOfBoth[i] ?? NO_RECIPIENT,
      })) as [Question, Question]
      const isSame = subjectOf(one) === subjectOf(other)
      isOne.add(isSame)
      const [ofOne, ofOther] = [await found(one), await found(other)]
      expect(isSame ? ofOther : ofOne).toEqual(ofOne)
    }),
    { numRuns: 5000 },
  )
  // Both sorts of pairs were tried.
  expect(isOne).toEqual(new Set([true, false]))
})

test.each<[(typeof BUILT_IN)[number], readonly (keyof Recipient)[]]>([
  ['name', ['name', 'email', 'mobile', 'wallet', 'tag', 'country']],
  ['mobile', ['mobile', 'wallet', 'tag', 'country']],
  ['chain_address', ['wallet']],
  ['list', ['name', 'email', 'mobile', 'wallet', 'tag', 'country']],
])(
  'a %s verification is asked anew for another channel and another value of %j, and for nothing else',
  (kind, fields) => {
    const asked = { kind, channelId: 'quick', recipient: NO_RECIPIENT }
    const anew = (changed: Partial<Question>) => subjectOf({ ...asked, ...changed }) !== subjectOf(asked)
    const names = Object.keys(NO_RECIPIENT) as (keyof Recipient)[]
    const looked = names.filter((field) => anew({ recipient: { ...NO_RECIPIENT, [field]: 'another' } }))
    expect(looked).toEqual(names.filter((field) => fields.includes(field)))
    expect([anew({ channelId: null }), anew({ channelId: 'bank' })]).toEqual([true, true])
  },
)

test.each<VerificationKind>(['http', 'otp'])('a service of one’s own is sent all of a recipient: %s', (kind) => {
  const subjects = Object.keys(NO_RECIPIENT).map((field) =>
    subjectText(kind, null, { ...NO_RECIPIENT, [field]: 'another' }),
  )
  expect(new Set([...subjects, subjectText(kind, null, NO_RECIPIENT)]).size).toBe(8)
})
