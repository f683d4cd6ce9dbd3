// Whom a limit or a condition counts as the recipient: whatever of a contract its money may go by, so that nobody passes for somebody
// else by a field that the channel does not pay by.
import { afterAll, expect, test } from 'vitest'
import { circumstancesOf } from '../../../src/domain/policy/circumstances.ts'
import type { MeterName } from '../../../src/domain/policy/meters.ts'
import { bankOf } from '../../../src/domain/text/bics.ts'
import { NO_RECIPIENT, type Recipient, type Terms } from '../../../src/domain/transfer/transfer.ts'
import { type Caller, openWorld } from '../../world.ts'
import { policiesOf, told } from './policy-stage.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

const BY_GCASH = { amount: 100, currency: 'PHP', channel: 'gcash' }
const [FIRST, SECOND] = ['+639171234567', '+639181234567'] as const

async function pays(caller: Caller, recipient: object, by: object = BY_GCASH) {
  const { id } = await caller.draft({ ...by, recipient: { name: 'Ana', ...recipient } })
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

const BY_BANK = { amount: 100, currency: 'PHP', channel: 'instapay' }
const ACCOUNT = { name: 'Ana', wallet: '0012345678' }

test.each(['BOPIPHMMXXX', 'BOPIPHMM123'])(
  'a limit for each recipient holds for BOPIPHMM and %s together',
  async (tag) => {
    for (const tags of [
      ['BOPIPHMM', tag],
      [tag, 'BOPIPHMM'],
    ] as const) {
      const caller = await world.newCaller({ funds: { PHP: 1_000_000_00n } })
      const limit = { field: 'sum', by: 'recipient', window: 'day', op: 'above', value: 150, currency: 'PHP' }
      await policiesOf(caller).make({ name: 'Day', when: [limit], then: { kind: 'deny', words: 'Enough today.' } })
      const sends = (bank: string) => pays(caller, { ...ACCOUNT, tag: bank }, BY_BANK)
      expect((await sends(tags[0])).status).toBe(200)
      for (const bank of tags) expect(told(await sends(bank))[1]).toBe('policy_denied')
      expect((await sends('MBTCPHMM')).status).toBe(200)
    }
  },
)

test('who was paid at a bank is not new at its head office', async () => {
  const caller = await world.newCaller({ funds: { PHP: 1_000_000_00n } })
  const isNew = { field: 'recipient.new', within_days: 3 }
  const policy = { name: 'New', when: [isNew], then: { kind: 'delay', seconds: 3600 } }
  await policiesOf(caller).make(policy)
  const applies = async (tag: string) => {
    const draft = { ...BY_BANK, recipient: { ...ACCOUNT, tag } }
    const { data } = await caller.ask('POST', '/policies/evaluate', { body: { draft } })
    const { traces } = data['evaluation'] as { traces: { conditions: { value: unknown }[] }[] }
    return traces[0]?.conditions[0]?.value
  }
  const unknown = await applies('BOPIPHMM')
  expect((await pays(caller, { ...ACCOUNT, tag: 'BOPIPHMMXXX' }, BY_BANK)).status).toBe(200)
  expect(await applies('BOPIPHMM')).not.toBe(unknown)
  expect(await applies('BOPIPHMMXXX')).toBe(await applies('BOPIPHMM'))
  expect(await applies('MBTCPHMM')).toBe(unknown)
})

const NOBODY = { keyId: null, keyLine: null, memberId: null, walletId: null }
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

/** What a recipient was paid in the hour, where these were paid so much. */
function spentBefore(recipient: Partial<Recipient>, paid: Readonly<Record<string, bigint>>): bigint {
  const terms = {
    amountMinor: 1n,
    currency: 'PHP',
    channelId: 'instapay',
    recipient: { ...NO_RECIPIENT, ...recipient },
  }
  const meterOf = ({ subject, span }: MeterName) => {
    const sumMinor = paid[subject]
    return sumMinor === undefined || span !== 'hour' ? undefined : [{ step: 16, sumMinor, count: 1 }]
  }
  const about = circumstancesOf({ terms: terms as unknown as Terms }, NOBODY, MOMENT, null, meterOf)
  return about.spent('recipient', 'hour', 'PHP').sumMinor
}

test('a mobile is not known by a known account that is written beside it', () => {
  expect(knownSince({ wallet: 'known' }, { known: 5 })).toBe(5)
  expect(knownSince({ mobile: FIRST, wallet: 'known' }, { known: 5 })).toBe(null)
  expect(knownSince({ mobile: FIRST, wallet: 'known' }, { known: 5, [FIRST]: 7 })).toBe(7)
  expect(knownSince({ mobile: FIRST }, { [FIRST]: 7 })).toBe(7)
  expect(knownSince({}, { known: 5 })).toBe(null)
})

test('the code of a bank is its BIC without the branch; of what is no BIC, all of it', () => {
  const banks: [string, string][] = [
    ['BOPIPHMM', 'bopiphmm'],
    ['BOPIPHMMXXX', 'bopiphmm'],
    ['bopi-phmm xxx', 'bopiphmm'],
    ['BOPIPHMM123', 'bopiphmm'],
    // No country has this code.
    ['BOPIQQMMXXX', 'bopiqqmmxxx'],
    ['01234567890', '01234567890'],
    ['landbankph', 'landbankph'],
    ['', ''],
  ]
  for (const [code, bank] of banks) expect([code, bankOf(code)]).toEqual([code, bank])
})

test('what was counted by the code as it was written counts still', () => {
  const known = '["0012345678","bopiphmmxxx"]'
  expect(knownSince({ wallet: '0012345678', tag: 'BOPIPHMMXXX' }, { [known]: 5 })).toBe(5)
  expect(knownSince({ wallet: '0012345678', tag: 'BOPIPHMM' }, { [known]: 5 })).toBe(null)
  const both = { [known]: 5, '["0012345678","bopiphmm"]': 7 }
  expect(knownSince({ wallet: '0012345678', tag: 'BOPIPHMMXXX' }, both)).toBe(5)
  expect(knownSince({ wallet: '0012345678', tag: 'BOPIPHMM' }, both)).toBe(7)
  const spent = spentBefore({ wallet: '0012345678', tag: 'BOPIPHMMXXX' }, { [known]: 400n })
  expect(spent).toBe(400n)
})
