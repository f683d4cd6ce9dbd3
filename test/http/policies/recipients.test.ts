// Whom a limit or a condition counts as the recipient: whatever of a contract its money may go by, so that nobody passes for somebody
// else by a field that the channel does not pay by.
import { afterAll, expect, test } from 'vitest'
import { circumstancesOf } from '../../../src/domain/policy/circumstances.ts'
import type { MeterName } from '../../../src/domain/policy/meters.ts'
import type { Recipient, Terms } from '../../../src/domain/transfer/transfer.ts'
import { type Caller, openWorld } from '../../world.ts'
import { policiesOf, told } from './policy-stage.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

const BY_GCASH = { amount: 100, currency: 'PHP', channel: 'gcash' }
const [FIRST, SECOND] = ['+639171234567', '+639181234567'] as const

async function pays(caller: Caller, recipient: object) {
  const { id } = await caller.draft({ ...BY_GCASH, recipient: { name: 'Ana', ...recipient } })
  await caller.ask('PUT', `/contracts/transfer/${id}/issue`)
  return caller.ask('PUT', `/contracts/transfer/${id}/pay`)
}

test.each(['sum', 'count'])(
  'a limit of the %s for each recipient holds for a mobile, whatever account is written beside it',
  async (field) => {
    const caller = await world.newCaller({ funds: { PHP: 1_000_000_00n } })
    const money = field === 'sum' ? { value: 150, currency: 'PHP' } : { value: 1 }
    const limit = { field, by: 'recipient', window: 'day', op: 'above', ...money }
    await policiesOf(caller).make({ name: 'Day', when: [limit], then: { kind: 'deny', words: 'Enough today.' } })
    expect((await pays(caller, { mobile: FIRST, wallet: 'one' })).status).toBe(200)
    expect(told(await pays(caller, { mobile: FIRST, wallet: 'two' }))[1]).toBe('policy_denied')
    expect(told(await pays(caller, { mobile: FIRST }))[1]).toBe('policy_denied')
    expect((await pays(caller, { mobile: SECOND, wallet: 'three' })).status).toBe(200)
  },
)

const NOBODY = { keyId: null, memberId: null, walletId: null }
const MOMENT = { nowMs: 1_000_000, local: { hour: 1, weekday: 1 } }

/** Since when a recipient is known, where these were paid then. */
function knownSince(recipient: Partial<Recipient>, paid: Readonly<Record<string, number>>): number | null {
  const whole = { name: 'Ana', email: null, mobile: null, wallet: null, tag: null, address: null, country: null }
  const terms = { amountMinor: 1n, currency: 'PHP', channelId: 'gcash', recipient: { ...whole, ...recipient } }
  const meterOf = ({ subject }: MeterName) => {
    const [, at] = Object.entries(paid).find(([account]) => subject.includes(account)) ?? []
    return at === undefined ? undefined : [{ step: at, sumMinor: 1n, count: 1 }]
  }
  return circumstancesOf({ terms: terms as unknown as Terms }, NOBODY, MOMENT, null, meterOf).knownSince
}

test('a mobile is not known by a known account that is written beside it', () => {
  expect(knownSince({ wallet: 'known' }, { known: 5 })).toBe(5)
  expect(knownSince({ mobile: FIRST, wallet: 'known' }, { known: 5 })).toBe(null)
  expect(knownSince({ mobile: FIRST, wallet: 'known' }, { known: 5, [FIRST]: 7 })).toBe(7)
  expect(knownSince({ mobile: FIRST }, { [FIRST]: 7 })).toBe(7)
  expect(knownSince({}, { known: 5 })).toBe(null)
})
