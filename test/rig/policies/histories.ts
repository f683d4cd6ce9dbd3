// Histories of chance: policies, and what an account paid and got back, for rehearsals to be compared with the write path.
import { sampleContract } from '../../../src/domain/transfer/sample.ts'
import type { Condition } from '../../../src/domain/policy/condition.ts'
import { METER_BY, SPANS } from '../../../src/domain/policy/meters.ts'
import type { Outcome, Policy } from '../../../src/domain/policy/policy.ts'
import type { Transfer } from '../../../src/domain/transfer/transfer.ts'
import type { Dice } from '../dice.ts'

export const LANE = 1
export const ACCOUNT = '01890000-0000-7000-8000-0000000000aa'
const MEMBER = '01890000-0000-7000-8000-0000000000bb'
const PROFILES = ['01890000-0000-7000-8000-0000000000c1', '01890000-0000-7000-8000-0000000000c2']
const DESTINATION = '01890000-0000-7000-8000-0000000000d1'
export const WALLETS = ['01890000-0000-7000-8000-0000000000e1', '01890000-0000-7000-8000-0000000000e2']
const KEYS = ['01KEYONE01', '01KEYTWO02']
const RECIPIENTS = ['000111222333', '000444555666', '000777888999']
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
export const BEGIN_MS = Date.parse('2026-03-01T00:00:00Z')
/** A change of the clocks falls into the histories of two of them. */
export const TIME_ZONES = ['Asia/Manila', 'Europe/Berlin', 'America/New_York', 'UTC', 'Pacific/Chatham']

/** `by`: the key, or the member, that pays. */
export type Attempted =
  | { readonly kind: 'pay'; readonly atMs: number; readonly transfer: Transfer; readonly by: string | null }
  | { readonly kind: 'refund'; readonly atMs: number; readonly id: string }

const idOf = (number: number) => `01890000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`

/** What somebody tried to do, in order of time: issued transfers that are paid, and some that come back. */
export function attemptsOf(dice: Dice, count: number): Attempted[] {
  let atMs = BEGIN_MS
  const paid: string[] = []
  return Array.from({ length: count }, (_, number): Attempted => {
    atMs += dice.pick([0, 1000, 50_000, 10 * 60_000, HOUR_MS, 6 * HOUR_MS, DAY_MS, 9 * DAY_MS])
    const id = paid.length > 0 && dice.chance(0.25) ? dice.pick(paid) : null
    if (id !== null) return { kind: 'refund', atMs, id }
    const transfer = issuedOf(dice, idOf(number + 1), atMs)
    paid.push(transfer.id)
    return { kind: 'pay', atMs, transfer, by: dice.pick([...KEYS, MEMBER, null]) }
  })
}

function issuedOf(dice: Dice, id: string, nowMs: number): Transfer {
  const owner = { id, lane: LANE, accountId: ACCOUNT, livemode: false }
  const sample = sampleContract('contract.issued', owner, null, nowMs) as Transfer
  const { recipient, ...terms } = sample.terms
  const profile = dice.chance(0.3) ? dice.pick(PROFILES) : null
  return {
    ...sample,
    terms: {
      ...terms,
      amountMinor: BigInt(dice.whole(1, 40)) * 100n,
      currency: dice.pick(['PHP', 'PHP', 'PHP', 'USD']),
      channelId: dice.pick(['instapay', 'gcash']),
      recipient: recipient && { ...recipient, wallet: dice.pick(RECIPIENTS), country: dice.pick([null, 'PH', 'DE']) },
      ...(profile && {
        recipientProfile: {
          profile,
          profileVersion: dice.whole(1, 2),
          destination: dice.chance(0.7) ? DESTINATION : null,
          destinationVersion: 1,
        },
      }),
    },
  }
}

/** Since when the destination of a profile's version is as it is: days before the history, or within it. */
export function destinationsOf({ terms: { recipientProfile: used } }: Transfer): ReadonlyMap<string, number> {
  if (!used) return new Map()
  const days = (used.profile === PROFILES[0] ? -20 : 3) + used.profileVersion * 10
  return new Map([[DESTINATION, BEGIN_MS + days * DAY_MS]])
}

export function policiesOf(dice: Dice): Policy[] {
  return Array.from({ length: dice.whole(1, 4) }, (_, number) => ({
    lane: LANE,
    accountId: ACCOUNT,
    id: idOf(0xf00 + number),
    livemode: false,
    status: dice.chance(0.9) ? 'active' : 'paused',
    version: 1,
    createdAt: BEGIN_MS,
    updatedAt: BEGIN_MS,
    name: `Policy ${number}`,
    description: null,
    priority: dice.whole(0, 2),
    when: Array.from({ length: dice.whole(0, 2) }, () => conditionOf(dice)),
    then: outcomeOf(dice),
  }))
}

function conditionOf(dice: Dice): Condition {
  const list = (
    field: 'currency' | 'channel' | 'recipient.country' | 'key' | 'member',
    values: string[],
  ): Condition => ({
    field,
    op: dice.pick(['in', 'not_in']),
    values: [dice.pick(values)],
  })
  const made: (() => Condition)[] = [
    () => ({ field: 'amount', op: dice.pick(['above', 'at_most']), currency: 'PHP', amountMinor: 2000n }),
    () => list('currency', ['PHP', 'USD']),
    () => list('channel', ['instapay', 'gcash']),
    () => list('recipient.country', ['PH', 'DE']),
    () => list('key', KEYS),
    () => list('member', [MEMBER]),
    () => ({ field: 'recipient.new', withinDays: dice.whole(1, 30) }),
    () => ({ field: 'hour', from: dice.whole(0, 23), to: dice.whole(1, 24) }),
    () => ({ field: 'weekday', values: [dice.whole(1, 7), dice.whole(1, 7)] }),
  ]
  const meter = { by: dice.pick(METER_BY), span: dice.pick(SPANS) }
  const limits: (() => Condition)[] = [
    () => ({
      field: 'sum',
      ...meter,
      currency: dice.pick(['PHP', 'USD']),
      aboveMinor: BigInt(dice.whole(0, 100)) * 100n,
    }),
    () => ({ field: 'count', ...meter, above: dice.whole(0, 6) }),
  ]
  return dice.pick(dice.chance(0.6) ? limits : made)()
}

function outcomeOf(dice: Dice): Outcome {
  return dice.pick<Outcome>([
    { kind: 'allow' },
    { kind: 'deny', words: 'No.' },
    { kind: 'deny', words: 'Too much.' },
    { kind: 'approvals', count: 2, role: 'approver' },
    { kind: 'verification', verification: 'name', verifierId: null, onUnavailable: 'wait' },
    { kind: 'delay', seconds: dice.pick([60, 3600]) },
  ])
}
