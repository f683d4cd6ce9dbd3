// What an event names itself, without a look-up, is what a look-up of all its names finds, or it is left to the look-up.
import { expect, test } from 'vitest'
import { attemptNamed, contractNamed, type KnownNames, matchOf } from '../../../src/domain/payment/provider-events.ts'
import { attemptReference } from '../../../src/domain/contract/ids.ts'
import type { EventNames, NamedAttempt } from '../../../src/domain/payment/commands.ts'
import type { Payment, PaymentAttempt } from '../../../src/domain/payment/payment.ts'
import { samplePayment } from '../../../src/domain/payment/sample.ts'

const OWN = '01a1fdc9-0926-779e-8210-2a7233ce213e'
const OTHER = '01a1fdc9-0926-779e-8210-2a7233ce213f'
const ABSENT = '01a1fdc9-0926-779e-8210-2a7233ce2140'

const owner = { id: OWN, lane: 38, accountId: OTHER, livemode: false }
const sample = samplePayment('contract.refunded', owner, 1_790_000_000_000)
const called = (number: number, providerId: string | null): PaymentAttempt => ({
  number,
  kind: 'gcash',
  channelId: 'gcash',
  channelVersion: 1,
  reference: attemptReference(OWN, number),
  status: 'pending',
  feeMinor: 0n,
  debitMinor: 150_000n,
  quote: null,
  details: {},
  shown: {},
  providerId,
  nextAction: null,
  receivedUnits: 0n,
  failure: null,
  superseded: false,
  createdAt: sample.createdAt,
})
/** Its first attempt has no name at its provider, its second has one. */
const payment: Payment = { ...sample, attempts: [called(1, null), called(2, 'pi_own')] }

const INTENTS: ReadonlyMap<string, NamedAttempt> = new Map([
  ['pi_own', { contractId: OWN, number: 2 }],
  ['pi_other', { contractId: OTHER, number: 1 }],
])

const contracts = [null, OWN, OTHER, ABSENT]
const attempts = [
  null,
  ...[OWN, OTHER, ABSENT].flatMap((contractId) => [1, 2].map((number) => ({ contractId, number }))),
]
const providers = [null, 'pi_own', 'pi_other', 'pi_absent']

const all: EventNames[] = contracts.flatMap((contractId) =>
  attempts.flatMap((named) =>
    providers.map((providerId) => ({ contractId, attempt: named, providerId, reference: null })),
  ),
)

function lookedUp(names: EventNames) {
  const known: KnownNames = {
    payments: new Set([OWN, OTHER]),
    intent: (names.providerId !== null && INTENTS.get(names.providerId)) || null,
    byReference: [],
  }
  return matchOf(names, known)
}

test('of all names that mean this contract, the attempt is the one that a look-up finds', () => {
  const mine = all.filter((names) => contractNamed(names) === OWN)
  const sure = mine.filter((names) => attemptNamed(names, payment) !== 'names_not_found')
  for (const names of sure)
    expect({ names, match: lookedUp(names) }).toEqual({
      names,
      match: { contractId: OWN, attempt: attemptNamed(names, payment) },
    })
  expect(sure.length).toBeGreaterThan(mine.length / 2)
})

test('the contract is named by its id, then by the reference of an attempt, and else not', () => {
  const names: EventNames = { contractId: null, attempt: null, providerId: 'pi_own', reference: 'their own' }
  expect(contractNamed(names)).toBeNull()
  expect(contractNamed({ ...names, attempt: { contractId: OTHER, number: 1 } })).toBe(OTHER)
  expect(contractNamed({ ...names, attempt: { contractId: OTHER, number: 1 }, contractId: OWN })).toBe(OWN)
})

test('a reference alone leaves it to the look-up where the provider may mean another contract', () => {
  const names: EventNames = {
    contractId: null,
    attempt: { contractId: OWN, number: 2 },
    providerId: 'pi_other',
    reference: null,
  }
  expect(attemptNamed(names, payment)).toBe('names_not_found')
  expect(attemptNamed({ ...names, providerId: 'pi_own' }, payment)).toBe(2)
  expect(attemptNamed({ ...names, providerId: null }, payment)).toBe(2)
})
