// What is compared with the provider's books, and which outage of a rail lasts.
import { describe, expect, test } from 'vitest'
import { attemptsAt, outageAmong, type Script } from '../../../src/domain/channel/sandbox.ts'
import { sampleContract } from '../../../src/domain/transfer/sample.ts'
import type { Transfer } from '../../../src/domain/transfer/transfer.ts'

const ID = '01890000-0000-7000-8000-000000000001'
const OWNER = { id: ID, lane: 0, accountId: ID, livemode: false }
const RAILS = [
  { rail: 'bank', channels: ['bank', 'bank-fast'] },
  { rail: 'purse', channels: ['purse'] },
]

/** A transfer that failed on one channel and was tried again on another. */
const retriedOn = (channel: string): Transfer => {
  const sample = sampleContract('contract.transfer_failed', OWNER, null, 0) as Transfer
  const retried = { type: 'transfer_retried', at: 0, actor: 'account', data: { attempt: 2, channel } } as const
  return {
    ...sample,
    terms: { ...sample.terms, channelId: 'bank' },
    execution: { ...sample.execution, status: 'accepted', number: 2 },
    activities: [...sample.activities, retried],
    debitMinor: 110_00n,
    feeMinor: 10_00n,
  }
}

describe('the attempts at a contract', () => {
  test('are all there, the newest first, each on its own rail, with what was sent', () => {
    const hex = ID.replaceAll('-', '')
    const shown = attemptsAt(retriedOn('purse'), RAILS).map(
      ({ rail, channelId, number, reference, status, amountMinor }) => [
        rail,
        channelId,
        number,
        reference,
        status,
        amountMinor,
      ],
    )
    expect(shown).toEqual([
      ['purse', 'purse', 2, `${hex}002`, 'accepted', 100_00n],
      ['bank', 'bank', 1, `${hex}001`, 'failed', 100_00n],
    ])
  })

  test('are left out where the provider does not play their rail', () => {
    expect(attemptsAt(retriedOn('elsewhere'), RAILS).map(({ number }) => number)).toEqual([1])
    expect(attemptsAt(retriedOn('purse'), []).length).toBe(0)
  })

  test('a draft has none', () => {
    expect(attemptsAt(sampleContract('contract.created', OWNER, null, 0), RAILS)).toEqual([])
  })
})

const script = (asked: Script['asked'], createdAtMs = 0): Script => ({ id: 'scn', createdAtMs, played: 0, asked })

test.each([
  ['none', [], null],
  ['one of another rail', [script({ rail: 'purse', outage: '503' })], null],
  ['one without an end', [script({ rail: 'bank', outage: 'hang' })], { kind: 'hang', untilMs: null }],
  ['one of every rail', [script({ outage: '503' })], { kind: '503', untilMs: null }],
  ['one that lasts', [script({ outage: '503', seconds: 11 })], { kind: '503', untilMs: 11_000 }],
  ['one that is over', [script({ outage: '503', seconds: 10 })], null],
  [
    'the newest of two that last',
    [script({ outage: '503', seconds: 60 }), script({ outage: 'hang' })],
    { kind: '503', untilMs: 60_000 },
  ],
  [
    'an older one that outlasts it',
    [script({ outage: '503', seconds: 1 }), script({ outage: 'hang' })],
    { kind: 'hang', untilMs: null },
  ],
  ['a scenario that is no outage', [script({ verdict: 'refused' })], null],
])('the outage of a rail: %s', (_, scripts, expected) => {
  expect(outageAmong(scripts, 'bank', 10_000)).toEqual(expected)
})
